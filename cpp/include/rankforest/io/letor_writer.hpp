#pragma once

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/atomic_file.hpp"
#include "rankforest/detail/quoted.hpp"
#include "rankforest/io/letor_line.hpp"

namespace rankforest {

/// Documents to write as LETOR text, borrowed.
struct LetorTable {
  FeatureMatrix features;
  Span<const double> grades;
  Span<const QueryId> query_codes;  ///< of each row, into query_ids
  Span<const std::string> query_ids;
  Span<const std::string> comments;  ///< of each row, "" for none; or empty
  bool zero_based = false;           ///< whether the first column has index 0
};

namespace detail {

/// Appends the shortest decimal that to_chars finds for `value`.
template <class Real>
void AppendReal(Real value, std::string& text) {
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, value);
  assert(result.ec == std::errc());
  text.append(digits, result.ptr);
}

/// Appends a decimal that reads as `value` again, by way of float64. The shortest one does for
/// every float32 but one and its negative (all 2^32 were tried): 7.038531e-26 is so close to the
/// middle between two that rounding twice ends at the wrong one.
inline void AppendFeature(float value, std::string& text) {
  constexpr float kRoundsTwice = 0x1.5c87fap-84F;
  if (std::isnan(value)) {
    text.append("nan");
  } else if (std::abs(value) == kRoundsTwice) {
    AppendReal(double{value}, text);
  } else {
    AppendReal(value, text);
  }
}

inline bool IsWritableId(std::string_view id) {
  return !id.empty() && id.find('#') == std::string_view::npos &&
         std::none_of(id.begin(), id.end(), EndsToken);
}

/// Whether reading keeps a comment as it is.
inline bool IsWritableComment(std::string_view comment) {
  return comment.find('\n') == std::string_view::npos &&
         comment.find('\0') == std::string_view::npos &&
         (comment.empty() || !(IsBlank(comment.front()) || IsBlank(comment.back())));
}

inline void CheckSizes(const LetorTable& table) {
  const std::size_t n_rows = table.features.n_rows;
  const auto check = [n_rows](const char* name, std::size_t size) {
    if (size != n_rows) {
      throw std::invalid_argument(std::string(name) + " has " + std::to_string(size) +
                                  " values, expected one for each of " + std::to_string(n_rows) +
                                  " rows");
    }
  };
  check("grades", table.grades.size());
  check("query_codes", table.query_codes.size());
  if (!table.comments.empty()) check("comments", table.comments.size());
  for (const QueryId code : table.query_codes) {
    if (code >= table.query_ids.size()) {
      throw std::invalid_argument("query code " + std::to_string(code) + ": there are " +
                                  std::to_string(table.query_ids.size()) + " query ids");
    }
  }
}

inline void CheckTexts(const LetorTable& table) {
  for (const std::string& id : table.query_ids) {
    if (!IsWritableId(id)) {
      throw std::invalid_argument("query id " + Quoted(id) +
                                  " cannot be written: expected one or more characters, none of "
                                  "them a blank, a control character or '#'");
    }
  }
  for (std::size_t row = 0; row < table.comments.size(); ++row) {
    if (!IsWritableComment(table.comments[row])) {
      throw std::invalid_argument("comment " + Quoted(table.comments[row]) + " of row " +
                                  std::to_string(row) +
                                  " cannot be written: expected no line break, no NUL and no "
                                  "blank at its start or end");
    }
  }
}

inline void AppendLine(const LetorTable& table, std::size_t row, std::string& text) {
  const double grade = table.grades[row];
  if (!(grade >= 0.0) || std::isinf(grade)) {
    throw std::invalid_argument("grade " + std::to_string(grade) + " of row " +
                                std::to_string(row) + ": expected a finite number >= 0");
  }
  AppendReal(grade, text);
  text.append(" qid:").append(table.query_ids[table.query_codes[row]]);
  const float* const features = table.features.Row(row);
  for (std::size_t column = 0; column < table.features.n_features; ++column) {
    text.append(" ").append(std::to_string(column + (table.zero_based ? 0 : 1))).append(":");
    if (std::isinf(features[column])) {
      throw std::invalid_argument("feature " + std::to_string(column) + " of row " +
                                  std::to_string(row) +
                                  " is infinite: expected a finite number or NaN");
    }
    AppendFeature(features[column], text);
  }
  if (!table.comments.empty() && !table.comments[row].empty()) {
    text.append(" #").append(table.comments[row]);
  }
  text.append("\n");
}

}  // namespace detail

/// Writes documents as LETOR text that reads back to the same bits; every feature is written,
/// zeros too. The file appears under its name when it is complete (see detail/atomic_file.hpp).
///
/// Throws std::invalid_argument, counting rows and columns from 0, for what text cannot say:
/// infinite features, grades out of range, ids with blanks, comments with line breaks.
inline void WriteLetor(const std::filesystem::path& path, const LetorTable& table,
                       Threads threads = {}) {
  constexpr std::size_t kBlockRows = 128;
  constexpr std::size_t kBlocks = 32;  // formatted at a time
  detail::CheckSizes(table);
  detail::CheckTexts(table);
  const std::size_t n_rows = table.features.n_rows;
  detail::AtomicFile file(path);
  std::vector<std::string> blocks(kBlocks);
  for (std::size_t first = 0; first < n_rows; first += kBlocks * kBlockRows) {
    ParallelFor(threads, kBlocks, [&](std::size_t block) {
      blocks[block].clear();
      const std::size_t begin = std::min(n_rows, first + block * kBlockRows);
      const std::size_t end = std::min(n_rows, begin + kBlockRows);
      for (std::size_t row = begin; row < end; ++row) detail::AppendLine(table, row, blocks[block]);
    });
    for (const std::string& block : blocks) file.Write(block);
  }
  file.Commit();
}

}  // namespace rankforest
