#include "rankforest/score/reference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/random_ensemble.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;

namespace {

/// One split on column 0 at 1: leaves `left` and `right`, NaN to the left.
Tree Stump(float left, float right) {
  Tree tree;
  tree.nodes = {{0, 1.0F, ~0, ~1, ~0}};
  tree.leaves = {left, right};
  return tree;
}

Ensemble OneMember(double base, std::vector<Group> groups) {
  Ensemble ensemble;
  ensemble.n_features = 1;
  ensemble.members = {{base, std::move(groups)}};
  return ensemble;
}

FeatureMatrix Column(const std::vector<float>& values) {
  return {values.data(), values.size(), 1, 1};
}

/// Follows the splits by their definition, one child after the other.
double WalkedValue(const Tree& tree, std::int32_t child, const float* features) {
  if (child < 0) return static_cast<double>(tree.leaves[static_cast<std::size_t>(~child)]);
  const Tree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
  const float x = features[node.feature];
  if (std::isnan(x)) return WalkedValue(tree, node.missing, features);
  return WalkedValue(tree, x <= node.threshold ? node.left : node.right, features);
}

double NaiveMemberScore(const Member& member, const float* features) {
  double score = member.base;
  for (const Group& group : member.groups) {
    const double n = static_cast<double>(group.trees.size());
    const double weight = group.reduction == Reduction::kMean ? group.weight / n : group.weight;
    for (const Tree& tree : group.trees) {
      const double value = WalkedValue(tree, tree.nodes.empty() ? ~0 : 0, features);
      score += static_cast<double>(static_cast<float>(weight * value));
    }
  }
  return score;
}

}  // namespace

TEST_CASE("a score is the base plus the rounded contributions of the trees") {
  const std::vector<float> x{0.5F, 1.0F, 1.5F, kNaN, kInf, -kInf};
  const Ensemble sum =
      OneMember(10.0, {{0.5, Reduction::kSum, 1, {Stump(1.0F, 2.0F), Stump(4.0F, 8.0F)}}});
  CHECK(Score(sum, Column(x)) == std::vector<double>{12.5, 12.5, 15.0, 12.5, 15.0, 12.5});
  const Ensemble mean =
      OneMember(10.0, {{0.5, Reduction::kMean, 1, {Stump(1.0F, 2.0F), Stump(4.0F, 8.0F)}}});
  CHECK(Score(mean, Column(x)) == std::vector<double>{11.25, 11.25, 12.5, 11.25, 12.5, 11.25});
}

TEST_CASE("each contribution is rounded to float32 before it is added") {
  const Ensemble model = OneMember(0.0, {{0.1, Reduction::kSum, 1, {Stump(1.0F, 3.0F)}}});
  const std::vector<float> x{0.0F, 2.0F};
  CHECK(Score(model, Column(x)) == std::vector<double>{0x1.99999ap-4, 0x1.333334p-2});
}

TEST_CASE("a tree without splits gives its one leaf") {
  Tree leaf;
  leaf.leaves = {2.5F};
  const Ensemble model = OneMember(1.0, {{2.0, Reduction::kSum, 1, {leaf}}});
  CHECK(Score(model, Column({kNaN})) == std::vector<double>{6.0});
}

TEST_CASE("random models score as a walk from split to split does") {
  Rng rng(21);
  constexpr std::size_t kRows = 20;
  constexpr std::size_t kStride = 5;
  for (int trial = 0; trial < 200; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::vector<float> values = testing::RandomFeatures(kRows * kStride, rng);
    const FeatureMatrix features{values.data(), kRows, 4, kStride};
    const std::vector<double> scores = Score(model, features);
    for (std::size_t row = 0; row < kRows; ++row) {
      double expected = NaiveMemberScore(model.members.front(), features.Row(row));
      for (std::size_t j = 1; j < model.members.size(); ++j) {
        expected += NaiveMemberScore(model.members[j], features.Row(row));
      }
      CHECK(scores[row] == expected);
    }
  }
}

TEST_CASE("members are combined within queries where the model says so") {
  Rng rng(22);
  const std::vector<float> values = testing::RandomFeatures(30 * 4, rng);
  const FeatureMatrix features{values.data(), 30, 4, 4};
  std::vector<QueryId> codes(30);
  for (QueryId& code : codes) code = rng.Below(6);
  for (const Combine combine : {Combine::kMinMax, Combine::kBorda}) {
    const Ensemble model = testing::RandomEnsemble(4, combine, rng);
    std::vector<std::vector<double>> members(model.members.size(), std::vector<double>(30));
    for (std::size_t j = 0; j < members.size(); ++j) {
      for (std::size_t row = 0; row < 30; ++row) {
        members[j][row] = NaiveMemberScore(model.members[j], features.Row(row));
      }
    }
    CHECK(Score(model, features, codes) == Combination(model)(members, codes));
  }
}

TEST_CASE("the number of threads changes no bit") {
  Rng rng(23);
  const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
  const std::vector<float> values = testing::RandomFeatures(3000 * 4, rng);
  const FeatureMatrix features{values.data(), 3000, 4, 4};
  const std::vector<double> scores = Score(model, features, {}, Threads{1});
  CHECK(Score(model, features, {}, Threads{2}) == scores);
  CHECK(Score(model, features, {}, Threads{5}) == scores);
}

TEST_CASE("contributions added tree by tree make the scores of the whole") {
  Rng rng(24);
  Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
  model.members.resize(1);
  const std::vector<float> values = testing::RandomFeatures(700 * 4, rng);
  const FeatureMatrix features{values.data(), 700, 4, 4};
  const auto row_of = [&](std::size_t row) { return features.Row(row); };
  std::vector<double> scores(700, model.members[0].base);
  for (const Group& group : model.members[0].groups) {
    for (const Tree& tree : group.trees) {
      AddContributions(Span<const Tree>(&tree, 1), group.TreeWeight(), row_of, scores, Threads{2});
    }
  }
  CHECK(scores == Score(model, features));
}

TEST_CASE("what a model cannot score is refused by name and number") {
  Ensemble model = OneMember(0.0, {{1.0, Reduction::kSum, 1, {Stump(1.0F, 2.0F)}}});
  model.n_features = 3;
  const std::vector<float> x(4);
  CHECK_THROWS_WITH_AS(Score(model, {x.data(), 2, 2, 2}),
                       "the features have 2 columns; the model needs 3", std::invalid_argument);
  model.combine = Combine::kBorda;
  CHECK_THROWS_WITH_AS(
      Score(model, {x.data(), 1, 4, 4}),
      "the model's scores depend on whole queries: it needs a query code for each of 1 rows; got 0",
      std::invalid_argument);
  model.members.clear();
  CHECK_THROWS_WITH_AS(Score(model, {x.data(), 1, 4, 4}), "the model has no members",
                       std::invalid_argument);
}

}  // namespace rankforest
