#include "rankforest/score/exits_ahead.hpp"

#include <doctest/doctest.h>

#include <cstddef>

#include "rankforest/core/rng.hpp"

namespace rankforest::detail {

TEST_CASE("exits every so many rounds come at their multiples") {
  ScoreLimits limits;
  limits.early_exit = EarlyExit{3, 0.25, ExitScope::kSet, true};
  const ExitSchedule own{{{1, 0.5}}};
  const ExitsAhead ahead(limits, own);
  CHECK(ahead.Next(0) == 3);
  CHECK(ahead.Next(2) == 3);
  CHECK(ahead.Next(3) == 6);
  CHECK_FALSE(ahead.IsAt(1));
  CHECK(ahead.IsAt(6));
  CHECK(ahead.At(6) == ExitPoint{6, 0.25});
  CHECK(ahead.scope() == ExitScope::kSet);
  CHECK(ahead.demote());
}

TEST_CASE("limits without exits leave those of the model, and an empty schedule none") {
  ScoreLimits limits;
  const ExitSchedule own{{{2, 0.5}, {5, 0.0, 1.0}}, 4, ExitScope::kQuery, true};
  const ExitsAhead of_model(limits, own);
  CHECK(of_model.Next(0) == 2);
  CHECK(of_model.Next(2) == 5);
  CHECK(of_model.Next(5) == ExitsAhead::kNever);
  CHECK(of_model.At(5) == own.points[1]);
  CHECK(of_model.k() == 4);
  CHECK(of_model.demote());
  limits.exits = ExitSchedule{};
  limits.exits->demote = true;
  const ExitsAhead none(limits, own);
  CHECK(none.Next(0) == ExitsAhead::kNever);
  CHECK_FALSE(none.IsAt(2));
  CHECK_FALSE(none.demote());
}

TEST_CASE("the next exit is the first of those behind a round") {
  Rng rng(91);
  for (int trial = 0; trial < 50; ++trial) {
    ExitSchedule own;
    for (std::uint32_t round = 1; round < 20; ++round) {
      if (rng.Below(3) == 0) own.points.push_back({round, 0.5});
    }
    const ScoreLimits limits;
    const ExitsAhead ahead(limits, own);
    std::size_t next = ExitsAhead::kNever;
    for (std::size_t round = 20; round-- > 0;) {
      CHECK(ahead.Next(round) == next);
      if (ahead.IsAt(round)) next = round;
    }
  }
}

}  // namespace rankforest::detail
