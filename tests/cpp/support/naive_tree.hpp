#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/feature_charges.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/limits.hpp"
#include "support/naive_newton_gain.hpp"

namespace rankforest::testing {

struct NaiveSettings {
  TreeLimits limits;
  std::size_t features_per_node = 1;
  Newton newton;
  bool random_threshold = false;
  std::optional<FeatureCosts> costs = std::nullopt;  ///< see TreeLimits::costs
  std::vector<std::uint8_t> paid = {};               ///< of each feature; empty: none is
  FeatureConstraints constraints = {};  ///< sets and limits of them only where all are drawn
};

/// Grows a tree as plainly as possible: at every node it tries every drawn feature, boundary and
/// placement of NaN, and sums the targets of every child anew in float64. Oracle for TreeGrower.
///
/// Where targets are small multiples of a power of two all its sums are exact, so that equal
/// gains are equal floats. Every gain is checked against its definition: the drop of the
/// quadratic loss. Where features have costs, every leaf is searched anew after each split.
class NaiveTree {
 public:
  struct Document {
    RowId row = 0;
    std::uint32_t count = 1;
  };
  using Documents = std::vector<Document>;

  NaiveTree(const Dataset& data, const std::vector<GradientPair>& targets, NaiveSettings settings)
      : data_(data), targets_(targets), settings_(std::move(settings)) {}

  [[nodiscard]] Tree Grow(const RowSample& sample, const Rng& rng) {
    nodes_.clear();
    min_count_ = settings_.limits.min_samples_leaf.Count(sample.size());
    Documents all;
    paid_groups_.clear();
    used_.clear();
    for (FeatureId f = 0; f < settings_.paid.size(); ++f) {
      if (settings_.paid[f] != 0) Pay(f);
    }
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
      all.push_back({sample.rows[i], sample.Count(i)});
    }
    impurity_ = Impurity(all);
    AddNode("", std::move(all), rng, {});
    std::size_t n_leaves = 1;
    for (Node* node = Next(); node != nullptr; node = Next()) {
      const std::size_t n_children = node->split->missing == MissingTo::kOwn ? 3 : 2;
      n_leaves += n_children - 1;
      if (n_leaves > settings_.limits.max_leaf_nodes.value_or(1000000)) {
        n_leaves -= n_children - 1;
        node->split.reset();  // stays a leaf
        node->is_leaf = true;
        continue;
      }
      node->is_inner = true;
      Pay(node->split->feature);
      std::set<FeatureId> on_path = node->on_path;
      on_path.insert(node->split->feature);
      for (std::size_t side = 0; side < n_children; ++side) {
        AddNode(node->path + static_cast<char>('0' + side), node->split->children[side],
                node->rng.Child(Purpose::kNode, side), on_path);
      }
      if (settings_.costs || settings_.constraints.most_features) SearchLeaves();
    }
    Tree tree;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    Emit("", {-kInfinite, kInfinite}, tree);
    return tree;
  }

  /// The largest gain of any split of a node with these documents that keeps to the limits.
  [[nodiscard]] double LargestGain(const Documents& documents, const Rng& rng) {
    const std::optional<Candidate> best = BestSplit(documents, rng, {});
    return best ? best->gain : 0.0;
  }

 private:
  struct Sum {
    double grad = 0.0;
    double hess = 0.0;
    std::uint64_t count = 0;
  };
  struct Candidate {
    double gain = 0.0;
    double worth = 0.0;
    FeatureId feature = 0;
    float threshold = 0.0F;
    MissingTo missing = MissingTo::kLeft;
    bool saw_missing = false;
    std::array<Documents, 3> children;
  };
  struct Node {
    std::string path;  ///< the sides from the root: '0' left, '1' right, '2' third child
    Documents documents;
    Rng rng{0};
    std::set<FeatureId> on_path;  ///< that its ancestors ask for
    std::optional<Candidate> split;
    bool is_inner = false;
    bool is_leaf = false;  ///< for good
  };

  void Pay(FeatureId feature) {
    used_.insert(feature);
    if (settings_.costs) paid_groups_.insert(settings_.costs->group_of[feature]);
  }

  /// Whether constraints let a node ask for a feature.
  [[nodiscard]] bool MayAsk(std::set<FeatureId> on_path, FeatureId feature) const {
    const FeatureConstraints& constraints = settings_.constraints;
    const bool is_full = constraints.most_features && used_.size() >= *constraints.most_features;
    if (is_full && used_.count(feature) == 0) return false;
    on_path.insert(feature);
    const auto holds_path = [&](const std::vector<FeatureId>& set) {
      return std::all_of(on_path.begin(), on_path.end(), [&](FeatureId f) {
        return std::find(set.begin(), set.end(), f) != set.end();
      });
    };
    const auto& sets = constraints.interactions;
    return sets.empty() || std::any_of(sets.begin(), sets.end(), holds_path);
  }

  [[nodiscard]] int DirectionOf(FeatureId feature) const {
    const auto& directions = settings_.constraints.directions;
    return directions.empty() ? 0 : directions[feature];
  }

  [[nodiscard]] double ChargeOf(FeatureId feature) const {
    if (!settings_.costs) return 0.0;
    const std::uint32_t group = settings_.costs->group_of[feature];
    if (paid_groups_.count(group) != 0 || settings_.costs->Total() == 0.0) return 0.0;
    const double charge = settings_.limits.costs.weight * settings_.costs->costs[group];
    const bool is_share = settings_.limits.costs.normalization == CostNormalization::kRootImpurity;
    return is_share ? charge / settings_.costs->Total() * impurity_ : charge;
  }

  /// The sum of squares around the mean, each divided by its hessian.
  [[nodiscard]] double Impurity(const Documents& documents) const {
    const Sum all = SumOf(documents);
    double impurity = 0.0;
    for (const Document& document : documents) {
      const auto [grad, hess] = targets_[document.row];
      if (!(hess > 0.0)) continue;
      const double off = grad / hess - all.grad / all.hess;
      impurity += document.count * hess * off * off;
    }
    return impurity;
  }

  void SearchLeaves() {
    for (auto& [path, node] : nodes_) {
      if (node.is_inner || node.is_leaf) continue;
      if (path.size() >= settings_.limits.max_depth.value_or(1000000)) continue;
      node.split = BestSplit(node.documents, node.rng, node.on_path);
    }
  }

  void AddNode(const std::string& path, Documents documents, const Rng& rng,
               const std::set<FeatureId>& on_path) {
    Node node{path, std::move(documents), rng, on_path, std::nullopt, false};
    if (path.size() < settings_.limits.max_depth.value_or(1000000)) {
      node.split = BestSplit(node.documents, rng, on_path);
    }
    nodes_.emplace(path, std::move(node));
  }

  /// The node to split next; none if no leaf can be split.
  Node* Next() {
    Node* next = nullptr;
    const auto comes_first = [&](const Node& a, const Node& b) {
      const bool by_gain = settings_.limits.grow_policy == GrowPolicy::kBestFirst;
      if (by_gain && a.split->worth != b.split->worth) return a.split->worth > b.split->worth;
      if (a.path.size() != b.path.size()) return a.path.size() < b.path.size();
      return a.path < b.path;
    };
    for (auto& [path, node] : nodes_) {
      if (node.is_inner || !node.split) continue;
      if (next == nullptr || comes_first(node, *next)) next = &node;
    }
    return next;
  }

  std::optional<Candidate> BestSplit(const Documents& documents, const Rng& rng,
                                     const std::set<FeatureId>& on_path) {
    std::optional<Candidate> best;
    Rng of_features = rng.Child(Purpose::kFeatures, 0);
    for (const FeatureId feature :
         of_features.Sample(static_cast<std::uint32_t>(data_.n_features()),
                            static_cast<std::uint32_t>(settings_.features_per_node))) {
      if (!MayAsk(on_path, feature)) continue;
      for (const float threshold : Thresholds(documents, feature, rng)) {
        for (const MissingTo missing : {MissingTo::kLeft, MissingTo::kRight, MissingTo::kOwn}) {
          std::optional<Candidate> split = Try(documents, feature, threshold, missing);
          if (!split) continue;
          split->worth = split->gain - ChargeOf(feature);
          if (!(split->worth > settings_.limits.min_gain)) continue;
          // In ascending order: the first of equal ones stays.
          if (!best || split->worth > best->worth) best = std::move(split);
        }
      }
    }
    return best;
  }

  std::vector<float> Thresholds(const Documents& documents, FeatureId feature, const Rng& rng) {
    std::set<float> values;
    bool has_missing = false;
    for (const Document& document : documents) {
      const float value = data_.Features(document.row)[feature];
      std::isnan(value) ? (void)(has_missing = true) : (void)values.insert(value);
    }
    std::vector<float> thresholds;
    if (values.empty()) return thresholds;
    if (settings_.random_threshold) {
      const double low = *values.begin();
      const double high = *values.rbegin();
      if (low == high) return thresholds;
      const auto drawn = static_cast<float>(
          low + rng.Child(Purpose::kThreshold, feature).Uniform() * (high - low));
      return {drawn < *values.rbegin() ? drawn : *values.begin()};
    }
    for (auto value = values.begin(); std::next(value) != values.end(); ++value) {
      const auto middle = static_cast<float>(
          (static_cast<double>(*value) + static_cast<double>(*std::next(value))) / 2);
      thresholds.push_back(middle < *std::next(value) ? middle : *value);
    }
    // Infinity goes with NaN there, so that such a split has a direction, too.
    if (has_missing) thresholds.push_back(std::numeric_limits<float>::max());
    return thresholds;
  }

  /// This split, if it is one and gains enough.
  std::optional<Candidate> Try(const Documents& documents, FeatureId feature, float threshold,
                               MissingTo missing) {
    Candidate split;
    split.feature = feature;
    split.threshold = threshold;
    split.missing = missing;
    for (const Document& document : documents) {
      const float value = data_.Features(document.row)[feature];
      split.saw_missing = split.saw_missing || std::isnan(value);
      const std::size_t side =
          std::isnan(value) ? static_cast<std::size_t>(missing) : (value <= threshold ? 0U : 1U);
      split.children[side].push_back(document);
    }
    if (!split.saw_missing && missing != MissingTo::kLeft) return std::nullopt;
    if (missing == MissingTo::kOwn && settings_.limits.missing == MissingRule::kLearn) {
      return std::nullopt;
    }
    const std::size_t n_children = missing == MissingTo::kOwn ? 3 : 2;
    for (std::size_t side = 0; side < n_children; ++side) {
      const Sum sum = SumOf(split.children[side]);
      if (sum.count < min_count_ || sum.hess < settings_.newton.min_hessian) return std::nullopt;
    }
    const double step = Value(split.children[1]) - Value(split.children[0]);
    const int direction = std::isinf(threshold) ? 0 : DirectionOf(feature);
    if (direction != 0 && !(direction * step > 0.0)) return std::nullopt;
    split.gain = Gain(documents, split.children, n_children);
    if (!(split.gain > settings_.limits.min_gain)) return std::nullopt;
    if (!split.saw_missing) {
      split.missing = WeightOf(split.children[0]) >= WeightOf(split.children[1])
                          ? MissingTo::kLeft
                          : MissingTo::kRight;
    }
    return split;
  }

  [[nodiscard]] double Gain(const Documents& all, const std::array<Documents, 3>& children,
                            std::size_t n_children) const {
    double gain = NaiveNewtonGain(SumOf(children[0]), SumOf(children[1]), settings_.newton.l2);
    if (n_children == 3) {
      const Sum left = SumOf(children[0]);
      const Sum right = SumOf(children[1]);
      gain += NaiveNewtonGain(Sum{left.grad + right.grad, left.hess + right.hess, 0},
                              SumOf(children[2]), settings_.newton.l2);
    }
    double drop = LeastLoss(all);
    for (std::size_t side = 0; side < n_children; ++side) drop -= LeastLoss(children[side]);
    bool defined = true;  // a zero hessian leaves the loss without a minimum
    for (std::size_t side = 0; side < n_children; ++side) {
      defined = defined && SumOf(children[side]).hess + settings_.newton.l2 > 0.0;
    }
    if (defined && std::abs(2.0 * drop - gain) > 1e-9 * (1.0 + std::abs(gain))) {
      throw std::logic_error("the gain is not the drop of the loss");
    }
    return gain;
  }

  /// The least of sum (g v + h v^2 / 2) + l2 v^2 / 2 over v; half the squared error up to a
  /// constant where targets are those of squared error.
  [[nodiscard]] double LeastLoss(const Documents& documents) const {
    const double value = Value(documents);
    double loss = settings_.newton.l2 * value * value / 2.0;
    for (const Document& document : documents) {
      const GradientPair& target = targets_[document.row];
      loss += document.count * (target.grad * value + target.hess * value * value / 2.0);
    }
    return loss;
  }

  [[nodiscard]] double Value(const Documents& documents) const {
    const Sum sum = SumOf(documents);
    const double denominator = sum.hess + settings_.newton.l2;
    return denominator > 0.0 ? -sum.grad / denominator : 0.0;
  }

  [[nodiscard]] Sum SumOf(const Documents& documents) const {
    Sum sum;
    for (const Document& document : documents) {
      sum.grad += document.count * targets_[document.row].grad;
      sum.hess += document.count * targets_[document.row].hess;
      sum.count += document.count;
    }
    return sum;
  }

  [[nodiscard]] double WeightOf(const Documents& documents) const {
    double weight = 0.0;
    for (const Document& document : documents) {
      weight += document.count * (data_.weights().empty() ? 1.0 : data_.weights()[document.row]);
    }
    return weight;
  }

  /// Appends the subtree of the node at `path` in pre-order; returns it as a child.
  ///
  /// @param bounds  the least and the largest value of its leaves
  std::int32_t Emit(const std::string& path, std::pair<double, double> bounds, Tree& tree) const {
    const Node& node = nodes_.at(path);
    const auto clipped = [&](double value) {
      return std::min(std::max(value, bounds.first), bounds.second);
    };
    if (!node.is_inner) {
      tree.leaves.push_back(static_cast<float>(clipped(Value(node.documents))));
      return ~static_cast<std::int32_t>(tree.leaves.size() - 1);
    }
    const std::size_t id = tree.nodes.size();
    tree.nodes.push_back({node.split->feature, node.split->threshold, 0, 0, 0});
    tree.gains.push_back(static_cast<float>(node.split->gain));
    const int direction = std::isinf(node.split->threshold) ? 0 : DirectionOf(node.split->feature);
    const double middle =
        (clipped(Value(node.split->children[0])) + clipped(Value(node.split->children[1]))) / 2.0;
    auto below = bounds;
    auto above = bounds;
    if (direction != 0) (direction > 0 ? below : above).second = middle;
    if (direction != 0) (direction > 0 ? above : below).first = middle;
    const std::int32_t left = Emit(path + '0', below, tree);
    const std::int32_t right = Emit(path + '1', above, tree);
    std::int32_t missing = node.split->missing == MissingTo::kLeft ? left : right;
    if (node.split->missing == MissingTo::kOwn) missing = Emit(path + '2', bounds, tree);
    tree.nodes[id].left = left;
    tree.nodes[id].right = right;
    tree.nodes[id].missing = missing;
    return static_cast<std::int32_t>(id);
  }

  const Dataset& data_;
  const std::vector<GradientPair>& targets_;
  NaiveSettings settings_;
  std::uint64_t min_count_ = 1;
  double impurity_ = 0.0;
  std::set<std::uint32_t> paid_groups_;
  std::set<FeatureId> used_;
  std::map<std::string, Node> nodes_;
};

}  // namespace rankforest::testing
