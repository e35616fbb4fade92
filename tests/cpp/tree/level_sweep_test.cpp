#include "rankforest/tree/level_sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "support/column_data.hpp"

namespace rankforest {

namespace {

/// A level of three nodes over one feature of many values, and a few documents of no node.
struct SweptLevel {
  Dataset data;
  TrainingSet training;
  Newton::Scaled criterion;
  SplitRules rules = {5, 0.0, {}};
  TargetsByDocument targets;
  std::vector<LevelSweepNode> nodes = std::vector<LevelSweepNode>(3);
  std::vector<std::vector<RowId>> rows = std::vector<std::vector<RowId>>(3);
  std::vector<Newton::Target> target_of;

  explicit SweptLevel(std::size_t n, Rng& rng)
      : data(testing::FromColumns({Column(n, rng)}, rng).Make()),
        training(data, Threads{1}),
        targets(n),
        target_of(n) {
    for (RowId d = 0; d < n; ++d) {
      target_of[d] = {static_cast<std::int32_t>(rng.Below(2001)) - 1000,
                      static_cast<std::int32_t>(rng.Below(100))};
      const std::uint32_t node = rng.Below(7) % 4;
      if (node < 3) rows[node].push_back(d);
    }
    for (std::uint32_t node = 0; node < 3; ++node) {
      std::vector<Newton::Target> of_node;
      for (const RowId d : rows[node]) of_node.push_back(target_of[d]);
      for (const Newton::Target target : of_node) nodes[node].all.Add(target, 1);
      targets.Note({rows[node], of_node, {}}, node);
    }
  }

  static testing::Values Column(std::size_t n, Rng& rng) {
    testing::Values values = testing::ManyValues(n, rng);
    for (std::size_t i = 0; i < n; i += 9) values[i] = testing::kNaN;
    return values;
  }

  [[nodiscard]] LevelSweep Sweep() {
    return {criterion, rules, training.presorted().column(0), training.value_order().of(0),
            targets,   nodes};
  }

  /// The sum of what the nodes gain by a question, summed anew.
  [[nodiscard]] double GainOf(float threshold, bool missing_right) const {
    double gain = 0.0;
    for (std::size_t n = 0; n < 3; ++n) {
      Newton::Stats left;
      for (const RowId d : rows[n]) {
        const float value = data.Features(d)[0];
        const bool is_left = std::isnan(value) ? !missing_right : value <= threshold;
        if (is_left) left.Add(target_of[d], 1);
      }
      const Newton::Stats right = nodes[n].all - left;
      if (MayDivide(criterion, rules, left, right)) gain += criterion.Gain(left, right);
    }
    return gain;
  }

  /// The largest gain of any threshold that is a value.
  [[nodiscard]] double LargestGain() const {
    double largest = 0.0;
    for (const auto& of_node : rows) {
      for (const RowId d : of_node) {
        const float value = data.Features(d)[0];
        if (std::isnan(value)) continue;
        largest = std::max({largest, GainOf(value, false), GainOf(value, true)});
      }
    }
    return largest;
  }
};

}  // namespace

TEST_CASE("the first pass comes as near to the largest gain as rounding lets it") {
  Rng rng(21);
  for (int round = 0; round < 5; ++round) {
    SweptLevel level(500, rng);
    const LevelSweep::Estimate estimate = level.Sweep().First();
    const double largest = level.LargestGain();
    CHECK(estimate.gain == doctest::Approx(largest).epsilon(1e-12));
    CHECK(estimate.largest >= largest * (1.0 - 1e-12));
  }
}

TEST_CASE("the second pass gives the question of the largest gain, to the bit") {
  Rng rng(22);
  for (int round = 0; round < 5; ++round) {
    SweptLevel level(500, rng);
    Split<Newton::Stats> best;
    level.Sweep().Second(0, 0.0, best);
    CHECK(best.gain == level.LargestGain());
    CHECK(best.gain == level.GainOf(best.threshold, best.missing == MissingTo::kRight));
    CHECK(best.saw_missing);
    Split<Newton::Stats> none;
    level.Sweep().Second(0, best.gain * 1.01, none);  // nothing comes near such a goal
    CHECK_FALSE(none.exists());
  }
}

}  // namespace rankforest
