#pragma once

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/relevance.hpp"

namespace rankforest {

/// Half the squared difference of score and relevance: a step from score 0 predicts the mean
/// relevance of a leaf's documents, as the trees of a point-wise forest do (Ibrahim 2020, sections
/// 5.1 and 5.2).
class MeanRelevance {
 public:
  explicit MeanRelevance(Relevance relevance = Relevance::kGrade) : relevance_(relevance) {}

  class Run {
   public:
    Run(Relevance relevance, const Dataset& data) : relevance_(relevance), data_(data) {}

    /// Writes out[r] for each document of the sample.
    void Gradients(const RowSample& sample, Span<const double> scores, Span<GradientPair> out,
                   const Rng& /*rng*/) {
      for (const RowId r : sample.rows) {
        const double weight = data_.weights().empty() ? 1.0 : data_.weights()[r];
        out[r] = {weight * (scores[r] - RelevanceOf(data_.grades()[r], relevance_)), weight};
      }
    }

   private:
    Relevance relevance_;
    const Dataset& data_;
  };

  /// @throws std::invalid_argument  for a grade whose relevance float32 cannot hold
  [[nodiscard]] Run Start(const TrainingSet& training) const {
    RequirePredictableGrades(training.data.grades(), relevance_);
    return {relevance_, training.data};
  }

 private:
  Relevance relevance_;
};

}  // namespace rankforest
