#include "rankforest/score/step_costs.hpp"

#include <doctest/doctest.h>

#include <cstddef>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled_trees.hpp"
#include "support/scored_trees.hpp"

namespace rankforest::detail {

TEST_CASE("a chunk has whole blocks and is neither too small for a thread nor too large") {
  Rng rng(62);
  const CompiledTrees many(testing::StyledEnsemble(1000, 64, {}, rng), BestIsa());
  CHECK(many.costs().ChunkSize(1, Threads{1}) % 64 == 0);
  CHECK(many.costs().ChunkSize(100000, Threads{2}) == 512);
  const CompiledTrees few(testing::StyledEnsemble(100, 64, {}, rng), BestIsa());
  CHECK(few.costs().ChunkSize(120, Threads{2}) >= 120);
  Ensemble forest = testing::StyledEnsemble(1, 1, {}, rng);
  forest.members[0].groups[0].trees.assign(100, testing::StyledTree(5000, {}, rng));
  const CompiledTrees large(forest, BestIsa());
  CHECK(large.costs().ChunkSize(40, Threads{2}) == 24);
  CHECK(large.costs().ChunkSize(100000, Threads{2}) == 3576);  // 14 for each thread
  const CompiledTrees none(testing::StyledEnsemble(0, 1, {}, rng), BestIsa());
  CHECK(none.costs().ChunkSize(30, Threads{2}) == 3840);
}

TEST_CASE("whole blocks are blended, and the rest where there is enough of it") {
  Rng rng(66);
  const CompiledTrees trees(testing::StyledEnsemble(1000, 64, {}, rng), BestIsa());
  CHECK(trees.costs().BlendedRows(0) == 0);
  CHECK(trees.costs().BlendedRows(1) == 0);
  CHECK(trees.costs().BlendedRows(63) == 63);
  CHECK(trees.costs().BlendedRows(64) == 64);
  CHECK(trees.costs().BlendedRows(65) == 64);
  CHECK(trees.costs().BlendedRows(127) == 127);
  Ensemble forest = testing::StyledEnsemble(0, 1, {}, rng);
  forest.members[0].groups[0].trees.assign(3, testing::StyledTree(5000, {}, rng));
  CHECK(CompiledTrees(forest, BestIsa()).costs().BlendedRows(200) == 0);
}

TEST_CASE("trees cost more for more blocks, not for more places in a block") {
  Rng rng(67);
  const CompiledTrees trees(testing::StyledEnsemble(100, 64, {}, rng), BestIsa());
  const StepCosts& costs = trees.costs();
  CHECK(costs.OfTrees(0) == 0.0);
  CHECK_FALSE(costs.IsWorthBlending(1));
  CHECK(costs.IsWorthBlending(60));
  CHECK(costs.OfTrees(1) < costs.OfTrees(2));
  CHECK(costs.OfTrees(60) == costs.OfTrees(64));
  CHECK(costs.OfTrees(64) < costs.OfTrees(65));
  CHECK(costs.OfTrees(128) == 2.0 * costs.OfTrees(64));
  CHECK(costs.OfKeeping(128) == 2.0 * costs.OfKeeping(64));
  CHECK(costs.OfKeeping(2) > costs.OfKeeping(1));
}

TEST_CASE("seconds grow with the trees, and much scoring is a coarse loop") {
  Rng rng(68);
  const CompiledTrees trees(testing::StyledEnsemble(100, 64, {}, rng), BestIsa());
  const CompiledTrees more(testing::StyledEnsemble(1000, 64, {}, rng), BestIsa());
  const CompiledTrees none(testing::StyledEnsemble(0, 1, {}, rng), BestIsa());
  CHECK(none.costs().SecondsPerDocument(1) == 0.0);
  for (const std::size_t n_rows : {1U, 10U, 64U, 10000U}) {
    CHECK(trees.costs().SecondsPerDocument(n_rows) > 1e-8);
    CHECK(more.costs().SecondsPerDocument(n_rows) > 5 * trees.costs().SecondsPerDocument(n_rows));
    CHECK(more.costs().SecondsPerDocument(n_rows) < 2e-5);
  }
  CHECK(trees.costs().SecondsPerDocument(64) < trees.costs().SecondsPerDocument(1));
  CHECK(more.costs().ForScoring(Threads{2}, 120).grain == Grain::kFine);
  CHECK(more.costs().ForScoring(Threads{2}, 1000000).grain == Grain::kCoarse);
  CHECK(none.costs().ForScoring(Threads{2}, 1000000).grain == Grain::kFine);
}

}  // namespace rankforest::detail
