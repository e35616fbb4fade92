#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest::testing {

/// Two documents of a query, by position, the first of the higher grade.
struct JudgedPair {
  RowId better;
  RowId worse;
  double weight;  ///< the mean weight of the documents of the query
};

/// All pairs of a data set, one by one.
inline std::vector<JudgedPair> AllPairs(const Dataset& data) {
  std::vector<JudgedPair> pairs;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    const RowId begin = data.offsets()[q];
    const RowId end = data.offsets()[q + 1];
    double weight = 0.0;
    for (RowId d = begin; d < end; ++d) weight += data.weights().empty() ? 1.0 : data.weights()[d];
    weight /= static_cast<double>(end - begin);
    for (RowId i = begin; i < end; ++i) {
      for (RowId j = begin; j < end; ++j) {
        if (data.grades()[i] > data.grades()[j]) pairs.push_back({i, j, weight});
      }
    }
  }
  return pairs;
}

}  // namespace rankforest::testing
