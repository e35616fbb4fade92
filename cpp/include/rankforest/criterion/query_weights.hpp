#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest {

/// For what learns from the documents of a query together: a query has one weight.
///
/// @param who  ranks them: "an objective"
/// @throws std::invalid_argument  if two documents of a query differ in weight
inline void RequireQueryWeights(const Dataset& data, const char* who) {
  const Span<const double> weights = data.weights();
  if (weights.empty()) return;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    const RowId first = data.offsets()[q];
    for (RowId d = first + 1; d < data.offsets()[q + 1]; ++d) {
      if (weights[d] == weights[first]) continue;
      throw std::invalid_argument(
          std::string("weights must be the same for all documents of a query where ") + who +
          " ranks; rows " + std::to_string(data.order()[first]) + " and " +
          std::to_string(data.order()[d]) + " (counted from 0) are of one query and have " +
          detail::NumberToString(weights[first]) + " and " + detail::NumberToString(weights[d]));
    }
  }
}

}  // namespace rankforest
