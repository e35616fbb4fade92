#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest {

/// How likely a tree is to be dropped.
enum class DropSelection : std::uint8_t {
  kUniform = 0,   ///< all alike
  kWeighted = 1,  ///< in proportion to its weight
};

/// What dropped trees and the new one weigh when the former come back.
enum class DropNormalization : std::uint8_t {
  kTree = 0,    ///< the new tree as much as each of the dropped ones
  kForest = 1,  ///< the new tree as much as all dropped ones together
};

/// Dropout of trees (Vinayak and Gilad-Bachrach, "DART: Dropouts meet multiple additive regression
/// trees", AISTATS 2015): some trees, drawn at random, are left out of the scores that a round
/// corrects.
struct DropSettings {
  double drop_rate = 0.1;  ///< what part of the trees is dropped on average, in [0, 1]
  double skip_drop = 0.0;  ///< how likely a round is to drop none, in [0, 1]
  bool one_drop = false;   ///< drop a tree even where the draw chose none: the paper's
  std::optional<std::uint32_t> max_drop = 50;  ///< most trees to drop, >= 1
  DropSelection selection = DropSelection::kUniform;
  DropNormalization normalization = DropNormalization::kTree;
  /// Whether dropped trees stay out for good where that ranks the held-out queries at least as well
  /// (Lucchese et al., "X-DART: Blending dropout and pruning for efficient learning to rank", SIGIR
  /// 2017).
  bool keep_drop = false;
};

/// The trees that a round drops, ascending.
///
/// @param weights  of the trees, > 0
/// @param rng      for this purpose alone
inline std::vector<std::uint32_t> DrawDropped(const DropSettings& settings,
                                              Span<const double> weights, Rng rng) {
  std::vector<std::uint32_t> dropped;
  if (settings.drop_rate == 0.0 || weights.empty()) return dropped;
  if (rng.Uniform() < settings.skip_drop) return dropped;
  const bool is_weighted = settings.selection == DropSelection::kWeighted;
  const auto weight_of = [&](std::size_t t) { return is_weighted ? weights[t] : 1.0; };
  double total = 0.0;
  for (std::size_t t = 0; t < weights.size(); ++t) total += weight_of(t);
  const double rate = settings.drop_rate * static_cast<double>(weights.size()) / total;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (rng.Uniform() < rate * weight_of(t)) dropped.push_back(static_cast<std::uint32_t>(t));
  }
  if (dropped.empty() && settings.one_drop) {
    double left = rng.Uniform() * total;
    std::size_t t = 0;
    while (t + 1 < weights.size() && left >= weight_of(t)) left -= weight_of(t++);
    dropped.push_back(static_cast<std::uint32_t>(t));
  }
  const std::size_t most = settings.max_drop.value_or(static_cast<std::uint32_t>(weights.size()));
  if (dropped.size() <= most) return dropped;
  std::vector<std::uint32_t> some =
      rng.Sample(static_cast<std::uint32_t>(dropped.size()), static_cast<std::uint32_t>(most));
  for (std::uint32_t& t : some) t = dropped[t];
  return some;
}

/// What a round that dropped trees weighs.
struct DropFactors {
  double dropped = 1.0;  ///< what the weights of the dropped trees are multiplied by
  double added = 1.0;    ///< the weight of the new tree
};

/// The new tree makes up for the dropped ones, too, and so all of them together would go too far.
/// With k dropped trees and the learning rate r, "tree" gives them k / (k + r) of their weights,
/// and the new one r / (k + r); "forest" gives them 1 / (1 + r), and the new one r / (1 + r). With
/// r = 1 the former is the paper's.
///
/// @param n_dropped  k, >= 1
inline DropFactors FactorsOf(DropNormalization normalization, std::size_t n_dropped,
                             double learning_rate) {
  const double k = normalization == DropNormalization::kTree ? static_cast<double>(n_dropped) : 1.0;
  return {k / (k + learning_rate), learning_rate / (k + learning_rate)};
}

}  // namespace rankforest
