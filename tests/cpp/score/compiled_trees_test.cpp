#include "rankforest/score/compiled_trees.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "rankforest/score/score_scratch.hpp"
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

TEST_CASE("a chunk has whole blocks and is neither too small for a thread nor too large") {
  Rng rng(62);
  const CompiledTrees many(testing::StyledEnsemble(1000, 64, {}, rng), BestIsa());
  CHECK(many.ChunkSize(1, Threads{1}) % 64 == 0);
  CHECK(many.ChunkSize(100000, Threads{2}) == 512);
  const CompiledTrees few(testing::StyledEnsemble(100, 64, {}, rng), BestIsa());
  CHECK(few.ChunkSize(120, Threads{2}) >= 120);
  Ensemble forest = testing::StyledEnsemble(1, 1, {}, rng);
  forest.members[0].groups[0].trees.assign(100, testing::StyledTree(5000, {}, rng));
  const CompiledTrees large(forest, BestIsa());
  CHECK(large.ChunkSize(40, Threads{2}) == 24);
  CHECK(large.ChunkSize(100000, Threads{2}) == 1020);
  const CompiledTrees none(testing::StyledEnsemble(0, 1, {}, rng), BestIsa());
  CHECK(none.ChunkSize(30, Threads{2}) == 1020);
}

}  // namespace rankforest::detail
