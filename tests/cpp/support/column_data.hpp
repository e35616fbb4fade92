#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/types.hpp"
#include "support/small_data.hpp"

namespace rankforest::testing {

// Data sets that are described column by column, for what looks at columns.

using Values = std::vector<float>;

/// Whole numbers from -1 to n_values - 2, some zeros negative, and some NaN.
inline Values FewValues(std::size_t n, std::uint32_t n_values, std::uint32_t nan_in_100, Rng& rng) {
  Values values(n);
  for (float& value : values) {
    value = static_cast<float>(rng.Below(n_values)) - 1.0F;
    if (value == 0.0F && rng.Below(2) == 0) value = -0.0F;
    if (rng.Below(100) < nan_in_100) value = kNaN;
  }
  return values;
}

/// Numbers of which hardly any two are the same: most near 0, a few far away.
inline Values ManyValues(std::size_t n, Rng& rng) {
  Values values(n);
  for (float& value : values) {
    const double uniform = rng.Uniform() * 2.0 - 1.0;
    value = static_cast<float>(uniform * uniform * uniform * 1000.0);
  }
  return values;
}

/// Documents with these columns, ten to a query; their grades are whole numbers up to 4 that
/// follow the first column a little.
inline RawData FromColumns(const std::vector<Values>& columns, Rng& rng) {
  RawData data;
  data.n_features = columns.size();
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    for (const Values& column : columns) data.features.push_back(column[row]);
    data.grades.push_back(columns[0][row] > 0.0F ? 1 + rng.Below(4) : rng.Below(4));
    data.queries.push_back(static_cast<QueryId>(row / 10));
  }
  return data;
}

/// The distinct values of a feature, NaN left out.
inline std::set<float> DistinctValues(const Dataset& data, FeatureId feature) {
  std::set<float> values;
  for (RowId d = 0; d < data.n_documents(); ++d) {
    const float value = data.Features(d)[feature];
    if (!std::isnan(value)) values.insert(value + 0.0F);
  }
  return values;
}

}  // namespace rankforest::testing
