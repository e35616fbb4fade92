#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

#include "rankforest/detail/eight_bytes.hpp"

namespace rankforest::detail {

enum class NumberKind {
  kFinite,
  kMissing,   ///< nan or NULL, in any case
  kInfinite,  ///< inf, infinity, or digits beyond float64
  kMalformed,
};

struct Number {
  NumberKind kind = NumberKind::kMalformed;
  double value = 0.0;  ///< NaN if missing, infinite if infinite, 0 if malformed
};

/// 10^0 to 10^8, then their negatives: dividing by one of these also gives a number its sign, the
/// sign of zero included.
inline constexpr double kSignedPowersOfTen[2][9] = {
    {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8},
    {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7, -1e8}};

/// The number that the first `length` <= 8 bytes of `text` spell, if they are an optional minus
/// and digits with at most one point among them. Returns false, and leaves `value` alone, for
/// everything else.
///
/// Digits as a whole number below 2^53 and a power of ten up to 10^22 are exact, so the only
/// rounding is that of their division (Clinger, "How to Read Floating Point Numbers Accurately",
/// PLDI 1990). No branch depends on the sign or on where the point is.
inline bool ParseShortDecimal(std::uint64_t text, std::size_t length, double& value) {
  constexpr std::uint64_t kTopBit = std::uint64_t{1} << 63U;
  const std::size_t negative = (text & 0xFFU) == '-' ? 1 : 0;
  const std::size_t n_chars = length - negative;
  if (n_chars - 1 >= 8) return false;  // 0 wraps around
  const std::size_t shift = 64 - 8 * n_chars;
  const std::uint64_t chars = text >> (8 * negative) << shift;  // the last in the highest byte
  const std::uint64_t point = MarkByte(chars, '.');
  const std::uint64_t before = (point >> 7U) - 1;       // the bits of the bytes before the point
  const std::uint64_t after = ~(before << 8U | 0xFFU);  // and after it; all and none without one
  const std::size_t point_bits = point != 0 ? 8 : 0;
  const std::uint64_t digits = (chars & after) | ((chars & before) << point_bits);
  const std::uint64_t values = digits ^ (kEachByte * '0' << shift << point_bits);
  const bool all_digits = ((values | (values + kEachByte * 6)) & (kEachByte * 0xF0)) == 0;
  if (!all_digits || shift + point_bits == 64) return false;
  const auto n_after = 7 - static_cast<std::size_t>(CountTrailingZeros(after >> 1U | kTopBit)) / 8;
  value = static_cast<double>(JoinDigits(values)) / kSignedPowersOfTen[negative][n_after];
  return true;
}

/// Bytes that ParsePlainDecimal may read, from the start of its text on.
inline constexpr std::size_t kPlainDecimalReach = 18;

/// The decimal in [begin, end), if it is plain: an optional minus, at most eight digits, then
/// optionally a point and at most eight more. Returns false, and leaves `value` alone, for
/// everything else. kPlainDecimalReach bytes must be readable.
///
/// The digits as a whole number stay below 2^53, so that the only rounding is that of the
/// division by a power of ten, itself exact (Clinger, "How to Read Floating Point Numbers
/// Accurately", PLDI 1990).
inline bool ParsePlainDecimal(const char* begin, const char* end, double& value) {
  const bool negative = *begin == '-';
  const char* const before = begin + (negative ? 1 : 0);
  const std::uint64_t whole = LoadEight(before);
  const std::size_t n_whole = BytesBeforeMark(MarkNoDigit(whole));

  const bool point = before[n_whole] == '.';
  const char* const after = before + n_whole + (point ? 1 : 0);
  const std::uint64_t fraction = LoadEight(after);
  const std::size_t n_fraction = point ? BytesBeforeMark(MarkNoDigit(fraction)) : 0;
  if (after + n_fraction != end || n_whole + n_fraction == 0) return false;

  const double scale = kSignedPowersOfTen[0][n_fraction];
  const double digits = static_cast<double>(DigitsToNumber(whole, n_whole)) * scale +
                        static_cast<double>(DigitsToNumber(fraction, n_fraction));
  if (digits >= 0x1p53) return false;
  value = (negative ? -digits : digits) / scale;
  return true;
}

/// Whether the first non-zero digit of an unsigned decimal stands before the point once the
/// exponent is applied. Tells a number too large for float64 from one too small.
inline bool IsAboveOne(std::string_view text) {
  const std::size_t n_digits = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, n_digits);
  std::string_view exponent = text.substr(std::min(n_digits + 1, text.size()));
  const bool negative = !exponent.empty() && exponent[0] == '-';
  if (!exponent.empty() && (negative || exponent[0] == '+')) exponent.remove_prefix(1);
  constexpr std::int64_t kLargest = 1'000'000'000'000'000;  // no text has as many digits
  std::int64_t shift = 0;
  for (const char c : exponent) shift = std::min(shift * 10 + (c - '0'), kLargest);
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::int64_t>(digits.find_first_of("123456789"));
  return point - first + (negative ? -shift : shift) > 0;
}

inline bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
  });
}

/// The number that `text` spells from its first to its last byte: what strtod makes of it in the
/// C locale, except that hexadecimal is malformed and NULL is known. Numbers too small for
/// float64 are 0.
inline Number ReadNumber(std::string_view text) {
  if (EqualsIgnoringCase(text, "null")) {
    return {NumberKind::kMissing, std::numeric_limits<double>::quiet_NaN()};
  }
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  if (EqualsIgnoringCase(text, "nan")) {
    return {NumberKind::kMissing, std::numeric_limits<double>::quiet_NaN()};
  }
  const double infinity = std::numeric_limits<double>::infinity();
  const Number infinite = {NumberKind::kInfinite, negative ? -infinity : infinity};
  if (EqualsIgnoringCase(text, "inf") || EqualsIgnoringCase(text, "infinity")) return infinite;

  // from_chars would also take a second minus and names of its own.
  if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) return {};
  double magnitude = 0.0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, magnitude);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return {};
  if (result.ec == std::errc::result_out_of_range) {
    if (IsAboveOne(text)) return infinite;
    magnitude = 0.0;
  }
  return {NumberKind::kFinite, negative ? -magnitude : magnitude};
}

}  // namespace rankforest::detail
