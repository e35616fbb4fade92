#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/sample/rows.hpp"
#include "rankforest/sample/view.hpp"

namespace rankforest {

/// `fraction` of the number of documents, drawn with replacement, each with a probability in
/// proportion to its weight: boosting by resampling (Freund and Schapire, "Experiments with a new
/// boosting algorithm", ICML 1996). A document's multiplicity is its count. Where all weights are
/// the same, it draws what Bootstrap draws.
class WeightedBootstrap {
 public:
  /// All weights are the same.
  explicit WeightedBootstrap(double fraction = 1.0) : fraction_(fraction) {}

  /// @param weights   of the documents that are drawn from, in their order: finite, >= 0, with a
  ///                  positive sum
  /// @param fraction  in (0, 1]
  WeightedBootstrap(Span<const double> weights, double fraction) : fraction_(fraction) {
    const auto differs = [&](double weight) { return weight != weights[0]; };
    if (std::none_of(weights.begin(), weights.end(), differs)) return;
    sums_.reserve(weights.size());
    double sum = 0.0;
    for (const double weight : weights) sums_.push_back(sum += weight);
    assert(sum > 0.0);
  }

  [[nodiscard]] static constexpr bool draws_all() { return false; }
  [[nodiscard]] static constexpr SamplerNeeds needs() { return SamplerNeeds::kData; }
  [[nodiscard]] static constexpr bool redraws(std::size_t /*round*/) { return true; }
  [[nodiscard]] RowSample Draw(const SamplerView& view, const RowSample& from, Rng rng) const {
    if (sums_.empty()) return Bootstrap{fraction_}.Draw(view, from, rng);
    assert(sums_.size() == from.rows.size());
    std::vector<std::uint32_t> drawn(sums_.size());
    for (std::uint32_t left = FractionOf(fraction_, drawn.size()); left > 0; --left) {
      ++drawn[PlaceOf(rng.Uniform() * sums_.back())];
    }
    RowSample sample;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      if (drawn[i] == 0) continue;
      sample.rows.push_back(from.rows[i]);
      sample.counts.push_back(drawn[i]);
    }
    return sample;
  }

 private:
  /// The first document whose sum is above `x`; the last one with a weight where none is, for the
  /// product of a number below 1 may be rounded up.
  [[nodiscard]] std::size_t PlaceOf(double x) const {
    auto found = std::upper_bound(sums_.begin(), sums_.end(), x);
    if (found == sums_.end()) found = std::lower_bound(sums_.begin(), sums_.end(), sums_.back());
    return static_cast<std::size_t>(found - sums_.begin());
  }

  std::vector<double> sums_;  // of the weights up to each document; empty: all are the same
  double fraction_;
};

}  // namespace rankforest
