#include "rankforest/train/bag_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/train/monitor.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {
namespace {

/// A pool of members that give 4, 8 and 16 to every document.
Ensemble PoolOfConstants() {
  Ensemble pool;
  pool.n_features = 1;
  for (const float value : {4.0F, 8.0F, 16.0F}) {
    Tree tree;
    tree.leaves = {value};
    pool.members.push_back({0.0, {{1.0, Reduction::kSum, 1, {tree}}}});
  }
  return pool;
}

/// One tree that sends x <= threshold to `low`.
Member StumpAt(float threshold, float low, float high) {
  Tree tree;
  tree.nodes = {{0, threshold, ~0, ~1, ~0}};
  tree.leaves = {low, high};
  return {0.0, {{1.0, Reduction::kSum, 1, {tree}}}};
}

}  // namespace

TEST_CASE("a bag has the members that it is asked for, in this order") {
  const Ensemble pool = PoolOfConstants();
  const std::vector<std::size_t> members = {2, 0};
  const Ensemble bag = BagOf(pool, members, BagCombine::kBorda);
  CHECK(bag.combine == Combine::kBorda);
  CHECK(bag.n_features == 1);
  REQUIRE(bag.members.size() == 2);
  CHECK(bag.members[0] == pool.members[2]);
  CHECK(bag.members[1] == pool.members[0]);
  CHECK(BagOf(pool, members, BagCombine::kMinMax).combine == Combine::kMinMax);
}

TEST_CASE("a mean is a sum of n-th parts, and a part of a mean is a mean") {
  Ensemble pool = PoolOfConstants();
  pool.members[2].base = 3.0;
  const std::vector<std::size_t> members = {0, 2};
  const Ensemble bag = BagOf(pool, members, BagCombine::kMean);
  CHECK(bag.combine == Combine::kSum);
  CHECK(bag.members[0].groups[0].weight == 0.5);
  CHECK(bag.members[1].base == 1.5);
  const std::vector<std::size_t> last = {1};
  const Ensemble one = BagOf(bag, last, BagCombine::kMean, 2);
  CHECK(one.members[0] == pool.members[2]);
}

TEST_CASE("the scores of a growing bag are combined within queries") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4, 9}, {0, 1, 2, 0, 1});
  raw.queries = {7, 7, 7, 7, 8};
  const Dataset data = raw.Make();
  testing::ScoreLog log;
  const std::vector<Watch> watches = {{"valid", &data, {log.metric()}}};
  BagScores scores(watches, BagCombine::kMinMax, {});
  scores.Add(StumpAt(2.5F, 0.0F, 10.0F));
  (void)scores.Values();
  scores.Add(StumpAt(3.5F, 5.0F, 7.0F));
  (void)scores.Values();
  CHECK(testing::ByRow(data, log.scores[0]) == std::vector<double>{0, 0, 1, 1, 0.5});
  CHECK(testing::ByRow(data, log.scores[1]) == std::vector<double>{0, 0, 0.5, 1, 0.5});
}

TEST_CASE("members of several columns are added up before they are combined") {
  Ensemble pool;
  pool.n_features = 1;
  for (const float threshold : {1.5F, 2.5F, 3.5F, 1.5F}) {
    pool.members.push_back(StumpAt(threshold, 0.0F, 1.0F));
  }
  const std::vector<std::size_t> members = {1, 0};
  const Ensemble mean = BagOf(pool, members, BagCombine::kMean, 1, 2);
  REQUIRE(mean.members.size() == 4);
  CHECK(mean.is_sum());
  CHECK(mean.members[0].groups[0].trees == pool.members[2].groups[0].trees);
  CHECK(mean.members[3].groups[0].weight == 0.5);
  const testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 0, 0, 0});
  const FeatureMatrix features{raw.features.data(), 4, 1, 1};
  const Ensemble scaled = BagOf(pool, members, BagCombine::kMinMax, 1, 2);
  CHECK_NOTHROW(Validate(scaled));
  // The sums of members are 0 1 1 2 (of 3.5 and 1.5) and 0 1 2 2 (of 1.5 and 2.5).
  CHECK(Score(scaled, features, std::vector<QueryId>(4, 0)) ==
        std::vector<double>{0.0, 0.5, 0.75, 1.0});
}

TEST_CASE("a bag's probabilities are the means of its members'") {
  const Ordinal pool{{0.0, 1.0, 2.0},
                     {{0, 1.0, {1.0}}, {1, 2.0, {1.0}}, {0, 3.0, {2.0}}, {1, 4.0, {2.0}}}};
  const std::vector<std::size_t> both = {1, 0};
  const Ordinal bag = BagOf(pool, both);
  CHECK(bag.grades == pool.grades);
  CHECK(bag.parts == std::vector<Ordinal::Part>{
                         {0, 1.5, {1.0}}, {1, 2.0, {1.0}}, {0, 0.5, {0.5}}, {1, 1.0, {0.5}}});
  const std::vector<std::size_t> last = {1};
  CHECK(BagOf(bag, last, 2).parts == std::vector<Ordinal::Part>{{0, 1.0, {1.0}}, {1, 2.0, {1.0}}});
}

TEST_CASE("a growing bag adds up the columns of a member") {
  testing::RawData raw = testing::OneFeature({1, 2, 3, 4}, {0, 1, 2, 0});
  const Dataset data = raw.Make();
  testing::ScoreLog log;
  const std::vector<Watch> watches = {{"valid", &data, {log.metric()}}};
  BagScores scores(watches, BagCombine::kMinMax, {});
  const std::vector<Member> columns = {StumpAt(1.5F, 0.0F, 1.0F), StumpAt(2.5F, 0.0F, 1.0F)};
  scores.Add(Span<const Member>(columns));
  (void)scores.Values();
  CHECK(testing::ByRow(data, log.scores[0]) == std::vector<double>{0, 0.5, 1, 1});
}

}  // namespace rankforest
