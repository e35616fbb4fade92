#include "rankforest/train/ordinal_watches.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/ordinal.hpp"
#include "rankforest/score/reference.hpp"
#include "support/hand_made_trees.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

using testing::Stump;

namespace {

Member GrownProblem(std::size_t n_trees, float first) {
  Member problem{0.125, {{0.5, Reduction::kSum, 1, {}}}};
  for (std::size_t t = 0; t < n_trees; ++t) {
    problem.groups[0].trees.push_back(Stump(static_cast<float>(t) - 1.0F, first, 0.3F));
  }
  return problem;
}

}  // namespace

TEST_CASE("the scores of growing problems are those of the model that they make, bit for bit") {
  Rng rng(941);
  for (const std::size_t n_queries : {5U, 400U}) {  // the larger one is put into bins
    testing::SmallDataOptions options;
    options.n_queries = n_queries;
    options.n_features = 1;
    const Dataset data = testing::SmallData(options, rng).Make();
    const std::vector<Watch> watches{{"valid", &data, {}}, {"again", &data, {}}};
    const OrdinalScore score{2.0, {-0.3, -0.7}};
    OrdinalWatches scores(watches, score, Threads{1});
    std::vector<Member> problems{GrownProblem(1, 0.9F), GrownProblem(1, 0.7F)};
    const std::vector<const Member*> models{&problems[0], &problems[1]};
    scores.Begin(models, 50);
    for (std::size_t n = 2; n <= 5; ++n) {
      problems[0] = GrownProblem(n, 0.9F);
      problems[1] = GrownProblem(n, 0.7F);
      scores.AddLastTrees(models);
      Ordinal ordinal{{0.0, 1.0, 2.0}, {}};
      const Ensemble model = EnsembleOf(problems, score, 1, ordinal);
      const std::vector<std::vector<double>> totals = scores.Totals();
      REQUIRE(totals.size() == 2);
      CHECK(testing::ByRow(data, totals[0]) == Score(model, data.features()));
      CHECK(totals[1] == totals[0]);
    }
  }
}

TEST_CASE("the scores of the first trees of forests are those of the model that they make") {
  Rng rng(942);
  const Dataset data = testing::SmallData({}, rng).Make();
  const std::vector<Watch> watches{{"valid", &data, {}}};
  const OrdinalScore score{2.0, {-0.3, -0.7}};
  const OrdinalWatches scores(watches, score, Threads{1});
  std::vector<Member> problems{GrownProblem(7, 0.9F), GrownProblem(7, 0.7F)};
  for (Member& problem : problems) {
    problem.base = 0.0;
    problem.groups[0].weight = 1.0;
    problem.groups[0].reduction = Reduction::kMean;
  }
  const std::vector<Span<const Tree>> trees{problems[0].groups[0].trees,
                                            problems[1].groups[0].trees};
  Ordinal ordinal{{0.0, 1.0, 2.0}, {}};
  const Ensemble model = EnsembleOf(problems, score, 4, ordinal);
  for (const std::size_t n : {1U, 3U, 7U}) {
    CHECK(testing::ByRow(data, scores.OfForests(trees, data, n)) ==
          Score(Prefix(model, n), data.features()));
  }
}

TEST_CASE("without watches there is nothing to score") {
  const std::vector<Watch> none;
  OrdinalWatches scores(none, {1.0, {-1.0}}, Threads{1});
  const Member problem = GrownProblem(1, 0.5F);
  scores.Begin({&problem}, 3);
  scores.AddLastTrees({&problem});
  CHECK(scores.Totals().empty());
}

}  // namespace rankforest
