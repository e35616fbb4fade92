#pragma once

#include <limits>
#include <locale>
#include <sstream>
#include <string>

namespace rankforest::detail {

/// A number as messages show it: up to 17 digits, a point whatever the locale, "nan", "-inf".
inline std::string Shown(double value) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(std::numeric_limits<double>::max_digits10);
  text << value;
  return text.str();
}

}  // namespace rankforest::detail
