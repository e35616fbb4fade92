#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/train/linear_settings.hpp"
#include "rankforest/train/rank_svm_objective.hpp"
#include "rankforest/train/row_products.hpp"

namespace rankforest::detail {

/// Minimises a RankSvmObjective by truncated Newton steps.
class RankSvmSolver {
 public:
  RankSvmSolver(RankSvmObjective& objective, std::size_t n_features,
                const RankSvmSettings& settings)
      : objective_(objective),
        settings_(settings),
        w_(n_features, 0.0),
        gradient_(n_features),
        step_(n_features),
        diagonal_(n_features),
        residual_(n_features),
        direction_(n_features),
        curved_(n_features) {
    value_ = objective_.Set(w_, gradient_);
  }

  [[nodiscard]] const std::vector<double>& weights() const { return w_; }
  [[nodiscard]] double value() const { return value_; }

  /// Takes a step. Returns whether there is another to take.
  bool Step() {
    objective_.Diagonal(diagonal_);
    Solve();
    const double slope = DotOf(gradient_, step_);
    if (!(slope < 0.0)) return false;
    const double before = value_;
    std::vector<double> moved(w_.size());
    double length = 1.0;
    for (int halving = 0; halving < kMostHalvings; ++halving, length *= 0.5) {
      for (std::size_t f = 0; f < w_.size(); ++f) moved[f] = w_[f] + length * step_[f];
      if (objective_.ValueAt(moved) <= before + kEnough * length * slope) {
        w_ = std::move(moved);
        value_ = objective_.Set(w_, gradient_);
        return -0.5 * slope > settings_.tolerance * value_;
      }
    }
    objective_.Set(w_, gradient_);
    return false;  // as low as float64 can tell
  }

 private:
  static constexpr int kMostHalvings = 40;
  static constexpr double kEnough = 1e-4;
  static constexpr int kMostSolverSteps = 500;

  /// Finds step_ with curvature x step_ = -gradient_, roughly, by conjugate gradients that are
  /// preconditioned by the diagonal.
  void Solve() {
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t f = 0; f < w_.size(); ++f) {
      residual_[f] = -gradient_[f];
      direction_[f] = residual_[f] / diagonal_[f];
    }
    double size = DotOf(residual_, direction_);
    const double target = kExactness * kExactness * size;
    for (int i = 0; i < kMostSolverSteps && size > target && size > 0.0; ++i) {
      objective_.Curve(direction_, curved_);
      const double length = size / DotOf(direction_, curved_);
      double next = 0.0;
      for (std::size_t f = 0; f < w_.size(); ++f) {
        step_[f] += length * direction_[f];
        residual_[f] -= length * curved_[f];
        next += residual_[f] * (residual_[f] / diagonal_[f]);
      }
      for (std::size_t f = 0; f < w_.size(); ++f) {
        direction_[f] = residual_[f] / diagonal_[f] + next / size * direction_[f];
      }
      size = next;
    }
  }

  static constexpr double kExactness = 0.1;  // of a step

  RankSvmObjective& objective_;
  RankSvmSettings settings_;
  std::vector<double> w_;
  std::vector<double> gradient_;
  std::vector<double> step_;
  std::vector<double> diagonal_;
  std::vector<double> residual_;
  std::vector<double> direction_;
  std::vector<double> curved_;
  double value_ = 0.0;
};

}  // namespace rankforest::detail
