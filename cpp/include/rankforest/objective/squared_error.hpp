#pragma once

#include <cstdint>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/relevance.hpp"

namespace rankforest {

/// What boosting starts from.
enum class InitialScore : std::uint8_t {
  kMean = 0,  ///< the weighted mean grade of the training documents
  kZero = 1,  ///< 0, as in Mohan 2010, section 2.3
};

/// Half the squared difference of score and grade: point-wise regression (Mohan 2010, section
/// 2). Its hessian is the document's weight.
class SquaredError {
 public:
  explicit SquaredError(InitialScore initial_score = InitialScore::kMean)
      : initial_score_(initial_score) {}

  class Run {
   public:
    Run(InitialScore initial_score, const Dataset& data)
        : initial_score_(initial_score), data_(data) {}

    [[nodiscard]] double BaseScore(const RowSample& sample) const {
      if (initial_score_ == InitialScore::kZero) return 0.0;
      double sum = 0.0;
      double weights = 0.0;
      for (std::size_t i = 0; i < sample.rows.size(); ++i) {
        const double weight = Weight(sample.rows[i]) * sample.Count(i);
        sum += weight * data_.grades()[sample.rows[i]];
        weights += weight;
      }
      return weights > 0.0 ? sum / weights : 0.0;
    }

    /// Writes out[r] for each document of the sample.
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& /*rng*/) {
      const Span<const double> grades = data_.grades();
      for (const RowId r : sample.rows) {
        const double weight = Weight(r);
        out[r] = {weight * (scores[r] - grades[r]), weight};
      }
    }

   private:
    [[nodiscard]] double Weight(RowId r) const {
      return data_.weights().empty() ? 1.0 : data_.weights()[r];
    }

    InitialScore initial_score_;
    const Dataset& data_;
  };

  /// @throws std::invalid_argument  for a grade that float32 cannot hold
  [[nodiscard]] Run Start(const TrainingSet& training) const {
    RequirePredictableGrades(training.data.grades(), Relevance::kGrade);
    return {initial_score_, training.data};
  }

 private:
  InitialScore initial_score_;
};

}  // namespace rankforest
