#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

// How the scores of the members become one score. With m members, S_j(d) the score that member
// j gives document d, and Q the documents of d's query:
//
//   kSum     S_1(d) + S_2(d) + ... + S_m(d), added in this order
//   kMinMax  (N_1(d) + ... + N_m(d)) / m, with
//            N_j(d) = (S_j(d) - low) / (high - low), low and high the extremes of S_j over Q;
//            1/2 where they are equal: such a member says nothing about the order
//   kBorda   B_1(d) + ... + B_m(d), with B_j(d) the number of documents of Q that S_j ranks
//            below d, plus half the number of others that it ties with d
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

/// total[row] += N_j(row) for the rows of one query.
inline void AddMinMax(Span<const std::size_t> rows, Span<const double> scores, Span<double> total) {
  const auto by_score = [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; };
  const auto extremes = std::minmax_element(rows.begin(), rows.end(), by_score);
  const double low = scores[*extremes.first];
  const double range = scores[*extremes.second] - low;
  for (const std::size_t row : rows) {
    total[row] += range > 0.0 ? (scores[row] - low) / range : 0.5;
  }
}

/// total[row] += B_j(row) for the rows of one query.
inline void AddBorda(Span<const std::size_t> rows, Span<const double> scores, Span<double> total) {
  std::vector<std::size_t> ranked(rows.begin(), rows.end());
  const auto by_score = [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; };
  std::sort(ranked.begin(), ranked.end(), by_score);
  for (std::size_t begin = 0, end = 0; begin < ranked.size(); begin = end) {
    while (end < ranked.size() && scores[ranked[end]] == scores[ranked[begin]]) ++end;
    const double points = 0.5 * static_cast<double>(begin + end - 1);
    for (std::size_t i = begin; i < end; ++i) total[ranked[i]] += points;
  }
}

}  // namespace detail

/// Whether a combination looks at whole queries and so must know them.
inline bool NeedsQueries(Combine combine) { return combine != Combine::kSum; }

/// Turns the scores of every member into one score per row.
///
/// @param members       one vector per member, each with a score per row
/// @param query_of_row  a code per row where NeedsQueries(combine), unused otherwise
inline std::vector<double> CombineMembers(Combine combine, std::vector<std::vector<double>> members,
                                          Span<const QueryId> query_of_row) {
  assert(!members.empty());
  if (!NeedsQueries(combine)) {
    std::vector<double> total = std::move(members.front());
    for (std::size_t j = 1; j < members.size(); ++j) {
      for (std::size_t row = 0; row < total.size(); ++row) total[row] += members[j][row];
    }
    return total;
  }
  const RowsByQuery queries(query_of_row);
  std::vector<double> total(query_of_row.size(), 0.0);
  for (const std::vector<double>& scores : members) {
    for (std::size_t q = 0; q < queries.n_queries(); ++q) {
      const auto add = combine == Combine::kMinMax ? detail::AddMinMax : detail::AddBorda;
      add(queries.Query(q), scores, total);
    }
  }
  if (combine == Combine::kMinMax) {
    for (double& score : total) score /= static_cast<double>(members.size());
  }
  return total;
}

}  // namespace rankforest
