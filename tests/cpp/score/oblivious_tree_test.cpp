#include "rankforest/score/oblivious_tree.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/blended_trees.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/reference.hpp"
#include "support/scored_trees.hpp"

namespace rankforest::detail {

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// x0 > 1 or NaN, then x1 > 2: leaves 0, 1, 2, 3.
Tree TwoLevels() {
  Tree tree;
  tree.nodes = {{0, 1.0F, 1, 2, 2}, {1, 2.0F, ~0, ~1, ~0}, {1, 2.0F, ~2, ~3, ~2}};
  tree.leaves = {0.0F, 1.0F, 2.0F, 3.0F};
  return tree;
}

std::size_t LevelsOf(const Tree& tree) { return ObliviousLevels(TwoWayTree(tree, 1.0)); }

/// Whether all instruction sets give what the reference gives.
bool ScoresAsReference(const Ensemble& model, const FeatureMatrix& rows) {
  bool same = true;
  for (const Isa isa : kIsas) {
    if (HasIsa(isa)) same = same && CompiledScorer(model, isa).Score(rows) == Score(model, rows);
  }
  return same;
}

/// How many comparisons blending a tree takes.
std::size_t ComparisonsOf(const Tree& tree) {
  const TwoWayTree two_way(tree, 1.0);
  std::vector<std::pair<FeatureId, float>> splits;
  for (const auto& node : two_way.nodes) splits.emplace_back(node.feature, node.threshold);
  return BlendedTrees().Add(two_way, RankCodes(std::move(splits)));
}

}  // namespace

TEST_CASE("the answers of the levels are the digits of the leaf") {
  const TwoWayTree tree(TwoLevels(), 1.0);
  REQUIRE(ObliviousLevels(tree) == 2);
  const RankCodes encoder({{0, 1.0F}, {1, 2.0F}});
  std::vector<ObliviousLevel> levels;
  AppendLevels(tree, 2, encoder, levels);
  REQUIRE(levels.size() == 4);  // two that all documents pass to the left
  CHECK(levels[2].nan_right == -1);
  CHECK(levels[3].nan_right == 0);
  const std::vector<float> x{1.0F, 2.0F, 1.0F, 2.5F, 1.5F, -2.0F,
                             9.0F, 9.0F, kNan, 3.0F, 0.0F, kNan};
  std::vector<BlockBytes> codes(2);
  std::vector<BlockBytes> nans(2);
  CHECK(encoder.Encode({x.data(), 6, 2, 2}, codes.data(), nans.data()));
  BlockBytes leaves;
  ReachLeaves<true>(levels.data(), 2, codes.data(), nans.data(), leaves);
  const std::vector<std::int8_t> expected{0, 1, 2, 3, 3, 0};
  for (std::size_t j = 0; j < expected.size(); ++j) CHECK(leaves.values[j] == expected[j]);
  ReachLeaves<false>(levels.data(), 2, codes.data(), nullptr, leaves);
  for (std::size_t j = 0; j < 4; ++j) CHECK(leaves.values[j] == expected[j]);
}

TEST_CASE("trees of two to eight levels are oblivious, and take a comparison for each") {
  Rng rng(71);
  for (std::size_t n_levels = 2; n_levels <= 8; ++n_levels) {
    const Tree tree = testing::ObliviousTree(n_levels, {}, rng);
    CHECK(LevelsOf(tree) == n_levels);
    CHECK(ComparisonsOf(tree) == n_levels);
  }
  CHECK(LevelsOf(testing::ObliviousTree(0, {}, rng)) == 0);
  CHECK(LevelsOf(testing::ObliviousTree(1, {}, rng)) == 0);
  CHECK(LevelsOf(testing::ObliviousTree(9, {}, rng)) == 0);
}

TEST_CASE("oblivious ensembles score as the reference does, among other trees and alone") {
  Rng rng(72);
  for (const bool mixed : {false, true}) {
    for (const std::uint32_t n_thresholds : {9U, 600U}) {  // 600: several columns
      for (const std::uint32_t nan_in : {0U, 300U, 3U}) {
        testing::TreeStyle style;
        style.n_thresholds = n_thresholds;
        Ensemble model = testing::StyledEnsemble(mixed ? 20 : 0, 60, style, rng);
        std::vector<Tree>& trees = model.members[0].groups[0].trees;
        for (std::size_t t = 0; t < 40; ++t) {
          trees.push_back(testing::ObliviousTree(1 + t % 8, style, rng));
          if (mixed) std::swap(trees.back(), trees[rng.Below(static_cast<std::uint32_t>(t) + 20)]);
        }
        const std::vector<float> x = testing::TrickyFeatures(200 * 4, style, nan_in, rng);
        for (const std::size_t n_rows : {3U, 64U, 200U}) {
          CHECK(ScoresAsReference(model, {x.data(), n_rows, 4, 4}));
        }
      }
    }
  }
}

TEST_CASE("a tree with one node unlike those beside it is not oblivious, and scores right") {
  Rng rng(73);
  const testing::TreeStyle style;
  const std::vector<float> x = testing::TrickyFeatures(128 * 4, style, 3, rng);
  for (std::size_t n_levels = 2; n_levels <= 8; ++n_levels) {
    const Tree tree = testing::ObliviousTree(n_levels, style, rng);
    const std::size_t n = 1 + rng.Below(static_cast<std::uint32_t>(tree.nodes.size()) - 1);
    std::vector<Tree> unlike(3, tree);
    unlike[0].nodes[n].feature = (tree.nodes[n].feature + 1) % 4;
    unlike[1].nodes[n].threshold = 0.0625F;
    Tree::Node& node = unlike[2].nodes[n];
    node.missing = node.missing == node.left ? node.right : node.left;
    Ensemble model = testing::StyledEnsemble(0, 1, style, rng);
    for (const Tree& other : unlike) {
      CHECK(LevelsOf(other) == 0);
      CHECK(ComparisonsOf(other) == TwoWayTree(other, 1.0).nodes.size());
      model.members[0].groups[0].trees.push_back(other);
    }
    CHECK(ScoresAsReference(model, {x.data(), 128, 4, 4}));
  }
}

TEST_CASE("leaves of different depths make no oblivious tree") {
  Tree tree;  // four leaves, all nodes alike, one below the other
  tree.nodes = {{0, 1.0F, 1, ~3, 1}, {0, 1.0F, 2, ~2, 2}, {0, 1.0F, ~0, ~1, ~0}};
  tree.leaves = {0.0F, 1.0F, 2.0F, 3.0F};
  CHECK(LevelsOf(tree) == 0);
  tree.nodes = {{0, 1.0F, 1, ~2, 1}, {0, 1.0F, ~0, ~1, ~0}};
  tree.leaves.pop_back();
  CHECK(LevelsOf(tree) == 0);
}

}  // namespace rankforest::detail
