#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/train/broof_iteration.hpp"

namespace rankforest {

// How wrong a forest of BROOF is about each document: (iteration) -> errors, NaN where there is no
// prediction.

namespace detail {

/// The median; of an even number of values the mean of the middle two. Reorders them.
inline double MedianOf(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2.0;
}

}  // namespace detail

/// |target - prediction| (algorithm 2); where the next targets are what a step leaves over, that
/// is |target - learning rate x prediction| (algorithm 5).
struct AbsoluteErrors {
  bool is_of_step = false;

  std::vector<double> operator()(const BroofIteration& now) const {
    const double factor = is_of_step ? now.learning_rate : 1.0;
    std::vector<double> errors(now.predictions.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
      errors[i] = std::abs(now.targets[i] - factor * now.predictions[i]);
    }
    return errors;
  }
};

/// How far a prediction is from the median of those of the same grade, in all queries together: as
/// the paper defines it in the text. Its algorithm 3 has positions in place of predictions.
struct MedianErrors {
  std::vector<double> operator()(const BroofIteration& now) const {
    std::map<double, std::vector<double>> by_grade;
    for (std::size_t i = 0; i < now.predictions.size(); ++i) {
      const double prediction = now.predictions[i];
      if (!std::isnan(prediction)) by_grade[detail::GradeOf(now, i)].push_back(prediction);
    }
    std::map<double, double> medians;
    for (auto& [grade, predictions] : by_grade) medians[grade] = detail::MedianOf(predictions);
    std::vector<double> errors(now.predictions);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (std::isnan(errors[i])) continue;
      errors[i] = std::abs(medians.at(detail::GradeOf(now, i)) - errors[i]);
    }
    return errors;
  }
};

/// The irrelevant documents of the query that are predicted above a relevant document, or the
/// relevant ones below an irrelevant one (algorithm 4). A document is relevant if its grade is
/// above 0. Documents with the same prediction are above and below each other by half.
struct HeightErrors {
  /// Whether to count them as a share of all irrelevant, or relevant, documents of the query; 0
  /// where there are none.
  bool is_share = true;

  std::vector<double> operator()(const BroofIteration& now) const {
    std::vector<double> errors(now.predictions.size(), std::numeric_limits<double>::quiet_NaN());
    for (const QueryRange& query : QueryRanges(now.data, now.rows)) {
      std::vector<std::size_t> ranked;
      for (std::size_t i = query.begin; i < query.end; ++i) {
        if (!std::isnan(now.predictions[i])) ranked.push_back(i);
      }
      std::sort(ranked.begin(), ranked.end(), [&](std::size_t a, std::size_t b) {
        return now.predictions[a] > now.predictions[b];
      });
      CountIn(now, ranked, errors);
    }
    return errors;
  }

 private:
  /// Of some documents.
  struct Count {
    double relevant = 0.0;
    double irrelevant = 0.0;

    void Add(const BroofIteration& now, std::size_t i) {
      (detail::GradeOf(now, i) > 0.0 ? relevant : irrelevant) += 1.0;
    }
  };

  /// @param ranked  documents of one query, highest prediction first
  void CountIn(const BroofIteration& now, const std::vector<std::size_t>& ranked,
               std::vector<double>& errors) const {
    Count all;
    for (const std::size_t i : ranked) all.Add(now, i);
    Count above;
    for (std::size_t begin = 0; begin < ranked.size();) {
      Count tied;
      std::size_t end = begin;
      while (end < ranked.size() &&
             now.predictions[ranked[end]] == now.predictions[ranked[begin]]) {
        tied.Add(now, ranked[end++]);
      }
      for (; begin < end; ++begin) {
        const std::size_t i = ranked[begin];
        const bool is_relevant = detail::GradeOf(now, i) > 0.0;
        const double height = is_relevant ? above.irrelevant + tied.irrelevant / 2.0
                                          : all.relevant - above.relevant - tied.relevant / 2.0;
        const double others = is_relevant ? all.irrelevant : all.relevant;
        errors[i] = !is_share ? height : others > 0.0 ? height / others : 0.0;
      }
      above.relevant += tied.relevant;
      above.irrelevant += tied.irrelevant;
    }
  }
};

/// Errors divided by the largest of the iteration; none where all are 0.
template <class Errors>
class SharesOfLargestError {
 public:
  explicit SharesOfLargestError(Errors errors) : errors_(std::move(errors)) {}

  std::vector<double> operator()(const BroofIteration& now) const {
    std::vector<double> errors = errors_(now);
    double largest = 0.0;
    for (const double error : errors) largest = error > largest ? error : largest;
    if (largest > 0.0) {
      for (double& error : errors) error /= largest;
    }
    return errors;
  }

 private:
  Errors errors_;
};

}  // namespace rankforest
