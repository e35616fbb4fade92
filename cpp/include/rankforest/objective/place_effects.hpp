#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace rankforest {

/// The effect of each place after rounds that follow each other: what a document gains by being
/// shown there.
struct PlaceEffects {
  std::size_t first_round = 0;             ///< after which after[0] holds; 0: before all rounds
  std::vector<std::vector<double>> after;  ///< by round and place; never empty

  /// Effects of 0 before the first round.
  static PlaceEffects None(std::size_t n_places) {
    return {0, {std::vector<double>(n_places, 0.0)}};
  }

  [[nodiscard]] std::size_t last_round() const { return first_round + after.size() - 1; }

  /// @param round  from first_round to last_round()
  [[nodiscard]] const std::vector<double>& After(std::size_t round) const {
    assert(round >= first_round && round <= last_round());
    return after[round - first_round];
  }

  /// Those after the rounds `first` to `last`, as far as they are known; `last` is.
  [[nodiscard]] PlaceEffects Between(std::size_t first, std::size_t last) const {
    PlaceEffects some{std::max(first, first_round), {}};
    for (std::size_t round = some.first_round; round <= last; ++round) {
      some.after.push_back(After(round));
    }
    return some;
  }

  friend bool operator==(const PlaceEffects& a, const PlaceEffects& b) {
    return a.first_round == b.first_round && a.after == b.after;
  }
};

}  // namespace rankforest
