#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/sample/view.hpp"

namespace rankforest {

/// How many of `population` a fraction in (0, 1] is: rounded to nearest, one at least.
inline std::uint32_t FractionOf(double fraction, std::size_t population) {
  const auto count =
      detail::Truncated<std::size_t>(fraction * static_cast<double>(population) + 0.5);
  return static_cast<std::uint32_t>(std::min(population, std::max<std::size_t>(1, count)));
}

/// Every document.
struct AllRows {
  [[nodiscard]] static constexpr bool draws_all() { return true; }
  [[nodiscard]] static constexpr SamplerNeeds needs() { return SamplerNeeds::kData; }
  [[nodiscard]] static constexpr bool redraws(std::size_t /*round*/) { return true; }
  [[nodiscard]] RowSample Draw(const SamplerView& /*view*/, const RowSample& from,
                               Rng /*rng*/) const {
    return from;
  }
};

/// `fraction` of the number of documents, drawn with replacement (Breiman, "Bagging predictors",
/// 1996). A document's multiplicity is its count.
struct Bootstrap {
  double fraction = 1.0;  ///< in (0, 1]

  [[nodiscard]] static constexpr bool draws_all() { return false; }
  [[nodiscard]] static constexpr SamplerNeeds needs() { return SamplerNeeds::kData; }
  [[nodiscard]] static constexpr bool redraws(std::size_t /*round*/) { return true; }
  [[nodiscard]] RowSample Draw(const SamplerView& /*view*/, const RowSample& from, Rng rng) const {
    const auto n = static_cast<std::uint32_t>(from.rows.size());
    std::vector<std::uint32_t> drawn(n);
    for (std::uint32_t left = FractionOf(fraction, n); left > 0; --left) ++drawn[rng.Below(n)];
    RowSample sample;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (drawn[i] == 0) continue;
      sample.rows.push_back(from.rows[i]);
      sample.counts.push_back(drawn[i]);
    }
    return sample;
  }
};

/// `fraction` of the documents, drawn without replacement (Friedman, "Stochastic gradient
/// boosting", 2002).
struct SubsampleRows {
  double fraction = 1.0;  ///< in (0, 1]

  [[nodiscard]] static constexpr bool draws_all() { return false; }
  [[nodiscard]] static constexpr SamplerNeeds needs() { return SamplerNeeds::kData; }
  [[nodiscard]] static constexpr bool redraws(std::size_t /*round*/) { return true; }
  [[nodiscard]] RowSample Draw(const SamplerView& /*view*/, const RowSample& from, Rng rng) const {
    const auto n = static_cast<std::uint32_t>(from.rows.size());
    RowSample sample;
    for (const std::uint32_t i : rng.Sample(n, FractionOf(fraction, n))) {
      sample.rows.push_back(from.rows[i]);
    }
    return sample;
  }
};

}  // namespace rankforest
