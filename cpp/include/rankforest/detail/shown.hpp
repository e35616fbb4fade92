#pragma once

#include <array>
#include <charconv>
#include <limits>
#include <string>

namespace rankforest::detail {

/// A number as messages show it: up to 17 digits, a point whatever the locale, "nan", "-inf".
inline std::string Shown(double value) {
  std::array<char, 32> text;
  const std::to_chars_result end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general,
                    std::numeric_limits<double>::max_digits10);
  return {text.data(), end.ptr};
}

}  // namespace rankforest::detail
