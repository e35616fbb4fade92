// The fast scorers against the reference: trees of many shapes on any bits of float32, among them
// NaN of all kinds, infinities and denormal numbers.

#include <cstdint>
#include <vector>

#include "engine/target.hpp"
#include "rankforest/core/rng.hpp"
#include "support/scored_trees.hpp"
#include "targets/scoring.hpp"
#include "targets/support.hpp"

namespace {

using rankforest::Ensemble;
using rankforest::Rng;
using rankforest::testing::TreeStyle;

/// The trees of the first bytes of an input.
Ensemble Trees(rankforest::fuzz::Reader& reader) {
  TreeStyle style;
  style.n_features = 1 + reader.Below(8);
  style.n_thresholds = 6 + reader.Below(60);
  style.own_missing = reader.Below(2) == 1;
  style.degenerate = reader.Below(2) == 1;
  const std::uint32_t n_trees = 1 + reader.Below(12);
  const std::uint32_t most_leaves = 1 + reader.Below(100) * (reader.Below(16) == 0 ? 6 : 1);
  const bool is_oblivious = reader.Below(4) == 0;
  Rng rng(reader.Take<std::uint16_t>());
  if (!is_oblivious) {
    return rankforest::testing::StyledEnsemble(n_trees, most_leaves, style, rng);
  }
  Ensemble ensemble = rankforest::testing::StyledEnsemble(0, 1, style, rng);
  for (std::uint32_t t = 0; t < n_trees; ++t) {
    const std::size_t n_levels = 1 + rng.Below(7);
    ensemble.members[0].groups[0].trees.push_back(
        rankforest::testing::ObliviousTree(n_levels, style, rng));
  }
  return ensemble;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rankforest::fuzz::Reader reader(data, size);
  const Ensemble ensemble = Trees(reader);
  std::vector<float> features;
  while (reader.left() > 0 || features.size() % ensemble.n_features != 0 || features.empty()) {
    features.push_back(reader.Take<float>());
  }
  const std::size_t n_features = ensemble.n_features;
  rankforest::fuzz::CheckScores(
      ensemble, {features.data(), features.size() / n_features, n_features, n_features});
  return 0;
}
