#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/explain/tree_paths.hpp"

namespace rankforest {

/// What one of several features gets for a leaf that is reached only by documents that have the
/// values of a document in `a` features and those of a background document in `b` others.
class ReachWeights {
 public:
  /// @param most  of a + b
  explicit ReachWeights(std::size_t most) : size_(most + 1), weights_(size_ * size_, 0.0) {
    for (std::size_t a = 1; a < size_; ++a) {
      weights_[a * size_] = 1.0 / static_cast<double>(a);
      for (std::size_t b = 1; a + b < size_; ++b) {
        weights_[a * size_ + b] =
            weights_[a * size_ + b - 1] * static_cast<double>(b) / static_cast<double>(a + b);
      }
    }
  }

  /// (a - 1)! b! / (a + b)!, a >= 1.
  [[nodiscard]] double Of(std::size_t a, std::size_t b) const { return weights_[a * size_ + b]; }

 private:
  std::size_t size_;
  std::vector<double> weights_;
};

/// Interventional Shapley values of one tree, against one background document at a time: unknown
/// features have its values.
///
/// Lundberg et al., "From local explanations to global understanding with explainable AI for
/// trees", Nature Machine Intelligence 2020, algorithm 3.
class BackgroundShap {
 public:
  /// @param paths, weights  must outlive this; the weights go up to paths.most_features()
  BackgroundShap(const TreePaths& paths, std::vector<double> of_leaf, const ReachWeights& weights)
      : paths_(paths),
        of_leaf_(std::move(of_leaf)),
        weights_(weights),
        owners_(paths.n_places(), Owner::kBoth),
        is_first_(paths.n_places(), 0) {}

  /// Adds `scale` times the values of a document, by feature.
  void AddTo(const float* document, const float* background, double scale, Span<double> values) {
    waiting_.push_back({paths_.n_nodes() == 0 ? ~0 : 0, 0, 0});
    while (!waiting_.empty()) {
      const Visit visit = waiting_.back();
      waiting_.pop_back();
      if (visit.child < 0) {
        Reach(visit, scale, values);
      } else {
        Pass(visit, document, background);
      }
    }
  }

 private:
  /// Whose values lead along an edge.
  enum class Owner : std::uint8_t { kBoth, kDocument, kBackground };

  /// A place to go on from, with the number of features that the document, or the background
  /// alone, must bring to get there.
  struct Visit {
    std::int32_t child;
    std::uint32_t of_document;
    std::uint32_t of_background;
  };

  void Pass(const Visit& visit, const float* document, const float* background) {
    const auto node = static_cast<std::uint32_t>(visit.child);
    const Tree::Node& at = paths_.tree().nodes[node];
    const std::int32_t to = at.Next(document[at.feature]);
    const std::int32_t other = at.Next(background[at.feature]);
    const std::uint32_t above = paths_.above(node);
    const Owner owner = above == TreePaths::kNone ? Owner::kBoth : owners_[above];
    if (owner == Owner::kBoth && to != other) {
      Go({to, visit.of_document + 1, visit.of_background}, Owner::kDocument, true);
      Go({other, visit.of_document, visit.of_background + 1}, Owner::kBackground, true);
    } else {
      Go({owner == Owner::kBackground ? other : to, visit.of_document, visit.of_background}, owner,
         false);
    }
  }

  void Go(const Visit& visit, Owner owner, bool is_first) {
    const std::uint32_t edge = paths_.PlaceOf(visit.child);
    owners_[edge] = owner;
    is_first_[edge] = is_first ? 1 : 0;
    waiting_.push_back(visit);
  }

  /// Gives the features that decide about a leaf their shares of its value.
  void Reach(const Visit& leaf, double scale, Span<double> values) {
    const std::size_t a = leaf.of_document;
    const std::size_t b = leaf.of_background;
    const double value = scale * of_leaf_[static_cast<std::size_t>(~leaf.child)];
    const double gain = a == 0 ? 0.0 : value * weights_.Of(a, b);
    const double loss = b == 0 ? 0.0 : value * weights_.Of(b, a);
    std::uint32_t edge = paths_.PlaceOf(leaf.child);
    for (std::uint32_t node = paths_.parent(edge); node != TreePaths::kNone;
         edge = node, node = paths_.parent(edge)) {
      if (is_first_[edge] == 0) continue;
      const FeatureId feature = paths_.tree().nodes[node].feature;
      if (owners_[edge] == Owner::kDocument) {
        values[feature] += gain;
      } else {
        values[feature] -= loss;
      }
    }
  }

  const TreePaths& paths_;
  std::vector<double> of_leaf_;
  const ReachWeights& weights_;
  std::vector<Owner> owners_;           // of each edge on the way to where we are
  std::vector<std::uint8_t> is_first_;  // whether its owner was found there
  std::vector<Visit> waiting_;
};

}  // namespace rankforest
