#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/tree.hpp"
#include "support/naive_tree.hpp"

namespace rankforest::testing {

/// Follows every document of a sample down a tree and returns those that pass each node; leaves
/// come behind the inner nodes.
inline std::vector<NaiveTree::Documents> Passing(const Tree& tree, const Dataset& data,
                                                 const RowSample& sample) {
  std::vector<NaiveTree::Documents> passing(tree.nodes.size() + tree.leaves.size());
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const NaiveTree::Document document{sample.rows[i], sample.Count(i)};
    const float* const features = data.Features(document.row);
    std::int32_t child = tree.nodes.empty() ? ~0 : 0;
    while (child >= 0) {
      const auto id = static_cast<std::size_t>(child);
      passing[id].push_back(document);
      child = tree.nodes[id].Next(features[tree.nodes[id].feature]);
    }
    passing[tree.nodes.size() + static_cast<std::size_t>(~child)].push_back(document);
  }
  return passing;
}

}  // namespace rankforest::testing
