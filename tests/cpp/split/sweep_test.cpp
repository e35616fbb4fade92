#include "rankforest/split/sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/naive_division.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::kNaN;
using testing::Prepared;

namespace {

struct Counted {
  std::uint64_t count = 0;
};

/// Writes down every split with the rows on its left.
struct Recorder {
  struct Shown {
    Split<Counted> split;
    std::vector<std::size_t> left;
  };
  std::vector<std::size_t> left;
  std::vector<Shown> shown;

  void Clear() { left.clear(); }
  void MoveLeft(std::size_t i) { left.push_back(i); }
  static bool Considers() { return true; }
  void Take(const Split<Counted>& split) {
    shown.push_back({split, left});
    std::sort(shown.back().left.begin(), shown.back().left.end());
  }
};

using ColumnSweep = Sweep<PresortedColumn, int, Counted>;

}  // namespace

TEST_CASE("a sweep shows every division that the definition has, in its order") {
  Rng rng(811);
  for (int trial = 0; trial < 100; ++trial) {
    testing::SmallDataOptions options;
    options.nan_in_100 = trial % 2 == 0 ? 30 : 0;
    const Prepared prepared(testing::SmallData(options, rng));
    const RowSample sample = testing::RandomNodeSample(prepared.data, rng);
    const std::vector<int> targets(sample.rows.size());
    const SplitRules rules{1 + rng.Below(4), 0.0, MissingRule::kLearn};
    std::vector<std::uint64_t> keys;
    Recorder recorder;
    ColumnSweep sweep(prepared.columns.column(2), 2, {sample.rows, targets, sample.counts}, rules,
                      keys);
    sweep.EveryThreshold(recorder);
    auto shown = recorder.shown;
    std::stable_sort(shown.begin(), shown.end(), [](const auto& a, const auto& b) {
      return a.split.threshold < b.split.threshold;
    });
    const auto expected = testing::AllDivisions(prepared.data, testing::DocumentsOf(sample), {2},
                                                rules.min_samples_leaf);
    INFO("trial ", trial);
    REQUIRE(shown.size() == expected.size());
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const Split<Counted>& split = shown[k].split;
      CHECK(split.feature == 2);
      CHECK(split.threshold == expected[k].threshold);
      CHECK(split.missing == expected[k].missing);
      CHECK(split.left.count == testing::CountOf(expected[k].left));
      CHECK(split.right.count == testing::CountOf(expected[k].right));
      std::vector<RowId> left;
      for (const std::size_t i : shown[k].left) left.push_back(sample.rows[i]);
      std::vector<RowId> expected_left;
      for (const auto& document : expected[k].left) expected_left.push_back(document.row);
      CHECK(left == expected_left);
    }
  }
}

TEST_CASE("a sweep of a drawn threshold shows it with NaN on either side") {
  const Prepared prepared(testing::OneFeature({1, 2, 4, kNaN}, {0, 0, 0, 0}));
  const RowSample all = WholeSample(4);
  const std::vector<int> targets(4);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Recorder recorder;
    ColumnSweep(prepared.columns.column(0), 0, {all.rows, targets, {}}, {}, keys)
        .DrawnThreshold(Rng(seed), recorder);
    REQUIRE(recorder.shown.size() == 2);
    const float threshold = recorder.shown[0].split.threshold;
    CHECK(threshold >= 1.0F);
    CHECK(threshold < 4.0F);
    const std::size_t values = threshold < 2.0F ? 1 : 2;
    CHECK(recorder.shown[0].split.missing == MissingTo::kLeft);
    CHECK(recorder.shown[0].left.size() == values + 1);
    CHECK(recorder.shown[1].split.missing == MissingTo::kRight);
    CHECK(recorder.shown[1].left.size() == values);
    CHECK(recorder.shown[1].split.threshold == threshold);
  }
}

TEST_CASE("a node of one value and no NaN has no division") {
  const Prepared prepared(testing::OneFeature({3, 3, 1}, {0, 0, 0}));
  std::vector<RowId> threes;
  for (RowId d = 0; d < 3; ++d) {
    if (prepared.data.Features(d)[0] == 3.0F) threes.push_back(d);
  }
  const std::vector<int> targets(2);
  std::vector<std::uint64_t> keys;
  Recorder recorder;
  ColumnSweep sweep(prepared.columns.column(0), 0, {threes, targets, {}}, {}, keys);
  sweep.EveryThreshold(recorder);
  sweep.DrawnThreshold(Rng(0), recorder);
  CHECK(recorder.shown.empty());
}

}  // namespace rankforest
