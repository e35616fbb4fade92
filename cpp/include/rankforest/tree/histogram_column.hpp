#pragma once

#include <cstddef>

#include "rankforest/core/bins.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/criterion/newton.hpp"

namespace rankforest {

/// One feature of one node, as BestThreshold asks about it.
class HistogramColumn {
 public:
  using Stats = Newton::Stats;

  /// @param cells  of all codes
  HistogramColumn(const FeatureBins& bins, const Stats* cells) : bins_(bins), cells_(cells) {}

  void Sort() {}
  [[nodiscard]] Span<const Stats> cells() const { return {cells_, bins_.n_bins()}; }
  [[nodiscard]] Code CodeOf(std::size_t cell) const { return static_cast<Code>(cell); }
  [[nodiscard]] Stats missing() const {
    return bins_.has_missing() ? cells_[bins_.missing_code()] : Stats{};
  }
  [[nodiscard]] float Lowest(Code code) const { return bins_.Lowest(code); }
  [[nodiscard]] float Highest(Code code) const { return bins_.Highest(code); }
  [[nodiscard]] float Largest() const { return bins_.Largest(); }

 private:
  const FeatureBins& bins_;
  const Stats* cells_;
};

}  // namespace rankforest
