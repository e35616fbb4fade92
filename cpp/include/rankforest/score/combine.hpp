#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "rankforest/core/blend.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

// How several scores of a document become one. With m columns of scores, S_j(d) the score of
// document d in column j, w_j >= 0 the weight of the column, W = w_1 + ... + w_m, and Q the
// documents of d's query:
//
//   kSum     w_1 S_1(d) + ... + w_m S_m(d)
//   kMinMax  (w_1 N_1(d) + ... + w_m N_m(d)) / W, with
//            N_j(d) = (S_j(d) - low) / (high - low), low and high the extremes of S_j over Q;
//            1/2 where they are equal: such a column says nothing about the order
//   kBorda   w_1 B_1(d) + ... + w_m B_m(d), with B_j(d) the number of documents of Q that S_j ranks
//            below d, plus half the number of others that it ties with d
//   kZScore  (w_1 Z_1(d) + ... + w_m Z_m(d)) / W, with
//            Z_j(d) = (N_j(d) - mean) / sqrt(mean square of N_j - mean over Q), mean that of N_j
//            over Q; 0 where low and high are equal. So Z_j has mean 0 and standard deviation 1,
//            as if it were made of S_j itself, and no difference is too large or too small for it.
//
// Everything in float64 and in this order; sums over Q go by ascending score, so that row order
// plays no part. Without blends all weights are 1. A column is a member's score or the result of
// an earlier blend.
//
// Ganjisaffar, Caruana and Lopes, "Bagging gradient-boosted trees for high precision, low
// variance ranking models", SIGIR 2011, section 3.5.1. The paper leaves ties and constant
// members open; Borda points of tied documents are averaged, so that row order plays no part.

/// Rows grouped by query: those of the g-th query are rows[offsets[g]] to rows[offsets[g + 1]].
struct RowsByQuery {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> offsets;

  /// `query_of_row` holds a code per row, in any order; rows of equal codes form a query.
  explicit RowsByQuery(Span<const QueryId> query_of_row) : rows(query_of_row.size()) {
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const auto by_query = [&](std::size_t a, std::size_t b) {
      return query_of_row[a] < query_of_row[b];
    };
    if (!std::is_sorted(query_of_row.begin(), query_of_row.end())) {
      std::stable_sort(rows.begin(), rows.end(), by_query);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 0 || by_query(rows[i - 1], rows[i])) offsets.push_back(i);
    }
    offsets.push_back(rows.size());
  }

  [[nodiscard]] std::size_t n_queries() const { return offsets.size() - 1; }
  [[nodiscard]] Span<const std::size_t> Query(std::size_t query) const {
    const std::size_t begin = offsets[query];
    return Span<const std::size_t>(rows).subspan(begin, offsets[query + 1] - begin);
  }
};

namespace detail {

/// A product as float64, whatever sum it becomes a part of: without this, compilers that are free
/// to
/// (-ffp-contract=fast) add it unrounded where the processor can.
inline double Rounded(double product) {
  const volatile double rounded = product;
  return rounded;
}

/// The rows of one query, in any order, and one column of scores.
class ColumnOfQuery {
 public:
  ColumnOfQuery(Span<const std::size_t> rows, Span<const double> scores)
      : rows_(rows), scores_(scores) {}

  /// total[row] += weight x N(row).
  void AddMinMax(double weight, Span<double> total) const {
    const auto [low, range] = Extent();
    for (const std::size_t row : rows_) {
      const double scaled = range > 0.0 ? (scores_[row] - low) / range : 0.5;
      total[row] += Rounded(weight * scaled);
    }
  }

  /// total[row] += weight x B(row).
  void AddBorda(double weight, Span<double> total) const {
    const std::vector<std::size_t> ranked = Ranked();
    for (std::size_t begin = 0, end = 0; begin < ranked.size(); begin = end) {
      while (end < ranked.size() && scores_[ranked[end]] == scores_[ranked[begin]]) ++end;
      const double points = 0.5 * static_cast<double>(begin + end - 1);
      for (std::size_t i = begin; i < end; ++i) total[ranked[i]] += Rounded(weight * points);
    }
  }

  /// total[row] += weight x Z(row).
  void AddZScore(double weight, Span<double> total) const {
    const auto [low, range] = Extent();
    if (!(range > 0.0)) return;
    const std::vector<std::size_t> ranked = Ranked();
    const auto n = static_cast<double>(ranked.size());
    std::vector<double> scaled(ranked.size());  // N of the rows, ascending
    double mean = 0.0;
    for (std::size_t i = 0; i < scaled.size(); ++i) {
      scaled[i] = (scores_[ranked[i]] - low) / range;
      mean += scaled[i];
    }
    mean /= n;
    double square = 0.0;
    for (const double value : scaled) square += Rounded((value - mean) * (value - mean));
    const double deviation = std::sqrt(square / n);  // N reaches 0 and 1, so this is not 0
    for (std::size_t i = 0; i < scaled.size(); ++i) {
      total[ranked[i]] += Rounded(weight * ((scaled[i] - mean) / deviation));
    }
  }

 private:
  [[nodiscard]] bool Before(std::size_t a, std::size_t b) const { return scores_[a] < scores_[b]; }

  /// The lowest score, and how far above it the highest is.
  [[nodiscard]] std::pair<double, double> Extent() const {
    const auto before = [this](std::size_t a, std::size_t b) { return Before(a, b); };
    const auto [low, high] = std::minmax_element(rows_.begin(), rows_.end(), before);
    return {scores_[*low], scores_[*high] - scores_[*low]};
  }

  /// The rows by ascending score.
  [[nodiscard]] std::vector<std::size_t> Ranked() const {
    std::vector<std::size_t> ranked(rows_.begin(), rows_.end());
    std::sort(ranked.begin(), ranked.end(),
              [this](std::size_t a, std::size_t b) { return Before(a, b); });
    return ranked;
  }

  Span<const std::size_t> rows_;
  Span<const double> scores_;
};

}  // namespace detail

/// Whether a combination looks at whole queries and so must know them.
inline bool NeedsQueries(Combine combine) { return combine != Combine::kSum; }

/// Turns the scores of the members of an ensemble into one score per row.
class Combination {
 public:
  explicit Combination(const Ensemble& ensemble)
      : blends_(ensemble.blends.empty() ? Unweighted(ensemble.combine, ensemble.members.size())
                                        : ensemble.blends),
        needs_queries_(!ensemble.is_sum()) {}

  /// Of so many members, without blends.
  Combination(Combine combine, std::size_t n_members)
      : blends_(Unweighted(combine, n_members)), needs_queries_(NeedsQueries(combine)) {}

  /// Whether it looks at whole queries. Otherwise it is the sum of the members, in order.
  [[nodiscard]] bool needs_queries() const { return needs_queries_; }

  /// @param columns       one vector per member, each with a score per row
  /// @param query_of_row  a code per row where needs_queries(), unused otherwise
  [[nodiscard]] std::vector<double> operator()(std::vector<std::vector<double>> columns,
                                               Span<const QueryId> query_of_row,
                                               Threads threads = {}) const {
    assert(!columns.empty());
    const RowsByQuery queries(needs_queries_ ? query_of_row : Span<const QueryId>());
    for (const Blend& blend : blends_) {
      columns.push_back(NeedsQueries(blend.combine) ? OfQueries(blend, columns, queries, threads)
                                                    : WeightedSum(blend, columns));
    }
    return std::move(columns.back());
  }

 private:
  static std::vector<Blend> Unweighted(Combine combine, std::size_t n_members) {
    Blend blend{combine, {}};
    for (std::size_t j = 0; j < n_members; ++j) {
      blend.terms.push_back({static_cast<std::uint32_t>(j), 1.0});
    }
    return {blend};
  }

  static std::vector<double> WeightedSum(const Blend& blend,
                                         Span<const std::vector<double>> columns) {
    std::vector<double> total;
    for (const Blend::Term& term : blend.terms) {
      const std::vector<double>& scores = columns[term.column];
      if (total.empty()) {
        for (const double score : scores) total.push_back(term.weight * score);
      } else {
        for (std::size_t i = 0; i < total.size(); ++i)
          total[i] += detail::Rounded(term.weight * scores[i]);
      }
    }
    return total;
  }

  static std::vector<double> OfQueries(const Blend& blend, Span<const std::vector<double>> columns,
                                       const RowsByQuery& queries, Threads threads) {
    double divisor = 0.0;
    for (const Blend::Term& term : blend.terms) divisor += term.weight;
    std::vector<double> total(queries.rows.size(), 0.0);
    constexpr double kSecondsPerScore = 4e-8;
    threads = ForLoopOf(threads, total.size() * blend.terms.size(), kSecondsPerScore);
    ParallelFor(threads, queries.n_queries(), [&](std::size_t q) {
      const Span<const std::size_t> rows = queries.Query(q);
      for (const Blend::Term& term : blend.terms) {
        Add(blend.combine, {rows, columns[term.column]}, term.weight, total);
      }
      if (blend.combine == Combine::kBorda) return;
      for (const std::size_t row : rows) total[row] /= divisor;
    });
    return total;
  }

  static void Add(Combine combine, const detail::ColumnOfQuery& column, double weight,
                  Span<double> total) {
    if (combine == Combine::kMinMax) return column.AddMinMax(weight, total);
    if (combine == Combine::kBorda) return column.AddBorda(weight, total);
    assert(combine == Combine::kZScore);
    column.AddZScore(weight, total);
  }

  std::vector<Blend> blends_;
  bool needs_queries_;
};

}  // namespace rankforest
