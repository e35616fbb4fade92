#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/train/linear_data.hpp"
#include "rankforest/train/pair_margins.hpp"
#include "rankforest/train/row_products.hpp"

namespace rankforest::detail {

/// The objective 1/2 |w|^2 + C sum over queries of their weight x PairMargins' loss, its gradient
/// and its second derivatives.
class RankSvmObjective {
 public:
  RankSvmObjective(const LinearData& data, double cost)
      : data_(data),
        cost_(cost),
        products_(data),
        scores_(data.n_documents()),
        slopes_(data.n_documents()),
        moved_(data.n_documents()) {
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      queries_.emplace_back(
          data.grades().subspan(data.offsets()[q], data.offsets()[q + 1] - data.offsets()[q]));
      weights_.push_back(data.QueryWeight(q));
      n_pairs_ += weights_[q] > 0.0 ? queries_[q].n_pairs() : 0.0;
    }
    losses_.resize(queries_.size());
  }

  [[nodiscard]] double n_pairs() const { return n_pairs_; }

  /// The value at `w`; what follows is about this point.
  double Set(Span<const double> w, Span<double> gradient) {
    products_.Scores(w, scores_);
    std::fill(slopes_.begin(), slopes_.end(), 0.0);
    const double loss = Loss(scores_, slopes_);
    products_.Columns(slopes_, gradient);
    for (std::size_t f = 0; f < w.size(); ++f) gradient[f] += w[f];
    return 0.5 * DotOf(w, w) + loss;
  }

  /// The value at `w` alone.
  double ValueAt(Span<const double> w) {
    products_.Scores(w, moved_);
    return 0.5 * DotOf(w, w) + Loss(moved_, {});
  }

  /// out = the second derivatives times v.
  void Curve(Span<const double> v, Span<double> out) {
    products_.Scores(v, moved_);
    std::fill(slopes_.begin(), slopes_.end(), 0.0);
    ForQueries([&](std::size_t q, Span<double> slopes) {
      queries_[q].AddCurvature(OfQueryIn(moved_, q), slopes);
      for (double& slope : slopes) slope *= cost_ * weights_[q];
    });
    products_.Columns(slopes_, out);
    for (std::size_t f = 0; f < v.size(); ++f) out[f] += v[f];
  }

  /// About the diagonal of the second derivatives: what it would be if documents had no part in the
  /// differences of pairs but their distance from the middle of their query.
  void Diagonal(Span<double> out) {
    std::vector<double>& counts = slopes_;
    std::fill(counts.begin(), counts.end(), 0.0);
    ForQueries([&](std::size_t q, Span<double> of_query) {
      queries_[q].AddCounts(of_query);
      for (double& count : of_query) count *= 2.0 * cost_ * weights_[q];
    });
    const std::size_t m = out.size();
    products_.Columns(counts, out, [m](const float* row, double weight, double* sums) {
      for (std::size_t f = 0; f < m; ++f) {
        sums[f] += weight * (static_cast<double>(row[f]) * static_cast<double>(row[f]));
      }
    });
    SubtractMiddles(counts, out);
    for (double& value : out) value = 1.0 + std::max(value, 0.0);
  }

 private:
  [[nodiscard]] Span<double> OfQueryIn(std::vector<double>& values, std::size_t q) const {
    const std::size_t begin = data_.offsets()[q];
    return Span<double>(values).subspan(begin, data_.offsets()[q + 1] - begin);
  }

  template <class Body>
  void ForQueries(const Body& body) {
    ParallelChunks(data_.threads(), queries_.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t q = begin; q < end; ++q) {
        if (weights_[q] > 0.0) body(q, OfQueryIn(slopes_, q));
      }
    });
  }

  double Loss(std::vector<double>& scores, Span<double> slopes) {
    ForQueries([&](std::size_t q, Span<double> of_query) {
      const Span<double> wanted = slopes.empty() ? Span<double>() : of_query;
      losses_[q] = cost_ * weights_[q] * queries_[q].SetScores(OfQueryIn(scores, q), wanted);
      for (double& slope : wanted) slope *= cost_ * weights_[q];
    });
    double loss = 0.0;
    for (const double of_query : losses_) loss += of_query;
    return loss;
  }

  /// Subtracts, for each query, (sum of weight x)^2 / sum of weight.
  void SubtractMiddles(std::vector<double>& weights, Span<double> out) {
    constexpr std::size_t kQueries = 64;
    const std::size_t m = out.size();
    const std::size_t n_chunks = (queries_.size() + kQueries - 1) / kQueries;
    std::vector<double> partial(n_chunks * m, 0.0);
    ParallelChunks(data_.threads(), queries_.size(), kQueries,
                   [&](std::size_t begin, std::size_t end) {
                     std::vector<double> sums(m);
                     double* total = partial.data() + begin / kQueries * m;
                     for (std::size_t q = begin; q < end; ++q) {
                       AddMiddle(q, OfQueryIn(weights, q), sums, total);
                     }
                   });
    for (std::size_t c = 0; c < n_chunks; ++c) {
      for (std::size_t f = 0; f < m; ++f) out[f] -= partial[c * m + f];
    }
  }

  void AddMiddle(std::size_t q, Span<const double> weights, std::vector<double>& sums,
                 double* total) const {
    std::fill(sums.begin(), sums.end(), 0.0);
    double whole = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0.0) continue;
      const float* row = data_.Row(data_.offsets()[q] + i);
      for (std::size_t f = 0; f < sums.size(); ++f) {
        sums[f] += weights[i] * static_cast<double>(row[f]);
      }
      whole += weights[i];
    }
    if (whole == 0.0) return;
    for (std::size_t f = 0; f < sums.size(); ++f) total[f] += sums[f] * sums[f] / whole;
  }

  const LinearData& data_;
  double cost_;
  RowProducts products_;
  std::vector<PairMargins> queries_;
  std::vector<double> weights_;  // of each query
  double n_pairs_ = 0.0;
  std::vector<double> losses_;  // of each query
  std::vector<double> scores_;
  std::vector<double> slopes_;  // by document
  std::vector<double> moved_;   // scores of other weights
};

}  // namespace rankforest::detail
