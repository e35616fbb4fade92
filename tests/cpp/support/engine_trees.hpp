#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/column_engine.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/tree_growth.hpp"
#include "support/column_data.hpp"

namespace rankforest::testing {

// Trees that an engine grows, and those of a search column by column, on data and settings of all
// kinds.

using Pairs = std::vector<GradientPair>;

struct Settings {
  TreeLimits limits;
  Newton newton;
};

template <class Engine>
Tree GrowWith(Engine engine, const TrainingSet& training, const Settings& settings,
              const Pairs& targets, const RowSample& sample) {
  return TreeGrowth<Newton, Engine>(settings.limits, settings.newton, training, std::move(engine))
      .FitTree(targets, sample, Rng(0));
}

/// The oracle: splits searched column by column, each node's documents summed anew.
template <class Columns>
Tree GrowOn(const Columns& columns, const TrainingSet& training, const Settings& settings,
            const Pairs& targets, const RowSample& sample) {
  return GrowWith(
      ColumnEngine<Newton, BestThreshold, Columns>(columns, Threads{1}, {}, columns.n_features()),
      training, settings, targets, sample);
}

/// Gradients of either sign with a heavy tail, and hessians in (0, 1).
inline Pairs RandomTargets(std::size_t n, Rng& rng) {
  Pairs targets(n);
  for (GradientPair& target : targets) {
    const double uniform = rng.Uniform() * 2.0 - 1.0;
    target = {uniform * uniform * uniform * 50.0, 0.01 + rng.Uniform()};
  }
  return targets;
}

/// The targets of half the squared difference to the score 0.
inline Pairs SquaredErrorTargets(const Dataset& data) {
  Pairs targets;
  for (const double grade : data.grades()) targets.push_back({-grade, 1.0});
  return targets;
}

/// Columns of many values and of few, with NaN and without, mostly one value, and constant ones.
inline std::vector<Values> AllKinds(std::size_t n, Rng& rng) {
  Values sparse(n, 0.0F);
  for (std::size_t i = 0; i < n; i += 5) sparse[i] = static_cast<float>(rng.Uniform() - 0.2);
  Values gaps = ManyValues(n, rng);
  for (std::size_t i = 0; i < n; i += 3) gaps[i] = kNaN;
  return {ManyValues(n, rng),        Values(n, 3.0F),   FewValues(n, 6, 10, rng), std::move(sparse),
          FewValues(n, 20, 80, rng), std::move(gaps),   FewValues(n, 3, 0, rng),  Values(n, kNaN),
          ManyValues(n, rng),        ManyValues(n, rng)};
}

inline Settings RandomSettings(Rng& rng) {
  Settings settings;
  settings.limits.max_leaf_nodes = 2 + rng.Below(40);
  if (rng.Below(3) == 0) settings.limits.max_depth = 1 + rng.Below(6);
  if (rng.Below(2) == 0) settings.limits.grow_policy = GrowPolicy::kDepthWise;
  if (rng.Below(2) == 0) settings.limits.missing = MissingRule::kThird;
  if (rng.Below(2) == 0) settings.limits.min_samples_leaf.amount = 1 + rng.Below(200);
  if (rng.Below(3) == 0) settings.newton = {rng.Uniform(), rng.Uniform() * 3.0};
  return settings;
}

inline RowSample RandomSample(const Dataset& data, Rng& rng) {
  const RowSample all = WholeSample(data.n_documents());
  const std::uint32_t kind = rng.Below(3);
  if (kind == 0) return all;
  if (kind == 1) return SubsampleRows{0.6}.Draw(data, all, rng.Child(Purpose::kRows, 0));
  return Bootstrap{1.0}.Draw(data, all, rng.Child(Purpose::kRows, 1));
}

}  // namespace rankforest::testing
