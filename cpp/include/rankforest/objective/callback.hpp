#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest {

/// A round of a caller's objective, in canonical order: the sampled documents, whole queries.
struct CallbackRound {
  std::vector<double> grades;
  std::vector<double> scores;
  std::vector<RowId> offsets;     ///< of the queries in the arrays; one more than there are
  std::vector<RowId> rows;        ///< the caller's row number of each document
  std::vector<double> gradients;  ///< to be filled, one a document
  std::vector<double> hessians;   ///< to be filled, >= 0
};

/// An objective that a function computes, once per round.
class CallbackObjective {
 public:
  using Function = std::function<void(CallbackRound&)>;

  explicit CallbackObjective(Function function) : function_(std::move(function)) {}

  class Run {
   public:
    Run(const CallbackObjective& settings, const TrainingSet& training)
        : function_(settings.function_), data_(training.data) {}

    [[nodiscard]] double BaseScore(const RowSample& /*sample*/) const { return 0.0; }

    /// Throws std::invalid_argument where the function's answer is not one finite gradient and
    /// one finite hessian >= 0 a document.
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& /*rng*/) {
      CallbackRound round = Gather(sample, scores);
      function_(round);
      Check(round);
      for (std::size_t i = 0; i < sample.rows.size(); ++i) {
        const RowId r = sample.rows[i];
        const double weight = data_.weights().empty() ? 1.0 : data_.weights()[r];
        out[r] = {weight * round.gradients[i], weight * round.hessians[i]};
      }
    }

   private:
    [[nodiscard]] CallbackRound Gather(const RowSample& sample, Span<const double> scores) const {
      CallbackRound round;
      for (const RowId r : sample.rows) {
        round.grades.push_back(data_.grades()[r]);
        round.scores.push_back(scores[r]);
        round.rows.push_back(data_.order()[r]);
      }
      round.offsets.push_back(0);
      for (const QueryRange& query : QueryRanges(data_, sample)) {
        round.offsets.push_back(static_cast<RowId>(query.end));
      }
      return round;
    }

    static void Check(const CallbackRound& round) {
      const std::size_t n = round.scores.size();
      if (round.gradients.size() != n || round.hessians.size() != n) {
        throw std::invalid_argument("objective must return " + std::to_string(n) +
                                    " gradients and as many hessians, got " +
                                    std::to_string(round.gradients.size()) + " and " +
                                    std::to_string(round.hessians.size()));
      }
      for (std::size_t i = 0; i < n; ++i) {
        const double grad = round.gradients[i];
        const double hess = round.hessians[i];
        if (std::isfinite(grad) && std::isfinite(hess) && hess >= 0.0) continue;
        throw std::invalid_argument(
            "objective must return finite gradients and finite hessians >= 0, got " +
            detail::NumberToString(grad) + " and " + detail::NumberToString(hess) + " for row " +
            std::to_string(round.rows[i]));
      }
    }

    Function function_;
    const Dataset& data_;
  };

  [[nodiscard]] Run Start(const TrainingSet& training) const { return Run(*this, training); }

 private:
  Function function_;
};

}  // namespace rankforest
