#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

/// Initial scores of the caller's rows in canonical order, as RunOptions and Watch take them.
///
/// @param name     for messages
/// @param of_rows  one for each row, of magnitudes that float32 can hold
/// @throws std::invalid_argument  naming the first row that breaks this
inline std::vector<double> InitialScores(const std::string& name, const Dataset& data,
                                         Span<const double> of_rows) {
  if (of_rows.size() != data.n_documents()) {
    throw std::invalid_argument(name + " must have one score for each of the " +
                                std::to_string(data.n_documents()) + " documents; it has " +
                                std::to_string(of_rows.size()));
  }
  constexpr double kMost = std::numeric_limits<float>::max();
  for (std::size_t row = 0; row < of_rows.size(); ++row) {
    if (std::abs(of_rows[row]) <= kMost) continue;  // not so where it is NaN
    throw std::invalid_argument(name + " must hold finite numbers that float32 can hold; that of " +
                                "row " + std::to_string(row) + " (counted from 0) is " +
                                detail::Shown(of_rows[row]));
  }
  std::vector<double> scores(of_rows.size());
  for (std::size_t d = 0; d < scores.size(); ++d) scores[d] = of_rows[data.order()[d]] + 0.0;
  return scores;
}

/// The scores that the first round of boosting corrects.
///
/// @param initial  by document; empty: 0 everywhere
/// @param base     of the model
inline std::vector<double> ScoresAtStart(Span<const double> initial, double base,
                                         std::size_t n_documents) {
  std::vector<double> scores(n_documents, base);
  for (std::size_t d = 0; d < initial.size(); ++d) scores[d] += initial[d];
  return scores;
}

}  // namespace rankforest
