#include "rankforest/core/dataset.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;

namespace {

/// What a caller holds: rows of three features, some of them equal, NaN or -0.0.
struct Table {
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<QueryId> queries;
  std::vector<double> weights;

  static constexpr std::size_t kFeatures = 3;

  [[nodiscard]] std::size_t size() const { return grades.size(); }
  [[nodiscard]] Dataset Build(Threads threads = {}) const {
    return Dataset::Owning(features, kFeatures, grades, queries, weights, threads);
  }

  /// The same rows, row `rows[i]` at place i.
  [[nodiscard]] Table Reordered(const std::vector<RowId>& rows) const {
    Table table;
    for (const RowId row : rows) {
      const auto first = features.begin() + static_cast<std::ptrdiff_t>(row * kFeatures);
      table.features.insert(table.features.end(), first, first + kFeatures);
      table.grades.push_back(grades[row]);
      table.queries.push_back(queries[row]);
      if (!weights.empty()) table.weights.push_back(weights[row]);
    }
    return table;
  }
};

Table RandomTable(Rng& rng, std::uint32_t n_rows, std::uint32_t n_queries) {
  constexpr float kValues[] = {0.0F, -0.0F, 1.0F, 2.5F, -7.0F, kNaN};
  Table table;
  for (std::uint32_t row = 0; row < n_rows; ++row) {
    for (std::size_t f = 0; f < Table::kFeatures; ++f) {
      table.features.push_back(kValues[rng.Below(6)]);
    }
    table.grades.push_back(rng.Below(3));
    table.queries.push_back(rng.Below(n_queries));
    table.weights.push_back(0.5 * rng.Below(3));
  }
  return table;
}

/// A document as training sees it: NaN as one value, -0.0 as 0.0.
using Document = std::tuple<std::vector<std::string>, double, double>;

Document Seen(const Dataset& data, RowId document) {
  std::vector<std::string> values;
  for (std::size_t f = 0; f < data.n_features(); ++f) {
    const float value = data.Features(document)[f];
    values.push_back(value != value ? "nan" : std::to_string(value + 0.0F));
  }
  const double weight = data.weights().empty() ? 1.0 : data.weights()[document];
  return {values, data.grades()[document], weight};
}

std::vector<std::vector<Document>> Seen(const Dataset& data) {
  std::vector<std::vector<Document>> queries;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    queries.emplace_back();
    for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
      queries.back().push_back(Seen(data, d));
    }
  }
  return queries;
}

template <class T>
std::vector<T> Copy(Span<const T> values) {
  return {values.begin(), values.end()};
}

std::vector<RowId> ShuffledRows(Rng& rng, std::size_t n_rows) {
  std::vector<RowId> rows(n_rows);
  std::iota(rows.begin(), rows.end(), RowId{0});
  rng.Shuffle(Span<RowId>(rows));
  return rows;
}

/// The message of the exception that building `table` throws; empty if it throws none.
std::string Refusal(const Table& table, Threads threads = {}) {
  try {
    (void)table.Build(threads);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("documents that differ in grade or weight alone stand in ascending order") {
  Table table;
  table.features = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  table.grades = {2, 0, 1, 0};
  table.queries = {7, 7, 7, 7};
  table.weights = {1, 3, 1, 2};
  const Dataset data = table.Build();
  CHECK(Copy(data.order()) == std::vector<RowId>{3, 1, 2, 0});
  CHECK(Copy(data.grades()) == std::vector<double>{0, 0, 1, 2});
  CHECK(Copy(data.weights()) == std::vector<double>{2, 3, 1, 1});
  CHECK(Copy(data.offsets()) == std::vector<RowId>{0, 4});
  CHECK(Copy(data.query_codes()) == std::vector<QueryId>{7});
}

TEST_CASE("the canonical order of a fixed table never changes") {
  // Models depend on it. The figures come from a separate program that follows the definition.
  Table table;
  table.features = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0.5F, kNaN, -1, 4, 4, 4, 0, 0, 0};
  table.grades = {0, 1, 2, 0, 1, 0};
  table.queries = {0, 0, 1, 1, 2, 0};
  const Dataset data = table.Build();
  CHECK(Copy(data.order()) == std::vector<RowId>{4, 3, 2, 0, 5, 1});
  CHECK(Copy(data.query_codes()) == std::vector<QueryId>{2, 1, 0});
}

TEST_CASE("the data set holds the caller's documents, each in its query") {
  Rng rng(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Table table = RandomTable(rng, 1 + rng.Below(60), 1 + rng.Below(8));
    const Dataset data = table.Build();
    REQUIRE(data.n_documents() == table.size());
    std::vector<RowId> rows = Copy(data.order());
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      CHECK(data.offsets()[q] < data.offsets()[q + 1]);
      for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
        CHECK(table.queries[rows[d]] == data.query_codes()[q]);
        CHECK(table.grades[rows[d]] == data.grades()[d]);
        CHECK(table.weights[rows[d]] == data.weights()[d]);
      }
    }
    std::vector<QueryId> codes = Copy(data.query_codes());
    std::sort(codes.begin(), codes.end());
    CHECK(std::adjacent_find(codes.begin(), codes.end()) == codes.end());
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i] == i);
  }
}

TEST_CASE("neither the order of rows nor the names of queries change what training sees") {
  Rng rng(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Table table = RandomTable(rng, 1 + rng.Below(60), 1 + rng.Below(8));
    Table other = table.Reordered(ShuffledRows(rng, table.size()));
    const std::uint32_t factor = 1 + 2 * rng.Below(1U << 30);  // odd: distinct codes stay so
    for (QueryId& code : other.queries) code *= factor;
    CHECK(Seen(table.Build()) == Seen(other.Build()));
  }
}

TEST_CASE("the number of threads changes nothing") {
  Rng rng(3);
  const Table table = RandomTable(rng, 5000, 300);
  const Dataset one = table.Build(Threads{1});
  for (const int threads : {2, 5}) {
    const Dataset many = table.Build(Threads{threads});
    CHECK(Copy(one.order()) == Copy(many.order()));
    CHECK(Copy(one.offsets()) == Copy(many.offsets()));
    CHECK(Copy(one.query_codes()) == Copy(many.query_codes()));
  }
}

TEST_CASE("columns of zeros at the end change no order") {
  Rng rng(4);
  const Table table = RandomTable(rng, 200, 20);
  std::vector<float> wide;
  for (std::size_t i = 0; i < table.features.size(); ++i) {
    wide.push_back(table.features[i]);
    if (i % Table::kFeatures == Table::kFeatures - 1) wide.insert(wide.end(), {0.0F, -0.0F});
  }
  const Dataset wider =
      Dataset::Owning(wide, Table::kFeatures + 2, table.grades, table.queries, table.weights);
  CHECK(Copy(table.Build().order()) == Copy(wider.order()));
}

TEST_CASE("no weights are weights of one") {
  Rng rng(5);
  Table table = RandomTable(rng, 200, 20);
  table.weights.assign(table.size(), 1.0);
  Table bare = table;
  bare.weights.clear();
  CHECK(Copy(table.Build().order()) == Copy(bare.Build().order()));
  CHECK(bare.Build().weights().empty());
}

TEST_CASE("a borrowed matrix is read in place, with its stride") {
  const std::vector<float> matrix = {1, 2, kInf, 3, 4, kInf};
  const std::vector<double> grades = {1, 0};
  const std::vector<QueryId> queries = {0, 0};
  const Dataset data({matrix.data(), 2, 2, 3}, grades, queries);
  for (RowId d = 0; d < 2; ++d) CHECK(data.Features(d) == matrix.data() + 3 * data.order()[d]);
}

TEST_CASE("an owned matrix survives a move") {
  Rng rng(6);
  const Table table = RandomTable(rng, 20, 3);
  Dataset data = table.Build();
  const auto before = Seen(data);
  const Dataset moved = std::move(data);
  CHECK(Seen(moved) == before);
}

TEST_CASE("the order of documents does not follow their features or grades") {
  // One query, feature 0 ascending and the grade with it.
  Table table;
  for (int i = 0; i < 1000; ++i) {
    table.features.insert(table.features.end(), {static_cast<float>(i), 0, 0});
    table.grades.push_back(i);
    table.queries.push_back(0);
  }
  const Dataset data = table.Build();
  std::size_t rises = 0;
  for (std::size_t d = 1; d < 1000; ++d) {
    rises += static_cast<std::size_t>(data.grades()[d - 1] < data.grades()[d]);
  }
  // The rises of a random permutation: mean 499.5, standard deviation 9.1.
  CHECK(rises > 460);
  CHECK(rises < 540);
}

TEST_CASE("bad values are refused with their place, the first row first") {
  Rng rng(7);
  const Table good = RandomTable(rng, 3000, 40);
  REQUIRE(Refusal(good).empty());
  for (const int threads : {1, 3}) {
    Table table = good;
    table.features[3 * 2900 + 1] = kInf;
    CHECK(Refusal(table, Threads{threads}).empty());
    table.grades[2000] = -0.5;
    table.grades[2001] = std::numeric_limits<double>::quiet_NaN();
    CHECK(Refusal(table, Threads{threads}) ==
          "grades must be finite and >= 0; that of row 2000 (counted from 0) is -0.5");
    table = good;
    table.weights[7] = std::numeric_limits<double>::infinity();
    CHECK(Refusal(table, Threads{threads}) ==
          "weights must be from 0 to 1e30; that of row 7 (counted from 0) is inf");
  }
}

TEST_CASE("wrong lengths and empty sets are refused") {
  Rng rng(8);
  const Table good = RandomTable(rng, 30, 4);
  Table table = good;
  table.grades.pop_back();
  CHECK(Refusal(table) ==
        "grades must have one value for each of the 30 rows of features; it has 29");
  table = good;
  table.queries.push_back(0);
  CHECK(Refusal(table) ==
        "query_of_row must have one value for each of the 30 rows of features; it has 31");
  table = good;
  table.weights.resize(4);
  CHECK(Refusal(table) ==
        "weights must have one value for each of the 30 rows of features; it has 4");
  table = good;
  table.features.pop_back();
  CHECK(Refusal(table) == "features must fill whole rows; 89 values do not fill rows of 3");
  CHECK(Refusal({}) == "features must have rows and columns; the shape is 0 x 3");
}

TEST_CASE("other grades change neither the documents nor their order") {
  Rng rng(71);
  Table table = RandomTable(rng, 60, 7);
  const Dataset data = table.Build();
  std::vector<double> grades;
  for (std::size_t d = 0; d < data.n_documents(); ++d) grades.push_back(static_cast<double>(d));
  const Dataset regraded = data.WithGrades(grades);
  CHECK(std::vector<double>(regraded.grades().begin(), regraded.grades().end()) == grades);
  CHECK(std::equal(data.order().begin(), data.order().end(), regraded.order().begin()));
  CHECK(std::equal(data.offsets().begin(), data.offsets().end(), regraded.offsets().begin()));
  CHECK(std::equal(data.weights().begin(), data.weights().end(), regraded.weights().begin()));
  CHECK(regraded.n_queries() == data.n_queries());
  CHECK(regraded.Features(3) == data.Features(3));
}

}  // namespace rankforest
