#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "rankforest/detail/eight_bytes.hpp"
#include "rankforest/detail/parse_number.hpp"
#include "rankforest/io/letor_line.hpp"

namespace rankforest::detail {

static_assert(kLineReach >= kPlainDecimalReach);

/// Reads the grade at `p` and moves `p` behind it.
inline double ParseGrade(const LetorLine& line, const char*& p) {
  const char* const begin = p;
  const std::string_view text = line.Token(begin);
  const Number number = ReadNumber(text);
  if (number.kind != NumberKind::kFinite || number.value < 0.0) {
    line.Fail(begin, "expected a grade: a finite number >= 0");
  }
  p += text.size();
  return number.value;
}

/// Reads the value at `p`, if it is spelled in a rare way, and moves `p` behind it.
inline float ParseRareValue(const LetorLine& line, const char*& p) {
  const char* const begin = p;
  const std::string_view text = line.Token(begin);
  const Number number = ReadNumber(text);
  p += text.size();
  if (number.kind == NumberKind::kMissing) return std::numeric_limits<float>::quiet_NaN();
  if (text.empty()) line.Fail(begin, "expected a number right after the colon");
  if (number.kind == NumberKind::kMalformed) line.Fail(begin, "expected a number");
  const float value = static_cast<float>(number.value);
  if (std::isfinite(value)) return value;
  line.Fail(begin, "expected a finite number within float32, up to 3.4028235e38");
}

/// Reads the value at `p` and moves `p` behind it.
inline float ParseValue(const LetorLine& line, const char*& p) {
  const std::uint64_t eight = LoadEight(p);
  const std::size_t length = BytesBeforeMark(MarkBlank(eight));
  double value = 0.0;
  if (EndsToken(p[length]) && ParseShortDecimal(eight, length, value)) {
    p += length;
    return static_cast<float>(value);
  }
  const char* const end = EndOfToken(p);
  if (ParsePlainDecimal(p, end, value)) {
    p = end;
    return static_cast<float>(value);
  }
  return ParseRareValue(line, p);
}

}  // namespace rankforest::detail
