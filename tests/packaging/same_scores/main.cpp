// Scores random documents with random models, by the reference and by the compiled scorer. Writes
// every score as a hexadecimal float, and "differ" where the two have other bits. Everything is
// drawn from fixed seeds, so the output is the same on every machine.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/reference.hpp"
#include "support/scored_trees.hpp"

int main() {
  rankforest::Rng rng(81);
  for (const std::uint32_t most_leaves : {2U, 60U, 250U, 400U}) {
    for (const std::uint32_t nan_in : {0U, 20U}) {
      const rankforest::testing::TreeStyle style{6, 500, true, false};
      const rankforest::Ensemble model =
          rankforest::testing::StyledEnsemble(40, most_leaves, style, rng);
      const std::vector<float> x =
          rankforest::testing::TrickyFeatures(std::size_t{6} * 150, style, nan_in, rng);
      const rankforest::FeatureMatrix features{x.data(), 150, 6, 6};
      const std::vector<double> scores = Score(model, features);
      if (rankforest::CompiledScorer(model).Score(features) != scores) std::puts("differ");
      for (const double score : scores) std::printf("%a\n", score);
    }
  }
}
