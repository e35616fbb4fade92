#include "rankforest/io/bytes.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace rankforest {

TEST_CASE("numbers are written with their lowest byte first") {
  ByteWriter out;
  out.Put(std::uint32_t{0x04030201});
  out.Put(std::int32_t{-2});
  out.Put(std::uint64_t{0x0807060504030201});
  out.Put(1.0F);
  out.Put(-2.0);
  out.PutBytes(TextBytes("ab"));
  out.PadTo(32);
  const Bytes expected{1, 2, 3,    4,    0xFE, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4,    5,   6,   7, 8,
                       0, 0, 0x80, 0x3F, 0,    0,    0,    0,    0, 0, 0, 0xC0, 'a', 'b', 0, 0};
  CHECK(std::move(out).Take() == expected);
}

TEST_CASE("what was written is read back, bit for bit") {
  ByteWriter out;
  out.Put(std::numeric_limits<std::uint64_t>::max());
  out.Put(std::numeric_limits<std::int32_t>::min());
  out.Put(std::numeric_limits<float>::denorm_min());
  out.Put(-0.0);
  const Bytes bytes = std::move(out).Take();
  ByteReader in("test", bytes);
  CHECK(in.Get<std::uint64_t>() == std::numeric_limits<std::uint64_t>::max());
  CHECK(in.Get<std::int32_t>() == std::numeric_limits<std::int32_t>::min());
  CHECK(in.Get<float>() == std::numeric_limits<float>::denorm_min());
  CHECK(1.0 / in.Get<double>() == -std::numeric_limits<double>::infinity());
  CHECK_NOTHROW(in.RequireEnd());
}

TEST_CASE("a reader refuses to go beyond the end, however large the count") {
  const Bytes bytes(10);
  ByteReader in("section X", bytes);
  CHECK(in.Take(2, 4).size() == 8);
  CHECK_THROWS_WITH_AS(in.Take(1, 4),
                       "section X ends early: 2 bytes are left where 1 times 4 are announced",
                       std::invalid_argument);
  CHECK_THROWS_AS(in.Take(std::uint64_t{1} << 62, 4), std::invalid_argument);  // times 4 is 0
  CHECK_THROWS_AS(in.Get<std::uint32_t>(), std::invalid_argument);
  CHECK_THROWS_WITH_AS(in.RequireEnd(), "section X has 2 bytes beyond what it announces",
                       std::invalid_argument);
  CHECK(in.Take(2, 1).size() == 2);
  CHECK(in.Take(0, 20).empty());
  CHECK_NOTHROW(in.RequireEnd());
}

TEST_CASE("text and bytes turn into each other") {
  const std::string text("a\0\xC3\xA9", 4);
  CHECK(ToText(TextBytes(text)) == text);
}

}  // namespace rankforest
