#include "rankforest/tree/tree_histograms.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/split/code_side.hpp"
#include "support/column_data.hpp"
#include "support/node_documents.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Equal;
using testing::FewValues;
using testing::FromColumns;
using testing::ManyValues;
using Stats = Newton::Stats;

namespace {

/// The root of a tree, divided once by its first feature.
struct OneSplit {
  static constexpr std::size_t kDocuments = 2000;

  Dataset data;
  BinnedColumns columns;
  BinnedRows rows;
  std::vector<Newton::Target> targets;  // by document
  Partition<Newton::Target> partition;
  GrowingTree<Stats> tree;

  /// @param bits  of the targets: up to 16 fit words, more than that pairs of words
  explicit OneSplit(Rng& rng, unsigned bits = 16)
      : data(FromColumns({ManyValues(kDocuments, rng), ManyValues(kDocuments, rng),
                          FewValues(kDocuments, 4, 20, rng)},
                         rng)
                 .Make()),
        columns(data, Threads{1}),
        rows(columns, Threads{1}) {
    for (std::size_t d = 0; d < kDocuments; ++d) {
      targets.push_back(testing::RandomTarget(bits, rng));
    }
    partition.Reset(WholeSample(kDocuments), [&](RowId row) { return targets[row]; });
    tree.resize(1);
    tree[0].end = kDocuments;
  }

  /// Divides the root; `cut` decides which child is the larger.
  void Divide(Code cut) {
    tree[0].split.gain = 1.0;
    tree[0].split.cut = cut;
    const auto ends =
        partition.Divide(0, kDocuments, 0, CodeSideOf(columns, tree[0].split), Threads{1});
    tree.resize(3);
    for (std::uint32_t child = 0; child < 2; ++child) {
      GrowingNode<Stats>& node = tree[child + 1];
      node.begin = child == 0 ? 0 : ends[0];
      node.end = child == 0 ? ends[0] : kDocuments;
      node.depth = 1;
      tree[0].children[child] = child + 1;
    }
    tree[0].is_split = true;
  }

  /// Checks a node's cells of all features against plain sums of the documents that `holds`.
  template <class Condition>
  void Check(const TreeHistograms& histograms, std::uint32_t node, const Condition& holds) const {
    const auto documents = partition.Node(tree[node].begin, tree[node].end, tree[node].depth);
    Histogram unpacked;
    for (FeatureId f = 0; f < rows.n_features(); ++f) {
      std::vector<Stats> expected(rows.bins(f).n_codes());
      for (std::size_t i = 0; i < documents.size(); ++i) {
        if (!holds(documents.targets[i])) continue;
        expected[columns.column(f).codes[documents.rows[i]]].Add(documents.targets[i], 1);
      }
      const Stats* const cells = histograms.Cells(node, f, unpacked);
      for (std::size_t c = 0; c < expected.size(); ++c) REQUIRE(Equal(cells[c], expected[c]));
    }
  }
};

/// Checks the histograms of a root, then of both children of its split.
///
/// @param forgets  whether the root's is given up before its children need it
template <class Condition>
void CheckSplit(TreeHistograms& histograms, OneSplit& split, Code cut, const Condition& holds,
                bool forgets = false) {
  const auto sum = [&](const std::vector<std::uint32_t>& nodes) {
    histograms.Sum(split.partition, split.tree, 0, nodes);
    for (FeatureId f = 0; f < split.rows.n_features(); ++f) histograms.FinishFeature(f);
    for (const std::uint32_t node : nodes) split.Check(histograms, node, holds);
  };
  histograms.Begin();
  sum({0});
  split.tree[0].split.gain = 1.0;
  histograms.Keep([&](std::uint32_t node) { return split.tree[node].split.exists(); });
  if (forgets) histograms.Forget(0);
  split.Divide(cut);
  sum({1, 2});
}

}  // namespace

TEST_CASE("the cells of a root and of its children are the sums of their documents") {
  Rng rng(411);
  for (const std::size_t most_bytes : {HistogramPool::kMostBytes, std::size_t{0}}) {
    for (const Code cut : {20U, 230U}) {
      for (const unsigned bits : {16U, 30U}) {
        OneSplit split(rng, bits);
        TreeHistograms histograms(split.rows, Threads{2}, most_bytes);
        CheckSplit(histograms, split, cut, [](Newton::Target) { return true; });
      }
    }
  }
}

TEST_CASE("so are those of a root's children whose own were forgotten, tree after tree") {
  Rng rng(413);
  OneSplit split(rng);
  TreeHistograms histograms(split.rows, Threads{2}, HistogramPool::kMostBytes);
  for (const bool forgets : {true, false, true}) {
    split.tree.resize(1);
    CheckSplit(histograms, split, 100, [](Newton::Target) { return true; }, forgets);
    histograms.Keep([&](std::uint32_t node) { return split.tree[node].split.exists(); });
    histograms.Forget(1);
    histograms.Forget(1);  // has none: nothing to do
  }
}

TEST_CASE("of the documents on one side alone, too") {
  Rng rng(412);
  OneSplit split(rng);
  const GradientSide side = {0.5, true};
  TreeHistograms histograms(split.rows, Threads{1}, HistogramPool::kMostBytes);
  histograms.Restrict(side);
  CheckSplit(histograms, split, 100, [&](Newton::Target target) { return side.Has(target); });
}

}  // namespace rankforest
