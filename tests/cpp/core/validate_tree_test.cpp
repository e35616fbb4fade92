#include "rankforest/core/validate_tree.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "support/hand_made_trees.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;
using testing::ThreeWayTree;

namespace {

/// What ValidateTree says of the tree after `change`; empty if it is content.
std::string TreeComplaint(const std::function<void(Tree&)>& change, double weight = 1.0) {
  Tree tree = ThreeWayTree();
  change(tree);
  try {
    ValidateTree(tree, 2, weight);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a good tree passes, with gains and without") {
  CHECK(TreeComplaint([](Tree&) {}) == "");
  CHECK(TreeComplaint([](Tree& tree) { tree.gains.clear(); }) == "");
  CHECK(TreeComplaint([](Tree& tree) {
          tree = Tree{};
          tree.leaves = {1.0F};
        }) == "");
}

TEST_CASE("numbers out of range are named") {
  CHECK(TreeComplaint([](Tree& tree) { tree.nodes[1].feature = 2; }) ==
        "node 1: the feature is 2, expected one of the model's 2");
  CHECK(TreeComplaint([](Tree& tree) { tree.nodes[1].threshold = kNaN; }) ==
        "node 1: the threshold is nan, expected a finite number or inf");
  CHECK(TreeComplaint([](Tree& tree) { tree.nodes[0].threshold = -kInf; }) ==
        "node 0: the threshold is -inf, expected a finite number or inf");
  CHECK(TreeComplaint([](Tree& tree) { tree.nodes[0].threshold = kInf; }) == "");
  CHECK(TreeComplaint([](Tree& tree) { tree.gains[1] = kInf; }) ==
        "node 1: the gain is inf, expected a finite number");
  CHECK(TreeComplaint([](Tree& tree) { tree.gains.pop_back(); }) ==
        "has 1 gains, expected 2, one per node, or none");
  CHECK(TreeComplaint([](Tree& tree) { tree = Tree{}; }) == "has no leaf");
}

TEST_CASE("leaf values times the weight must be finite float32") {
  CHECK(TreeComplaint([](Tree& tree) { tree.leaves[2] = kNaN; }) ==
        "leaf 2: weight x value is nan, expected a finite float32");
  CHECK(TreeComplaint([](Tree& tree) { tree.leaves[2] = -kInf; }, 1e-300) ==
        "leaf 2: weight x value is -inf, expected a finite float32");
  CHECK(TreeComplaint([](Tree& tree) { tree.leaves[2] = kInf; }, 0.0) != "");
  CHECK(TreeComplaint([](Tree& tree) { tree.leaves[2] = 1e20F; }, 1e20) != "");
  CHECK(TreeComplaint([](Tree& tree) { tree.leaves[2] = 3e38F; }, 1.0) == "");
}

}  // namespace rankforest
