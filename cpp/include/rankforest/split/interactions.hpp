#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "rankforest/core/types.hpp"

namespace rankforest {

/// Which features a node may ask for, where only some may stand on one path together. The path down
/// to a node has a *state*: the sets that hold all features of the path. The node may ask for those
/// of these sets. State 0 is that of the root.
class Interactions {
 public:
  Interactions() = default;

  /// @param sets  of features below `n_features`; empty: there are no rules
  Interactions(std::vector<std::vector<FeatureId>> sets, std::size_t n_features)
      : sets_(std::move(sets)), n_features_(n_features) {
    if (sets_.empty()) return;
    std::vector<std::uint32_t> all(sets_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    StateOf(all);
  }

  [[nodiscard]] bool exist() const { return !sets_.empty(); }

  /// Of each feature whether a node in this state may ask for it; null: it may ask for all. Valid
  /// as long as this is.
  [[nodiscard]] const std::uint8_t* AllowedIn(std::uint32_t state) const {
    return exist() ? states_[state].allowed.data() : nullptr;
  }

  /// The state below a node that asks for a feature.
  [[nodiscard]] std::uint32_t After(std::uint32_t state, FeatureId feature) {
    if (!exist()) return 0;
    std::vector<std::uint32_t> left;
    for (const std::uint32_t set : states_[state].sets) {
      const std::vector<FeatureId>& features = sets_[set];
      if (std::find(features.begin(), features.end(), feature) != features.end()) {
        left.push_back(set);
      }
    }
    assert(!left.empty());
    return StateOf(left);
  }

 private:
  struct State {
    std::vector<std::uint32_t> sets;    // ascending
    std::vector<std::uint8_t> allowed;  // of each feature
  };

  /// The number of the state with these sets, a new one if need be.
  std::uint32_t StateOf(const std::vector<std::uint32_t>& sets) {
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      if (states_[s].sets == sets) return s;
    }
    State state{sets, std::vector<std::uint8_t>(n_features_, 0)};
    for (const std::uint32_t set : sets) {
      for (const FeatureId feature : sets_[set]) state.allowed[feature] = 1;
    }
    states_.push_back(std::move(state));
    return static_cast<std::uint32_t>(states_.size() - 1);
  }

  std::vector<std::vector<FeatureId>> sets_;
  std::size_t n_features_ = 0;
  std::deque<State> states_;  // which stay where they are as more come
};

}  // namespace rankforest
