#pragma once

#include <cstdint>
#include <optional>

namespace rankforest {

/// By what a forest's trees choose a split.
enum class SplitCriterion : std::uint8_t {
  kSquaredError = 0,  ///< the drop in squared error: Newton
  kEntropy = 1,       ///< the drop in entropy of the grades: Entropy
  kRandom = 2,        ///< nothing: features and thresholds are drawn
  kPairwise = 3,      ///< correctly ranked pairs: Pairwise
  kListwise = 4,      ///< expected NDCG of the tree: Listwise
};

/// What a correctly ranked pair of documents counts.
enum class PairWeight : std::uint8_t {
  kOne = 0,
  kDifference = 1,  ///< the difference of its grades
};

/// What a listwise tree goes on with below `listwise_levels`.
enum class LowerCriterion : std::uint8_t { kEntropy = 0, kSquaredError = 1 };

/// By what a tree's splits are chosen, and how where there is a choice.
struct CriterionSettings {
  SplitCriterion kind = SplitCriterion::kSquaredError;
  PairWeight pair_weight = PairWeight::kOne;  ///< of kPairwise
  /// k of kListwise's NDCG@k, >= 1; none: the whole list.
  std::optional<std::uint32_t> cutoff = std::nullopt;
  /// Levels from the root whose nodes kListwise splits, >= 1, before `below` goes on; none: all.
  std::optional<std::uint32_t> listwise_levels = std::nullopt;
  LowerCriterion below = LowerCriterion::kEntropy;
};

}  // namespace rankforest
