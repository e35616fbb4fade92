#include "rankforest/train/broof.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/train/run.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

namespace {

/// A copy of an iteration that outlives it.
struct Noted {
  std::vector<double> weights, targets, out_of_bag, of_all_trees, predictions, errors;
  double error, beta, learner_weight;
};

struct Boosting {
  Trained trained;
  std::vector<Noted> iterations;

  [[nodiscard]] const Member& model() const { return trained.ensemble.members.front(); }
};

Boosting BoostedForests(const Dataset& data, const BroofSettings& settings, RunOptions options = {},
                        const BroofParts* parts = nullptr) {
  Boosting result;
  const auto note = [&](const BroofIteration& it) {
    result.iterations.push_back({it.weights, it.targets, it.out_of_bag, it.of_all_trees,
                                 it.predictions, it.errors, it.error, it.beta, it.learner_weight});
  };
  const Broof recipe(settings, parts == nullptr ? PartsOf(settings) : *parts, note);
  result.trained = Train(recipe, data, settings.max_iter, std::move(options));
  return result;
}

BroofSettings SmallForests(BroofVariant variant) {
  BroofSettings settings;
  settings.variant = variant;
  settings.n_estimators = 12;
  settings.max_iter = 6;
  settings.learning_rate = 0.5;
  settings.trees.limits.max_leaf_nodes = 8;
  return settings;
}

testing::RawData RankingData(std::uint64_t seed, bool has_weights = false) {
  Rng rng(seed);
  return testing::SmallData({12, 10, 4, 8, 5, has_weights, false, 3}, rng);
}

/// What algorithms 2 to 5 say of one iteration, given what the trees predict: plainly, and with
/// the errors of the paper brought into [0, 1].
struct Expected {
  std::vector<double> errors;
  double error = 0.0;
  std::vector<double> next_weights;
  std::vector<double> next_targets;
};

double NaiveMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2.0;
}

std::vector<double> NaiveErrors(const Dataset& data, BroofVariant variant, double eta,
                                const Noted& it) {
  const std::size_t n = it.targets.size();
  std::vector<double> errors(n, std::numeric_limits<double>::quiet_NaN());
  std::map<double, std::vector<double>> by_grade;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isnan(it.out_of_bag[i])) by_grade[data.grades()[i]].push_back(it.out_of_bag[i]);
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double y = it.out_of_bag[i];
    if (std::isnan(y)) continue;
    if (variant == BroofVariant::kAbsolute) errors[i] = std::abs(data.grades()[i] - y);
    if (variant == BroofVariant::kMedian) {
      errors[i] = std::abs(NaiveMedian(by_grade[data.grades()[i]]) - y);
    }
    if (variant == BroofVariant::kGradient) errors[i] = std::abs(it.targets[i] - eta * y);
    largest = std::max(largest, errors[i]);
  }
  if (variant != BroofVariant::kHeight) {
    for (double& error : errors) error = largest > 0.0 ? error / largest : error;
    return errors;
  }
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    for (RowId i = data.offsets()[q]; i < data.offsets()[q + 1]; ++i) {
      if (std::isnan(it.out_of_bag[i])) continue;
      double height = 0.0;
      double others = 0.0;
      for (RowId j = data.offsets()[q]; j < data.offsets()[q + 1]; ++j) {
        const bool differ = (data.grades()[i] > 0.0) != (data.grades()[j] > 0.0);
        if (std::isnan(it.out_of_bag[j]) || !differ) continue;
        const double wrong = data.grades()[i] > 0.0 ? it.out_of_bag[j] - it.out_of_bag[i]
                                                    : it.out_of_bag[i] - it.out_of_bag[j];
        height += wrong > 0.0 ? 1.0 : wrong == 0.0 ? 0.5 : 0.0;
        others += 1.0;
      }
      errors[i] = others > 0.0 ? height / others : 0.0;
    }
  }
  return errors;
}

Expected NaiveIteration(const Dataset& data, BroofVariant variant, double eta, const Noted& it) {
  const bool is_gradient = variant == BroofVariant::kGradient;
  Expected expected;
  expected.errors = NaiveErrors(data, variant, eta, it);
  double total = 0.0;
  for (std::size_t i = 0; i < it.weights.size(); ++i) {
    if (std::isnan(expected.errors[i])) continue;
    const double weight = it.weights[i] * (data.weights().empty() ? 1.0 : data.weights()[i]);
    expected.error += weight * expected.errors[i];
    total += weight;
  }
  expected.error /= total;
  const double beta = eta * expected.error / (1.0 - expected.error);
  double sum = 0.0;
  for (std::size_t i = 0; i < it.weights.size(); ++i) {
    const bool is_updated = !is_gradient && !std::isnan(expected.errors[i]);
    expected.next_weights.push_back(it.weights[i] *
                                    (is_updated ? std::pow(beta, 1.0 - expected.errors[i]) : 1.0));
    sum += expected.next_weights.back();
    const double y = std::isnan(it.out_of_bag[i]) ? it.of_all_trees[i] : it.out_of_bag[i];
    expected.next_targets.push_back(is_gradient ? it.targets[i] - eta * y : data.grades()[i]);
  }
  for (double& weight : expected.next_weights) weight /= sum;
  return expected;
}

void CheckClose(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(expected[i])) {
      CHECK(std::isnan(found[i]));
    } else {
      CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-9));
    }
  }
}

constexpr BroofVariant kVariants[] = {BroofVariant::kAbsolute, BroofVariant::kMedian,
                                      BroofVariant::kHeight, BroofVariant::kGradient};

}  // namespace

TEST_CASE("weights, errors and targets are those of algorithms 2 to 5, iteration by iteration") {
  for (const BroofVariant variant : kVariants) {
    for (const bool has_weights : {false, true}) {
      INFO("variant ", static_cast<int>(variant), ", weights ", has_weights);
      const Dataset data = RankingData(3, has_weights).Make();
      const Boosting boosting = BoostedForests(data, SmallForests(variant));
      REQUIRE(boosting.iterations.size() >= 2);
      for (std::size_t t = 0; t < boosting.iterations.size(); ++t) {
        const Noted& it = boosting.iterations[t];
        const Expected expected = NaiveIteration(data, variant, 0.5, it);
        CheckClose(it.errors, expected.errors);
        CHECK(it.error == doctest::Approx(expected.error));
        if (it.error < 0.5) {
          const double beta = 0.5 * it.error / (1.0 - it.error);
          const bool is_gradient = variant == BroofVariant::kGradient;
          CHECK(it.beta == doctest::Approx(is_gradient ? 0.5 : beta));
          CHECK(it.learner_weight == doctest::Approx(is_gradient ? 0.5 : std::log(1.0 / beta)));
        }
        if (t + 1 == boosting.iterations.size()) break;
        CheckClose(boosting.iterations[t + 1].weights, expected.next_weights);
        CheckClose(boosting.iterations[t + 1].targets, expected.next_targets);
      }
    }
  }
}

TEST_CASE("out-of-bag predictions are those of the trees that did not draw a document by weight") {
  const Dataset data = RankingData(5).Make();
  const BroofSettings settings = SmallForests(BroofVariant::kHeight);
  const Boosting boosting = BoostedForests(data, settings);
  const RowSample all = WholeSample(data.n_documents());
  std::vector<Tree> trees = TreesOf(boosting.model());
  for (std::size_t t = 0; t < boosting.trained.rounds_kept; ++t) {
    const Noted& it = boosting.iterations[t];
    const Rng rng = Rng(0).Child(Purpose::kRound, t);
    const WeightedBootstrap sampler(it.weights, 1.0);
    std::vector<double> sum(all.rows.size());
    std::vector<double> n(all.rows.size());
    for (std::size_t i = 0; i < settings.n_estimators; ++i) {
      const Tree& tree = trees[t * settings.n_estimators + i];
      const RowSample drawn = DrawForTree(sampler, data, all, rng.Child(Purpose::kTree, i));
      for (const RowId d : RowsOutside(drawn, all.rows.size())) {
        sum[d] += static_cast<double>(tree.Value(data.Features(d)));
        n[d] += 1.0;
      }
    }
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] /= n[d];  // NaN where all drew it
    CheckClose(it.out_of_bag, sum);
  }
}

TEST_CASE("the model is the sum of all trees, each with its forest's weight by their number") {
  const Dataset data = RankingData(7).Make();
  for (const BroofVariant variant : kVariants) {
    const BroofSettings settings = SmallForests(variant);
    const Boosting boosting = BoostedForests(data, settings);
    const std::size_t rounds = boosting.trained.rounds_kept;
    const std::vector<Tree> trees = TreesOf(boosting.model());
    CHECK(boosting.model().n_rounds() == rounds);
    REQUIRE(trees.size() == rounds * settings.n_estimators);
    std::vector<double> scores(data.n_documents(), 0.0);
    AddGroups(boosting.model(), data, Threads{1}, scores);
    for (RowId d = 0; d < data.n_documents(); ++d) {
      double expected = 0.0;
      for (std::size_t t = 0; t < rounds; ++t) {
        double mean = 0.0;
        for (std::size_t i = 0; i < settings.n_estimators; ++i) {
          mean += static_cast<double>(trees[t * settings.n_estimators + i].Value(data.Features(d)));
        }
        expected += boosting.iterations[t].learner_weight * mean / settings.n_estimators;
      }
      CHECK(scores[d] == doctest::Approx(expected).epsilon(1e-6));
    }
    if (variant == BroofVariant::kGradient) CHECK(boosting.model().groups.size() == 1);
  }
}

TEST_CASE("weights of documents sum to 1 in every iteration") {
  for (const BroofVariant variant : kVariants) {
    const Boosting boosting = BoostedForests(RankingData(8).Make(), SmallForests(variant));
    for (const Noted& it : boosting.iterations) {
      double sum = 0.0;
      for (const double weight : it.weights) sum += weight;
      CHECK(sum == doctest::Approx(1.0));
    }
  }
}

TEST_CASE("neither threads nor the order of rows change a bit, on both engines") {
  const testing::RawData raw = RankingData(9);
  Rng rng(2);
  const testing::RawData shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng));
  for (const BroofVariant variant : kVariants) {
    BroofSettings settings = SmallForests(variant);
    settings.n_estimators = 20;
    const Boosting one = BoostedForests(raw.Make(), settings);
    const Boosting three = BoostedForests(shuffled.Make(), settings, {0, Threads{3}, {}, {}});
    CHECK(one.trained.ensemble == three.trained.ensemble);
    settings.trees.tree_method = TreeMethod::kHist;
    const Boosting hist = BoostedForests(raw.Make(), settings);
    CHECK(BoostedForests(raw.Make(), settings, {0, Threads{3}, {}, {}}).trained.ensemble ==
          hist.trained.ensemble);
  }
}

TEST_CASE("training goes on from the first forests to the same model") {
  const Dataset data = RankingData(10, true).Make();
  for (const BroofVariant variant : kVariants) {
    const Ensemble all = BoostedForests(data, SmallForests(variant)).trained.ensemble;
    for (const std::size_t first : {1U, 2U}) {
      RunOptions options;
      options.trained = Prefix(all, first);
      CHECK(BoostedForests(data, SmallForests(variant), options).trained.ensemble == all);
    }
  }
}

TEST_CASE("a forest with an error of 0.5 ends training and is left out, but for the first") {
  const Dataset data = RankingData(11).Make();
  const BroofSettings settings = SmallForests(BroofVariant::kAbsolute);
  for (const std::size_t bad : {0U, 1U, 3U}) {
    BroofParts parts = PartsOf(settings);
    parts.errors = [&](const BroofIteration& now) {
      return std::vector<double>(now.predictions.size(), now.number == bad ? 0.5 : 0.25);
    };
    const Boosting boosting = BoostedForests(data, settings, {}, &parts);
    CHECK(boosting.iterations.size() == bad + 1);
    CHECK(boosting.trained.rounds_kept == std::max<std::size_t>(bad, 1));
    CHECK(boosting.iterations.back().learner_weight == (bad == 0 ? 0.5 : 0.0));
  }
}

TEST_CASE("a forest without an error is the last, and so is one that nothing is measured on") {
  const Dataset data = RankingData(12).Make();
  const BroofSettings settings = SmallForests(BroofVariant::kAbsolute);
  for (const double value : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
    BroofParts parts = PartsOf(settings);
    parts.errors = [&](const BroofIteration& now) {
      return std::vector<double>(now.predictions.size(), value);
    };
    const Boosting boosting = BoostedForests(data, settings, {}, &parts);
    CHECK(boosting.iterations.size() == 1);
    CHECK(boosting.trained.rounds_kept == 1);
  }
}

TEST_CASE("early stopping keeps the best iteration of a watched set") {
  const Dataset data = RankingData(13).Make();
  BroofSettings settings = SmallForests(BroofVariant::kGradient);
  settings.max_iter = 20;
  RunOptions options;
  options.monitor.watches = {{"valid", &data, {testing::Scripted({0.1, 0.3, 0.2, 0.3, 0.1, 0.2})}}};
  options.monitor.early_stopping_rounds = 3;
  const Boosting boosting = BoostedForests(data, settings, options);
  CHECK(boosting.trained.rounds_kept == 2);
  CHECK(boosting.trained.history.size() == 5);
  CHECK(boosting.trained.stopped_early);
  CHECK(boosting.trained.ensemble.n_trees() == 24);
  testing::ScoreLog log;
  options.monitor = {};
  options.monitor.watches = {{"valid", &data, {log.metric()}}};
  const Boosting whole = BoostedForests(data, settings, options);
  std::vector<double> scores(data.n_documents(), 0.0);
  AddGroups(whole.model(), data, Threads{1}, scores);
  CHECK(log.scores.back() == scores);
}

TEST_CASE("a bag trains BROOF on parts of the queries") {
  const Dataset data = RankingData(14).Make();
  RunOptions options;
  options.bag = BagSettings{3, 0.6, BagCombine::kMean};
  const Trained bag = BoostedForests(data, SmallForests(BroofVariant::kHeight), options).trained;
  CHECK(bag.ensemble.members.size() == 3);
  options.threads = Threads{3};
  options.bag->n_bags = 3;
  const Broof recipe(SmallForests(BroofVariant::kHeight));
  CHECK(Train(recipe, data, 6, options).ensemble == bag.ensemble);
}

TEST_CASE("features that earlier forests use are paid") {
  const Dataset data = RankingData(15).Make();
  BroofSettings settings = SmallForests(BroofVariant::kGradient);
  settings.trees.limits.costs.weight = 1e6;
  settings.trees.limits.costs.normalization = CostNormalization::kNone;
  RunOptions options;
  options.feature_costs = FeatureCosts::OneByOne({1.0, 1e-9, 1.0, 1.0});
  const Boosting boosting = BoostedForests(data, settings, options);
  std::vector<std::uint8_t> used(4, 0);
  MarkUsed(boosting.model(), used);
  CHECK(used == std::vector<std::uint8_t>{0, 1, 0, 0});
}

TEST_CASE("what an extension point must not answer ends training") {
  const Dataset data = RankingData(16).Make();
  const BroofSettings settings = SmallForests(BroofVariant::kAbsolute);
  const auto negative = [](const BroofIteration& it) {
    return std::vector<double>(it.rows.rows.size(), -1.0);
  };
  BroofParts parts = PartsOf(settings);
  parts.errors = negative;
  CHECK_THROWS_AS(BoostedForests(data, settings, {}, &parts), std::invalid_argument);
  parts = PartsOf(settings);
  parts.example_weights = negative;
  CHECK_THROWS_AS(BoostedForests(data, settings, {}, &parts), std::invalid_argument);
}

TEST_CASE("all grades alike, or one document, train without an error") {
  for (const auto& raw :
       {testing::OneFeature({1, 2, 3}, {1, 1, 1}), testing::OneFeature({1}, {2})}) {
    for (const BroofVariant variant : kVariants) {
      const Boosting boosting = BoostedForests(raw.Make(), SmallForests(variant));
      CHECK(boosting.trained.rounds_kept >= 1);
    }
  }
}

}  // namespace rankforest
