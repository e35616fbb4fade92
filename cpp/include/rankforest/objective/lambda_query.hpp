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

  /// Writes out[r] for each r of `rows`, the documents of a query.
  /// @param grades  of all documents, as `scores`
  void Compute(Span<const RowId> rows, Span<const double> grades, Span<const double> scores,
               double weight, Span<GradientPair> out) {
    const auto ranked = best_first_.Rank(rows, scores, swap_.depth());
    Fill(ranked, rows, grades);
    swap_.Reset(grades_);
    const double total = swap_.is_flat() ? 0.0 : PullAll();
    const double grad_factor = weight * Normaliser(total) * settings_.sigma;
    const double hess_factor = grad_factor * settings_.sigma;
    const bool mean = settings_.leaf == LambdaLeaf::kMean;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      out[rows[ranked[i].place]] = {lambdas_[i] * grad_factor,
                                    mean ? weight : hessians_[i] * hess_factor};
    }
  }

 private:
  static constexpr std::uint32_t kAllPairs = 0xFFFFFFFFU;

  /// Fills the columns by rank.
  void Fill(Span<const BestFirst::Record> ranked, Span<const RowId> rows,
            Span<const double> grades) {
    const std::size_t n = ranked.size();
    for (std::vector<double>* column : {&scores_, &grades_, &deltas_, &odds_, &signs_}) {
      column->resize(n);
    }
    lambdas_.assign(n, 0.0);
    hessians_.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      scores_[i] = ranked[i].score;
      grades_[i] = grades[rows[ranked[i].place]];
    }
  }

  /// Sets the lambdas and hessians for sigma 1 and returns the sum of the absolute lambdas.
  double PullAll() {
    const bool by_gap =
        (settings_.norm == LambdaNorm::kGap || settings_.norm == LambdaNorm::kGapLog) &&
        *std::min_element(scores_.begin(), scores_.end()) != scores_.front();
    double total = 0.0;
    const std::size_t n = scores_.size();
    const std::size_t n_rows = RowCount(n);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const std::size_t next = i + 1;
      SetDeltas(i, Span<double>(deltas_.data(), n - next), by_gap);
      const PairSums sums = AddPairs({scores_[i], grades_[i], n - next, scores_.data() + next,
                                      grades_.data() + next, deltas_.data(), lambdas_.data() + next,
                                      hessians_.data() + next, odds_.data(), signs_.data()},
                                     settings_.sigma);
      lambdas_[i] -= sums.lambda;
      hessians_[i] += sums.hess;
      total += 2.0 * sums.magnitude;
    }
    return total;
  }

  /// Sets deltas[k] to the weight of the pair of ranks i and i + 1 + k.
  void SetDeltas(std::size_t i, Span<double> deltas, bool by_gap) const {
    if constexpr (kHasRow<Swap>) {
      swap_.Row(i, deltas);
    } else {
      for (std::size_t k = 0; k < deltas.size(); ++k) deltas[k] = swap_(i, i + 1 + k);
    }
    if (!by_gap) return;
    const double* const scores = scores_.data() + i + 1;
    for (std::size_t k = 0; k < deltas.size(); ++k) deltas[k] /= 0.01 + (scores_[i] - scores[k]);
  }

  /// The factor of the query's lambdas, whose absolute values for sigma 1 add up to `total`.
  [[nodiscard]] double Normaliser(double total) const {
    const bool by_log = settings_.norm == LambdaNorm::kLog || settings_.norm == LambdaNorm::kGapLog;
    total *= settings_.sigma;
    return by_log && total > 0.0 ? Log2(1.0 + total) / total : 1.0;
  }

  Swap swap_;
  LambdaSettings settings_;
  BestFirst best_first_;
  std::vector<double> scores_;    // by rank
  std::vector<double> grades_;    // by rank
  std::vector<double> lambdas_;   // by rank, for sigma 1
  std::vector<double> hessians_;  // by rank, for sigma 1
  std::vector<double> deltas_;    // of a row, as the next two
  std::vector<double> odds_;
  std::vector<double> signs_;
};

}  // namespace rankforest::detail
