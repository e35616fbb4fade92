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

namespace rankforest {

/// What each tree of an ensemble that sums gives each document of a data set, in canonical order:
/// columns for LineMetric.
///
/// Keeps the leaf that a document falls into, in one byte where no tree has more than 256 leaves,
/// and else in two: 1,000 trees on 150,000 documents take 150 MB.
class TreeColumns {
 public:
  /// @throws std::invalid_argument unless the ensemble sums, its trees have at most 65,536 leaves
  /// and
  ///         the data has its columns
  TreeColumns(const Ensemble& ensemble, const Dataset& data, Threads threads)
      : n_documents_(data.n_documents()) {
    if (!ensemble.is_sum()) {
      throw std::invalid_argument(
          "the model combines scores within queries: only the trees of a "
          "model that sums can be weighted");
    }
    if (data.n_features() < ensemble.n_features) {
      throw std::invalid_argument("the data has " + std::to_string(data.n_features()) +
                                  " features; the model needs " +
                                  std::to_string(ensemble.n_features));
    }
    const std::vector<const Tree*> trees = Take(ensemble);
    std::size_t most_leaves = 0;
    for (const Tree* tree : trees) most_leaves = std::max(most_leaves, tree->leaves.size());
    if (most_leaves > 65536) {
      throw std::invalid_argument("a tree has " + std::to_string(most_leaves) +
                                  " leaves; trees of at most 65536 can be weighted");
    }
    if (most_leaves <= 256) {
      Fill(trees, data, threads, narrow_);
    } else {
      Fill(trees, data, threads, wide_);
    }
  }

  [[nodiscard]] std::size_t size() const { return contributions_.size(); }
  [[nodiscard]] std::size_t n_documents() const { return n_documents_; }

  /// What tree j adds to the score of document d.
  [[nodiscard]] double Value(std::size_t j, std::size_t d) const {
    const std::size_t at = j * n_documents_ + d;
    return contributions_[j][wide_.empty() ? narrow_[at] : wide_[at]];
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
          std::vector<double> values;
          double largest = 0.0;
          for (const float leaf : tree.leaves) {
            values.push_back(Group::Contribution(group.TreeWeight(), leaf));
            largest = std::max(largest, std::abs(values.back()));
          }
          contributions_.push_back(values);
          largest_.push_back(largest);
        }
      }
    }
    return trees;
  }

  template <class Code>
  void Fill(const std::vector<const Tree*>& trees, const Dataset& data, Threads threads,
            std::vector<Code>& codes) const {
    codes.resize(trees.size() * n_documents_);
    constexpr double kSecondsPerTree = 5e-8;  // of one document
    threads = ForLoopOf(threads, codes.size(), kSecondsPerTree);
    constexpr std::size_t kRows = 256;  // whose features stay in cache while trees pass by
    ParallelChunks(threads, n_documents_, kRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = 0; j < trees.size(); ++j) {
        for (std::size_t d = begin; d < end; ++d) {
          const float* features = data.Features(static_cast<RowId>(d));
          codes[j * n_documents_ + d] = static_cast<Code>(trees[j]->LeafOf(features));
        }
      }
    });
  }

  std::size_t n_documents_;
  std::vector<double> tree_weights_;
  std::vector<std::vector<double>> contributions_;  // [tree][leaf]
  std::vector<double> largest_;                     // [tree]
  std::vector<std::uint8_t> narrow_;                // [tree][document], or
  std::vector<std::uint16_t> wide_;
};

}  // namespace rankforest
