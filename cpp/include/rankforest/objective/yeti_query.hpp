#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/objective/lambda_settings.hpp"
#include "rankforest/objective/noisy_ranks.hpp"
#include "rankforest/objective/pair_row.hpp"
#include "rankforest/objective/pair_weights.hpp"
#include "rankforest/objective/yeti_settings.hpp"

namespace rankforest::detail {

/// The gradients of one query at a time: see YetiRank. The memory of one thread.
template <class Swap>
class YetiQuery {
 public:
  YetiQuery(Swap swap, const YetiSettings& settings, const LambdaSettings& lambda)
      : swap_(std::move(swap)), settings_(settings), lambda_(lambda), ranks_(settings.noise) {}

  /// How many pairs of neighbours of a ranking of n documents count.
  [[nodiscard]] std::size_t PairCount(std::size_t n) const {
    const std::size_t truncation = lambda_.truncation ? *lambda_.truncation : n;
    return n == 0 ? 0 : std::min({n - 1, swap_.depth(), truncation});
  }

  /// Writes out[r] for each r of `rows`, the documents of a query.
  /// @param grades  of all documents, as `scores`
  /// @param rng     of this query in this round
  void Compute(Span<const RowId> rows, Span<const double> grades, Span<const double> scores,
               const QueryPairWeights& weights, Rng rng, Span<GradientPair> out) {
    Fill(rows, grades, scores);
    if (!IsFlat()) {
      ranks_.Reset(scores_);
      for (std::uint32_t p = 0; p < settings_.n_permutations; ++p) {
        const std::size_t n_pairs = PairCount(rows.size());
        AddRanking(ranks_.Draw(n_pairs + 1, rng), n_pairs, rows, weights);
      }
    }
    const double weight = weights.is_uniform() ? weights.Uniform() : 1.0;
    const double factor = weight * lambda_.sigma / settings_.n_permutations;
    const bool mean = lambda_.leaf == LambdaLeaf::kMean;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out[rows[i]] = {sums_[i].grad * factor,
                      mean ? weights.OfDocument(rows[i]) : sums_[i].hess * factor * lambda_.sigma};
    }
  }

 private:
  void Fill(Span<const RowId> rows, Span<const double> grades, Span<const double> scores) {
    scores_.resize(rows.size());
    grades_.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      scores_[i] = scores[rows[i]];
      grades_[i] = grades[rows[i]];
    }
    sums_.assign(rows.size(), {});
    SetOddsBelowBest(scores_, lambda_.sigma, odds_);
  }

  [[nodiscard]] bool IsFlat() const {
    return std::all_of(grades_.begin(), grades_.end(),
                       [this](double grade) { return grade == grades_[0]; });
  }

  /// Adds the pairs of neighbours among the first ranks of a drawn ranking, for sigma 1.
  void AddRanking(Span<const BestFirst::Record> ranked, std::size_t n_pairs, Span<const RowId> rows,
                  const QueryPairWeights& weights) {
    ranked_grades_.resize(ranked.size());
    for (std::size_t r = 0; r < ranked.size(); ++r) {
      ranked_grades_[r] = grades_[ranked[r].place];
    }
    swap_.Reset(ranked_grades_);
    if (swap_.is_flat()) return;
    for (std::size_t r = 0; r < n_pairs; ++r) {
      const double delta = swap_(r, r + 1);
      if (delta == 0.0 || ranked_grades_[r] == ranked_grades_[r + 1]) continue;
      std::size_t better = ranked[r].place;
      std::size_t worse = ranked[r + 1].place;
      if (grades_[better] < grades_[worse]) std::swap(better, worse);
      const double of_pair = weights.is_uniform() ? 1.0 : weights.OfPair(rows[better], rows[worse]);
      Pull(better, worse, delta * of_pair);
    }
  }

  /// Adds a pair's gradient and hessian. rho is the probability that it is in the wrong order.
  void Pull(std::size_t better, std::size_t worse, double weight) {
    const double rho = odds_.empty() ? Sigmoid(lambda_.sigma * (scores_[worse] - scores_[better]))
                                     : odds_[worse] / (odds_[better] + odds_[worse]);
    const double grad = weight * rho;
    const double hess = grad * (1.0 - rho);
    sums_[better].grad -= grad;
    sums_[worse].grad += grad;
    sums_[better].hess += hess;
    sums_[worse].hess += hess;
  }

  Swap swap_;
  YetiSettings settings_;
  LambdaSettings lambda_;
  NoisyRanks ranks_;
  std::vector<double> scores_;      // of each document, in the order of `rows`
  std::vector<double> grades_;      // likewise
  std::vector<GradientPair> sums_;  // likewise
  std::vector<double> odds_;        // likewise; none where scores are too far apart
  std::vector<double> ranked_grades_;
};

}  // namespace rankforest::detail
