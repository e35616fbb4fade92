#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest {

/// The mean of each of `n_resamples` bootstrap resamples: as many of the values as there are, drawn
/// with replacement. A function of the values in their order and the seed; threads change no bit.
///
/// Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, section 6.
///
/// @throws std::invalid_argument if there are no values or more than 2^32 - 1
inline std::vector<double> BootstrapMeans(Span<const double> values, std::size_t n_resamples,
                                          std::uint64_t seed, Threads threads) {
  if (values.empty() || values.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("values must hold between 1 and 2^32 - 1 numbers, got " +
                                std::to_string(values.size()));
  }
  const auto n = static_cast<std::uint32_t>(values.size());
  const Rng rng(seed);
  std::vector<double> means(n_resamples);
  constexpr std::size_t kChunk = 64;
  constexpr double kSecondsPerDraw = 3e-9;
  threads = ForLoopOf(threads, n_resamples * n, kSecondsPerDraw);
  ParallelChunks(threads, n_resamples, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Rng draws = rng.Child(Purpose::kResample, i);
      double sum = 0.0;
      for (std::uint32_t drawn = 0; drawn < n; ++drawn) sum += values[draws.Below(n)];
      means[i] = sum / n;
    }
  });
  return means;
}

}  // namespace rankforest
