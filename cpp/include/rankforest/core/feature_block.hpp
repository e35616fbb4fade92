#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"

namespace rankforest::detail {

/// Some features of some documents, turned into columns: rows lie far apart in the caller's
/// memory, so each is read once for as many features as a cache line holds.
class FeatureBlock {
 public:
  static constexpr std::size_t kMostFeatures = 16;  // floats of a cache line

  /// Copies the features [first, last) of the documents document(0), ..., document(n - 1).
  /// Infinities become the largest numbers: no threshold lies between the two.
  template <class DocumentOf>
  void Load(const Dataset& data, std::size_t first, std::size_t last, std::size_t n,
            const DocumentOf& document) {
    n_ = n;
    stride_ = n + kMostFeatures;  // a power of two would put all columns into the same cache sets
    columns_.resize((last - first) * stride_);
    for (std::size_t i = 0; i < n; ++i) {
      const float* const ahead = data.Features(document(std::min(i + kAhead, n - 1)));
      Prefetch(ahead + first);
      Prefetch(ahead + last - 1);
      const float* const features = data.Features(document(i)) + first;
      for (std::size_t f = 0; f < last - first; ++f) {
        columns_[f * stride_ + i] = Finite(features[f]);
      }
    }
  }

  /// The values of feature first + f.
  [[nodiscard]] Span<const float> Column(std::size_t f) const {
    return {columns_.data() + f * stride_, n_};
  }

 private:
  static constexpr std::size_t kAhead = 8;

  /// NaN stays NaN, by the order of the arguments.
  static float Finite(float value) {
    return std::min(std::max(value, std::numeric_limits<float>::lowest()),
                    std::numeric_limits<float>::max());
  }

  std::size_t n_ = 0;
  std::size_t stride_ = 0;
  std::vector<float> columns_;
};

}  // namespace rankforest::detail
