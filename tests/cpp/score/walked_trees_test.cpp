#include "rankforest/score/walked_trees.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/scored_trees.hpp"
#include "support/special_floats.hpp"

namespace rankforest::detail {

using testing::kInf;

namespace {

constexpr FeatureId kFeatures = 5;

std::vector<double> Expected(const std::vector<Tree>& trees, std::size_t first, std::size_t last,
                             const FeatureMatrix& rows) {
  std::vector<double> scores(rows.n_rows, 1.0);
  for (std::size_t t = first; t < last; ++t) {
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
      scores[i] += Group::Contribution(0.3, trees[t].Value(rows.Row(i)));
    }
  }
  return scores;
}

WalkedFeatures AllFeatures() { return WalkedFeatures({4, 3, 2, 1, 0}); }

template <class Entry>
std::vector<double> Walked(const std::vector<Tree>& trees, std::size_t first, std::size_t last,
                           const FeatureMatrix& rows) {
  WalkedTrees<Entry> walked;
  for (const Tree& tree : trees) walked.Add(TwoWayTree(tree, 0.3), AllFeatures());
  WalkedRows laid_out;
  laid_out.Fill(AllFeatures(), rows);
  std::vector<double> scores(rows.n_rows, 1.0);
  walked.AddScores(first, last, laid_out, scores.data());
  return scores;
}

}  // namespace

TEST_CASE("any number of documents is given what the trees' own walks give") {
  Rng rng(45);
  testing::TreeStyle style;
  style.n_features = kFeatures;
  std::vector<Tree> trees;
  for (int t = 0; t < 31; ++t) trees.push_back(testing::StyledTree(1 + rng.Below(300), style, rng));
  for (const std::uint32_t nan_in : {0U, 4U}) {
    for (const std::size_t n_rows : {0U, 1U, 11U, 12U, 13U, 40U}) {
      const std::vector<float> x = testing::TrickyFeatures(n_rows * 7, style, nan_in, rng);
      const FeatureMatrix rows{x.data(), n_rows, kFeatures, 7};
      CHECK(Walked<NarrowEntry>(trees, 0, 31, rows) == Expected(trees, 0, 31, rows));
      CHECK(Walked<WideEntry>(trees, 0, 31, rows) == Expected(trees, 0, 31, rows));
      CHECK(Walked<NarrowEntry>(trees, 3, 12, rows) == Expected(trees, 3, 12, rows));
    }
  }
}

TEST_CASE("a leaf that adds an infinite number is no end of the walk's way") {
  Tree stump;
  stump.nodes = {{0, 1.0F, ~0, ~1, ~0}};
  stump.leaves = {-3e38F, 3e38F};
  WalkedTrees<NarrowEntry> walked;
  const WalkedFeatures features({0});
  walked.Add(TwoWayTree(stump, 10.0), features);  // beyond float32
  const std::vector<float> x{-1e38F, 1e38F};
  WalkedRows rows;
  rows.Fill(features, {x.data(), 2, 1, 1});
  std::vector<double> scores(2);
  walked.AddScores(0, 1, rows, scores.data());
  CHECK(scores == std::vector<double>{-kInf, kInf});
}

TEST_CASE("narrow entries hold what fits their bits, and no more") {
  CHECK(NarrowEntry::CanHold(1023, 2097151));
  CHECK_FALSE(NarrowEntry::CanHold(1024, 1));
  CHECK_FALSE(NarrowEntry::CanHold(0, 2097152));
  const NarrowEntry entry = NarrowEntry::Node({7, 0.5F, true}, 1023, 2097151);
  CHECK(entry.feature() == 1023);
  CHECK(entry.offset() == 2097151);
  CHECK(entry.nan_right());
  CHECK(sizeof(NarrowEntry) == 8);
}

TEST_CASE("an entry for each node and leaf, and one for the tree, is all the memory") {
  Rng rng(46);
  WalkedTrees<NarrowEntry> walked;
  const Tree tree = testing::StyledTree(100, {}, rng);
  walked.Add(TwoWayTree(tree, 1.0), AllFeatures());
  CHECK(walked.size() == 1);
  walked.ShrinkToFit();
  CHECK(walked.n_bytes() == 8 * (2 * tree.leaves.size() - 1) + 8);  // and where the tree begins
}

}  // namespace rankforest::detail
