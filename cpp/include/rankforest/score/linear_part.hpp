#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_normalization.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/score/isa.hpp"

namespace rankforest::detail {

/// The linear part of a member in the form that is fast to score with: LinearSum to the bit.
///
/// Eight terms are weighed side by side, each in its own partial sum, so the compiler may use
/// vectors of any width. Features that stand side by side are loaded without being looked up.
class LinearPart {
 public:
  LinearPart() = default;

  explicit LinearPart(const Linear& linear) {
    for (std::size_t i = 0; i < linear.terms.size(); ++i) {
      features_.push_back(linear.terms[i].feature);
      weights_.push_back(linear.terms[i].weight);
      is_range_ = is_range_ && features_[i] == features_[0] + i;
    }
  }

  [[nodiscard]] bool empty() const { return weights_.empty(); }
  [[nodiscard]] Span<const FeatureId> features() const { return features_; }
  [[nodiscard]] std::size_t n_bytes() const {
    return weights_.size() * (sizeof(float) + sizeof(FeatureId));
  }

  /// Adds to scores[i] the sum of row i.
  void AddScores(Isa isa, const FeatureMatrix& rows, double* scores) const {
    if (empty()) return;
    if (is_range_) {
      CallFor(isa, Kernel<false>{rows, features_.data(), weights_.data(), weights_.size(), scores});
    } else {
      CallFor(isa, Kernel<true>{rows, features_.data(), weights_.data(), weights_.size(), scores});
    }
  }

  /// The sum of one document.
  ///
  /// @param value_of  FeatureId -> float
  template <class ValueOf>
  [[nodiscard]] double Sum(const ValueOf& value_of) const {
    return LinearSum(
        weights_.size(), [&](std::size_t i) { return weights_[i]; },
        [&](std::size_t i) { return value_of(features_[i]); });
  }

 private:
  /// @tparam kListed  whether the features are looked up; otherwise they follow the first one
  template <bool kListed>
  struct Kernel {
    const FeatureMatrix& rows;
    const FeatureId* features;
    const float* weights;
    std::size_t n_terms;
    double* scores;

    [[gnu::always_inline]] void operator()() const {
      for (std::size_t row = 0; row < rows.n_rows; ++row) scores[row] += Weigh(rows.Row(row));
    }

    [[nodiscard, gnu::always_inline]] double Weigh(const float* values) const {
      std::array<double, kLinearLanes> lanes{};
      std::size_t i = 0;
      for (; i + kLinearLanes <= n_terms; i += kLinearLanes) {
        for (std::size_t k = 0; k < kLinearLanes; ++k) lanes[k] += Product(values, i + k);
      }
      for (std::size_t k = 0; i + k < n_terms; ++k) lanes[k] += Product(values, i + k);
      return SumOfLanes(lanes.data());
    }

    [[nodiscard, gnu::always_inline]] double Product(const float* values, std::size_t i) const {
      const float x = kListed ? values[features[i]] : values[features[0] + i];
      return static_cast<double>(weights[i]) * static_cast<double>(WeighedValue(x));
    }
  };

  std::vector<FeatureId> features_;
  std::vector<float> weights_;
  bool is_range_ = true;
};

/// What linear parts that look at whole queries give each row, by member; empty for the others.
class PartsOfQueries {
 public:
  PartsOfQueries() = default;

  /// @param query_of_row  a code per row
  PartsOfQueries(const std::vector<Linear>& linear, const FeatureMatrix& features,
                 Span<const QueryId> query_of_row, Threads threads)
      : sums_(linear.size()) {
    const RowsByQuery queries(query_of_row);
    std::vector<LinearScratch> scratch(static_cast<std::size_t>(threads.count));
    for (std::size_t j = 0; j < linear.size(); ++j) {
      if (!linear[j].needs_queries()) continue;
      sums_[j].resize(features.n_rows);
      ParallelFor(threads, queries.n_queries(), [&](std::size_t q, std::size_t worker) {
        const Span<const std::size_t> rows = queries.Query(q);
        LinearSumsOfQuery(
            linear[j], rows.size(), [&](std::size_t d) { return features.Row(rows[d]); },
            scratch[worker], [&](std::size_t d, double sum) { sums_[j][rows[d]] = sum; });
      });
    }
  }

  /// Of a member, from row `begin` on; null if it does not look at whole queries.
  [[nodiscard]] const double* Of(std::size_t member, std::size_t begin) const {
    const bool has_any = member < sums_.size() && !sums_[member].empty();
    return has_any ? sums_[member].data() + begin : nullptr;
  }

 private:
  std::vector<std::vector<double>> sums_;
};

/// The linear parts of the members of an ensemble.
inline std::vector<Linear> LinearOf(const Ensemble& ensemble) {
  std::vector<Linear> linear;
  for (const Member& member : ensemble.members) linear.push_back(member.linear);
  return linear;
}

}  // namespace rankforest::detail
