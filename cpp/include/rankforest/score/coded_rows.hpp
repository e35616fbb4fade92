#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/score/rank_codes.hpp"

namespace rankforest::detail {

/// The codes of a document, one for each column.
struct CodedRow {
  const std::int8_t* codes;
  const std::int8_t* nans;  ///< null where no value is NaN
};

/// The codes of documents, one document after the other. Allocates only what earlier calls have
/// not.
class CodedRows {
 public:
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  const CodedRow& operator[](std::size_t row) const { return rows_[row]; }

  /// Encodes documents; what were there before are gone.
  ///
  /// @param row_of  std::size_t -> const float*: the features of the i-th row
  template <class RowOf>
  void Encode(const RankCodes& encoder, std::size_t n_rows, const RowOf& row_of) {
    stride_ = std::max<std::size_t>(encoder.n_columns(), 1);  // a walk looks at column 0 always
    if (codes_.size() < n_rows * stride_) {
      codes_.resize(n_rows * stride_);
      nans_.resize(n_rows * stride_);
    }
    rows_.clear();
    for (std::size_t i = 0; i < n_rows; ++i) {
      const bool has_nan = encoder.EncodeRow(row_of(i), Codes(i), Nans(i));
      rows_.push_back({Codes(i), has_nan ? Nans(i) : nullptr});
    }
  }

  /// Moves the documents at some places, which are ascending, to 0, 1, 2, ...; the others go.
  void Keep(Span<const std::size_t> places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const CodedRow from = rows_[places[i]];
      assert(places[i] >= i);
      if (places[i] == i) continue;
      std::copy(from.codes, from.codes + stride_, Codes(i));
      if (from.nans != nullptr) std::copy(from.nans, from.nans + stride_, Nans(i));
      rows_[i] = {Codes(i), from.nans != nullptr ? Nans(i) : nullptr};
    }
    rows_.resize(places.size());
  }

 private:
  std::int8_t* Codes(std::size_t row) { return codes_.data() + row * stride_; }
  std::int8_t* Nans(std::size_t row) { return nans_.data() + row * stride_; }

  std::size_t stride_ = 1;
  std::vector<std::int8_t> codes_;  // by row and column
  std::vector<std::int8_t> nans_;   // likewise; written only where a row has any
  std::vector<CodedRow> rows_;
};

}  // namespace rankforest::detail
