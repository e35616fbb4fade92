#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/objective/best_first.hpp"
#include "rankforest/objective/lambda_settings.hpp"
#include "rankforest/objective/pair_row.hpp"
#include "rankforest/objective/pair_weights.hpp"

namespace rankforest::detail {

/// Whether a swap delta computes the deltas of a row at once.
template <class Swap, class = void>
inline constexpr bool kHasRow = false;
template <class Swap>
inline constexpr bool kHasRow<
    Swap, std::void_t<decltype(std::declval<const Swap&>().Row(0, std::declval<Span<double>>()))>> =
    true;

/// The lambdas of one query at a time: see LambdaRank. The memory of one thread.
template <class Swap>
class LambdaQuery {
 public:
  LambdaQuery(Swap swap, const LambdaSettings& settings)
      : swap_(std::move(swap)), settings_(settings) {}

  /// The number of rows of pairs of a query with n documents.
  [[nodiscard]] std::size_t RowCount(std::size_t n) const {
    // Pairs beyond the truncation do not count; of those beyond the depth, every delta is 0.
    return std::min({n, swap_.depth(), std::size_t{settings_.truncation.value_or(kAllPairs)}});
  }

  /// Writes out[r] for each r of `rows`, the documents of a query. Equal scores rank in the order
  /// of `rows`.
  /// @param grades  of all documents, as `scores`
  void Compute(Span<const RowId> rows, Span<const double> grades, Span<const double> scores,
               const QueryPairWeights& weights, Span<GradientPair> out) {
    const auto ranked = best_first_.Rank(rows, scores, swap_.depth());
    Fill(ranked, rows, grades);
    swap_.Reset(grades_);
    const double total = swap_.is_flat() ? 0.0 : PullAll(weights);
    const double weight = weights.is_uniform() ? weights.Uniform() : 1.0;
    const double grad_factor = weight * Normaliser(total) * settings_.sigma;
    const double hess_factor = grad_factor * settings_.sigma;
    const bool mean = settings_.leaf == LambdaLeaf::kMean;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      const RowId row = documents_[i];
      out[row] = {lambdas_[i] * grad_factor,
                  mean ? weights.OfDocument(row) : hessians_[i] * hess_factor};
    }
  }

 private:
  static constexpr std::uint32_t kAllPairs = 0xFFFFFFFFU;
  static constexpr double kNear = 30.0;  // e^-30 loses no bit that a pair beside it needs

  /// Fills the columns by rank.
  void Fill(Span<const BestFirst::Record> ranked, Span<const RowId> rows,
            Span<const double> grades) {
    const std::size_t n = ranked.size();
    for (std::vector<double>* column :
         {&scores_, &grades_, &odds_, &deltas_, &lambda_terms_, &hessian_terms_, &pair_weights_}) {
      column->resize(n);
    }
    documents_.resize(n);
    lambdas_.assign(n, 0.0);
    hessians_.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      scores_[i] = ranked[i].score;
      documents_[i] = rows[ranked[i].place];
      grades_[i] = grades[documents_[i]];
    }
  }

  /// Sets the lambdas and hessians for sigma 1, those of a uniform weight for weight 1, and returns
  /// the sum of the absolute lambdas without weights.
  double PullAll(const QueryPairWeights& weights) {
    const double range = scores_.front() - *std::min_element(scores_.begin(), scores_.end());
    const bool by_gap =
        (settings_.norm == LambdaNorm::kGap || settings_.norm == LambdaNorm::kGapLog) &&
        range != 0.0;
    // Ratios of odds that all refer to the first rank are those of pairs, as long as none of the
    // odds is next to nothing.
    const bool is_near = settings_.sigma * range < kNear;
    if (is_near) SetOdds(0);
    double total = 0.0;
    const std::size_t n = scores_.size();
    const std::size_t n_rows = RowCount(n);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const std::size_t next = i + 1;
      if (!is_near) SetOdds(i);
      CallWide(SetDeltas{*this, i, {deltas_.data(), n - next}, by_gap});
      const PairRow row = {odds_[i],
                           grades_[i],
                           n - next,
                           odds_.data() + next,
                           grades_.data() + next,
                           deltas_.data(),
                           lambdas_.data() + next,
                           hessians_.data() + next,
                           lambda_terms_.data(),
                           hessian_terms_.data(),
                           pair_weights_.data()};
      if (!weights.is_uniform()) SetPairWeights(weights, i);
      const PairSums sums =
          weights.is_uniform() ? CallWide(PullRow{row}) : CallWide(PullWeightedRow{row});
      lambdas_[i] -= sums.lambda;
      hessians_[i] += sums.hess;
      total += 2.0 * sums.magnitude;
    }
    return total;
  }

  /// Sets the odds of rank i and those behind it, relative to its own.
  void SetOdds(std::size_t i) {
    CallWide(OddsBelow{scores_[i], settings_.sigma * kLog2E, scores_.data() + i, scores_.size() - i,
                       odds_.data() + i});
  }

  /// Sets the weights of the pairs of rank i and those behind it.
  void SetPairWeights(const QueryPairWeights& weights, std::size_t i) {
    for (std::size_t k = 0; i + 1 + k < documents_.size(); ++k) {
      pair_weights_[k] = weights.OfPair(documents_[i], documents_[i + 1 + k]);
    }
  }

  /// Sets out[k] to the change of the metric by a swap of the ranks i and i + 1 + k.
  struct SetDeltas {
    const LambdaQuery& query;
    std::size_t i;
    Span<double> out;
    bool by_gap;

    [[gnu::always_inline]] void operator()() const {
      if constexpr (kHasRow<Swap>) {
        query.swap_.Row(i, out);
      } else {
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = query.swap_(i, i + 1 + k);
      }
      if (!by_gap) return;
      const double score = query.scores_[i];
      const double* __restrict const scores = query.scores_.data() + i + 1;
      double* __restrict const deltas = out.data();
      for (std::size_t k = 0; k < out.size(); ++k) deltas[k] /= 0.01 + (score - scores[k]);
    }
  };

  /// The factor of the query's lambdas, whose absolute values for sigma 1 add up to `total`.
  [[nodiscard]] double Normaliser(double total) const {
    const bool by_log = settings_.norm == LambdaNorm::kLog || settings_.norm == LambdaNorm::kGapLog;
    total *= settings_.sigma;
    return by_log && total > 0.0 ? Log2(1.0 + total) / total : 1.0;
  }

  Swap swap_;
  LambdaSettings settings_;
  BestFirst best_first_;
  std::vector<RowId> documents_;  // by rank
  std::vector<double> scores_;    // by rank
  std::vector<double> grades_;    // by rank
  std::vector<double> lambdas_;   // by rank, for sigma 1
  std::vector<double> hessians_;  // by rank, for sigma 1
  std::vector<double> odds_;      // by rank, to belong in front of the first or of the row's rank
  std::vector<double> deltas_;    // of a row, as the next three
  std::vector<double> lambda_terms_;
  std::vector<double> hessian_terms_;
  std::vector<double> pair_weights_;
};

}  // namespace rankforest::detail
