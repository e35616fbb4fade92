#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/linear_part.hpp"
#include "rankforest/score/reference_exits.hpp"

namespace rankforest {

// The definition of a score; every faster scorer must give the same bits.
//
// The score that a member gives a document is its base, plus the sum of its linear part, if there
// is one (core/linear.hpp), plus, for its groups in order and their trees in order, float32(tree
// weight x leaf value), each product taken in float64 and rounded once, the sum kept in float64.
// combine.hpp says how the scores of the members become one.
//
// Features may be infinite; NaN goes to the child that the split names.

/// Adds to scores[i] what `trees`, in order, give document i, whose features are row_of(i): the
/// sum that makes a score, continued. Training keeps its scores up to date with it.
///
/// @param tree_weight  Group::TreeWeight() of the trees' group
/// @param row_of       std::size_t -> const float*, one value per column
template <class RowOf>
void AddContributions(Span<const Tree> trees, double tree_weight, const RowOf& row_of,
                      Span<double> scores, Threads threads) {
  constexpr std::size_t kRows = 256;  // a block's features stay in cache while trees pass by
  ParallelChunks(threads, scores.size(), kRows, [&](std::size_t begin, std::size_t end) {
    for (const Tree& tree : trees) {
      for (std::size_t i = begin; i < end; ++i) {
        scores[i] += Group::Contribution(tree_weight, tree.Value(row_of(i)));
      }
    }
  });
}

/// What each document has before the first tree: the base and what the linear part gives.
///
/// @param of_queries  the latter where it looks at whole queries, else null
inline std::vector<double> StartScores(const Member& member, const FeatureMatrix& features,
                                       const double* of_queries) {
  std::vector<double> scores(features.n_rows, member.base);
  if (member.linear.empty()) return scores;
  for (std::size_t row = 0; row < scores.size(); ++row) {
    const float* values = features.Row(row);
    scores[row] +=
        of_queries != nullptr ? of_queries[row] : LinearSum(member.linear, [&](std::size_t i) {
          return values[member.linear.terms[i].feature];
        });
  }
  return scores;
}

/// The score that one member gives each document.
///
/// @param scores  what they have before the first tree
template <class RowOf>
std::vector<double> MemberScores(const Member& member, std::vector<double> scores,
                                 const RowOf& row_of, Threads threads) {
  const std::size_t n_rows = scores.size();
  constexpr double kSecondsPerTree = 5e-8;  // of one document
  for (const Group& group : member.groups) {
    AddContributions(group.trees, group.TreeWeight(), row_of, scores,
                     ForLoopOf(threads, n_rows * group.trees.size(), kSecondsPerTree));
  }
  return scores;
}

/// Throws std::invalid_argument unless `features` has every column that a model may ask for and
/// `n_codes` is the number of rows where scores depend on whole queries.
inline void RequireScorable(bool needs_queries, std::size_t n_features,
                            const FeatureMatrix& features, std::size_t n_codes) {
  if (features.n_features < n_features) {
    throw std::invalid_argument("the features have " + std::to_string(features.n_features) +
                                " columns; the model needs " + std::to_string(n_features));
  }
  if (needs_queries && n_codes != features.n_rows) {
    throw std::invalid_argument(
        "the model's scores depend on whole queries: it needs a query code for each of " +
        std::to_string(features.n_rows) + " rows; got " + std::to_string(n_codes));
  }
}

/// The same; also unless the model has members.
inline void RequireScorable(const Ensemble& ensemble, const FeatureMatrix& features,
                            std::size_t n_codes) {
  if (ensemble.members.empty()) throw std::invalid_argument("the model has no members");
  RequireScorable(ensemble.needs_queries(), ensemble.n_features, features, n_codes);
}

/// One score per row of `features`, in the order of its rows. Columns beyond those of the model
/// are not looked at.
///
/// @param query_of_row  a code per row where the model needs_queries(); may be empty otherwise
inline std::vector<double> Score(const Ensemble& ensemble, const FeatureMatrix& features,
                                 Span<const QueryId> query_of_row = {}, Threads threads = {}) {
  RequireScorable(ensemble, features, query_of_row.size());
  if (!ensemble.exits.empty()) {
    return detail::ScoresWithExits(ensemble, features, RowsByQuery(query_of_row));
  }
  const auto row_of = [&](std::size_t row) { return features.Row(row); };
  std::vector<std::vector<double>> members;
  members.reserve(ensemble.members.size());
  const detail::PartsOfQueries parts(
      detail::LinearOf(ensemble), features,
      ensemble.needs_queries() ? query_of_row : Span<const QueryId>(), threads);
  for (const Member& member : ensemble.members) {
    std::vector<double> start = StartScores(member, features, parts.Of(members.size(), 0));
    members.push_back(MemberScores(member, std::move(start), row_of, threads));
  }
  return Combination(ensemble)(std::move(members), query_of_row, threads);
}

}  // namespace rankforest
