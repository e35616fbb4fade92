#include "rankforest/tree/growth_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/growing_trees.hpp"

namespace rankforest {

using testing::NoStats;
using testing::PathKey;
using testing::RandomGrowingTree;
using testing::SmallTree;
using testing::SplitNode;

namespace {

std::vector<std::uint32_t> PopAll(Frontier<NoStats>& frontier) {
  std::vector<std::uint32_t> order;
  while (!frontier.empty()) order.push_back(frontier.Pop());
  return order;
}

}  // namespace

TEST_CASE("best first takes the largest gain, depth-wise the next of the level") {
  SmallTree tree(1);
  SplitNode(tree, 0, MissingTo::kLeft);  // 1 2
  SplitNode(tree, 1, MissingTo::kOwn);   // 3 4 5
  const std::vector<double> gains = {0, 0, 2, 2, 5, 2};
  for (std::uint32_t i = 0; i < gains.size(); ++i) tree[i].split.gain = gains[i];
  Frontier<NoStats> best(GrowPolicy::kBestFirst, tree);
  Frontier<NoStats> level(GrowPolicy::kDepthWise, tree);
  for (const std::uint32_t node : {5U, 3U, 4U, 2U}) {
    best.Push(node);
    level.Push(node);
  }
  CHECK(PopAll(best) == std::vector<std::uint32_t>{4, 2, 3, 5});
  CHECK(PopAll(level) == std::vector<std::uint32_t>{2, 3, 4, 5});
  CHECK(best.empty());
}

TEST_CASE("without a policy the last node pushed comes first") {
  SmallTree tree(1);
  SplitNode(tree, 0, MissingTo::kLeft);  // 1 2
  SplitNode(tree, 1, MissingTo::kOwn);   // 3 4 5
  for (std::uint32_t i = 0; i < 6; ++i) tree[i].split.gain = i % 2;
  Frontier<NoStats> frontier(std::nullopt, tree);
  for (const std::uint32_t node : {5U, 3U, 4U, 2U}) frontier.Push(node);
  CHECK(frontier.Pop() == 2);
  frontier.Push(1);
  CHECK(PopAll(frontier) == std::vector<std::uint32_t>{1, 4, 3, 5});
}

TEST_CASE("the nodes that come first are kept, once the others are an eighth of them") {
  SmallTree tree(17);
  for (std::uint32_t i = 0; i < tree.size(); ++i) tree[i].split.gain = i;
  Frontier<NoStats> frontier(GrowPolicy::kBestFirst, tree);
  for (const std::uint32_t node : {8U, 1U, 16U, 4U, 2U, 7U, 5U, 3U, 6U}) frontier.Push(node);
  std::vector<std::uint32_t> dropped;
  const auto drop = [&](std::uint32_t node) { dropped.push_back(node); };
  frontier.KeepFirst(9, drop);
  frontier.KeepFirst(8, drop);  // one too many is not a reason yet
  CHECK(dropped.empty());
  frontier.KeepFirst(7, drop);
  std::sort(dropped.begin(), dropped.end());
  CHECK(dropped == std::vector<std::uint32_t>{1, 2});
  frontier.Push(9);
  CHECK(PopAll(frontier) == std::vector<std::uint32_t>{16, 9, 8, 7, 6, 5, 4, 3});
  for (const std::uint32_t node : {4U, 2U}) frontier.Push(node);
  frontier.KeepFirst(0, drop);
  CHECK(frontier.empty());
  CHECK(dropped.size() == 4);
}

TEST_CASE("what is kept is what would have come out first") {
  Rng rng(322);
  for (int trial = 0; trial < 100; ++trial) {
    const SmallTree tree = RandomGrowingTree(30, rng);
    for (const GrowPolicy policy : {GrowPolicy::kBestFirst, GrowPolicy::kDepthWise}) {
      Frontier<NoStats> all(policy, tree);
      Frontier<NoStats> some(policy, tree);
      for (std::uint32_t i = 0; i < tree.size(); ++i) {
        all.Push(i);
        some.Push(i);
      }
      std::set<std::uint32_t> dropped;
      const std::size_t n = rng.Below(static_cast<std::uint32_t>(tree.size()));
      some.KeepFirst(n, [&](std::uint32_t node) { dropped.insert(node); });
      std::vector<std::uint32_t> kept = PopAll(some);
      CHECK(kept.size() + dropped.size() == tree.size());
      CHECK(kept.size() >= n);
      CHECK(kept.size() <= n + n / 8);
      std::vector<std::uint32_t> order = PopAll(all);
      order.resize(kept.size());
      CHECK(kept == order);
      for (const std::uint32_t node : order) CHECK(dropped.count(node) == 0);
    }
  }
}

TEST_CASE("nodes come out sorted by gain and path, whatever order they went in") {
  Rng rng(321);
  for (int trial = 0; trial < 100; ++trial) {
    const SmallTree tree = RandomGrowingTree(15, rng);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < tree.size(); ++i) nodes.push_back(i);
    for (const GrowPolicy policy : {GrowPolicy::kBestFirst, GrowPolicy::kDepthWise}) {
      rng.Shuffle(Span<std::uint32_t>(nodes));
      Frontier<NoStats> frontier(policy, tree);
      for (const std::uint32_t node : nodes) frontier.Push(node);
      std::sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) {
        const bool by_gain = policy == GrowPolicy::kBestFirst;
        if (by_gain && tree[a].split.gain != tree[b].split.gain) {
          return tree[a].split.gain > tree[b].split.gain;
        }
        return PathKey(tree, a) < PathKey(tree, b);
      });
      CHECK(PopAll(frontier) == nodes);
    }
  }
}

TEST_CASE("a node that was passed waits with the others once it may be split") {
  SmallTree tree(17);
  for (std::uint32_t i = 0; i < tree.size(); ++i) tree[i].split.gain = i;
  Frontier<NoStats> frontier(GrowPolicy::kBestFirst, tree);
  for (const std::uint32_t node : {3U, 9U, 5U}) frontier.Push(node);
  for (const std::uint32_t node : {7U, 2U}) frontier.Pass(node);
  std::vector<std::uint32_t> all = frontier.All();
  std::sort(all.begin(), all.end());
  CHECK(all == std::vector<std::uint32_t>{2, 3, 5, 7, 9});
  tree[9].split.charge = 5.0;  // worth 4
  frontier.Reorder([](std::uint32_t node) { return node == 7; });
  CHECK(PopAll(frontier) == std::vector<std::uint32_t>{7, 5, 9, 3});
  CHECK(frontier.All() == std::vector<std::uint32_t>{2});
}

}  // namespace rankforest
