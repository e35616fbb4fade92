#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/graded.hpp"

namespace rankforest::testing {

/// The documents of a node, as criteria on grades see them.
struct GradedRows {
  RowSample sample;
  std::vector<GradedTarget> targets;

  GradedRows(const GradedDocuments& documents, RowSample of_node) : sample(std::move(of_node)) {
    for (const RowId row : sample.rows) targets.push_back(documents.targets()[row]);
  }

  [[nodiscard]] NodeRows<GradedTarget> node() const {
    return {sample.rows, targets, sample.counts};
  }
};

/// The gain of moving the documents at `left` from the right to the left.
template <class Criterion>
double GainOfMoving(Criterion& criterion, const std::vector<std::size_t>& left) {
  criterion.Clear();
  for (const std::size_t i : left) criterion.MoveLeft(i);
  return criterion.Gain();
}

}  // namespace rankforest::testing
