#include "rankforest/metric/metric.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/metric/grammar.hpp"
#include "rankforest/metric/keys.hpp"
#include "rankforest/metric/names.hpp"
#include "rankforest/metric/presets.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest {

std::string Canonical(const std::string& text) { return Metric::Parse(text).ToString(); }

TEST_CASE("a spelling becomes canonical: defaults left out, keys in a fixed order") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"ndcg", "ndcg"},
      {"ndcg@10", "ndcg@10"},
      {"NDCG @ 10 ( Ties = Input , GAIN = linear )", "ndcg@10(gain=linear,ties=input)"},
      {"ndcg@010()", "ndcg@10"},
      {"ndcg@5(gain=exp2,discount=log2,empty=skip,ties=average,short=whole)", "ndcg@5"},
      {"ndcg(gain=0; 1;3.50)", "ndcg(gain=0;1;3.5)"},
      {"ap", "map"},
      {"precision@3(divisor=k)", "p@3"},
      {"rr@3(threshold=1)", "mrr@3(threshold=1)"},
      {"mrr(threshold=>0)", "mrr"},
      {"mrr(threshold = > 0.5)", "mrr(threshold=>0.5)"},
      {"map(divisor=min)", "map"},
      {"map(empty=0.5)", "map(empty=0.5)"},
      {"err@20(gmax=4.0)", "err@20"},
      {"err(gmax=query,gain=linear)", "err(gain=linear,gmax=query)"},
      {"ndcg(discount=reciprocal,grade=trunc)", "ndcg(grade=trunc,discount=reciprocal)"},
      {"map@5(divisor=found)", "map@5(divisor=found)"},
      {"recall@5(ideal=judged)", "recall@5"},
      {"rbp@9(persistence=.80)", "rbp@9"},
      {"rbp(persistence=0.95)", "rbp(persistence=0.95)"},
      {"auc(fpr=0;1)", "auc"},
      {"AUC(fpr = 0 ; 0.050)", "auc(fpr=0;0.05)"},
      {"pair_accuracy", "pairaccuracy"},
      {"kendall_tau(variant=a)", "kendalltau(variant=a)"},
      {"rmse", "rmse"},
      {"AP(rel=2)@10", "map@10(threshold=2)"},
      {"ndcg ( empty = 0 ) @ 5 ", "ndcg@5(empty=0)"},
      {"map()@3", "map@3"},
      {"R@5", "recall@5"},
      {"RBP(p=0.95,rel=1)", "rbp(threshold=1,persistence=0.95)"},
      {"ndcg@10(preset=letor4)",
       "ndcg@10(gain=0;1;3,discount=letor,short=zero,ideal=list,empty=0,ties=input)"},
      {"ndcg@10(empty=1,preset=letor3)",
       "ndcg@10(gain=0;1;3,discount=letor,ideal=list,empty=1,ties=input)"},
      {"map(preset=letor4)", "map(threshold=1,divisor=relevant,ideal=list,empty=0,ties=input)"},
  };
  for (const auto& [text, canonical] : table) {
    INFO(text);
    CHECK(Canonical(text) == canonical);
    CHECK(Metric::Parse(canonical) == Metric::Parse(text));
  }
}

TEST_CASE("an unusable spelling names the piece and what there is") {
  const std::string names =
      "; there are ndcg dcg meanndcg map err p recall mrr rbp auc pairaccuracy kendalltau rmse";
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", "unknown name \"\"" + names},
      {"ngcd@10", "unknown name \"ngcd\"" + names + "; did you mean ndcg@10?"},
      {"ndgc(empty=0)@5", "unknown name \"ndgc\"" + names + "; did you mean ndcg@5?"},
      {"NDCG10", "unknown name \"ndcg10\"" + names + "; did you mean ndcg@10?"},
      {"judged@10", "unknown name \"judged\"" + names},
      {"NDCG@x", "cutoff \"x\" must be a whole number"},
      {"ndcg@", "cutoff \"\" must be a whole number"},
      {"ndcg@-1", "cutoff \"-1\" must be a whole number"},
      {"ndcg@0", "cutoff 0 must be from 1 to 1000000000"},
      {"ndcg@1000000001", "cutoff 1000000001 must be from 1 to 1000000000"},
      {"ndcg@18446744073709551615", "cutoff 18446744073709551615 must be from 1 to 1000000000"},
      {"ndcg@99999999999999999999", "cutoff 99999999999999999999 must be from 1 to 1000000000"},
      {"rmse@18446744073709551615", "cutoff 18446744073709551615 must be from 1 to 1000000000"},
      {"p", "p needs a cutoff, such as p@10"},
      {"rmse@3", "rmse takes no cutoff @k"},
      {"rmse(empty=0)", "rmse has no key \"empty\"; its keys: none"},
      {"map(gain=exp2)",
       "map has no key \"gain\"; its keys: threshold divisor ideal empty ties preset"},
      {"ndcg(gian=exp2)",
       "ndcg has no key \"gian\"; its keys: gain grade discount short ideal empty ties preset; did "
       "you mean gain?"},
      {"map(threshold=1,rel=2)", "key \"threshold\" appears twice"},
      {"ndcg(rel=2)",
       "ndcg has no key \"threshold\"; its keys: gain grade discount short ideal empty ties "
       "preset"},
      {"ndcg(ties=avg)",
       "ties=avg must be one of average canonical input reversed docno pessimistic optimistic"},
      {"ndcg(empty=2)", "empty=2 must be one of skip 0 0.5 1"},
      {"ndcg(gain=3;1)",
       "gain=3;1 must be one of exp2 linear, or gains >= 0 of the grades 0, 1, 2, ... that do not "
       "descend, such as 0;1;3"},
      {"p@1(divisor=relevant)", "divisor=relevant of p must be one of k min"},
      {"p@1(divisor=found)", "divisor=found of p must be one of k min"},
      {"err(gain=0;1)", "gain=0;1 of err must be one of exp2 linear"},
      {"recall", "recall needs a cutoff, such as recall@10"},
      {"auc@5", "auc takes no cutoff @k"},
      {"auc(ideal=list)", "auc has no key \"ideal\"; its keys: threshold fpr empty ties preset"},
      {"auc(fpr=0.5)", "fpr=0.5 must be two rates from 0 to 1 that ascend, such as 0;0.05"},
      {"auc(fpr=0.5;0.5)", "fpr=0.5;0.5 must be two rates from 0 to 1 that ascend, such as 0;0.05"},
      {"auc(fpr=0;1.5)", "fpr=0;1.5 must be two rates from 0 to 1 that ascend, such as 0;0.05"},
      {"rbp(persistence=1)", "persistence=1 must be a number above 0 and below 1"},
      {"kendalltau(variant=c)", "variant=c must be one of b a"},
      {"map(threshold=-1)",
       "threshold=-1 must be the lowest relevant grade, or > and a number below it"},
      {"err(gmax=0)", "gmax=0 must be above 0 and at most 1023, or one of query data"},
      {"err(gmax=1e4)", "gmax=1e4 must be above 0 and at most 1023, or one of query data"},
      {"ndcg(empty)", "\"empty\" must be key=value"},
      {"ndcg(empty=0,)", "\"\" must be key=value"},
      {"ndcg(empty=0,empty=0)", "key \"empty\" appears twice"},
      {"ndcg(empty=0", "\"(empty=0\" must end with )"},
      {"ndcg)(", "\"(\" must end with )"},
      {"ndcg(empty=0)5", "\"5\" after ) must be a cutoff, such as @10"},
      {"ndcg@10(empty=0)@5", "\"@5\" is a second cutoff; one is enough"},
      {"ndcg(empty=0)@x", "cutoff \"x\" must be a whole number"},
      {"ndcg(preset=letor)",
       "preset=letor must be one of letor3 letor4 mslr trec_eval gdeval ranklib quickrank lightgbm "
       "xgboost "
       "xgboost- catboost sklearn ydf rankeval; did you mean letor3?"},
      {"err(preset=letor4)", "preset=letor4 defines ndcg meanndcg map p, not err"},
  };
  for (const auto& [text, message] : table) {
    const std::string whole = "metric \"" + text + "\": " + message;
    CHECK_THROWS_WITH_AS((void)Metric::Parse(text), whole.c_str(), std::invalid_argument);
  }
}

TEST_CASE("a preset sets every key that its metric reads") {
  for (const detail::PresetRow& preset : detail::kPresets) {
    const detail::MetricRow& row = detail::RowOf(preset.kind);
    for (const detail::KeyRow& key : detail::kKeys) {
      INFO(std::string(preset.name), " ", std::string(row.name), " ", std::string(key.name));
      const std::string start = "," + std::string(preset.keys);
      const bool is_set = start.find("," + std::string(key.name) + "=") != std::string::npos;
      CHECK(is_set == detail::Has(row.keys, key.key));
    }
  }
}

TEST_CASE("every metric and preset of the tables parses") {
  for (const detail::MetricRow& row : detail::kMetrics) {
    const std::string cutoff = row.cutoff == detail::Cutoff::kNever ? "" : "@3";
    const Metric metric = Metric::Parse(std::string(row.name) + cutoff);
    CHECK(metric.name() == row.name);
    CHECK(metric.kind() == row.kind);
  }
  for (const detail::PresetRow& preset : detail::kPresets) {
    const detail::MetricRow& row = detail::RowOf(preset.kind);
    const std::string cutoff = row.cutoff == detail::Cutoff::kNever ? "" : "@3";
    CHECK_NOTHROW((void)Metric::Parse(std::string(row.name) + cutoff +
                                      "(preset=" + std::string(preset.name) + ")"));
  }
}

TEST_CASE("only errors are minimised") {
  CHECK(Metric::Parse("ndcg").maximize());
  CHECK(Metric::Parse("mrr").maximize());
  CHECK_FALSE(Metric::Parse("rmse").maximize());
}

TEST_CASE("settings that no spelling gives are refused") {
  MetricSettings settings;
  settings.kind = MetricKind::kMap;
  settings.gain.rule = GainRule::kLinear;
  CHECK_THROWS_AS(Metric{settings}, std::invalid_argument);
  settings = {};
  settings.gain = {GainRule::kTable, {3.0, 1.0}};
  CHECK_THROWS_AS(Metric{settings}, std::invalid_argument);
  settings.gain = {GainRule::kTable, {}};
  CHECK_THROWS_AS(Metric{settings}, std::invalid_argument);
  settings.gain = {GainRule::kExp2, {1.0}};
  CHECK_THROWS_AS(Metric{settings}, std::invalid_argument);
  settings = {};
  settings.cutoff = 0;
  CHECK_THROWS_AS(Metric{settings}, std::invalid_argument);
}

TEST_CASE("a metric with another cutoff or key keeps the rest") {
  CHECK(Metric::Parse("ndcg@5").With("gain", "Linear") == Metric::Parse("ndcg@5(gain=linear)"));
  CHECK(Metric::Parse("map@5(empty=1)").With("preset", "letor4") ==
        Metric::Parse("map@5(preset=letor4)"));
  CHECK_THROWS_AS((void)Metric::Parse("map").With("gain", "linear"), std::invalid_argument);
  CHECK_THROWS_AS((void)Metric::Parse("rmse").WithCutoff(5), std::invalid_argument);
  CHECK_THROWS_WITH_AS((void)Metric::Parse("ndcg@3").WithCutoff(kNoCutoff),
                       "cutoff 18446744073709551615 must be from 1 to 1000000000",
                       std::invalid_argument);
  CHECK_THROWS_AS((void)Metric::Parse("ndcg@3").WithCutoff("1000000001"), std::invalid_argument);
  CHECK(Metric::Parse("ndcg(empty=0)").WithCutoff(5) == Metric::Parse("ndcg@5(empty=0)"));
  CHECK(Metric::Parse("ndcg@5") != Metric::Parse("ndcg@6"));
}

TEST_CASE("a metric knows whether its gains are exponential") {
  for (const char* spelling : {"ndcg", "dcg@3", "meanndcg", "err", "ndcg(preset=ranklib)"}) {
    CHECK(Metric::Parse(spelling).has_exp2_gain());
  }
  for (const char* spelling : {"ndcg(gain=linear)", "ndcg(gain=0;1;3)", "err(gain=linear)", "map",
                               "rmse", "ndcg(preset=sklearn)"}) {
    CHECK_FALSE(Metric::Parse(spelling).has_exp2_gain());
  }
}

}  // namespace rankforest
