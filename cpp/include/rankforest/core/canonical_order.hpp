#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/queries.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

// The canonical order of a data set depends on what its documents are, not on where they stand
// in the caller's arrays or how queries are named. Documents of a query are sorted by a hash of
// their features, equal hashes by the features themselves, then by grade, by weight and by the
// position where they were shown. Queries are sorted by a hash of their documents in that order,
// which positions do not enter, then by the documents themselves. So positions order only what is
// equal but for them, and what does not look at them cannot tell whether there are any. -0.0 counts
// as 0.0, an infinity as the largest number of its sign, and every NaN is the same. A hash, because
// an order by value would line documents up by relevance.

/// Hashes the features of a document: mixes the sum (mod 2^64), over its non-zero features, of the
/// product of (first key of the column + float bits) x (second key + float bits). A zero adds
/// nothing, so columns of zeros at the end of the matrix change no hash.
///
/// The products are those of the NH hash (Black et al., "UMAC: fast and secure message
/// authentication", CRYPTO 1999); compilers vectorise them on any processor.
class FeatureHash {
 public:
  explicit FeatureHash(std::size_t n_features) : keys_a_(n_features), keys_b_(n_features) {
    Rng keys(0);
    for (std::size_t column = 0; column < n_features; ++column) {
      const std::uint64_t key = keys.Next();
      keys_a_[column] = static_cast<std::uint32_t>(key >> 32);
      keys_b_[column] = static_cast<std::uint32_t>(key);
    }
  }

  [[nodiscard]] std::uint64_t operator()(const float* features) const {
    constexpr std::int32_t kInfinity = 0x7F800000;
    const std::uint32_t* const keys_a = keys_a_.data();
    const std::uint32_t* const keys_b = keys_b_.data();
    const std::size_t n_features = keys_a_.size();
    std::uint64_t sum = kStart;
    // Masks instead of branches: with `?:` GCC 12 does not vectorise this loop.
    for (std::size_t column = 0; column < n_features; ++column) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, features + column, sizeof bits);
      const auto magnitude = static_cast<std::int32_t>(bits & 0x7FFFFFFFU);
      bits |= Mask(magnitude > kInfinity);
      bits += Mask(magnitude == kInfinity);  // the number before it: all ones are -1
      const std::uint32_t a = (bits + keys_a[column]) & Mask(magnitude != 0);
      const std::uint32_t b = bits + keys_b[column];
      sum += std::uint64_t{a} * b;
    }
    return detail::Mix64(sum);
  }

 private:
  /// Not 0, which mixes to 0: documents without features would always come first.
  static constexpr std::uint64_t kStart = 0x9E3779B97F4A7C15ULL;

  static std::uint32_t Mask(bool condition) { return 0U - static_cast<std::uint32_t>(condition); }

  std::vector<std::uint32_t> keys_a_;
  std::vector<std::uint32_t> keys_b_;
};

/// The documents of a data set as the caller gave them.
struct RawDocuments {
  FeatureMatrix features;
  Span<const double> grades;
  Span<const double> weights;                ///< empty = all 1
  Span<const std::uint32_t> positions = {};  ///< where they were shown; empty = nothing is known

  [[nodiscard]] double Weight(RowId row) const { return weights.empty() ? 1.0 : weights[row]; }
  [[nodiscard]] std::uint32_t Position(RowId row) const {
    return positions.empty() ? 0 : positions[row];
  }
};

/// Caller's rows and codes in canonical order.
struct CanonicalOrder {
  std::vector<RowId> rows;     ///< canonical position -> caller's row
  std::vector<RowId> offsets;  ///< where each query begins; one more than there are queries
  std::vector<QueryId> codes;  ///< canonical query -> caller's code
};

namespace detail {

template <class T>
int ThreeWay(T a, T b) {
  return static_cast<int>(a > b) - static_cast<int>(a < b);
}

/// Compares rows of features, the first difference deciding. NaN is the largest value.
inline int CompareFeatures(const float* a, const float* b, std::size_t n_features) {
  if (n_features == 0 || std::memcmp(a, b, n_features * sizeof(float)) == 0) return 0;
  for (std::size_t column = 0; column < n_features; ++column) {
    const int by_value = ThreeWay(a[column], b[column]);
    if (by_value != 0) return by_value;
    const int by_nan = ThreeWay(a[column] != a[column], b[column] != b[column]);
    if (by_nan != 0) return by_nan;
  }
  return 0;
}

/// Compares everything that training sees of two documents.
inline int CompareDocuments(const RawDocuments& documents, RowId a, RowId b) {
  const FeatureMatrix& features = documents.features;
  const int by_features = CompareFeatures(features.Row(a), features.Row(b), features.n_features);
  if (by_features != 0) return by_features;
  const int by_grade = ThreeWay(documents.grades[a], documents.grades[b]);
  if (by_grade != 0) return by_grade;
  const int by_weight = ThreeWay(documents.Weight(a), documents.Weight(b));
  return by_weight != 0 ? by_weight : ThreeWay(documents.Position(a), documents.Position(b));
}

/// Compares two queries document by document; a query comes before one that continues it.
inline int CompareQueries(const RawDocuments& documents, Span<const RowId> a, Span<const RowId> b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const int by_document = CompareDocuments(documents, a[i], b[i]);
    if (by_document != 0) return by_document;
  }
  return ThreeWay(a.size(), b.size());
}

inline std::uint64_t BitsOf(double value) {
  value += 0.0;  // -0.0 becomes 0.0
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// A hash of the documents `rows`, in this order.
inline std::uint64_t HashQuery(const RawDocuments& documents, Span<const std::uint64_t> hashes,
                               Span<const RowId> rows) {
  std::uint64_t hash = rows.size();
  for (const RowId row : rows) {
    hash = Mix64(hash + hashes[row]);
    hash = Mix64(hash + BitsOf(documents.grades[row]));
    hash = Mix64(hash + BitsOf(documents.Weight(row)));
  }
  return hash;
}

/// Sorts the rows within each query and returns the hash of each.
inline std::vector<std::uint64_t> SortDocuments(const RawDocuments& documents,
                                                Span<const std::uint64_t> hashes,
                                                QueryGroups& groups, Threads threads) {
  std::vector<std::uint64_t> query_hashes(groups.size());
  const auto before = [&](RowId a, RowId b) {
    if (hashes[a] != hashes[b]) return hashes[a] < hashes[b];
    const int order = CompareDocuments(documents, a, b);
    return order != 0 ? order < 0 : a < b;
  };
  constexpr double kSecondsPerDocument = 1e-7;
  threads = ForLoopOf(threads, groups.rows.size(), kSecondsPerDocument);
  ParallelChunks(threads, groups.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t query = begin; query < end; ++query) {
      std::sort(groups.rows.data() + groups.offsets[query],
                groups.rows.data() + groups.offsets[query + 1], before);
      query_hashes[query] = HashQuery(documents, hashes, groups.RowsOf(query));
    }
  });
  return query_hashes;
}

}  // namespace detail

/// Sorts documents and queries into their canonical order.
///
/// @param hashes  of the features of each of the caller's rows
/// @param groups  the rows of each query
inline CanonicalOrder SortCanonically(const RawDocuments& documents,
                                      Span<const std::uint64_t> hashes, QueryGroups groups,
                                      Threads threads) {
  const std::vector<std::uint64_t> query_hashes =
      detail::SortDocuments(documents, hashes, groups, threads);
  std::vector<QueryId> queries(groups.size());
  std::iota(queries.begin(), queries.end(), QueryId{0});
  std::sort(queries.begin(), queries.end(), [&](QueryId a, QueryId b) {
    if (query_hashes[a] != query_hashes[b]) return query_hashes[a] < query_hashes[b];
    const int order = detail::CompareQueries(documents, groups.RowsOf(a), groups.RowsOf(b));
    return order != 0 ? order < 0 : a < b;
  });

  CanonicalOrder order;
  order.rows.reserve(groups.rows.size());
  order.offsets.reserve(groups.size() + 1);
  order.codes.reserve(groups.size());
  order.offsets.push_back(0);
  for (const QueryId query : queries) {
    const Span<const RowId> rows = groups.RowsOf(query);
    order.rows.insert(order.rows.end(), rows.begin(), rows.end());
    order.offsets.push_back(static_cast<RowId>(order.rows.size()));
    order.codes.push_back(groups.codes[query]);
  }
  return order;
}

}  // namespace rankforest
