#include "rankforest/core/training_set.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/column_data.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

Dataset AnyData() {
  Rng rng(181);
  return testing::FromColumns({testing::FewValues(300, 20, 10, rng), testing::ManyValues(300, rng)},
                              rng)
      .Make();
}

}  // namespace

TEST_CASE("a layout is made once and shared by all copies of a training set") {
  const Dataset data = AnyData();
  const TrainingSet training(data, Threads{2});
  const TrainingSet early_copy = training;
  CHECK(&training.presorted() == &early_copy.presorted());
  CHECK(&training.binned_columns() == &early_copy.binned_columns());
  CHECK(&training.binned_rows() == &early_copy.binned_rows());
  const TrainingSet late_copy = training;
  CHECK(&late_copy.binned_columns() == &training.binned_columns());
  const TrainingSet other(data, Threads{2});
  CHECK(&other.presorted() != &training.presorted());
  CHECK(training.scale_free_order().data() == late_copy.scale_free_order().data());
}

TEST_CASE("positives are the documents of a grade above 0, ascending") {
  const Dataset data = testing::OneFeature({1, 2, 3, 4, 5}, {0, 2, 0, 0.5, 0}).Make();
  const TrainingSet training(data, Threads{1});
  std::vector<RowId> expected;
  for (RowId row = 0; row < 5; ++row) {
    if (data.order()[row] == 1 || data.order()[row] == 3) expected.push_back(row);
  }
  CHECK(std::vector<RowId>(training.positives().begin(), training.positives().end()) == expected);
}

TEST_CASE("several threads that ask for a layout at once get the same one") {
  const Dataset data = AnyData();
  for (int trial = 0; trial < 20; ++trial) {
    const TrainingSet training(data, Threads{3});
    std::array<const Presorted*, 6> presorted = {};
    std::array<const BinnedColumns*, 6> columns = {};
    std::array<const BinnedRows*, 6> rows = {};
    ParallelFor(Threads{3}, 6, [&](std::size_t i) {
      presorted[i] = &training.presorted();
      rows[i] = &training.binned_rows();  // asks for the columns itself
      columns[i] = &training.binned_columns();
    });
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(presorted[i] == &training.presorted());
      CHECK(columns[i] == &training.binned_columns());
      CHECK(rows[i] == &training.binned_rows());
    }
  }
}

TEST_CASE("other grades share the layouts of features, and no other") {
  const Dataset data = testing::OneFeature({1, 2, 3, 4, 5}, {0, 2, 0, 0.5, 0}).Make();
  const Dataset regraded = data.WithGrades({1, 1, 1, 1, 1});
  const TrainingSet training(data, Threads{2});
  const TrainingSet other = training.WithGrades(regraded);
  CHECK(&other.presorted() == &training.presorted());
  CHECK(&other.binned_columns() == &training.binned_columns());
  CHECK(&other.binned_rows() == &training.binned_rows());
  CHECK(&other.value_order() == &training.value_order());
  CHECK(&other.data == &regraded);
  CHECK(other.threads.count == 2);
  CHECK(other.positives().size() == 5);
  CHECK(training.positives().size() == 2);
}

}  // namespace rankforest
