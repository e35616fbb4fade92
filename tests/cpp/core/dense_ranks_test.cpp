#include "rankforest/core/dense_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kInf;
using testing::kNaN;
using testing::RawData;

namespace {

/// One query of documents of grade 0.
RawData OneQuery(std::vector<float> features, std::size_t n_features) {
  RawData raw;
  raw.grades.assign(features.size() / n_features, 0.0);
  raw.queries.assign(raw.grades.size(), 0);
  raw.features = std::move(features);
  raw.n_features = n_features;
  return raw;
}

std::vector<std::uint64_t> SumsOf(const Dataset& data, const std::vector<std::uint64_t>& keys,
                                  const std::vector<RowId>& documents) {
  detail::DenseRanks ranks(data, keys);
  const auto sums = ranks.Sums(documents.size(), [&](std::size_t i) { return documents[i]; });
  return {sums.begin(), sums.end()};
}

/// By definition: each document's place among the different values of a feature.
std::vector<std::uint64_t> NaiveSums(const Dataset& data, const std::vector<std::uint64_t>& keys,
                                     const std::vector<RowId>& documents) {
  std::vector<std::uint64_t> sums(documents.size(), 0);
  for (std::size_t f = 0; f < keys.size(); ++f) {
    std::set<std::int32_t> values;
    for (const RowId d : documents) values.insert(detail::RankKey(data.Features(d)[f]));
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto place = values.find(detail::RankKey(data.Features(documents[i])[f]));
      sums[i] += keys[f] * static_cast<std::uint64_t>(std::distance(values.begin(), place));
    }
  }
  return sums;
}

/// One or more documents, as often few as many, of values that are rare, common or special.
RawData RandomQuery(Rng& rng) {
  const std::size_t n_features = 1 + rng.Below(40);
  const std::size_t n = 1 + rng.Below(rng.Below(2) == 0 ? 24 : 300);
  std::vector<float> features(n * n_features);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const std::uint32_t n_values = i % n_features % 3 == 0   ? 2
                                   : i % n_features % 3 == 1 ? 30
                                                             : 9999;
    features[i] = static_cast<float>(rng.Below(n_values)) - 1.0F;
    if (rng.Below(30) == 0) features[i] = rng.Below(2) == 0 ? kNaN : -0.0F;
    if (rng.Below(30) == 0) features[i] = rng.Below(2) == 0 ? kInf : -kInf;
  }
  return OneQuery(std::move(features), n_features);
}

std::vector<std::uint64_t> SomeKeys(std::size_t n, Rng& rng) {
  std::vector<std::uint64_t> keys(n);
  for (std::uint64_t& key : keys) key = rng.Next();
  return keys;
}

std::vector<RowId> AllDocuments(const Dataset& data) {
  std::vector<RowId> documents(data.n_documents());
  for (std::size_t d = 0; d < documents.size(); ++d) documents[d] = static_cast<RowId>(d);
  return documents;
}

}  // namespace

TEST_CASE("rank keys order as values do, both zeros the same and NaN last") {
  const std::vector<float> values = {-3e38F, -1.0F, -1e-45F, 0.0F, 1e-45F, 1.0F, 3e38F, kNaN};
  for (std::size_t i = 1; i < values.size(); ++i) {
    CHECK(detail::RankKey(values[i - 1]) < detail::RankKey(values[i]));
  }
  CHECK(detail::RankKey(-0.0F) == detail::RankKey(0.0F));
  CHECK(detail::RankKey(-kNaN) == detail::RankKey(kNaN));
  constexpr float kLargest = std::numeric_limits<float>::max();
  CHECK(detail::RankKey(kInf) == detail::RankKey(kLargest));
  CHECK(detail::RankKey(-kInf) == detail::RankKey(-kLargest));
}

TEST_CASE("equal values share a rank, and the next one follows at once") {
  // Ranks 0, 0, 1 of the first feature; of the second 1, 0, 0.
  const RawData raw = OneQuery({5, kNaN, 5, -0.0F, 7, 0.0F}, 2);
  const Dataset data = raw.Make();
  const std::vector<std::uint64_t> of_row = {100, 0, 10};
  const std::vector<std::uint64_t> sums = SumsOf(data, {10, 100}, AllDocuments(data));
  for (std::size_t d = 0; d < 3; ++d) CHECK(sums[d] == of_row[data.order()[d]]);
}

TEST_CASE("ranks are those by definition, of few documents and of many") {
  Rng rng(705);
  for (int trial = 0; trial < 60; ++trial) {
    const RawData raw = RandomQuery(rng);
    const Dataset data = raw.Make();
    const std::vector<std::uint64_t> keys = SomeKeys(data.n_features(), rng);
    const std::vector<RowId> documents = AllDocuments(data);
    INFO("trial ", trial, " of ", documents.size(), " documents");
    CHECK(SumsOf(data, keys, documents) == NaiveSums(data, keys, documents));
  }
}

TEST_CASE("ranks do not depend on the order in which documents come") {
  Rng rng(706);
  for (int trial = 0; trial < 20; ++trial) {
    const RawData raw = RandomQuery(rng);
    const Dataset data = raw.Make();
    const std::vector<std::uint64_t> keys = SomeKeys(data.n_features(), rng);
    std::vector<RowId> documents = AllDocuments(data);
    std::vector<std::uint64_t> sums = SumsOf(data, keys, documents);
    std::reverse(documents.begin(), documents.end());
    std::reverse(sums.begin(), sums.end());
    CHECK(SumsOf(data, keys, documents) == sums);
  }
}

}  // namespace rankforest
