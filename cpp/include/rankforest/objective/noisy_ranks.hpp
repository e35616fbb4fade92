#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/objective/best_first.hpp"
#include "rankforest/objective/pair_row.hpp"

namespace rankforest::detail {

/// Ranks the documents of one query by score + noise x log(u / (1 - u)), with u uniform in (0, 1):
/// the noise is logistic. Keeps its memory.
///
/// Gulin, Kuralenok and Pavlov, "Winning the transfer learning track of Yahoo!'s learning to rank
/// challenge with YetiRank", 2011, section 4.
class NoisyRanks {
 public:
  /// @param noise  >= 0; with 0 nothing is drawn, and equal scores rank in the order of their
  ///               documents
  explicit NoisyRanks(double noise) : noise_(noise) {}

  /// Sets the documents' scores, one at least.
  void Reset(Span<const double> scores) {
    keys_.resize(scores.size());
    is_odds_ = noise_ > 0.0 && SetOddsBelowBest(scores, 1.0 / noise_, start_);
    if (!is_odds_) start_.assign(scores.begin(), scores.end());
  }

  /// Draws a ranking: the best `top` documents in the order of their ranks, then the others.
  ///
  /// Takes one number of the stream for each document, in their order, unless the noise is 0.
  Span<const BestFirst::Record> Draw(std::size_t top, Rng& rng) {
    if (noise_ == 0.0) return best_first_.Rank(start_, top);
    constexpr double kLn2 = 0.6931471805599453;
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const double odds = OddsOf(rng.Next());
      // e^(score / noise) x odds ranks as its logarithm does, and no logarithm is needed.
      keys_[i] = is_odds_ ? start_[i] * odds : start_[i] + noise_ * (kLn2 * Log2(odds));
    }
    return best_first_.Rank(keys_, top);
  }

  /// u / (1 - u) for the uniform u of 64 random bits: an odd multiple of 2^-53.
  [[nodiscard]] static double OddsOf(std::uint64_t bits) {
    const double u = static_cast<double>(bits >> 12U) * 0x1.0p-52 + 0x1.0p-53;
    return u / (1.0 - u);
  }

 private:
  double noise_;
  bool is_odds_ = false;
  std::vector<double> start_;  // of each document: its odds, or its score
  std::vector<double> keys_;
  BestFirst best_first_;
};

}  // namespace rankforest::detail
