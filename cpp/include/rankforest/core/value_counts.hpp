#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// Of each column of a matrix: how many values are missing, and how many are above each of some
/// thresholds.
struct ValueCounts {
  std::vector<std::uint64_t> missing;  ///< by column
  std::vector<std::uint64_t> above;    ///< [threshold][column]
};

namespace detail {

/// Counts in rows [begin, end). All columns of a row at a time, without a branch, so that compilers
/// make vector code of it.
struct CountLoop {
  const FeatureMatrix& matrix;
  const std::vector<float>& thresholds;  // [threshold][column]
  std::size_t begin;
  std::size_t end;
  std::vector<std::uint32_t>& counts;  // missing first, then as thresholds

  [[gnu::always_inline]] void operator()() const {
    const std::size_t n = matrix.n_features;
    const std::size_t n_thresholds = thresholds.size() / n;
    for (std::size_t row = begin; row < end; ++row) {
      const float* const values = matrix.Row(row);
      std::uint32_t* count = counts.data();
      for (std::size_t f = 0; f < n; ++f) count[f] += values[f] != values[f] ? 1U : 0U;
      for (std::size_t t = 0; t < n_thresholds; ++t) {
        const float* const threshold = thresholds.data() + t * n;
        count += n;
        for (std::size_t f = 0; f < n; ++f) count[f] += values[f] > threshold[f] ? 1U : 0U;
      }
    }
  }
};

}  // namespace detail

/// Counts the values of every column in one pass over the matrix.
///
/// @param matrix      of fewer than 2^32 rows
/// @param thresholds  [threshold][column]; NaN: no value is above it
inline ValueCounts CountValues(const FeatureMatrix& matrix, const std::vector<float>& thresholds,
                               Threads threads) {
  constexpr std::size_t kRows = 1024;
  assert(matrix.n_rows <= std::numeric_limits<std::uint32_t>::max());
  const std::size_t n = matrix.n_features;
  const std::size_t n_chunks = (matrix.n_rows + kRows - 1) / kRows;
  std::vector<std::vector<std::uint32_t>> of_workers(
      WorkerCount(threads, n_chunks), std::vector<std::uint32_t>(n + thresholds.size()));
  ParallelChunks(
      threads, matrix.n_rows, kRows, [&](std::size_t begin, std::size_t end, std::size_t worker) {
        detail::CallWide(detail::CountLoop{matrix, thresholds, begin, end, of_workers[worker]});
      });
  ValueCounts counts{std::vector<std::uint64_t>(n), std::vector<std::uint64_t>(thresholds.size())};
  for (const std::vector<std::uint32_t>& of_worker : of_workers) {
    for (std::size_t f = 0; f < n; ++f) counts.missing[f] += of_worker[f];
    for (std::size_t i = 0; i < thresholds.size(); ++i) counts.above[i] += of_worker[n + i];
  }
  return counts;
}

}  // namespace rankforest
