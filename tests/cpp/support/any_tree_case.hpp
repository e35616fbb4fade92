#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/tree/limits.hpp"
#include "support/naive_tree.hpp"
#include "support/small_data.hpp"

namespace rankforest::testing {

// Random cases of growing a tree whose sums are exact, so that it equals the naive one.

/// Multiples of 1/16 with hessians that may be 0: all sums are exact.
inline std::vector<GradientPair> DyadicTargets(std::size_t n, Rng& rng) {
  std::vector<GradientPair> targets(n);
  for (GradientPair& target : targets) {
    target.grad = (static_cast<double>(rng.Below(65)) - 32.0) / 16.0;
    target.hess = rng.Below(33) / 16.0;
  }
  return targets;
}

/// A random choice of everything that shapes a tree.
inline NaiveSettings AnySettings(std::size_t n_features, Rng& rng) {
  NaiveSettings settings;
  TreeLimits& limits = settings.limits;
  if (rng.Below(3) == 0) limits.max_depth = 1 + rng.Below(4);
  if (rng.Below(2) == 0) limits.max_leaf_nodes = 2 + rng.Below(8);
  if (rng.Below(2) == 0) limits.grow_policy = GrowPolicy::kDepthWise;
  if (rng.Below(2) == 0) limits.missing = MissingRule::kThird;
  if (rng.Below(3) == 0) limits.min_gain = rng.Below(6) * 0.5;
  const std::uint32_t leaf_size = rng.Below(3);
  if (leaf_size == 1) limits.min_samples_leaf.amount = 1 + rng.Below(4);
  if (leaf_size == 2) limits.min_samples_leaf = {0.02 + rng.Uniform() * 0.2, true};
  if (rng.Below(3) == 0) settings.newton.l2 = 0.5 * (1 + rng.Below(3));
  if (rng.Below(3) == 0) settings.newton.min_hessian = 0.75 * (1 + rng.Below(3));
  const bool all = rng.Below(2) == 0;
  settings.features_per_node =
      all ? n_features : 1 + rng.Below(static_cast<std::uint32_t>(n_features));
  return settings;
}

inline void CheckSameTree(const Tree& grown, const Tree& expected) {
  REQUIRE(grown.nodes.size() == expected.nodes.size());
  for (std::size_t i = 0; i < grown.nodes.size(); ++i) {
    INFO("node ", i);
    CHECK(grown.nodes[i].feature == expected.nodes[i].feature);
    CHECK(grown.nodes[i].threshold == expected.nodes[i].threshold);
    CHECK(grown.nodes[i].left == expected.nodes[i].left);
    CHECK(grown.nodes[i].right == expected.nodes[i].right);
    CHECK(grown.nodes[i].missing == expected.nodes[i].missing);
    CHECK(grown.gains[i] == expected.gains[i]);
  }
  REQUIRE(grown.leaves.size() == expected.leaves.size());
  for (std::size_t i = 0; i < grown.leaves.size(); ++i) {
    CHECK(grown.leaves[i] == doctest::Approx(expected.leaves[i]).epsilon(1e-6));
  }
}

/// All documents, a part of them, or a bootstrap.
inline RowSample AnySample(const Dataset& data, Rng& rng) {
  const RowSample all = WholeSample(data.n_documents());
  switch (rng.Below(3)) {
    case 0:
      return all;
    case 1:
      return SubsampleRows{0.7}.Draw(data, all, rng.Child(Purpose::kRows, 0));
    default:
      return Bootstrap{1.0}.Draw(data, all, rng.Child(Purpose::kRows, 1));
  }
}

inline SmallDataOptions RandomOptions(Rng& rng) {
  SmallDataOptions options;
  options.n_queries = 2 + rng.Below(4);
  options.n_features = 1 + rng.Below(5);
  options.n_values = 2 + rng.Below(7);
  options.nan_in_100 = rng.Below(2) * 20;
  options.weights_of_rows = rng.Below(2) == 0;
  return options;
}

}  // namespace rankforest::testing
