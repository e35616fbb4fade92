#include "rankforest/score/lazy_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/lazy_scratch.hpp"
#include "rankforest/score/provider.hpp"
#include "support/hand_made_trees.hpp"
#include "support/matrix.hpp"
#include "support/naive_limits.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest {

using testing::Matrix;

namespace {

using Documents = std::vector<std::size_t>;

/// Provides the columns of a matrix, and notes and checks what is asked for.
class MatrixProvider {
 public:
  explicit MatrixProvider(const FeatureMatrix& features) : features_(features) {}

  void operator()(FeatureId feature, Span<const std::size_t> documents, Span<float> values) {
    requests.emplace_back(feature, Documents(documents.begin(), documents.end()));
    REQUIRE(values.size() == documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (i > 0) CHECK(documents[i] > documents[i - 1]);
      CHECK(asked.emplace(documents[i], feature).second);
      values[i] = features_.Row(documents[i])[feature];
    }
  }

  std::vector<std::pair<FeatureId, Documents>> requests;
  std::set<std::pair<std::size_t, FeatureId>> asked;

 private:
  FeatureMatrix features_;
};

/// The features on the paths of a document through its first rounds.
std::set<std::pair<std::size_t, FeatureId>> Visited(const Ensemble& model,
                                                    const FeatureMatrix& features,
                                                    const std::vector<std::uint32_t>& rounds) {
  std::set<std::pair<std::size_t, FeatureId>> visited;
  for (std::size_t row = 0; row < features.n_rows; ++row) {
    for (const Member& member : Prefix(model, rounds[row]).members) {
      for (const Group& group : member.groups) {
        for (const Tree& tree : group.trees) {
          std::int32_t child = tree.nodes.empty() ? ~0 : 0;
          while (child >= 0) {
            const Tree::Node& node = tree.nodes[static_cast<std::size_t>(child)];
            visited.emplace(row, node.feature);
            child = node.Next(features.Row(row)[node.feature]);
          }
        }
      }
    }
  }
  return visited;
}

/// Two trees over three features, of costs 5, 1 and 3: the first asks for 0 and, on the right, for
/// 2; the second for 1 and, on its sides, for 0 and 2.
Ensemble TwoTrees() {
  Tree first;
  first.nodes = {{0, 0.5F, ~0, 1, ~0}, {2, 0.5F, ~1, ~2, ~1}};
  first.leaves = {1.0F, 2.0F, 4.0F};
  Tree second;
  second.nodes = {{1, 0.5F, 1, 2, 1}, {0, 1.5F, ~0, ~1, ~0}, {2, 1.5F, ~2, ~3, ~2}};
  second.leaves = {10.0F, 20.0F, 40.0F, 80.0F};
  Ensemble model;
  model.n_features = 3;
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {first, second}}}}};
  return model;
}

ScoreLimits Costs() {
  ScoreLimits limits;
  limits.costs = {0.25, {5.0, 1.0, 3.0}};
  return limits;
}

const std::vector<float> kThreeDocuments{0, 0, 0, /**/ 1, 1, 1, /**/ 0, 1, 2};

}  // namespace

TEST_CASE("features are asked for where a path needs them, the cheapest first") {
  MatrixProvider provider(Matrix(kThreeDocuments, 3));
  std::vector<double> scores(3);
  const LazyReport report = CompiledScorer(TwoTrees()).ScoreLazily(3, provider, Costs(), scores);
  CHECK(provider.requests == std::vector<std::pair<FeatureId, Documents>>{
                                 {0, {0, 1, 2}}, {2, {1}}, {1, {0, 1, 2}}, {2, {2}}});
  CHECK(scores == std::vector<double>{11.0, 44.0, 81.0});
  CHECK(report.n_fetched == Documents{3, 3, 2});
  CHECK(report.n_requests == 4);
  CHECK(report.n_evaluations == 6);
  CHECK(report.cost == 6 * 0.25 + 3 * 5.0 + 3 * 1.0 + 2 * 3.0);
  CHECK(report.rounds == std::vector<std::uint32_t>{2, 2, 2});
}

TEST_CASE("of features that documents wait for at once the cheapest goes first") {
  Ensemble model = TwoTrees();
  std::vector<Tree>& trees = model.members[0].groups[0].trees;
  trees.erase(trees.begin());
  std::vector<double> scores(3);
  MatrixProvider provider(Matrix(kThreeDocuments, 3));
  ScoreLimits limits = Costs();
  (void)CompiledScorer(model).ScoreLazily(3, provider, limits, scores);
  CHECK(provider.requests ==
        std::vector<std::pair<FeatureId, Documents>>{{1, {0, 1, 2}}, {2, {1, 2}}, {0, {0}}});
  limits.costs.features = {2.0, 1.0, 3.0};
  MatrixProvider other(Matrix(kThreeDocuments, 3));
  (void)CompiledScorer(model).ScoreLazily(3, other, limits, scores);
  CHECK(other.requests ==
        std::vector<std::pair<FeatureId, Documents>>{{1, {0, 1, 2}}, {0, {0}}, {2, {1, 2}}});
}

TEST_CASE("a budget that ends in the middle of a tree leaves the scores of the tree before") {
  MatrixProvider provider(Matrix(kThreeDocuments, 3));
  std::vector<double> scores(3);
  ScoreLimits limits = Costs();
  limits.budget = 24.0;  // the first tree costs 18.75, the second one 0.75, 3 and 3
  const LazyReport report = CompiledScorer(TwoTrees()).ScoreLazily(3, provider, limits, scores);
  CHECK(scores == std::vector<double>{1.0, 4.0, 1.0});
  CHECK(report.rounds == std::vector<std::uint32_t>{1, 1, 1});
  CHECK(report.n_evaluations == 3);
  CHECK(report.n_fetched == Documents{3, 3, 1});
  CHECK(report.cost == 0.75 + 15.0 + 3.0 + 3.0);
}

TEST_CASE("scores are those of the same values in a matrix, whatever the model") {
  Rng rng(95);
  LazyScratch scratch;
  for (int trial = 0; trial < 100; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(60);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    const FeatureMatrix features = Matrix(x, 4);
    MatrixProvider provider(features);
    std::vector<double> scores(n);
    const LazyReport& report = CompiledScorer(model).ScoreLazily(n, provider, {}, scores, scratch);
    CHECK(scores == Score(model, features));
    CHECK(provider.asked == Visited(model, features, report.rounds));
    Documents n_fetched(4);
    for (const auto& [document, feature] : provider.asked) ++n_fetched[feature];
    CHECK(report.n_fetched == n_fetched);
    CHECK(report.n_requests == provider.requests.size());
    CHECK(report.n_evaluations == n * model.n_trees());
  }
}

TEST_CASE("large trees and wide entries are walked as well") {
  Rng rng(96);
  testing::TreeStyle style;
  style.n_features = 1500;
  const Ensemble model = testing::StyledEnsemble(12, 900, style, rng);
  const std::vector<float> x = testing::TrickyFeatures(20 * 1500, style, 10, rng);
  MatrixProvider provider(Matrix(x, 1500));
  std::vector<double> scores(20);
  (void)CompiledScorer(model).ScoreLazily(20, provider, {}, scores);
  CHECK(scores == Score(model, Matrix(x, 1500)));
}

TEST_CASE("documents exit lazy scoring as they do by the definition, and ask for nothing more") {
  Rng rng(97);
  for (int trial = 0; trial < 100; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::size_t n = 1 + rng.Below(60);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    ScoreLimits limits;
    limits.early_exit = EarlyExit{1 + rng.Below(3), 0.125 * rng.Below(7)};
    const testing::NaiveLimits expected(model, Matrix(x, 4), std::vector<QueryId>(n), limits);
    MatrixProvider provider(Matrix(x, 4));
    std::vector<double> scores(n);
    const LazyReport report = CompiledScorer(model).ScoreLazily(n, provider, limits, scores);
    CHECK(scores == expected.scores);
    CHECK(report.rounds == expected.rounds);
    CHECK(report.n_evaluations == expected.n_evaluations);
    CHECK(provider.asked == Visited(model, Matrix(x, 4), expected.rounds));
    limits.early_exit->demote = true;
    MatrixProvider again(Matrix(x, 4));
    (void)CompiledScorer(model).ScoreLazily(n, again, limits, scores);
    CHECK(scores == CompiledScorer(model).ScoreWithin(limits, Matrix(x, 4)).scores);
  }
}

TEST_CASE("a budget is never exceeded, and ends no round that it could pay") {
  Rng rng(98);
  for (int trial = 0; trial < 100; ++trial) {
    Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    for (Member& member : model.members) {
      for (Group& group : member.groups) group.reduction = Reduction::kSum;
    }
    const std::size_t n = 1 + rng.Below(30);
    const std::vector<float> x = testing::RandomFeatures(n * 4, rng);
    ScoreLimits limits;
    limits.costs = {static_cast<double>(rng.Below(3)), {1.0, 2.0, 16.0, 4.0}};
    const auto cost_of = [&](std::size_t rounds) {
      MatrixProvider provider(Matrix(x, 4));
      std::vector<double> scores(n);
      return CompiledScorer(Prefix(model, rounds)).ScoreLazily(n, provider, limits, scores).cost;
    };
    ScoreLimits limited = limits;
    limited.budget = rng.Uniform() * 1.1 * cost_of(model.n_rounds());
    MatrixProvider provider(Matrix(x, 4));
    std::vector<double> scores(n);
    const LazyReport report = CompiledScorer(model).ScoreLazily(n, provider, limited, scores);
    const std::uint32_t rounds = report.rounds[0];
    CHECK(report.rounds == std::vector<std::uint32_t>(n, rounds));
    CHECK(scores == Score(Prefix(model, rounds), Matrix(x, 4)));
    CHECK(report.cost <= *limited.budget);
    CHECK(report.cost >= cost_of(rounds));
    if (rounds < model.n_rounds()) CHECK(cost_of(rounds + 1) > *limited.budget);
  }
}

TEST_CASE("what a provider does not write is missing, and so is any NaN that it does") {
  const CompiledScorer scorer(TwoTrees());
  std::vector<double> scores(2);
  const auto silent = [](FeatureId, Span<const std::size_t>, Span<float>) {};
  const LazyReport report = scorer.ScoreLazily(2, silent, {}, scores);
  CHECK(scores == std::vector<double>{11.0, 11.0});
  CHECK(report.n_requests == 2);
  const auto odd = [](FeatureId, Span<const std::size_t>, Span<float> values) {
    std::fill(values.begin(), values.end(), detail::UnknownValue());
  };
  CHECK(scorer.ScoreLazily(2, odd, {}, scores).n_requests == 2);
  CHECK(scores == std::vector<double>{11.0, 11.0});
}

TEST_CASE("what a provider throws comes out, and the scratch can be used again") {
  const CompiledScorer scorer(TwoTrees());
  std::vector<double> scores(3);
  LazyScratch scratch;
  const auto broken = [](FeatureId, Span<const std::size_t>, Span<float>) {
    throw std::runtime_error("no index");
  };
  CHECK_THROWS_WITH_AS((void)scorer.ScoreLazily(3, broken, {}, scores, scratch), "no index",
                       std::runtime_error);
  MatrixProvider provider(Matrix(kThreeDocuments, 3));
  (void)scorer.ScoreLazily(3, provider, {}, scores, scratch);
  CHECK(scores == std::vector<double>{11.0, 44.0, 81.0});
}

TEST_CASE("a question that is answered yes ends lazy scoring") {
  const CompiledScorer scorer(TwoTrees());
  int questions = 0;
  ScoreLimits limits;
  limits.should_stop = [&] { return ++questions == 2; };
  MatrixProvider provider(Matrix(kThreeDocuments, 3));
  std::vector<double> scores(3);
  const LazyReport report = scorer.ScoreLazily(3, provider, limits, scores);
  CHECK(scores == std::vector<double>{1.0, 4.0, 1.0});
  CHECK(report.rounds == std::vector<std::uint32_t>{1, 1, 1});
}

TEST_CASE("there may be no document, but there must be places for all") {
  const CompiledScorer scorer(TwoTrees());
  MatrixProvider provider({nullptr, 0, 3, 3});
  std::vector<double> scores;
  CHECK(scorer.ScoreLazily(0, provider, {}, scores).n_requests == 0);
  CHECK_THROWS_WITH_AS((void)scorer.ScoreLazily(2, provider, {}, scores),
                       "scores must have one place for each of the 2 rows; got 0",
                       std::invalid_argument);
}

}  // namespace rankforest
