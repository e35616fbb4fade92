#include "rankforest/core/validate_tree.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace rankforest {

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// Node 0: leaf 0, node 1, leaf 3. Node 1: leaf 1, leaf 2, missing goes right.
Tree ThreeWayTree() {
  Tree tree;
  tree.nodes = {{0, 1.0F, ~0, 1, ~3}, {1, -2.0F, ~1, ~2, ~2}};
  tree.leaves = {10.0F, 20.0F, 30.0F, 40.0F};
  tree.gains = {2.0F, 1.0F};
  return tree;
}

/// What ValidateTree says of the tree after `change`; empty if it is content.
std::string Complaint(const std::function<void(Tree&)>& change, double weight = 1.0) {
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
  CHECK(Complaint([](Tree&) {}) == "");
  CHECK(Complaint([](Tree& tree) { tree.gains.clear(); }) == "");
  CHECK(Complaint([](Tree& tree) {
          tree = Tree{};
          tree.leaves = {1.0F};
        }) == "");
}

TEST_CASE("numbers out of range are named") {
  CHECK(Complaint([](Tree& tree) { tree.nodes[1].feature = 2; }) ==
        "node 1: the feature is 2, expected one of the model's 2");
  CHECK(Complaint([](Tree& tree) { tree.nodes[1].threshold = kNan; }) ==
        "node 1: the threshold is nan, expected a finite number");
  CHECK(Complaint([](Tree& tree) { tree.nodes[0].threshold = -kInf; }) ==
        "node 0: the threshold is -inf, expected a finite number");
  CHECK(Complaint([](Tree& tree) { tree.gains[1] = kInf; }) ==
        "node 1: the gain is inf, expected a finite number");
  CHECK(Complaint([](Tree& tree) { tree.gains.pop_back(); }) ==
        "has 1 gains, expected 2, one per node, or none");
  CHECK(Complaint([](Tree& tree) { tree = Tree{}; }) == "has no leaf");
}

TEST_CASE("leaf values times the weight must be finite float32") {
  CHECK(Complaint([](Tree& tree) { tree.leaves[2] = kNan; }) ==
        "leaf 2: weight x value is nan, expected a finite float32");
  CHECK(Complaint([](Tree& tree) { tree.leaves[2] = -kInf; }, 1e-300) ==
        "leaf 2: weight x value is -inf, expected a finite float32");
  CHECK(Complaint([](Tree& tree) { tree.leaves[2] = kInf; }, 0.0) != "");
  CHECK(Complaint([](Tree& tree) { tree.leaves[2] = 1e20F; }, 1e20) != "");
  CHECK(Complaint([](Tree& tree) { tree.leaves[2] = 3e38F; }, 1.0) == "");
}

}  // namespace rankforest
