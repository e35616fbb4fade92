#include "rankforest/score/linear_part.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/staged.hpp"
#include "support/matrix.hpp"
#include "support/naive_limits.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

using testing::Matrix;

namespace {

constexpr std::uint32_t kColumns = 21;

/// Terms on neighbouring features, or on any.
Linear LinearOn(bool neighbours, QueryNormalization kind, Rng& rng) {
  Linear linear{kind, {}};
  for (FeatureId f = 2; f < kColumns; ++f) {
    if (neighbours || rng.Below(2) == 0) {
      linear.terms.push_back({f, static_cast<float>(rng.Uniform() * 2.0 - 1.0)});
    }
  }
  return linear;
}

/// Members of trees, of a linear part, and of both.
Ensemble MixedEnsemble(Combine combine, QueryNormalization kind, Rng& rng) {
  Ensemble model = testing::RandomEnsemble(kColumns, combine, rng);
  model.members.front().linear = LinearOn(rng.Below(2) == 0, kind, rng);
  model.members.push_back({0.5, {}, LinearOn(rng.Below(2) == 0, QueryNormalization::kNone, rng)});
  return model;
}

}  // namespace

TEST_CASE("a linear part adds the same bits for every instruction set, whatever its features") {
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    const Linear linear = LinearOn(round % 2 == 0, QueryNormalization::kNone, rng);
    const detail::LinearPart part(linear);
    const std::vector<float> x = testing::RandomFeatures(37 * kColumns, rng);
    const FeatureMatrix rows = Matrix(x, kColumns);
    std::vector<double> expected;
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
      expected.push_back(1.0 + LinearSum(linear, [&](std::size_t i) {
                           return rows.Row(row)[linear.terms[i].feature];
                         }));
      CHECK(1.0 + part.Sum([&](FeatureId f) { return rows.Row(row)[f]; }) == expected[row]);
    }
    for (const Isa isa : kIsas) {
      if (!HasIsa(isa)) continue;
      std::vector<double> scores(rows.n_rows, 1.0);
      part.AddScores(isa, rows, scores.data());
      CHECK(scores == expected);
    }
  }
}

TEST_CASE("every scorer gives models with linear parts the bits of the reference") {
  Rng rng(2);
  for (int round = 0; round < 40; ++round) {
    const Ensemble model = MixedEnsemble(Combine::kSum, QueryNormalization::kNone, rng);
    const std::vector<float> x = testing::RandomFeatures(70 * kColumns, rng);
    const FeatureMatrix rows = Matrix(x, kColumns);
    const std::vector<double> expected = Score(model, rows);
    for (const Isa isa : kIsas) {
      if (!HasIsa(isa)) continue;
      const CompiledScorer scorer(model, isa);
      CHECK(scorer.Score(rows, {}, Threads{2}) == expected);
      CHECK(scorer.ScoreWithin({}, rows).scores == expected);
      std::vector<double> lazily(rows.n_rows);
      const auto provide = [&](FeatureId f, Span<const std::size_t> documents, Span<float> out) {
        for (std::size_t i = 0; i < documents.size(); ++i) out[i] = rows.Row(documents[i])[f];
      };
      scorer.ScoreLazily(rows.n_rows, provide, {}, lazily);
      CHECK(lazily == expected);
    }
    StagedScorer staged(model, rows);
    staged.Advance(1);
    CHECK(staged.Scores() == Score(Prefix(model, 1), rows));
  }
}

TEST_CASE("the best documents are those with the highest scores where a part is linear") {
  Rng rng(3);
  for (int round = 0; round < 30; ++round) {
    Ensemble model = MixedEnsemble(Combine::kSum, QueryNormalization::kNone, rng);
    if (round % 3 == 0) model.members = {{0.0, {}, model.members.back().linear}};
    std::vector<float> x(90 * kColumns);
    const double scale = round % 2 == 0 ? 1.0 : 1e30;
    for (float& value : x) value = static_cast<float>((rng.Uniform() - 0.5) * scale);
    const FeatureMatrix rows = Matrix(x, kColumns);
    const std::vector<double> scores = Score(model, rows);
    std::vector<std::size_t> order(scores.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    const std::vector<RankedDocument> best = CompiledScorer(model).Top(rows, 5);
    for (std::size_t i = 0; i < best.size(); ++i) {
      CHECK(best[i] == RankedDocument{order[i], scores[order[i]]});
    }
  }
}

TEST_CASE("normalized linear parts look at whole queries, which must be given") {
  Ensemble model;
  model.n_features = 1;
  model.members = {{1.0, {}, {QueryNormalization::kMinMax, {{0, 4.0F}}}}};
  const std::vector<float> x{1.0F, 10.0F, 3.0F, 30.0F, 2.0F};
  const std::vector<QueryId> queries{7, 5, 7, 5, 7};
  const std::vector<double> expected{1.0, 1.0, 5.0, 5.0, 3.0};
  CHECK(Score(model, Matrix(x, 1), queries) == expected);
  const CompiledScorer scorer(model);
  CHECK(scorer.needs_queries());
  CHECK(scorer.Score(Matrix(x, 1), queries) == expected);
  CHECK_THROWS_AS(scorer.Score(Matrix(x, 1)), std::invalid_argument);
  CHECK_THROWS_AS(scorer.ScoreWithin({}, Matrix(x, 1)), std::invalid_argument);
  CHECK_THROWS_AS(scorer.Top(Matrix(x, 1), 2), std::invalid_argument);
}

TEST_CASE("normalized parts beside trees, in sums and in other combinations, equal the reference") {
  Rng rng(4);
  for (const Combine combine : {Combine::kSum, Combine::kMinMax, Combine::kBorda}) {
    for (int round = 0; round < 12; ++round) {
      const auto kind = static_cast<QueryNormalization>(1 + round % 3);
      const Ensemble model = MixedEnsemble(combine, kind, rng);
      const std::vector<float> x = testing::RandomFeatures(300 * kColumns, rng);
      std::vector<QueryId> queries(300);
      for (QueryId& query : queries) query = rng.Below(9);
      const std::vector<double> expected = Score(model, Matrix(x, kColumns), queries);
      CHECK(CompiledScorer(model).Score(Matrix(x, kColumns), queries, Threads{2}) == expected);
      StagedScorer staged(model, Matrix(x, kColumns), queries);
      staged.Advance(staged.n_rounds());
      CHECK(staged.Scores() == expected);
    }
  }
}

TEST_CASE("the features of a linear part are paid for at the start, whatever the budget") {
  Ensemble model;
  model.n_features = 2;
  model.members = {{0.0, {}, {QueryNormalization::kNone, {{1, 1.0F}}}}};
  ScoreLimits limits;
  limits.budget = 0.5;
  limits.costs.features = {3.0, 2.0};
  const std::vector<float> x{0.0F, 4.0F, 0.0F, 6.0F};
  const CompiledScorer scorer(model);
  const LimitedScores within = scorer.ScoreWithin(limits, Matrix(x, 2));
  CHECK(within.scores == std::vector<double>{4.0, 6.0});
  CHECK(within.report.cost == 4.0);
  std::vector<double> lazily(2);
  const LazyReport report = scorer.ScoreLazily(
      2,
      [&](FeatureId f, Span<const std::size_t> documents, Span<float> out) {
        for (std::size_t i = 0; i < documents.size(); ++i) out[i] = x[documents[i] * 2 + f];
      },
      limits, lazily);
  CHECK(lazily == within.scores);
  CHECK(report.cost == 4.0);
  CHECK(report.n_fetched == std::vector<std::size_t>{0, 2});
}

TEST_CASE("documents with a linear part exit by the scores that hold it, by hand") {
  Tree down;  // takes 8 from those with a value above 0.5
  down.nodes = {{0, 0.5F, ~0, ~1, ~0}};
  down.leaves = {0.0F, -8.0F};
  Tree up = down;  // and gives 32 to them
  up.leaves = {0.0F, 32.0F};
  Ensemble model;
  model.n_features = 1;
  model.members = {
      {1.0, {{1.0, Reduction::kSum, 1, {down, up}}}, {QueryNormalization::kNone, {{0, 3.0F}}}}};
  model.exits.points = {{1, 0.5}};
  const std::vector<float> x{4.0F, 1.0F, 0.0F, 2.0F};
  const std::vector<QueryId> one_query(4);
  // After the first tree the documents have 5, -4, 1 and -1.
  const std::vector<double> expected{37.0, -4.0, 1.0, -1.0};
  CHECK(Score(model, Matrix(x, 1), one_query) == expected);
  CHECK(CompiledScorer(model).Score(Matrix(x, 1), one_query) == expected);
}

TEST_CASE("documents with linear parts exit, and are paid for, as they are by the definition") {
  Rng rng(5);
  for (int round = 0; round < 40; ++round) {
    Ensemble model = MixedEnsemble(Combine::kSum, QueryNormalization::kNone, rng);
    model.exits.points = {{1, 0.25 * rng.Below(4)}, {2, 0.5, 0.5 * rng.Below(4), rng.Below(9)}};
    std::vector<ExitPoint>& points = model.exits.points;
    while (!points.empty() && points.back().round >= model.n_rounds()) points.pop_back();
    const std::vector<float> x = testing::RandomFeatures(40 * kColumns, rng);
    std::vector<QueryId> codes(40);
    for (QueryId& code : codes) code = rng.Below(3);
    ScoreLimits limits;
    limits.costs = {1.0, std::vector<double>(kColumns, 4.0)};
    for (std::uint32_t f = 0; f < kColumns && round % 2 == 0; ++f) {
      limits.costs.groups.push_back(f / 4);
    }
    if (round % 3 == 0) limits.budget = 100.0 * rng.Below(40);
    const FeatureMatrix rows = Matrix(x, kColumns);
    const testing::NaiveLimits naive(model, rows, codes, limits);
    const CompiledScorer scorer(model);
    const LimitedScores within = scorer.ScoreWithin(limits, rows, codes, Threads{2});
    CHECK(within.scores == naive.scores);
    CHECK(within.rounds == naive.rounds);
    CHECK(within.report.cost == naive.cost);
    const std::vector<double> scores = Score(model, rows, codes);
    CHECK(scorer.Score(rows, codes) == scores);
    CHECK(testing::NaiveLimits(model, rows, codes, {}).scores == scores);
    const std::vector<QueryId> one_query(40);
    std::vector<double> lazily(40);
    const auto provide = [&](FeatureId f, Span<const std::size_t> documents, Span<float> out) {
      for (std::size_t i = 0; i < documents.size(); ++i) out[i] = rows.Row(documents[i])[f];
    };
    scorer.ScoreLazily(40, provide, {}, lazily);
    CHECK(lazily == Score(model, rows, one_query));
  }
}

TEST_CASE("a linear part that looks at whole queries cannot be scored in part, nor have exits") {
  Rng rng(6);
  Ensemble model = MixedEnsemble(Combine::kSum, QueryNormalization::kZScore, rng);
  while (model.n_rounds() < 2) {
    model = MixedEnsemble(Combine::kSum, QueryNormalization::kZScore, rng);
  }
  CHECK_NOTHROW(Validate(model));
  CHECK(model.is_sum());
  CHECK(model.needs_queries());
  CHECK_FALSE(model.scores_in_part());
  const std::vector<float> x = testing::RandomFeatures(10 * kColumns, rng);
  CHECK_THROWS_WITH_AS(CompiledScorer(model).ScoreWithin({}, Matrix(x, kColumns)),
                       "a model that combines scores or normalizes features within queries has no "
                       "score of a document before its last tree: it cannot be scored in part",
                       std::invalid_argument);
  model.exits.points = {{1, 0.5}};
  CHECK_THROWS_WITH_AS(Validate(model),
                       "a model that normalizes features within queries scores documents together: "
                       "none of them can exit",
                       std::invalid_argument);
  for (Member& member : model.members) member.linear.normalization = QueryNormalization::kNone;
  CHECK_NOTHROW(Validate(model));
  CHECK(model.scores_in_part());
  CHECK(model.needs_queries());
}

}  // namespace rankforest
