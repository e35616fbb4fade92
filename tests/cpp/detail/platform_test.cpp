#include "rankforest/detail/platform.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>

#include "rankforest/core/parallel.hpp"

namespace rankforest {
namespace {

/// Runs `question` in a forked child and returns what it said.
template <class Question>
bool AskChild(const Question& question) {
  const pid_t child = fork();
  if (child == 0) _exit(question() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("a process knows whether it was forked after the library was loaded") {
  CHECK_FALSE(detail::IsForkedChild());
  CHECK(AskChild([] { return detail::IsForkedChild(); }));
}

TEST_CASE("a forked child runs on one thread, after its parent used many") {
  int visits = 0;
  ParallelFor(Threads{3}, 3, [](std::size_t) {});
  CHECK(WorkerCount(Threads{3}, 100) == 3);
  CHECK(AskChild([&visits] {
    ParallelFor(Threads{3}, 100, [&](std::size_t) { ++visits; });
    return WorkerCount(Threads{3}, 100) == 1 && visits == 100;
  }));
}

}  // namespace rankforest
