#include "rankforest/train/out_of_bag_importance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/metric/evaluate.hpp"
#include "rankforest/sample/queries.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/sampler.hpp"
#include "support/hand_made_trees.hpp"
#include "support/random_ensemble.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Prepared;

namespace {

/// The loss by definition: rows of the documents outside, a column of them permuted, evaluated as
/// a data set of their own would be.
double DefinedLoss(const Tree& tree, const Dataset& data, const RowSample& drawn, FeatureId feature,
                   const ImportanceSettings& settings, const Rng& rng) {
  std::vector<bool> is_drawn(data.n_documents(), false);
  for (const RowId row : drawn.rows) is_drawn[row] = true;
  std::vector<std::vector<float>> rows;
  std::vector<double> grades;
  std::vector<double> weights;
  std::vector<QueryId> queries;
  std::vector<RowId> offsets = {0};
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
      if (is_drawn[d]) continue;
      rows.emplace_back(data.Features(d), data.Features(d) + data.n_features());
      grades.push_back(data.grades()[d]);
      weights.push_back(data.weights().empty() ? 1.0 : data.weights()[d]);
      queries.push_back(static_cast<QueryId>(q));
    }
    if (rows.size() > offsets.back()) offsets.push_back(static_cast<RowId>(rows.size()));
  }
  if (rows.empty()) return std::nan("");
  const auto value = [&] {
    std::vector<double> scores;
    for (const auto& row : rows) scores.push_back(static_cast<double>(tree.Value(row.data())));
    const JudgedRows judged{grades, queries, weights, {}, {}, nullptr};
    return Evaluate(settings.metric, judged, scores, Threads{1}).mean;
  };
  const double before = value();
  const std::vector<RowId> source =
      Permutation(offsets, settings.scope, PermutationRng(rng, feature, 0));
  std::vector<float> column;
  for (const auto& row : rows) column.push_back(row[feature]);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i][feature] = column[source[i]];
  return settings.metric.maximize() ? before - value() : value() - before;
}

}  // namespace

TEST_CASE("a tree's loss is the metric on its own out-of-bag documents, before and after") {
  Rng rng(881);
  for (const Sampler& sampler :
       {Sampler(Bootstrap{0.7}), Sampler(SubsampleRows{0.6}), Sampler(SubsampleQueries{0.5})}) {
    for (const char* metric : {"ndcg@3(empty=0)", "rmse"}) {
      for (const PermutationScope scope : {PermutationScope::kQuery, PermutationScope::kData}) {
        const Prepared prepared(testing::SmallData({8, 6, 3, 6, 10, false, true, 3}, rng));
        const Dataset& data = prepared.data;
        std::vector<Tree> trees;
        for (int i = 0; i < 4; ++i) trees.push_back(testing::RandomTree(3, 3, rng));
        const ImportanceSettings settings{Metric::Parse(metric), scope};
        const Rng run(17);
        const Rng permutations(18);
        const auto losses =
            OutOfBagLosses(sampler, data, run, trees, settings, permutations, Threads{1});
        CHECK(OutOfBagLosses(sampler, data, run, trees, settings, permutations, Threads{3}) ==
              losses);
        const RowSample all = WholeSample(data.n_documents());
        for (std::size_t i = 0; i < trees.size(); ++i) {
          const RowSample drawn = DrawForTree(sampler, data, all, run.Child(Purpose::kTree, i));
          for (FeatureId f = 0; f < data.n_features(); ++f) {
            INFO("tree ", i, ", feature ", f);
            CHECK(losses[i][f] ==
                  doctest::Approx(DefinedLoss(trees[i], data, drawn, f, settings,
                                              permutations.Child(Purpose::kTree, i))));
          }
        }
      }
    }
  }
}

TEST_CASE("a feature that no split asks for loses nothing, and a tree without documents says NaN") {
  const Prepared prepared(testing::OneFeature({1, 2, 3, 4}, {0, 1, 2, 0}));
  const std::vector<Tree> leaf = {testing::ListTree(0)};
  const auto of_leaf =
      OutOfBagLosses(SubsampleRows{0.5}, prepared.data, Rng(1), leaf, {}, Rng(2), Threads{1});
  CHECK(of_leaf == std::vector<std::vector<double>>{{0.0}});
  const auto of_all =
      OutOfBagLosses(AllRows(), prepared.data, Rng(1), leaf, {}, Rng(2), Threads{1});
  CHECK(std::isnan(of_all[0][0]));
}

}  // namespace rankforest
