#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace rankforest::detail {

// Small tools for reading and writing the spelling of a metric, independent of the locale.

inline std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// The trimmed pieces between separators; one piece where there is no separator.
inline std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(Trim(text.substr(0, end)));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

/// A decimal number that is the whole of `text`; nothing for anything else.
inline std::optional<double> ParseNumber(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) {
    return std::nullopt;
  }
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  in.exceptions(std::istringstream::badbit);  // else it keeps to itself that memory ended
  double value = 0.0;
  if (!(in >> value) || in.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
  return value;
}

/// A whole number, of digits alone, that is the whole of `text`; the largest std::size_t for
/// what is beyond it.
inline std::optional<std::size_t> ParseCount(std::string_view text) {
  if (text.empty()) return std::nullopt;
  constexpr std::size_t kLargest = std::numeric_limits<std::size_t>::max();
  std::size_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value > (kLargest - 9) / 10 ? kLargest : value * 10 + static_cast<std::size_t>(c - '0');
  }
  return value;
}

/// The shortest decimal spelling with at most 17 digits that reads back as `value`.
inline std::string NumberToString(double value) {
  if (std::abs(value) < 1e15 && std::trunc(value) == value) {
    return std::to_string(static_cast<long long>(value));
  }
  for (int digits = 1;; ++digits) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.exceptions(std::ostringstream::badbit);
    out.precision(digits);
    out << value;
    if (digits == std::numeric_limits<double>::max_digits10 || ParseNumber(out.str()) == value) {
      return out.str();
    }
  }
}

}  // namespace rankforest::detail
