#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "rankforest/detail/parse_number.hpp"
#include "rankforest/detail/quoted.hpp"

namespace rankforest::detail {

// LightGBM's text model as lines: blocks of key=value lines, and of keys alone, each ended by an
// empty line. What is wrong is said with the number of its line, from 1 on.

[[noreturn]] inline void WrongLine(std::size_t number, const std::string& problem) {
  throw std::invalid_argument("line " + std::to_string(number) + ": " + problem);
}

/// One line of a text.
struct TextLine {
  std::string_view text;   ///< without its end
  std::size_t number = 0;  ///< from 1 on

  [[nodiscard]] std::string_view key() const { return text.substr(0, text.find('=')); }
  [[nodiscard]] std::string_view value() const {
    const std::size_t equals = text.find('=');
    return equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  }
};

/// The lines of a text, one after the other.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] std::size_t line_number() const { return number_; }  ///< of the last line read

  /// The next line; there must be one.
  TextLine Next() {
    const std::size_t size = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, size);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    rest_.remove_prefix(std::min(size + 1, rest_.size()));
    return {line, ++number_};
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Calls visit(word) for each word of a text between spaces.
template <class Visit>
void ForEachWord(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const std::size_t size = std::min(text.find(' '), text.size());
    if (size > 0) visit(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
}

/// What is wrong with a word of a line.
[[noreturn]] inline void WrongWord(const TextLine& line, std::string_view word,
                                   const std::string& expected) {
  WrongLine(line.number,
            std::string(line.key()) + ": found " + Quoted(word) + ", expected " + expected);
}

/// A number, which may be infinite or beyond float64.
inline double ReadNoNan(const TextLine& line, std::string_view word) {
  const Number number = ReadNumber(word);
  const bool known = number.kind == NumberKind::kFinite || number.kind == NumberKind::kInfinite;
  if (!known) WrongWord(line, word, "a number");
  return number.value;
}

/// The float32 nearest to a number that float32 can hold.
inline float ReadFloat(const TextLine& line, std::string_view word) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  const double value = ReadNoNan(line, word);
  if (std::abs(value) > kLargest) WrongWord(line, word, "a number that float32 can hold");
  return static_cast<float>(value);
}

inline std::int64_t ReadWhole(const TextLine& line, std::string_view word, std::int64_t low,
                              std::int64_t high) {
  std::int64_t value = 0;
  const char* const end = word.data() + word.size();
  const std::from_chars_result result = std::from_chars(word.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end || value < low || value > high) {
    WrongWord(line, word,
              "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

/// A block of key=value lines.
class KeyedLines {
 public:
  /// Reads up to the next empty line, or to the end.
  ///
  /// @param name  what messages call the block, such as "tree 3"
  KeyedLines(std::string name, LineReader& in)
      : name_(std::move(name)), first_line_(in.line_number() + 1) {
    while (!in.at_end()) {
      const TextLine line = in.Next();
      if (line.text.empty()) break;
      if (!lines_.emplace(line.key(), line).second) {
        WrongLine(line.number, name_ + " has a second line " + Quoted(line.key()));
      }
    }
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool Has(std::string_view key) const { return Find(key) != nullptr; }

  [[nodiscard]] const TextLine& Get(std::string_view key) const {
    const TextLine* line = Find(key);
    if (line == nullptr) WrongLine(first_line_, name_ + " has no line " + Quoted(key));
    return *line;
  }

  /// The whole number of a key, from `low` to `high`.
  [[nodiscard]] std::int64_t Whole(std::string_view key, std::int64_t low,
                                   std::int64_t high) const {
    const TextLine& line = Get(key);
    return ReadWhole(line, line.value(), low, high);
  }

  /// `count` whole numbers.
  [[nodiscard]] std::vector<std::int64_t> Wholes(std::string_view key, std::size_t count,
                                                 std::int64_t low, std::int64_t high) const {
    return Values<std::int64_t>(key, count, [&](const TextLine& line, std::string_view word) {
      return ReadWhole(line, word, low, high);
    });
  }

  /// `count` numbers, which may be infinite.
  [[nodiscard]] std::vector<double> Numbers(std::string_view key, std::size_t count) const {
    return Values<double>(key, count, &ReadNoNan);
  }

  /// The float32 nearest to each of `count` numbers that float32 can hold.
  [[nodiscard]] std::vector<float> Floats(std::string_view key, std::size_t count) const {
    return Values<float>(key, count, &ReadFloat);
  }

 private:
  [[nodiscard]] const TextLine* Find(std::string_view key) const {
    const auto found = lines_.find(key);
    return found == lines_.end() ? nullptr : &found->second;
  }

  /// The values of a key, which must be `count`; memory is taken for those that are there.
  template <class T, class Read>
  [[nodiscard]] std::vector<T> Values(std::string_view key, std::size_t count,
                                      const Read& read) const {
    const TextLine& line = Get(key);
    std::vector<T> values;
    ForEachWord(line.value(), [&](std::string_view word) { values.push_back(read(line, word)); });
    if (values.size() != count) {
      WrongLine(line.number, std::string(key) + " has " + std::to_string(values.size()) +
                                 " values, expected " + std::to_string(count) + " in " + name_);
    }
    return values;
  }

  std::string name_;
  std::size_t first_line_;
  std::map<std::string_view, TextLine> lines_;  // by their key
};

}  // namespace rankforest::detail
