#include "rankforest/score/blended_trees.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/isa.hpp"
#include "support/scored_trees.hpp"

namespace rankforest::detail {

namespace {

/// A block of documents and the trees that score it.
struct Blended {
  std::vector<Tree> trees;
  std::vector<float> x;
  std::size_t n_features;

  /// By blending, starting at 1.
  [[nodiscard]] std::vector<double> Scores(std::size_t first, std::size_t last) const {
    std::vector<TwoWayTree> two_way;
    std::vector<std::pair<FeatureId, float>> splits;
    for (const Tree& tree : trees) {
      two_way.emplace_back(tree, 0.3);
      for (const auto& node : two_way.back().nodes) {
        splits.emplace_back(node.feature, node.threshold);
      }
    }
    const RankCodes codes(splits);
    BlendedTrees blended;
    for (const TwoWayTree& tree : two_way) blended.Add(tree, codes);
    std::vector<BlockBytes> out(codes.n_columns());
    std::vector<BlockBytes> nans(codes.n_columns());
    const bool has_nan =
        codes.Encode({x.data(), kBlock, n_features, n_features}, out.data(), nans.data());
    BlendSlots slots;
    std::vector<double> scores;
    for (const Isa isa : kIsas) {
      if (!HasIsa(isa)) continue;
      const std::vector<double> before = std::exchange(scores, std::vector<double>(kBlock, 1.0));
      blended.AddScores(isa, first, last, out.data(), has_nan ? nans.data() : nullptr, slots.data(),
                        scores.data());
      CHECK((before.empty() || before == scores));
    }
    return scores;
  }

  /// By the trees' own walk.
  [[nodiscard]] std::vector<double> Expected(std::size_t first, std::size_t last) const {
    std::vector<double> scores(kBlock, 1.0);
    for (std::size_t t = first; t < last; ++t) {
      for (std::size_t j = 0; j < kBlock; ++j) {
        scores[j] += Group::Contribution(0.3, trees[t].Value(x.data() + j * n_features));
      }
    }
    return scores;
  }
};

}  // namespace

TEST_CASE("a stump parts the documents of a block") {
  Tree stump;
  stump.nodes = {{0, 31.5F, ~0, ~1, ~1}};
  stump.leaves = {10.0F, 20.0F};
  Blended blended{{stump}, {}, 1};
  for (std::size_t j = 0; j < kBlock; ++j) blended.x.push_back(static_cast<float>(j));
  const std::vector<double> scores = blended.Scores(0, 1);
  for (std::size_t j = 0; j < kBlock; ++j) CHECK(scores[j] == (j < 32 ? 4.0 : 7.0));
}

TEST_CASE("random trees give blocks what walks do, with NaN and without") {
  Rng rng(43);
  for (const std::uint32_t nan_in : {0U, 3U}) {
    for (const bool degenerate : {false, true}) {
      testing::TreeStyle style;
      style.n_thresholds = 400;
      style.degenerate = degenerate;
      Blended blended{{}, testing::TrickyFeatures(kBlock * 4, style, nan_in, rng), 4};
      for (int t = 0; t < 21; ++t) {
        blended.trees.push_back(testing::StyledTree(1 + rng.Below(100), style, rng));
      }
      CHECK(blended.Scores(0, 21) == blended.Expected(0, 21));
      CHECK(blended.Scores(5, 14) == blended.Expected(5, 14));
      CHECK(blended.Scores(7, 7) == blended.Expected(7, 7));
    }
  }
}

TEST_CASE("256 leaves fit, 257 do not") {
  Rng rng(44);
  testing::TreeStyle style;
  style.own_missing = false;
  Blended blended{{}, testing::TrickyFeatures(kBlock * 4, style, 4, rng), 4};
  blended.trees.push_back(testing::StyledTree(256, style, rng));
  CHECK(blended.Scores(0, 1) == blended.Expected(0, 1));
  const RankCodes codes({{0, 1.0F}});
  CHECK(BlendedTrees::CanHold(TwoWayTree(blended.trees[0], 1.0), codes));
  CHECK_FALSE(BlendedTrees::CanHold(TwoWayTree(testing::StyledTree(257, style, rng), 1.0), codes));
}

}  // namespace rankforest::detail
