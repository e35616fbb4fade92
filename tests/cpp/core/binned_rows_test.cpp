#include "rankforest/core/binned_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/column_data.hpp"

namespace rankforest {

using testing::FewValues;
using testing::FromColumns;
using testing::kNaN;
using testing::ManyValues;
using testing::Values;

namespace {

std::vector<Cell> CellsOf(const BinnedRows& rows, RowId document, std::size_t group = 0) {
  const Span<const Cell> cells = rows.Cells(document, group);
  return {cells.begin(), cells.end()};
}

/// The code of each feature of a document: what its cells say, else the common one.
std::vector<std::size_t> CodesOf(const BinnedRows& rows, RowId document) {
  std::vector<std::size_t> codes;
  for (FeatureId f = 0; f < rows.n_features(); ++f) codes.push_back(rows.bins(f).common());
  for (std::size_t g = 0; g < rows.groups().size(); ++g) {
    const FeatureGroup& group = rows.groups()[g];
    for (const Cell cell : CellsOf(rows, document, g)) {
      FeatureId f = group.first;
      while (rows.FirstBin(f + 1) <= group.first_bin + cell) ++f;
      REQUIRE(f < group.last);
      codes[f] = group.first_bin + cell - rows.FirstBin(f);
      CHECK(codes[f] != rows.bins(f).common());
    }
  }
  return codes;
}

/// Checks every document's codes against its features.
void CheckCodes(const BinnedRows& rows, const Dataset& data) {
  for (RowId d = 0; d < data.n_documents(); ++d) {
    std::vector<std::size_t> expected;
    for (FeatureId f = 0; f < data.n_features(); ++f) {
      expected.push_back(rows.bins(f).BinOf(data.Features(d)[f]));
    }
    REQUIRE(CodesOf(rows, d) == expected);
  }
}

BinnedColumns Binned(const Dataset& data) { return {data, Threads{1}}; }

/// Columns of many values, of one, and of few with more and more NaN.
Dataset AllKinds(std::size_t n_documents, Rng& rng) {
  std::vector<Values> columns = {ManyValues(n_documents, rng), Values(n_documents, 2.0F)};
  for (std::uint32_t f = 0; f < 17; ++f) columns.push_back(FewValues(n_documents, 2 + f, f, rng));
  return FromColumns(columns, rng).Make();
}

/// The documents in the order of their places.
std::vector<RowId> Order(const BinnedRows& rows) {
  std::vector<RowId> order;
  rows.ForEachDocument([&](RowId document) { order.push_back(document); });
  return order;
}

}  // namespace

TEST_CASE("a document has a cell for each feature outside its common bin") {
  Rng rng(161);
  const Dataset data =
      FromColumns({{1, 1, 1, 2, kNaN}, {5, 5, 5, 5, 5}, {0, 3, 0, 3, 0}}, rng).Make();
  const BinnedColumns columns = Binned(data);
  const BinnedRows rows(columns, Threads{1});
  CHECK(rows.n_features() == 3);
  CHECK(rows.FirstBin(0) == 0);  // 1, 2, NaN
  CHECK(rows.FirstBin(1) == 3);  // 5
  CHECK(rows.FirstBin(2) == 4);  // 0, 3
  CHECK(rows.n_bins() == 6);
  REQUIRE(rows.groups().size() == 1);
  CHECK(rows.groups()[0].first == 0);
  CHECK(rows.groups()[0].last == 3);
  CHECK(rows.groups()[0].first_bin == 0);
  const std::vector<std::vector<Cell>> by_row = {{}, {5}, {}, {1, 5}, {2}};
  for (RowId d = 0; d < 5; ++d) CHECK(CellsOf(rows, d) == by_row[data.order()[d]]);
}

TEST_CASE("a feature that is mostly missing has cells for its values") {
  Rng rng(162);
  const Dataset data = FromColumns({{kNaN, kNaN, kNaN, 7}}, rng).Make();
  const BinnedColumns columns = Binned(data);
  const BinnedRows rows(columns, Threads{1});
  for (RowId d = 0; d < 4; ++d) {
    CHECK(CellsOf(rows, d) == (data.order()[d] == 3 ? std::vector<Cell>{0} : std::vector<Cell>{}));
  }
}

TEST_CASE("cells say the bin of every feature of every document, for any number of threads") {
  Rng rng(163);
  constexpr std::size_t kDocuments = 9000;  // nine chunks
  const Dataset data = AllKinds(kDocuments, rng);
  const BinnedColumns columns = Binned(data);
  const BinnedRows alone(columns, Threads{1});
  const BinnedRows together(columns, Threads{3});
  CheckCodes(alone, data);
  bool same = true;
  for (RowId d = 0; d < kDocuments; ++d) same = same && CellsOf(alone, d) == CellsOf(together, d);
  CHECK(same);
}

TEST_CASE("features whose bins exceed the numbers of a cell make several groups") {
  Rng rng(164);
  std::vector<Values> values;
  for (int f = 0; f < 530; ++f) values.push_back(ManyValues(260, rng));
  values[100] = FewValues(260, 2, 30, rng);
  const Dataset data = FromColumns(values, rng).Make();
  const BinnedColumns columns = Binned(data);
  BinnedRows rows(columns, Threads{2});
  constexpr std::size_t kMost = 65536;
  REQUIRE(rows.n_bins() > 2 * kMost);
  REQUIRE(rows.groups().size() == 3);
  FeatureId next = 0;
  for (const FeatureGroup& group : rows.groups()) {
    CHECK(group.first == next);
    CHECK(group.first_bin == rows.FirstBin(group.first));
    CHECK(rows.FirstBin(group.last) - group.first_bin <= kMost);
    if (group.last < rows.n_features()) {
      CHECK(rows.FirstBin(group.last + 1) - group.first_bin > kMost);  // one more is too many
    }
    next = group.last;
  }
  CHECK(next == rows.n_features());
  CheckCodes(rows, data);
  rows.Regroup(std::vector<std::uint8_t>(260, 7), Threads{1});
  CheckCodes(rows, data);
}

TEST_CASE("documents lie in their order until they are regrouped, then group by group") {
  Rng rng(165);
  const Dataset data = AllKinds(10, rng);
  const BinnedColumns columns = Binned(data);
  BinnedRows rows(columns, Threads{1});
  CHECK(Order(rows) == std::vector<RowId>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  rows.Regroup(std::vector<std::uint8_t>{3, 0, 3, 63, 0, 5, 3, 0, 63, 3}, Threads{1});
  CHECK(Order(rows) == std::vector<RowId>{1, 4, 7, 0, 2, 6, 9, 5, 3, 8});
  rows.Regroup(std::vector<std::uint8_t>{1, 0, 0, 0, 1, 0, 0, 0, 0, 0}, Threads{1});
  CHECK(Order(rows) == std::vector<RowId>{1, 7, 2, 6, 9, 5, 3, 8, 4, 0});
  CheckCodes(rows, data);
}

TEST_CASE("regrouping sorts by group, stably, and changes no cell, for any number of threads") {
  Rng rng(166);
  constexpr std::size_t kDocuments = 9000;
  const Dataset data = AllKinds(kDocuments, rng);
  const BinnedColumns columns = Binned(data);
  BinnedRows alone(columns, Threads{1});
  BinnedRows together(columns, Threads{3});
  std::vector<RowId> expected = Order(alone);
  for (std::uint32_t trial = 0; trial < 3; ++trial) {
    std::vector<std::uint8_t> group_of(kDocuments);
    for (std::uint8_t& group : group_of) group = static_cast<std::uint8_t>(rng.Below(9) * trial);
    alone.Regroup(group_of, Threads{1});
    together.Regroup(group_of, Threads{3});
    std::stable_sort(expected.begin(), expected.end(),
                     [&](RowId a, RowId b) { return group_of[a] < group_of[b]; });
    CHECK(Order(alone) == expected);
    CHECK(Order(together) == expected);
    CheckCodes(alone, data);
  }
}

}  // namespace rankforest
