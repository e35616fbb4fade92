#include "rankforest/train/running_scores.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/score/reference.hpp"
#include "rankforest/train/recipes.hpp"
#include "rankforest/train/run.hpp"
#include "rankforest/train/watched_scores.hpp"
#include "support/column_data.hpp"
#include "support/small_data.hpp"
#include "support/watching.hpp"

namespace rankforest {

using testing::ByRow;
using testing::ScoreLog;

namespace {

/// Queries of about 60 documents, one in ten positive, with more values than there are bins.
Dataset LongLists(std::uint64_t seed, std::size_t n_documents = 1500) {
  Rng rng(seed);
  testing::RawData raw = testing::FromColumns(
      {testing::ManyValues(n_documents, rng), testing::ManyValues(n_documents, rng),
       testing::FewValues(n_documents, 6, 10, rng)},
      rng);
  for (std::size_t row = 0; row < raw.n_rows(); ++row) {
    raw.queries[row] = static_cast<QueryId>(row / 60);
    const bool is_likely = raw.features[row * 3] > 10.0F;
    raw.grades[row] = rng.Below(is_likely ? 3 : 30) == 0 ? 1.0 + rng.Below(3) : 0.0;
  }
  return raw.Make();
}

SelGbSettings Small(NegativeSelection selection, double fraction, std::uint32_t reselect_every,
                    TreeMethod method = TreeMethod::kHist) {
  SelGbSettings settings = SelGbDefaults();
  settings.lambdamart.boost.n_estimators = 10;
  settings.lambdamart.boost.learning_rate = 0.3;
  settings.lambdamart.boost.trees.limits.max_leaf_nodes = 7;
  settings.lambdamart.boost.trees.limits.min_samples_leaf.amount = 2;
  settings.lambdamart.boost.trees.tree_method = method;
  settings.negatives.selection = selection;
  settings.negatives.fraction = fraction;
  settings.negatives.reselect_every = reselect_every;
  if (selection == NegativeSelection::kFixedFeature) settings.negatives.base_feature = 0;
  return settings;
}

constexpr NegativeSelection kAll[] = {
    NegativeSelection::kTop,         NegativeSelection::kRandom,   NegativeSelection::kGradient,
    NegativeSelection::kMixed,       NegativeSelection::kAdaptive, NegativeSelection::kFixedRandom,
    NegativeSelection::kFixedFeature};

/// What a sampler was shown, and drew.
struct Drawn {
  std::size_t round;
  std::vector<double> scores;
  std::vector<RowId> rows;
};

/// Hands on to SelectNegatives and takes notes.
struct SpyingSampler {
  SelectNegatives sampler;
  std::vector<Drawn>* log;

  [[nodiscard]] static constexpr bool draws_all() { return false; }
  [[nodiscard]] SamplerNeeds needs() const { return sampler.needs(); }
  [[nodiscard]] bool redraws(std::size_t round) const { return sampler.redraws(round); }
  [[nodiscard]] RowSample Draw(const SamplerView& view, const RowSample& from, Rng rng) const {
    RowSample drawn = sampler.Draw(view, from, rng);
    log->push_back({view.round, {view.scores.begin(), view.scores.end()}, drawn.rows});
    return drawn;
  }
};

/// Selects, with a full sort, what kTop does.
std::vector<RowId> NaiveTop(const Dataset& data, Span<const double> scores, double fraction) {
  const std::vector<RowId> places = PlacesIn(ScaleFreeOrder(data, Threads{1}));
  std::vector<RowId> kept;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    std::vector<RowId> negatives;
    for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
      (data.grades()[d] > 0.0 ? kept : negatives).push_back(d);
    }
    std::sort(negatives.begin(), negatives.end(), [&](RowId a, RowId b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : places[a] < places[b];
    });
    const double share = fraction * static_cast<double>(negatives.size());
    negatives.resize(static_cast<std::size_t>(std::ceil(share - 1e-9)));
    kept.insert(kept.end(), negatives.begin(), negatives.end());
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

}  // namespace

TEST_CASE("with all negatives, selected in every round, it is LambdaMART, bit for bit") {
  const Dataset data = LongLists(561);
  for (const TreeMethod method : {TreeMethod::kHist, TreeMethod::kExact}) {
    const SelGbSettings settings = Small(NegativeSelection::kTop, 1.0, 1, method);
    const Trained lambdamart = Train(LambdaMart(settings.lambdamart), data, 10, {});
    for (const NegativeSelection selection : kAll) {
      if (selection == NegativeSelection::kAdaptive) continue;  // leaves out what is not hard
      const Trained trained = Train(SelGb(Small(selection, 1.0, 1, method)), data, 10, {});
      CHECK(trained.ensemble == lambdamart.ensemble);
    }
    const Trained selected =
        Train(SelGb(Small(NegativeSelection::kTop, 0.1, 1, method)), data, 10, {});
    CHECK_FALSE(selected.ensemble == lambdamart.ensemble);
  }
}

TEST_CASE(
    "each selection sees the scores of the model so far, bit for bit, and takes the highest") {
  const Dataset data = LongLists(562);
  const TrainingSet training(data, Threads{1});
  for (const TreeMethod method : {TreeMethod::kHist, TreeMethod::kExact}) {
    for (const std::uint32_t every : {1U, 3U}) {
      const SelGbSettings settings = Small(NegativeSelection::kTop, 0.05, every, method);
      std::vector<Drawn> log;
      const BoostSettings& of = settings.lambdamart.boost;
      const Boost boost(BoostPlan{of.n_estimators, of.learning_rate},
                        RankingObjectiveOf(settings.lambdamart), GrowerOf(of.trees),
                        SpyingSampler{SelectNegatives(settings.negatives), &log});
      Monitor monitor({}, Threads{1}, 10);
      Ensemble model;
      model.n_features = 3;
      model.members.push_back(
          boost.Train(training, WholeSample(data.n_documents()), Rng(3), monitor));
      REQUIRE(log.size() == (every == 1 ? 10 : 4));
      for (const Drawn& drawn : log) {
        INFO("every ", every, ", round ", drawn.round);
        CHECK(ByRow(data, drawn.scores) == Score(Prefix(model, drawn.round), data.features()));
        const double fraction = drawn.round == 0 ? 1.0 : 0.05;
        CHECK(drawn.rows == NaiveTop(data, drawn.scores, fraction));
      }
    }
  }
}

TEST_CASE("training goes on from any round as if it had not ended, between selections too") {
  const Dataset data = LongLists(563);
  for (const NegativeSelection selection : kAll) {
    for (const std::uint32_t every : {1U, 4U}) {
      const SelGbSettings settings = Small(selection, 0.1, every);
      const Trained at_once = Train(SelGb(settings), data, 10, {});
      for (const std::size_t done : {std::size_t{2}, std::size_t{6}, std::size_t{10}}) {
        RunOptions options;
        options.trained = Prefix(at_once.ensemble, done);
        INFO("after ", done, ", every ", every);
        CHECK(Train(SelGb(settings), data, 10, options).ensemble == at_once.ensemble);
      }
    }
  }
}

TEST_CASE("threads and the order of rows change no selection and no tree") {
  Rng rng(564);
  testing::SmallDataOptions small;
  small.n_queries = 30;
  small.most_documents = 20;
  const testing::RawData raw = testing::SmallData(small, rng);
  const Dataset data = raw.Make();
  const Dataset shuffled = raw.Take(testing::ShuffledRows(raw.n_rows(), rng)).Make();
  for (const NegativeSelection selection : kAll) {
    const SelGbSettings settings = Small(selection, 0.2, 2);
    const Ensemble model = Train(SelGb(settings), data, 10, {}).ensemble;
    RunOptions options;
    options.threads = Threads{3};
    CHECK(Train(SelGb(settings), data, 10, options).ensemble == model);
    CHECK(Train(SelGb(settings), shuffled, 10, {}).ensemble == model);
  }
}

TEST_CASE("a watched data set in bins has the scores of the model") {
  const Dataset data = LongLists(565);
  const Dataset watched = LongLists(566, 1200);
  REQUIRE(WatchedScores::PaysToBin(watched, 30));
  REQUIRE_FALSE(WatchedScores::PaysToBin(watched, 10));
  SelGbSettings settings = Small(NegativeSelection::kTop, 0.1, 1);
  settings.lambdamart.boost.n_estimators = 30;
  ScoreLog log;
  RunOptions options;
  options.monitor.watches = {{"valid", &watched, {log.metric()}}};
  const Trained trained = Train(SelGb(settings), data, 30, options);
  REQUIRE(log.scores.size() == 30);
  for (std::size_t round = 1; round <= 30; ++round) {
    CHECK(ByRow(watched, log.scores[round - 1]) ==
          Score(Prefix(trained.ensemble, round), watched.features()));
  }
}

}  // namespace rankforest
