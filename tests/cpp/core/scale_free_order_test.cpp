#include "rankforest/core/scale_free_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kNaN;
using testing::RawData;

namespace {

std::vector<std::uint64_t> FeatureKeys(std::size_t n_features) {
  Rng rng(1);
  std::vector<std::uint64_t> keys(n_features);
  for (std::uint64_t& key : keys) key = rng.Next();
  return keys;
}

/// The position of each document's value among the different ones of `documents`, NaN last.
std::map<RowId, std::uint64_t> DenseRanks(const Dataset& data, const std::vector<RowId>& documents,
                                          std::size_t feature) {
  using Key = std::pair<bool, float>;
  const auto key = [&](RowId d) {
    const float value = data.Features(d)[feature];
    return value != value ? Key(true, 0.0F) : Key(false, value + 0.0F);
  };
  std::set<Key> values;
  for (const RowId d : documents) values.insert(key(d));
  std::map<RowId, std::uint64_t> ranks;
  for (const RowId d : documents) {
    ranks[d] = static_cast<std::uint64_t>(std::distance(values.begin(), values.find(key(d))));
  }
  return ranks;
}

/// Two sums of 32 bits do not carry into each other.
std::uint64_t AddHalves(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kLow = 0xFFFFFFFFULL;
  return (((a >> 32) + (b >> 32)) << 32) | ((a + b) & kLow);
}

/// The order of one query by definition.
std::vector<RowId> NaiveOrder(const Dataset& data, std::vector<RowId> documents) {
  const std::vector<std::uint64_t> keys = FeatureKeys(data.n_features());
  std::map<RowId, std::uint64_t> coarse;
  for (const RowId d : documents) coarse[d] = 0;
  for (std::size_t f = 0; f < keys.size(); ++f) {
    const auto ranks = DenseRanks(data, documents, f);
    std::uint64_t last = 0;
    for (const auto& [d, rank] : ranks) last = std::max(last, rank);
    for (const auto& [d, rank] : ranks) {
      const int times = rank == 0 ? 0 : rank == last ? 2 : 1;
      for (int t = 0; t < times; ++t) coarse[d] = AddHalves(coarse[d], keys[f]);
    }
  }
  std::map<std::uint64_t, std::vector<RowId>> runs;
  for (const RowId d : documents) {
    runs[detail::Mix64(coarse[d] + documents.size())].push_back(d);
  }
  std::vector<RowId> order;
  for (const auto& [hash, run] : runs) {
    std::vector<std::tuple<std::uint64_t, double, RowId>> sorted;
    std::map<RowId, std::uint64_t> sums;
    for (std::size_t f = 0; f < keys.size(); ++f) {
      for (const auto& [d, rank] : DenseRanks(data, run, f)) sums[d] += rank * keys[f];
    }
    for (const RowId d : run) sorted.emplace_back(detail::Mix64(sums[d]), data.grades()[d], d);
    std::sort(sorted.begin(), sorted.end());
    for (const auto& each : sorted) order.push_back(std::get<2>(each));
  }
  return order;
}

/// The caller's rows in scale-free order, query by query under the caller's codes.
std::map<QueryId, std::vector<RowId>> RowsInOrder(const RawData& raw, int threads = 1) {
  const Dataset data = raw.Make();
  const std::vector<RowId> order = ScaleFreeOrder(data, Threads{threads});
  std::map<QueryId, std::vector<RowId>> rows;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
      rows[data.query_codes()[q]].push_back(data.order()[order[d]]);
    }
  }
  return rows;
}

RawData SomeData(Rng& rng, std::uint32_t nan_in_100 = 10) {
  testing::SmallDataOptions options;
  options.n_queries = 6;
  options.most_documents = 30;
  options.n_features = 1 + rng.Below(20);
  options.n_values = 2 + rng.Below(40);
  options.nan_in_100 = nan_in_100;
  return testing::SmallData(options, rng);
}

}  // namespace

TEST_CASE("the order of five documents never changes") {
  // Models depend on it. It comes from a separate program that follows the definition: the coarse
  // ranks are (0, 0), (1, 0), (1, 2), (2, 0) and (1, 0), so the second and the last document are
  // told apart by their dense ranks.
  RawData raw;
  raw.n_features = 2;
  raw.features = {1, 0, 2, 0, 3, 1, 9, 0, 5, 0};
  raw.grades.assign(5, 0.0);
  raw.queries.assign(5, 0);
  CHECK(RowsInOrder(raw)[0] == std::vector<RowId>{1, 4, 3, 0, 2});
}

TEST_CASE("the order is the naive one on random data") {
  Rng rng(701);
  for (int trial = 0; trial < 60; ++trial) {
    const RawData raw = SomeData(rng);
    const Dataset data = raw.Make();
    const std::vector<RowId> order = ScaleFreeOrder(data, Threads{1});
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      std::vector<RowId> documents;
      for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) documents.push_back(d);
      const std::vector<RowId> found(order.begin() + data.offsets()[q],
                                     order.begin() + data.offsets()[q + 1]);
      INFO("trial ", trial, " query ", q);
      CHECK(found == NaiveOrder(data, documents));
    }
  }
}

TEST_CASE("an increasing change of any feature leaves the order as it is") {
  Rng rng(702);
  for (int trial = 0; trial < 40; ++trial) {
    const RawData raw = SomeData(rng);
    RawData changed = raw;
    for (std::size_t i = 0; i < raw.features.size(); ++i) {
      const float x = raw.features[i];
      const std::size_t kind = i % raw.n_features % 3;  // of the column
      changed.features[i] = kind == 0 ? 2.0F * x : kind == 1 ? x * x * x + 5.0F : x - 100.0F;
    }
    // Rows of equal features keep the canonical order, whatever the hash of their values is.
    CHECK(RowsInOrder(changed) == RowsInOrder(raw));
  }
}

TEST_CASE("neither the order of the rows nor threads nor constant columns change the order") {
  Rng rng(703);
  for (int trial = 0; trial < 20; ++trial) {
    const RawData raw = SomeData(rng);
    const auto expected = RowsInOrder(raw);
    CHECK(RowsInOrder(raw, 4) == expected);

    RawData wider = raw;
    wider.n_features = raw.n_features + 2;
    wider.features.clear();
    for (std::size_t row = 0; row < raw.n_rows(); ++row) {
      for (std::size_t f = 0; f < raw.n_features; ++f) {
        wider.features.push_back(raw.features[row * raw.n_features + f]);
      }
      wider.features.push_back(0.0F);
      wider.features.push_back(kNaN);
    }
    CHECK(RowsInOrder(wider) == expected);

    // Rows that are the same in everything may swap.
    const std::vector<std::size_t> shuffled = testing::ShuffledRows(raw.n_rows(), rng);
    const auto content = [&](std::size_t row) {
      std::vector<double> values = {raw.grades[row]};
      for (std::size_t f = 0; f < raw.n_features; ++f) {
        const float value = raw.features[row * raw.n_features + f];
        values.push_back(value != value ? -99.0 : static_cast<double>(value));
      }
      return values;
    };
    for (const auto& [query, rows] : RowsInOrder(raw.Take(shuffled))) {
      REQUIRE(rows.size() == expected.at(query).size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(content(shuffled[rows[i]]) == content(expected.at(query)[i]));
      }
    }
  }
}

TEST_CASE("the same documents stand by grade, the lower first") {
  const RawData raw = testing::OneFeature({7, 7, 7, 1}, {3, 0, 2, 1});
  std::vector<RowId> rows = RowsInOrder(raw)[0];
  rows.erase(std::find(rows.begin(), rows.end(), 3U));
  CHECK(rows == std::vector<RowId>{1, 2, 0});
}

TEST_CASE("an order of one feature does not line documents up by its values") {
  Rng rng(704);
  std::size_t inversions = 0;
  std::size_t pairs = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<float> values(60);
    for (float& value : values) value = static_cast<float>(rng.Uniform());
    const auto rows = RowsInOrder(testing::OneFeature(values, std::vector<double>(60)))[0];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = i + 1; j < rows.size(); ++j) {
        if (values[rows[i]] > values[rows[j]]) ++inversions;
        ++pairs;
      }
    }
  }
  const double share = static_cast<double>(inversions) / static_cast<double>(pairs);
  CHECK(share > 0.3);
  CHECK(share < 0.7);
}

}  // namespace rankforest
