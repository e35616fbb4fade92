#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest {

/// Makes values non-decreasing and puts them into [0, 1]: the cumulative probabilities that are
/// nearest to them in squared difference. What descends is pooled to its mean (Ayer, Brunk, Ewing,
/// Reid and Silverman, "An empirical distribution function for sampling with incomplete
/// information", Annals of Mathematical Statistics 26, 1955); clipping that is the nearest within
/// bounds, too.
class CumulativeCorrection {
 public:
  void operator()(Span<double> values) {
    pools_.clear();
    for (const double value : values) {
      pools_.push_back({value, 1});
      while (pools_.size() > 1 && pools_[pools_.size() - 2].Mean() > pools_.back().Mean()) {
        const Pool last = pools_.back();
        pools_.pop_back();
        pools_.back().sum += last.sum;
        pools_.back().size += last.size;
      }
    }
    std::size_t i = 0;
    for (const Pool& pool : pools_) {
      const double mean = std::clamp(pool.Mean(), 0.0, 1.0);
      for (std::size_t k = 0; k < pool.size; ++k) values[i++] = mean;
    }
  }

 private:
  /// Neighbours that share their mean.
  struct Pool {
    double sum;
    std::size_t size;
    [[nodiscard]] double Mean() const { return sum / static_cast<double>(size); }
  };

  std::vector<Pool> pools_;
};

/// The probability of each grade, of documents whose cumulative probabilities were estimated one by
/// one: what these, corrected, rise by from one grade to the next.
///
/// @param cumulative  of each problem, by document
/// @param out         document by document, one more than there are problems; each in [0, 1], and a
///                    document's sum is 1 but for rounding
inline void ClassProbabilities(const std::vector<std::vector<double>>& cumulative,
                               Span<double> out) {
  const std::size_t n_problems = cumulative.size();
  const std::size_t n_documents = cumulative.front().size();
  assert(out.size() == n_documents * (n_problems + 1));
  CumulativeCorrection correct;
  std::vector<double> values(n_problems);
  for (std::size_t d = 0; d < n_documents; ++d) {
    for (std::size_t c = 0; c < n_problems; ++c) values[c] = cumulative[c][d];
    correct(values);
    const Span<double> shares = out.subspan(d * (n_problems + 1), n_problems + 1);
    double before = 0.0;
    for (std::size_t c = 0; c < n_problems; ++c) {
      shares[c] = values[c] - before;
      before = values[c];
    }
    shares[n_problems] = 1.0 - before;
  }
}

}  // namespace rankforest
