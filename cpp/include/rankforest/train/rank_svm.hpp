#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/linear.hpp"
#include "rankforest/core/query_normalization.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/train/linear_data.hpp"
#include "rankforest/train/linear_rounds.hpp"
#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/rank_svm_objective.hpp"
#include "rankforest/train/rank_svm_solver.hpp"

namespace rankforest {

/// What RankSVM found.
struct RankSvmReport {
  double objective = 0.0;  ///< at the model's weights
  std::size_t n_iterations = 0;
};

/// A linear model by support vectors: minimises 1/2 |w|^2 + C x the sum, over all pairs of
/// documents of a query with different grades, of max(0, 1 - w (x_better - x_worse))^2. The pairs
/// of a query count by its weight, the mean of its documents'.
///
/// Newton steps, each solved by conjugate gradients up to a tenth; rounds are steps.
///
/// Joachims, "Optimizing search engines using clickthrough data", KDD 2002; Lee and Lin,
/// "Large-scale linear RankSVM", Neural Computation 26, 2014.
class RankSvm {
 public:
  /// @param report  gets what is known of the optimum; null: not needed
  explicit RankSvm(const RankSvmSettings& settings, RankSvmReport* report = nullptr)
      : settings_(settings), report_(report) {}

  void Prepare(const TrainingSet& /*training*/) const {}

  [[nodiscard]] Member Train(const TrainingSet& training, const RowSample& sample,
                             const Rng& /*rng*/, Monitor& monitor) const {
    const QueryNormalization kind = settings_.linear.query_normalization;
    const LinearData data(training, sample, kind);
    detail::RankSvmObjective objective(data, settings_.cost);
    if (objective.n_pairs() == 0.0) {
      throw std::invalid_argument(
          "RankSVM needs a query with documents of different grades, and there is none");
    }
    detail::RankSvmSolver solver(objective, data.n_features(), settings_);
    LinearRounds rounds(monitor, training.threads);
    bool goes_on = true;
    for (std::uint32_t i = 0; i < settings_.max_iterations && goes_on; ++i) {
      goes_on = solver.Step();
      goes_on = rounds.Add(LinearOf(solver.weights(), kind)) && goes_on;
    }
    Member model = rounds.Kept(rounds.size());
    if (report_ != nullptr) {
      std::vector<double> weights(data.n_features(), 0.0);
      for (const Linear::Term& term : model.linear.terms) {
        weights[term.feature] = static_cast<double>(term.weight);
      }
      *report_ = {objective.ValueAt(weights), rounds.size()};
    }
    return model;
  }

  [[nodiscard]] Member Continue(const TrainingSet& /*training*/, const RowSample& /*sample*/,
                                const Rng& /*rng*/, Monitor& /*monitor*/, Member /*start*/) const {
    throw std::invalid_argument("RankSVM does not go on from a model");
  }

 private:
  RankSvmSettings settings_;
  RankSvmReport* report_;
};

}  // namespace rankforest
