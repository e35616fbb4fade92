#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/code_side.hpp"
#include "rankforest/split/drawing.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/histogram_pool.hpp"
#include "rankforest/tree/level_histograms.hpp"
#include "rankforest/tree/partition.hpp"

namespace rankforest {

/// Searches the questions of oblivious trees (see level_gains.hpp) between bins.
class LevelEngine {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  static constexpr bool kSearchesLevels = true;

  /// @param features_per_level  that each level draws
  LevelEngine(const TrainingSet& training, std::size_t features_per_level,
              std::size_t most_bytes = HistogramPool::kMostBytes)
      : columns_(training.binned_columns()),
        features_per_level_(features_per_level),
        histograms_(training.binned_rows(), training.threads, most_bytes) {}

  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    rules_ = rules;
    histograms_.Begin(criterion, rules);
  }

  /// The best question for the nodes of a level, from left to right; its gain is the level's. A
  /// feature is paid once for the level.
  ///
  /// @param level_rng  the level's own stream
  /// @param is_last    whether the tree has no level below
  [[nodiscard]] Split<Stats> SearchLevel(const Partition<Target>& partition,
                                         const GrowingTree<Stats>& tree,
                                         Span<const std::uint32_t> nodes, const Rng& level_rng,
                                         bool is_last) {
    DrawFeatures(rules_.At(tree[nodes[0]].allowed), features_per_level_, columns_.n_features(),
                 level_rng, drawn_);
    histograms_.Sum(partition, tree, nodes, drawn_, is_last);
    Split<Stats> best;
    for (const FeatureId feature : drawn_) {
      rules_.worth.Offer(histograms_.Best(feature), rules_.min_gain, best);
    }
    return best;
  }

  /// Which side of a question a document is on.
  [[nodiscard]] CodeSide<BinnedColumn> SideOf(const Split<Stats>& question) const {
    return CodeSideOf(columns_, question);
  }

 private:
  const BinnedColumns& columns_;
  std::size_t features_per_level_;
  LevelHistograms histograms_;
  SplitRules rules_;
  std::vector<FeatureId> drawn_;
};

}  // namespace rankforest
