#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest {

namespace detail {

/// A bijection of 64 bits whose every output bit depends on every input bit: the finaliser of
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
/// 2014).
constexpr std::uint64_t Mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace detail

/// What a child stream is for. The numbers are part of the meaning of a seed: never reuse one.
enum class Purpose : std::uint64_t {
  kMember = 1,        ///< one trainer of a bag
  kRound = 2,         ///< one round of boosting
  kTree = 3,          ///< one tree of a forest or a round
  kNode = 4,          ///< one child of a node: the index is its side
  kRows = 5,          ///< the draw of documents or queries
  kFeatures = 6,      ///< the draw of features at a node
  kThreshold = 7,     ///< the draw of a random threshold for one feature
  kStage = 8,         ///< one trainer of a chain
  kSigns = 9,         ///< the signs of one permutation of a randomisation test
  kResample = 10,     ///< the draw of one bootstrap resample
  kSplit = 11,        ///< the draw of one of a node's possible splits
  kPermutation = 12,  ///< one feature to permute, and one permutation of it
  kObjective = 13,    ///< what an objective draws for one query in a round
  kDropout = 14,      ///< the trees that a round of boosting does without
  kWeights = 15,      ///< the weights of documents that boosting begins with
};

/// The only source of randomness: a counter-based stream of 64-bit numbers.
///
/// A value type of two words. `Child(purpose, index)` starts an independent stream that depends
/// on this stream's key alone, not on how much was drawn from it, so that nothing depends on
/// the order in which members, rounds, trees or nodes are computed. Bounded integers, shuffles
/// and samples are our own, because those of the standard library differ between libraries.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : key_(detail::Mix64(seed + kGamma)) {}

  /// The stream of part `index` of a whole that serves `purpose`.
  [[nodiscard]] Rng Child(Purpose purpose, std::uint64_t index) const {
    Rng child(key_ ^ detail::Mix64(static_cast<std::uint64_t>(purpose) * kGamma));
    child.key_ = detail::Mix64(child.key_ + index * kGamma);
    return child;
  }

  /// The next 64 random bits.
  std::uint64_t Next() { return detail::Mix64(key_ + kGamma * ++counter_); }

  /// A uniform integer in [0, bound), without bias; bound >= 1.
  ///
  /// Lemire, "Fast random integer generation in an interval", TOMACS 2019.
  std::uint32_t Below(std::uint32_t bound) {
    assert(bound >= 1);
    std::uint64_t product = (Next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t rejected = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < rejected) product = (Next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// A uniform multiple of 2^-53 in [0, 1).
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  /// Permutes `values` uniformly (Fisher and Yates).
  template <class T>
  void Shuffle(Span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[Below(static_cast<std::uint32_t>(i))]);
    }
  }

  /// `count` distinct integers of [0, population), ascending; count <= population.
  std::vector<std::uint32_t> Sample(std::uint32_t population, std::uint32_t count) {
    assert(count <= population);
    std::vector<std::uint32_t> pool(population);
    std::iota(pool.begin(), pool.end(), 0U);
    for (std::uint32_t i = 0; i < count; ++i) std::swap(pool[i], pool[i + Below(population - i)]);
    pool.resize(count);
    std::sort(pool.begin(), pool.end());
    return pool;
  }

 private:
  static constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15ULL;  // 2^64 / golden ratio, odd

  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace rankforest
