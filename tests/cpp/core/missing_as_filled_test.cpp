#include "rankforest/core/missing_as_filled.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/reference.hpp"
#include "support/random_ensemble.hpp"

namespace rankforest {

namespace {

/// One split of feature 0 at 0.5: leaf values 1 (left) and 2 (right), NaN to the right.
Ensemble OneSplit() {
  Ensemble model;
  model.n_features = 2;
  model.members.resize(1);
  model.members[0].groups.push_back(
      {1.0, Reduction::kSum, 1, {{{{0, 0.5F, ~0, ~1, ~1}}, {1, 2}, {}}}});
  return model;
}

/// A model without third children.
Ensemble TwoWayEnsemble(std::uint32_t n_features, Rng& rng) {
  Ensemble model = rng.Below(2) == 0 ? testing::BlendedEnsemble(n_features, rng)
                                     : testing::RandomEnsemble(n_features, Combine::kSum, rng);
  detail::ForEachSplit(model, [](Tree::Node& node) {
    if (node.missing != node.right) node.missing = node.left;
  });
  return model;
}

}  // namespace

TEST_CASE("a split sends NaN where the fill of its feature goes, by a table") {
  const float infinity = std::numeric_limits<float>::infinity();
  struct Row {
    float fill;
    std::int32_t child;
  };
  for (const auto& [fill, child] : std::vector<Row>{
           {0, ~0}, {0.5F, ~0}, {0.50001F, ~1}, {1, ~1}, {infinity, ~1}, {-infinity, ~0}}) {
    const std::vector<float> values = {fill, 7};  // the other feature's fill does not matter
    const Ensemble changed = MissingAsFilled(OneSplit(), values);
    CHECK(changed.members[0].groups[0].trees[0].nodes[0].missing == child);
    CHECK(SendsMissingAsFilled(changed, values));
    CHECK(SendsMissingAsFilled(OneSplit(), values) == (child == ~1));
  }
}

TEST_CASE("documents with gaps get the scores of filled documents, by both scorers") {
  Rng rng(813);
  constexpr std::size_t kDocuments = 40;
  for (int trial = 0; trial < 100; ++trial) {
    const Ensemble before = TwoWayEnsemble(5, rng);
    const std::vector<float> fill = testing::RandomFeatures(5, rng);
    std::vector<float> sent(fill);
    for (float& value : sent) {
      if (std::isnan(value)) value = 0.0F;
    }
    const Ensemble model = MissingAsFilled(before, sent);
    const std::vector<float> gaps = testing::RandomFeatures(kDocuments * 5, rng);
    std::vector<float> filled(gaps);
    for (std::size_t i = 0; i < filled.size(); ++i) {
      if (std::isnan(filled[i])) filled[i] = sent[i % 5];
    }
    std::vector<QueryId> codes(kDocuments);
    for (QueryId& code : codes) code = rng.Below(7);
    const FeatureMatrix with_gaps{gaps.data(), kDocuments, 5, 5};
    const FeatureMatrix without{filled.data(), kDocuments, 5, 5};
    const std::vector<double> expected = Score(before, without, codes);
    CHECK(Score(model, with_gaps, codes) == expected);
    CHECK(Score(model, without, codes) == expected);
    CHECK(CompiledScorer(model).Score(with_gaps, codes) == expected);
    CHECK(MissingAsFilled(model, sent) == model);
  }
}

}  // namespace rankforest
