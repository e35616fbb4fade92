#include "rankforest/detail/eight_bytes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "rankforest/core/rng.hpp"

namespace rankforest::detail {
namespace {

/// The first byte of eight that `qualifies`; 8 for none.
template <class Predicate>
std::size_t First(const std::string& text, const Predicate& qualifies) {
  return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), qualifies) - text.begin());
}

}  // namespace

TEST_CASE("marks find the first byte of a kind") {
  CHECK(BytesBeforeMark(MarkBlank(LoadEight("12.5 7:3"))) == 4);
  CHECK(BytesBeforeMark(MarkBlank(LoadEight("12.5\n7:3"))) == 4);
  CHECK(BytesBeforeMark(MarkBlank(LoadEight("12345678"))) == 8);
  CHECK(BytesBeforeMark(MarkNoDigit(LoadEight("12.5 7:3"))) == 2);
  CHECK(BytesBeforeMark(MarkNoDigit(LoadEight("12345678"))) == 8);
  CHECK(BytesBeforeMark(MarkByte(LoadEight("12.5 7.3"), '.')) == 2);
  CHECK(BytesBeforeMark(MarkByte(LoadEight("12345678"), '.')) == 8);
}

TEST_CASE("marks agree with a search byte by byte on random bytes") {
  Rng rng(1);
  const std::string likely = "0123456789. \n/:\x7f\x80\xff";
  for (int trial = 0; trial < 100000; ++trial) {
    std::string text(8, '\0');
    for (char& c : text) {
      const std::uint64_t bits = rng.Next();
      c = bits % 4 != 0 ? likely[(bits >> 8U) % likely.size()] : static_cast<char>(bits >> 8U);
    }
    const std::uint64_t word = LoadEight(text.data());
    REQUIRE(BytesBeforeMark(MarkBlank(word)) ==
            First(text, [](char c) { return static_cast<unsigned char>(c) <= ' '; }));
    REQUIRE(BytesBeforeMark(MarkNoDigit(word)) ==
            First(text, [](char c) { return c < '0' || c > '9'; }));
    REQUIRE(BytesBeforeMark(MarkByte(word, '.')) == First(text, [](char c) { return c == '.'; }));
  }
}

TEST_CASE("leading digits become a number, whatever follows them") {
  CHECK(DigitsToNumber(LoadEight("12345678"), 8) == 12345678);
  CHECK(DigitsToNumber(LoadEight("00000009"), 8) == 9);
  CHECK(DigitsToNumber(LoadEight("907\xff:x.1"), 3) == 907);
  CHECK(DigitsToNumber(LoadEight("99999999"), 1) == 9);
  CHECK(DigitsToNumber(LoadEight("99999999"), 0) == 0);
}

}  // namespace rankforest::detail
