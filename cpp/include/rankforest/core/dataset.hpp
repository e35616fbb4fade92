#pragma once
// API sketch: the constructor and canonical order are to be written.

#include <cstddef>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// A borrowed row-major float32 matrix.
struct FeatureMatrix {
  const float* data = nullptr;
  std::size_t n_rows = 0;
  std::size_t n_features = 0;
  std::size_t row_stride = 0;  ///< elements from one row to the next, >= n_features

  [[nodiscard]] const float* Row(std::size_t row) const { return data + row * row_stride; }
};

class Dataset {
 public:
  Dataset(FeatureMatrix features, Span<const double> grades, Span<const QueryId> query_of_row,
          Span<const double> weights, Threads threads);

  [[nodiscard]] std::size_t n_documents() const;
  [[nodiscard]] std::size_t n_queries() const;
  [[nodiscard]] std::size_t n_features() const;
  [[nodiscard]] Span<const RowId> order() const;      // canonical position -> caller's row
  [[nodiscard]] Span<const RowId> offsets() const;    // canonical; n_queries + 1
  [[nodiscard]] Span<const double> grades() const;    // canonical
  [[nodiscard]] Span<const double> weights() const;   // canonical; empty = all 1
  [[nodiscard]] Span<const QueryId> query_codes() const;  // canonical query -> caller's code
  [[nodiscard]] const float* Features(RowId document) const;  // of a canonical position
};

}  // namespace rankforest
