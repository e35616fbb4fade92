#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/tree/tree_on_codes.hpp"

namespace rankforest {

/// The scores of a watched data set, to which boosting adds step after step. Where there are many
/// steps to come, the data set is put into bins first, one byte a value, which trees pass many
/// times as fast. The scores are the same.
class WatchedScores {
 public:
  /// @param data     must outlive this
  /// @param scores   at the start
  /// @param n_steps  that are expected
  WatchedScores(const Dataset& data, Threads threads, std::vector<double> scores,
                std::size_t n_steps)
      : data_(data), threads_(threads), scores_(std::move(scores)) {
    if (PaysToBin(data, n_steps)) columns_ = std::make_shared<const BinnedColumns>(data, threads);
  }

  /// Of the same data set as `other`, whose bins are shared.
  WatchedScores(const WatchedScores& other, std::vector<double> scores)
      : data_(other.data_),
        threads_(other.threads_),
        scores_(std::move(scores)),
        columns_(other.columns_) {}

  [[nodiscard]] Span<const double> values() const { return scores_; }

  void Add(const Member& step) {
    if (columns_ == nullptr) return AddGroups(step, data_, threads_, scores_);
    for (const Group& group : step.groups) {
      for (const Tree& tree : group.trees) {
        TreeOnCodes<BinnedColumn>(tree, *columns_)
            .AddTo(group.TreeWeight(), data_, threads_, scores_);
      }
    }
  }

  /// Scores of a model whose earlier steps changed, too.
  void Set(std::vector<double> scores) { scores_ = std::move(scores); }

  /// Binning takes about as long as two trees for each feature take by values.
  static bool PaysToBin(const Dataset& data, std::size_t n_steps) {
    constexpr std::size_t kFewestDocuments = 1000;
    constexpr std::size_t kFewestSteps = 20;
    return data.n_documents() >= kFewestDocuments && n_steps >= kFewestSteps &&
           n_steps >= data.n_features() / 2;
  }

 private:
  const Dataset& data_;
  Threads threads_;
  std::vector<double> scores_;
  std::shared_ptr<const BinnedColumns> columns_;
};

}  // namespace rankforest
