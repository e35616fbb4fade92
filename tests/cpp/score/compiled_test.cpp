#include "rankforest/score/compiled.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/io/model_file.hpp"
#include "rankforest/score/reference.hpp"
#include "support/hand_made_trees.hpp"
#include "support/matrix.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"
#include "support/trials.hpp"

namespace rankforest {

using testing::Matrix;

namespace {

/// Of this processor.
std::vector<Isa> AllIsas() {
  std::vector<Isa> isas;
  std::copy_if(kIsas.begin(), kIsas.end(), std::back_inserter(isas), HasIsa);
  return isas;
}

/// Checks a compiled ensemble against the reference scorer, for every instruction set.
void CheckAgainstReference(const Ensemble& model, const FeatureMatrix& features,
                           const std::vector<QueryId>& codes = {}) {
  const std::vector<double> expected = Score(model, features, codes);
  for (const Isa isa : AllIsas()) {
    CHECK(CompiledScorer(model, isa).Score(features, codes) == expected);
  }
}

}  // namespace

TEST_CASE("a score is the base plus the rounded contributions of the trees") {
  Tree stump;
  stump.nodes = {{0, 1.0F, ~0, ~1, ~0}};
  stump.leaves = {1.0F, 3.0F};
  Ensemble model;
  model.n_features = 1;
  model.members = {{10.0, {{0.1, Reduction::kSum, 1, {stump, stump}}}}};
  const std::vector<float> x{1.0F, 1.5F, std::numeric_limits<float>::quiet_NaN()};
  const double low = 10.0 + 0x1.99999ap-4 + 0x1.99999ap-4;
  const double high = 10.0 + 0x1.333334p-2 + 0x1.333334p-2;
  for (const Isa isa : AllIsas()) {
    const CompiledScorer scorer(model, isa);
    CHECK(scorer.Score(Matrix(x, 1)) == std::vector<double>{low, high, low});
    CHECK(scorer.isa() == isa);
    CHECK(scorer.n_features() == 1);
    CHECK(!scorer.needs_queries());
  }
}

TEST_CASE("models of every shape score as the reference does, bit for bit") {
  Rng rng(51);
  for (const std::uint32_t most_leaves : {1U, 2U, 8U, 64U, 200U, 700U}) {
    for (const std::uint32_t n_thresholds : {3U, 900U}) {
      for (const std::uint32_t nan_in : {0U, 200U, 3U}) {
        testing::TreeStyle style;
        style.n_features = 1 + rng.Below(6);
        style.n_thresholds = n_thresholds;
        style.own_missing = rng.Below(2) == 0;
        style.degenerate = rng.Below(3) == 0;
        const Ensemble model = testing::StyledEnsemble(30, most_leaves, style, rng);
        const std::size_t n_rows = 1 + rng.Below(200);
        const std::vector<float> x =
            testing::TrickyFeatures(n_rows * style.n_features, style, nan_in, rng);
        CheckAgainstReference(model, Matrix(x, style.n_features));
      }
    }
  }
}

TEST_CASE("every number of documents scores alike, with columns and rows to spare") {
  Rng rng(52);
  const testing::TreeStyle style;
  const Ensemble model = testing::StyledEnsemble(80, 40, style, rng);
  for (const std::size_t n_rows : {0U, 1U, 2U, 9U, 10U, 63U, 64U, 65U, 90U, 128U, 700U}) {
    const std::vector<float> x = testing::TrickyFeatures(n_rows * 9, style, 50, rng);
    CheckAgainstReference(model, {x.data(), n_rows, 5, 9});
  }
}

TEST_CASE("members, groups and means score as the reference does, however they are combined") {
  Rng rng(53);
  for (int trial = 0; trial < testing::Trials(60); ++trial) {
    for (const Combine combine :
         {Combine::kSum, Combine::kMinMax, Combine::kBorda, Combine::kZScore}) {
      const Ensemble model = combine == Combine::kZScore ? testing::BlendedEnsemble(4, rng)
                                                         : testing::RandomEnsemble(4, combine, rng);
      const std::vector<float> x = testing::RandomFeatures(150 * 4, rng);
      std::vector<QueryId> codes(150);
      for (QueryId& code : codes) code = rng.Below(6);
      CheckAgainstReference(model, Matrix(x, 4), codes);
    }
  }
}

TEST_CASE("small and large trees may follow each other in any order") {
  Rng rng(54);
  const testing::TreeStyle style;
  Ensemble model = testing::StyledEnsemble(12, 20, style, rng);
  std::vector<Tree>& trees = model.members[0].groups[0].trees;
  for (const std::size_t place : {0U, 5U, 6U, 14U}) {
    trees.insert(trees.begin() + static_cast<std::ptrdiff_t>(place),
                 testing::StyledTree(400, style, rng));
  }
  const std::vector<float> x = testing::TrickyFeatures(300 * 4, style, 100, rng);
  CheckAgainstReference(model, Matrix(x, 4));
}

TEST_CASE("trees that are lists of a hundred thousand nodes score") {
  Ensemble model;
  model.n_features = 1;
  model.members = {{0.0, {{1.0, Reduction::kSum, 1, {testing::ListTree(100000)}}}}};
  CheckAgainstReference(model, Matrix({-1.0F, 5.0F, 99998.5F, 2e5F}, 1));
}

TEST_CASE("more features than narrow entries can name") {
  Rng rng(55);
  testing::TreeStyle style;
  style.n_features = 3000;
  const Ensemble model = testing::StyledEnsemble(40, 300, style, rng);
  const std::vector<float> x = testing::TrickyFeatures(70 * 3000, style, 3000, rng);
  CheckAgainstReference(model, Matrix(x, 3000));
}

TEST_CASE("models without features, trees or groups score") {
  Ensemble model;
  model.members = {{1.5, {}}, {2.0, {}}};
  CheckAgainstReference(model, {nullptr, 3, 0, 0});
  Tree leaf;
  leaf.leaves = {2.5F};
  model.members[1].groups = {{1.0, Reduction::kMean, 1, {leaf, leaf}}};
  CheckAgainstReference(model, {nullptr, 70, 0, 0});
}

TEST_CASE("neither the number of threads nor the split into calls changes a bit") {
  Rng rng(56);
  const testing::TreeStyle style;
  const Ensemble model = testing::StyledEnsemble(60, 64, style, rng);
  const std::vector<float> x = testing::TrickyFeatures(1500 * 4, style, 40, rng);
  const FeatureMatrix features = Matrix(x, 4);
  const CompiledScorer scorer(model);
  const std::vector<double> expected = Score(model, features);
  for (const int threads : {1, 2, 5}) {
    CHECK(scorer.Score(features, {}, Threads{threads}) == expected);
  }
  ScoreScratch scratch;
  std::vector<double> scores(1500);
  for (std::size_t begin = 0, size = 1; begin < 1500; begin += size, size = size * 2 + 1) {
    const std::size_t n_rows = std::min<std::size_t>(size, 1500 - begin);
    scorer.Score({features.Row(begin), n_rows, 4, 4}, Span<double>(scores).subspan(begin, n_rows),
                 scratch);
  }
  CHECK(scores == expected);
}

TEST_CASE("the order of rows changes no score") {
  Rng rng(57);
  const testing::TreeStyle style;
  const CompiledScorer scorer(testing::StyledEnsemble(60, 64, style, rng));
  const std::vector<float> x = testing::TrickyFeatures(101 * 4, style, 40, rng);
  std::vector<float> reversed;
  for (std::size_t i = 101; i-- > 0;) {
    reversed.insert(reversed.end(), x.data() + 4 * i, x.data() + 4 * i + 4);
  }
  std::vector<double> scores = scorer.Score(Matrix(reversed, 4));
  std::reverse(scores.begin(), scores.end());
  CHECK(scores == scorer.Score(Matrix(x, 4)));
}

TEST_CASE("one scratch serves models of different shapes in turns") {
  Rng rng(58);
  ScoreScratch scratch;
  for (int trial = 0; trial < 20; ++trial) {
    testing::TreeStyle style;
    style.n_features = 1 + rng.Below(40);
    style.n_thresholds = 1 + rng.Below(2000);
    const Ensemble model = testing::StyledEnsemble(20, 1 + rng.Below(300), style, rng);
    const std::vector<float> x = testing::TrickyFeatures(80 * style.n_features, style, 10, rng);
    std::vector<double> scores(80);
    CompiledScorer(model).Score(Matrix(x, style.n_features), scores, scratch);
    CHECK(scores == Score(model, Matrix(x, style.n_features)));
  }
}

TEST_CASE("a scorer outlives the ensemble that it was made from") {
  Rng rng(59);
  const testing::TreeStyle style;
  Ensemble model = testing::StyledEnsemble(10, 30, style, rng);
  const std::vector<float> x = testing::TrickyFeatures(20 * 4, style, 0, rng);
  const std::vector<double> expected = Score(model, Matrix(x, 4));
  const CompiledScorer scorer(model);
  model = {};
  CHECK(scorer.Score(Matrix(x, 4)) == expected);
}

TEST_CASE("a scorer can be made from a model file") {
  Rng rng(60);
  const Ensemble model = testing::StyledEnsemble(20, 30, {}, rng);
  const std::vector<float> x = testing::TrickyFeatures(30 * 4, {}, 9, rng);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "rankforest_compiled_test.rf";
  SaveModel(path, model);
  const CompiledScorer scorer = CompiledScorer::Load(path, Isa::kBaseline);
  CHECK(scorer.Score(Matrix(x, 4)) == Score(model, Matrix(x, 4)));
  CHECK(scorer.isa() == Isa::kBaseline);
  CHECK(scorer.n_trees() == 20);
  CHECK(scorer.n_rounds() == 20);
  ModelInfo of_levels;
  of_levels.categories = {{1, false, {7}, {}, {0.5F}, 0.0F, 0.0F}};
  SaveModel(path, model, of_levels);
  CHECK_THROWS_AS((void)CompiledScorer::Load(path), std::invalid_argument);
  std::filesystem::remove(path);
  CHECK_THROWS_AS((void)CompiledScorer::Load(path.string()), std::filesystem::filesystem_error);
}

TEST_CASE("what a model cannot score is refused by name and number") {
  Ensemble model;
  CHECK_THROWS_WITH_AS(CompiledScorer{model}, "the model has no members", std::invalid_argument);
  if (!HasIsa(Isa::kAvx512)) {
    CHECK_THROWS_WITH_AS(CompiledScorer(model, Isa::kAvx512), "isa: this processor has no avx512",
                         std::invalid_argument);
  }
  model.members.resize(1);
  model.n_features = 3;
  const std::vector<float> x(4);
  CHECK_THROWS_WITH_AS((void)CompiledScorer(model).Score({x.data(), 2, 2, 2}),
                       "the features have 2 columns; the model needs 3", std::invalid_argument);
  std::vector<double> scores(2);
  CHECK_THROWS_WITH_AS(CompiledScorer(model).Score({x.data(), 1, 4, 4}, scores),
                       "scores must have one place for each of the 1 rows; got 2",
                       std::invalid_argument);
  model.combine = Combine::kBorda;
  CHECK_THROWS_WITH_AS(
      (void)CompiledScorer(model).Score({x.data(), 1, 4, 4}),
      "the model's scores depend on whole queries: it needs a query code for each of 1 rows; got 0",
      std::invalid_argument);
  scores.resize(1);
  CHECK_THROWS_AS(CompiledScorer(model).Score({x.data(), 1, 4, 4}, scores), std::invalid_argument);
}

}  // namespace rankforest
