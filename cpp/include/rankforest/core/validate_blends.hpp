#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/tree_shape.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

namespace detail {

/// Throws unless a blend may make column number `own`. Returns the sum of its weights.
inline double ValidateBlend(const Blend& blend, std::size_t own) {
  if (blend.combine > Combine::kZScore) {
    throw std::invalid_argument("the combination is none of sum, minmax, borda, zscore");
  }
  if (blend.terms.empty()) throw std::invalid_argument("has no term");
  double sum = 0.0;
  for (std::size_t t = 0; t < blend.terms.size(); ++t) {
    const auto& [column, weight] = blend.terms[t];
    if (column >= own) {
      Invalid("term", t,
              "the column is " + std::to_string(column) + ", expected one of the " +
                  std::to_string(own) + " before the blend's own");
    }
    if (!(std::isfinite(weight) && weight >= 0.0)) {
      Invalid("term", t,
              "the weight is " + Shown(weight) + ", expected a finite number of at least 0");
    }
    sum += weight;
  }
  if (!(std::isfinite(sum) && sum > 0.0)) {
    throw std::invalid_argument("the sum of the weights is " + Shown(sum) +
                                ", expected a finite number above 0");
  }
  return sum;
}

/// How large the scores of a member, and the differences between them, can be at most.
inline double LargestScore(const Member& member) {
  double trees = 0.0;
  for (const Group& group : member.groups) trees += static_cast<double>(group.trees.size());
  double weights = 0.0;
  for (const Linear::Term& term : member.linear.terms) {
    weights += std::abs(static_cast<double>(term.weight));
  }
  return std::abs(member.base) +
         (trees + weights) * static_cast<double>(std::numeric_limits<float>::max());
}

/// The same of a blend.
///
/// @param sizes  of the columns before its own
inline double LargestScore(const Blend& blend, double weights, const std::vector<double>& sizes) {
  constexpr double kMostDocuments = 1e20;  // of a query: more than memory holds
  if (blend.combine == Combine::kBorda) return weights * kMostDocuments;
  if (blend.combine != Combine::kSum) return kMostDocuments;
  double size = 0.0;
  for (const Blend::Term& term : blend.terms) size += term.weight * sizes[term.column];
  return size;
}

}  // namespace detail

/// Throws std::invalid_argument, naming the place, unless the blends of an ensemble with members
/// can be scored: each is as blend.hpp says, every column but the last is a term of exactly one,
/// not all of them sum, and no score can be beyond float64. The members have passed their checks.
inline void ValidateBlends(const Ensemble& ensemble) {
  if (ensemble.blends.empty()) return;
  if (ensemble.combine != Combine::kSum) {
    throw std::invalid_argument("a model with blends combines by them alone, expected sum beside");
  }
  constexpr double kLargest = 1e300;
  std::vector<double> sizes;
  for (const Member& member : ensemble.members) sizes.push_back(detail::LargestScore(member));
  std::vector<std::size_t> uses(sizes.size() + ensemble.blends.size(), 0);
  bool only_sums = true;
  for (std::size_t b = 0; b < ensemble.blends.size(); ++b) {
    const Blend& blend = ensemble.blends[b];
    try {
      const double weights = detail::ValidateBlend(blend, sizes.size());
      sizes.push_back(detail::LargestScore(blend, weights, sizes));
    } catch (const std::invalid_argument& error) {
      detail::Invalid("blend", b, error.what());
    }
    for (const Blend::Term& term : blend.terms) ++uses[term.column];
    only_sums = only_sums && blend.combine == Combine::kSum;
  }
  for (std::size_t c = 0; c < uses.size(); ++c) {
    if (uses[c] == (c + 1 == uses.size() ? 0 : 1)) continue;
    throw std::invalid_argument("column " + std::to_string(c) + " is a term of " +
                                std::to_string(uses[c]) + " blends, expected one");
  }
  if (only_sums) {
    throw std::invalid_argument(
        "all blends are sums, expected the weights in the groups of their members");
  }
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  if (!(largest <= kLargest)) {
    throw std::invalid_argument("scores of a column may be as large as " + detail::Shown(largest) +
                                ", expected at most 1e300");
  }
}

}  // namespace rankforest
