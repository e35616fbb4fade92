#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/split/drawing.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/split/sweep.hpp"

namespace rankforest {

using GradedNode = NodeRows<GradedTarget>;
using GradedSplit = Split<Graded::Stats>;
template <class Columns>
using GradedSweep = Sweep<typename Columns::Column, GradedTarget, Graded::Stats>;

/// Which thresholds of a feature a node looks at.
enum class ThresholdRule : std::uint8_t {
  kEvery = 0,  ///< those between any two neighbouring values
  kDrawn = 1,  ///< one, drawn between the smallest and the largest value
};

/// Chooses the split of a node. One call for each tree and node, whatever the criterion.
class GradedSearch {
 public:
  GradedSearch() = default;
  GradedSearch(const GradedSearch&) = delete;
  GradedSearch& operator=(const GradedSearch&) = delete;
  virtual ~GradedSearch() = default;

  virtual void BeginTree(const GradedNode& documents) = 0;
  /// These documents are a node of the tree: told of every node by criteria that look at all.
  virtual void Settle(const GradedNode& node) = 0;
  [[nodiscard]] virtual bool is_global() const = 0;
  /// Of the documents of a tree, after BeginTree(): the unit of what features are charged.
  [[nodiscard]] virtual double Impurity(const GradedNode& documents) = 0;
  [[nodiscard]] virtual GradedSplit Best(const GradedNode& node, const SplitRules& rules,
                                         const Rng& node_rng) = 0;
  /// Brings a split that Best() found, or did not find, before `features` became free up to date.
  virtual void Revisit(const GradedNode& node, const SplitRules& rules, const Rng& node_rng,
                       Span<const FeatureId> features, GradedSplit& split) = 0;
};

/// Whether a criterion looks at the whole tree: it has Settle(node).
template <class Criterion, class = void>
struct IsGlobal : std::false_type {};
template <class Criterion>
struct IsGlobal<Criterion, std::void_t<decltype(std::declval<Criterion&>().Settle(
                               std::declval<const GradedNode&>()))>> : std::true_type {};

/// The split of the largest gain over the features that a node draws.
///
/// It runs on one thread: forests have trees enough for all of them.
template <class Criterion, class Columns>
class LargestGain final : public GradedSearch {
 public:
  LargestGain(const Columns& columns, Criterion criterion, ThresholdRule thresholds,
              std::size_t features_per_node)
      : columns_(columns),
        criterion_(std::move(criterion)),
        thresholds_(thresholds),
        features_per_node_(features_per_node) {}

  void BeginTree(const GradedNode& documents) override { criterion_.BeginTree(documents); }
  void Settle(const GradedNode& node) override {
    if constexpr (IsGlobal<Criterion>::value) criterion_.Settle(node);
  }
  bool is_global() const override { return IsGlobal<Criterion>::value; }

  double Impurity(const GradedNode& documents) override {
    return criterion_.Begin(documents) ? criterion_.Impurity() : 0.0;
  }

  GradedSplit Best(const GradedNode& node, const SplitRules& rules, const Rng& node_rng) override {
    GradedSplit best;
    if (!criterion_.Begin(node)) return best;
    DrawFeatures(rules, features_per_node_, columns_.n_features(), node_rng, drawn_);
    for (const FeatureId feature : drawn_) Look(feature, node, rules, node_rng, best);
    return best;
  }

  void Revisit(const GradedNode& node, const SplitRules& rules, const Rng& node_rng,
               Span<const FeatureId> features, GradedSplit& split) override {
    if (!criterion_.Begin(node)) return;
    DrawFeatures(rules, features_per_node_, columns_.n_features(), node_rng, drawn_);
    for (const FeatureId feature : features) {
      if (!std::binary_search(drawn_.begin(), drawn_.end(), feature)) continue;
      Look(feature, node, rules, node_rng, split);
    }
  }

 private:
  void Look(FeatureId feature, const GradedNode& node, const SplitRules& rules, const Rng& node_rng,
            GradedSplit& best) {
    const auto& column = columns_.column(feature);
    if (column.is_constant() || !rules.Admits(feature)) return;
    rules.worth.FindIn(feature, rules.min_gain, best, [&](GradedSplit& found) {
      Visitor visitor{criterion_, rules.min_gain, 0.0, found};
      GradedSweep<Columns> sweep(column, feature, node, rules, keys_);
      if (thresholds_ == ThresholdRule::kEvery) {
        sweep.EveryThreshold(visitor);
      } else {
        sweep.DrawnThreshold(node_rng, visitor);
      }
    });
  }

  /// Keeps the best split that a sweep shows.
  struct Visitor {
    Criterion& criterion;
    double min_gain;
    double gain;
    GradedSplit& best;

    void Clear() { criterion.Clear(); }
    void MoveLeft(std::size_t i) { criterion.MoveLeft(i); }
    bool Considers() {
      gain = criterion.Gain();
      return gain > min_gain && gain >= best.gain;
    }
    void Take(GradedSplit split) {
      split.gain = gain;
      if (IsBetter(split, best)) best = split;
    }
  };

  const Columns& columns_;
  Criterion criterion_;
  ThresholdRule thresholds_;
  std::size_t features_per_node_;
  std::vector<FeatureId> drawn_;
  std::vector<std::uint64_t> keys_;
};

/// A random split, whatever it gains: RF-rand (Ibrahim 2020, section 6.1, which leaves open how a
/// split point is drawn). Of the features in random order the first that can split the node; of its
/// splits, by every threshold or by one drawn threshold, each with the same probability. Every
/// split counts as a gain of 1; features are passed over where it is not worth it.
template <class Columns>
class RandomSplit final : public GradedSearch {
 public:
  RandomSplit(const Columns& columns, ThresholdRule thresholds)
      : columns_(columns), thresholds_(thresholds) {}

  void BeginTree(const GradedNode& /*documents*/) override {}
  void Settle(const GradedNode& /*node*/) override {}
  bool is_global() const override { return false; }

  double Impurity(const GradedNode& /*documents*/) override { return 1.0; }

  void Revisit(const GradedNode& node, const SplitRules& rules, const Rng& node_rng,
               Span<const FeatureId> /*features*/, GradedSplit& split) override {
    split = Best(node, rules, node_rng);
  }

  GradedSplit Best(const GradedNode& node, const SplitRules& rules, const Rng& node_rng) override {
    Visitor visitor{node_rng.Child(Purpose::kSplit, 0), 0, {}};
    if (!(1.0 > rules.min_gain)) return visitor.drawn;
    order_.resize(columns_.n_features());
    for (std::size_t f = 0; f < order_.size(); ++f) order_[f] = static_cast<FeatureId>(f);
    Rng feature_rng = node_rng.Child(Purpose::kFeatures, 0);
    for (std::size_t k = 0; k < order_.size() && visitor.n_seen == 0; ++k) {
      const auto left = static_cast<std::uint32_t>(order_.size() - k);
      std::swap(order_[k], order_[k + feature_rng.Below(left)]);
      const auto& column = columns_.column(order_[k]);
      const double charge = rules.worth.ChargeOf(order_[k]);
      if (column.is_constant() || !(1.0 - charge > rules.min_gain)) continue;
      if (!rules.Admits(order_[k])) continue;
      visitor.drawn.charge = charge;
      GradedSweep<Columns> sweep(column, order_[k], node, rules, keys_);
      if (thresholds_ == ThresholdRule::kEvery) {
        sweep.EveryThreshold(visitor);
      } else {
        sweep.DrawnThreshold(node_rng, visitor);
      }
    }
    return visitor.drawn;
  }

 private:
  /// Keeps each of the splits that a sweep shows with the same probability.
  struct Visitor {
    Rng rng;
    std::uint32_t n_seen;
    GradedSplit drawn;

    static void Clear() {}
    static void MoveLeft(std::size_t /*i*/) {}
    bool Considers() { return rng.Below(++n_seen) == 0; }
    void Take(GradedSplit split) {
      split.gain = 1.0;
      split.charge = drawn.charge;
      drawn = split;
    }
  };

  const Columns& columns_;
  ThresholdRule thresholds_;
  std::vector<FeatureId> order_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace rankforest
