#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/core/binning.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// A data set column by column, one byte a document: for growers whose nodes each draw some
/// features, and for the documents of a node that is split by one.
class BinnedColumns {
 public:
  using Column = BinnedColumn;

  BinnedColumns(const Dataset& data, Threads threads)
      : n_documents_(data.n_documents()), columns_(BinFeatures(data, threads)) {}

  [[nodiscard]] std::size_t n_documents() const { return n_documents_; }
  [[nodiscard]] std::size_t n_features() const { return columns_.size(); }
  [[nodiscard]] const BinnedColumn& column(FeatureId feature) const { return columns_[feature]; }

 private:
  std::size_t n_documents_;
  std::vector<BinnedColumn> columns_;
};

}  // namespace rankforest
