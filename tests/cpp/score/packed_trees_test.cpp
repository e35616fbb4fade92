#include "rankforest/score/packed_trees.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "support/scored_trees.hpp"

namespace rankforest::detail {

namespace {

/// Trees in both of their forms.
struct Forms {
  explicit Forms(const std::vector<Tree>& trees, std::uint32_t n_features)
      : features(Numbered(n_features)), codes(Splits(trees)), packed(codes, features) {
    for (const Tree& tree : trees) {
      blended.Add(TwoWayTree(tree, 1.0), codes);
      packed.Add(TwoWayTree(tree, 1.0), codes);
    }
  }

  static WalkedFeatures Numbered(std::uint32_t n_features) {
    std::vector<FeatureId> ids;
    for (FeatureId f = 0; f < n_features; ++f) ids.push_back(f);
    return WalkedFeatures(ids);
  }
  static RankCodes Splits(const std::vector<Tree>& trees) {
    std::vector<std::pair<FeatureId, float>> splits;
    for (const Tree& tree : trees) {
      for (const auto& node : TwoWayTree(tree, 1.0).nodes) {
        splits.emplace_back(node.feature, node.threshold);
      }
    }
    return RankCodes(std::move(splits));
  }

  /// The scores of rows by the trees from `first` to `last` - 1, from 0.5 on.
  [[nodiscard]] std::vector<double> Scores(const FeatureMatrix& matrix, std::size_t first,
                                           std::size_t last) const {
    CodedRows rows;
    rows.Encode(codes, matrix.n_rows, [&](std::size_t i) { return matrix.Row(i); });
    std::vector<double> scores(matrix.n_rows, 0.5);
    packed.AddScores(first, last, blended, rows, scores.data());
    return scores;
  }

  WalkedFeatures features;
  RankCodes codes;
  BlendedTrees blended;
  PackedTrees packed;
};

}  // namespace

TEST_CASE("a packed node keeps its children, its feature, its threshold and where NaN goes") {
  Tree tree;  // 0 goes to leaf 0 and node 1, that one to leaves 1 and 2
  tree.nodes = {{4, 1.0F, ~0, 1, 1}, {2, 2.0F, ~1, ~2, ~1}};
  tree.leaves = {10.0F, 20.0F, 40.0F};
  const Forms forms({tree}, 5);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const PackedTrees::View view = forms.packed.ViewOf(0, forms.blended, forms.codes);
  CHECK_FALSE(view.IsLeaf(0));
  CHECK(view.FeatureOf(0) == 5);  // counted from 1
  CHECK(view.Next(0, 1.0F) == 2);
  CHECK(view.Next(0, 1.5F) == 1);
  CHECK(view.Next(0, kNan) == 1);
  CHECK(view.FeatureOf(1) == 3);
  CHECK(view.Next(1, 3.0F) == 4);
  CHECK(view.Next(1, kNan) == 3);
  CHECK(view.IsLeaf(2));
  CHECK(view.ValueOf(4) == 40.0F);
}

TEST_CASE("a tree of one leaf asks for no feature") {
  Tree tree;
  tree.leaves = {3.0F};
  const Forms forms({tree, tree}, 2);
  const PackedTrees::View view = forms.packed.ViewOf(1, forms.blended, forms.codes);
  CHECK(view.IsLeaf(0));
  CHECK(view.ValueOf(0) == 3.0F);
  const float x[2] = {0.0F, std::numeric_limits<float>::quiet_NaN()};
  CHECK(forms.Scores({x, 1, 2, 2}, 0, 2) == std::vector<double>{6.5});
}

TEST_CASE("packed trees score as the trees that they were made from") {
  Rng rng(68);
  for (const std::uint32_t nan_in : {0U, 6U}) {
    for (const std::uint32_t most_leaves : {1U, 3U, 60U, 200U}) {
      testing::TreeStyle style;
      style.n_features = 3;
      std::vector<Tree> trees;
      for (int t = 0; t < 30; ++t) {
        trees.push_back(testing::StyledTree(1 + rng.Below(most_leaves), style, rng));
        if (trees.back().leaves.size() > 256) trees.pop_back();
      }
      const Forms forms(trees, 3);
      for (const std::size_t n_rows : {1U, 2U, 13U}) {
        const std::vector<float> x = testing::TrickyFeatures(n_rows * 3, style, nan_in, rng);
        const FeatureMatrix matrix{x.data(), n_rows, 3, 3};
        const std::size_t first = rng.Below(5);
        const std::size_t last = std::min(trees.size(), first + rng.Below(30));
        std::vector<double> expected(n_rows, 0.5);
        for (std::size_t i = 0; i < n_rows; ++i) {
          for (std::size_t t = first; t < last; ++t) {
            expected[i] += static_cast<double>(trees[t].Value(matrix.Row(i)));
          }
        }
        CHECK(forms.Scores(matrix, first, last) == expected);
      }
    }
  }
}

TEST_CASE("any number of trees, balanced or not, scores as if they were walked one by one") {
  Rng rng(70);
  testing::TreeStyle style;
  style.n_features = 3;
  std::vector<Tree> trees;
  for (int t = 0; t < 600; ++t) {
    style.degenerate = t % 3 == 0;
    // Leaves for NaN come on top; of so many, 256 at most are left of such trees.
    trees.push_back(testing::StyledTree(1 + rng.Below(t % 50 == 0 ? 120 : 12), style, rng));
  }
  const Forms forms(trees, 3);
  for (const std::uint32_t nan_in : {0U, 5U}) {
    const std::vector<float> x = testing::TrickyFeatures(3 * 3, style, nan_in, rng);
    const FeatureMatrix matrix{x.data(), 3, 3, 3};
    for (const std::size_t n_trees : {47U, 48U, 49U, 61U, 255U, 256U, 257U, 304U, 305U, 600U}) {
      const std::size_t first = rng.Below(static_cast<std::uint32_t>(601 - n_trees));
      std::vector<double> expected(3, 0.5);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t t = first; t < first + n_trees; ++t) {
          expected[i] += static_cast<double>(trees[t].Value(matrix.Row(i)));
        }
      }
      CHECK(forms.Scores(matrix, first, first + n_trees) == expected);
    }
  }
}

TEST_CASE("a walk is as long as its tree is deep") {
  // Node n of 254 sends x > n on and the rest to leaf n, which is worth n.
  constexpr std::int32_t kNodes = 254;
  Tree tree;
  for (std::int32_t n = 0; n < kNodes; ++n) {
    const std::int32_t right = n + 1 < kNodes ? n + 1 : ~kNodes;
    tree.nodes.push_back({0, static_cast<float>(n), ~n, right, ~n});
    tree.leaves.push_back(static_cast<float>(n));
  }
  tree.leaves.push_back(static_cast<float>(kNodes));
  const Forms forms(std::vector<Tree>(100, tree), 1);
  const std::vector<float> x{0.0F, 3.0F, 4.0F, 5.0F, 11.5F, 253.0F, 254.0F};
  const std::vector<double> scores = forms.Scores({x.data(), x.size(), 1, 1}, 0, 100);
  CHECK(scores == std::vector<double>{0.5, 300.5, 400.5, 500.5, 1200.5, 25300.5, 25400.5});
}

TEST_CASE("a node takes 8 bytes beside its blend, a tree 4, and a leaf none") {
  Rng rng(69);
  testing::TreeStyle style;
  style.own_missing = false;
  std::vector<Tree> trees;
  for (int t = 0; t < 10; ++t) trees.push_back(testing::StyledTree(50, style, rng));
  Forms forms(trees, 4);
  forms.packed.ShrinkToFit();
  CHECK(forms.packed.n_bytes() == 8 * 10 * 49 + 4 * (10 + forms.codes.n_columns()));
}

}  // namespace rankforest::detail
