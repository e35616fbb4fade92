#include "rankforest/io/lightgbm_tree.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/tree_shape.hpp"
#include "support/lightgbm_model.hpp"

namespace rankforest::detail {

namespace {

Tree Read(const std::string& text, std::int64_t n_features = 5) {
  LineReader in(text);
  const KeyedLines lines("tree 0", in);
  return LightGbmTree(lines, n_features).ToTree();
}

/// The root tests column 4; its left child, node 1, tests column 1.
constexpr const char* kSmall =
    "num_leaves=3\nnum_cat=0\nsplit_feature=4 1\nsplit_gain=12 3\n"
    "threshold=0.50000000000000011 -2.5\ndecision_type=2 8\nleft_child=1 -2\nright_child=-1 -3\n"
    "leaf_value=-0.25 0.5 2\n";

/// kSmall with a part replaced, which it has once.
std::string SmallTree(const std::string& part, const std::string& replacement) {
  std::string text = kSmall;
  text.replace(text.find(part), part.size(), replacement);
  return text;
}

void CheckTreeRefused(const std::string& text, const char* message) {
  CHECK_THROWS_WITH_AS(Read(text), message, std::invalid_argument);
}

}  // namespace

TEST_CASE("a tree is read, in pre-order, with sides and gains") {
  Tree expected;
  expected.nodes = {{4, 0.5F, 1, ~2, 1}, {1, -2.5F, ~0, ~1, ~1}};
  expected.leaves = {0.5F, 2.0F, -0.25F};
  expected.gains = {12.0F, 3.0F};
  CHECK(Read(kSmall) == expected);
  expected.gains.clear();
  CHECK(Read(SmallTree("split_gain=12 3\n", "")) == expected);
}

TEST_CASE("an infinite threshold divides numbers from NaN") {
  const Tree tree = Read(SmallTree("threshold=0.50000000000000011", "threshold=inf"));
  CHECK(tree.nodes[0].threshold == std::numeric_limits<float>::infinity());
}

TEST_CASE("a tree of one leaf needs nothing but its value") {
  Tree leaf;
  leaf.leaves = {0.5F};
  CHECK(Read("num_leaves=1\nleaf_value=0.5\n") == leaf);
  CHECK(Read("num_leaves=1\nsplit_feature=\nthreshold=\nleaf_value=0.5\nleaf_weight=\n") == leaf);
}

TEST_CASE("a tree as deep as it has nodes is read") {
  constexpr int kNodes = 100000;
  testing::LightGbmArrays list;
  for (int n = 0; n < kNodes; ++n) {
    list.split_feature.push_back(0);
    list.threshold.push_back(n);
    list.decision_type.push_back(0);
    list.left_child.push_back(~n);
    list.right_child.push_back(n + 1 < kNodes ? n + 1 : ~kNodes);
    list.leaf_value.push_back(n);
  }
  list.leaf_value.push_back(kNodes);
  const std::string text = testing::LightGbmTreeText(0, list);
  const Tree tree = Read(text.substr(text.find('\n') + 1));
  const float x = 77777.5F;
  CHECK(tree.Value(&x) == 77778.0F);
}

TEST_CASE("documents reach the leaves that LightGBM's rules lead to, in trees that are valid") {
  Rng rng(73);
  for (int trial = 0; trial < 60; ++trial) {
    const testing::LightGbmArrays arrays = testing::RandomLightGbmTree(5, 1 + rng.Below(40), rng);
    const std::string text = testing::LightGbmTreeText(0, arrays);
    const Tree tree = Read(text.substr(text.find('\n') + 1));
    RequirePreOrder(tree);
    for (int document = 0; document < 40; ++document) {
      std::vector<float> x(5);
      for (float& value : x) {
        value = static_cast<float>(3.0 * (rng.Uniform() - 0.5));
        const std::uint32_t kind = rng.Below(8);
        if (kind == 0) value = std::numeric_limits<float>::quiet_NaN();
        if (kind == 1) value = 0.0F;
      }
      const std::size_t leaf = testing::LightGbmLeafOf(arrays, x.data());
      CHECK(tree.Value(x.data()) == static_cast<float>(arrays.leaf_value[leaf]));
    }
  }
}

TEST_CASE("kinds of trees that cannot be held are refused by name") {
  CheckTreeRefused(SmallTree("num_cat=0", "num_cat=1"),
                   "line 2: tree 0 has categorical splits (num_cat: '1'), which cannot be read");
  CheckTreeRefused(
      std::string(kSmall) + "is_linear=1\n",
      "line 10: tree 0 has linear models in its leaves (is_linear: '1'), which cannot be "
      "read");
  CheckTreeRefused(
      SmallTree("=2 8", "=2 9"),
      "line 6: node 1 of tree 0 is a categorical split (decision_type 9), which cannot be "
      "read");
  CheckTreeRefused(
      SmallTree("=2 8", "=4 8"),
      "line 6: node 0 of tree 0 sends zeros right and numbers below and above them left "
      "(decision_type 4, threshold 0.50000000000000011), which no split here does");
  CheckTreeRefused(
      SmallTree("=2 8", "=2 6"),
      "line 6: node 1 of tree 0 sends zeros left and numbers below and above them right "
      "(decision_type 6, threshold -2.5), which no split here does");
  CheckTreeRefused(
      SmallTree("-2.5", "-1e300"),
      "line 5: node 1 of tree 0 has the threshold -1.0000000000000001e+300, expected one "
      "that is not below every finite float32");
}

TEST_CASE("children that make no tree are refused") {
  CheckTreeRefused(
      SmallTree("left_child=1", "left_child=0"),
      "line 7: left_child of node 0 of tree 0 is 0, the root, expected a child that no "
      "other node has");
  CheckTreeRefused(
      SmallTree("left_child=1 -2", "left_child=1 1"),
      "line 7: left_child of node 1 of tree 0 is 1, expected a child that no other node "
      "has");
  CheckTreeRefused(
      SmallTree("right_child=-1 -3", "right_child=-1 -1"),
      "line 8: right_child of node 0 of tree 0 is -1, expected a child that no other node "
      "has");
  CheckTreeRefused(SmallTree("left_child=1", "left_child=2"),
                   "line 7: left_child: found '2', expected a whole number from -3 to 1");
  CheckTreeRefused(SmallTree("right_child=-1", "right_child=-4"),
                   "line 8: right_child: found '-4', expected a whole number from -3 to 1");
  // Node 1 is its own child, apart from the root.
  CheckTreeRefused(
      SmallTree("left_child=1 -2\nright_child=-1 -3", "left_child=-2 1\nright_child=-1 -3"),
      "line 7: node 1 of tree 0 is no node's child");
}

TEST_CASE("numbers and counts that are wrong are refused") {
  CheckTreeRefused(SmallTree("num_leaves=3", "num_leaves=4"),
                   "line 3: split_feature has 2 values, expected 3 in tree 0");
  CheckTreeRefused(SmallTree("num_leaves=3", "num_leaves=2147483647"),
                   "line 3: split_feature has 2 values, expected 2147483646 in tree 0");
  CheckTreeRefused(SmallTree("num_leaves=3", "num_leaves=0"),
                   "line 1: num_leaves: found '0', expected a whole number from 1 to 2147483647");
  CheckTreeRefused(SmallTree("=-0.25 0.5 2", "=-0.25 0.5"),
                   "line 9: leaf_value has 2 values, expected 3 in tree 0");
  CheckTreeRefused(SmallTree("-2.5", "nan"), "line 5: threshold: found 'nan', expected a number");
  CheckTreeRefused(SmallTree("=-0.25", "=1e39"),
                   "line 9: leaf_value: found '1e39', expected a number that float32 can hold");
  CheckTreeRefused(SmallTree("split_feature=4", "split_feature=5"),
                   "line 3: split_feature: found '5', expected a whole number from 0 to 4");
  CheckTreeRefused(SmallTree("=2 8", "=2 12"),
                   "line 6: decision_type: found '12', expected a whole number from 0 to 11");
  CheckTreeRefused(SmallTree("threshold=0.50000000000000011 -2.5\n", ""),
                   "line 1: tree 0 has no line 'threshold'");
}

}  // namespace rankforest::detail
