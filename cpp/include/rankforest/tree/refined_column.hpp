#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/presorted.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/value_order.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/tree/targets_by_document.hpp"

namespace rankforest {

/// Memory of RefinedColumn, kept by its owner from node to node.
struct RefinedScratch {
  std::vector<Code> codes;
  std::vector<Newton::Stats> cells;
};

/// One feature of one node, as BestThreshold asks about it: some of its bins as a cell each, of
/// others a cell for each value of the data set.
class RefinedColumn {
 public:
  using Stats = Newton::Stats;

  /// @param bins     sums of each bin, then of NaN if there is any
  /// @param is_fine  of each bin: whether to look inside
  /// @param targets  of the documents of `node` at least
  RefinedColumn(const PresortedColumn& values, const BinContents& contents, const Stats* bins,
                const std::uint8_t* is_fine, const TargetsByDocument& targets, std::uint32_t node,
                RefinedScratch& scratch)
      : values_(values), scratch_(scratch) {
    scratch_.codes.clear();
    scratch_.cells.clear();
    for (std::size_t b = 0; b < contents.end_code.size(); ++b) {
      if (bins[b].count == 0) continue;
      if (is_fine[b] != 0) {
        AddValues(contents, b, targets, node);
      } else {
        scratch_.codes.push_back(contents.end_code[b] - 1);
        scratch_.cells.push_back(bins[b]);
      }
    }
    if (values.has_missing) missing_ = bins[contents.end_code.size()];
  }

  void Sort() {}
  [[nodiscard]] Span<const Stats> cells() const { return scratch_.cells; }
  /// Of a bin: that of its largest value in the data set.
  [[nodiscard]] Code CodeOf(std::size_t cell) const { return scratch_.codes[cell]; }
  [[nodiscard]] const Stats& missing() const { return missing_; }
  [[nodiscard]] float Lowest(Code code) const { return values_.Lowest(code); }
  [[nodiscard]] float Highest(Code code) const { return values_.Highest(code); }
  [[nodiscard]] float Largest() const { return values_.Largest(); }

 private:
  static constexpr std::size_t kAhead = 16;  // documents between prefetch and use

  /// Documents of other nodes are added with a count of 0: cheaper than a branch that is taken at
  /// random. Cells may be empty.
  void AddValues(const BinContents& contents, std::size_t bin, const TargetsByDocument& targets,
                 std::uint32_t node) {
    const std::size_t n_cells = scratch_.cells.size();
    for (Code code = contents.FirstCode(bin); code < contents.end_code[bin]; ++code) {
      scratch_.codes.push_back(code);
    }
    scratch_.cells.resize(scratch_.codes.size());
    Stats* cell = scratch_.cells.data() + n_cells - 1;
    const std::size_t last = contents.documents.size() - 1;
    for (std::size_t i = contents.first[bin]; i < contents.first[bin + 1]; ++i) {
      targets.Prefetch(contents.documents[std::min(i + kAhead, last)]);
      cell += contents.is_new[i];
      targets.Add(contents.documents[i], node, *cell);
    }
  }

  const PresortedColumn& values_;
  RefinedScratch& scratch_;
  Stats missing_;
};

}  // namespace rankforest
