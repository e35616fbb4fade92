#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest::testing {

/// Where LightGBM's predict sends a value of a dense row: its rules one after the other.
inline bool LightGbmGoesLeft(float feature, double threshold, int decision_type) {
  const int missing = decision_type / 4;
  const bool default_left = decision_type / 2 % 2 == 1;
  double x = static_cast<double>(feature);
  const double zero = static_cast<double>(1e-35F);
  if (std::fabs(x) <= zero) x = 0.0;
  if (std::isnan(x) && missing != 2) x = 0.0;
  if (missing == 1 && x == 0.0) return default_left;
  if (missing == 2 && std::isnan(x)) return default_left;
  return x <= threshold;
}

/// A tree of LightGBM's text in arrays.
struct LightGbmArrays {
  std::vector<int> split_feature;
  std::vector<double> threshold;
  std::vector<int> decision_type;
  std::vector<int> left_child;
  std::vector<int> right_child;
  std::vector<double> leaf_value;
};

template <class T>
std::string Joined(const std::vector<T>& values) {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  for (std::size_t i = 0; i < values.size(); ++i) text << (i == 0 ? "" : " ") << values[i];
  return text.str();
}

inline std::string LightGbmTreeText(std::size_t number, const LightGbmArrays& tree) {
  return "Tree=" + std::to_string(number) +
         "\nnum_leaves=" + std::to_string(tree.leaf_value.size()) +
         "\nnum_cat=0\nsplit_feature=" + Joined(tree.split_feature) +
         "\nthreshold=" + Joined(tree.threshold) + "\ndecision_type=" + Joined(tree.decision_type) +
         "\nleft_child=" + Joined(tree.left_child) + "\nright_child=" + Joined(tree.right_child) +
         "\nleaf_value=" + Joined(tree.leaf_value) + "\nis_linear=0\nshrinkage=0.1\n\n\n";
}

/// @param header  more of its lines, each with its end
inline std::string LightGbmText(const std::vector<LightGbmArrays>& trees, std::size_t n_features,
                                const std::string& header = "") {
  std::string names;
  for (std::size_t f = 0; f < n_features; ++f) names += " Column_" + std::to_string(f);
  std::string text = "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\n";
  text += "max_feature_idx=" + std::to_string(n_features - 1) + "\nobjective=lambdarank\n" +
          header + "feature_names=" + names.substr(1) + "\n\n";
  for (std::size_t t = 0; t < trees.size(); ++t) text += LightGbmTreeText(t, trees[t]);
  return text + "end of trees\n\nfeature_importances:\n\nparameters:\nend of parameters\n";
}

/// A tree grown as LightGBM grows it: split by split, any leaf next; the left child keeps the
/// number of the leaf. Every split can be had without zeros apart from their neighbours.
inline LightGbmArrays RandomLightGbmTree(std::uint32_t n_features, std::uint32_t n_leaves,
                                         Rng& rng) {
  LightGbmArrays tree;
  tree.leaf_value.push_back(rng.Uniform() - 0.5);
  std::vector<int> parents{-1};  // of leaves
  for (int node = 0; node + 1 < static_cast<int>(n_leaves); ++node) {
    const std::uint32_t leaf = rng.Below(static_cast<std::uint32_t>(tree.leaf_value.size()));
    const double threshold = 3.0 * (rng.Uniform() - 0.5);
    const int missing = static_cast<int>(rng.Below(3));
    const bool left = missing == 1 ? threshold >= 0.0 : rng.Below(2) == 0;
    const int child = ~static_cast<int>(leaf);
    if (parents[leaf] >= 0) {
      const auto parent = static_cast<std::size_t>(parents[leaf]);
      (tree.left_child[parent] == child ? tree.left_child : tree.right_child)[parent] = node;
    }
    tree.split_feature.push_back(static_cast<int>(rng.Below(n_features)));
    tree.threshold.push_back(threshold);
    tree.decision_type.push_back(4 * missing + (left ? 2 : 0));
    tree.left_child.push_back(child);
    tree.right_child.push_back(~static_cast<int>(tree.leaf_value.size()));
    parents[leaf] = node;
    parents.push_back(node);
    tree.leaf_value.push_back(rng.Uniform() - 0.5);
  }
  return tree;
}

/// The leaf of a document by LightGBM's rules.
inline std::size_t LightGbmLeafOf(const LightGbmArrays& tree, const float* features) {
  int child = tree.threshold.empty() ? -1 : 0;
  while (child >= 0) {
    const auto n = static_cast<std::size_t>(child);
    const float x = features[tree.split_feature[n]];
    const bool left = LightGbmGoesLeft(x, tree.threshold[n], tree.decision_type[n]);
    child = (left ? tree.left_child : tree.right_child)[n];
  }
  return static_cast<std::size_t>(~child);
}

}  // namespace rankforest::testing
