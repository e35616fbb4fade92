#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest {

/// What documents bring to the criterion, by document: those of the nodes of a tree that were
/// searched last.
class TargetsByDocument {
 public:
  using Target = Newton::Target;
  using Stats = Newton::Stats;

  explicit TargetsByDocument(std::size_t n_documents) : of_(n_documents) {}

  /// Forgets the tree before.
  void Begin() { std::fill(of_.begin(), of_.end(), OfDocument{}); }

  /// Takes note of a node's documents; several nodes may be noted side by side.
  void Note(const NodeRows<Target>& rows, std::uint32_t node) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      of_[rows.rows[i]] = {rows.targets[i], rows.Count(i), node};
    }
  }

  /// Adds a document to a cell if it is one of the node.
  void Add(RowId document, std::uint32_t node, Stats& cell) const {
    const OfDocument& of = of_[document];
    cell.Add(of.target, of.node == node ? of.count : 0);
  }
  void Prefetch(RowId document) const { detail::Prefetch(of_.data() + document); }

  static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

  struct OfDocument {
    Target target;
    std::uint32_t count = 0;
    std::uint32_t node = kNoNode;  ///< as it was noted with
  };

  [[nodiscard]] std::size_t size() const { return of_.size(); }
  [[nodiscard]] const OfDocument& operator[](RowId document) const { return of_[document]; }

 private:
  std::vector<OfDocument> of_;
};

}  // namespace rankforest
