#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/code_rows.hpp"
#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/split/drawing.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"
#include "rankforest/tree/drawn_histograms.hpp"
#include "rankforest/tree/freed_search.hpp"
#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/packed_sums.hpp"
#include "rankforest/tree/partition.hpp"
#include "rankforest/tree/split_search.hpp"

namespace rankforest {

/// Searches splits over the bins of those features that each node draws: the trees of
/// ColumnEngine. Large nodes are searched column by column. The documents of small ones are read
/// row by row: trees grow depth first where they may, and the rows of a small subtree stay in the
/// cache until it is grown.
///
/// @tparam Threshold  BestThreshold or RandomThreshold
template <class Threshold>
class DrawnEngine {
 public:
  using Stats = Newton::Stats;
  using Target = Newton::Target;

  DrawnEngine(const TrainingSet& training, std::size_t features_per_node)
      : columns_(training.binned_columns()),
        rows_(training.code_rows()),
        threads_(training.threads),
        features_per_node_(features_per_node),
        by_column_(columns_, threads_, {}, features_per_node),
        freed_(columns_, threads_, features_per_node) {}

  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    criterion_ = criterion;
    rules_ = rules;
    most_of_small_ = columns_.n_documents() / kSparse;
    if (WorkerCount(threads_, 2) == 1) return;
    most_of_small_ = std::min(most_of_small_, ByColumn::kParallelWork / features_per_node_);
  }

  void Search(const Partition<Target>& partition, GrowingTree<Stats>& tree,
              std::uint32_t /*parent*/, Span<const std::uint32_t> nodes) {
    for (const std::uint32_t n : nodes) {
      GrowingNode<Stats>& node = tree[n];
      const auto documents = partition.Node(node.begin, node.end, node.depth);
      if (n == 0) sums_ = detail::PackedSums(detail::TargetRange(documents.targets).unit_hessian);
      node.split = documents.size() <= most_of_small_ && sums_.Fits(documents)
                       ? BestOfSmall(documents, node)
                       : by_column_.Best(criterion_, documents, node.stats, rules_.At(node.allowed),
                                         node.rng);
    }
  }

  /// Brings the splits of nodes up to date that were searched before `features` became free.
  void Revisit(const Partition<Target>& partition, GrowingTree<Stats>& tree,
               Span<const std::uint32_t> nodes, Span<const FeatureId> features) {
    freed_.Search(criterion_, rules_, partition, tree, nodes, features);
  }

  [[nodiscard]] static constexpr bool searches_late() { return false; }
  void Forget(std::uint32_t /*node*/) {}

  /// Which child a document of a node goes to, by its code in a column or in rows.
  struct Side {
    using Column = BinnedColumn;

    const Column& column;
    const Bin* codes;      // that of the first document
    std::size_t distance;  // from one document's to the next one's
    Code cut;
    MissingTo missing;

    void Prefetch(RowId row) const { detail::Prefetch(codes + row * distance); }
    MissingTo operator()(RowId row) const {
      const Bin code = codes[row * distance];
      if (code == column.missing_code()) return missing;
      return code <= cut ? MissingTo::kLeft : MissingTo::kRight;
    }
  };

  [[nodiscard]] Side SideOf(const Split<Stats>& split) const {
    const BinnedColumn& column = columns_.column(split.feature);
    const bool is_small = split.left.count + split.right.count + split.own.count <= most_of_small_;
    return {column, is_small ? rows_[0] + split.feature : column.codes.data(),
            is_small ? rows_.n_features() : 1, split.cut, split.missing};
  }

 private:
  using ByColumn = SplitSearch<Newton, Threshold, BinnedColumns>;

  /// Where fewer than one document in so many is the node's, a column's cache lines are read for
  /// few of their documents.
  static constexpr std::size_t kSparse = 16;

  [[nodiscard]] Split<Stats> BestOfSmall(const NodeRows<Target>& documents,
                                         const GrowingNode<Stats>& node) {
    DrawFeatures(rules_.At(node.allowed), features_per_node_, columns_.n_features(), node.rng,
                 drawn_);
    Split<Stats> best;
    for (std::size_t begin = 0; begin < drawn_.size(); begin += DrawnHistograms::kMost) {
      const std::size_t n = std::min(DrawnHistograms::kMost, drawn_.size() - begin);
      const auto features = Span<const FeatureId>(drawn_).subspan(begin, n);
      histograms_.Sum(rows_, documents, features, sums_);
      for (std::size_t k = 0; k < n; ++k) {
        const FeatureId feature = features[k];
        auto column = histograms_.Take(k, columns_.column(feature).bins, sums_);
        rules_.worth.FindIn(feature, rules_.min_gain, best, [&](Split<Stats>& found) {
          Threshold().Find(criterion_, column, feature, node.stats, rules_, node.rng, found);
        });
      }
    }
    return best;
  }

  const BinnedColumns& columns_;
  const CodeRows& rows_;
  Threads threads_;
  std::size_t features_per_node_;
  ByColumn by_column_;
  FreedSearch<Newton, Threshold, BinnedColumns> freed_;
  DrawnHistograms histograms_;
  Newton::Scaled criterion_;
  SplitRules rules_;
  std::size_t most_of_small_ = 0;  // documents
  detail::PackedSums sums_;
  std::vector<FeatureId> drawn_;
};

}  // namespace rankforest
