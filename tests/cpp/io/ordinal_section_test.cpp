#include "rankforest/io/ordinal_section.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

Ordinal OneProblem() { return {{0.0, 2.5}, {{0, 0.5, {1.0, -0.25}}}}; }

}  // namespace

TEST_CASE("the problems of a model are numbers in the order of grades and members") {
  const Bytes bytes = EncodeOrdinal(OneProblem());
  ByteReader in("test", bytes);
  CHECK(in.Get<std::uint64_t>() == 2);  // grades
  CHECK(in.Get<double>() == 0.0);
  CHECK(in.Get<double>() == 2.5);
  CHECK(in.Get<std::uint64_t>() == 1);  // members
  CHECK(in.Get<std::uint32_t>() == 0);
  CHECK(in.Get<double>() == 0.5);
  CHECK(in.Get<std::uint64_t>() == 2);  // groups
  CHECK(in.Get<double>() == 1.0);
  CHECK(in.Get<double>() == -0.25);
  in.RequireEnd();
}

TEST_CASE("problems come back equal, and cut ones are refused") {
  Rng rng(96);
  for (int trial = 0; trial < 20; ++trial) {
    Ordinal ordinal;
    for (std::uint32_t i = 0; i < 2 + rng.Below(4); ++i) ordinal.grades.push_back(rng.Uniform());
    for (std::uint32_t m = 0; m < rng.Below(6); ++m) {
      ordinal.parts.push_back({rng.Below(4), rng.Uniform(), {}});
      for (std::uint32_t g = 0; g < rng.Below(4); ++g) {
        ordinal.parts.back().group_weights.push_back(rng.Uniform());
      }
    }
    const Bytes bytes = EncodeOrdinal(ordinal);
    CHECK(DecodeOrdinal(bytes) == ordinal);
    const ByteView whole = bytes;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CHECK_THROWS_AS(DecodeOrdinal(whole.subspan(0, size)), std::invalid_argument);
    }
  }
}

TEST_CASE("huge counts of grades, members or groups allocate next to nothing") {
  const Bytes good = EncodeOrdinal(OneProblem());
  for (const std::size_t at : {0U, 24U, 44U}) {
    Bytes bytes = good;
    detail::StoreLittleEndian(~std::uint64_t{0}, bytes.data() + at);
    CHECK_THROWS_AS(DecodeOrdinal(bytes), std::invalid_argument);
  }
}

}  // namespace rankforest
