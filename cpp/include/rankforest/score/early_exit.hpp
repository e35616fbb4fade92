#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest::detail {

/// The lowest score that stays in play at an exit (limits.hpp).
///
/// @param scores    of the documents in play; in another order afterwards
/// @param fraction  EarlyExit::fraction
inline double LowestToStay(std::vector<double>& scores, double fraction) {
  if (scores.empty()) return 0.0;
  const double leaving = std::floor(fraction * static_cast<double>(scores.size()));
  const auto lowest = scores.begin() + static_cast<std::ptrdiff_t>(leaving);
  std::nth_element(scores.begin(), lowest, scores.end());
  return *lowest;
}

/// The n-th highest of more than n - 1 scores, counted from 1, which get another order.
inline double NthHighest(std::vector<double>& scores, std::size_t n) {
  const auto place = scores.end() - static_cast<std::ptrdiff_t>(n);
  std::nth_element(scores.begin(), place, scores.end());
  return *place;
}

/// The same by all rules of an exit.
///
/// @param k  ExitSchedule::k
inline double LowestToStay(std::vector<double>& scores, const ExitPoint& exit, std::size_t k) {
  double lowest = LowestToStay(scores, exit.fraction);
  if (exit.keep > 0 && exit.keep < scores.size()) {
    lowest = std::max(lowest, NthHighest(scores, exit.keep));
  }
  if (std::isfinite(exit.margin) && k <= scores.size()) {
    lowest = std::max(lowest, NthHighest(scores, k) - exit.margin);
  }
  return lowest;
}

/// Ranks the documents of one query that exited below those that stayed, in place: EarlyExit says
/// in which order. The others keep their scores.
///
/// @param rows    of the query
/// @param exits   by row; those that stayed the longest are the ones that stayed
/// @param scores  by row
/// @param order   memory to work in
inline void Demote(Span<const std::size_t> rows, Span<const std::uint32_t> exits,
                   Span<double> scores, std::vector<std::size_t>& order) {
  order.assign(rows.begin(), rows.end());
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return exits[a] != exits[b] ? exits[a] > exits[b] : scores[a] > scores[b];
  });
  std::size_t i = 0;
  while (i < order.size() && exits[order[i]] == exits[order.front()]) ++i;
  double above = i == 0 ? 0.0 : scores[order[i - 1]];
  while (i < order.size()) {
    // A score so large that 1 is nothing to it still has a next one.
    const double next =
        std::min(above - 1.0, std::nextafter(above, -std::numeric_limits<double>::infinity()));
    const std::uint32_t round = exits[order[i]];
    const double tied = scores[order[i]];
    for (; i < order.size() && exits[order[i]] == round && scores[order[i]] == tied; ++i) {
      scores[order[i]] = next;
    }
    above = next;
  }
}

}  // namespace rankforest::detail
