#include "rankforest/score/documents_in_play.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/reference.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest::detail {

namespace {

/// Lets documents leave at random and compares the scores of the others with those of prefixes.
void PlayAtRandom(const Ensemble& model, const FeatureMatrix& features,
                  const std::vector<std::size_t>& rows, Rng& rng) {
  const CompiledTrees trees(model, BestIsa());
  const Rounds rounds(model);
  ScoreScratch scratch;
  DocumentsInPlay documents(trees, rounds, features, rows, scratch);
  std::vector<double> scores(rows.size());
  std::vector<std::size_t> in_play = rows;
  while (documents.round() < rounds.size()) {
    documents.AdvanceTo(std::min(rounds.size(), documents.round() + 1 + rng.Below(4)));
    documents.WriteScores(scores);
    const std::vector<double> expected = Score(Prefix(model, documents.round()), features);
    std::vector<std::size_t>& slots = documents.slots();
    REQUIRE(slots.size() == in_play.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      CHECK(documents.RowOf(slots[i]) == in_play[i]);
      CHECK(scores[slots[i]] == doctest::Approx(expected[in_play[i]]).epsilon(1e-6));
    }
    for (std::size_t i = slots.size(); i-- > 0;) {
      if (rng.Below(3) != 0) continue;
      slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(i));
      in_play.erase(in_play.begin() + static_cast<std::ptrdiff_t>(i));
    }
    documents.Close();
  }
  documents.WriteSums(scores);
  const std::vector<double> expected = Score(model, features);
  for (std::size_t i = 0; i < in_play.size(); ++i) {
    CHECK(scores[documents.slots()[i]] == expected[in_play[i]]);
  }
}

}  // namespace

TEST_CASE("documents that stay keep their rows and scores while others leave") {
  Rng rng(77);
  for (int trial = 0; trial < 40; ++trial) {
    const Ensemble model = testing::RandomEnsemble(4, Combine::kSum, rng);
    const std::vector<float> x = testing::RandomFeatures(200 * 4, rng);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < 200; ++row) {
      if (trial % 2 == 0 || rng.Below(2) == 0) rows.push_back(row);
    }
    PlayAtRandom(model, {x.data(), 200, 4, 4}, rows, rng);
  }
}

TEST_CASE("slots are given anew to those left of many blocks, wherever they lie") {
  Rng rng(78);
  const testing::TreeStyle style;
  Ensemble model = testing::StyledEnsemble(60, 64, style, rng);
  model.members[0].groups[0].trees[30] = testing::StyledTree(300, style, rng);
  const std::vector<float> x = testing::TrickyFeatures(700 * 5, style, 100, rng);
  std::vector<std::size_t> rows;
  for (std::size_t row = 700; row-- > 0;) rows.push_back(row);
  PlayAtRandom(model, {x.data(), 700, 4, 5}, rows, rng);

  const CompiledTrees trees(model, BestIsa());
  const Rounds rounds(model);
  ScoreScratch scratch;
  DocumentsInPlay documents(trees, rounds, {x.data(), 700, 4, 5}, rows, scratch);
  documents.slots().erase(documents.slots().begin(), documents.slots().begin() + 600);
  documents.Close();
  CHECK(documents.slots().front() == 0);
  CHECK(documents.RowOf(0) == 99);
  documents.AdvanceTo(59);
  documents.slots().erase(documents.slots().begin());
  documents.Close();  // too late to be worth while
  CHECK(documents.slots().front() == 1);
}

}  // namespace rankforest::detail
