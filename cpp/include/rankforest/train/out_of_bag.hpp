#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/train/scores.hpp"

namespace rankforest {

/// Out-of-bag scores: for each training document, in canonical order, the mean over the trees of a
/// bag that did not draw it (Breiman, "Out-of-bag estimation", 1996). NaN where all trees drew it.
///
/// Which documents a tree drew is drawn again: it depends on the seed and the tree's number alone.
///
/// @param sampler  the bag's
/// @param rng      the run's, as the bag had it
template <class Sampler>
std::vector<double> OutOfBagScores(const Sampler& sampler, const Dataset& data, const Rng& rng,
                                   Span<const Tree> trees, Threads threads) {
  const RowSample all = WholeSample(data.n_documents());
  std::vector<double> scores(data.n_documents(), 0.0);
  std::vector<std::size_t> n_outside(data.n_documents(), trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const RowSample drawn = DrawForTree(sampler, data, all, rng.Child(Purpose::kTree, i));
    AddTreesOutside(drawn, trees.subspan(i, 1), 1.0, data, threads, scores);
    for (const RowId row : drawn.rows) --n_outside[row];
  }
  for (std::size_t d = 0; d < scores.size(); ++d) {
    scores[d] = n_outside[d] > 0 ? scores[d] / static_cast<double>(n_outside[d])
                                 : std::numeric_limits<double>::quiet_NaN();
  }
  return scores;
}

/// The same of a forest: of the mean of its trees, each with the same weight; of an ordinal one, of
/// the weighted sum of those of its problems, which drew the same documents.
///
/// @param forest  of one member, or of one member of one group for each problem
template <class Sampler>
std::vector<double> OutOfBagScores(const Sampler& sampler, const Dataset& data, const Rng& rng,
                                   const Ensemble& forest, Threads threads) {
  if (forest.members.size() == 1) {
    return OutOfBagScores(sampler, data, rng, TreesOf(forest.members.front()), threads);
  }
  std::vector<double> total(data.n_documents(), 0.0);
  for (const Member& member : forest.members) {
    const Group& group = member.groups.front();
    const std::vector<double> scores = OutOfBagScores(sampler, data, rng, group.trees, threads);
    for (std::size_t d = 0; d < total.size(); ++d) {
      total[d] += member.base + group.weight * scores[d];
    }
  }
  return total;
}

}  // namespace rankforest
