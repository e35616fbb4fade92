#include "rankforest/score/score_scratch.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/score/compiled.hpp"
#include "rankforest/score/lazy_scratch.hpp"
#include "support/random_ensemble.hpp"
#include "support/scored_trees.hpp"

// This program counts what each of its threads allocates. All forms of new for single objects are
// replaced: sanitizers have their own for those that are not, and refuse to see their memory freed
// elsewhere.

namespace {

thread_local std::size_t n_allocations = 0;

// Not inlined, nor are the forms of delete: g++ would warn of memory that new gives and free takes,
// or the other way round, wherever it inlines one of the two alone.
[[gnu::noinline]] void* CountedOrNull(std::size_t size, std::size_t alignment) noexcept {
  ++n_allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* Counted(std::size_t size, std::size_t alignment) {
  void* const memory = CountedOrNull(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Counted(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return CountedOrNull(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment,
                   const std::nothrow_t& /*tag*/) noexcept {
  return CountedOrNull(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/,
                                       std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

namespace rankforest {

namespace {

/// A model of small trees and a large one, and documents for it.
struct Case {
  explicit Case(std::size_t n_rows) : n(n_rows) {
    Rng rng(41);
    const testing::TreeStyle style;
    model = testing::StyledEnsemble(80, 64, style, rng);
    model.members[0].groups[0].trees[40] = testing::StyledTree(500, style, rng);
    x = testing::TrickyFeatures(n * 4, style, 50, rng);
    scores.resize(n);
    rounds.resize(n);
    best.resize(10);
  }

  [[nodiscard]] FeatureMatrix features() const { return {x.data(), n, 4, 4}; }

  std::size_t n;
  Ensemble model;
  std::vector<float> x;
  std::vector<double> scores;
  std::vector<std::uint32_t> rounds;
  std::vector<RankedDocument> best;
};

/// How often the second of two calls allocates.
template <class Call>
std::size_t AllocationsOf(const Call& call) {
  call();
  const std::size_t before = n_allocations;
  call();
  return n_allocations - before;
}

}  // namespace

TEST_CASE("allocations are counted") {
  CHECK(AllocationsOf([] { const std::vector<int> one(1); }) == 1);
  CHECK(AllocationsOf([] { const std::vector<detail::BlockBytes> one(1); }) == 1);
}

TEST_CASE("with a scratch that has been used nothing allocates while scoring") {
  for (const std::size_t n : {1U, 9U, 120U, 1000U}) {
    Case c(n);
    const CompiledScorer scorer(c.model);
    ScoreScratch scratch;
    CHECK(AllocationsOf([&] { scorer.Score(c.features(), c.scores, scratch); }) == 0);
    CHECK(AllocationsOf([&] { scorer.Score(c.features(), c.scores); }) == 0);
    CHECK(AllocationsOf([&] { (void)scorer.Top(c.features(), c.best, scratch); }) == 0);
    ScoreLimits limits;
    limits.early_exit = EarlyExit{10, 0.3, ExitScope::kQuery, true};
    limits.budget = 1e6;
    CHECK(AllocationsOf([&] {
            (void)scorer.ScoreWithin(limits, c.features(), c.scores, c.rounds, scratch);
          }) == 0);
    LazyScratch lazy;
    const auto provider = [&](FeatureId f, Span<const std::size_t> rows, Span<float> values) {
      for (std::size_t i = 0; i < rows.size(); ++i) values[i] = c.features().Row(rows[i])[f];
    };
    CHECK(AllocationsOf([&] { (void)scorer.ScoreLazily(n, provider, limits, c.scores, lazy); }) ==
          0);
  }
}

TEST_CASE("one scratch serves every kind of scoring in turns") {
  ScoreScratch scratch;
  for (const std::size_t n : {300U, 5U, 90U}) {
    Case c(n);
    const CompiledScorer scorer(c.model);
    const std::vector<double> expected = Score(c.model, c.features());
    scorer.Score(c.features(), c.scores, scratch);
    CHECK(c.scores == expected);
    const TopReport report = scorer.Top(c.features(), c.best, scratch);
    for (std::size_t i = 0; i < report.n_documents; ++i) {
      CHECK(c.best[i].score == expected[c.best[i].row]);
    }
    (void)scorer.ScoreWithin({}, c.features(), c.scores, c.rounds, scratch);
    CHECK(c.scores == expected);
  }
}

TEST_CASE("a thread has one scratch of its own") {
  CHECK(&ScoreScratch::OfThread() == &ScoreScratch::OfThread());
  CHECK(&LazyScratch::OfThread() == &LazyScratch::OfThread());
}

}  // namespace rankforest
