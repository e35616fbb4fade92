#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rankforest/io/letor_layout.hpp"
#include "rankforest/io/letor_line.hpp"
#include "rankforest/io/letor_numbers.hpp"

namespace rankforest::detail {

/// Parses the features of lines, one line after the other.
class LetorFeatureParser {
 public:
  LetorFeatureParser(const LetorLayout& layout, float absent) : layout_(layout), absent_(absent) {}

  /// Fills `row` from the text that starts at `begin`, behind the query. Returns the end of the
  /// line, or where its comment starts.
  const char* Parse(const LetorLine& line, const char* const begin, float* row) {
    std::fill_n(row, layout_.n_columns, absent_);
    std::uint64_t next = layout_.first_index;  // indices from here on are new in this line
    for (const char* p = begin;;) {
      p = ParseInOrder(line, p, next, row);
      p = SkipBlanks(p, line.end);
      if (p == line.end || *p == '#') return p;
      const char* const feature = p;
      const std::uint64_t index = ParseIndex(line, p);
      if (index < next) {
        CheckNew(line, begin, feature, index, next);
      } else {
        next = index + 1;
      }
      indices_.end = std::max(indices_.end, index + 1);
      const float value = ParseValue(line, p);
      // False for an index beyond the columns that were guessed, and for index 0 (whose column
      // wraps around) where it was taken for absent: the reader starts again after either.
      const std::uint64_t column = index - layout_.first_index;
      if (column < layout_.n_columns) row[column] = value;
    }
  }

  [[nodiscard]] LetorIndices indices() const { return indices_; }

 private:
  /// The `next` of a line whose indices do not ascend: any index may have been there.
  static constexpr std::uint64_t kAnyIndex = std::numeric_limits<std::uint64_t>::max();

  /// Reads features at `p` as long as they are written " NEXT:VALUE", which is most text in full.
  const char* ParseInOrder(const LetorLine& line, const char* p, std::uint64_t& next, float* row) {
    const std::size_t n_texts = layout_.index_texts.size();
    const IndexText* const texts = layout_.index_texts.data();
    const std::uint64_t first = next - layout_.first_index;
    std::uint64_t column = first;
    for (; column < n_texts && texts[column].StandsAt(p); ++column) {
      p += texts[column].length;
      row[column] = ParseValue(line, p);
    }
    if (column != first) {
      if (next == 0) indices_.has_zero = true;
      next = column + layout_.first_index;
      indices_.end = std::max(indices_.end, next);
    }
    return p;
  }

  /// Reads "INDEX:" at `p` and moves `p` behind it.
  std::uint64_t ParseIndex(const LetorLine& line, const char*& p) {
    constexpr std::ptrdiff_t kMostDigits = 18;  // fewer than overflow, more than any limit
    const char* const begin = p;
    std::uint64_t index = 0;
    for (; *p >= '0' && *p <= '9'; ++p) index = 10 * index + static_cast<std::uint64_t>(*p - '0');
    if (*p != ':' || p == begin) FailIndex(line, begin);
    if (index >= layout_.end_index || p - begin > kMostDigits) {
      line.Fail(begin, "expected an index <= " + std::to_string(layout_.end_index - 1) + " (" +
                           layout_.end_reason + ")");
    }
    if (index < layout_.first_index && !layout_.may_have_zero) {
      line.Fail(begin, "expected an index >= 1 (zero_based is for indices that start at 0)");
    }
    if (index == 0) indices_.has_zero = true;
    ++p;
    return index;
  }

  [[noreturn]] void FailIndex(const LetorLine& line, const char* p) const {
    const std::string_view token = line.Token(p);
    if (!layout_.has_qid && token.substr(0, 4) == "qid:") {
      line.Fail(p, "expected INDEX:VALUE, since the first document has no qid");
    }
    if (token.substr(0, 1) == "-" && token.find(':') != std::string_view::npos) {
      line.Fail(p, "expected an index >= " + std::to_string(layout_.first_index));
    }
    line.Fail(p, "expected INDEX:VALUE");
  }

  /// Checks that the index of `feature` is new in its line, though it does not ascend. The first
  /// time in a line, it takes down the indices before it.
  void CheckNew(const LetorLine& line, const char* features, const char* feature,
                std::uint64_t index, std::uint64_t& next) {
    if (next != kAnyIndex) {
      next = kAnyIndex;
      ++unsorted_line_;
      const char* p = SkipBlanks(features, feature);
      for (; p != feature; p = SkipBlanks(p, feature)) {
        LastLine(ParseIndex(line, p)) = unsorted_line_;
        p += line.Token(p).size();
      }
    }
    if (LastLine(index) == unsorted_line_) line.Fail(feature, "expected each index once on a line");
    LastLine(index) = unsorted_line_;
  }

  /// The last unsorted line that had an index.
  std::size_t& LastLine(std::uint64_t index) {
    constexpr std::uint64_t kListed = std::uint64_t{1} << 20U;
    if (index >= kListed) return last_lines_beyond_[index];  // of memory for those that occur
    if (index >= last_lines_.size()) last_lines_.resize(static_cast<std::size_t>(index) + 1, 0);
    return last_lines_[static_cast<std::size_t>(index)];
  }

  const LetorLayout& layout_;
  const float absent_;
  LetorIndices indices_;
  std::size_t unsorted_line_ = 0;  ///< the current unsorted line, counted from 1
  std::vector<std::size_t> last_lines_;
  std::unordered_map<std::uint64_t, std::size_t> last_lines_beyond_;
};

}  // namespace rankforest::detail
