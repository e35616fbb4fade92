#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest::detail {

/// Finds the documents with the highest keys among those that it is shown one by one. Equal keys go
/// by place, lower first, so the order in which it sees documents does not matter. Most documents
/// cost one comparison. Keeps its memory.
class HighestKeys {
 public:
  /// @param places  of each document, all different
  explicit HighestKeys(Span<const RowId> places) : places_(places) {}

  /// Begins anew: the `count` highest are wanted.
  void Begin(std::size_t count) {
    count_ = count;
    kept_.clear();
    threshold_ = count == 0 ? std::numeric_limits<double>::infinity()
                            : -std::numeric_limits<double>::infinity();
  }

  /// Forgets the documents, but not how high the `count` highest of them were, if there were as
  /// many: all of them will be shown again, among others.
  void Restart() {
    if (count_ > 0 && kept_.size() >= count_) KeepHighest();
    kept_.clear();
  }

  /// Whether a document with this key may be among the highest; Show it only then.
  [[nodiscard]] bool MayBelong(double key) const { return key >= threshold_; }

  /// @param key  no NaN
  void Show(double key, RowId row) {
    if (count_ == 0) return;
    kept_.push_back({key, row});
    if (kept_.size() >= 2 * count_ + kSpare) KeepHighest();
  }

  /// Appends the highest to `rows`, in any order.
  void AppendTo(std::vector<RowId>& rows) {
    if (kept_.size() > count_) KeepHighest();
    for (const Record& record : kept_) rows.push_back(record.row);
  }

 private:
  static constexpr std::size_t kSpare = 32;  // records between two looks for the highest

  struct Record {
    double key;
    RowId row;
  };

  /// Drops all but the highest, and raises what a document must have to be shown.
  void KeepHighest() {
    const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
    std::nth_element(kept_.begin(), last, kept_.end(), [this](const Record& a, const Record& b) {
      return a.key != b.key ? a.key > b.key : places_[a.row] < places_[b.row];
    });
    threshold_ = last->key;
    kept_.resize(count_);
  }

  Span<const RowId> places_;
  std::size_t count_ = 0;
  double threshold_ = 0.0;
  std::vector<Record> kept_;
};

}  // namespace rankforest::detail
