#include "rankforest/train/bag_predictions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/train/bag.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/hand_made_trees.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;

namespace {

struct Told {
  std::vector<Tree> trees;
  std::vector<double> out_of_bag;
  std::vector<double> of_all_trees;
};

constexpr std::uint32_t kTrees = 40;  // of more than one stage

/// Grows a bag on some documents and lets it tell what it predicts.
Told GrownAndTold(const Prepared& prepared, const RowSample& rows, TreeMethod method, int threads) {
  std::vector<GradientPair> targets;
  for (const double grade : prepared.data.grades()) targets.push_back({-grade, 1.0});
  const TrainingSet training = prepared.training(threads);
  const Bag bag(kTrees, TreeGrower<>({}, {FeatureDraw::Kind::kCount, 2.0}, {}, method),
                Bootstrap{0.6});
  auto run = bag.Start(training);
  BagPredictions predictions(training, rows, kTrees);
  Told told;
  while (told.trees.size() < kTrees) {
    run.GrowStage(targets, rows, Rng(9), told.trees,
                  [&](const auto& learner, const RowSample& drawn, std::size_t number) {
                    predictions.Note(learner, drawn, number);
                  });
    predictions.SumUp(told.trees.size());
  }
  told.out_of_bag = predictions.OutOfBag();
  told.of_all_trees = predictions.OfAllTrees();
  return told;
}

/// The positions of rows, every third of a data set left out.
RowSample MostRows(std::size_t n) {
  RowSample rows;
  for (RowId row = 0; row < n; ++row) {
    if (row % 3 != 1) rows.rows.push_back(row);
  }
  return rows;
}

bool AreEqual(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("three stumps of which each document is left out by some") {
  const Prepared prepared(testing::OneFeature({1, 2, 3}, {0, 1, 2}));
  const TrainingSet training = prepared.training();
  const RowSample all = WholeSample(3);
  std::vector<RowId> of_value(3);  // canonical positions
  for (RowId d = 0; d < 3; ++d) {
    of_value[static_cast<std::size_t>(prepared.data.Features(d)[0]) - 1] = d;
  }
  BagPredictions predictions(training, all, 3);
  const auto without = [&](std::size_t i) {
    RowSample drawn;
    for (RowId d = 0; d < 3; ++d) {
      if (d != of_value[i]) drawn.rows.push_back(d);
    }
    return drawn;
  };
  predictions.NoteTree(testing::Stump(1.5F, 1.0F, 4.0F), without(0), 0);
  predictions.NoteTree(testing::Stump(1.5F, 3.0F, 8.0F), without(0), 1);
  predictions.NoteTree(testing::Stump(2.5F, 5.0F, 9.0F), without(1), 2);
  predictions.SumUp(3);
  const std::vector<double> out_of_bag = predictions.OutOfBag();
  CHECK(out_of_bag[of_value[0]] == 2.0);  // (1 + 3) / 2
  CHECK(out_of_bag[of_value[1]] == 5.0);
  CHECK(std::isnan(out_of_bag[of_value[2]]));
  CHECK(predictions.OfAllTrees()[of_value[2]] == 7.0);  // (4 + 8 + 9) / 3
}

TEST_CASE("what trees tell as they grow is what a second pass over them finds") {
  Rng rng(77);
  const Prepared prepared(testing::SmallData({8, 8, 4, 6, 10, true, false, 3}, rng));
  const Dataset& data = prepared.data;
  for (const RowSample& rows : {WholeSample(data.n_documents()), MostRows(data.n_documents())}) {
    for (const TreeMethod method : {TreeMethod::kExact, TreeMethod::kHist}) {
      const Told told = GrownAndTold(prepared, rows, method, 1);
      BagPredictions passed(prepared.training(), rows, kTrees);
      std::vector<double> sum(rows.rows.size());
      std::vector<double> outside(rows.rows.size());
      std::vector<double> n_outside(rows.rows.size());
      for (std::size_t t = 0; t < kTrees; ++t) {
        const RowSample drawn =
            DrawForTree(Bootstrap{0.6}, data, rows, Rng(9).Child(Purpose::kTree, t));
        passed.NoteTree(told.trees[t], drawn, t);
        passed.SumUp(t + 1);
        for (std::size_t i = 0; i < rows.rows.size(); ++i) {
          const RowId row = rows.rows[i];
          const auto value = static_cast<double>(told.trees[t].Value(data.Features(row)));
          sum[i] += value;
          if (std::count(drawn.rows.begin(), drawn.rows.end(), row) > 0) continue;
          outside[i] += value;
          n_outside[i] += 1.0;
        }
      }
      CHECK(AreEqual(passed.OutOfBag(), told.out_of_bag));
      CHECK(AreEqual(passed.OfAllTrees(), told.of_all_trees));
      for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        CHECK(told.of_all_trees[i] == sum[i] / kTrees);
        if (n_outside[i] == 0.0) {
          CHECK(std::isnan(told.out_of_bag[i]));
        } else {
          CHECK(told.out_of_bag[i] == outside[i] / n_outside[i]);
        }
      }
      const Told on_three = GrownAndTold(prepared, rows, method, 3);
      CHECK(on_three.trees == told.trees);
      CHECK(AreEqual(on_three.out_of_bag, told.out_of_bag));
    }
  }
}

}  // namespace rankforest
