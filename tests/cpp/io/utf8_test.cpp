#include "rankforest/io/utf8.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

bool IsUtf8Text(const std::string& text) { return IsUtf8(TextBytes(text)); }

/// The definition: decode by the lengths that the lead bytes announce, then refuse surrogates,
/// numbers beyond U+10FFFF and those that a shorter form holds.
bool DecodesToCodePoints(ByteView text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::uint8_t lead = text[i];
    const std::size_t size = lead < 0x80           ? 1
                             : (lead >> 5) == 0x06 ? 2
                             : (lead >> 4) == 0x0E ? 3
                             : (lead >> 3) == 0x1E ? 4
                                                   : 0;
    if (size == 0 || size > text.size() - i) return false;
    std::uint32_t point = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t k = 1; k < size; ++k) {
      if ((text[i + k] >> 6) != 0x02) return false;
      point = point << 6 | (text[i + k] & 0x3FU);
    }
    constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < kSmallest[size] || point > 0x10FFFF) return false;
    if (point >= 0xD800 && point <= 0xDFFF) return false;
    i += size;
  }
  return true;
}

}  // namespace

TEST_CASE("well-formed text is UTF-8") {
  CHECK(IsUtf8Text(""));
  CHECK(IsUtf8Text(std::string("a\0b", 3)));
  CHECK(IsUtf8Text("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB2"));    // e acute, euro, a tree
  CHECK(IsUtf8Text("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"));  // U+D7FF, U+E000, U+10FFFF
}

TEST_CASE("cut, overlong, surrogate and too large sequences are not UTF-8") {
  for (const char* text :
       {"\x80", "\xC3", "\xC3(", "\xE2\x82", "\xE2\x82(", "\xF0\x9F\x8C", "\xC0\x80", "\xC1\xBF",
        "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFF", "ok\xFE"}) {
    CHECK_FALSE(IsUtf8Text(text));
  }
}

TEST_CASE("random bytes are UTF-8 exactly when they decode to code points") {
  Rng rng(91);
  int n_valid = 0;
  // Lead bytes, the edges of continuation bytes, and ASCII.
  constexpr std::uint8_t kBytes[] = {0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1,
                                     0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF3, 0xF4, 0xF5};
  for (int trial = 0; trial < 50000; ++trial) {
    Bytes bytes(1 + rng.Below(5));
    for (std::uint8_t& byte : bytes) byte = kBytes[rng.Below(sizeof kBytes)];
    const bool valid = IsUtf8(bytes);
    REQUIRE(valid == DecodesToCodePoints(bytes));
    n_valid += valid ? 1 : 0;
  }
  CHECK(n_valid > 1000);
}

}  // namespace rankforest
