#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/data_profile.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/core/value_counts.hpp"

namespace rankforest {

/// The bins of a profile hold about a tenth of the documents each.
inline constexpr std::size_t kProfileBins = 10;
/// Documents that the ends of its bins come from.
inline constexpr std::size_t kProfileSample = 10000;

namespace detail {

inline constexpr float kLargestFloat = std::numeric_limits<float>::max();

/// What a profile notes of a value that is not NaN: as in training, an infinity is the largest
/// number of its sign; and no zero has a sign.
inline float Noted(float value) { return std::clamp(value, -kLargestFloat, kLargestFloat) + 0.0F; }

/// The values of every column in a sample of documents, column by column. Canonical order has
/// nothing to do with grades or time, so that documents at equal distances in it are a fair sample.
inline std::vector<float> SampledColumns(const Dataset& data, std::size_t n_sampled,
                                         Threads threads) {
  const std::size_t n_features = data.n_features();
  std::vector<float> columns(n_features * n_sampled);
  ParallelChunks(threads, n_sampled, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const float* const row =
          data.Features(static_cast<RowId>(i * data.n_documents() / n_sampled));
      for (std::size_t f = 0; f < n_features; ++f) columns[f * n_sampled + i] = row[f];
    }
  });
  return columns;
}

/// The quantiles 1/10, ..., 9/10 of the values that are not NaN, each the least value that such a
/// share of them is not above; none where all are NaN. Changes `values`.
inline std::vector<float> BinEnds(Span<float> values) {
  const auto is_missing = [](float x) { return std::isnan(x); };
  const auto n = static_cast<std::size_t>(std::remove_if(values.begin(), values.end(), is_missing) -
                                          values.begin());
  std::vector<float> ends;
  if (n == 0) return ends;
  std::sort(values.begin(), values.begin() + n);
  for (std::size_t k = 1; k < kProfileBins; ++k) {
    const std::size_t rank = (k * n + kProfileBins - 1) / kProfileBins;  // from 1
    ends.push_back(Noted(values[rank - 1]));
  }
  return ends;
}

/// The end of a bin as a threshold of CountValues: no value is above the largest number, which may
/// stand for infinity.
inline float ThresholdOf(float end) {
  return end == kLargestFloat ? std::numeric_limits<float>::quiet_NaN() : end;
}

/// The ends of bins as thresholds of CountValues, padded with NaN where a column has fewer.
inline std::vector<float> ThresholdsOf(const DataProfile& profile, std::size_t n_more = 0) {
  std::size_t most = 0;
  for (const FeatureProfile& feature : profile.features) {
    most = std::max(most, feature.edges.size());
  }
  const std::size_t n = profile.features.size();
  std::vector<float> thresholds((most + n_more) * n, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t f = 0; f < n; ++f) {
    const std::vector<float>& edges = profile.features[f].edges;
    for (std::size_t k = 0; k < edges.size(); ++k) thresholds[k * n + f] = ThresholdOf(edges[k]);
  }
  return thresholds;
}

/// The documents in each bin of a column, out of those above each end.
inline std::vector<std::uint64_t> CountsInBins(const ValueCounts& counts, std::size_t column,
                                               std::size_t n_edges, std::uint64_t n_rows) {
  const std::size_t n_columns = counts.missing.size();
  std::vector<std::uint64_t> in_bins;
  std::uint64_t left = n_rows - counts.missing[column];
  for (std::size_t k = 0; k < n_edges; ++k) {
    const std::uint64_t above = counts.above[k * n_columns + column];
    in_bins.push_back(left - above);
    left = above;
  }
  in_bins.push_back(left);
  return in_bins;
}

/// Notes the least and largest value of each column.
inline void NoteExtremes(const Dataset& data, Threads threads, DataProfile& profile) {
  constexpr std::size_t kRows = 1024;
  const FeatureMatrix& matrix = data.features();
  const std::size_t n = matrix.n_features;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  struct Extremes {
    std::vector<float> least;
    std::vector<float> largest;
  };
  std::vector<Extremes> of_workers(
      WorkerCount(threads, (matrix.n_rows + kRows - 1) / kRows),
      {std::vector<float>(n, kInfinity), std::vector<float>(n, -kInfinity)});
  ParallelChunks(threads, matrix.n_rows, kRows,
                 [&](std::size_t begin, std::size_t end, std::size_t worker) {
                   float* const least = of_workers[worker].least.data();
                   float* const largest = of_workers[worker].largest.data();
                   for (std::size_t row = begin; row < end; ++row) {
                     const float* const values = matrix.Row(row);
                     for (std::size_t f = 0; f < n; ++f) {  // comparisons with NaN are false
                       least[f] = values[f] < least[f] ? values[f] : least[f];
                       largest[f] = values[f] > largest[f] ? values[f] : largest[f];
                     }
                   }
                 });
  for (std::size_t f = 0; f < n; ++f) {
    FeatureProfile& feature = profile.features[f];
    if (feature.n_missing == profile.n_documents) continue;
    float least = kInfinity;
    float largest = -kInfinity;
    for (const Extremes& of_worker : of_workers) {
      least = std::min(least, of_worker.least[f]);
      largest = std::max(largest, of_worker.largest[f]);
    }
    feature.least = Noted(least);
    feature.largest = Noted(largest);
  }
}

}  // namespace detail

/// What the features of a data set are like; weights do not count. The ends of bins come from a
/// sample of at most kProfileSample documents, all else from all of them. Neither the order of
/// rows nor the number of threads changes it.
inline DataProfile ProfileOf(const Dataset& data, Threads threads = {}) {
  const std::size_t n_sampled = std::min(data.n_documents(), kProfileSample);
  std::vector<float> columns = detail::SampledColumns(data, n_sampled, threads);
  DataProfile profile{data.n_documents(), std::vector<FeatureProfile>(data.n_features())};
  ParallelFor(threads, data.n_features(), [&](std::size_t f) {
    profile.features[f].edges =
        detail::BinEnds(Span<float>(columns).subspan(f * n_sampled, n_sampled));
  });
  const ValueCounts counts = CountValues(data.features(), detail::ThresholdsOf(profile), threads);
  for (std::size_t f = 0; f < data.n_features(); ++f) {
    FeatureProfile& feature = profile.features[f];
    feature.n_missing = counts.missing[f];
    feature.counts = detail::CountsInBins(counts, f, feature.edges.size(), profile.n_documents);
  }
  detail::NoteExtremes(data, threads, profile);
  return profile;
}

/// How other values of a feature fall into the bins of its profile.
struct BinnedValues {
  std::uint64_t n_missing = 0;
  std::uint64_t n_outside = 0;        ///< below the least value of the profile or above its largest
  std::vector<std::uint64_t> counts;  ///< in each bin of the profile
};

/// The values of each column of a matrix in the bins of a profile; infinities are allowed.
///
/// @param matrix  with the columns of the profile
inline std::vector<BinnedValues> BinValues(const DataProfile& profile, const FeatureMatrix& matrix,
                                           Threads threads = {}) {
  const std::size_t n = profile.features.size();
  std::vector<float> thresholds = detail::ThresholdsOf(profile, 2);
  const std::size_t n_edges = thresholds.size() / n - 2;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::size_t f = 0; f < n; ++f) {
    const FeatureProfile& feature = profile.features[f];
    thresholds[n_edges * n + f] = detail::ThresholdOf(feature.largest);
    thresholds[(n_edges + 1) * n + f] = std::nextafter(feature.least, -kInfinity);
  }
  const ValueCounts counts = CountValues(matrix, thresholds, threads);
  std::vector<BinnedValues> binned(n);
  for (std::size_t f = 0; f < n; ++f) {
    const std::uint64_t n_present = matrix.n_rows - counts.missing[f];
    const FeatureProfile& feature = profile.features[f];
    // The numbers of largest magnitude may stand for infinities.
    const std::uint64_t above = counts.above[n_edges * n + f];
    const std::uint64_t not_below =
        feature.least == -detail::kLargestFloat ? n_present : counts.above[(n_edges + 1) * n + f];
    // Thresholds of a feature that was always missing are NaN: all values are outside.
    const bool had_values = !std::isnan(feature.least);
    binned[f].n_missing = counts.missing[f];
    binned[f].n_outside = had_values ? above + (n_present - not_below) : n_present;
    binned[f].counts = detail::CountsInBins(counts, f, feature.edges.size(), matrix.n_rows);
  }
  return binned;
}

}  // namespace rankforest
