#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/metric/evaluate.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/train/scores.hpp"

namespace rankforest {

/// The forest with each tree weighted by its expected NDCG on held-out queries (Ibrahim 2020,
/// equation 1): of whole lists, documents with equal scores in random order, queries without a
/// relevant document as 0. Weights are divided by their sum. Equal ones stay where no tree has any.
///
/// @param forest    one member, one group
/// @param held_out  with the forest's features
inline Ensemble WeighTrees(Ensemble forest, const Dataset& held_out, Threads threads) {
  std::vector<Tree>& trees = forest.members.front().groups.front().trees;
  MetricRun ndcg(Metric::Parse("ndcg(empty=0)"), JudgementsOf(held_out), threads);
  std::vector<double> weights;
  double total = 0.0;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    std::vector<double> scores(held_out.n_documents(), 0.0);
    AddTrees(Span<const Tree>(trees).subspan(i, 1), 1.0, held_out, threads, scores);
    weights.push_back(ndcg.Evaluate(scores).mean);
    total += weights.back();
  }
  if (!(total > 0.0)) return forest;
  std::vector<Group> groups;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    groups.push_back({weights[i] / total, Reduction::kSum, 1, {std::move(trees[i])}});
  }
  forest.members.front().groups = std::move(groups);
  return forest;
}

}  // namespace rankforest
