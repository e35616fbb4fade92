#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rankforest/detail/eight_bytes.hpp"
#include "rankforest/io/letor_data.hpp"

namespace rankforest::detail {

/// How a feature usually starts: a space, its index and a colon.
struct IndexText {
  std::uint64_t text = 0;  ///< eight bytes, 0 behind the colon
  std::uint64_t mask = 0;  ///< of the bytes that count
  std::size_t length = 0;

  /// Whether it stands at `p`, where eight bytes must be readable.
  [[nodiscard]] bool StandsAt(const char* p) const { return (LoadEight(p) & mask) == text; }
};

/// For an index of at most six digits.
inline IndexText MakeIndexText(std::uint64_t index) {
  const std::string text = " " + std::to_string(index) + ":";
  constexpr std::size_t kMost = sizeof(std::uint64_t);
  assert(text.size() <= kMost);
  char padded[kMost] = {};
  text.copy(padded, text.size());
  return {LoadEight(padded), ~std::uint64_t{0} >> (64 - 8 * text.size()), text.size()};
}

/// How text maps to the matrix: what the meaning of a line depends on.
struct LetorLayout {
  std::size_t n_columns = 0;
  std::uint64_t first_index = 1;  ///< of the first column, 0 or 1
  bool may_have_zero = false;     ///< whether index 0 is a finding, not an error
  bool has_qid = true;
  std::uint64_t end_index = 0;         ///< one more than the largest index that is no error
  std::string end_reason;              ///< for messages
  std::vector<IndexText> index_texts;  ///< of the first columns
};

/// Which indices text has, as far as the layout depends on it.
struct LetorIndices {
  std::uint64_t end = 0;  ///< one more than the largest; at most 1 without features
  bool has_zero = false;
};

/// One more than the largest index that is taken for meant in text of `n_bytes` with
/// `n_documents`, unless the caller gives the number of features. Among the first 2^20 columns,
/// the matrix may take 64 times the memory of the text, or 4 GiB: so much for sparse text, while
/// a mistyped index is an error instead of an attempt at a matrix of a terabyte.
inline std::uint64_t IndexLimit(std::size_t n_documents, std::size_t n_bytes) {
  constexpr std::uint64_t kMostColumns = std::uint64_t{1} << 20U;
  constexpr std::uint64_t kLeastBytes = std::uint64_t{4} << 30U;
  const std::uint64_t bytes = std::max<std::uint64_t>(kLeastBytes, 64 * std::uint64_t{n_bytes});
  const std::uint64_t row_bytes = bytes / std::max<std::size_t>(n_documents, 1);
  return std::min<std::uint64_t>(kMostColumns, row_bytes / sizeof(float)) + 1;
}

/// The layout of text whose indices are as `indices` says.
inline LetorLayout MakeLayout(const LetorOptions& options, LetorIndices indices, bool has_qid,
                              std::size_t n_documents, std::size_t n_bytes) {
  LetorLayout layout;
  const bool zero_based = options.zero_based == ZeroBased::kYes ||
                          (options.zero_based == ZeroBased::kAuto && indices.has_zero);
  layout.first_index = zero_based ? 0 : 1;
  layout.may_have_zero = options.zero_based == ZeroBased::kAuto;
  layout.has_qid = has_qid;
  if (options.n_features > 0) {
    layout.n_columns = options.n_features;
    layout.end_index = options.n_features + layout.first_index;
    layout.end_reason = "n_features=" + std::to_string(options.n_features);
  } else {
    layout.end_index = IndexLimit(n_documents, n_bytes);
    layout.end_reason = "a larger one makes a matrix of " + std::to_string(n_documents) +
                        " rows too large to be meant, unless n_features says so";
    const std::uint64_t end = std::min(indices.end, layout.end_index);
    layout.n_columns = static_cast<std::size_t>(end - std::min(end, layout.first_index));
  }
  constexpr std::size_t kMostTexts = 4096;  // enough for ranking; sparse text does not use them
  for (std::size_t column = 0; column < std::min(layout.n_columns, kMostTexts); ++column) {
    layout.index_texts.push_back(MakeIndexText(column + layout.first_index));
  }
  return layout;
}

/// Whether both put the same text into the same places.
inline bool operator==(const LetorLayout& a, const LetorLayout& b) {
  return a.n_columns == b.n_columns && a.first_index == b.first_index;
}

}  // namespace rankforest::detail
