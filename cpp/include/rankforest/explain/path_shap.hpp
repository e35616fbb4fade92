#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/explain/quadrature.hpp"
#include "rankforest/explain/tree_paths.hpp"

namespace rankforest {

/// Path-dependent Shapley values of one tree: what a feature adds to the value that the tree is
/// expected to give, where a node that asks for an unknown feature sends a document to each child
/// by the child's share of the documents of training. The values are those of
///
///   Lundberg, Erion and Lee, "Consistent individualized feature attribution for tree ensembles",
///   2018, algorithm 2,
///
/// found in time (edges x features of a path) rather than (leaves x features of a path squared).
///
/// A leaf gives its value times a product over the features of its path, of 1 or 0 where a feature
/// is known (whether the document goes that way) and of the product z of its shares where it is
/// not. A Shapley value averages over orders of features; let each become known at a time that is
/// uniform in [0, 1]. At time t a feature's factor is f(t) = (1 - t) z + t o on average, with o the
/// 1 or 0, and its own value is the integral of (o - z) times the factors of all others: a
/// polynomial in t, which the Gauss-Legendre rule integrates exactly with half as many points as
/// the path has features. The products at these points are carried down the tree and their sums up,
/// as in
///
///   Yu et al., "Linear TreeShap", NeurIPS 2022,
///
/// whose points and weights are others. All factors are positive: no digits cancel.
///
/// @tparam kFixed  the number of points, for loops of known length; 0: any
template <std::size_t kFixed>
class PathShap {
 public:
  /// @param paths      of a tree with counts; must outlive this
  /// @param of_leaf    what each leaf adds to the score
  /// @param rule       with kFixed points, or any; exact for degree paths.most_features() - 1
  PathShap(const TreePaths& paths, std::vector<double> of_leaf, const Quadrature& rule)
      : paths_(paths),
        of_leaf_(std::move(of_leaf)),
        n_points_(rule.points.size()),
        shares_(SharesOfEdges(paths)),
        tables_(paths.n_places() * kTables * n_points()),
        sums_(paths.n_places() * n_points()),
        goes_(paths.n_places(), 1) {
    assert(kFixed == 0 || kFixed == n_points_);
    merged_ = shares_;
    for (std::uint32_t node = 0; node < paths_.n_nodes(); ++node) {
      const std::uint32_t above = paths_.above(node);
      paths_.ForEachChild(node, [&](std::uint32_t edge, std::int32_t /*child*/) {
        if (above != TreePaths::kNone) merged_[edge] *= merged_[above];
        FillTables(edge, above, rule);
      });
    }
  }

  /// Adds the Shapley values of a document, by feature.
  void AddTo(const float* features, Span<double> values) {
    if (paths_.n_nodes() == 0) return;
    std::fill_n(sums_.begin(), n_points(), 1.0);
    for (std::uint32_t node = 0; node < paths_.n_nodes(); ++node) Descend(node, features);
    for (auto node = static_cast<std::uint32_t>(paths_.n_nodes()); node-- > 0;) {
      Ascend(node, values);
    }
  }

 private:
  // Of each edge, one number for each point. A document *keeps to* an edge if all edges of its
  // feature down to it are where the document goes; it *leaves* at the first that is not.
  enum Table : std::size_t {
    kKeep,       // what the products become where the document keeps to the edge
    kLeave,      // where it leaves here; where it left above, they are multiplied by the share
    kKeepGain,   // what the sums below add to the feature's value where the document keeps
    kLeaveGain,  // where it leaves here; where it left above, they add nothing
    kTables
  };

  [[nodiscard]] std::size_t n_points() const { return kFixed != 0 ? kFixed : n_points_; }
  [[nodiscard]] double* At(std::size_t edge, Table table) {
    return tables_.data() + (edge * kTables + table) * n_points();
  }
  [[nodiscard]] double* SumsAt(std::size_t place) { return sums_.data() + place * n_points(); }

  void FillTables(std::uint32_t edge, std::uint32_t above, const Quadrature& rule) {
    const bool is_first = above == TreePaths::kNone;
    const double z = merged_[edge];
    const double z_above = is_first ? 1.0 : merged_[above];
    for (std::size_t k = 0; k < n_points(); ++k) {
      const double t = rule.points[k];
      const double w = rule.weights[k];
      const double keep = (1.0 - t) * z + t;
      const double keep_above = (1.0 - t) * z_above + t;  // 1 at the first edge of a feature
      const double gain_above = is_first ? 0.0 : w * (1.0 - z_above) / keep_above;
      const double divisor = is_first ? 1.0 : keep_above;
      At(edge, kKeep)[k] = keep / divisor;
      At(edge, kLeave)[k] = (1.0 - t) * z / divisor;
      At(edge, kKeepGain)[k] = w * (1.0 - z) / keep - gain_above;
      At(edge, kLeaveGain)[k] = -w / (1.0 - t) - gain_above;  // (0 - z) / ((1 - t) z)
    }
  }

  void Descend(std::uint32_t node, const float* features) {
    const Tree::Node& at = paths_.tree().nodes[node];
    const std::int32_t next = at.Next(features[at.feature]);
    const std::uint32_t above = paths_.above(node);
    const bool kept = above == TreePaths::kNone || goes_[above] == kKeeps;
    double* const own = SumsAt(node);
    paths_.ForEachChild(node, [&](std::uint32_t edge, std::int32_t child) {
      double* const below = SumsAt(edge);
      const double scale = child < 0 ? of_leaf_[static_cast<std::size_t>(~child)] : 1.0;
      if (kept) {
        goes_[edge] = child == next ? kKeeps : kLeaves;
        const double* const factors = At(edge, child == next ? kKeep : kLeave);
        for (std::size_t k = 0; k < n_points(); ++k) below[k] = own[k] * factors[k] * scale;
      } else {
        goes_[edge] = kLeft;
        const double factor = shares_[edge] * scale;
        for (std::size_t k = 0; k < n_points(); ++k) below[k] = own[k] * factor;
      }
    });
    std::fill_n(own, n_points(), 0.0);  // from now on: sums over the leaves below
  }

  void Ascend(std::uint32_t node, Span<double> values) {
    double* const own = SumsAt(node);
    double gained = 0.0;
    paths_.ForEachChild(node, [&](std::uint32_t edge, std::int32_t /*child*/) {
      const double* const below = SumsAt(edge);
      for (std::size_t k = 0; k < n_points(); ++k) own[k] += below[k];
      if (goes_[edge] == kLeft) return;
      gained += Dot(below, At(edge, goes_[edge] == kKeeps ? kKeepGain : kLeaveGain));
    });
    values[paths_.tree().nodes[node].feature] += gained;
  }

  /// In two partial sums, which are added up side by side.
  [[nodiscard]] double Dot(const double* a, const double* b) const {
    std::array<double, 2> sums{};
    std::size_t k = 0;
    for (; k + 2 <= n_points(); k += 2) {
      sums[0] += a[k] * b[k];
      sums[1] += a[k + 1] * b[k + 1];
    }
    if (k < n_points()) sums[0] += a[k] * b[k];
    return sums[0] + sums[1];
  }

  enum Way : std::uint8_t { kLeft, kKeeps, kLeaves };

  const TreePaths& paths_;
  std::vector<double> of_leaf_;
  std::size_t n_points_;
  std::vector<double> shares_;  // of each edge
  std::vector<double> merged_;  // products of the shares of the edges of its feature, down to it
  std::vector<double> tables_;  // [edge][table][point]
  std::vector<double> sums_;    // [place][point]: products on the way down, sums on the way up
  std::vector<std::uint8_t> goes_;
};

}  // namespace rankforest
