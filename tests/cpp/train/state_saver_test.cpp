#include "rankforest/train/state_saver.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rankforest {

namespace {

/// A saver that notes the rounds it saved.
struct NotingSaver {
  std::vector<std::size_t> saved;
  StateSaver saver;

  explicit NotingSaver(std::size_t every, std::function<void()> poll = {})
      : saver({every, [this](const TrainingState& state) { saved.push_back(state.round); },
               std::move(poll)}) {}
  NotingSaver(const NotingSaver&) = delete;

  void After(std::size_t round) {
    saver.BetweenRounds(round, [&] { return TrainingState{round, {}, {}}; });
  }
};

}  // namespace

TEST_CASE("a state is saved once so many rounds have passed since the last one") {
  NotingSaver noting(3);
  for (std::size_t round = 1; round <= 7; ++round) noting.After(round);
  noting.After(16);  // trees of a forest come several at a time
  noting.After(18);
  noting.After(19);
  CHECK(noting.saved == std::vector<std::size_t>{3, 6, 16, 19});
}

TEST_CASE("rounds count from the state that training goes on from") {
  NotingSaver noting(3);
  noting.saver.Restore(5);
  for (std::size_t round = 6; round <= 8; ++round) noting.After(round);
  CHECK(noting.saved == std::vector<std::size_t>{8});
}

TEST_CASE("where a poll throws, the state is saved before the exception goes on") {
  NotingSaver noting(100, [] { throw std::runtime_error("stop"); });
  CHECK_THROWS_WITH_AS(noting.After(2), "stop", std::runtime_error);
  CHECK(noting.saved == std::vector<std::size_t>{2});
}

TEST_CASE("a state is completed before it is saved") {
  std::vector<std::size_t> seen;
  Checkpoints checkpoints;
  checkpoints.save = [&](const TrainingState& state) {
    seen.push_back(state.place_effects->first_round);
  };
  checkpoints.complete = [](TrainingState& state) {
    state.place_effects = PlaceEffects{state.round, {{0.5}}};
  };
  StateSaver saver(checkpoints);
  const auto state = [] { return TrainingState{7, {}, {}}; };
  saver.BetweenRounds(7, state);
  CHECK(seen == std::vector<std::size_t>{7});
}

TEST_CASE("no round is saved twice, also if saving failed") {
  std::size_t n_tries = 0;
  StateSaver saver({1, [&](const TrainingState&) {
                      ++n_tries;
                      throw std::runtime_error("disk full");
                    }});
  const auto state = [] { return TrainingState{1, {}, {}}; };
  CHECK_THROWS_AS(saver.BetweenRounds(1, state), std::runtime_error);
  saver.Save(1, state);
  CHECK(n_tries == 1);
}

TEST_CASE("without a way to save nothing happens, and nobody is polled") {
  StateSaver saver({1, {}, [] { throw std::runtime_error("polled"); }});
  CHECK_NOTHROW(saver.BetweenRounds(4, [] { return TrainingState{}; }));
}

}  // namespace rankforest
