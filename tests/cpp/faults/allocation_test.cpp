#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "rankforest/rankforest.hpp"
#include "support/small_data.hpp"

// This program's operator new fails where a test asks for it.

namespace {

struct Allocations {
  std::atomic<std::uint64_t> seen{0};
  std::atomic<std::uint64_t> failing{std::numeric_limits<std::uint64_t>::max()};
  std::atomic<std::int64_t> live{0};
};

Allocations& OfProgram() {
  static Allocations allocations;
  return allocations;
}

void* Allocate(std::size_t size, std::size_t alignment) {
  Allocations& all = OfProgram();
  if (all.seen.fetch_add(1) == all.failing.load()) throw std::bad_alloc();
  const std::size_t rounded = (size + alignment) / alignment * alignment;  // at least one unit
  void* const memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  ++all.live;
  return memory;
}

void Release(void* memory) {
  if (memory == nullptr) return;
  --OfProgram().live;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
// std::stable_sort asks for memory that it can do without.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t) noexcept { Release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Release(memory); }

namespace rankforest::testing {

namespace {

/// How work ended of which one allocation failed.
struct Ending {
  bool is_as_expected = true;  ///< std::bad_alloc, or the result without a failure
  bool has_failed = false;
  std::int64_t n_left = 0;  ///< allocations that were not released
};

/// Lets the allocation of number `failing`, counted from 0, fail.
Ending Fail(const std::function<std::string()>& work, const std::string& expected,
            std::uint64_t failing) {
  Allocations& all = OfProgram();
  Ending ending;
  const std::int64_t live = all.live;
  all.seen = 0;
  all.failing = failing;
  try {
    ending.is_as_expected = work() == expected;
  } catch (const std::bad_alloc&) {
    ending.has_failed = true;
  } catch (...) {
    ending.is_as_expected = false;
  }
  all.failing = std::numeric_limits<std::uint64_t>::max();
  ending.n_left = all.live - live;
  return ending;
}

/// Lets each allocation of `work` fail once, some where these are many. It must end with
/// std::bad_alloc or, where it can do without the memory, as if nothing had been; nothing may stay
/// allocated; and it must succeed afterwards.
void CheckEveryAllocation(const std::function<std::string()>& work) {
  constexpr std::uint64_t kMostFaults = 400;
  const std::string expected = work();  // fills what threads keep
  OfProgram().seen = 0;
  REQUIRE(work() == expected);
  const std::uint64_t n_allocations = OfProgram().seen;
  REQUIRE(n_allocations > 0);
  const std::uint64_t step = 1 + n_allocations / kMostFaults;
  std::uint64_t n_failed = 0;
  for (std::uint64_t failing = 0; failing < n_allocations; failing += step) {
    const Ending ending = Fail(work, expected, failing);
    CAPTURE(failing);
    CHECK(ending.is_as_expected);
    CHECK(ending.n_left <= 0);
    n_failed += ending.has_failed ? 1 : 0;
  }
  CHECK(n_failed > 0);
  CHECK(work() == expected);
}

RawData Documents() {
  Rng rng(11);
  SmallDataOptions options;
  options.n_queries = 12;
  options.nan_in_100 = 10;
  return SmallData(options, rng);
}

std::string TextOf(const Ensemble& ensemble) {
  const Bytes bytes = EncodeModel(ensemble, {}, Threads{1});
  return {bytes.begin(), bytes.end()};
}

std::string TextOf(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

MartSettings FewTrees(TreeMethod method) {
  MartSettings settings = MartDefaults();
  settings.boost.n_estimators = 4;
  settings.boost.trees.tree_method = method;
  return settings;
}

Ensemble SmallModel() {
  return Train(Mart(FewTrees(TreeMethod::kHist)), Documents().Make(Threads{1}), 4, {}).ensemble;
}

/// What `recipe` makes of the documents, checked for each number of threads.
template <class MakeRecipe>
void CheckTraining(const MakeRecipe& make_recipe) {
  const RawData documents = Documents();
  for (const int n_threads : {1, 2}) {
    CAPTURE(n_threads);
    CheckEveryAllocation([&] {
      RunOptions options;
      options.threads = Threads{n_threads};
      return TextOf(Train(make_recipe(), documents.Make(Threads{1}), 4, options).ensemble);
    });
  }
}

}  // namespace

TEST_CASE("memory that ends while a model file is read is an error and leaves nothing behind") {
  const std::string file = TextOf(SmallModel());
  CheckEveryAllocation([&] { return TextOf(ReadModel(file, Threads{1}).ensemble); });
}

TEST_CASE("memory that ends while LETOR text is read is an error and leaves nothing behind") {
  const std::string text = "2 qid:1 1:0.5 2:1e-3 # a\n0 qid:1 1:2 3:NULL # b\n1 qid:2 2:7\n";
  const std::vector<LetorSource> sources = {{"text", text, {}, nullptr}};
  LetorOptions options;
  options.threads = Threads{1};
  CheckEveryAllocation([&] {
    const LetorData data = ReadLetor(Span<const LetorSource>(sources), options);
    return TextOf(data.grades) + data.query_ids.back() + data.comments.front();
  });
}

TEST_CASE("memory that ends during boosting is an error and leaves nothing behind") {
  for (const TreeMethod method : {TreeMethod::kExact, TreeMethod::kHist}) {
    CheckTraining([&] { return Mart(FewTrees(method)); });
  }
}

TEST_CASE("memory that ends during LambdaMART is an error and leaves nothing behind") {
  CheckTraining([] {
    LambdaMartSettings settings = LambdaMartDefaults();
    settings.boost.n_estimators = 4;
    settings.boost.trees.limits.min_samples_leaf.amount = 1;
    return LambdaMart(settings);
  });
}

TEST_CASE("memory that ends while a forest grows is an error and leaves nothing behind") {
  for (const SplitCriterion kind : {SplitCriterion::kSquaredError, SplitCriterion::kListwise}) {
    CheckTraining([&] {
      ForestSettings settings = RandomForestDefaults();
      settings.n_estimators = 4;
      settings.criterion.kind = kind;
      return RandomForest(settings);
    });
  }
}

TEST_CASE("memory that ends while documents are scored is an error and leaves nothing behind") {
  const Ensemble ensemble = SmallModel();
  const RawData documents = Documents();
  const FeatureMatrix rows{documents.features.data(), documents.n_rows(), documents.n_features,
                           documents.n_features};
  CheckEveryAllocation([&] {
    const CompiledScorer scorer(ensemble);
    ScoreLimits limits;
    limits.early_exit = EarlyExit{1, 0.5};
    return TextOf(scorer.Score(rows, {}, Threads{1})) +
           TextOf(scorer.ScoreWithin(limits, rows, documents.queries, Threads{1}).scores);
  });
}

TEST_CASE("memory that ends while scores are measured is an error and leaves nothing behind") {
  const RawData documents = Documents();
  const Dataset data = documents.Make(Threads{1});
  const std::vector<Metric> metrics = {Metric::Parse("ndcg@10"), Metric::Parse("map"),
                                       Metric::Parse("err@5")};
  CheckEveryAllocation([&] {
    std::string values;
    for (const Metric& metric : metrics) {
      values += TextOf(Evaluate(metric, data, documents.grades, Threads{1}).values);
    }
    return values;
  });
}

TEST_CASE("memory that ends while a model is saved leaves the file that was there") {
  const Ensemble before = SmallModel();
  Ensemble after = before;
  after.members[0].base += 1.0;
  const auto folder =
      std::filesystem::temp_directory_path() / ("rankforest_faults_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const auto path = folder / "model.rf";
  SaveModel(path, before, {}, Threads{1});
  const std::string old_text = TextOf(before);
  const std::string new_text = TextOf(after);
  CheckEveryAllocation([&] {
    try {
      SaveModel(path, after, {}, Threads{1});
    } catch (...) {
      const std::string left = TextOf(LoadModel(path, Threads{1}).ensemble);
      CHECK((left == old_text || left == new_text));
      throw;
    }
    return TextOf(LoadModel(path, Threads{1}).ensemble);
  });
  std::size_t n_files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++n_files;
  CHECK(n_files == 1);
  std::filesystem::remove_all(folder);
}

}  // namespace rankforest::testing
