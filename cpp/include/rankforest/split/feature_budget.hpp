#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// Counts the different features that the trees of a model ask for, where there may be only so
/// many: once they are reached, no split may ask for another.
class FeatureBudget {
 public:
  FeatureBudget() = default;

  /// @param most  none: any number
  FeatureBudget(std::optional<std::uint32_t> most, std::size_t n_features)
      : most_(most.value_or(0)), used_(most_ > 0 ? n_features : 0), usable_(used_.size(), 1) {}

  [[nodiscard]] bool exists() const { return most_ > 0; }
  /// Whether features that are usable now may no longer be later.
  [[nodiscard]] bool is_open() const { return exists() && n_used_ < most_; }
  /// Of each feature whether a split may ask for it; null: all may. Valid as long as this is; what
  /// it points to changes with Use().
  [[nodiscard]] const std::uint8_t* usable() const { return exists() ? usable_.data() : nullptr; }
  /// The features that are in use, ascending.
  [[nodiscard]] std::vector<FeatureId> InUse() const {
    std::vector<FeatureId> features;
    for (std::size_t f = 0; f < used_.size(); ++f) {
      if (used_[f] != 0) features.push_back(static_cast<FeatureId>(f));
    }
    return features;
  }

  /// A new tree.
  ///
  /// @param used  of each feature whether earlier trees ask for it; empty: none do
  void Begin(Span<const std::uint8_t> used) {
    if (!exists()) return;
    std::fill(used_.begin(), used_.end(), std::uint8_t{0});
    std::copy(used.begin(), used.end(), used_.begin());
    n_used_ = static_cast<std::size_t>(
        std::count_if(used_.begin(), used_.end(), [](std::uint8_t is) { return is != 0; }));
    std::fill(usable_.begin(), usable_.end(), std::uint8_t{1});
    if (!is_open()) usable_ = used_;
  }

  /// Notes a feature that a split asks for; whether others have just become unusable.
  bool Use(FeatureId feature) {
    if (!exists() || used_[feature] != 0) return false;
    used_[feature] = 1;
    ++n_used_;
    if (is_open()) return false;
    std::copy(used_.begin(), used_.end(), usable_.begin());  // in place: rules point to it
    return true;
  }

 private:
  std::size_t most_ = 0;  // 0: any number
  std::size_t n_used_ = 0;
  std::vector<std::uint8_t> used_;    // of each feature
  std::vector<std::uint8_t> usable_;  // likewise
};

}  // namespace rankforest
