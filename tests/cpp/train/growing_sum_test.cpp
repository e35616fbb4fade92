#include "rankforest/train/growing_sum.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/row_sample.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/small_data.hpp"

namespace rankforest {

TEST_CASE("each step is added to the scores and to the model at the learning rate") {
  const testing::Prepared prepared(testing::OneFeature({0, 1}, {0, 4}));
  const TrainingSet training = prepared.training();
  auto learner = TreeGrower<>({}, {}).Start(training);
  Monitor monitor({}, Threads{1}, 2);
  Member start;
  start.base = 1.0;
  auto sum = GrowingSum().Start(training, std::move(start), 0.5, monitor);
  CHECK(sum.scores()[0] == 1.0);
  const std::vector<GradientPair> targets = {{2.0, 1.0}, {-3.0, 1.0}};
  const RowSample all = WholeSample(2);
  for (int round = 0; round < 2; ++round) {
    sum.BeginRound(Rng(0));
    Member step = learner.Fit(targets, all, Rng(0));
    step.groups.front().trees_per_round = 1;
    CHECK(sum.Add(learner, std::move(step), all, ScoresRead::kAll));
  }
  CHECK(sum.scores()[0] == -1.0);  // 1 - 2 * 0.5 * 2, where grades are 0 and 4: the first is at 0
  CHECK(sum.scores()[1] == 4.0);
  const Member model = sum.Finish();
  CHECK(model.base == 1.0);
  REQUIRE(model.groups.size() == 1);
  CHECK(model.groups[0].weight == 0.5);
  CHECK(model.groups[0].trees.size() == 2);
}

TEST_CASE("a tree at work knows where its documents are, a member does not") {
  CHECK(KnowsLeaves<TreeRun>::value);
  CHECK_FALSE(KnowsLeaves<Member>::value);
}

}  // namespace rankforest
