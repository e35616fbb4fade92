#pragma once

#include <filesystem>
#include <limits>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/io/model_info.hpp"

namespace rankforest::testing {

/// Where its files lie, seen from `tests`, in which ctest runs the programs.
inline const std::filesystem::path kFrozenFolder = "models/v1";

/// The hand-built model of tests/models/v1, for each way to combine its members: a forest, then
/// boosted trees, two per round; and a short member. Never change it: see the README there.
inline Ensemble FrozenEnsemble(Combine combine) {
  Tree three_ways;  // x0 <= 0.5: leaf 0; x0 > 0.5: node 1; NaN: node 2, a child of its own
  three_ways.nodes = {{0, 0.5F, ~0, 1, 2}, {1, -1.25F, ~1, ~2, ~1}, {2, 3.0F, ~3, ~4, ~4}};
  three_ways.leaves = {0.1F, -0.2F, 0.3F, 1.5F, -2.75F};
  three_ways.gains = {4.0F, 2.5F, 0.125F};

  Tree missing_leaf;  // a leaf of its own for NaN
  missing_leaf.nodes = {{2, 16777216.0F, ~0, ~1, ~2}};
  missing_leaf.leaves = {0.7F, 1.0F / 3.0F, -0.9F};
  missing_leaf.gains = {1.0F};

  Tree constant;
  constant.leaves = {0.05F};

  Tree chain;  // each left child is the next node; no gains
  chain.nodes = {{1, 2.0F, 1, ~3, ~3}, {1, 1.0F, 2, ~2, ~2}, {0, -0.0F, ~0, ~1, ~0}};
  chain.leaves = {1e-30F, 2e10F, -3.0F, 0.001F};

  const Group forest{1.0, Reduction::kMean, 1, {three_ways, missing_leaf, constant}};
  const Group boosted{0.1, Reduction::kSum, 2, {chain, three_ways, missing_leaf, chain}};
  const Group negative{-2.5, Reduction::kSum, 1, {missing_leaf}};
  return {combine, 3, {{0.25, {forest, boosted}}, {-1.0, {negative}}}};
}

/// That of blend.rf: blends of blends, by weights, and a member that says nothing.
inline Ensemble FrozenBlend() {
  Ensemble model = FrozenEnsemble(Combine::kSum);
  const Tree three_ways = model.members[0].groups[0].trees[0];
  model.members.push_back({0.125, {{0.5, Reduction::kSum, 1, {three_ways}}}});
  model.members.push_back({-2.0, {}});
  model.blends = {{Combine::kMinMax, {{0, 1.0}, {1, 0.3}}},
                  {Combine::kBorda, {{2, 0.5}}},
                  {Combine::kSum, {{5, 0.25}, {4, 3.0}}},
                  {Combine::kZScore, {{6, 1.5}, {3, 1.0}}}};
  return model;
}

/// That of exits.rf: exits of each rule, and weights of features as they are (EXIT, LINR).
inline Ensemble FrozenExits() {
  constexpr double kNoMargin = std::numeric_limits<double>::infinity();
  Ensemble model = FrozenEnsemble(Combine::kSum);
  model.members[1].linear.terms = {{2, -0.125F}, {0, 0.3F}};
  model.exits.points = {{1, 0.25, kNoMargin, 0}, {2, 0.0, 0.75, 0}, {4, 0.0, kNoMargin, 1}};
  model.exits.k = 2;
  return model;
}

/// That of linear.rf: weights of features, normalised within queries in every way (LINR).
inline Ensemble FrozenLinear() {
  Ensemble model = FrozenEnsemble(Combine::kSum);
  model.members.push_back({0.5, {}});
  model.members.push_back({0.0, {}});
  model.members[0].linear = {QueryNormalization::kZScore, {{0, 0.7F}, {2, -1.1F}}};
  model.members[1].linear = {QueryNormalization::kNone, {{1, 0.1F}, {0, 1e-3F}, {2, -2.5F}}};
  model.members[2].linear = {QueryNormalization::kMinMax, {{1, 0.9F}}};
  model.members[3].linear = {QueryNormalization::kSum, {{2, 3.0F}, {1, -0.25F}}};
  return model;
}

inline ModelInfo FrozenInfo() {
  ModelInfo info;
  info.feature_names = {"bm25", "caf\xC3\xA9 \"quoted\"", ""};
  info.absent = Absent::kNan;
  info.index_base = 0;
  info.algorithm = "by hand";
  info.parameters_json = "{\"learning_rate\":0.1}";
  info.summary_json = "{\"n_documents\":7}";
  info.unknown = {{"NEW1", {1, 2, 3}}};
  return info;
}

/// That of ordinal.rf, whose trees are those of sum.rf (ORDN).
inline ModelInfo FrozenOrdinalInfo() {
  ModelInfo info = FrozenInfo();
  info.ordinal = Ordinal{{0.0, 1.0, 2.5}, {{0, 0.25, {0.5, 0.1}}, {1, 0.75, {-0.2}}}};
  return info;
}

}  // namespace rankforest::testing
