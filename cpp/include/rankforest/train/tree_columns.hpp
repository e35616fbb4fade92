#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/train/leaf_table.hpp"

namespace rankforest {

/// What each tree of an ensemble that sums gives each document of a data set, in canonical order:
/// columns for LineMetric.
///
/// Keeps the leaf of each document in a LeafTable: 1,000 trees of at most 256 leaves on 150,000
/// documents take 150 MB.
class TreeColumns {
 public:
  /// @param data  must outlive the columns
  /// @throws std::invalid_argument unless the ensemble sums and the data has its columns
  TreeColumns(const Ensemble& ensemble, const Dataset& data, Threads threads)
      : n_documents_(data.n_documents()), leaves_(data, threads) {
    if (!ensemble.is_sum()) {
      throw std::invalid_argument(
          "the model combines scores within queries: only the trees of a "
          "model that sums can be weighted");
    }
    if (ensemble.has_linear()) {
      throw std::invalid_argument(
          "the model has a linear part: only models of nothing but trees can be pruned");
    }
    if (data.n_features() < ensemble.n_features) {
      throw std::invalid_argument("the data has " + std::to_string(data.n_features()) +
                                  " features; the model needs " +
                                  std::to_string(ensemble.n_features));
    }
    leaves_.Add(Take(ensemble));
  }

  [[nodiscard]] std::size_t size() const { return contributions_.size(); }
  [[nodiscard]] std::size_t n_documents() const { return n_documents_; }

  /// What tree j adds to the score of document d.
  [[nodiscard]] double Value(std::size_t j, std::size_t d) const {
    return contributions_[j][leaves_.LeafOf(j, d)];
  }

  [[nodiscard]] double Largest(std::size_t j) const { return largest_[j]; }

  /// What the leaf values of tree j are multiplied by.
  [[nodiscard]] double tree_weight(std::size_t j) const { return tree_weights_[j]; }

 private:
  std::vector<const Tree*> Take(const Ensemble& ensemble) {
    std::vector<const Tree*> trees;
    for (const Member& member : ensemble.members) {
      for (const Group& group : member.groups) {
        for (const Tree& tree : group.trees) {
          trees.push_back(&tree);
          tree_weights_.push_back(group.TreeWeight());
          const auto index = static_cast<std::uint32_t>(trees.size() - 1);
          contributions_.push_back(LeafContributions(index, tree, group.TreeWeight()).of_leaf);
          double largest = 0.0;
          for (const double value : contributions_.back()) {
            largest = std::max(largest, std::abs(value));
          }
          largest_.push_back(largest);
        }
      }
    }
    return trees;
  }

  std::size_t n_documents_;
  std::vector<double> tree_weights_;
  std::vector<std::vector<double>> contributions_;  // [tree][leaf]
  std::vector<double> largest_;                     // [tree]
  LeafTable leaves_;
};

}  // namespace rankforest
