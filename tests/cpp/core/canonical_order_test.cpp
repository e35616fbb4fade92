#include "rankforest/core/canonical_order.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kNaN;

namespace {

std::uint64_t Hash(const std::vector<float>& row) { return FeatureHash(row.size())(row.data()); }

float FromBits(std::uint32_t bits) {
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("the hash of features never changes") {
  // Models depend on it. The figures come from a separate program that follows the definition.
  CHECK(Hash({0, 0, 0}) == 0xE220A8397B1DCDAFULL);
  CHECK(Hash({1, 0, 0}) == 0x897326CAB17454A9ULL);
  CHECK(Hash({1, 1, 1}) == 0x18AA88764081C6EDULL);
  CHECK(Hash({0.5F, kNaN, -1}) == 0x3DE9B0BDAEC732BBULL);
}

TEST_CASE("the hash of features does not see signs of zero, kinds of NaN or zeros at the end") {
  CHECK(Hash({-0.0F, 2}) == Hash({0, 2}));
  CHECK(Hash({2, 0}) == Hash({2}));
  CHECK(Hash({2, 0, -0.0F, 0, 0, 0, 0}) == Hash({2}));
  for (const std::uint32_t bits : {0x7FC00000U, 0xFFC00000U, 0x7F800001U, 0xFFFFFFFFU}) {
    CHECK(Hash({FromBits(bits), 2}) == Hash({kNaN, 2}));
  }
}

TEST_CASE("the hash of features sees every column and every bit of a value") {
  const std::vector<float> row = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  for (std::size_t column = 0; column < row.size(); ++column) {
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      std::vector<float> other = row;
      std::uint32_t bits = 0;
      std::memcpy(&bits, &other[column], sizeof bits);
      other[column] = FromBits(bits ^ (1U << bit));
      CHECK(Hash(other) != Hash(row));
    }
  }
  CHECK(Hash({1, 2}) != Hash({2, 1}));
  CHECK(Hash({1, 0}) != Hash({0, 1}));
}

TEST_CASE("the hash of features takes an infinity for the largest number of its sign") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float largest = std::numeric_limits<float>::max();
  for (std::size_t column = 0; column < 9; ++column) {
    std::vector<float> row = {1, 0, kNaN, -largest, 5, -6, 7, 8, 9};
    std::vector<float> finite = row;
    row[column] = infinity;
    finite[column] = largest;
    CHECK(Hash(row) == Hash(finite));
    row[column] = -infinity;
    CHECK(Hash(row) != Hash(finite));
    finite[column] = -largest;
    CHECK(Hash(row) == Hash(finite));
  }
}

TEST_CASE("documents compare by features, then grade, then weight") {
  const std::vector<float> values = {1, kNaN, 1, 2, 1, kNaN, 0, kNaN};
  const std::vector<double> grades = {1, 1, 1, 5};
  const std::vector<double> weights = {2, 0, 3, 0};
  const RawDocuments documents{{values.data(), 4, 2, 2}, grades, weights};
  CHECK(detail::CompareDocuments(documents, 0, 0) == 0);
  CHECK(detail::CompareDocuments(documents, 0, 1) > 0);  // NaN after numbers
  CHECK(detail::CompareDocuments(documents, 0, 2) < 0);  // the lighter first
  CHECK(detail::CompareDocuments(documents, 3, 0) < 0);  // the first column decides
  CHECK(detail::CompareDocuments({documents.features, grades, {}}, 0, 2) == 0);
}

TEST_CASE("positions order documents that are equal but for them, and enter no hash of a query") {
  const std::vector<float> values = {1, 1, 1, 2};
  const std::vector<double> grades = {1, 1, 0, 0};
  const std::vector<std::uint32_t> positions = {7, 3, 9, 1};
  const RawDocuments documents{{values.data(), 4, 1, 1}, grades, {}, positions};
  CHECK(detail::CompareDocuments(documents, 0, 1) > 0);
  CHECK(detail::CompareDocuments(documents, 2, 1) < 0);  // the grade decides
  CHECK(detail::CompareDocuments(documents, 3, 2) > 0);  // the feature decides
  const RawDocuments unknown{documents.features, grades, {}};
  CHECK(detail::CompareDocuments(unknown, 0, 1) == 0);
  const std::vector<std::uint64_t> hashes = {5, 5, 5, 6};
  const std::vector<RowId> rows = {0, 2, 3};
  CHECK(detail::HashQuery(documents, hashes, rows) == detail::HashQuery(unknown, hashes, rows));
}

TEST_CASE("with positions, neither rows nor names of queries order what is equal but for them") {
  Rng rng(8);
  for (int trial = 0; trial < 50; ++trial) {
    // Two queries of the same documents, which were shown at different positions.
    const std::size_t n_each = 1 + rng.Below(6);
    std::vector<float> values;
    std::vector<std::uint32_t> positions;
    std::vector<QueryId> queries;
    for (std::size_t i = 0; i < 2 * n_each; ++i) {
      values.push_back(static_cast<float>((i % n_each) / 2));
      positions.push_back(static_cast<std::uint32_t>(i + 1));
      queries.push_back(i < n_each ? 4 : 9);
    }
    std::vector<std::size_t> moved(2 * n_each);
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = i;
    rng.Shuffle(Span<std::size_t>(moved));
    const auto positions_in_order = [&](const std::vector<std::size_t>& rows, bool renames) {
      std::vector<float> own_values;
      std::vector<std::uint32_t> own_positions;
      std::vector<QueryId> own_queries;
      for (const std::size_t row : rows) {
        own_values.push_back(values[row]);
        own_positions.push_back(positions[row]);
        own_queries.push_back(renames ? 13 - queries[row] : queries[row]);
      }
      const std::vector<double> grades(rows.size(), 1.0);
      const Dataset data({own_values.data(), rows.size(), 1, 1}, grades, own_queries, {}, {},
                         own_positions);
      std::vector<std::uint32_t> ordered;
      for (const RowId row : data.order()) ordered.push_back(own_positions[row]);
      return ordered;
    };
    std::vector<std::size_t> plain(2 * n_each);
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = i;
    CHECK(positions_in_order(moved, rng.Below(2) == 0) == positions_in_order(plain, false));
  }
}

TEST_CASE("equal hashes leave the order to the documents themselves") {
  // Two queries of one code each; every hash is the same, so only comparisons remain.
  const std::vector<float> values = {3, 1, 2, 1, 5};
  const std::vector<double> grades = {0, 2, 0, 1, 0};
  const RawDocuments documents{{values.data(), 5, 1, 1}, grades, {}};
  const std::vector<std::uint64_t> hashes(5, 42);
  const std::vector<QueryId> queries = {9, 9, 9, 9, 4};
  const CanonicalOrder order = SortCanonically(documents, hashes, GroupByQuery(queries), {});
  const bool single_first = order.codes.front() == 4;
  const std::vector<RowId> expected =
      single_first ? std::vector<RowId>{4, 3, 1, 2, 0} : std::vector<RowId>{3, 1, 2, 0, 4};
  CHECK(order.rows == expected);
}

TEST_CASE("a query that another one continues comes first, and equal ones go by code") {
  const std::vector<float> values = {1, 1, 2, 1, 2};
  const std::vector<double> grades(5, 0.0);
  const RawDocuments documents{{values.data(), 5, 1, 1}, grades, {}};
  const std::vector<RowId> one = {0};
  const std::vector<RowId> two = {1, 2};
  const std::vector<RowId> same = {3, 4};
  CHECK(detail::CompareQueries(documents, one, two) < 0);
  CHECK(detail::CompareQueries(documents, two, one) > 0);
  CHECK(detail::CompareQueries(documents, two, same) == 0);

  const std::vector<QueryId> queries = {8, 6, 6, 3, 3};
  const std::vector<std::uint64_t> hashes = {5, 5, 7, 5, 7};
  const CanonicalOrder order = SortCanonically(documents, hashes, GroupByQuery(queries), {});
  const std::vector<QueryId> expected =
      order.codes.front() == 8 ? std::vector<QueryId>{8, 3, 6} : std::vector<QueryId>{3, 6, 8};
  CHECK(order.codes == expected);
}

}  // namespace rankforest
