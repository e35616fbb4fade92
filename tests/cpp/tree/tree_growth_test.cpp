#include "rankforest/tree/tree_growth.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/tree/grower.hpp"
#include "support/any_tree_case.hpp"
#include "support/naive_tree.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::NaiveSettings;
using testing::NaiveTree;
using testing::Prepared;
using Pairs = std::vector<GradientPair>;
using Stats = Newton::Stats;

namespace {

/// What a growth asked of its engine.
struct Log {
  struct Question {
    std::uint32_t parent;
    std::vector<std::uint32_t> nodes;

    friend bool operator==(const Question& a, const Question& b) {
      return a.parent == b.parent && a.nodes == b.nodes;
    }
  };

  int trees = 0;
  Newton::Scaled criterion;
  SplitRules rules;
  std::vector<Question> questions;
  std::vector<std::uint32_t> forgotten;
};

/// Splits a node of documents [a, ..., b], whose codes are their numbers, in the middle, or into
/// thirds, and writes a log. Its gain is the number of documents, so that the larger node is split
/// first.
class MiddleEngine {
 public:
  MiddleEngine(Log* log, bool in_thirds) : log_(log), in_thirds_(in_thirds) {
    for (Code document = 0; document < 8; ++document) {
      column_.values.push_back(static_cast<float>(document));
      column_.codes.push_back(document);
    }
  }

  struct Side {
    using Column = PresortedColumn;

    const PresortedColumn& column;
    float threshold;
    float to_third;

    void Prefetch(RowId /*row*/) const {}
    MissingTo operator()(RowId row) const {
      if (static_cast<float>(row) >= to_third) return MissingTo::kOwn;
      return static_cast<float>(row) <= threshold ? MissingTo::kLeft : MissingTo::kRight;
    }
  };

  void Begin(const Newton::Scaled& criterion, const SplitRules& rules) {
    ++log_->trees;
    log_->criterion = criterion;
    log_->rules = rules;
  }
  void Search(const Partition<Newton::Target>& partition, GrowingTree<Stats>& tree,
              std::uint32_t parent, Span<const std::uint32_t> nodes) {
    log_->questions.push_back({parent, {nodes.begin(), nodes.end()}});
    for (const std::uint32_t n : nodes) {
      GrowingNode<Stats>& node = tree[n];
      const auto rows = partition.Node(node.begin, node.end, node.depth);
      const std::size_t n_parts = in_thirds_ ? 3 : 2;
      std::array<Stats, 3> parts;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        parts[i * n_parts / rows.size()].Add(rows.targets[i], rows.Count(i));
      }
      node.split.gain = static_cast<double>(rows.size());
      node.split.cut = rows.rows[(rows.size() - 1) / n_parts];
      node.split.threshold = static_cast<float>(node.split.cut);
      node.split.missing = in_thirds_ ? MissingTo::kOwn : MissingTo::kLeft;
      node.split.saw_missing = in_thirds_;
      node.split.left = parts[0];
      node.split.right = parts[1];
      node.split.own = parts[2];
      to_third_ = in_thirds_ ? static_cast<float>(rows.rows[rows.size() * 2 / 3])
                             : std::numeric_limits<float>::infinity();
    }
  }
  [[nodiscard]] static bool searches_late() { return false; }
  /// No feature has a cost here, so that none is ever paid for.
  static void Revisit(const Partition<Newton::Target>& /*partition*/, GrowingTree<Stats>& /*tree*/,
                      Span<const std::uint32_t> /*nodes*/, Span<const FeatureId> /*features*/) {}
  void Forget(std::uint32_t node) { log_->forgotten.push_back(node); }
  [[nodiscard]] Side SideOf(const Split<Stats>& split) const {
    return {column_, split.threshold, to_third_};
  }

 private:
  Log* log_;
  bool in_thirds_;
  PresortedColumn column_;
  float to_third_ = 0.0F;  // of the last node: thirds are for trees of one split
};

/// Eight documents; document d has the gradient -d and the hessian 1.
struct Eight {
  Prepared prepared{testing::OneFeature({1, 2, 3, 4, 5, 6, 7, 8}, std::vector<double>(8))};
  Pairs targets;
  Log log;

  Eight() {
    for (int d = 0; d < 8; ++d) targets.push_back({-static_cast<double>(d), 1.0});
  }
  TreeGrowth<Newton, MiddleEngine> Growth(const TreeLimits& limits, bool in_thirds = false) {
    return {limits, Newton{}, prepared.training(), MiddleEngine(&log, in_thirds)};
  }
  Tree Fit(const TreeLimits& limits, const RowSample& sample, bool in_thirds = false) {
    return Growth(limits, in_thirds).FitTree(targets, sample, Rng(0));
  }
};

}  // namespace

TEST_CASE("a tree of two levels: an engine is asked about the root, then about children together") {
  Eight eight;
  TreeLimits limits;
  limits.max_depth = 2;
  const Tree tree = eight.Fit(limits, WholeSample(8));
  // {0 1 2 3 | 4 5 6 7}, then each in the middle. NaN goes left: both sides weigh the same.
  CHECK(tree.nodes ==
        std::vector<Tree::Node>{{0, 3.0F, 1, 2, 1}, {0, 1.0F, ~0, ~1, ~0}, {0, 5.0F, ~2, ~3, ~2}});
  CHECK(tree.leaves == std::vector<float>{0.5F, 2.5F, 4.5F, 6.5F});
  CHECK(tree.gains == std::vector<float>{8.0F, 4.0F, 4.0F});
  // The grandchildren are too deep. Of nodes that will all be split the last one comes first.
  CHECK(eight.log.questions == std::vector<Log::Question>{{0, {0}}, {0, {1, 2}}, {2, {}}, {1, {}}});
}

TEST_CASE("an engine is not asked about nodes that cannot be split") {
  const auto questions = [](const TreeLimits& limits, bool with_equal_targets) {
    Eight eight;
    for (std::size_t d = 0; d < 4 && with_equal_targets; ++d) eight.targets[d] = {-1.0, 1.0};
    (void)eight.Fit(limits, WholeSample(8));
    return eight.log.questions;
  };
  using Questions = std::vector<Log::Question>;
  TreeLimits limits;
  limits.max_leaf_nodes = 2;
  CHECK(questions(limits, false) == Questions{{0, {0}}, {0, {}}});
  limits = {};
  limits.min_samples_leaf.amount = 3;  // four documents are too few for two leaves
  CHECK(questions(limits, false) == Questions{{0, {0}}, {0, {}}});
  limits.min_samples_leaf.amount = 5;
  CHECK(questions(limits, false) == Questions{{0, {}}});
  limits = {};
  limits.max_depth = 2;  // in the left child all targets are the same
  CHECK(questions(limits, true) == Questions{{0, {0}}, {0, {2}}, {2, {}}});
}

TEST_CASE("the larger gain is split first, until there are leaves enough") {
  Eight eight;
  TreeLimits limits;
  limits.max_leaf_nodes = 3;
  const RowSample sample{{0, 1, 2, 3, 4}, {}};  // in the middle: {0 1 2 | 3 4}
  const Tree tree = eight.Fit(limits, sample);
  CHECK(tree.nodes == std::vector<Tree::Node>{{0, 2.0F, 1, ~2, 1}, {0, 1.0F, ~0, ~1, ~0}});
  CHECK(eight.log.questions == std::vector<Log::Question>{{0, {0}}, {0, {1, 2}}, {1, {}}});
}

TEST_CASE("an engine is told of the nodes whose turn will not come") {
  const auto forgotten = [](std::uint32_t max_leaf_nodes, MissingRule missing) {
    Eight eight;
    TreeLimits limits;
    limits.max_leaf_nodes = max_leaf_nodes;
    limits.missing = missing;
    (void)eight.Fit(limits, WholeSample(8));
    return std::set<std::uint32_t>(eight.log.forgotten.begin(), eight.log.forgotten.end());
  };
  using Nodes = std::set<std::uint32_t>;
  CHECK(forgotten(8, MissingRule::kLearn).empty());  // each document has its leaf
  // {0 1 2 3} and {4 5 6 7} have room for one split: the left one's, for their gains are equal.
  CHECK(forgotten(3, MissingRule::kLearn) == Nodes{2});
  // Once both are split, four nodes of two documents have room for two splits: the first two.
  CHECK(forgotten(6, MissingRule::kLearn) == Nodes{5, 6});
  CHECK(forgotten(3, MissingRule::kThird).empty());  // three children might not have room
}

TEST_CASE("a third child takes its documents, and the room of a leaf") {
  Eight eight;
  TreeLimits limits;
  limits.max_leaf_nodes = 3;
  const RowSample six{{0, 1, 2, 3, 4, 5}, {}};
  const Tree tree = eight.Fit(limits, six, true);
  CHECK(tree.nodes == std::vector<Tree::Node>{{0, 1.0F, ~0, ~1, ~2}});
  CHECK(tree.leaves == std::vector<float>{0.5F, 2.5F, 4.5F});
  limits.max_leaf_nodes = 2;
  CHECK(eight.Fit(limits, six, true).nodes.empty());
}

TEST_CASE("an engine gets the criterion in the fit's fixed point, and the rules") {
  Eight eight;
  TreeLimits limits;
  limits.min_samples_leaf = {0.25, true};
  limits.min_gain = 1.5;
  limits.missing = MissingRule::kThird;
  for (GradientPair& target : eight.targets) target = {target.grad / 8.0, 1.0};
  eight.targets[7].grad = 1.0;  // the largest, like the hessian: 2^29 has 30 bits
  (void)eight.Fit(limits, WholeSample(8));
  CHECK(eight.log.rules.min_samples_leaf == 2);
  CHECK(eight.log.rules.min_gain == 1.5);
  CHECK(eight.log.rules.missing == MissingRule::kThird);
  constexpr std::int32_t kOne = 1 << (kSearchBits - 1);
  CHECK(eight.log.criterion.ToTarget({1.0, 1.0}) == Newton::Target{kOne, kOne});
  // Above 65,536 documents, repeats included, integers have 16 bits.
  RowSample many = WholeSample(8);
  many.counts.assign(8, 8192);
  (void)eight.Fit(limits, many);
  CHECK(eight.log.criterion.ToTarget({1.0, 1.0}) == Newton::Target{kOne, kOne});
  CHECK(eight.log.rules.min_samples_leaf == 16384);
  many.counts[3] = 8193;
  (void)eight.Fit(limits, many);
  constexpr std::int32_t kCoarseOne = 1 << (kLargeSearchBits - 1);
  CHECK(eight.log.criterion.ToTarget({1.0, 1.0}) == Newton::Target{kCoarseOne, kCoarseOne});
  CHECK(eight.log.trees == 3);
}

TEST_CASE("repeats count in leaf values, and targets outside the sample are not read") {
  Eight eight;
  TreeLimits limits;
  limits.max_depth = 1;
  eight.targets[0] = {std::numeric_limits<double>::quiet_NaN(), -1.0};
  const Tree tree = eight.Fit(limits, {{1, 2, 4, 7}, {1, 3, 1, 1}});
  CHECK(tree.nodes[0].threshold == 2.0F);
  CHECK(tree.leaves == std::vector<float>{7.0F / 4.0F, 5.5F});
}

TEST_CASE("the last tree adds to the scores of all documents, in its sample or not") {
  for (const int threads : {1, 3}) {
    Eight eight;
    TreeLimits limits;
    limits.max_depth = 2;
    TreeGrowth<Newton, MiddleEngine> growth(limits, Newton{}, eight.prepared.training(threads),
                                            MiddleEngine(&eight.log, false));
    (void)growth.FitTree(eight.targets, WholeSample(8), Rng(0));
    std::vector<double> scores(8, 100.0);
    growth.AddLastTree(0.5, scores);  // leaves 0.5 2.5 4.5 6.5 of two documents each
    CHECK(scores ==
          std::vector<double>{100.25, 100.25, 101.25, 101.25, 102.25, 102.25, 103.25, 103.25});
    (void)growth.FitTree(eight.targets, {{0, 2, 3, 6}, {1, 2, 1, 1}}, Rng(0));  // leaves 0 2 3 6
    scores.assign(8, 100.0);
    growth.AddLastTree(0.5, scores);  // the others are right of 0 and of 3
    CHECK(scores == std::vector<double>{100, 101, 101, 101.5, 103, 103, 103, 103});
    growth.AddLastTree(-2.0, scores);
    CHECK(scores == std::vector<double>{100, 97, 97, 95.5, 91, 91, 91, 91});
  }
}

TEST_CASE("a contribution is rounded to float32 before it is added, as scores are") {
  Eight eight;
  eight.targets.assign(8, {-0.1, 1.0});
  auto growth = eight.Growth({});
  const Tree tree = growth.FitTree(eight.targets, WholeSample(8), Rng(0));
  REQUIRE(tree.leaves.size() == 1);
  std::vector<double> scores(8, 1.0);
  growth.AddLastTree(0.3, scores);
  const auto each =
      static_cast<double>(static_cast<float>(0.3 * static_cast<double>(tree.leaves[0])));
  CHECK(scores == std::vector<double>(8, 1.0 + each));
}

namespace {

/// Directions, sets and a limit of features, each of them or not.
FeatureConstraints RandomConstraints(std::size_t n_features, Rng& rng) {
  FeatureConstraints constraints;
  if (rng.Below(4) != 0) {
    for (std::size_t f = 0; f < n_features; ++f) {
      constraints.directions.push_back(
          static_cast<std::int8_t>(static_cast<int>(rng.Below(3)) - 1));
    }
  }
  if (rng.Below(3) == 0) {
    std::vector<FeatureId> others;
    std::vector<FeatureId> some;
    for (FeatureId f = 0; f < n_features; ++f) {
      const std::uint32_t where = rng.Below(3);
      if (where != 0) some.push_back(f);
      if (where != 1) others.push_back(f);
    }
    if (!some.empty()) constraints.interactions.push_back(some);
    if (!others.empty()) constraints.interactions.push_back(others);
  }
  if (rng.Below(3) == 0) constraints.most_features = 1 + rng.Below(3);
  return constraints;
}

Tree GrowConstrained(const Prepared& prepared, const Pairs& targets, const NaiveSettings& settings,
                     const RowSample& sample, TreeMethod method, int threads) {
  const TrainingSet training(prepared.data, Threads{threads}, {}, nullptr, &settings.constraints);
  const TreeGrower<> grower(settings.limits, {}, settings.newton, method);
  return grower.Start(training).FitTree(targets, sample, Rng(0));
}

/// Checks that no value of a feature scores against its direction, whatever the others are.
void CheckDirections(const Tree& tree, const FeatureConstraints& constraints,
                     std::size_t n_features, Rng& rng) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<float> document(n_features);
    for (float& x : document) x = static_cast<float>(rng.Below(12)) - 1.5F;
    if (rng.Below(2) == 0) {
      document[rng.Below(static_cast<std::uint32_t>(n_features))] =
          std::numeric_limits<float>::quiet_NaN();
    }
    for (std::size_t f = 0; f < constraints.directions.size(); ++f) {
      const std::vector<float> before = document;
      document[f] = -kInfinite;
      float last = tree.Value(document.data());
      for (float x = -2.25F; x < 12.0F; x += 0.5F) {
        document[f] = x > 11.0F ? kInfinite : x;
        const float value = tree.Value(document.data());
        CHECK(static_cast<float>(constraints.directions[f]) * (value - last) >= 0.0F);
        last = value;
      }
      document = before;
    }
  }
}

}  // namespace

TEST_CASE(
    "a constrained tree is that of an exhaustive search with the constraints, and keeps them") {
  int n_other = 0;
  for (std::uint64_t seed = 5000; seed < 5400; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    testing::SmallDataOptions options = testing::RandomOptions(rng);
    options.n_features = 2 + rng.Below(4);
    const Prepared prepared(testing::SmallData(options, rng));
    NaiveSettings settings = testing::AnySettings(options.n_features, rng);
    settings.features_per_node = options.n_features;
    settings.constraints = RandomConstraints(options.n_features, rng);
    const Pairs targets = testing::DyadicTargets(prepared.data.n_documents(), rng);
    const RowSample sample = testing::AnySample(prepared.data, rng);
    const Tree expected = NaiveTree(prepared.data, targets, settings).Grow(sample, Rng(0));
    const Tree tree = GrowConstrained(prepared, targets, settings, sample, TreeMethod::kExact, 1);
    testing::CheckSameTree(tree, expected);
    CHECK(GrowConstrained(prepared, targets, settings, sample, TreeMethod::kHist, 2) == tree);
    CheckDirections(tree, settings.constraints, options.n_features, rng);
    settings.constraints = {};
    n_other +=
        GrowConstrained(prepared, targets, settings, sample, TreeMethod::kExact, 1) == tree ? 0 : 1;
  }
  CHECK(n_other > 150);
}

}  // namespace rankforest
