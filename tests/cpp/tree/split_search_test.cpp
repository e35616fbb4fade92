#include "rankforest/tree/split_search.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/threshold.hpp"
#include "support/small_data.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using testing::Prepared;
using Stats = Newton::Stats;

namespace {

/// All documents of a data set as a node, with their grades as targets.
struct WholeNode {
  std::vector<RowId> rows;
  std::vector<Newton::Target> targets;
  std::vector<std::uint32_t> counts;
  Stats stats;

  explicit WholeNode(const Dataset& data) {
    for (RowId d = 0; d < data.n_documents(); ++d) {
      rows.push_back(d);
      targets.push_back({-static_cast<int>(data.grades()[d]), 1});
      counts.push_back(1);
      stats.Add(targets.back(), 1);
    }
  }
  [[nodiscard]] NodeRows<Newton::Target> node() const { return {rows, targets, counts}; }
};

void CheckSameSplit(const Split<Stats>& a, const Split<Stats>& b) {
  CHECK(a.gain == b.gain);
  CHECK(a.feature == b.feature);
  CHECK(a.threshold == b.threshold);
  CHECK(a.missing == b.missing);
  CHECK(testing::Equal(a.left, b.left));
}

}  // namespace

TEST_CASE("of features that split alike the lowest is taken, for any number of threads") {
  testing::RawData raw;
  raw.n_features = 64;
  for (int d = 0; d < 1200; ++d) {
    const int half = d / 600;
    for (int f = 0; f < 64; ++f) {
      // Features from 5 on are the same up to their direction; the others are constant.
      raw.features.push_back(static_cast<float>(f < 5 ? 1 : (f % 2 == 0 ? half : 1 - half)));
    }
    raw.grades.push_back(half);
    raw.queries.push_back(0);
  }
  const Prepared prepared(raw);
  REQUIRE(1200 * 64 > SplitSearch<Newton, BestThreshold>::kParallelWork);
  const WholeNode node(prepared.data);
  for (const int threads : {1, 2, 5}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      SplitSearch<Newton, BestThreshold> search(prepared.columns, Threads{threads}, {}, 64);
      const Split<Stats> best = search.Best({}, node.node(), node.stats, {}, Rng(0));
      CHECK(best.feature == 5);
      CHECK(best.gain == 300.0);
      CHECK(best.threshold == 0.5F);
    }
  }
}

TEST_CASE("the search finds the best split of the features that the node draws") {
  Rng rng(341);
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    testing::SmallDataOptions options;
    options.n_features = 1 + rng.Below(8);
    options.nan_in_100 = 10;
    const Prepared prepared(testing::SmallData(options, rng));
    const WholeNode node(prepared.data);
    const std::size_t n_drawn = 1 + rng.Below(static_cast<std::uint32_t>(options.n_features));
    SplitSearch<Newton, BestThreshold> search(prepared.columns, Threads{1}, {}, n_drawn);
    const Split<Stats> found = search.Best({}, node.node(), node.stats, {}, Rng(trial));

    std::vector<FeatureId> drawn;
    DrawFeatures(n_drawn, options.n_features, Rng(trial), drawn);
    Split<Stats> best;
    for (const FeatureId feature : drawn) {
      ColumnScratch<Stats> scratch;
      NodeColumn<Newton> column(prepared.columns.column(feature), node.node(), scratch);
      Split<Stats> of_feature;
      BestThreshold().Find(Newton::Scaled(), column, feature, node.stats, {}, Rng(0), of_feature);
      if (of_feature.gain > best.gain) best = of_feature;
    }
    INFO("trial ", trial);
    CheckSameSplit(found, best);
  }
}

TEST_CASE("threads find the split that one finds, with best and with random thresholds") {
  Rng rng(342);
  testing::SmallDataOptions options{90, 40, 40, 30, 10, false, false, 5};
  const Prepared prepared(testing::SmallData(options, rng));
  const std::size_t work = prepared.data.n_documents() * 40;
  REQUIRE(work > SplitSearch<Newton, BestThreshold>::kParallelWork);
  const WholeNode node(prepared.data);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SplitSearch<Newton, BestThreshold> best(prepared.columns, Threads{1}, {}, 40);
    SplitSearch<Newton, RandomThreshold> random(prepared.columns, Threads{1}, {}, 40);
    for (const int threads : {2, 5}) {
      SplitSearch<Newton, BestThreshold> best_t(prepared.columns, Threads{threads}, {}, 40);
      SplitSearch<Newton, RandomThreshold> random_t(prepared.columns, Threads{threads}, {}, 40);
      CheckSameSplit(best.Best({}, node.node(), node.stats, {}, Rng(seed)),
                     best_t.Best({}, node.node(), node.stats, {}, Rng(seed)));
      CheckSameSplit(random.Best({}, node.node(), node.stats, {}, Rng(seed)),
                     random_t.Best({}, node.node(), node.stats, {}, Rng(seed)));
    }
  }
}

}  // namespace rankforest
