#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rankforest/core/blend.hpp"
#include "rankforest/core/ensemble.hpp"

namespace rankforest {

/// What a split counts for the importance of its feature: its gain times |weight of its tree|,
/// so that a forest's is a mean over trees and a chain's parts stand in proportion; or 1.
enum class Importance : std::uint8_t { kGain, kSplit };

namespace detail {

/// By feature: the sum over the splits of a member.
inline std::vector<double> ImportancesOf(const Member& member, std::size_t n_features,
                                         Importance kind) {
  std::vector<double> total(n_features, 0.0);
  for (const Group& group : member.groups) {
    const double weight = std::abs(group.TreeWeight());
    for (const Tree& tree : group.trees) {
      if (kind == Importance::kGain && tree.gains.size() != tree.nodes.size()) {
        throw std::invalid_argument("the model holds no gains: ask for split counts");
      }
      for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        total[tree.nodes[i].feature] +=
            kind == Importance::kGain ? weight * static_cast<double>(tree.gains[i]) : 1.0;
      }
    }
  }
  return total;
}

/// The gains of a blend out of those of its columns, by weights. Where it brings scores to a common
/// scale, so it does gains: those of every column add up to its share in the sum of the weights.
inline std::vector<double> BlendedGains(const Blend& blend,
                                        const std::vector<std::vector<double>>& columns) {
  const bool scales = blend.combine != Combine::kSum;
  double weights = 0.0;
  for (const Blend::Term& term : blend.terms) weights += term.weight;
  std::vector<double> total(columns.front().size(), 0.0);
  for (const Blend::Term& term : blend.terms) {
    const std::vector<double>& column = columns[term.column];
    double sum = 0.0;
    for (const double gain : column) sum += gain;
    if (!(sum > 0.0)) continue;
    const double factor = scales ? term.weight / weights / sum : term.weight;
    for (std::size_t f = 0; f < total.size(); ++f) total[f] += factor * column[f];
  }
  return total;
}

}  // namespace detail

/// The importance of every feature: the sum over the splits on it, of all trees of all members.
///
/// Gains count by the weights of blends. Gains of members whose scores are brought to a common
/// scale before they are added have none in common either: each member's add up to its share in the
/// weights, and those of the model to 1, as far as members have splits.
///
/// Throws std::invalid_argument where kGain is asked of a model that holds no gains, and for one
/// with a linear part: its weights are no gains, and depend on the features' scales.
inline std::vector<double> Importances(const Ensemble& ensemble, Importance kind) {
  if (ensemble.has_linear()) {
    throw std::invalid_argument(
        "the model has a linear part, whose features have weights in place of gains and splits");
  }
  std::vector<std::vector<double>> columns;  // of members, then of blends
  Blend all{kind == Importance::kGain ? ensemble.combine : Combine::kSum, {}};
  for (const Member& member : ensemble.members) {
    all.terms.push_back({static_cast<std::uint32_t>(columns.size()), 1.0});
    columns.push_back(detail::ImportancesOf(member, ensemble.n_features, kind));
  }
  if (columns.empty()) return std::vector<double>(ensemble.n_features, 0.0);
  if (kind == Importance::kSplit || ensemble.blends.empty()) {
    return detail::BlendedGains(all, columns);
  }
  for (const Blend& blend : ensemble.blends) {
    columns.push_back(detail::BlendedGains(blend, columns));
  }
  return std::move(columns.back());
}

}  // namespace rankforest
