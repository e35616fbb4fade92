#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "rankforest/core/linear.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/train/linear_data.hpp"

namespace rankforest::detail {

/// Products of the rows of a data set and weights. Sums go by eight lanes and by chunks of rows,
/// whatever the number of threads.
class RowProducts {
 public:
  explicit RowProducts(const LinearData& data) : data_(data) {}

  /// out[d] = the sum over the features of weights[f] x_df.
  void Scores(Span<const double> weights, Span<double> out) const {
    ParallelChunks(data_.threads(), out.size(), kRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t d = begin; d < end; ++d) {
        CallWide(Dot{data_.Row(d), weights.data(), weights.size(), out[d]});
      }
    });
  }

  /// out[f] = the sum over the documents of weights[d] g(x_df).
  ///
  /// @param add  (row, weight, partial sums) adds a document to the sums of its chunk
  template <class AddRow>
  void Columns(Span<const double> weights, Span<double> out, const AddRow& add) {
    const std::size_t m = out.size();
    const std::size_t n_chunks = (weights.size() + kRows - 1) / kRows;
    partial_.assign(n_chunks * m, 0.0);
    ParallelChunks(data_.threads(), weights.size(), kRows, [&](std::size_t begin, std::size_t end) {
      double* sums = partial_.data() + begin / kRows * m;
      for (std::size_t d = begin; d < end; ++d) {
        if (weights[d] != 0.0) add(data_.Row(d), weights[d], sums);
      }
    });
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t c = 0; c < n_chunks; ++c) {
      for (std::size_t f = 0; f < m; ++f) out[f] += partial_[c * m + f];
    }
  }

  void Columns(Span<const double> weights, Span<double> out) {
    const std::size_t m = out.size();
    Columns(weights, out, [m](const float* row, double weight, double* sums) {
      CallWide(AddScaled{row, weight, sums, m});
    });
  }

 private:
  static constexpr std::size_t kRows = 4096;

  struct Dot {
    const float* row;
    const double* weights;
    std::size_t n;
    double& out;

    [[gnu::always_inline]] void operator()() const {
      std::array<double, kLinearLanes> lanes{};
      std::size_t i = 0;
      for (; i + kLinearLanes <= n; i += kLinearLanes) {
        for (std::size_t k = 0; k < kLinearLanes; ++k) {
          lanes[k] += weights[i + k] * static_cast<double>(row[i + k]);
        }
      }
      for (std::size_t k = 0; i + k < n; ++k) {
        lanes[k] += weights[i + k] * static_cast<double>(row[i + k]);
      }
      out = SumOfLanes(lanes.data());
    }
  };

  struct AddScaled {
    const float* row;
    double weight;
    double* sums;
    std::size_t n;

    [[gnu::always_inline]] void operator()() const {
      for (std::size_t f = 0; f < n; ++f) sums[f] += weight * static_cast<double>(row[f]);
    }
  };

  const LinearData& data_;
  std::vector<double> partial_;  // [chunk][feature]
};

inline double DotOf(Span<const double> a, Span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace rankforest::detail
