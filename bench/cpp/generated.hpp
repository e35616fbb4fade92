#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"

namespace rankforest::bench {

/// What the values of a feature are like.
enum class Values : std::uint8_t {
  kContinuous = 0,  ///< no two are equal: 255 bins
  kFew = 1,         ///< 20 different ones
  kMostlyOne = 2,   ///< nine of ten are 0, the others continuous
};

inline float Draw(Values values, Rng& rng) {
  if (values == Values::kFew) return static_cast<float>(rng.Below(20));
  if (values == Values::kMostlyOne && rng.Below(10) != 0) return 0.0F;
  return static_cast<float>(rng.Uniform());
}

/// Documents in queries of 100; feature f is kinds[f % kinds.size()], and grades are drawn.
inline Dataset Generate(std::size_t n_documents, std::size_t n_features,
                        const std::vector<Values>& kinds) {
  Rng rng(1);
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<QueryId> query_of_row;
  features.reserve(n_documents * n_features);
  for (std::size_t d = 0; d < n_documents; ++d) {
    for (std::size_t f = 0; f < n_features; ++f) {
      features.push_back(Draw(kinds[f % kinds.size()], rng));
    }
    grades.push_back(static_cast<double>(rng.Below(5)));
    query_of_row.push_back(static_cast<QueryId>(d / 100));
  }
  return Dataset::Owning(std::move(features), n_features, grades, query_of_row);
}

/// Features of all three kinds in turn.
inline Dataset GenerateMixed(std::size_t n_documents, std::size_t n_features) {
  return Generate(n_documents, n_features, {Values::kContinuous, Values::kFew, Values::kMostlyOne});
}

/// Gradients as of LambdaMART: of either sign, most of them small, no two hessians equal.
inline std::vector<GradientPair> GenerateGradients(std::size_t n_documents) {
  Rng rng(2);
  std::vector<GradientPair> pairs(n_documents);
  for (GradientPair& pair : pairs) {
    const double size = rng.Uniform();
    pair = {(rng.Below(2) == 0 ? size : -size) * size * size, 0.01 + rng.Uniform()};
  }
  return pairs;
}

}  // namespace rankforest::bench
