#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/split/drawing.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/node_column.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

/// Finds the best split of a node over the features that it draws.
///
/// @tparam Columns  Presorted or BinnedColumns
template <class Criterion, class Threshold, class Columns = Presorted>
class SplitSearch {
 public:
  using Stats = typename Criterion::Stats;
  using Target = typename Criterion::Target;

  /// Documents times features below which a second thread costs more than it brings.
  static constexpr std::size_t kParallelWork = 65536;

  SplitSearch(const Columns& columns, Threads threads, Threshold threshold,
              std::size_t features_per_node)
      : columns_(columns),
        threads_(threads),
        threshold_(threshold),
        features_per_node_(features_per_node) {}

  /// @param node      its documents
  /// @param parent    their statistics
  /// @param node_rng  the node's own stream
  [[nodiscard]] Split<Stats> Best(const typename Criterion::Scaled& criterion,
                                  const NodeRows<Target>& node, const Stats& parent,
                                  const SplitRules& rules, const Rng& node_rng) {
    DrawFeatures(rules, features_per_node_, columns_.n_features(), node_rng, drawn_);
    const bool is_small = node.size() * drawn_.size() < kParallelWork;
    const Threads threads = is_small ? Threads{1, threads_.checkpoint} : threads_;
    workers_.resize(std::max(workers_.size(), WorkerCount(threads, drawn_.size())));
    for (Worker& worker : workers_) worker.best = {};
    ParallelFor(threads, drawn_.size(), [&](std::size_t i, std::size_t w) {
      const typename Columns::Column& column = columns_.column(drawn_[i]);
      if (column.is_constant()) return;
      NodeColumn<Criterion, typename Columns::Column> of_node(column, node, workers_[w].scratch);
      rules.worth.FindIn(drawn_[i], rules.min_gain, workers_[w].best, [&](Split<Stats>& found) {
        threshold_.Find(criterion, of_node, drawn_[i], parent, rules, node_rng, found);
      });
    });
    Split<Stats> best;
    for (const Worker& worker : workers_) {
      if (IsBetter(worker.best, best)) best = worker.best;
    }
    return best;
  }

 private:
  struct Worker {
    ColumnScratch<Stats> scratch;
    Split<Stats> best;
  };

  const Columns& columns_;
  Threads threads_;
  Threshold threshold_;
  std::size_t features_per_node_;
  std::vector<FeatureId> drawn_;
  std::vector<Worker> workers_;
};

}  // namespace rankforest
