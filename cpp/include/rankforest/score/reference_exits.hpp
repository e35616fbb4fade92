#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/early_exit.hpp"

namespace rankforest::detail {

/// The score that a document has after the first rounds of an ensemble that scores in part, as
/// limits.hpp defines it.
inline double ScoreAfter(const Ensemble& ensemble, std::size_t rounds, const float* features) {
  double score = 0.0;
  for (std::size_t j = 0; j < ensemble.members.size(); ++j) {
    const Linear& linear = ensemble.members[j].linear;
    double sum = ensemble.members[j].base;
    if (!linear.empty()) {
      sum += LinearSum(linear, [&](std::size_t i) { return features[linear.terms[i].feature]; });
    }
    std::size_t left = rounds;
    for (const Group& group : ensemble.members[j].groups) {
      const double settled = sum;
      const std::size_t taken = std::min(left, group.n_rounds());
      for (std::size_t t = 0; t < taken * group.trees_per_round; ++t) {
        sum += Group::Contribution(group.TreeWeight(), group.trees[t].Value(features));
      }
      if (group.reduction == Reduction::kMean && taken > 0 && taken < group.n_rounds()) {
        const double so_far = static_cast<double>(taken) / static_cast<double>(group.n_rounds());
        sum = settled + (sum - settled) / so_far;
      }
      left -= taken;
    }
    score = j == 0 ? sum : score + sum;
  }
  return score;
}

/// The scores of a model with exits by their definition: every query plays to the end.
inline std::vector<double> ScoresWithExits(const Ensemble& ensemble, const FeatureMatrix& features,
                                           const RowsByQuery& queries) {
  std::vector<double> scores(features.n_rows);
  std::vector<std::uint32_t> exits(features.n_rows);
  std::vector<std::size_t> order;
  for (std::size_t q = 0; q < queries.n_queries(); ++q) {
    const Span<const std::size_t> rows = queries.Query(q);
    std::vector<std::size_t> in_play(rows.begin(), rows.end());
    const auto advance = [&](std::size_t round) {
      for (const std::size_t row : in_play) {
        scores[row] = ScoreAfter(ensemble, round, features.Row(row));
        exits[row] = static_cast<std::uint32_t>(round);
      }
    };
    for (const ExitPoint& point : ensemble.exits.points) {
      advance(point.round);
      std::vector<double> ranked;
      for (const std::size_t row : in_play) ranked.push_back(scores[row]);
      const double lowest = LowestToStay(ranked, point, ensemble.exits.k);
      const auto leaves = [&](std::size_t row) { return scores[row] < lowest; };
      in_play.erase(std::remove_if(in_play.begin(), in_play.end(), leaves), in_play.end());
    }
    advance(ensemble.n_rounds());
    if (ensemble.exits.demote) Demote(rows, exits, scores, order);
  }
  return scores;
}

}  // namespace rankforest::detail
