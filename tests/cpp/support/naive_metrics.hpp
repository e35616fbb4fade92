#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/metric/metric.hpp"

namespace rankforest::testing {

// The definitions of the metrics, written down as plainly as possible: oracles for the fast ones.

inline double NaiveGain(const MetricSettings& s, double grade) {
  if (s.grade == GradeRule::kTrunc) grade = std::trunc(grade);
  if (s.gain.rule == GainRule::kLinear) return grade;
  if (s.gain.rule == GainRule::kTable) return s.gain.table.at(static_cast<std::size_t>(grade));
  return std::pow(2.0, grade) - 1.0;
}

inline double NaiveDiscount(const MetricSettings& s, std::size_t rank_from_1) {
  const auto r = static_cast<double>(rank_from_1);
  if (s.discount == Discount::kLetor) return rank_from_1 <= 2 ? 1.0 : 1.0 / std::log2(r);
  if (s.discount == Discount::kReciprocal) return 1.0 / r;
  return 1.0 / std::log2(r + 1.0);
}

inline double NaiveDcg(const MetricSettings& s, const std::vector<double>& ranked, std::size_t k) {
  double dcg = 0.0;
  for (std::size_t r = 1; r <= std::min(k, ranked.size()); ++r) {
    dcg += NaiveGain(s, ranked[r - 1]) * NaiveDiscount(s, r);
  }
  return dcg;
}

inline double NaiveNdcg(const MetricSettings& s, const std::vector<double>& ranked, std::size_t k) {
  std::vector<double> best = ranked;
  std::sort(best.begin(), best.end(), std::greater<>());
  return NaiveDcg(s, ranked, k) / NaiveDcg(s, best, k);
}

inline std::size_t NaiveRelevant(const MetricSettings& s, const std::vector<double>& ranked,
                                 std::size_t k) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < std::min(k, ranked.size()); ++r) {
    count += s.threshold.Passes(ranked[r]) ? 1U : 0U;
  }
  return count;
}

inline double NaiveAveragePrecision(const MetricSettings& s, const std::vector<double>& ranked) {
  double sum = 0.0;
  for (std::size_t r = 1; r <= std::min(s.cutoff, ranked.size()); ++r) {
    if (!s.threshold.Passes(ranked[r - 1])) continue;
    sum += static_cast<double>(NaiveRelevant(s, ranked, r)) / static_cast<double>(r);
  }
  if (s.divisor == Divisor::kFound) {
    return sum == 0.0 ? 0.0 : sum / static_cast<double>(NaiveRelevant(s, ranked, s.cutoff));
  }
  const std::size_t all = NaiveRelevant(s, ranked, ranked.size());
  const bool capped = s.divisor == Divisor::kMin;
  return sum / static_cast<double>(capped ? std::min(all, s.cutoff) : all);
}

inline double NaiveErr(const MetricSettings& s, const std::vector<double>& ranked) {
  double err = 0.0;
  double reached = 1.0;
  const bool of_query = s.gmax.source == HighestGrade::Source::kQuery;
  const double gmax = of_query ? *std::max_element(ranked.begin(), ranked.end()) : s.gmax.number;
  const double scale = s.gain.rule == GainRule::kLinear ? 1.0 / gmax : std::pow(2.0, -gmax);
  for (std::size_t r = 1; r <= std::min(s.cutoff, ranked.size()); ++r) {
    const double stop = NaiveGain(s, ranked[r - 1]) * scale;
    err += reached * stop / static_cast<double>(r);
    reached *= 1.0 - stop;
  }
  return err;
}

inline double NaiveReciprocalRank(const MetricSettings& s, const std::vector<double>& ranked) {
  for (std::size_t r = 1; r <= std::min(s.cutoff, ranked.size()); ++r) {
    if (s.threshold.Passes(ranked[r - 1])) return 1.0 / static_cast<double>(r);
  }
  return 0.0;
}

inline double NaiveRecall(const MetricSettings& s, const std::vector<double>& ranked) {
  return static_cast<double>(NaiveRelevant(s, ranked, s.cutoff)) /
         static_cast<double>(NaiveRelevant(s, ranked, ranked.size()));
}

inline double NaiveRbp(const MetricSettings& s, const std::vector<double>& ranked) {
  double sum = 0.0;
  for (std::size_t r = 0; r < std::min(s.cutoff, ranked.size()); ++r) {
    if (s.threshold.Passes(ranked[r])) sum += std::pow(s.persistence, static_cast<double>(r));
  }
  return (1.0 - s.persistence) * sum;
}

/// The area under the ROC curve, a step function, over s.fpr.
inline double NaiveAuc(const MetricSettings& s, const std::vector<double>& ranked) {
  const auto positives = static_cast<double>(NaiveRelevant(s, ranked, ranked.size()));
  const double negatives = static_cast<double>(ranked.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return std::nan("");
  double area = 0.0;
  double above = 0.0;
  double passed = 0.0;
  for (const double grade : ranked) {
    if (s.threshold.Passes(grade)) {
      ++above;
      continue;
    }
    const double left = std::max(passed / negatives, s.fpr.low);
    const double right = std::min((passed + 1.0) / negatives, s.fpr.high);
    if (right > left) area += (right - left) * above / positives;
    ++passed;
  }
  return area;
}

/// Concordant pairs, and pairs of different grades.
inline std::pair<double, double> NaivePairs(const std::vector<double>& ranked) {
  double concordant = 0.0;
  double pairs = 0.0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    for (std::size_t j = i + 1; j < ranked.size(); ++j) {
      concordant += ranked[i] > ranked[j] ? 1.0 : 0.0;
      pairs += ranked[i] != ranked[j] ? 1.0 : 0.0;
    }
  }
  return {concordant, pairs};
}

/// Without ties in scores.
inline double NaiveKendallTau(const MetricSettings& s, const std::vector<double>& ranked) {
  const auto [concordant, pairs] = NaivePairs(ranked);
  const auto n = static_cast<double>(ranked.size());
  const double all = n * (n - 1.0) / 2.0;
  return (2.0 * concordant - pairs) / (s.variant == TauVariant::kA ? all : std::sqrt(all * pairs));
}

/// The value of one ranking, best rank first, of a query that is not empty; NaN for an empty one.
inline double NaiveValue(const Metric& metric, const std::vector<double>& ranked) {
  const MetricSettings& s = metric.settings();
  const std::size_t n = ranked.size();
  if (s.short_list == ShortList::kZero && n < s.cutoff) return 0.0;
  switch (s.kind) {
    case MetricKind::kNdcg:
      return NaiveNdcg(s, ranked, s.cutoff);
    case MetricKind::kDcg:
      return NaiveDcg(s, ranked, s.cutoff);
    case MetricKind::kMeanNdcg: {
      double sum = 0.0;
      for (std::size_t k = 1; k <= n; ++k) sum += NaiveNdcg(s, ranked, k);
      return sum / static_cast<double>(n);
    }
    case MetricKind::kMap:
      return NaiveAveragePrecision(s, ranked);
    case MetricKind::kErr:
      return NaiveErr(s, ranked);
    case MetricKind::kPrecision: {
      const std::size_t divisor = s.divisor == Divisor::kMin ? std::min(s.cutoff, n) : s.cutoff;
      return static_cast<double>(NaiveRelevant(s, ranked, s.cutoff)) / static_cast<double>(divisor);
    }
    case MetricKind::kReciprocalRank:
      return NaiveReciprocalRank(s, ranked);
    case MetricKind::kRecall:
      return NaiveRecall(s, ranked);
    case MetricKind::kRankBiasedPrecision:
      return NaiveRbp(s, ranked);
    case MetricKind::kAuc:
      return NaiveAuc(s, ranked);
    case MetricKind::kPairAccuracy: {
      const auto [concordant, pairs] = NaivePairs(ranked);
      return concordant / pairs;
    }
    case MetricKind::kKendallTau: {
      const auto [concordant, pairs] = NaivePairs(ranked);
      return pairs == 0.0 ? std::nan("") : NaiveKendallTau(s, ranked);
    }
    case MetricKind::kRmse:
      break;
  }
  throw std::invalid_argument("no ranking metric");
}

/// NaiveValue of every ranking that the scores allow: all orders of tied documents, each once.
inline std::vector<double> NaiveValues(const Metric& metric, const std::vector<double>& scores,
                                       const std::vector<double>& grades) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> values;
  do {
    std::vector<double> ranked;
    bool sorted = true;
    for (std::size_t r = 0; r < order.size(); ++r) {
      sorted = sorted && (r == 0 || scores[order[r - 1]] >= scores[order[r]]);
      ranked.push_back(grades[order[r]]);
    }
    if (sorted) values.push_back(NaiveValue(metric, ranked));
  } while (std::next_permutation(order.begin(), order.end()));
  return values;
}

}  // namespace rankforest::testing
