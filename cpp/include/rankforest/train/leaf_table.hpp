#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// A tree of a table with what it adds to the scores of its leaves.
struct LeafContributions {
  std::uint32_t tree = 0;
  std::vector<double> of_leaf;

  LeafContributions(std::uint32_t index, const Tree& of, double weight)
      : tree(index), of_leaf(of.leaves.size()) {
    for (std::size_t i = 0; i < of_leaf.size(); ++i) {
      of_leaf[i] = Group::Contribution(weight, of.leaves[i]);
    }
  }
};

/// The leaf of each tree that each document of a data set falls into, so that scores can be summed
/// anew with other weights of the trees.
///
/// Memory: for each document 1 byte a tree, 4 where the tree has more than 256 leaves.
class LeafTable {
 public:
  /// @param data  must outlive the table
  LeafTable(const Dataset& data, Threads threads) : data_(&data), threads_(threads) {}

  [[nodiscard]] std::size_t n_trees() const { return columns_.size(); }

  /// Appends a tree.
  void Add(const Tree& tree) { Add(std::vector<const Tree*>{&tree}); }

  /// Appends trees, all in one pass over the documents.
  void Add(const std::vector<const Tree*>& trees) {
    const std::size_t first = columns_.size();
    const std::size_t n = data_->n_documents();
    columns_.resize(first + trees.size());
    for (std::size_t t = 0; t < trees.size(); ++t) columns_[first + t].Resize(*trees[t], n);
    constexpr double kSecondsPerTree = 5e-8;  // of one document
    const Threads threads = ForLoopOf(threads_, n * trees.size(), kSecondsPerTree);
    constexpr std::size_t kRows = 256;  // whose features stay in the cache while trees pass by
    ParallelChunks(threads, n, kRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t t = 0; t < trees.size(); ++t) {
        for (std::size_t d = begin; d < end; ++d) {
          const float* const features = data_->Features(static_cast<RowId>(d));
          columns_[first + t].Set(d, trees[t]->LeafOf(features));
        }
      }
    });
  }

  /// The leaf of a tree that a document falls into.
  [[nodiscard]] std::size_t LeafOf(std::size_t tree, std::size_t document) const {
    const Column& column = columns_[tree];
    return column.wide.empty() ? column.narrow[document] : column.wide[document];
  }

  /// Gives up the memory of a tree that no sum has any more.
  void Forget(std::uint32_t tree) { columns_[tree] = {}; }

  /// Adds trees, in order, to the score of every document: the sum that makes a score, continued.
  ///
  /// @param trees  none that was forgotten
  void AddTo(const std::vector<LeafContributions>& trees, Span<double> scores) const {
    constexpr std::size_t kDocuments = 4096;  // whose scores stay in the cache
    ParallelChunks(threads_, scores.size(), kDocuments, [&](std::size_t begin, std::size_t end) {
      for (const LeafContributions& tree : trees) {
        const Column& column = columns_[tree.tree];
        if (column.wide.empty()) {
          AddColumn(column.narrow, tree.of_leaf, begin, end, scores);
        } else {
          AddColumn(column.wide, tree.of_leaf, begin, end, scores);
        }
      }
    });
  }

 private:
  struct Column {
    std::vector<std::uint8_t> narrow;  // by document, or
    std::vector<std::uint32_t> wide;

    void Resize(const Tree& tree, std::size_t n_documents) {
      if (tree.leaves.size() <= 256) {
        narrow.resize(n_documents);
      } else {
        wide.resize(n_documents);
      }
    }
    template <class Leaf>
    void Set(std::size_t document, Leaf leaf) {
      if (wide.empty()) {
        narrow[document] = static_cast<std::uint8_t>(leaf);
      } else {
        wide[document] = static_cast<std::uint32_t>(leaf);
      }
    }
  };

  template <class Leaf>
  static void AddColumn(const std::vector<Leaf>& leaves, const std::vector<double>& of_leaf,
                        std::size_t begin, std::size_t end, Span<double> scores) {
    for (std::size_t d = begin; d < end; ++d) scores[d] += of_leaf[leaves[d]];
  }

  const Dataset* data_;
  Threads threads_;
  std::vector<Column> columns_;  // of each tree
};

}  // namespace rankforest
