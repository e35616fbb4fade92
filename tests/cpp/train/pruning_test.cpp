#include "rankforest/train/pruning.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/metric/evaluate.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/reference.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

namespace {

const Metric kNdcg = Metric::Parse("ndcg@10");

/// A model of one member on documents, and its trees as columns.
struct PruningCase {
  explicit PruningCase(Rng& rng)
      : model(OneMember(rng)),
        data(Documents(rng)),
        columns(model, data, Threads{1}),
        line(kNdcg, JudgementsOf(data), columns, Threads{1}) {}

  static Ensemble OneMember(Rng& rng) {
    Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    model.members.resize(1);
    return model;
  }

  static Dataset Documents(Rng& rng) {
    std::vector<QueryId> codes(200);
    std::vector<double> grades(200);
    for (std::size_t row = 0; row < 200; ++row) {
      codes[row] = rng.Below(9);
      grades[row] = rng.Below(3);
    }
    return Dataset::Owning(testing::RandomFeatures(600, rng), 3, grades, codes);
  }

  /// The metric of the model with other weights of its trees.
  [[nodiscard]] double Naive(const std::vector<double>& weights) const {
    const std::vector<double> scores = Score(Reweighted(model, weights), data.features());
    return Evaluate(kNdcg, data, scores, Threads{1}).mean;
  }

  Ensemble model;
  Dataset data;
  TreeColumns columns;
  LineMetric<TreeColumns> line;
};

}  // namespace

TEST_CASE("weights of 1 leave a model as it is, bit for bit") {
  Rng rng(321);
  for (int trial = 0; trial < 20; ++trial) {
    const Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    const std::vector<double> ones(model.n_trees(), 1.0);
    CHECK(Reweighted(model, ones) == model);
  }
}

TEST_CASE("a reweighted model adds each contribution times its weight") {
  Rng rng(322);
  for (int trial = 0; trial < 20; ++trial) {
    const Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    std::vector<double> weights(model.n_trees());
    for (double& weight : weights) weight = rng.Below(3) == 0 ? 0.0 : rng.Uniform();
    const Ensemble changed = Reweighted(model, weights);
    const std::vector<float> x = testing::RandomFeatures(3, rng);
    double expected = 0.0;
    std::size_t tree = 0;
    for (const Member& member : model.members) {
      expected += member.base;
      for (const Group& group : member.groups) {
        for (const Tree& each : group.trees) {
          expected +=
              Group::Contribution(weights[tree++] * group.TreeWeight(), each.Value(x.data()));
        }
      }
    }
    CHECK(Score(changed, {x.data(), 1, 3, 3})[0] == doctest::Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("neighbours of one weight share a group") {
  Rng rng(323);
  Group group{0.1, Reduction::kSum, 1, {}};
  for (int t = 0; t < 6; ++t) group.trees.push_back(testing::RandomTree(3, 3, rng));
  const Ensemble model{Combine::kSum, 3, {{0.5, {group}}}};
  const std::vector<double> weights{1.0, 0.0, 1.0, 2.0, 2.0, 0.0};
  const Ensemble changed = Reweighted(model, weights);
  REQUIRE(changed.members[0].groups.size() == 2);
  CHECK(changed.members[0].base == 0.5);
  CHECK(changed.members[0].groups[0].weight == 0.1);
  CHECK(changed.members[0].groups[0].trees == std::vector<Tree>{group.trees[0], group.trees[2]});
  CHECK(changed.members[0].groups[1].weight == 0.2);
  CHECK(changed.members[0].groups[1].trees == std::vector<Tree>{group.trees[3], group.trees[4]});
}

TEST_CASE("a quality loss is what the metric loses where a tree is left out") {
  Rng rng(324);
  for (int trial = 0; trial < 10; ++trial) {
    PruningCase pruning(rng);
    std::vector<double> ones(pruning.columns.size(), 1.0);
    const double whole = pruning.Naive(ones);
    const std::vector<double> losses =
        TreeImportances(PruneBy::kQualityLoss, pruning.line, rng, Threads{1});
    for (std::size_t j = 0; j < losses.size(); ++j) {
      std::vector<double> without = ones;
      without[j] = 0.0;
      CHECK(losses[j] == doctest::Approx(whole - pruning.Naive(without)).epsilon(1e-9));
    }
  }
}

TEST_CASE("a score loss is the mean share of what trees add to scores") {
  Rng rng(325);
  PruningCase pruning(rng);
  const std::size_t n_trees = pruning.columns.size();
  std::vector<double> expected(n_trees, 0.0);
  for (std::size_t d = 0; d < 200; ++d) {
    double total = 0.0;
    for (std::size_t j = 0; j < n_trees; ++j) total += std::abs(pruning.columns.Value(j, d));
    for (std::size_t j = 0; j < n_trees; ++j) {
      expected[j] += std::abs(pruning.columns.Value(j, d)) / total / 200.0;
    }
  }
  const std::vector<double> shares =
      TreeImportances(PruneBy::kScoreLoss, pruning.line, rng, Threads{2});
  for (std::size_t j = 0; j < n_trees; ++j) CHECK(shares[j] == doctest::Approx(expected[j]));
}

TEST_CASE("last, low weight and random order trees as they say") {
  Rng rng(326);
  PruningCase pruning(rng);
  const std::size_t n_trees = pruning.columns.size();
  const auto of = [&](PruneBy by, std::uint64_t seed = 1) {
    return TreeImportances(by, pruning.line, Rng(seed), Threads{1});
  };
  std::vector<double> last = of(PruneBy::kLast);
  for (std::size_t j = 1; j < n_trees; ++j) CHECK(last[j - 1] > last[j]);
  std::vector<double> random = of(PruneBy::kRandom);
  CHECK(random == of(PruneBy::kRandom));
  std::sort(random.begin(), random.end());
  std::sort(last.begin(), last.end());
  CHECK(random == last);
  std::vector<double> weights(n_trees);
  for (std::size_t j = 0; j < n_trees; ++j) weights[j] = static_cast<double>(j % 3);
  pruning.line.SetWeights(weights);
  const std::vector<double> low = of(PruneBy::kLowWeight);
  for (std::size_t j = 0; j < n_trees; ++j) {
    CHECK(low[j] == std::abs(weights[j] * pruning.columns.tree_weight(j)));
  }
}

TEST_CASE("skipping keeps as many trees as asked for, at equal distances") {
  CHECK(SkippingTrees(6, 3) == std::vector<bool>{true, false, true, false, true, false});
  CHECK(SkippingTrees(5, 2) == std::vector<bool>{true, false, true, false, false});
  for (std::size_t n = 1; n < 30; ++n) {
    for (std::size_t kept = 0; kept <= n; ++kept) {
      const std::vector<bool> trees = SkippingTrees(n, kept);
      CHECK(static_cast<std::size_t>(std::count(trees.begin(), trees.end(), true)) == kept);
    }
  }
}

TEST_CASE("trees of a thousand weights score as fast ones do, to the bit of the reference") {
  Rng rng(327);
  Group group{0.1, Reduction::kSum, 1, {}};
  for (int t = 0; t < 300; ++t) group.trees.push_back(testing::RandomTree(3, 4, rng));
  const Ensemble model{Combine::kSum, 3, {{0.5, {group}}}};
  std::vector<double> weights(300);
  for (double& weight : weights) weight = rng.Uniform();
  const Ensemble changed = Reweighted(model, weights);
  CHECK(changed.members[0].groups.size() == 300);
  const std::vector<float> x = testing::RandomFeatures(100 * 3, rng);
  const FeatureMatrix features{x.data(), 100, 3, 3};
  CHECK(CompiledScorer(changed).Score(features) == Score(changed, features));
}

}  // namespace rankforest
