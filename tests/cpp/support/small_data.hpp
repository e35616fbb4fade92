#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "support/special_floats.hpp"

namespace rankforest::testing {

/// Documents as a caller has them: one row each.
struct RawData {
  std::size_t n_features = 1;
  std::vector<float> features;  ///< row-major
  std::vector<double> grades;
  std::vector<QueryId> queries;
  std::vector<double> weights;  ///< empty: all 1

  [[nodiscard]] std::size_t n_rows() const { return grades.size(); }
  [[nodiscard]] Dataset Make(Threads threads = {}) const {
    return Dataset::Owning(features, n_features, grades, queries, weights, threads);
  }

  /// The rows `rows`, in this order.
  [[nodiscard]] RawData Take(const std::vector<std::size_t>& rows) const {
    RawData taken;
    taken.n_features = n_features;
    for (const std::size_t row : rows) {
      for (std::size_t f = 0; f < n_features; ++f) {
        taken.features.push_back(features[row * n_features + f]);
      }
      taken.grades.push_back(grades[row]);
      taken.queries.push_back(queries[row]);
      if (!weights.empty()) taken.weights.push_back(weights[row]);
    }
    return taken;
  }
};

/// What SmallData draws.
struct SmallDataOptions {
  std::size_t n_queries = 5;
  std::uint32_t most_documents = 8;  ///< of a query, 1 at least
  std::size_t n_features = 4;
  std::uint32_t n_values = 6;    ///< distinct values of a feature, NaN not counted: makes ties
  std::uint32_t nan_in_100 = 0;  ///< percent of the values that are missing
  bool weights_of_rows = false;  ///< multiples of 1/4 in [0, 2), else all 1
  bool weights_of_queries = false;
  std::uint32_t n_grades = 5;
};

/// Small whole features with ties and some -0.0, whole grades that depend on the first feature,
/// a few rows twice, now and then a constant column. All sums over them are exact.
inline RawData SmallData(const SmallDataOptions& options, Rng& rng) {
  RawData data;
  data.n_features = options.n_features;
  std::vector<bool> is_constant(options.n_features);
  for (std::size_t f = 1; f < options.n_features; ++f) is_constant[f] = rng.Below(8) == 0;
  for (std::size_t q = 0; q < options.n_queries; ++q) {
    const std::uint32_t n = 1 + rng.Below(options.most_documents);
    const double query_weight = options.weights_of_queries ? rng.Below(8) * 0.25 : 1.0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool repeats = i > 0 && rng.Below(10) == 0;
      const std::size_t before = data.features.size() - (repeats ? options.n_features : 0);
      for (std::size_t f = 0; f < options.n_features; ++f) {
        auto value = static_cast<float>(is_constant[f] ? 1 : rng.Below(options.n_values)) - 2.0F;
        if (value == 0.0F && rng.Below(2) == 0) value = -0.0F;
        if (rng.Below(100) < options.nan_in_100) value = kNaN;
        data.features.push_back(repeats ? data.features[before + f] : value);
      }
      const float first = data.features[data.features.size() - options.n_features];
      const std::uint32_t bonus = first > 0.0F ? 1 : 0;
      data.grades.push_back(rng.Below(options.n_grades - bonus) + bonus);
      data.queries.push_back(static_cast<QueryId>(q * 3 + 1));
      if (options.weights_of_rows) data.weights.push_back(rng.Below(8) * 0.25);
      if (options.weights_of_queries) data.weights.push_back(query_weight);
    }
  }
  return data;
}

/// One feature and one query, row by row.
inline RawData OneFeature(std::vector<float> features, std::vector<double> grades) {
  RawData data;
  data.queries.assign(grades.size(), 0);
  data.features = std::move(features);
  data.grades = std::move(grades);
  return data;
}

/// The rows 0, 1, ..., n - 1 in random order.
inline std::vector<std::size_t> ShuffledRows(std::size_t n, Rng& rng) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  rng.Shuffle(Span<std::size_t>(rows));
  return rows;
}

/// A data set that is ready to train on.
struct Prepared {
  Dataset data;
  Presorted columns;

  explicit Prepared(const RawData& raw) : data(raw.Make()), columns(data, Threads{1}) {}

  [[nodiscard]] TrainingSet training(int threads = 1) const { return {data, Threads{threads}}; }
};

}  // namespace rankforest::testing
