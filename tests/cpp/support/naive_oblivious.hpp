#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/feature_charges.hpp"
#include "rankforest/tree/limits.hpp"
#include "support/naive_newton_gain.hpp"

namespace rankforest::testing {

/// Grows an oblivious tree as plainly as possible: at each level it tries every feature, every
/// boundary between values of all documents and either side for NaN, and sums the targets of every
/// node anew in float64. Oracle for the grower, whose sums are exact for such targets as
/// NaiveTree's.
class NaiveOblivious {
 public:
  struct Question {
    FeatureId feature = 0;
    float threshold = 0.0F;
    bool missing_right = false;
    double gain = 0.0;
  };

  NaiveOblivious(const Dataset& data, const std::vector<GradientPair>& targets,
                 const TreeLimits& limits, const Newton& newton, const RowSample& sample,
                 const FeatureCosts* costs = nullptr)
      : data_(data), targets_(targets), newton_(newton), limits_(limits), costs_(costs) {
    min_count_ = limits.min_samples_leaf.Count(sample.size());
    Documents all;
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
      for (std::uint32_t k = 0; k < sample.Count(i); ++k) all.push_back(sample.rows[i]);
    }
    impurity_ = Impurity(all);
    std::vector<Documents> nodes = {all};
    leaf_nodes_ = {0};
    while (questions_.size() < MostLevels(limits)) {
      Question best = Best(all, nodes);
      if (!(best.gain - ChargeOf(best.feature) > limits.min_gain)) break;
      if (costs != nullptr) paid_groups_.insert(costs->group_of[best.feature]);
      if (!SawMissing(all, best.feature)) best.missing_right = RightIsHeavier(all, best);
      questions_.push_back(best);
      Divide(best, nodes);
    }
    nodes_ = std::move(nodes);
  }

  [[nodiscard]] const std::vector<Question>& questions() const { return questions_; }

  /// The value of each leaf of the full tree, from left to right.
  [[nodiscard]] std::vector<double> Leaves() const {
    std::vector<double> leaves;
    for (const std::size_t node : leaf_nodes_) {
      const Sum sum = SumOf(nodes_[node]);
      const double denominator = sum.hess + newton_.l2;
      leaves.push_back(denominator > 0.0 ? -sum.grad / denominator : 0.0);
    }
    return leaves;
  }

 private:
  using Documents = std::vector<RowId>;  // repeats as often as they were drawn
  struct Sum {
    double grad = 0.0;
    double hess = 0.0;
  };

  [[nodiscard]] bool IsRight(RowId row, const Question& question) const {
    const float value = data_.Features(row)[question.feature];
    return std::isnan(value) ? question.missing_right : value > question.threshold;
  }

  [[nodiscard]] std::pair<Documents, Documents> Parts(const Documents& node,
                                                      const Question& question) const {
    std::pair<Documents, Documents> parts;
    for (const RowId row : node) {
      (IsRight(row, question) ? parts.second : parts.first).push_back(row);
    }
    return parts;
  }

  [[nodiscard]] bool Divides(const std::pair<Documents, Documents>& parts) const {
    const auto fits = [&](const Documents& part) {
      return part.size() >= min_count_ && SumOf(part).hess >= newton_.min_hessian;
    };
    return fits(parts.first) && fits(parts.second);
  }

  Question Best(const Documents& all, const std::vector<Documents>& nodes) const {
    Question best;
    for (FeatureId f = 0; f < data_.n_features(); ++f) {
      for (const float threshold : Thresholds(all, f)) {
        for (const bool missing_right : {false, true}) {
          if (missing_right && !SawMissing(all, f)) continue;
          Question question{f, threshold, missing_right, 0.0};
          for (const Documents& node : nodes) {
            const auto parts = Parts(node, question);
            if (Divides(parts))
              question.gain += NaiveNewtonGain(SumOf(parts.first), SumOf(parts.second), newton_.l2);
          }
          // The first of equal ones stays.
          const double worth = question.gain - ChargeOf(f);
          if (worth > (best.gain > 0.0 ? best.gain - ChargeOf(best.feature) : 0.0)) best = question;
        }
      }
    }
    return best;
  }

  [[nodiscard]] double ChargeOf(FeatureId feature) const {
    if (costs_ == nullptr || costs_->Total() == 0.0) return 0.0;
    if (paid_groups_.count(costs_->group_of[feature]) != 0) return 0.0;
    const double charge = limits_.costs.weight * costs_->costs[costs_->group_of[feature]];
    const bool is_share = limits_.costs.normalization == CostNormalization::kRootImpurity;
    return is_share ? charge / costs_->Total() * impurity_ : charge;
  }

  /// The sum of squares around the mean, each divided by its hessian.
  [[nodiscard]] double Impurity(const Documents& documents) const {
    const Sum all = SumOf(documents);
    double impurity = 0.0;
    for (const RowId row : documents) {
      const auto [grad, hess] = targets_[row];
      const double off = hess > 0.0 ? grad / hess - all.grad / all.hess : 0.0;
      impurity += hess * off * off;
    }
    return impurity;
  }

  void Divide(const Question& question, std::vector<Documents>& nodes) {
    std::vector<Documents> below;
    std::vector<std::pair<std::size_t, std::size_t>> children;  // of each node, in `below`
    for (const Documents& node : nodes) {
      auto parts = Parts(node, question);
      const std::size_t left = below.size();
      if (Divides(parts)) {
        below.push_back(std::move(parts.first));
        below.push_back(std::move(parts.second));
        children.emplace_back(left, left + 1);
      } else {
        below.push_back(node);
        children.emplace_back(left, left);
      }
    }
    std::vector<std::size_t> leaves;
    for (const std::size_t node : leaf_nodes_) {
      leaves.push_back(children[node].first);
      leaves.push_back(children[node].second);
    }
    leaf_nodes_ = std::move(leaves);
    nodes = std::move(below);
  }

  [[nodiscard]] bool SawMissing(const Documents& all, FeatureId feature) const {
    for (const RowId row : all) {
      if (std::isnan(data_.Features(row)[feature])) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<float> Thresholds(const Documents& all, FeatureId feature) const {
    std::set<float> values;
    for (const RowId row : all) {
      const float value = data_.Features(row)[feature];
      if (!std::isnan(value)) values.insert(value);
    }
    std::vector<float> thresholds;
    if (values.empty()) return thresholds;
    for (auto value = values.begin(); std::next(value) != values.end(); ++value) {
      const auto middle = static_cast<float>(
          (static_cast<double>(*value) + static_cast<double>(*std::next(value))) / 2);
      thresholds.push_back(middle < *std::next(value) ? middle : *value);
    }
    if (SawMissing(all, feature)) thresholds.push_back(std::numeric_limits<float>::max());
    return thresholds;
  }

  [[nodiscard]] bool RightIsHeavier(const Documents& all, const Question& question) const {
    double more_left = 0.0;
    for (const RowId row : all) {
      const double weight = data_.weights().empty() ? 1.0 : data_.weights()[row];
      more_left += IsRight(row, question) ? -weight : weight;
    }
    return more_left < 0.0;
  }

  [[nodiscard]] Sum SumOf(const Documents& documents) const {
    Sum sum;
    for (const RowId row : documents) {
      sum.grad += targets_[row].grad;
      sum.hess += targets_[row].hess;
    }
    return sum;
  }

  const Dataset& data_;
  const std::vector<GradientPair>& targets_;
  Newton newton_;
  TreeLimits limits_;
  const FeatureCosts* costs_;
  std::uint64_t min_count_ = 1;
  double impurity_ = 0.0;
  std::set<std::uint32_t> paid_groups_;
  std::vector<Question> questions_;
  std::vector<Documents> nodes_;
  std::vector<std::size_t> leaf_nodes_;  // of each leaf of the full tree: its node
};

}  // namespace rankforest::testing
