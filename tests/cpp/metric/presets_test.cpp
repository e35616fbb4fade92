#include "rankforest/metric/presets.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/grammar.hpp"
#include "rankforest/metric/judged_queries.hpp"
#include "rankforest/metric/keys.hpp"
#include "rankforest/metric/metric.hpp"
#include "rankforest/metric/metric_run.hpp"
#include "rankforest/metric/names.hpp"
#include "support/metric_queries.hpp"

namespace rankforest {

using testing::ValueOf;

constexpr double kLog2Of3 = 1.584962500721156;

struct Case {
  std::string metric;
  double expected;
};

void CheckCases(const std::vector<Case>& cases, const std::vector<double>& scores,
                const std::vector<double>& grades) {
  for (const Case& each : cases) {
    INFO(each.metric);
    CHECK(ValueOf(each.metric, scores, grades) == doctest::Approx(each.expected).epsilon(1e-14));
  }
}

TEST_CASE("a preset sets every key of its metric") {
  for (const detail::PresetRow& preset : detail::kPresets) {
    INFO(std::string(preset.name), " ", std::string(detail::RowOf(preset.kind).name));
    detail::KeySet set = 0;
    for (const auto& [name, value] : detail::SplitKeys(preset.keys)) {
      for (const detail::KeyRow& key : detail::kKeys) {
        if (key.name == name) set |= detail::Set(key.key);
      }
    }
    CHECK(set == detail::RowOf(preset.kind).keys);
  }
}

TEST_CASE("presets match values computed by hand on a query without ties") {
  // Ranking: grades 1, 0, 2 of three documents.
  const std::vector<double> scores{0.9, 0.5, 0.1};
  const std::vector<double> grades{1, 0, 2};
  const double exp2_ndcg = (1.0 + 3.0 / 2) / (3.0 + 1.0 / kLog2Of3);
  const double linear_ndcg = (1.0 + 2.0 / 2) / (2.0 + 1.0 / kLog2Of3);
  const double ap = (1.0 + 2.0 / 3) / 2;
  CheckCases({{"ndcg@2(preset=mslr)", 1.0 / (3.0 + 1.0)},
              {"ndcg@10(preset=mslr)", (1.0 + 3.0 / kLog2Of3) / (3.0 + 1.0)},
              {"map(preset=mslr)", 1.0 / 3},
              {"p@10(preset=mslr)", 0.1},
              {"ndcg@10(preset=ranklib)", exp2_ndcg},
              {"dcg@2(preset=ranklib)", 1.0},
              {"map(preset=ranklib)", ap},
              {"p@10(preset=ranklib)", 2.0 / 3},
              {"mrr(preset=ranklib)", 1.0},
              {"err@10(preset=ranklib)", 1.0 / 16 + 15.0 / 16 * (3.0 / 16) / 3},
              {"ndcg@10(preset=quickrank)", exp2_ndcg},
              {"dcg@10(preset=quickrank)", 2.5},
              {"map@2(preset=quickrank)", 1.0},
              {"map@10(preset=quickrank)", ap},
              {"ndcg@10(preset=lightgbm)", exp2_ndcg},
              {"map@1(preset=lightgbm)", 1.0},
              {"map@2(preset=lightgbm)", 0.5},
              {"ndcg@10(preset=xgboost)", exp2_ndcg},
              {"map@2(preset=xgboost-)", 0.5},
              {"p@2(preset=xgboost)", 0.5},
              {"p@10(preset=xgboost)", 2.0 / 3},
              {"ndcg(preset=catboost)", linear_ndcg},
              {"ndcg(preset=catboost,discount=reciprocal)", (1.0 + 2.0 / 3) / (2.0 + 1.0 / 2)},
              {"dcg@1(preset=catboost)", 1.0},
              {"map@2(preset=catboost)", 0.5},
              {"p@10(preset=catboost)", 2.0 / 3},
              {"mrr(preset=catboost)", 1.0},
              {"ndcg@10(preset=sklearn)", linear_ndcg},
              {"dcg@10(preset=sklearn)", 2.0},
              {"ndcg@5(preset=ydf)", exp2_ndcg},
              {"mrr@10(preset=ydf)", 1.0},
              {"ndcg@10(preset=rankeval)", exp2_ndcg},
              {"dcg@10(preset=rankeval)", 2.0},
              {"map@2(preset=rankeval)", 0.5},
              {"p@10(preset=rankeval)", 2.0 / 3},
              {"mrr(preset=rankeval)", 1.0},
              {"recall@1(preset=catboost)", 0.5},
              {"recall@1(preset=rankeval)", 0.5},
              {"rbp(preset=rankeval)", 0.5 * (1.0 + 0.25)},
              {"kendalltau(preset=rankeval)", -1.0 / 3},
              {"err(preset=rankeval)", 1.0 / 4 + 3.0 / 4 * (3.0 / 4) / 3}},
             scores, grades);
  CHECK(ValueOf("err(preset=catboost)", {3, 2, 1}, {0.2, 0.4, 0.9}) ==
        doctest::Approx(0.2 + 0.8 * 0.4 / 2 + 0.8 * 0.6 * 0.9 / 3));
}

TEST_CASE("presets break ties as their systems do") {
  // Two documents tie, the relevant one first in the file.
  const std::vector<double> scores{1, 1};
  const std::vector<double> grades{1, 0};
  const double second = 1.0 / kLog2Of3;
  CheckCases({{"ndcg(preset=mslr)", 1.0},
              {"ndcg(preset=ranklib)", 1.0},
              {"ndcg(preset=quickrank)", 1.0},
              {"ndcg(preset=lightgbm)", 1.0},
              {"ndcg(preset=xgboost)", 1.0},
              {"ndcg(preset=xgboost-)", 1.0},
              {"ndcg(preset=catboost)", second},
              {"map(preset=catboost)", 0.5},
              {"ndcg(preset=sklearn)", (1.0 + second) / 2},
              {"ndcg(preset=ydf)", (1.0 + second) / 2},
              {"mrr(preset=ydf)", 0.75},
              {"ndcg(preset=rankeval)", second},
              {"map(preset=rankeval)", 0.5}},
             scores, grades);
}

TEST_CASE("the presets of TREC's tools break ties by document id and take all judgements") {
  // Ranked: grade 0 before 1, as the second document's id is the greater one; 2 was not ranked.
  const std::vector<RowId> offsets{0, 2};
  const std::vector<double> grades{1, 0};
  const std::vector<RowId> docno_ranks{1, 0};
  const std::vector<RowId> pool_offsets{0, 3};
  const std::vector<double> pool{0, 1, 2};
  const JudgedQueries queries{offsets, grades, {}, {}, {}, docno_ranks, {pool_offsets, pool, {}}};
  const std::vector<Case> cases = {
      {"ndcg(preset=trec_eval)", (1.0 / kLog2Of3) / (2.0 + 1.0 / kLog2Of3)},
      {"ndcg@1(preset=trec_eval)", 0.0},
      {"map(preset=trec_eval)", 0.25},
      {"p@10(preset=trec_eval)", 0.1},
      {"mrr(preset=trec_eval)", 0.5},
      {"recall@2(preset=trec_eval)", 0.5},
      {"ndcg@20(preset=gdeval)", (1.0 / kLog2Of3) / (3.0 + 1.0 / kLog2Of3)},
      {"err@20(preset=gdeval)", 1.0 / 32}};
  for (const Case& each : cases) {
    INFO(each.metric);
    MetricRun run(Metric::Parse(each.metric), queries, Threads{1});
    CHECK(run.Evaluate(std::vector<double>{1, 1}).values[0] == doctest::Approx(each.expected));
  }
}

TEST_CASE("presets value a query without a relevant document as their systems do") {
  CheckCases({{"ndcg@2(preset=mslr)", 0.0},      {"map(preset=mslr)", 0.0},
              {"ndcg@2(preset=ranklib)", 0.0},   {"map(preset=ranklib)", 0.0},
              {"err(preset=ranklib)", 0.0},      {"mrr(preset=ranklib)", 0.0},
              {"ndcg@2(preset=quickrank)", 0.0}, {"map@2(preset=quickrank)", 0.0},
              {"ndcg@2(preset=lightgbm)", 1.0},  {"map@2(preset=lightgbm)", 1.0},
              {"ndcg@2(preset=xgboost)", 1.0},   {"map@2(preset=xgboost)", 1.0},
              {"ndcg@2(preset=xgboost-)", 0.0},  {"map@2(preset=xgboost-)", 0.0},
              {"p@2(preset=xgboost)", 0.0},      {"ndcg(preset=catboost)", 1.0},
              {"map(preset=catboost)", 0.0},     {"err(preset=catboost)", 0.0},
              {"ndcg(preset=sklearn)", 0.0},     {"ndcg@5(preset=ydf)", 0.0},
              {"mrr@10(preset=ydf)", 0.0},       {"ndcg(preset=rankeval)", 1.0},
              {"map(preset=rankeval)", 1.0},     {"err(preset=rankeval)", 0.0},
              {"p@2(preset=rankeval)", 0.0},     {"mrr(preset=rankeval)", 0.0}},
             {1, 2, 3}, {0, 0, 0});
}

TEST_CASE("presets treat real and large grades by their systems' conventions") {
  // RankLib cuts 1.9 to 1; large labels go on where RankLib's 32 bits overflow.
  CHECK(ValueOf("dcg@1(preset=ranklib)", {2, 1}, {1.9, 0}) == 1.0);
  CHECK(ValueOf("ndcg@1(preset=ranklib)", {2, 1}, {32, 33}) ==
        doctest::Approx(4294967295.0 / 8589934591.0));
  // Relevance thresholds: above 0.5, or above 0.
  CHECK(ValueOf("map(preset=lightgbm)", {2, 1}, {0.5, 1}) == 0.5);
  CHECK(ValueOf("map(preset=catboost)", {2, 1}, {0.5, 1}) == 0.5);
  CHECK(ValueOf("mrr(preset=ydf)", {2, 1}, {0.5, 1}) == 0.5);
  CHECK(ValueOf("map(preset=ranklib)", {2, 1}, {0.5, 1}) == 1.0);
  CHECK_THROWS_AS(ValueOf("ndcg(preset=mslr)", {2, 1}, {5, 0}), std::invalid_argument);
  CHECK_THROWS_AS(ValueOf("err(preset=catboost)", {2, 1}, {2, 0}), std::invalid_argument);
}

TEST_CASE("an unknown preset, or one without the metric, lists what there is") {
  CHECK_THROWS_WITH_AS(
      (void)Metric::Parse("ndcg(preset=jforests)"),
      "metric \"ndcg(preset=jforests)\": preset=jforests must be one of letor3 "
      "letor4 mslr trec_eval gdeval ranklib quickrank lightgbm xgboost xgboost- catboost sklearn "
      "ydf rankeval",
      std::invalid_argument);
  CHECK_THROWS_WITH_AS((void)Metric::Parse("err(preset=sklearn)"),
                       "metric \"err(preset=sklearn)\": preset=sklearn defines ndcg dcg, not err",
                       std::invalid_argument);
}

}  // namespace rankforest
