#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/train/scores.hpp"

namespace rankforest {

/// What the trees of a bag say of the documents that they draw from: the mean of all trees, and the
/// *out-of-bag* mean of those that did not draw a document (Breiman, "Out-of-bag estimation",
/// 1996). Each tree is asked right after it was grown, when its learner knows the leaves of most
/// documents.
///
/// Trees are noted in any order and by several threads, and summed up in the order of their
/// numbers, so that no bit depends on threads.
class BagPredictions {
 public:
  /// @param rows     what the trees draw from; must outlive this
  /// @param n_trees  of the bag
  BagPredictions(TrainingSet training, const RowSample& rows, std::size_t n_trees)
      : training_(std::move(training)),
        rows_(rows),
        of_trees_(n_trees),
        sums_(rows.rows.size(), 0.0),
        sums_outside_(rows.rows.size(), 0.0),
        n_outside_(rows.rows.size(), 0) {}

  /// Notes the tree that a learner grew last.
  ///
  /// @param drawn   what the tree was grown on
  /// @param number  of the tree in the bag, from 0; no two threads note the same
  template <class Run>
  void Note(const Run& learner, const RowSample& drawn, std::size_t number) {
    std::vector<double> values(training_.data.n_documents(), 0.0);
    learner.AddLastTree(1.0, values);
    Keep(values, drawn, number);
  }

  /// The same of a tree that is there, which the documents have to pass.
  void NoteTree(const Tree& tree, const RowSample& drawn, std::size_t number) {
    std::vector<double> values(training_.data.n_documents(), 0.0);
    AddTrees({&tree, 1}, 1.0, training_.data, training_.threads, values);
    Keep(values, drawn, number);
  }

  /// Adds the trees that were noted since the last call. All with lower numbers than theirs must
  /// have been noted.
  ///
  /// @param n_trees  so far
  void SumUp(std::size_t n_trees) {
    assert(n_trees <= of_trees_.size());
    ParallelChunks(training_.threads, sums_.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = n_summed_; t < n_trees; ++t) AddTree(of_trees_[t], begin, end);
    });
    for (; n_summed_ < n_trees; ++n_summed_) of_trees_[n_summed_] = {};
  }

  /// Of each document, by its position in `rows`: the mean of the trees that did not draw it; NaN
  /// where all did.
  [[nodiscard]] std::vector<double> OutOfBag() const {
    std::vector<double> means(sums_outside_.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < means.size(); ++i) {
      if (n_outside_[i] > 0) means[i] = sums_outside_[i] / static_cast<double>(n_outside_[i]);
    }
    return means;
  }

  /// The mean of all trees.
  [[nodiscard]] std::vector<double> OfAllTrees() const {
    std::vector<double> means(sums_);
    for (double& mean : means) mean /= static_cast<double>(n_summed_);
    return means;
  }

 private:
  /// By position in `rows`.
  struct OfTree {
    std::vector<float> values;
    std::vector<std::uint8_t> is_drawn;
  };

  void Keep(const std::vector<double>& values, const RowSample& drawn, std::size_t number) {
    OfTree of_tree{std::vector<float>(rows_.rows.size()),
                   std::vector<std::uint8_t>(rows_.rows.size(), 0)};
    std::size_t next = 0;  // of the drawn ones, which are ascending, too
    for (std::size_t i = 0; i < rows_.rows.size(); ++i) {
      const RowId row = rows_.rows[i];
      of_tree.values[i] = static_cast<float>(values[row]);  // exact: it is a leaf's
      if (next == drawn.rows.size() || drawn.rows[next] != row) continue;
      of_tree.is_drawn[i] = 1;
      ++next;
    }
    of_trees_[number] = std::move(of_tree);
  }

  void AddTree(const OfTree& tree, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto value = static_cast<double>(tree.values[i]);
      sums_[i] += value;
      if (tree.is_drawn[i] != 0) continue;
      sums_outside_[i] += value;
      ++n_outside_[i];
    }
  }

  TrainingSet training_;
  const RowSample& rows_;
  std::vector<OfTree> of_trees_;  // noted and not summed up: the others are empty
  std::size_t n_summed_ = 0;
  std::vector<double> sums_;
  std::vector<double> sums_outside_;
  std::vector<std::uint32_t> n_outside_;
};

}  // namespace rankforest
