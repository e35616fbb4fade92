#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/text.hpp"
#include "rankforest/objective/lambda_settings.hpp"

namespace rankforest {

/// The pairs of one query whose grades differ, for a function to weigh.
struct GradedPairs {
  std::vector<double> grades_better;
  std::vector<double> grades_worse;
  std::vector<RowId> rows_better;  ///< the caller's row numbers
  std::vector<RowId> rows_worse;
  std::vector<double> weights;  ///< to be filled, one a pair, finite and >= 0
};

/// Weighs pairs, one query at a time; empty: every pair weighs 1.
using PairFunction = std::function<void(GradedPairs&)>;

namespace detail {

/// What the pairs of one query weigh.
class QueryPairWeights {
 public:
  /// @param weight  of every pair and every document
  explicit QueryPairWeights(double weight) : uniform_(weight) {}

  /// @param first      the query's first document
  /// @param documents  the weights of the query's documents; empty: 1 each
  /// @param factors    of the pairs of documents a < b, those of a = first first; empty: 1 each
  QueryPairWeights(RowId first, std::size_t n_documents, Span<const double> documents,
                   PairWeighting weighting, Span<const double> factors)
      : is_uniform_(false),
        first_(first),
        n_documents_(n_documents),
        documents_(documents),
        weighting_(weighting),
        factors_(factors) {}

  /// Whether all pairs and documents weigh Uniform().
  [[nodiscard]] bool is_uniform() const { return is_uniform_; }
  [[nodiscard]] double Uniform() const { return uniform_; }

  [[nodiscard]] double OfDocument(RowId document) const {
    if (is_uniform_) return uniform_;
    return documents_.empty() ? 1.0 : documents_[document - first_];
  }

  [[nodiscard]] double OfPair(RowId a, RowId b) const {
    if (is_uniform_) return uniform_;
    double weight = 1.0;
    if (!documents_.empty()) {
      const double weight_a = documents_[a - first_];
      const double weight_b = documents_[b - first_];
      weight =
          weighting_ == PairWeighting::kProduct ? weight_a * weight_b : (weight_a + weight_b) / 2.0;
    }
    return factors_.empty() ? weight : weight * factors_[Place(a, b)];
  }

 private:
  [[nodiscard]] std::size_t Place(RowId a, RowId b) const {
    const std::size_t low = std::min(a, b) - first_;
    const std::size_t high = std::max(a, b) - first_;
    return low * (2 * n_documents_ - low - 1) / 2 + (high - low - 1);
  }

  bool is_uniform_ = true;
  double uniform_ = 1.0;
  RowId first_ = 0;
  std::size_t n_documents_ = 0;
  Span<const double> documents_;
  PairWeighting weighting_ = PairWeighting::kMean;
  Span<const double> factors_;
};

}  // namespace detail

/// What every pair of documents of a query weighs: the mean or the product of their weights, times
/// what a function says. The function is asked once for each query; its answers take 8 bytes for
/// every two documents of a query.
class PairWeights {
 public:
  /// @throws std::invalid_argument  where the function's answer is not one finite number >= 0 a
  /// pair
  PairWeights(const Dataset& data, PairWeighting weighting, const PairFunction& function)
      : data_(data), weighting_(weighting), is_uniform_(data.n_queries(), true) {
    for (std::size_t q = 0; q < data.n_queries(); ++q) is_uniform_[q] = HasOneWeight(q);
    if (!function) return;
    factors_.resize(data.n_queries());
    for (std::size_t q = 0; q < data.n_queries(); ++q) Ask(function, q);
  }

  /// Valid as long as this.
  [[nodiscard]] detail::QueryPairWeights OfQuery(std::size_t query) const {
    const RowId first = data_.offsets()[query];
    const std::size_t n = data_.offsets()[query + 1] - first;
    const Span<const double> weights = data_.weights();
    if (is_uniform_[query]) {
      return detail::QueryPairWeights(weights.empty() ? 1.0 : weights[first]);
    }
    return {first, n, weights.empty() ? weights : weights.subspan(first, n), weighting_,
            factors_.empty() ? Span<const double>() : Span<const double>(factors_[query])};
  }

 private:
  /// Whether the pairs of a query weigh what each of its documents does, as far as these say.
  [[nodiscard]] bool HasOneWeight(std::size_t query) const {
    const Span<const double> weights = data_.weights();
    if (weights.empty()) return true;
    const RowId first = data_.offsets()[query];
    if (weighting_ == PairWeighting::kProduct && weights[first] != 1.0) return false;
    for (RowId d = first + 1; d < data_.offsets()[query + 1]; ++d) {
      if (weights[d] != weights[first]) return false;
    }
    return true;
  }

  /// Asks for the weights of a query's pairs, if there are any.
  void Ask(const PairFunction& function, std::size_t query) {
    const RowId first = data_.offsets()[query];
    const RowId last = data_.offsets()[query + 1];
    const Span<const double> grades = data_.grades();
    GradedPairs pairs;
    ForEachPair(first, last, [&](RowId a, RowId b) {
      if (grades[a] == grades[b]) return;
      const RowId better = grades[a] > grades[b] ? a : b;
      const RowId worse = better == a ? b : a;
      pairs.grades_better.push_back(grades[better]);
      pairs.grades_worse.push_back(grades[worse]);
      pairs.rows_better.push_back(data_.order()[better]);
      pairs.rows_worse.push_back(data_.order()[worse]);
    });
    if (pairs.rows_better.empty()) return;
    function(pairs);
    Check(pairs);
    is_uniform_[query] = false;
    std::vector<double>& factors = factors_[query];
    std::size_t n_asked = 0;
    ForEachPair(first, last, [&](RowId a, RowId b) {
      factors.push_back(grades[a] == grades[b] ? 1.0 : pairs.weights[n_asked++]);
    });
  }

  template <class Visit>
  static void ForEachPair(RowId first, RowId last, const Visit& visit) {
    for (RowId a = first; a < last; ++a) {
      for (RowId b = a + 1; b < last; ++b) visit(a, b);
    }
  }

  static void Check(const GradedPairs& pairs) {
    const std::size_t n = pairs.rows_better.size();
    if (pairs.weights.size() != n) {
      throw std::invalid_argument("pair_weighting must return one weight for each of the " +
                                  std::to_string(n) + " pairs that it got; it returned " +
                                  std::to_string(pairs.weights.size()));
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = pairs.weights[i];
      if (weight >= 0.0 && weight <= kLargestWeight) continue;
      throw std::invalid_argument(
          "pair_weighting must return weights from 0 to 1e30; that of rows " +
          std::to_string(pairs.rows_better[i]) + " and " + std::to_string(pairs.rows_worse[i]) +
          " (counted from 0) is " + detail::NumberToString(weight));
    }
  }

  const Dataset& data_;
  PairWeighting weighting_;
  std::vector<bool> is_uniform_;              // of each query
  std::vector<std::vector<double>> factors_;  // of each query's pairs; empty: 1 each
};

}  // namespace rankforest
