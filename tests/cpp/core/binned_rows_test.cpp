#include "rankforest/core/binned_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
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

std::vector<Cell> CellsOf(const BinnedRows& rows, RowId document, std::size_t group = 0,
                          GroupPart part = GroupPart::kAll) {
  const Span<const Cell> cells = rows.Cells(document, group, part);
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

/// Checks that the halves of each group are its cells of features before and after its middle, and
/// that moving the middle would not make them more equal.
void CheckHalves(const BinnedRows& rows) {
  for (std::size_t g = 0; g < rows.groups().size(); ++g) {
    const FeatureGroup& group = rows.groups()[g];
    std::vector<std::ptrdiff_t> counts(rows.n_features());
    for (RowId d = 0; d < rows.n_documents(); ++d) {
      const std::vector<Cell> all = CellsOf(rows, d, g);
      const auto middle = std::partition_point(all.begin(), all.end(), [&](Cell cell) {
        return group.first_bin + cell < rows.FirstBin(group.middle);
      });
      REQUIRE(CellsOf(rows, d, g, GroupPart::kFirstHalf) == std::vector<Cell>(all.begin(), middle));
      REQUIRE(CellsOf(rows, d, g, GroupPart::kSecondHalf) == std::vector<Cell>(middle, all.end()));
      for (const Cell cell : all) {
        FeatureId f = group.first;
        while (rows.FirstBin(f + 1) <= group.first_bin + cell) ++f;
        ++counts[f];
      }
    }
    const auto excess = [&](FeatureId middle) {  // of the first half
      return std::accumulate(counts.begin() + group.first, counts.begin() + middle,
                             std::ptrdiff_t{0}) -
             std::accumulate(counts.begin() + middle, counts.begin() + group.last,
                             std::ptrdiff_t{0});
    };
    CHECK(excess(group.middle) >= -1);
    if (group.middle > group.first) CHECK(excess(group.middle - 1) < 0);
  }
}

BinnedColumns Binned(const Dataset& data) { return {data, Threads{1}}; }

/// Columns of many values, of one, and of few with more and more NaN.
Dataset ManyColumns(std::size_t n_documents, Rng& rng) {
  std::vector<Values> columns = {ManyValues(n_documents, rng), Values(n_documents, 2.0F)};
  for (std::uint32_t f = 0; f < 17; ++f) columns.push_back(FewValues(n_documents, 2 + f, f, rng));
  return FromColumns(columns, rng).Make();
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
  CHECK(rows.groups()[0].middle == 1);  // two of four cells are of feature 0
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
  const Dataset data = ManyColumns(kDocuments, rng);
  const BinnedColumns columns = Binned(data);
  const BinnedRows alone(columns, Threads{1});
  const BinnedRows together(columns, Threads{3});
  CheckCodes(alone, data);
  CheckHalves(alone);
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
  const BinnedRows rows(columns, Threads{2});
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
  CheckHalves(rows);
}

}  // namespace rankforest
