#include "rankforest/score/top.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "support/hand_made_trees.hpp"
#include "support/matrix.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest {

using testing::Matrix;

namespace {

using Ranking = std::vector<RankedDocument>;

/// The documents with the highest of all scores.
Ranking SortedByScore(const Ensemble& model, const FeatureMatrix& features, std::size_t k) {
  const std::vector<double> scores = Score(model, features);
  Ranking ranking;
  for (std::size_t row = 0; row < scores.size(); ++row) ranking.push_back({row, scores[row]});
  std::stable_sort(
      ranking.begin(), ranking.end(),
      [](const RankedDocument& a, const RankedDocument& b) { return a.score > b.score; });
  ranking.resize(std::min(k, ranking.size()));
  return ranking;
}

/// A boosted model whose trees matter less and less: `n_trees` of up to `most_leaves` leaves.
Ensemble Fading(std::size_t n_trees, std::uint32_t most_leaves, const testing::TreeStyle& style,
                Rng& rng) {
  Ensemble model = testing::StyledEnsemble(n_trees, most_leaves, style, rng);
  double size = 1.0;
  for (Tree& tree : model.members[0].groups[0].trees) {
    for (float& leaf : tree.leaves) leaf *= static_cast<float>(size);
    size *= 0.97;
  }
  return model;
}

}  // namespace

TEST_CASE("the best documents come best first, and first rows first where scores tie") {
  Ensemble model;
  model.n_features = 1;
  model.members = {{1.0,
                    {{1.0,
                      Reduction::kSum,
                      1,
                      {testing::Stump(0.5F, 0.0F, 2.0F), testing::Stump(1.5F, 0.0F, 4.0F)}}}}};
  const std::vector<float> x{0.0F, 2.0F, 1.0F, 2.0F, 1.0F};
  const CompiledScorer scorer(model);
  CHECK(scorer.Top(Matrix(x, 1), 3) == Ranking{{1, 7.0}, {3, 7.0}, {2, 3.0}});
  CHECK(scorer.Top(Matrix(x, 1), 9) == Ranking{{1, 7.0}, {3, 7.0}, {2, 3.0}, {4, 3.0}, {0, 1.0}});
  CHECK(scorer.Top(Matrix(x, 1), 0).empty());
  CHECK(scorer.Top({nullptr, 0, 1, 1}, 3).empty());
}

TEST_CASE("the best documents are those of all scores, bit for bit") {
  Rng rng(91);
  for (int trial = 0; trial < 100; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(300);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    const std::size_t k = 1 + rng.Below(20);
    CHECK(CompiledScorer(model).Top(Matrix(x, 4), k) == SortedByScore(model, Matrix(x, 4), k));
  }
}

TEST_CASE("documents without a chance stop early, whatever evaluates the trees") {
  Rng rng(92);
  testing::TreeStyle style;
  style.n_features = 12;
  ScoreScratch scratch;
  for (const std::uint32_t most_leaves : {30U, 350U}) {
    for (const std::size_t n : {40U, 200U, 1000U}) {
      const Ensemble model = Fading(300, most_leaves, style, rng);
      const std::vector<float> x = testing::TrickyFeatures(n * 12, style, 100, rng);
      Ranking best(10);
      const TopReport report = CompiledScorer(model).Top(Matrix(x, 12), best, scratch);
      CHECK(best == SortedByScore(model, Matrix(x, 12), 10));
      CHECK(report.n_documents == 10);
      CHECK(report.n_evaluations < 300 * n * 3 / 4);
      CHECK(report.n_evaluations >= 300 * 10);
    }
  }
}

TEST_CASE("a document goes on while it can still tie with the last of the best") {
  // The last tree can give the second document exactly what it lacks.
  Ensemble model;
  model.n_features = 1;
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {}}}}};
  std::vector<Tree>& trees = model.members[0].groups[0].trees;
  trees.push_back(testing::Stump(0.5F, 3.0F, 1.0F));
  for (int t = 0; t < 40; ++t) trees.push_back(testing::Stump(0.5F, 0.0F, 0.0F));
  trees.push_back(testing::Stump(0.5F, -1.0F, 1.0F));
  const std::vector<float> x{1.0F, 0.0F};
  CHECK(CompiledScorer(model).Top(Matrix(x, 1), 1) == Ranking{{0, 2.0}});
  trees.back().leaves = {-1.0F, 0.999999F};
  ScoreScratch scratch;
  Ranking best(1);
  const TopReport report = CompiledScorer(model).Top(Matrix(x, 1), best, scratch);
  CHECK(best == Ranking{{1, 2.0}});
  CHECK(report.n_evaluations == 2 * 32 + 10);
}

TEST_CASE("the best of each query are those of the query alone, whatever the threads") {
  Rng rng(94);
  const testing::TreeStyle style;
  const CompiledScorer scorer(Fading(100, 40, style, rng));
  const std::vector<float> x = testing::TrickyFeatures(300 * 4, style, 100, rng);
  std::vector<QueryId> codes(300);
  for (QueryId& code : codes) code = rng.Below(5) * 3;
  codes[7] = 99;
  const RankedQueries found = scorer.Top(Matrix(x, 4), 8, codes, Threads{2});
  REQUIRE(found.offsets == std::vector<std::size_t>{0, 8, 16, 24, 32, 40, 41});
  CHECK(found.documents.back().row == 7);
  std::size_t evaluations = 0;
  for (std::size_t q = 0; q < 6; ++q) {
    std::vector<float> alone;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < 300; ++row) {
      if (codes[row] != (q == 5 ? 99 : 3 * q)) continue;
      rows.push_back(row);
      alone.insert(alone.end(), x.data() + 4 * row, x.data() + 4 * row + 4);
    }
    Ranking best(8);
    ScoreScratch scratch;
    const TopReport report = scorer.Top(Matrix(alone, 4), best, scratch);
    evaluations += report.n_evaluations;
    for (std::size_t i = 0; i < report.n_documents; ++i) {
      CHECK(found.documents[found.offsets[q] + i] ==
            RankedDocument{rows[best[i].row], best[i].score});
    }
  }
  CHECK(found.n_evaluations == evaluations);
}

TEST_CASE("a model that combines scores within queries has no best before its last tree") {
  Rng rng(93);
  const Ensemble model = testing::RandomEnsemble(4, Combine::kMinMax, rng);
  const std::vector<float> x(4);
  CHECK_THROWS_WITH_AS((void)CompiledScorer(model).Top(Matrix(x, 4), 1),
                       "a model that combines scores or normalizes features within queries has no "
                       "score of a document before its last tree: it cannot be scored in part",
                       std::invalid_argument);
}

}  // namespace rankforest
