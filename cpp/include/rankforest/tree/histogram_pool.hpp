#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "rankforest/tree/node_histogram.hpp"

namespace rankforest {

/// Histograms that wait for the children of their nodes, in bounded memory: where there is no
/// room, a node goes without and its children are both summed from their documents.
///
/// A histogram has cells of its kind alone. Those that it no longer needs go to the next one of
/// that kind: nodes at the top of a tree have plain or paired cells, the many below them packed
/// ones.
class HistogramPool {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{128} << 20U;
  static constexpr std::size_t kFewest = 8;

  /// @param n_cells     of one histogram
  /// @param most_bytes  of those that wait, but for kFewest of them
  explicit HistogramPool(std::size_t n_cells, std::size_t most_bytes = kMostBytes)
      : n_cells_(n_cells), most_bytes_(most_bytes) {}

  /// A histogram of a kind; what its cells hold is left over from another.
  [[nodiscard]] std::size_t Acquire(CellKind kind) {
    if (free_.empty()) {
      free_.push_back(histograms_.size());
      histograms_.emplace_back();
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    histograms_[index].kind = kind;
    if (kind == CellKind::kPacked) {
      AddPacked(index);
    } else if (kind == CellKind::kPaired) {
      Take(free_paired_, histograms_[index].paired);
      ++n_paired_;
    } else {
      Take(free_plain_, histograms_[index].plain);
      ++n_plain_;
    }
    return index;
  }

  /// Gives a histogram of another kind packed cells beside its own.
  void AddPacked(std::size_t index) {
    Take(free_packed_, histograms_[index].packed);
    ++n_packed_;
  }

  /// Makes a packed histogram of one that has packed cells, too.
  void MakePacked(std::size_t index) {
    histograms_[index].kind = CellKind::kPacked;
    GiveBack(histograms_[index].plain, n_plain_, free_plain_);
    GiveBack(histograms_[index].paired, n_paired_, free_paired_);
  }

  void Release(std::size_t index) {
    GiveBack(histograms_[index].plain, n_plain_, free_plain_);
    GiveBack(histograms_[index].paired, n_paired_, free_paired_);
    GiveBack(histograms_[index].packed, n_packed_, free_packed_);
    free_.push_back(index);
  }

  /// Whether those in use take more than may wait.
  [[nodiscard]] bool is_full() const {
    return histograms_.size() - free_.size() > kFewest &&
           n_cells_ * (n_plain_ * sizeof(Histogram::value_type) +
                       n_paired_ * sizeof(PairedHistogram::value_type) +
                       n_packed_ * sizeof(PackedHistogram::value_type)) >
               most_bytes_;
  }

  [[nodiscard]] NodeHistogram& operator[](std::size_t index) { return histograms_[index]; }
  [[nodiscard]] const NodeHistogram& operator[](std::size_t index) const {
    return histograms_[index];
  }

 private:
  template <class Cells>
  void Take(std::vector<Cells>& free, Cells& cells) const {
    if (free.empty()) {
      cells.resize(n_cells_);
    } else {
      cells = std::move(free.back());
      free.pop_back();
    }
  }

  template <class Cells>
  static void GiveBack(Cells& cells, std::size_t& n_in_use, std::vector<Cells>& free) {
    if (cells.empty()) return;
    free.push_back(std::exchange(cells, {}));
    --n_in_use;
  }

  std::size_t n_cells_;
  std::size_t most_bytes_;
  std::deque<NodeHistogram> histograms_;  // stay where they are
  std::vector<std::size_t> free_;         // of histograms_; they have no cells
  std::vector<Histogram> free_plain_;
  std::vector<PairedHistogram> free_paired_;
  std::vector<PackedHistogram> free_packed_;
  std::size_t n_plain_ = 0;  // cells in use
  std::size_t n_paired_ = 0;
  std::size_t n_packed_ = 0;
};

}  // namespace rankforest
