#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "rankforest/core/exit_schedule.hpp"
#include "rankforest/score/limits.hpp"

namespace rankforest::detail {

/// The exits that hold for a run of scoring: of `limits`, or else of the model. Borrows both.
class ExitsAhead {
 public:
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

  /// @param own  those of the model
  ExitsAhead(const ScoreLimits& limits, const ExitSchedule& own) {
    if (limits.early_exit.has_value()) {
      regular_ = &*limits.early_exit;
    } else {
      schedule_ = limits.exits.has_value() ? &*limits.exits : &own;
    }
  }

  [[nodiscard]] ExitScope scope() const {
    return regular_ != nullptr ? regular_->scope : schedule_->scope;
  }
  [[nodiscard]] bool demote() const {
    return regular_ != nullptr ? regular_->demote : !schedule_->empty() && schedule_->demote;
  }
  /// ExitSchedule::k
  [[nodiscard]] std::size_t k() const { return regular_ != nullptr ? 1 : schedule_->k; }

  /// The first round behind `round` after which documents exit, or kNever.
  [[nodiscard]] std::size_t Next(std::size_t round) const {
    if (regular_ != nullptr) return (round / regular_->every + 1) * regular_->every;
    const ExitPoint* const found = FirstFrom(round + 1);
    return found == End() ? kNever : found->round;
  }

  /// Whether documents exit after a round, from 1 on.
  [[nodiscard]] bool IsAt(std::size_t round) const {
    if (regular_ != nullptr) return round % regular_->every == 0;
    const ExitPoint* const found = FirstFrom(round);
    return found != End() && found->round == round;
  }

  /// What happens after such a round.
  [[nodiscard]] ExitPoint At(std::size_t round) const {
    if (regular_ == nullptr) return *FirstFrom(round);
    ExitPoint point;
    point.round = static_cast<std::uint32_t>(round);
    point.fraction = regular_->fraction;
    return point;
  }

 private:
  [[nodiscard]] const ExitPoint* End() const {
    return schedule_->points.data() + schedule_->points.size();
  }

  [[nodiscard]] const ExitPoint* FirstFrom(std::size_t round) const {
    return std::lower_bound(
        schedule_->points.data(), End(), round,
        [](const ExitPoint& point, std::size_t wanted) { return point.round < wanted; });
  }

  const EarlyExit* regular_ = nullptr;
  const ExitSchedule* schedule_ = nullptr;
};

}  // namespace rankforest::detail
