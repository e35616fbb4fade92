#include "rankforest/train/out_of_bag.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/sampler.hpp"
#include "support/hand_made_trees.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;
using testing::Stump;

TEST_CASE("a document's score is the mean of the trees that did not draw it") {
  Rng rng(861);
  for (const Sampler& sampler :
       {Sampler(Bootstrap{0.5}), Sampler(SubsampleRows{0.6}), Sampler(SubsampleQueries{0.5})}) {
    const Prepared prepared(testing::SmallData({8, 6, 2, 6, 10, false, false, 3}, rng));
    const Dataset& data = prepared.data;
    std::vector<Tree> trees;
    for (int i = 0; i < 7; ++i) {
      trees.push_back(
          Stump(static_cast<float>(rng.Below(4)) - 1.0F, static_cast<float>(i) + 1.0F, 0.25F));
    }
    const Rng run(17);
    const std::vector<double> scores = OutOfBagScores(sampler, data, run, trees, Threads{1});
    const RowSample all = WholeSample(data.n_documents());
    for (RowId d = 0; d < data.n_documents(); ++d) {
      double sum = 0.0;
      int n = 0;
      for (std::size_t i = 0; i < trees.size(); ++i) {
        const Rng of_tree = run.Child(Purpose::kTree, i);
        bool is_drawn = false;
        for (const RowId row : sampler.Draw(data, all, of_tree.Child(Purpose::kRows, 0)).rows) {
          is_drawn = is_drawn || row == d;
        }
        if (is_drawn) continue;
        sum += static_cast<double>(trees[i].Value(data.Features(d)));
        ++n;
      }
      if (n == 0) {
        CHECK(std::isnan(scores[d]));
      } else {
        CHECK(scores[d] == doctest::Approx(sum / n));
      }
    }
    CHECK(OutOfBagScores(sampler, data, run, trees, Threads{3}).size() == scores.size());
  }
}

TEST_CASE("where every tree sees everything no document has a score") {
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 1, 2}));
  const std::vector<Tree> trees = {Stump(1.5F, 0.0F, 1.0F)};
  for (const double score : OutOfBagScores(AllRows(), prepared.data, Rng(0), trees, Threads{1})) {
    CHECK(std::isnan(score));
  }
}

TEST_CASE("out-of-bag scores of problems add up by their weights") {
  Rng rng(863);
  const Prepared prepared(testing::SmallData({8, 6, 2, 6, 10, false, false, 3}, rng));
  Ensemble forest;
  forest.n_features = 2;
  std::vector<std::vector<double>> of_problems;
  for (const double weight : {-1.0, -2.5}) {
    std::vector<Tree> trees;
    for (int i = 0; i < 6; ++i) {
      trees.push_back(Stump(static_cast<float>(rng.Below(4)) - 1.0F, 0.75F, 0.25F));
    }
    of_problems.push_back(
        OutOfBagScores(Bootstrap{1.0}, prepared.data, Rng(17), trees, Threads{1}));
    forest.members.push_back({0.0, {{weight, Reduction::kMean, 1, trees}}});
  }
  forest.members[0].base = 3.0;
  const std::vector<double> scores =
      OutOfBagScores(Bootstrap{1.0}, prepared.data, Rng(17), forest, Threads{2});
  for (std::size_t d = 0; d < scores.size(); ++d) {
    const double expected = 3.0 - of_problems[0][d] - 2.5 * of_problems[1][d];
    CHECK((std::isnan(expected) ? std::isnan(scores[d]) : scores[d] == doctest::Approx(expected)));
  }
  forest.members.pop_back();
  const std::vector<double> alone =
      OutOfBagScores(Bootstrap{1.0}, prepared.data, Rng(17), forest, Threads{1});
  for (std::size_t d = 0; d < alone.size(); ++d) {
    CHECK((std::isnan(alone[d]) || alone[d] == of_problems[0][d]));
  }
}

}  // namespace rankforest
