#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// What the costs of features are a part of.
enum class CostNormalization : std::uint8_t {
  kRootImpurity = 0,  ///< costs are shares of their sum, and gains of the impurity of the root
  kNone = 1,          ///< costs are in the unit of the gain: Mohan 2010
};

/// How much the costs of features count for splits.
struct CostSettings {
  double weight = 0.0;  ///< lambda, >= 0; 0: not at all
  CostNormalization normalization = CostNormalization::kRootImpurity;
  double tree_cost = 1.0;  ///< of evaluating a tree, >= 0: for reports, splits do not depend on it
};

/// What the next split by each feature would be charged: lambda times its cost as long as nothing
/// has paid for it, 0 from then on (Mohan 2010, section 6.1).
class FeatureCharges {
 public:
  FeatureCharges() = default;

  /// @param features  null: nothing is ever charged
  FeatureCharges(const CostSettings& settings, const FeatureCosts* features)
      : is_relative_(settings.normalization == CostNormalization::kRootImpurity) {
    if (features == nullptr || !(settings.weight > 0.0)) return;
    const double total = features->Total();
    if (!(total > 0.0)) return;
    group_of_ = features->group_of;
    for (const double cost : features->costs) {
      costs_.push_back(settings.weight * (is_relative_ ? cost / total : cost));
    }
    Begin({});
  }

  /// Whether any feature is charged where nothing is paid.
  [[nodiscard]] bool exist() const { return !costs_.empty(); }
  /// Whether a charge of 1 is as much as the impurity of a tree's root, or a gain of 1.
  [[nodiscard]] bool are_relative() const { return is_relative_; }
  /// Whether any feature is charged now.
  [[nodiscard]] bool any() const { return n_charged_ > 0; }

  double operator[](FeatureId feature) const { return charges_[feature]; }

  /// A new tree.
  ///
  /// @param paid  of each feature whether it is; empty: none is
  void Begin(Span<const std::uint8_t> paid) {
    if (!exist()) return;
    charges_.resize(group_of_.size());
    for (std::size_t f = 0; f < charges_.size(); ++f) charges_[f] = costs_[group_of_[f]];
    n_charged_ = static_cast<std::size_t>(std::count_if(
        charges_.begin(), charges_.end(), [](double charge) { return charge > 0.0; }));
    for (std::size_t f = 0; f < paid.size(); ++f) {
      if (paid[f] != 0) Pay(static_cast<FeatureId>(f));
    }
  }

  /// Pays for a feature and its group.
  ///
  /// @returns those that were charged until now, ascending; valid until the next call
  Span<const FeatureId> Pay(FeatureId feature) {
    freed_.clear();
    if (!exist() || !(charges_[feature] > 0.0)) return freed_;
    for (std::size_t f = 0; f < charges_.size(); ++f) {
      if (group_of_[f] != group_of_[feature]) continue;
      charges_[f] = 0.0;
      freed_.push_back(static_cast<FeatureId>(f));
    }
    n_charged_ -= freed_.size();
    return freed_;
  }

 private:
  bool is_relative_ = true;
  std::vector<double> costs_;            // of each group, times lambda
  std::vector<std::uint32_t> group_of_;  // of each feature
  std::vector<double> charges_;          // likewise
  std::size_t n_charged_ = 0;            // features
  std::vector<FeatureId> freed_;         // by the last Pay()
};

}  // namespace rankforest
