#include "rankforest/detail/platform.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

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

TEST_CASE("trailing zeros are the zero bits below the lowest one") {
  CHECK(detail::CountTrailingZeros(1) == 0);
  CHECK(detail::CountTrailingZeros(0x8080) == 7);
  CHECK(detail::CountTrailingZeros(std::uint64_t{1} << 63U) == 63);
}

TEST_CASE("a function gives the same compiled for AVX2") {
  if (!detail::HasAvx2()) return;  // there is nothing to compile for
  std::vector<double> values(37);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(i + 3);
  const auto product = [&values] {
    double sum = 0.0;
    for (const double value : values) sum = sum * 0.7 + value * value;
    return sum;
  };
  CHECK(detail::CallForAvx2(product) == product());
}

TEST_CASE("a sum of choices gives the same compiled for AVX-512") {
  if (!detail::HasAvx512()) return;  // there is nothing to compile for
  CHECK(detail::HasAvx2());
  std::vector<std::int8_t> bytes(300);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::int8_t>(i % 256);
  const auto mixed = [&bytes] {
    double sum = 0.0;
    for (const std::int8_t byte : bytes) sum += byte > 5 ? 1.0 / 3.0 : static_cast<double>(byte);
    return sum;
  };
  CHECK(detail::CallForAvx512(mixed) == mixed());
}

TEST_CASE("any address may be asked for ahead, even one of no memory") {
  const int value = 7;
  detail::Prefetch(&value);
  detail::Prefetch(reinterpret_cast<const void*>(std::uintptr_t{1}));
  detail::Prefetch(nullptr);
  CHECK(value == 7);
}

TEST_CASE("preferring large pages leaves the memory as it is") {
  for (const std::size_t size : {1U, 5000U, 5000000U}) {
    std::vector<char> memory(size, 'x');
    detail::PreferLargePages(memory.data(), memory.size());
    CHECK(memory == std::vector<char>(size, 'x'));
  }
}

}  // namespace rankforest
