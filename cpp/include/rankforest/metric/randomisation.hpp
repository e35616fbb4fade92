#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest {

/// What a randomisation test of paired differences says.
struct RandomisationTest {
  double p_value = 1.0;              ///< two-sided, in (0, 1]
  std::uint64_t n_permutations = 1;  ///< drawn, or all that there are
  bool exact = true;                 ///< whether all permutations were counted
};

namespace detail {

/// Paired differences in whole numbers of one unit, a power of two, so that sums of them are exact
/// and the same in any order.
struct WholeDifferences {
  std::vector<std::int64_t> magnitudes;  ///< ascending, > 0
  std::int64_t total = 0;                ///< their sum, < 2^62
  std::int64_t observed = 0;             ///< |sum of the signed differences|
  /// Sums that are apart by no more count as equal: the n roundings to whole units, and those of
  /// the metric before, which may tell 0.3 - 0.1 from 0.2.
  std::int64_t tolerance = 0;

  explicit WholeDifferences(Span<const double> differences) {
    double largest = 0.0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      if (!std::isfinite(differences[i])) {
        throw std::invalid_argument("differences must be finite, got " +
                                    std::to_string(differences[i]) + " at " + std::to_string(i));
      }
      largest = std::max(largest, std::abs(differences[i]));
    }
    int exponent = 0;  // largest < 2^exponent
    std::frexp(largest, &exponent);
    int size_bits = 0;  // as many differences as there are add up to less than 2^size_bits of it
    while ((differences.size() >> size_bits) > 0) ++size_bits;
    const int shift = 62 - size_bits - exponent;
    std::int64_t sum = 0;
    for (const double difference : differences) {
      const auto whole =
          detail::Truncated<std::int64_t>(std::ldexp(std::abs(difference), shift) + 0.5);
      if (whole == 0) continue;
      magnitudes.push_back(whole);
      sum += difference < 0.0 ? -whole : whole;
    }
    std::sort(magnitudes.begin(), magnitudes.end());
    total = std::accumulate(magnitudes.begin(), magnitudes.end(), std::int64_t{0});
    observed = sum < 0 ? -sum : sum;
    tolerance = (total >> 40) + static_cast<std::int64_t>(magnitudes.size());
  }

  /// Whether the sum is at least as far from 0 as the one observed where the magnitudes with a
  /// minus add up to `flipped`.
  [[nodiscard]] bool IsExtreme(std::int64_t flipped) const {
    const std::int64_t sum = total - 2 * flipped;
    return (sum < 0 ? -sum : sum) >= observed - tolerance;
  }
};

/// How many of the permutations [begin, end) of the Gray code are as extreme as what was observed.
inline std::uint64_t CountExtremeCodes(const WholeDifferences& differences, std::uint64_t begin,
                                       std::uint64_t end) {
  const std::uint64_t first = begin ^ (begin >> 1);  // bit i: magnitude i is flipped
  std::uint64_t code = first;
  std::int64_t flipped = 0;
  for (std::size_t i = 0; (code >> i) > 0; ++i) {
    if (((code >> i) & 1) != 0) flipped += differences.magnitudes[i];
  }
  std::uint64_t extreme = differences.IsExtreme(flipped) ? 1 : 0;
  for (std::uint64_t next = begin + 1; next < end; ++next) {
    std::size_t turned = 0;  // the lowest set bit: neighbours in the code differ in it alone
    while (((next >> turned) & 1) == 0) ++turned;
    code ^= std::uint64_t{1} << turned;
    const std::int64_t magnitude = differences.magnitudes[turned];
    flipped += ((code >> turned) & 1) != 0 ? magnitude : -magnitude;
    if (differences.IsExtreme(flipped)) ++extreme;
  }
  return extreme;
}

/// The sum of the magnitudes that one random permutation flips: each with probability 1/2.
inline std::int64_t DrawFlipped(Span<const std::int64_t> magnitudes, Rng rng) {
  std::int64_t flipped = 0;
  for (std::size_t begin = 0; begin < magnitudes.size(); begin += 64) {
    const std::size_t end = std::min(magnitudes.size(), begin + 64);
    std::uint64_t bits = rng.Next();
    for (std::size_t i = begin; i < end; ++i, bits >>= 1) {
      flipped += magnitudes[i] & -static_cast<std::int64_t>(bits & 1);
    }
  }
  return flipped;
}

/// The sum of count(begin, end) over ranges that cover [0, size).
///
/// @param seconds_each  of [0, size), roughly
template <class Count>
std::uint64_t CountInParallel(Threads threads, std::uint64_t size, double seconds_each,
                              const Count& count) {
  constexpr std::size_t kChunk = 256;
  threads = ForLoopOf(threads, size, seconds_each);
  std::vector<std::uint64_t> found(WorkerCount(threads, size));
  ParallelChunks(threads, size, kChunk, [&](std::size_t begin, std::size_t end, std::size_t w) {
    found[w] += count(begin, end);
  });
  return std::accumulate(found.begin(), found.end(), std::uint64_t{0});
}

}  // namespace detail

/// Fisher's randomisation test of paired differences: were both systems alike, each difference
/// would be as likely to have the other sign. The p-value is the share of assignments of signs
/// whose sum is at least as far from 0 as the one observed.
///
/// Differences of 0 do not matter. Where the m others have 2^m <= n_permutations assignments of
/// signs, all are counted; elsewhere n_permutations are drawn, and what was observed counts as one
/// more, so that the p-value is never below 1 / (n_permutations + 1) and the test stays valid
/// (Phipson and Smyth, "Permutation p-values should never be zero", SAGMB 2010). Neither the order
/// of the differences nor a common change of their signs nor the threads change the result.
///
/// Smucker, Allan and Carterette, "A comparison of statistical significance tests for information
/// retrieval evaluation", CIKM 2007, section 3.
///
/// @throws std::invalid_argument if a difference is not finite or n_permutations is 0
inline RandomisationTest TestByRandomisation(Span<const double> differences,
                                             std::uint64_t n_permutations, std::uint64_t seed,
                                             Threads threads) {
  if (n_permutations == 0) throw std::invalid_argument("n_permutations must be >= 1, got 0");
  const detail::WholeDifferences whole(differences);
  const std::size_t n = whole.magnitudes.size();
  if (n == 0) return {};
  if (n < 64 && (n_permutations >> n) > 0) {
    // Turning all signs changes no distance from 0: half of the assignments tell about all.
    const std::uint64_t half = std::uint64_t{1} << (n - 1);
    constexpr double kSecondsPerCode = 2e-9;
    const std::uint64_t extreme = detail::CountInParallel(
        threads, half, kSecondsPerCode, [&](std::uint64_t begin, std::uint64_t end) {
          return detail::CountExtremeCodes(whole, begin, end);
        });
    return {static_cast<double>(extreme) / static_cast<double>(half), 2 * half, true};
  }
  const Rng rng(seed);
  const double seconds = 1e-8 + 5e-10 * static_cast<double>(n);  // for a permutation
  const std::uint64_t extreme = detail::CountInParallel(
      threads, n_permutations, seconds, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t count = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
          const std::int64_t flipped =
              detail::DrawFlipped(whole.magnitudes, rng.Child(Purpose::kSigns, i));
          if (whole.IsExtreme(flipped)) ++count;
        }
        return count;
      });
  const auto counted = static_cast<double>(extreme) + 1.0;
  return {counted / (static_cast<double>(n_permutations) + 1.0), n_permutations, false};
}

}  // namespace rankforest
