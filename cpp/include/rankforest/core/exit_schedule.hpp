#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/detail/shown.hpp"

namespace rankforest {

// Documents *exit* when they stop being scored before the last tree: they keep the score that they
// have. Until then they are *in play*. score/limits.hpp says what that score is.

/// Whose lowest documents exit.
enum class ExitScope : std::uint8_t {
  kQuery = 0,  ///< those of each query
  kSet = 1,    ///< those of all documents in a call
};

/// What happens after a round. A document in play exits if any of three rules says so; as it
/// stands, none does. Documents of equal scores exit together or not at all.
///
/// Cambazoglu et al., "Early exit optimizations for additive machine learned ranking systems",
/// WSDM 2010, has the margin as proximity threshold and `keep` as rank threshold.
struct ExitPoint {
  std::uint32_t round = 1;  ///< >= 1
  /// In [0, 1): the floor(fraction x documents in play) lowest exit.
  double fraction = 0.0;
  /// >= 0: those exit that are more than this below the k-th best in play. Infinite: none do.
  double margin = std::numeric_limits<double>::infinity();
  /// All but so many, the best, exit. 0: no such rule.
  std::uint32_t keep = 0;
};

/// When documents exit.
struct ExitSchedule {
  std::vector<ExitPoint> points{};  ///< by ascending rounds
  std::uint32_t k = 10;             ///< of all margins, >= 1
  ExitScope scope = ExitScope::kQuery;
  /// Whether documents that exit rank below those that do not: EarlyExit::demote.
  bool demote = false;

  [[nodiscard]] bool empty() const { return points.empty(); }
};

inline bool operator==(const ExitPoint& a, const ExitPoint& b) {
  return a.round == b.round && a.fraction == b.fraction && a.margin == b.margin && a.keep == b.keep;
}
inline bool operator==(const ExitSchedule& a, const ExitSchedule& b) {
  return a.points == b.points && a.k == b.k && a.scope == b.scope && a.demote == b.demote;
}

/// Throws std::invalid_argument, naming the place, unless all of a schedule is in its range.
inline void Validate(const ExitSchedule& schedule) {
  std::uint32_t last = 0;
  for (const ExitPoint& point : schedule.points) {
    const std::string place = "the exit at round " + std::to_string(point.round);
    if (point.round <= last) {
      throw std::invalid_argument(place + " follows round " + std::to_string(last) +
                                  ", expected ascending rounds from 1 on");
    }
    last = point.round;
    if (!(point.fraction >= 0.0 && point.fraction < 1.0)) {
      throw std::invalid_argument(place + ": fraction must be in [0, 1), got " +
                                  detail::Shown(point.fraction));
    }
    if (!(point.margin >= 0.0)) {
      throw std::invalid_argument(place + ": margin must be >= 0, got " +
                                  detail::Shown(point.margin));
    }
  }
  if (schedule.k == 0) throw std::invalid_argument("k of exits must be >= 1, got 0");
  if (schedule.scope != ExitScope::kQuery && schedule.scope != ExitScope::kSet) {
    throw std::invalid_argument("the scope of exits is neither query nor set");
  }
}

}  // namespace rankforest
