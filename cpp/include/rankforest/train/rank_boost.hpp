#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/leaf_counts.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/train/growing_sum.hpp"
#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/pair_potentials.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/train/threshold_ranker.hpp"
#include "rankforest/train/training_state.hpp"
#include "rankforest/tree/method.hpp"

namespace rankforest {

/// Boosting of pairs with threshold rankers, one a round: the result is a sum of stumps. With r the
/// gain of the best ranker at the weights that pairs have (PairPotentials), it counts
/// 1/2 ln((1 + r) / (1 - r)). Ends early where no ranker has a gain, or one puts all pairs right.
///
/// Freund, Iyer, Schapire and Singer, "An efficient boosting algorithm for combining preferences",
/// JMLR 4, 2003, sections 3 and 5.
class RankBoost {
 public:
  static constexpr bool kTakesInitialScores = true;

  explicit RankBoost(const RankBoostSettings& settings) : settings_(settings) {}

  void Prepare(const TrainingSet& training) const {
    if (UsesBins(training)) {
      [[maybe_unused]] const auto& columns = training.binned_columns();
    } else {
      [[maybe_unused]] const auto& columns = training.presorted();
    }
  }

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& sample, const Rng& rng,
                             Monitor& monitor) const {
    return Continue(training, sample, rng, monitor, {});
  }

  /// @param start  any model that sums trees, whose scores the first round starts from
  [[nodiscard]] Member Continue(const TrainingSet& training, const RowSample& sample,
                                const Rng& /*rng*/, Monitor& monitor, Member start) const {
    PairPotentials potentials(training.data, sample, training.threads);
    if (potentials.empty()) {
      throw std::invalid_argument(
          "RankBoost needs a query with documents of different grades, and there is none");
    }
    std::vector<double> scores = ScoresAfter(start, training);
    monitor.Begin(start);
    for (std::size_t round = start.n_rounds(); round < settings_.n_estimators; ++round) {
      potentials.Set(scores);
      const ThresholdRanker ranker = Best(training, potentials);
      if (std::abs(ranker.gain) < kLeastGain) break;
      Member step = StepOf(ranker);
      Tree& tree = step.groups.front().trees.front();
      tree.counts = CountLeaves(
          tree, sample.rows.size(),
          [&](std::size_t i) { return training.data.Features(sample.rows[i]); },
          [&](std::size_t i) { return sample.Count(i); }, training.threads);
      AddGroups(step, training.data, training.threads, scores);
      const bool goes_on = monitor.AfterRound(step);
      Extend(start, std::move(step));
      if (!goes_on || std::abs(ranker.gain) >= kLargestGain) break;
      monitor.BetweenRounds([&] { return GrownSoFar{{start}}; });
    }
    return start;
  }

 private:
  static constexpr double kLeastGain = 1e-12;
  static constexpr double kLargestGain = 1.0 - 1e-6;

  static Member StepOf(const ThresholdRanker& ranker) {
    constexpr double kHalfLn2 = 0.34657359027997264;
    const double r = std::clamp(ranker.gain, -kLargestGain, kLargestGain);
    const double weight = kHalfLn2 * Log2((1.0 + r) / (1.0 - r));
    return {0.0, {{1.0, Reduction::kSum, 1, {ranker.AsTree(static_cast<float>(weight))}}}};
  }

  [[nodiscard]] bool UsesBins(const TrainingSet& training) const {
    return Resolve(settings_.tree_method, training.data.n_documents()) == TreeMethod::kHist;
  }

  [[nodiscard]] ThresholdRanker Best(const TrainingSet& training,
                                     const PairPotentials& potentials) const {
    const auto best = [&](const auto& columns) {
      return BestThresholdRanker(columns, potentials.values(), settings_.n_thresholds,
                                 training.threads);
    };
    return UsesBins(training) ? best(training.binned_columns()) : best(training.presorted());
  }

  RankBoostSettings settings_;
};

}  // namespace rankforest
