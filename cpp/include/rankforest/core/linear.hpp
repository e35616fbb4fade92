#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "rankforest/core/query_normalization.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// A weighted sum of features: what a linear ranker adds to a score.
///
/// A value counts as it is, NaN as 0, an infinity as the largest float32 of its sign; with a
/// normalisation as what that makes of it, and NaN as 0 again.
///
/// Weights are float32, as values are: then the product of the two is exact in float64, and the sum
/// has the same bits whether a compiler fuses it with the addition or not. No sum can overflow.
/// Term i is added to partial sum i % 8, in order, so that eight can be added at once; ((s0 + s4) +
/// (s2 + s6)) + ((s1 + s5) + (s3 + s7)) is the whole.
struct Linear {
  struct Term {
    FeatureId feature = 0;
    float weight = 0.0F;  ///< finite
  };

  /// Other than kNone, scores depend on whole queries.
  QueryNormalization normalization = QueryNormalization::kNone;
  std::vector<Term> terms{};  ///< of different features, in the order in which they are added up

  [[nodiscard]] bool empty() const { return terms.empty(); }
  [[nodiscard]] bool needs_queries() const {
    return normalization != QueryNormalization::kNone && !terms.empty();
  }
};

inline bool operator==(const Linear::Term& a, const Linear::Term& b) {
  return a.feature == b.feature && a.weight == b.weight;
}
inline bool operator==(const Linear& a, const Linear& b) {
  return a.normalization == b.normalization && a.terms == b.terms;
}

namespace detail {

inline constexpr std::size_t kLinearLanes = 8;

/// What a value is multiplied by its weight as.
inline float WeighedValue(float x) {
  const float finite = FiniteValue(x);
  return finite == finite ? finite : 0.0F;
}

/// The sum of the partial sums.
inline double SumOfLanes(const double* s) {
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

}  // namespace detail

/// The sum of `n` terms for one document; the definition, which every faster way equals to the bit.
///
/// @param weight_of, value_of  (i) -> float: the weight of term i, and the value of its feature
template <class WeightOf, class ValueOf>
double LinearSum(std::size_t n, const WeightOf& weight_of, const ValueOf& value_of) {
  std::array<double, detail::kLinearLanes> lanes{};
  for (std::size_t i = 0; i < n; ++i) {
    lanes[i % detail::kLinearLanes] +=
        static_cast<double>(weight_of(i)) * static_cast<double>(detail::WeighedValue(value_of(i)));
  }
  return detail::SumOfLanes(lanes.data());
}

/// The sum of all terms, for values as they are or as a normalisation made them.
template <class ValueOf>
double LinearSum(const Linear& linear, const ValueOf& value_of) {
  return LinearSum(
      linear.terms.size(), [&](std::size_t i) { return linear.terms[i].weight; }, value_of);
}

/// Memory to work in.
struct LinearScratch {
  std::vector<float> values;  // [term][document of the query]
  std::vector<float> sorted;
};

/// Finds the sum of every document of a query, normalisation included.
///
/// @param row_of  (d) -> const float*: the features of document d of `n`
/// @param take    (d, sum)
template <class RowOf, class Take>
void LinearSumsOfQuery(const Linear& linear, std::size_t n, const RowOf& row_of,
                       LinearScratch& scratch, const Take& take) {
  scratch.values.resize(linear.terms.size() * n);
  for (std::size_t i = 0; i < linear.terms.size(); ++i) {
    const Span<float> column = Span<float>(scratch.values).subspan(i * n, n);
    for (std::size_t d = 0; d < n; ++d) column[d] = row_of(d)[linear.terms[i].feature];
    NormalizeInQuery(linear.normalization, column, scratch.sorted);
  }
  for (std::size_t d = 0; d < n; ++d) {
    take(d, LinearSum(linear, [&](std::size_t i) { return scratch.values[i * n + d]; }));
  }
}

}  // namespace rankforest
