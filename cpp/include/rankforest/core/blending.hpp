#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/blend.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

namespace detail {

/// Moves a model's members behind those of `whole`, and its blends behind the other blends; of
/// these, columns of members are numbered from 0 and those of blends from `n_members` on.
/// @returns the column of its score
inline std::uint32_t AppendColumns(Ensemble& whole, Ensemble model, std::uint32_t n_members) {
  const auto n_own = static_cast<std::uint32_t>(model.members.size());
  const auto first_member = static_cast<std::uint32_t>(whole.members.size());
  const auto first_blend = n_members + static_cast<std::uint32_t>(whole.blends.size());
  if (model.blends.empty() && !(model.is_sum() && n_own == 1)) {
    model.blends = {{model.combine, {}}};
    for (std::uint32_t j = 0; j < n_own; ++j) model.blends[0].terms.push_back({j, 1.0});
  }
  for (Blend& blend : model.blends) {
    for (Blend::Term& term : blend.terms) {
      term.column =
          term.column < n_own ? first_member + term.column : first_blend + (term.column - n_own);
    }
  }
  const auto n_blends = static_cast<std::uint32_t>(model.blends.size());
  std::move(model.members.begin(), model.members.end(), std::back_inserter(whole.members));
  std::move(model.blends.begin(), model.blends.end(), std::back_inserter(whole.blends));
  return n_blends == 0 ? first_member : first_blend + n_blends - 1;
}

/// A single blend of all members with weights of 1 is what `combine` says without blends.
inline void FlattenBlends(Ensemble& ensemble) {
  if (ensemble.blends.size() != 1 || ensemble.blends[0].combine == Combine::kZScore) return;
  const std::vector<Blend::Term>& terms = ensemble.blends[0].terms;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (terms[t].column != t || terms[t].weight != 1.0) return;
  }
  ensemble.combine = ensemble.blends[0].combine;
  ensemble.blends.clear();
}

}  // namespace detail

/// One model of several, by weights: `combine` of their scores, as score/combine.hpp says.
///
/// Models of weight 0 are left out. A sum of models that sum is itself one, with the weights in its
/// groups: its scores are the weighted sum but for the rounding of contributions, and it is scored
/// in part like any other sum.
///
/// @param models   at least one, of the same number of features
/// @param weights  one for each, finite and >= 0, not all 0
inline Ensemble Blended(std::vector<Ensemble> models, Span<const double> weights, Combine combine) {
  assert(models.size() == weights.size());
  std::uint32_t n_members = 0;
  bool all_sum = combine == Combine::kSum;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (!(weights[i] >= 0.0)) {
      throw std::invalid_argument("the weight of model " + std::to_string(i) + " is " +
                                  detail::Shown(weights[i]) + ", expected a number >= 0");
    }
    if (weights[i] == 0.0) continue;
    n_members += static_cast<std::uint32_t>(models[i].members.size());
    all_sum = all_sum && models[i].is_sum();
  }
  if (n_members == 0) throw std::invalid_argument("all weights are 0, expected one above 0");
  Ensemble whole;
  whole.n_features = models.front().n_features;
  Blend top{combine, {}};
  for (std::size_t i = 0; i < models.size(); ++i) {
    assert(models[i].n_features == whole.n_features);
    if (weights[i] == 0.0) continue;
    if (all_sum) {
      whole = Concatenated(std::move(whole), Scaled(std::move(models[i]), weights[i]));
    } else {
      top.terms.push_back(
          {detail::AppendColumns(whole, std::move(models[i]), n_members), weights[i]});
    }
  }
  if (!all_sum) whole.blends.push_back(std::move(top));
  detail::FlattenBlends(whole);
  return whole;
}

/// The same model on columns that stand elsewhere.
///
/// @param column_of   where each of its columns is now; below `n_features`
inline Ensemble OnColumns(Ensemble ensemble, Span<const std::uint32_t> column_of,
                          std::uint32_t n_features) {
  assert(column_of.size() == ensemble.n_features);
  for (Member& member : ensemble.members) {
    for (Linear::Term& term : member.linear.terms) term.feature = column_of[term.feature];
    for (Group& group : member.groups) {
      for (Tree& tree : group.trees) {
        for (Tree::Node& node : tree.nodes) node.feature = column_of[node.feature];
      }
    }
  }
  ensemble.n_features = n_features;
  return ensemble;
}

}  // namespace rankforest
