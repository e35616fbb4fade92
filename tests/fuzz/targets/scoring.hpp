#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/score/reference.hpp"
#include "rankforest/scoring.hpp"
#include "targets/support.hpp"

namespace rankforest::fuzz {

/// Values that fall on, beside and far from the thresholds of a model, for each of its features,
/// and odd ones for its linear parts.
inline std::vector<float> FeaturesAround(const Ensemble& ensemble, std::size_t n_rows) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<float> features(n_rows * ensemble.n_features, 0.0F);
  std::size_t at = 0;
  for (const Member& member : ensemble.members) {
    for (const Linear::Term& term : member.linear.terms) {
      const float values[] = {1.0F, std::nanf(""), kInf, -kInf, -0.0F};
      const std::size_t row = at % n_rows;
      features[row * ensemble.n_features + term.feature] = values[at / n_rows % 5];
      ++at;
    }
    for (const Group& group : member.groups) {
      for (const Tree& tree : group.trees) {
        for (const Tree::Node& node : tree.nodes) {
          const float values[] = {node.threshold,
                                  std::nextafter(node.threshold, kInf),
                                  std::nextafter(node.threshold, -kInf),
                                  std::nanf(""),
                                  kInf,
                                  -kInf,
                                  -0.0F};
          const std::size_t row = at % n_rows;
          features[row * ensemble.n_features + node.feature] = values[at / n_rows % 7];
          ++at;
        }
      }
    }
  }
  return features;
}

/// Requires that every scorer gives the bits of the reference for these documents, two in a query.
inline void CheckScores(const Ensemble& ensemble, const FeatureMatrix& features) {
  std::vector<QueryId> queries(features.n_rows);
  for (std::size_t row = 0; row < queries.size(); ++row) {
    queries[row] = static_cast<QueryId>(row / 2);
  }
  const std::vector<double> expected = Score(ensemble, features, queries, Threads{1});
  for (const Isa isa : kIsas) {
    if (!HasIsa(isa)) continue;
    const CompiledScorer scorer(ensemble, isa);
    Require(SameBits(scorer.Score(features, queries, Threads{1}), expected),
            "the fast scorer gives the reference's scores");
    if (scorer.needs_queries()) continue;
    Require(SameBits(scorer.ScoreWithin({}, features, queries, Threads{1}).scores, expected),
            "scoring without limits gives the reference's scores");
  }
}

/// The same for documents around the thresholds; not for models so wide that this would take much
/// memory.
inline void CheckScores(const Ensemble& ensemble) {
  constexpr std::size_t kRows = 12;
  if (ensemble.n_features > 100'000) return;
  const std::vector<float> features = FeaturesAround(ensemble, kRows);
  CheckScores(ensemble, {features.data(), kRows, ensemble.n_features, ensemble.n_features});
}

}  // namespace rankforest::fuzz
