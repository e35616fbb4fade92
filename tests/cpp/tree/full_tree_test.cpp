#include "rankforest/tree/full_tree.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "rankforest/core/validate_tree.hpp"
#include "rankforest/criterion/newton.hpp"

namespace rankforest {

namespace {

using Stats = Newton::Stats;

Split<Stats> Question(FeatureId feature, float threshold, MissingTo missing) {
  Split<Stats> question;
  question.gain = 1.0;
  question.feature = feature;
  question.threshold = threshold;
  question.missing = missing;
  return question;
}

}  // namespace

TEST_CASE("a node that was not divided stands on both sides, and its gain counts once") {
  // The root is divided at level 0. Of its children the left one stays whole at level 1 and is
  // divided at level 2; the right one is divided at level 1, and neither part of it further.
  const std::vector<Split<Stats>> questions = {Question(0, 1.0F, MissingTo::kLeft),
                                               Question(3, 2.0F, MissingTo::kRight),
                                               Question(5, 3.0F, MissingTo::kLeft)};
  GrowingTree<Stats> growing(7);
  const auto divide = [&](std::uint32_t node, double gain, std::uint32_t left) {
    growing[node].is_split = true;
    growing[node].split.gain = gain;
    growing[node].children = {left, left + 1, left};
  };
  divide(0, 8.0, 1);
  divide(2, 4.0, 3);
  divide(1, 2.0, 5);
  growing[3].value = 0.3F;
  growing[4].value = 0.4F;
  growing[5].value = 0.5F;
  growing[6].value = 0.6F;
  for (std::uint32_t i = 3; i < 7; ++i) growing[i].n_documents = i;
  const Tree tree = FullTree(growing, questions, {0, 2, 1});
  ValidateTree(tree, 6, 1.0);
  CHECK(tree.leaves == std::vector<float>{0.5F, 0.6F, 0.5F, 0.6F, 0.3F, 0.3F, 0.4F, 0.4F});
  CHECK(tree.counts == std::vector<std::uint32_t>{5, 6, 0, 0, 3, 0, 4, 0});
  // In pre-order: root, left, its two, right, its two.
  CHECK(tree.gains == std::vector<float>{8, 0, 2, 0, 4, 0, 0});
  const std::vector<Tree::Node> expected = {
      {0, 1.0F, 1, 4, 1}, {3, 2.0F, 2, 3, 3},    {5, 3.0F, ~0, ~1, ~0}, {5, 3.0F, ~2, ~3, ~2},
      {3, 2.0F, 5, 6, 6}, {5, 3.0F, ~4, ~5, ~4}, {5, 3.0F, ~6, ~7, ~6}};
  CHECK(tree.nodes == expected);
}

TEST_CASE("without a question the tree is one leaf") {
  GrowingTree<Stats> growing(1);
  growing[0].value = 2.5F;
  const Tree tree = FullTree<Stats>(growing, {}, {});
  CHECK(tree.nodes.empty());
  CHECK(tree.leaves == std::vector<float>{2.5F});
}

}  // namespace rankforest
