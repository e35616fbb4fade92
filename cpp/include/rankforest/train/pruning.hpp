#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/train/line_metric.hpp"
#include "rankforest/train/tree_columns.hpp"

namespace rankforest {

/// By what trees are dropped after training.
///
/// Lucchese, Nardini, Orlando, Perego, Silvestri and Trani, "Post-learning optimization of tree
/// ensembles for efficient ranking", SIGIR 2016.
enum class PruneBy : std::uint8_t {
  kQualityLoss,  ///< the trees whose loss, each alone, costs least of the metric
  kScoreLoss,    ///< those that make the smallest share of the scores
  kLowWeight,    ///< those of the smallest weights
  kLast,         ///< those trained last
  kSkip,         ///< all but some at equal distances
  kRandom,       ///< any
};

namespace detail {

/// The mean over documents of |what the tree adds| / the sum of this over all trees.
inline std::vector<double> ScoreShares(const LineMetric<TreeColumns>& metric, Threads threads) {
  const TreeColumns& columns = metric.columns();
  const std::vector<double>& weights = metric.weights();
  std::vector<double> totals(columns.n_documents(), 0.0);
  ParallelChunks(threads, totals.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      for (std::size_t d = begin; d < end; ++d) {
        totals[d] += std::abs(weights[j] * columns.Value(j, d));
      }
    }
  });
  std::vector<double> shares(columns.size(), 0.0);
  ParallelFor(threads, shares.size(), [&](std::size_t j) {
    for (std::size_t d = 0; d < totals.size(); ++d) {
      if (totals[d] > 0.0) shares[j] += std::abs(weights[j] * columns.Value(j, d)) / totals[d];
    }
    shares[j] /= static_cast<double>(totals.size());
  });
  return shares;
}

/// What the metric loses where a tree is left out; negative where it gains.
inline std::vector<double> QualityLosses(LineMetric<TreeColumns>& metric) {
  std::vector<double> losses;
  const double zero = 0.0;
  for (std::size_t j = 0; j < metric.columns().size(); ++j) {
    losses.push_back(metric.value() - metric.Try(j, {&zero, 1}).front());
  }
  return losses;
}

}  // namespace detail

/// How much there is to keep each tree for, with the weights that `metric` has: those of the
/// smallest figures are dropped first. Not for kSkip, which has no such order: see SkippingTrees.
inline std::vector<double> TreeImportances(PruneBy by, LineMetric<TreeColumns>& metric,
                                           const Rng& rng, Threads threads) {
  assert(by != PruneBy::kSkip);
  if (by == PruneBy::kQualityLoss) return detail::QualityLosses(metric);
  if (by == PruneBy::kScoreLoss) return detail::ScoreShares(metric, threads);
  const std::size_t n_trees = metric.columns().size();
  std::vector<double> importances(n_trees);
  if (by == PruneBy::kLowWeight) {
    for (std::size_t j = 0; j < n_trees; ++j) {
      importances[j] = std::abs(metric.weights()[j] * metric.columns().tree_weight(j));
    }
    return importances;
  }
  std::iota(importances.rbegin(), importances.rend(), 1.0);
  Rng own = rng;
  if (by == PruneBy::kRandom) own.Shuffle(Span<double>(importances));
  return importances;
}

/// Whether each of `n_trees` trees is among the `n_kept` at equal distances, the first one always.
inline std::vector<bool> SkippingTrees(std::size_t n_trees, std::size_t n_kept) {
  assert(n_kept <= n_trees);
  std::vector<bool> kept(n_trees, false);
  for (std::size_t i = 0; i < n_kept; ++i) kept[i * n_trees / n_kept] = true;
  return kept;
}

/// An ensemble that sums with each tree's weight multiplied by one of `weights`; trees of weight 0
/// are dropped, and so are exits, whose rounds are others now. A group whose trees all have 1 stays
/// as it is. Any other becomes sums of trees that stand side by side with one weight, in rounds of
/// one tree.
inline Ensemble Reweighted(Ensemble ensemble, Span<const double> weights) {
  assert(ensemble.is_sum() && weights.size() == ensemble.n_trees());
  ensemble.exits = {};
  std::size_t tree = 0;
  for (Member& member : ensemble.members) {
    Member changed{member.base, {}, std::move(member.linear)};
    for (Group& group : member.groups) {
      const Span<const double> own = weights.subspan(tree, group.trees.size());
      tree += group.trees.size();
      bool unchanged = true;
      for (const double weight : own) unchanged = unchanged && weight == 1.0;
      if (unchanged) {
        changed.groups.push_back(std::move(group));
        continue;
      }
      const double tree_weight = group.TreeWeight();
      Member pieces;
      for (std::size_t t = 0; t < own.size(); ++t) {
        if (own[t] == 0.0) continue;
        Extend(pieces, {0.0, {{own[t] * tree_weight, Reduction::kSum, 1, {group.trees[t]}}}});
      }
      for (Group& piece : pieces.groups) changed.groups.push_back(std::move(piece));
    }
    member = std::move(changed);
  }
  return ensemble;
}

}  // namespace rankforest
