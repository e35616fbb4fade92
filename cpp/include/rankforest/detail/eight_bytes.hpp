#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

// Text taken eight bytes at a time, as one 64-bit number whose lowest byte is the first
// character. A *mark* is such a number with the top bit set in every byte that qualifies; only
// the lowest mark of a word is exact, since a carry may spoil the bytes after it.

inline constexpr std::uint64_t kEachByte = 0x0101010101010101U;
inline constexpr std::uint64_t kTopBits = 0x8080808080808080U;

/// The eight bytes from `text` on; all of them must be readable.
inline std::uint64_t LoadEight(const char* text) {
  std::uint64_t word = 0;
  if constexpr (kLittleEndian) {
    std::memcpy(&word, text, sizeof word);
  } else {
    for (std::size_t i = 8; i-- > 0;) word = word << 8 | static_cast<unsigned char>(text[i]);
  }
  return word;
}

/// The number of bytes before the lowest mark; 8 if there is none.
inline std::size_t BytesBeforeMark(std::uint64_t marks) {
  return marks == 0 ? 8 : static_cast<std::size_t>(CountTrailingZeros(marks)) / 8;
}

/// Marks the first byte that is a blank or a control character.
inline std::uint64_t MarkBlank(std::uint64_t word) {
  return (word - kEachByte * (' ' + 1)) & ~word & kTopBits;
}

/// Marks the first byte that is no decimal digit.
inline std::uint64_t MarkNoDigit(std::uint64_t word) {
  return (word | (word + kEachByte * (0x7F - '9')) | (word - kEachByte * '0')) & kTopBits;
}

/// Marks the first byte that is `c`.
inline std::uint64_t MarkByte(std::uint64_t word, char c) {
  const std::uint64_t difference = word ^ (kEachByte * static_cast<unsigned char>(c));
  return (difference - kEachByte) & ~difference & kTopBits;
}

/// The number whose decimal digits, 0 to 9, are the bytes of `digits`: neighbours are joined in
/// pairs to numbers of two digits, these to numbers of four, these to the result.
inline std::uint64_t JoinDigits(std::uint64_t digits) {
  digits = (digits * (1 + (10U << 8U))) >> 8U;
  digits = ((digits & 0x00FF00FF00FF00FFU) * (1 + (100U << 16U))) >> 16U;
  return ((digits & 0x0000FFFF0000FFFFU) * (1 + (std::uint64_t{10000} << 32U))) >> 32U;
}

/// The value of the first `count` bytes of `text`, which must be decimal digits; 0 for none.
inline std::uint64_t DigitsToNumber(std::uint64_t text, std::size_t count) {
  const std::size_t half_shift = 4 * (8 - count);  // in two halves: a shift by 64 is undefined
  return JoinDigits((text << half_shift << half_shift) & (kEachByte * 0x0F));
}

}  // namespace rankforest::detail
