#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/canonical_order.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/queries.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

/// The largest weight of a document. Trees multiply four sums of weights: the products of far
/// larger ones would be infinite.
inline constexpr double kLargestWeight = 1e30;

namespace detail {

/// Throws unless `values` holds one number for each document.
inline void RequireLength(const char* name, std::size_t size, std::size_t n_documents) {
  if (size == n_documents) return;
  throw std::invalid_argument(std::string(name) + " must have one value for each of the " +
                              std::to_string(n_documents) + " rows of features; it has " +
                              std::to_string(size));
}

/// Throws unless the weight of a caller's row is in range.
inline void RequireWeight(double weight, std::size_t row) {
  if (weight >= 0.0 && weight <= kLargestWeight) return;
  throw std::invalid_argument("weights must be from 0 to 1e30; that of row " + std::to_string(row) +
                              " (counted from 0) is " + Shown(weight));
}

/// Throws unless the grade of a caller's row is in range.
inline void RequireGrade(double grade, std::size_t row) {
  if (grade >= 0.0 && grade <= std::numeric_limits<double>::max()) return;
  throw std::invalid_argument("grades must be finite and >= 0; that of row " + std::to_string(row) +
                              " (counted from 0) is " + Shown(grade));
}

inline void RequireShape(const FeatureMatrix& features) {
  if (features.n_rows == 0 || features.n_features == 0) {
    throw std::invalid_argument("features must have rows and columns; the shape is " +
                                std::to_string(features.n_rows) + " x " +
                                std::to_string(features.n_features));
  }
  if (features.n_rows > std::numeric_limits<RowId>::max()) {
    throw std::invalid_argument("a data set holds at most 4294967295 documents; features has " +
                                std::to_string(features.n_rows) + " rows");
  }
}

/// Checks grades and weights and hashes every row of features in one pass over them.
inline std::vector<std::uint64_t> CheckAndHash(const RawDocuments& documents, Threads threads) {
  const FeatureMatrix& features = documents.features;
  const FeatureHash hash(features.n_features);
  std::vector<std::uint64_t> hashes(features.n_rows);
  constexpr double kSecondsPerValue = 5e-10;
  threads = ForLoopOf(threads, features.n_rows * features.n_features, kSecondsPerValue);
  ParallelChunks(threads, features.n_rows, 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      RequireGrade(documents.grades[row], row);
      if (!documents.weights.empty()) RequireWeight(documents.weights[row], row);
      hashes[row] = hash(features.Row(row));
    }
  });
  return hashes;
}

}  // namespace detail

/// Graded documents in queries, checked, in their canonical order.
///
/// Everything that reads a data set addresses documents by canonical position (see
/// canonical_order.hpp), so that neither the order of the caller's rows nor the names of queries
/// reach a model. The order is a permutation: features stay where the caller has them.
class Dataset {
 public:
  /// Borrows `features`, which must outlive the data set, and copies the rest.
  ///
  /// @param features      NaN where missing; infinities are trained on as the largest numbers; at
  ///                      least one row and one column
  /// @param grades        of each row, finite and >= 0
  /// @param query_of_row  any number for each row; the rows of a query need not be neighbours
  /// @param weights       of each row, from 0 to kLargestWeight; empty = all 1
  /// @param positions     where each row was shown, which orders documents that are equal but for
  ///                      it; not kept; empty = nothing is known
  /// @throws std::invalid_argument  naming the first row that breaks this
  Dataset(FeatureMatrix features, Span<const double> grades, Span<const QueryId> query_of_row,
          Span<const double> weights = {}, Threads threads = {},
          Span<const std::uint32_t> positions = {})
      : features_(features) {
    detail::RequireShape(features);
    detail::RequireLength("grades", grades.size(), features.n_rows);
    detail::RequireLength("query_of_row", query_of_row.size(), features.n_rows);
    if (!weights.empty()) detail::RequireLength("weights", weights.size(), features.n_rows);
    if (!positions.empty()) detail::RequireLength("positions", positions.size(), features.n_rows);
    const RawDocuments documents{features, grades, weights, positions};
    const std::vector<std::uint64_t> hashes = detail::CheckAndHash(documents, threads);
    order_ = SortCanonically(documents, hashes, GroupByQuery(query_of_row), threads);
    grades_ = InOrder(grades);
    weights_ = InOrder(weights);
  }

  /// Keeps the features itself.
  ///
  /// @param features  row-major, without gaps
  static Dataset Owning(std::vector<float> features, std::size_t n_features,
                        Span<const double> grades, Span<const QueryId> query_of_row,
                        Span<const double> weights = {}, Threads threads = {}) {
    if (n_features == 0 || features.size() % n_features != 0) {
      throw std::invalid_argument("features must fill whole rows; " +
                                  std::to_string(features.size()) + " values do not fill rows of " +
                                  std::to_string(n_features));
    }
    const std::size_t n_rows = features.size() / n_features;
    Dataset data({features.data(), n_rows, n_features, n_features}, grades, query_of_row, weights,
                 threads);
    data.owned_ = std::move(features);  // moving a vector does not move its elements
    return data;
  }

  /// The same documents, in the same order, with other grades. Borrows the features, which must
  /// outlive the result.
  ///
  /// @param grades  of each document in canonical order, finite and >= 0
  [[nodiscard]] Dataset WithGrades(std::vector<double> grades) const {
    assert(grades.size() == n_documents());
    return {features_, order_, std::move(grades), weights_};
  }

  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  Dataset(Dataset&&) = default;
  Dataset& operator=(Dataset&&) = default;
  ~Dataset() = default;

  [[nodiscard]] std::size_t n_documents() const { return order_.rows.size(); }
  [[nodiscard]] std::size_t n_queries() const { return order_.codes.size(); }
  [[nodiscard]] std::size_t n_features() const { return features_.n_features; }

  /// The caller's matrix, in the caller's order.
  [[nodiscard]] const FeatureMatrix& features() const { return features_; }
  /// Canonical position -> caller's row.
  [[nodiscard]] Span<const RowId> order() const { return order_.rows; }
  /// Query q holds the documents [offsets()[q], offsets()[q + 1]); never none.
  [[nodiscard]] Span<const RowId> offsets() const { return order_.offsets; }
  /// Of each document.
  [[nodiscard]] Span<const double> grades() const { return grades_; }
  /// Of each document; empty = all 1.
  [[nodiscard]] Span<const double> weights() const { return weights_; }
  /// Query -> the caller's number for it.
  [[nodiscard]] Span<const QueryId> query_codes() const { return order_.codes; }
  /// The features of a document, one float for each column.
  [[nodiscard]] const float* Features(RowId document) const {
    return features_.Row(order_.rows[document]);
  }

 private:
  Dataset(FeatureMatrix features, CanonicalOrder order, std::vector<double> grades,
          std::vector<double> weights)
      : features_(features),
        order_(std::move(order)),
        grades_(std::move(grades)),
        weights_(std::move(weights)) {}

  /// Values of the caller's rows in canonical order, -0.0 as 0.0.
  [[nodiscard]] std::vector<double> InOrder(Span<const double> values) const {
    std::vector<double> ordered(values.size());
    for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i] = values[order_.rows[i]] + 0.0;
    return ordered;
  }

  FeatureMatrix features_;
  std::vector<float> owned_;
  CanonicalOrder order_;
  std::vector<double> grades_;
  std::vector<double> weights_;
};

}  // namespace rankforest
