#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/binning.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"

namespace rankforest {

/// What a training run reads: the data, how many threads it may use, and the layouts of the data
/// that its growers ask for. Each is made when it is first asked for, with all threads, and
/// shared by all copies of the training set: by the trees of a forest, the rounds of boosting, and
/// bags.
class TrainingSet {
 public:
  /// @param data  must outlive the training set
  TrainingSet(const Dataset& dataset, Threads n_threads)
      : data(dataset), threads(n_threads), layouts_(std::make_shared<Layouts>()) {}

  const Dataset& data;
  Threads threads;

  [[nodiscard]] const Presorted& presorted() const {
    std::call_once(layouts_->presorted_once,
                   [this] { layouts_->presorted.emplace(data, threads); });
    return *layouts_->presorted;
  }
  [[nodiscard]] const BinnedRows& binned_rows() const {
    std::call_once(layouts_->binned_rows_once, [this] {
      layouts_->binned_rows.emplace(data, BinFeatures(data, threads), threads);
    });
    return *layouts_->binned_rows;
  }
  [[nodiscard]] const BinnedColumns& binned_columns() const {
    std::call_once(layouts_->binned_columns_once, [this] {
      layouts_->binned_columns.emplace(data, BinFeatures(data, threads), threads);
    });
    return *layouts_->binned_columns;
  }

 private:
  struct Layouts {
    std::once_flag presorted_once;
    std::optional<Presorted> presorted;
    std::once_flag binned_rows_once;
    std::optional<BinnedRows> binned_rows;
    std::once_flag binned_columns_once;
    std::optional<BinnedColumns> binned_columns;
  };

  std::shared_ptr<Layouts> layouts_;
};

}  // namespace rankforest
