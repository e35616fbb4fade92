#include "rankforest/score/compiled_trees.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/score_scratch.hpp"
#include "rankforest/score/tree_runs.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

namespace rankforest::detail {

TEST_CASE("each member's scores are those of the member alone") {
  Rng rng(61);
  for (int trial = 0; trial < 20; ++trial) {
    const Ensemble model = testing::RandomEnsemble(3, Combine::kSum, rng);
    const std::vector<float> x = testing::RandomFeatures(90 * 3, rng);
    const FeatureMatrix rows{x.data(), 90, 3, 3};
    const CompiledTrees trees(model, BestIsa());
    ScoreScratch scratch;
    std::size_t visited = 0;
    trees.VisitMembers(rows, scratch, [&](std::size_t j, Span<const double> scores) {
      CHECK(j == visited++);
      REQUIRE(scores.size() == 90);
      for (std::size_t i = 0; i < 90; ++i) {
        double expected = model.members[j].base;
        for (const Group& group : model.members[j].groups) {
          for (const Tree& tree : group.trees) {
            expected += Group::Contribution(group.TreeWeight(), tree.Value(rows.Row(i)));
          }
        }
        CHECK(scores[i] == expected);
      }
    });
    CHECK(visited == trees.n_members());
  }
}

TEST_CASE("trees added some at a time make the scores of all") {
  Rng rng(63);
  for (const std::size_t n_rows : {5U, 64U, 150U}) {
    testing::TreeStyle style;
    Ensemble model = testing::StyledEnsemble(30, 40, style, rng);
    model.members[0].groups[0].trees[11] = testing::StyledTree(300, style, rng);
    const std::vector<float> x = testing::TrickyFeatures(n_rows * 4, style, 50, rng);
    const FeatureMatrix rows{x.data(), n_rows, 4, 4};
    const CompiledTrees trees(model, BestIsa());
    ScoreScratch scratch;
    const CompiledTrees::LaidOut documents = trees.LayOut(rows, scratch);
    std::vector<double> scores(n_rows + kBlock, trees.base(0));
    for (std::size_t first = 0, size = 1; first < 30; first += size, size += 3) {
      trees.AddTrees(0, first, first + size, documents, scratch, scores.data());
    }
    scores.resize(n_rows);
    CHECK(scores == Score(model, rows));
  }
}

TEST_CASE("some of the documents laid out can be kept, again and again") {
  Rng rng(62);
  for (const bool has_large : {false, true}) {
    for (const std::uint32_t nan_in : {0U, 300U}) {
      const testing::TreeStyle style;
      Ensemble model = testing::StyledEnsemble(30, 40, style, rng);
      if (has_large) model.members[0].groups[0].trees[11] = testing::StyledTree(300, style, rng);
      const std::vector<float> x = testing::TrickyFeatures(500 * 4, style, nan_in, rng);
      const FeatureMatrix rows{x.data(), 500, 4, 4};
      const std::vector<double> expected = Score(model, rows);
      const CompiledTrees trees(model, BestIsa());
      ScoreScratch scratch;
      CompiledTrees::LaidOut documents = trees.LayOutToShrink(rows, scratch);
      std::vector<std::size_t> kept(500);
      for (std::size_t i = 0; i < 500; ++i) kept[i] = i;
      while (!kept.empty()) {
        std::vector<double> scores(kept.size() + kBlock, trees.base(0));
        trees.AddTrees(0, 0, 30, documents, scratch, scores.data());
        for (std::size_t i = 0; i < kept.size(); ++i) CHECK(scores[i] == expected[kept[i]]);
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < kept.size(); ++i) {
          if (rng.Below(3) != 0) places.push_back(i);
        }
        for (std::size_t i = 0; i < places.size(); ++i) kept[i] = kept[places[i]];
        kept.resize(places.size());
        const auto row_of = [&](std::size_t i) { return rows.Row(kept[i]); };
        documents = trees.Keep(documents, places, row_of, scratch);
      }
    }
  }
}

TEST_CASE("every tree can be walked step by step") {
  Rng rng(64);
  testing::TreeStyle style;
  for (const std::uint32_t n_features : {4U, 2000U}) {
    style.n_features = n_features;
    Ensemble model = testing::StyledEnsemble(9, 256, style, rng);
    for (const std::size_t t : {2U, 3U, 7U}) {
      model.members[0].groups[0].trees[t] = testing::StyledTree(400, style, rng);
    }
    model.members.push_back(model.members[0]);
    const CompiledTrees trees(model, BestIsa());
    const std::vector<float> x = testing::TrickyFeatures(20 * n_features, style, 9, rng);
    const Span<const FeatureId> ids = trees.features();
    std::size_t number = 0;
    ForEachTree(model, [&](const Tree& tree, double weight, std::size_t j) {
      for (std::size_t i = 0; i < 20; ++i) {
        const float* row = x.data() + i * n_features;
        trees.VisitTree(j, number, [&](const auto& view) {
          std::size_t place = 0;
          while (!view.IsLeaf(place)) {
            place = view.Next(place, row[ids[view.FeatureOf(place) - 1]]);
          }
          CHECK(static_cast<double>(view.ValueOf(place)) ==
                Group::Contribution(weight, tree.Value(row)));
        });
      }
      ++number;
    });
  }
}

/// Bytes of the trees' memory beyond 16 for each node and 8 for each leaf.
double Excess(const Ensemble& model) {
  double allowed = 0.0;
  ForEachTree(model, [&](const Tree& tree, double /*weight*/, std::size_t /*member*/) {
    allowed += 16.0 * static_cast<double>(tree.nodes.size());
    allowed += 8.0 * static_cast<double>(tree.leaves.size());
  });
  return static_cast<double>(CompiledTrees(model, BestIsa()).n_bytes()) - allowed;
}

TEST_CASE("memory is at most 16 bytes for each node and 8 for each leaf") {
  Rng rng(65);
  testing::TreeStyle style;
  style.own_missing = false;
  style.n_features = 30;
  style.n_thresholds = 255;
  for (const std::uint32_t n_leaves : {64U, 200U, 600U}) {
    Ensemble model = testing::StyledEnsemble(0, 1, style, rng);
    for (int t = 0; t < 200; ++t) {
      model.members[0].groups[0].trees.push_back(testing::StyledTree(n_leaves, style, rng));
    }
    CHECK(Excess(model) <= 0.0);
  }
  style.n_features = 2000;  // entries of 12 bytes
  Ensemble wide = testing::StyledEnsemble(0, 1, style, rng);
  wide.members[0].groups[0].trees.assign(20, testing::StyledTree(900, style, rng));
  CHECK(Excess(wide) <= 0.0);
}

}  // namespace rankforest::detail
