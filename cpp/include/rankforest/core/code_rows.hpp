#pragma once

#include <cstddef>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/detail/uninitialized.hpp"

namespace rankforest {

/// Binned columns document by document, one byte a value: for small nodes, whose documents lie far
/// apart in a column.
class CodeRows {
 public:
  CodeRows(const BinnedColumns& columns, Threads threads)
      : n_features_(columns.n_features()), codes_(columns.n_documents() * n_features_) {
    constexpr double kSecondsPerValue = 1e-9;
    threads = ForLoopOf(threads, codes_.size(), kSecondsPerValue);
    ParallelChunks(threads, columns.n_documents(), kDocumentsPerTask,
                   [&](std::size_t begin, std::size_t end) { Fill(columns, begin, end); });
  }

  [[nodiscard]] std::size_t n_features() const { return n_features_; }

  /// The codes of a document, by feature.
  [[nodiscard]] const Bin* operator[](RowId document) const {
    return codes_.data() + document * n_features_;
  }

  /// Asks for the codes of a document that is read soon.
  void Prefetch(RowId document) const {
    const Bin* const codes = (*this)[document];
    for (std::size_t f = 0; f < n_features_; f += kCacheLine) detail::Prefetch(codes + f);
  }

 private:
  static constexpr std::size_t kCacheLine = 64;
  static constexpr std::size_t kDocumentsPerTask = 256;  // stay in the cache from column to column

  void Fill(const BinnedColumns& columns, std::size_t begin, std::size_t end) {
    for (FeatureId f = 0; f < n_features_; ++f) {
      const Bin* const column = columns.column(f).codes.data();
      for (std::size_t i = begin; i < end; ++i) codes_[i * n_features_ + f] = column[i];
    }
  }

  std::size_t n_features_;
  detail::UninitializedVector<Bin> codes_;
};

}  // namespace rankforest
