#include "rankforest/split/threshold.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/newton.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using testing::kNaN;
using testing::SmallNode;
using Stats = Newton::Stats;

namespace {

template <class Threshold>
Split<Stats> Find(const SmallNode& node, const SplitRules& rules, const Rng& rng = Rng(0),
                  const Newton& newton = {}, FeatureId feature = 0) {
  ColumnScratch<Stats> scratch;
  NodeColumn<Newton> column(node.column, node.node(), scratch);
  Split<Stats> best;
  Threshold().Find(Newton::Scaled(newton, {}), column, feature, node.Total(), rules, rng, best);
  return best;
}

/// The best split of the node with `threshold`, by trying every placement of its NaN.
Split<Stats> Try(const SmallNode& node, const SplitRules& rules, float threshold,
                 const Newton& newton, Split<Stats> best) {
  const auto is_left = [&](std::size_t i) {
    return !node.IsMissing(i) && node.Value(i) <= threshold;
  };
  const auto is_right = [&](std::size_t i) {
    return !node.IsMissing(i) && node.Value(i) > threshold;
  };
  Split<Stats> at;
  at.threshold = threshold;
  ConsiderPlacements(Newton::Scaled(newton, {}), rules, at, node.Sum(is_left), node.Sum(is_right),
                     node.Sum([&](std::size_t i) { return node.IsMissing(i); }), best);
  return best;
}

/// The best split of the node: every midpoint, and all values against NaN.
Split<Stats> NaiveBest(const SmallNode& node, const SplitRules& rules, const Newton& newton) {
  std::set<float> values;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    if (!node.IsMissing(i)) values.insert(node.Value(i));
  }
  Split<Stats> best;
  for (auto value = values.begin(); value != values.end(); ++value) {
    const float threshold = std::next(value) == values.end() ? std::numeric_limits<float>::max()
                                                             : (*value + *std::next(value)) / 2.0F;
    best = Try(node, rules, threshold, newton, best);
  }
  return best;
}

SplitRules RandomRules(Rng& rng) {
  return {1 + rng.Below(4), rng.Below(2) * 0.75,
          rng.Below(2) == 0 ? MissingRule::kLearn : MissingRule::kThird};
}

void CheckSame(const Split<Stats>& found, const Split<Stats>& expected) {
  CHECK(found.gain == expected.gain);
  if (!expected.exists()) return;
  CHECK(found.threshold == expected.threshold);
  CHECK(found.missing == expected.missing);
  CHECK(found.saw_missing == expected.saw_missing);
  CHECK(Equal(found.left, expected.left));
  CHECK(Equal(found.right, expected.right));
  CHECK(Equal(found.own, expected.own));
}

}  // namespace

TEST_CASE("the best threshold is in the middle of the gap of the largest gain") {
  // The three boundaries gain 16/3, 16 and 16/3.
  const SmallNode node({1.0F, 2.0F, 4.0F, 8.0F}, {0, 0, 4, 4});
  const Split<Stats> split = Find<BestThreshold>(node, {});
  CHECK(split.gain == doctest::Approx(16.0));
  CHECK(split.threshold == 3.0F);
  CHECK(split.cut == 1);
  CHECK(split.missing == MissingTo::kLeft);
  CHECK_FALSE(split.saw_missing);
  CHECK(Equal(split.left, {0, 2, 2}));
  CHECK(Equal(split.right, {-8, 2, 2}));
}

TEST_CASE("the gap is between neighbouring values of the node, not of the data set") {
  SmallNode node({1.0F, 2.0F, 3.0F, 9.0F}, {0, 1, 2, 4});
  node.rows = {0, 3};
  node.targets = {{0, 1}, {-4, 1}};
  node.counts = {1, 1};
  CHECK(Find<BestThreshold>(node, {}).threshold == 5.0F);
}

TEST_CASE("of equal gains the lowest threshold wins") {
  // 1 | 0 1 and 1 0 | 1 gain the same.
  CHECK(Find<BestThreshold>(SmallNode({1.0F, 2.0F, 3.0F}, {1, 0, 1}), {}).threshold == 1.5F);
  // Missing right at the low threshold gains as much as missing left at the high one.
  const SmallNode node({1.0F, 2.0F, 3.0F, kNaN}, {2, 0, 2, 0});
  CHECK(Find<BestThreshold>(node, {}).threshold == 1.5F);
  CHECK(Find<BestThreshold>(node, {}).missing == MissingTo::kRight);
}

TEST_CASE("a split may tell values from NaN alone") {
  const SmallNode node({1.0F, 2.0F, kNaN, kNaN}, {3, 3, 0, 0});
  const Split<Stats> split = Find<BestThreshold>(node, {});
  CHECK(split.threshold == std::numeric_limits<float>::max());
  CHECK(split.missing == MissingTo::kRight);
  CHECK(split.gain == doctest::Approx(9.0));
  CHECK(split.cut == 1);
  CHECK(split.saw_missing);
}

TEST_CASE("a node that one feature cannot tell apart has no split by it") {
  CHECK_FALSE(Find<BestThreshold>(SmallNode({1.0F, 1.0F}, {0, 3}), {}).exists());
  CHECK_FALSE(Find<BestThreshold>(SmallNode({kNaN, kNaN}, {0, 3}), {}).exists());
  CHECK_FALSE(Find<RandomThreshold>(SmallNode({1.0F, 1.0F}, {0, 3}), {}).exists());
  CHECK_FALSE(Find<RandomThreshold>(SmallNode({kNaN, kNaN}, {0, 3}), {}).exists());
}

TEST_CASE("the scan finds the best of all boundaries and placements, on random nodes") {
  Rng rng(242);
  for (int trial = 0; trial < 1500; ++trial) {
    const SmallNode node(1 + rng.Below(20), 1 + rng.Below(12), rng.Below(2) == 0, rng);
    const SplitRules rules = RandomRules(rng);
    const Newton newton{rng.Below(2) * 0.5, rng.Below(2) * 4.0};
    INFO("trial ", trial);
    CheckSame(Find<BestThreshold>(node, rules, Rng(0), newton), NaiveBest(node, rules, newton));
  }
}

TEST_CASE("a search keeps the better one of its find and what it is given") {
  const SmallNode node({1.0F, 2.0F}, {0, 4});  // gain 8
  for (const double gain : {7.0, 8.0, 9.0}) {
    for (const FeatureId feature : {2U, 4U}) {
      ColumnScratch<Stats> scratch;
      NodeColumn<Newton> column(node.column, node.node(), scratch);
      Split<Stats> best;
      best.gain = gain;
      best.feature = feature;
      BestThreshold().Find(Newton::Scaled(), column, 3, node.Total(), {}, Rng(0), best);
      CHECK((best.feature == 3) == (gain < 8.0 || (gain == 8.0 && feature == 4)));
    }
  }
}

TEST_CASE("a random threshold splits as it says, between the node's values") {
  Rng rng(243);
  int splits = 0;
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    const SmallNode node(2 + rng.Below(20), 1 + rng.Below(12), rng.Below(2) == 0, rng);
    const SplitRules rules = RandomRules(rng);
    const Split<Stats> found = Find<RandomThreshold>(node, rules, Rng(trial));
    if (!found.exists()) continue;
    ++splits;
    float low = std::numeric_limits<float>::max();
    float high = -low;
    for (std::size_t i = 0; i < node.rows.size(); ++i) {
      if (node.IsMissing(i)) continue;
      low = std::min(low, node.Value(i));
      high = std::max(high, node.Value(i));
    }
    INFO("trial ", trial);
    CHECK(low <= found.threshold);
    CHECK(found.threshold < high);
    CheckSame(found, Try(node, rules, found.threshold, {}, {}));
    CHECK(node.column.values[found.cut] <= found.threshold);
    CHECK(node.column.values[found.cut + 1] > found.threshold);
  }
  CHECK(splits > 300);
}

TEST_CASE("random thresholds are uniform over the node's range, and other for other features") {
  const SmallNode node({-2.0F, 6.0F, 1.0F}, {0, 4, 1});
  std::vector<int> eighths(8);
  std::set<float> distinct;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const float threshold = Find<RandomThreshold>(node, {}, Rng(seed)).threshold;
    ++eighths[static_cast<std::size_t>(threshold + 2.0F)];
    distinct.insert(threshold);
    distinct.insert(Find<RandomThreshold>(node, {}, Rng(seed), {}, 1).threshold);
  }
  // 500 expected; the standard deviation is 21.
  for (const int count : eighths) CHECK(std::abs(count - 500) < 110);
  CHECK(distinct.size() > 7990);
}

TEST_CASE("a random threshold between neighbouring floats is the lower one") {
  const float next = std::nextafter(1.0F, 2.0F);
  const SmallNode node({1.0F, next}, {0, 4});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CHECK(Find<RandomThreshold>(node, {}, Rng(seed)).threshold == 1.0F);
  }
}

TEST_CASE("empty cells make no boundary: the gap reaches over them") {
  // Codes 0 to 5 of which the node has 1, 3 and 4; as a histogram has a cell for each.
  struct Cells {
    std::vector<Stats> all;
    Stats nan = {};
    void Sort() {}
    [[nodiscard]] Span<const Stats> cells() const { return all; }
    [[nodiscard]] Code CodeOf(std::size_t cell) const { return static_cast<Code>(cell); }
    [[nodiscard]] Stats missing() const { return nan; }
    [[nodiscard]] float Lowest(Code code) const { return static_cast<float>(code) * 10.0F; }
    [[nodiscard]] float Highest(Code code) const { return static_cast<float>(code) * 10.0F + 4.0F; }
    [[nodiscard]] float Largest() const { return Highest(static_cast<Code>(all.size() - 1)); }
  };
  Cells column{{{}, {0, 2, 2}, {}, {-4, 1, 1}, {-4, 1, 1}, {}}};
  Split<Stats> best;
  BestThreshold().Find(Newton::Scaled(), column, 0, Stats{-8, 4, 4}, {}, Rng(0), best);
  CHECK(best.gain == doctest::Approx(16.0));
  CHECK(best.cut == 1);
  CHECK(best.threshold == 22.0F);  // between 14 and 30
  CHECK(Equal(best.left, {0, 2, 2}));
  Cells one{{{}, {-4, 2, 2}, {}}};
  Split<Stats> none;
  BestThreshold().Find(Newton::Scaled(), one, 0, Stats{-4, 2, 2}, {}, Rng(0), none);
  CHECK_FALSE(none.exists());
  // Before the first value there is no boundary either: what gains is to tell NaN from values.
  Cells with_missing{{{}, {4, 1, 1}, {4, 1, 1}}, {-8, 2, 2}};
  Split<Stats> apart;
  BestThreshold().Find(Newton::Scaled(), with_missing, 0, Stats{0, 4, 4}, {}, Rng(0), apart);
  CHECK(apart.gain == doctest::Approx(64.0));
  CHECK(apart.threshold == std::numeric_limits<float>::max());
  CHECK(apart.cut == 2);
  CHECK(Equal(apart.left, {8, 2, 2}));
  CHECK(AboveAll(3.0F) == std::numeric_limits<float>::max());
  CHECK(AboveAll(std::numeric_limits<float>::max()) == std::numeric_limits<float>::infinity());
  Cells nothing{{{}, {}}};
  BestThreshold().Find(Newton::Scaled(), nothing, 0, Stats{}, {}, Rng(0), none);
  CHECK_FALSE(none.exists());
}

TEST_CASE("a threshold drawn inside a bin moves to its highest value: bins go as a whole") {
  BinnedColumn binned;
  binned.bins = FeatureBins({1.5F, 6.5F}, 0);
  binned.bins.Widen(0, 0.0F, 1.0F);
  binned.bins.Widen(1, 2.0F, 6.0F);
  binned.bins.Widen(2, 7.0F, 8.0F);
  binned.codes = {0, 1, 1, 2};
  SmallNode node({0.0F, 3.0F, 6.0F, 8.0F}, {0, 1, 4, 9});
  std::set<float> inside;
  std::set<float> between;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    ColumnScratch<Stats> scratch;
    NodeColumn<Newton, BinnedColumn> column(binned, node.node(), scratch);
    Split<Stats> split;
    RandomThreshold().Find(Newton::Scaled(), column, 0, node.Total(), {}, Rng(seed), split);
    REQUIRE(split.exists());
    REQUIRE(split.cut < 2);
    const float highest = binned.Highest(split.cut);
    CHECK(highest <= split.threshold);
    CHECK(split.threshold < binned.Lowest(split.cut + 1U));
    (split.threshold == highest ? inside : between).insert(split.threshold);
    CHECK(Equal(split.left,
                node.Sum([&](std::size_t i) { return binned.codes[node.rows[i]] <= split.cut; })));
  }
  CHECK(inside == std::set<float>{1.0F, 6.0F});
  CHECK(between.size() > 50);  // 2/8 of the range lies between bins
}

}  // namespace rankforest
