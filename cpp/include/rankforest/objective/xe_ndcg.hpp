#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/metric/text.hpp"
#include "rankforest/objective/lambda_settings.hpp"
#include "rankforest/objective/pair_row.hpp"
#include "rankforest/objective/query_work.hpp"

namespace rankforest {

namespace detail {

/// The gradients of one query at a time: see XeNdcg. The memory of one thread.
class XeNdcgQuery {
 public:
  explicit XeNdcgQuery(LambdaLeaf leaf) : leaf_(leaf) {}

  /// Writes out[r] for each r of `rows`, the documents of a query.
  /// @param weights  of all documents, as `grades` and `scores`; empty: 1 each
  /// @param rng      of this query in this round
  void Compute(Span<const RowId> rows, Span<const double> grades, Span<const double> scores,
               Span<const double> weights, Rng rng, Span<GradientPair> out) {
    const double weight = Fill(rows, grades, scores, weights, rng);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double rho = softmax_[i];
      const double own = weights.empty() ? 1.0 : weights[rows[i]];
      out[rows[i]] = {weight * (rho - target_[i]),
                      leaf_ == LambdaLeaf::kMean ? own : weight * rho * (1.0 - rho)};
    }
  }

 private:
  /// Sets both distributions, and returns what the query weighs: 0 where it teaches nothing.
  double Fill(Span<const RowId> rows, Span<const double> grades, Span<const double> scores,
              Span<const double> weights, Rng& rng) {
    const std::size_t n = rows.size();
    softmax_.resize(n);
    target_.resize(n);
    double best = scores[rows[0]];
    for (const RowId row : rows) best = std::max(best, scores[row]);
    for (std::size_t i = 0; i < n; ++i) target_[i] = scores[rows[i]];
    CallWide(OddsBelow{best, kLog2E, target_.data(), n, softmax_.data()});
    Sums sums;
    bool is_flat = true;
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = weights.empty() ? 1.0 : weights[rows[i]];
      const double grade = grades[rows[i]];
      is_flat = is_flat && grade == grades[rows[0]];
      softmax_[i] *= weight;
      target_[i] = weight * (Exp2(grade) - rng.Uniform());
      sums.weights += weight;
      sums.squares += weight * weight;
      sums.odds += softmax_[i];
      sums.targets += target_[i];
    }
    if (is_flat || !(sums.odds > 0.0) || !(sums.targets > 0.0)) return SetToNothing();
    for (std::size_t i = 0; i < n; ++i) {
      softmax_[i] /= sums.odds;
      target_[i] /= sums.targets;
    }
    return sums.squares / sums.weights;
  }

  double SetToNothing() {
    std::fill(softmax_.begin(), softmax_.end(), 0.0);
    std::fill(target_.begin(), target_.end(), 0.0);
    return 0.0;
  }

  struct Sums {
    double weights = 0.0;
    double squares = 0.0;
    double odds = 0.0;
    double targets = 0.0;
  };

  LambdaLeaf leaf_;
  std::vector<double> softmax_;  // of the scores
  std::vector<double> target_;   // what it is to be
};

}  // namespace detail

/// Cross entropy of the softmax of a query's scores to a distribution of its grades that is drawn
/// anew in every round: 2^grade - gamma, with gamma uniform in [0, 1), over the query's sum of
/// these. The loss bounds NDCG from above.
///
/// Bruch, "An alternative cross entropy loss for learning-to-rank", WWW 2021.
///
/// The gradient is the first derivative and the hessian the diagonal of the second one; the paper
/// approximates the inverse of the whole matrix by further terms, which this leaves out.
/// A document of weight w counts as w documents in both distributions, and the query as much as
/// its documents weigh, by the weights themselves; so a document of weight 0 is not there. Queries
/// whose documents all have one grade teach nothing and have no gradients.
///
/// What a query draws depends on the round's stream and on the query's place in the canonical
/// order.
class XeNdcg {
 public:
  /// @param leaf  which leaf values a tree gets
  explicit XeNdcg(LambdaLeaf leaf = LambdaLeaf::kNewton) : leaf_(leaf) {}

  class Run {
   public:
    Run(const XeNdcg& settings, const TrainingSet& training)
        : data_(training.data),
          work_(training),
          workers_(static_cast<std::size_t>(training.threads.count),
                   detail::XeNdcgQuery(settings.leaf_)) {}

    [[nodiscard]] double BaseScore(const RowSample& /*sample*/) const { return 0.0; }

    /// Writes out[r] for each document of the sample.
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& rng) {
      constexpr std::size_t kCostOfDocument = 20;
      work_.ForEach(
          sample, [](std::size_t n) { return kCostOfDocument * n; },
          [&](std::size_t worker, std::size_t query, Span<const RowId> documents) {
            workers_[worker].Compute(documents, data_.grades(), scores, data_.weights(),
                                     rng.Child(Purpose::kObjective, query), out);
          });
    }

   private:
    const Dataset& data_;
    detail::QueryWork work_;
    std::vector<detail::XeNdcgQuery> workers_;  // of each thread
  };

  /// @throws std::invalid_argument  for a grade above 1,000, whose power of two is beyond float64
  [[nodiscard]] Run Start(const TrainingSet& training) const {
    constexpr double kHighest = 1000.0;  // sums over a query are finite, too
    const Span<const double> grades = training.data.grades();
    const double highest = *std::max_element(grades.begin(), grades.end());
    if (highest > kHighest) {
      throw std::invalid_argument(
          "grades must be at most 1000 for objective=\"xe_ndcg\", which takes 2^grade; the highest "
          "is " +
          detail::NumberToString(highest));
    }
    return Run(*this, training);
  }

 private:
  LambdaLeaf leaf_;
};

}  // namespace rankforest
