#include "rankforest/tree/partition.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::kNaN;
using testing::MakeColumn;

namespace {

struct Document {
  RowId row;
  RowId target;
  std::uint32_t count;

  friend bool operator==(const Document& a, const Document& b) {
    return a.row == b.row && a.target == b.target && a.count == b.count;
  }
};

std::vector<Document> DocumentsOf(const Partition<RowId>& partition, std::size_t begin,
                                  std::size_t end, std::uint32_t depth = 0) {
  const NodeRows<RowId> node = partition.Node(begin, end, depth);
  std::vector<Document> documents;
  for (std::size_t i = 0; i < node.size(); ++i) {
    documents.push_back({node.rows[i], node.targets[i], node.Count(i)});
  }
  return documents;
}

/// A function as Partition asks for the side of a document.
template <class Function>
struct Side {
  Function function;

  void Prefetch(RowId /*row*/) const {}
  MissingTo operator()(RowId row) const { return function(row); }
};
template <class Function>
Side(Function) -> Side<Function>;

/// The side of a split on a column: codes up to the cut go left.
auto SideIn(const PresortedColumn& column, Code cut, MissingTo missing) {
  return Side{[&column, cut, missing](RowId row) {
    const Code code = column.codes[row];
    if (code == column.missing_code()) return missing;
    return code <= cut ? MissingTo::kLeft : MissingTo::kRight;
  }};
}

/// The target of a row in these tests.
RowId Target(RowId row) { return row * 10; }

}  // namespace

TEST_CASE("a partition starts with the sample in one node") {
  Partition<RowId> partition;
  partition.Reset({{2, 3, 7}, {1, 5, 2}}, &Target);
  CHECK(partition.size() == 3);
  CHECK(DocumentsOf(partition, 0, 3) == std::vector<Document>{{2, 20, 1}, {3, 30, 5}, {7, 70, 2}});
  partition.Reset({{4, 9}, {}}, &Target);
  CHECK(DocumentsOf(partition, 0, 2) == std::vector<Document>{{4, 40, 1}, {9, 90, 1}});
}

TEST_CASE("documents go left up to the cut, right behind it, and NaN where it is sent") {
  const PresortedColumn column = MakeColumn({5, 1, kNaN, 3, 1, kNaN, 5});  // values 1 3 5
  using Ends = std::array<std::size_t, 2>;
  const auto divide = [&](Code cut, MissingTo missing, Ends expected) {
    Partition<RowId> partition;
    partition.Reset(WholeSample(7), &Target);
    CHECK(partition.Divide(0, 7, 0, SideIn(column, cut, missing)) == expected);
    std::vector<RowId> rows;
    for (const Document& document : DocumentsOf(partition, 0, 7, 1)) rows.push_back(document.row);
    return rows;
  };
  CHECK(divide(0, MissingTo::kLeft, {4, 7}) == std::vector<RowId>{1, 2, 4, 5, 0, 3, 6});
  CHECK(divide(1, MissingTo::kRight, {3, 7}) == std::vector<RowId>{1, 3, 4, 0, 2, 5, 6});
  CHECK(divide(1, MissingTo::kOwn, {3, 5}) == std::vector<RowId>{1, 3, 4, 0, 6, 2, 5});
  CHECK(divide(2, MissingTo::kRight, {5, 7}) == std::vector<RowId>{0, 1, 3, 4, 6, 2, 5});
}

TEST_CASE("dividing keeps the documents of other nodes, and every order ascending") {
  Rng rng(331);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t n = 1 + rng.Below(30);
    std::vector<float> values(n);
    for (float& value : values) value = rng.Below(4) == 0 ? kNaN : static_cast<float>(rng.Below(5));
    const PresortedColumn column = MakeColumn(values);
    if (column.values.empty()) continue;
    RowSample sample{rng.Sample(n, 1 + rng.Below(n)), {}};
    for (std::size_t i = 0; i < sample.rows.size(); ++i) sample.counts.push_back(1 + rng.Below(3));
    const auto size = static_cast<std::uint32_t>(sample.rows.size());
    const std::size_t begin = rng.Below(size);
    const std::size_t end = begin + rng.Below(size - static_cast<std::uint32_t>(begin) + 1);
    const Code cut = rng.Below(static_cast<std::uint32_t>(column.values.size()));
    const auto missing = static_cast<MissingTo>(rng.Below(3));

    Partition<RowId> partition;
    partition.Reset(sample, &Target);
    const std::vector<Document> before = DocumentsOf(partition, 0, size);
    const auto ends = partition.Divide(begin, end, 0, SideIn(column, cut, missing));

    std::array<std::vector<Document>, 3> sides;
    for (std::size_t i = begin; i < end; ++i) {
      const Code code = column.codes[before[i].row];
      const std::size_t by_value = code <= cut ? 0 : 1;
      const bool is_missing = code == column.missing_code();
      sides[is_missing ? static_cast<std::size_t>(missing) : by_value].push_back(before[i]);
    }
    INFO("trial ", trial);
    CHECK(DocumentsOf(partition, begin, ends[0], 1) == sides[0]);
    CHECK(DocumentsOf(partition, ends[0], ends[1], 1) == sides[1]);
    CHECK(DocumentsOf(partition, ends[1], end, 1) == sides[2]);
    const auto outside = [&](std::size_t from, std::size_t to) {
      return std::vector<Document>(before.begin() + static_cast<std::ptrdiff_t>(from),
                                   before.begin() + static_cast<std::ptrdiff_t>(to));
    };
    CHECK(DocumentsOf(partition, 0, begin) == outside(0, begin));
    CHECK(DocumentsOf(partition, end, size) == outside(end, size));
  }
}

TEST_CASE("only documents of the node are asked for ahead, and each before it is asked about") {
  struct Watched {
    std::vector<int>& ahead;
    void Prefetch(RowId row) const { ++ahead[row]; }
    MissingTo operator()(RowId row) const {
      CHECK(ahead[row] > 0);
      return MissingTo::kRight;
    }
  };
  Partition<RowId> partition;
  partition.Reset(WholeSample(100), &Target);
  for (const std::size_t end : {11U, 12U, 60U}) {
    std::vector<int> ahead(100);
    for (std::size_t i = 10; i < std::min<std::size_t>(end, 34); ++i) ahead[i] = 1;  // too late
    (void)partition.Divide(10, end, 0, Watched{ahead});
    for (std::size_t i = 0; i < 10; ++i) CHECK(ahead[i] == 0);
    for (std::size_t i = end; i < 100; ++i) CHECK(ahead[i] == 0);
  }
}

TEST_CASE("several threads divide a large node as one does, on every level") {
  constexpr std::size_t kDocuments = 20011;
  const auto side_of = [](std::uint32_t level) {
    return Side{
        [level](RowId row) { return static_cast<MissingTo>((row * 2654435761U >> level) % 3); }};
  };
  Partition<RowId> alone;
  Partition<RowId> together;
  alone.Reset(WholeSample(kDocuments), &Target);
  together.Reset(WholeSample(kDocuments), &Target, Threads{3});
  std::size_t end = kDocuments;
  for (std::uint32_t depth = 0; depth < 4; ++depth) {
    const auto ends = alone.Divide(0, end, depth, side_of(depth));
    CHECK(together.Divide(0, end, depth, side_of(depth), Threads{3}) == ends);
    CHECK(DocumentsOf(alone, 0, end, depth + 1) == DocumentsOf(together, 0, end, depth + 1));
    end = ends[0];
    CHECK(end > 0);
  }
}

}  // namespace rankforest
