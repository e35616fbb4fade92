#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_normalization.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/metric/judged_queries.hpp"

namespace rankforest {

namespace detail {

/// Writes the values of one query as a linear part weighs them, row by row.
///
/// @param documents  of the query
inline void WriteWeighedRows(const Dataset& data, Span<const RowId> documents,
                             QueryNormalization kind, std::vector<float>& column,
                             std::vector<float>& memory, float* rows) {
  const std::size_t n_features = data.n_features();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const float* values = data.Features(documents[i]);
    std::copy(values, values + n_features, rows + i * n_features);
  }
  if (kind != QueryNormalization::kNone) {
    column.resize(documents.size());
    for (std::size_t f = 0; f < n_features; ++f) {
      for (std::size_t i = 0; i < column.size(); ++i) column[i] = rows[i * n_features + f];
      NormalizeInQuery(kind, column, memory);
      for (std::size_t i = 0; i < column.size(); ++i) rows[i * n_features + f] = column[i];
    }
  }
  for (std::size_t i = 0; i < documents.size() * n_features; ++i) rows[i] = WeighedValue(rows[i]);
}

}  // namespace detail

/// What the trainers of linear models read: the documents of a sample, query by query, with their
/// values as a linear part weighs them. Takes 4 bytes for each value.
class LinearData {
 public:
  /// @param sample  without repeats
  LinearData(const TrainingSet& training, const RowSample& sample, QueryNormalization kind)
      : n_features_(training.data.n_features()), threads_(training.threads) {
    assert(sample.counts.empty());
    const Dataset& data = training.data;
    const Span<const RowId> offsets = data.offsets();
    std::size_t query = 0;
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
      const RowId row = sample.rows[i];
      const bool is_next = i == 0 || row >= offsets[query + 1];
      while (row >= offsets[query + 1]) ++query;
      if (is_next) offsets_.push_back(static_cast<RowId>(i));
      grades_.push_back(data.grades()[row]);
      rows_.push_back(data.order()[row]);
      if (!data.weights().empty()) weights_.push_back(data.weights()[row]);
    }
    offsets_.push_back(static_cast<RowId>(sample.rows.size()));
    values_.resize(sample.rows.size() * n_features_);
    std::vector<std::vector<float>> memory(2 * static_cast<std::size_t>(threads_.count));
    ParallelFor(threads_, n_queries(), [&](std::size_t q, std::size_t worker) {
      const Span<const RowId> documents =
          Span<const RowId>(sample.rows).subspan(offsets_[q], offsets_[q + 1] - offsets_[q]);
      detail::WriteWeighedRows(data, documents, kind, memory[2 * worker], memory[2 * worker + 1],
                               values_.data() + offsets_[q] * n_features_);
    });
  }

  [[nodiscard]] std::size_t n_documents() const { return grades_.size(); }
  [[nodiscard]] std::size_t n_features() const { return n_features_; }
  [[nodiscard]] std::size_t n_queries() const { return offsets_.size() - 1; }
  [[nodiscard]] Threads threads() const { return threads_; }
  [[nodiscard]] Span<const RowId> offsets() const { return offsets_; }
  [[nodiscard]] Span<const double> grades() const { return grades_; }
  [[nodiscard]] const float* Row(std::size_t document) const {
    return values_.data() + document * n_features_;
  }

  /// Borrowed.
  [[nodiscard]] JudgedQueries judgements() const {
    return {offsets_, grades_, weights_, rows_, {}, {}, {}};
  }

  /// The mean weight of the documents of a query.
  [[nodiscard]] double QueryWeight(std::size_t query) const {
    if (weights_.empty()) return 1.0;
    double sum = 0.0;
    for (std::size_t d = offsets_[query]; d < offsets_[query + 1]; ++d) sum += weights_[d];
    return sum / static_cast<double>(offsets_[query + 1] - offsets_[query]);
  }

 private:
  std::size_t n_features_;
  Threads threads_;
  std::vector<RowId> offsets_;
  std::vector<double> grades_;
  std::vector<double> weights_;
  std::vector<RowId> rows_;    // of the caller
  std::vector<float> values_;  // [document][feature]
};

/// Adds what a linear part gives each document of a data set, in canonical order.
inline void AddLinear(const Linear& linear, const Dataset& data, Threads threads,
                      Span<double> scores) {
  if (linear.empty()) return;
  std::vector<LinearScratch> scratch(static_cast<std::size_t>(threads.count));
  ParallelFor(threads, data.n_queries(), [&](std::size_t q, std::size_t worker) {
    const RowId begin = data.offsets()[q];
    LinearSumsOfQuery(
        linear, data.offsets()[q + 1] - begin,
        [&](std::size_t d) { return data.Features(static_cast<RowId>(begin + d)); },
        scratch[worker], [&](std::size_t d, double sum) { scores[begin + d] += sum; });
  });
}

/// The linear part with these weights of all features; those of weight 0 are left out.
inline Linear LinearOf(Span<const double> weights, QueryNormalization kind) {
  Linear linear{kind, {}};
  for (std::size_t f = 0; f < weights.size(); ++f) {
    const float weight = ToFiniteFloat(weights[f]);
    if (weight != 0.0F) linear.terms.push_back({static_cast<FeatureId>(f), weight});
  }
  if (linear.terms.empty()) linear.normalization = QueryNormalization::kNone;
  return linear;
}

}  // namespace rankforest
