#include "rankforest/tree/tree_on_codes.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/tree/leaf_bytes.hpp"
#include "support/column_data.hpp"
#include "support/growing_trees.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::kNaN;
using testing::SmallTree;

namespace {

/// The scores of all documents after the tree was added to zeros.
template <class Columns>
std::vector<double> Scores(const SmallTree& tree, const Columns& columns, const Dataset& data,
                           double tree_weight = 1.0, int threads = 1) {
  using Column = typename Columns::Column;
  std::vector<double> scores(data.n_documents(), 0.0);
  const TreeOnCodes<Column> on_codes(
      tree, [&](const auto& split) -> const Column& { return columns.column(split.feature); });
  on_codes.AddTo(tree_weight, data, Threads{threads}, scores);
  return scores;
}

/// What the finished tree says about values.
std::vector<double> ByValue(const SmallTree& tree, const Dataset& data, double tree_weight) {
  const Tree finished = Finish(tree);
  std::vector<double> scores;
  for (RowId d = 0; d < data.n_documents(); ++d) {
    scores.push_back(Group::Contribution(tree_weight, finished.Value(data.Features(d))));
  }
  return scores;
}

/// Gives every split a feature, a cut among its codes, and a threshold at a value of the data that
/// is not below the cut: the documents of the node may have had none of those in between.
template <class Columns>
void DrawSplits(SmallTree& tree, const Columns& columns, const Dataset& data, Rng& rng) {
  for (auto& node : tree) {
    if (!node.is_split) continue;
    node.split.feature = rng.Below(static_cast<std::uint32_t>(data.n_features()));
    const auto& column = columns.column(node.split.feature);
    node.split.cut = rng.Below(column.missing_code());
    node.split.threshold = column.Highest(node.split.cut);
    const float value = data.Features(
        rng.Below(static_cast<std::uint32_t>(data.n_documents())))[node.split.feature];
    if (value > node.split.threshold) node.split.threshold = value;
  }
}

/// Checks random trees, with children of their own for NaN.
template <class Columns>
void CheckRandomTrees(const Columns& columns, const Dataset& data, Rng& rng) {
  for (int trial = 0; trial < 20; ++trial) {
    SmallTree tree = testing::RandomGrowingTree(static_cast<std::size_t>(trial), rng);
    DrawSplits(tree, columns, data, rng);
    INFO("trial ", trial);
    CHECK(Scores(tree, columns, data, 0.3, 1 + trial % 3) == ByValue(tree, data, 0.3));
  }
}

/// A tree of one split of feature 0: documents that go left get 1, right 2, to an own child 3.
SmallTree Stump(Code cut, float threshold, MissingTo missing) {
  SmallTree tree(1);
  testing::SplitNode(tree, 0, missing);
  tree[0].split.cut = cut;
  tree[0].split.threshold = threshold;
  for (std::size_t n = 1; n < tree.size(); ++n) tree[n].value = static_cast<float>(n);
  return tree;
}

}  // namespace

TEST_CASE("documents pass a split by their codes, those without a value as it says") {
  const Dataset data = testing::OneFeature({1, 2, 3, 4, kNaN}, {0, 1, 2, 3, 4}).Make();
  const Presorted presorted(data, Threads{1});
  const BinnedColumns binned(data, Threads{1});
  const auto by_row = [&](const std::vector<double>& scores) {
    std::vector<double> rows(5);
    for (std::size_t d = 0; d < 5; ++d) rows[data.order()[d]] = scores[d];
    return rows;
  };
  for (const MissingTo missing : {MissingTo::kLeft, MissingTo::kRight, MissingTo::kOwn}) {
    const SmallTree tree = Stump(1, 2.5F, missing);
    const std::vector<double> expected = {1, 1, 2, 2, 1.0 + static_cast<double>(missing)};
    CHECK(by_row(Scores(tree, presorted, data)) == expected);
    CHECK(by_row(Scores(tree, binned, data)) == expected);
  }
  // The node had no 2 and no 3: its cut is behind 1, but 3 is left of the threshold.
  CHECK(by_row(Scores(Stump(0, 3.0F, MissingTo::kRight), binned, data)) ==
        std::vector<double>{1, 1, 1, 2, 2});
}

TEST_CASE("documents whose 256 codes are all right of a threshold go there") {
  Rng rng(874);
  testing::Values values = testing::ManyValues(2000, rng);
  values[7] = kNaN;
  const Dataset data = testing::FromColumns({values}, rng).Make();
  const BinnedColumns columns(data, Threads{1});
  REQUIRE(columns.column(0).missing_code() == 255);
  for (const MissingTo missing : {MissingTo::kLeft, MissingTo::kRight, MissingTo::kOwn}) {
    const Tree below_all = [&] {
      SmallTree tree = Stump(0, 0.0F, missing);
      tree[0].split.threshold = -1e30F;
      return Finish(tree);
    }();
    std::vector<double> scores(data.n_documents(), 0.0);
    TreeOnCodes<BinnedColumn>(below_all, columns).AddTo(1.0, data, Threads{1}, scores);
    for (std::size_t d = 0; d < data.n_documents(); ++d) {
      const bool is_missing = data.order()[d] == 7;
      CHECK(scores[d] == (is_missing ? 1.0 + static_cast<double>(missing) : 2.0));
    }
  }
}

TEST_CASE("a leaf alone adds its value times the weight, rounded to float32") {
  const Dataset data = testing::OneFeature({1, 2}, {0, 1}).Make();
  SmallTree leaf(1);
  leaf[0].value = 0.1F;
  const auto each = static_cast<double>(static_cast<float>(0.3 * static_cast<double>(0.1F)));
  CHECK(Scores(leaf, Presorted(data, Threads{1}), data, 0.3) == std::vector<double>{each, each});
}

TEST_CASE("documents get what the finished tree says about their values") {
  Rng rng(871);
  constexpr std::size_t kDocuments = 9000;  // more than two blocks
  const Dataset data = testing::FromColumns({testing::FewValues(kDocuments, 5, 20, rng),
                                             testing::FewValues(kDocuments, 300, 0, rng),
                                             testing::ManyValues(kDocuments, rng)},
                                            rng)
                           .Make();
  CheckRandomTrees(Presorted(data, Threads{1}), data, rng);
  CheckRandomTrees(BinnedColumns(data, Threads{1}), data, rng);  // thresholds inside of bins
}

TEST_CASE("a finished tree passes a data set that it was not grown on by that one's codes") {
  Rng rng(873);
  const Dataset grown_on =
      testing::FromColumns({testing::FewValues(500, 30, 10, rng), testing::ManyValues(500, rng)},
                           rng)
          .Make();
  const Dataset other =
      testing::FromColumns({testing::FewValues(5000, 300, 10, rng), testing::ManyValues(5000, rng)},
                           rng)
          .Make();
  const BinnedColumns binned(grown_on, Threads{1});
  const BinnedColumns binned_other(other, Threads{1});
  const Presorted presorted_other(other, Threads{1});
  for (const std::size_t n_splits : {std::size_t{0}, std::size_t{9}, std::size_t{400}}) {
    SmallTree tree = testing::RandomGrowingTree(n_splits, rng);  // 400: more leaves than a byte has
    DrawSplits(tree, binned, grown_on, rng);
    const Tree finished = Finish(tree);
    std::vector<double> by_bins(other.n_documents(), 0.0);
    std::vector<double> by_values(other.n_documents(), 0.0);
    TreeOnCodes<BinnedColumn>(finished, binned_other).AddTo(0.3, other, Threads{2}, by_bins);
    TreeOnCodes<PresortedColumn>(finished, presorted_other)
        .AddTo(0.3, other, Threads{1}, by_values);
    CHECK(by_bins == ByValue(tree, other, 0.3));
    CHECK(by_values == by_bins);
  }
}

TEST_CASE("with children of their own for NaN, values inside of a bin stay where they belong") {
  Rng rng(872);
  testing::Values values = testing::ManyValues(2000, rng);
  for (std::size_t i = 0; i < values.size(); i += 7) values[i] = kNaN;
  const Dataset data = testing::FromColumns({values}, rng).Make();
  const BinnedColumns columns(data, Threads{1});
  SmallTree tree = Stump(0, 0.0F, MissingTo::kOwn);
  for (int trial = 0; trial < 20; ++trial) {
    DrawSplits(tree, columns, data, rng);
    CHECK(Scores(tree, columns, data) == ByValue(tree, data, 1.0));
  }
}

}  // namespace rankforest
