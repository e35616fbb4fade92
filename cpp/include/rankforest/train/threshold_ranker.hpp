#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/float_order.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// A weak ranker: 1 for documents whose value is above a threshold, 0 for the others; documents
/// without a value get one or the other.
struct ThresholdRanker {
  FeatureId feature = 0;
  float threshold = 0.0F;
  bool missing_is_above = false;
  double gain = 0.0;  ///< the sum of the potentials of the documents with 1; 0: none was found

  /// The ranker times `weight`, as a tree.
  [[nodiscard]] Tree AsTree(float weight) const {
    Tree tree;
    tree.nodes = {{feature, threshold, ~0, ~1, missing_is_above ? ~1 : ~0}};
    tree.leaves = {0.0F, weight};
    tree.gains = {static_cast<float>(std::abs(gain))};
    return tree;
  }
};

namespace detail {

/// Finds the ranker of one feature whose gain is furthest from 0; of equal ones that of the lowest
/// threshold, and the one whose missing values are below.
///
/// @tparam Column  PresortedColumn or BinnedColumn
template <class Column>
class ThresholdSearch {
 public:
  /// @param n_thresholds  tried at most, at equal distances among all; none: all
  ThresholdSearch(FeatureId feature, const Column& column,
                  std::optional<std::uint32_t> n_thresholds)
      : column_(column), n_thresholds_(n_thresholds) {
    best_.feature = feature;
  }

  [[nodiscard]] ThresholdRanker Find(Span<const double> potentials, std::vector<double>& sums) {
    const std::size_t n = column_.n_values();
    if (column_.is_constant()) return best_;
    sums.assign(n + 1, 0.0);
    for (std::size_t d = 0; d < potentials.size(); ++d) sums[column_.codes[d]] += potentials[d];
    const double missing = sums[n];
    double above = 0.0;
    for (std::size_t code = n; code-- > 0;) {  // sums of all codes above
      const double own = sums[code];
      sums[code] = above;
      above += own;
    }
    std::size_t last = n;  // the last code that documents have
    std::size_t cut = 0;
    for (std::size_t code = 0; code < n; ++code) {
      if (column_.Lowest(AsCode(code)) > column_.Highest(AsCode(code))) continue;
      if (last < n && IsTried(cut++, n - 1)) {
        Consider(Midpoint(column_.Highest(AsCode(last)), column_.Lowest(AsCode(code))), sums[last],
                 missing);
      }
      last = code;
    }
    if (missing != 0.0) Consider(std::numeric_limits<float>::infinity(), 0.0, missing);
    return best_;
  }

 private:
  using Code = typename std::decay_t<decltype(std::declval<Column>().codes)>::value_type;

  static Code AsCode(std::size_t code) { return static_cast<Code>(code); }

  /// Whether threshold number `cut` of `n_cuts` is among those that are tried.
  [[nodiscard]] bool IsTried(std::size_t cut, std::size_t n_cuts) const {
    if (!n_thresholds_ || n_cuts <= *n_thresholds_) return true;
    const std::size_t k = *n_thresholds_;
    // The i-th of k is number (i + 1) n_cuts / (k + 1), rounded down.
    const std::size_t i = (cut * (k + 1) + n_cuts - 1) / n_cuts;
    return i >= 1 && i <= k && i * n_cuts / (k + 1) == cut;
  }

  void Consider(float threshold, double above, double missing) {
    ConsiderOne(threshold, above, false);
    if (missing != 0.0) ConsiderOne(threshold, above + missing, true);
  }

  void ConsiderOne(float threshold, double gain, bool missing_is_above) {
    if (!(std::abs(gain) > std::abs(best_.gain))) return;
    best_.threshold = threshold;
    best_.gain = gain;
    best_.missing_is_above = missing_is_above;
  }

  const Column& column_;
  std::optional<std::uint32_t> n_thresholds_;
  ThresholdRanker best_;
};

}  // namespace detail

/// The ranker of all features whose gain is furthest from 0, that of the lowest feature if several
/// are.
///
/// @tparam Columns  Presorted or BinnedColumns
template <class Columns>
ThresholdRanker BestThresholdRanker(const Columns& columns, Span<const double> potentials,
                                    std::optional<std::uint32_t> n_thresholds, Threads threads) {
  std::vector<ThresholdRanker> of_features(columns.n_features());
  std::vector<std::vector<double>> sums(WorkerCount(threads, of_features.size()));
  ParallelFor(threads, of_features.size(), [&](std::size_t f, std::size_t worker) {
    const auto feature = static_cast<FeatureId>(f);
    detail::ThresholdSearch<typename Columns::Column> search(feature, columns.column(feature),
                                                             n_thresholds);
    of_features[f] = search.Find(potentials, sums[worker]);
  });
  ThresholdRanker best;
  for (const ThresholdRanker& ranker : of_features) {
    if (std::abs(ranker.gain) > std::abs(best.gain)) best = ranker;
  }
  return best;
}

}  // namespace rankforest
