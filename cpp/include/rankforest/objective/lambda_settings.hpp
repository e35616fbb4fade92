#pragma once

#include <cstdint>
#include <optional>

namespace rankforest {

/// How the lambdas of a query are scaled.
enum class LambdaNorm : std::uint8_t {
  kNone = 0,
  kLog = 1,  ///< sum of lambdas S becomes log2(1 + S): long queries count less
  kGap = 2,  ///< each pair is divided by 0.01 + the difference of its scores
  kGapLog = 3,
};

/// Which leaf values a tree on lambdas gets.
enum class LambdaLeaf : std::uint8_t {
  kNewton = 0,  ///< -G / (H + l2)
  kMean = 1,    ///< the mean of -lambda: trees fit the lambdas by squared error
};

/// What the weights of two documents make their pair weigh.
enum class PairWeighting : std::uint8_t {
  kMean = 0,     ///< documents of one weight: their pairs have it, too
  kProduct = 1,  ///< a document of weight 0 pulls at no other
};

struct LambdaSettings {
  double sigma = 1.0;                            ///< steepness of the logistic; > 0
  std::optional<std::uint32_t> truncation = 30;  ///< see LambdaRank; none: all pairs
  LambdaNorm norm = LambdaNorm::kLog;            ///< ranks best on MQ2008 and OHSUMED
  LambdaLeaf leaf = LambdaLeaf::kNewton;
  PairWeighting pair_weighting = PairWeighting::kMean;
};

}  // namespace rankforest
