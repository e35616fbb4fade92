#include "rankforest/tree/graded_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/criterion/entropy.hpp"
#include "rankforest/criterion/grade_variance.hpp"
#include "rankforest/criterion/listwise.hpp"
#include "rankforest/criterion/pairwise.hpp"
#include "support/graded_node.hpp"
#include "support/naive_division.hpp"
#include "support/naive_ranking.hpp"
#include "support/random_costs.hpp"
#include "support/small_data.hpp"

namespace rankforest {

using testing::Documents;
using testing::GainOf;
using testing::GradedRows;
using testing::Prepared;

namespace {

/// What makes the gain of the divisions of a node, from the definition.
using Definition = GainOf (*)(const Dataset&, const Documents&);

GainOf EntropyGain(const Dataset& data, const Documents& all) {
  return testing::DropOf(data, all, testing::NaiveEntropy);
}
GainOf VarianceGain(const Dataset& data, const Documents& all) {
  return testing::DropOf(data, all, testing::NaiveSquaredError);
}

GainOf PairsGain(const Dataset& data, const Documents& /*all*/) {
  return
      [&](const testing::Division& division) { return testing::NaivePairs(data, division, false); };
}
GainOf DifferencesGain(const Dataset& data, const Documents& /*all*/) {
  return
      [&](const testing::Division& division) { return testing::NaivePairs(data, division, true); };
}
GainOf ListwiseGain(const Dataset& data, const Documents& all) {
  return testing::NaiveListwise(data, {all});
}

/// The best split of random nodes must gain what the best of all divisions gains, by definition.
template <class Make>
void CheckAgainstEveryDivision(const Make& make, Definition definition, bool weights_of_rows,
                               std::uint64_t seed) {
  using Criterion = decltype(make(std::declval<const GradedDocuments&>()));
  Rng rng(seed);
  int n_splits = 0;
  for (int trial = 0; trial < 150; ++trial) {
    testing::SmallDataOptions options;
    options.n_queries = 1 + rng.Below(5);
    options.n_values = 2 + rng.Below(6);
    options.nan_in_100 = rng.Below(2) * 25;
    options.weights_of_rows = weights_of_rows && trial % 2 == 0;
    options.weights_of_queries = !weights_of_rows && trial % 2 == 0;
    const Prepared prepared(testing::SmallData(options, rng));
    const GradedDocuments documents(prepared.data, Relevance::kGrade);
    const GradedRows rows(documents, testing::RandomNodeSample(prepared.data, rng));
    const SplitRules rules{1 + rng.Below(3), 0.0, MissingRule::kLearn};
    const Rng node_rng = rng.Child(Purpose::kNode, static_cast<std::uint64_t>(trial));
    const std::size_t n_drawn = 1 + rng.Below(4);
    LargestGain<Criterion, Presorted> search(prepared.columns, make(documents),
                                             ThresholdRule::kEvery, n_drawn);
    search.BeginTree(rows.node());
    const GradedSplit found = search.Best(rows.node(), rules, node_rng);

    std::vector<FeatureId> drawn;
    DrawFeatures(n_drawn, 4, node_rng, drawn);
    const Documents all = testing::DocumentsOf(rows.sample);
    const GainOf gain_of = definition(prepared.data, all);
    const auto divisions = testing::AllDivisions(prepared.data, all, drawn, rules.min_samples_leaf);
    const double largest = testing::LargestGainOf(divisions, gain_of);
    INFO("trial ", trial);
    CHECK(found.gain == doctest::Approx(largest).epsilon(1e-9));
    if (!found.exists()) continue;
    ++n_splits;
    const auto own =
        testing::Divide(prepared.data, all, found.feature, found.threshold, found.missing);
    CHECK(gain_of(own) == doctest::Approx(found.gain).epsilon(1e-9));
    CHECK(found.left.count == testing::CountOf(own.left));
    CHECK(found.right.count == testing::CountOf(own.right));
  }
  CHECK(n_splits > 75);
}

/// A split must be worth what the best of all divisions is, charged by feature; and so must one
/// that was found before some features became free, once it is brought up to date.
template <class Make>
void CheckChargedAgainstEveryDivision(const Make& make, Definition definition, std::uint64_t seed) {
  using Criterion = decltype(make(std::declval<const GradedDocuments&>()));
  Rng rng(seed);
  int n_splits = 0;
  for (int trial = 0; trial < 100; ++trial) {
    CAPTURE(trial);
    testing::SmallDataOptions options;
    options.n_queries = 1 + rng.Below(5);
    options.nan_in_100 = rng.Below(2) * 25;
    const Prepared prepared(testing::SmallData(options, rng));
    const GradedDocuments documents(prepared.data, Relevance::kGrade);
    const GradedRows rows(documents, testing::RandomNodeSample(prepared.data, rng));
    LargestGain<Criterion, Presorted> search(prepared.columns, make(documents),
                                             ThresholdRule::kEvery, 3);
    search.BeginTree(rows.node());
    const FeatureCosts costs = testing::RandomCosts(4, rng);
    FeatureCharges charges({0.25 * (1 + rng.Below(4)), CostNormalization::kRootImpurity}, &costs);
    const double impurity = search.Impurity(rows.node());
    SplitRules rules{1 + rng.Below(3), 0.0, MissingRule::kLearn};
    if (charges.exist()) rules.worth = SplitWorth(charges, impurity);
    const Rng node_rng = rng.Child(Purpose::kNode, static_cast<std::uint64_t>(trial));
    std::vector<FeatureId> drawn;
    DrawFeatures(3, 4, node_rng, drawn);
    const Documents all = testing::DocumentsOf(rows.sample);
    const GainOf gain_of = definition(prepared.data, all);
    const auto check = [&](const GradedSplit& found) {
      double most = 0.0;
      for (const FeatureId feature : drawn) {
        const auto divisions =
            testing::AllDivisions(prepared.data, all, {feature}, rules.min_samples_leaf);
        const double gain = testing::LargestGainOf(divisions, gain_of);
        CHECK(gain <= impurity * (1.0 + 1e-9) + 1e-12);
        most = std::max(most, gain - rules.worth.ChargeOf(feature));
      }
      CHECK(found.worth() == doctest::Approx(most).epsilon(1e-9));
      n_splits += found.exists() ? 1 : 0;
    };
    GradedSplit split = search.Best(rows.node(), rules, node_rng);
    check(split);
    for (const FeatureId paid : {rng.Below(4), rng.Below(4)}) {
      const Span<const FeatureId> freed = charges.Pay(paid);
      search.Revisit(rows.node(), rules, node_rng, freed, split);
      check(split);
      const GradedSplit anew = search.Best(rows.node(), rules, node_rng);
      CHECK(split.gain == anew.gain);
      CHECK(split.feature == anew.feature);
      CHECK(split.threshold == anew.threshold);
      CHECK(split.worth() == anew.worth());
    }
  }
  CHECK(n_splits > 100);
}

}  // namespace

TEST_CASE("the best split is the best of all divisions by entropy") {
  CheckAgainstEveryDivision([](const auto& documents) { return Entropy(documents); }, &EntropyGain,
                            true, 821);
}

TEST_CASE("the best split is the best of all divisions by squared error") {
  CheckAgainstEveryDivision([](const auto& documents) { return GradeVariance(documents); },
                            &VarianceGain, true, 822);
}

TEST_CASE("the best split is the best of all divisions by pairs") {
  CheckAgainstEveryDivision(
      [](const auto& documents) { return Pairwise(documents, PairWeight::kOne); }, &PairsGain,
      false, 824);
  CheckAgainstEveryDivision(
      [](const auto& documents) { return Pairwise(documents, PairWeight::kDifference); },
      &DifferencesGain, false, 825);
}

TEST_CASE("a split that is charged for is worth what the best of all divisions is") {
  CheckChargedAgainstEveryDivision([](const auto& documents) { return Entropy(documents); },
                                   &EntropyGain, 831);
  CheckChargedAgainstEveryDivision([](const auto& documents) { return GradeVariance(documents); },
                                   &VarianceGain, 832);
  CheckChargedAgainstEveryDivision(
      [](const auto& documents) { return Pairwise(documents, PairWeight::kOne); }, &PairsGain, 833);
  CheckChargedAgainstEveryDivision(
      [](const auto& documents) { return Pairwise(documents, PairWeight::kDifference); },
      &DifferencesGain, 834);
  CheckChargedAgainstEveryDivision(
      [](const auto& documents) { return Listwise(documents, std::nullopt); }, &ListwiseGain, 835);
}

TEST_CASE("a random split passes over features that are charged as much as it counts") {
  Rng rng(836);
  testing::SmallDataOptions options;
  options.n_queries = 4;
  const Prepared prepared(testing::SmallData(options, rng));
  const GradedDocuments documents(prepared.data, Relevance::kGrade);
  const GradedRows rows(documents, WholeSample(prepared.data.n_documents()));
  RandomSplit<Presorted> search(prepared.columns, ThresholdRule::kEvery);
  CHECK(search.Impurity(rows.node()) == 1.0);
  const FeatureCosts costs = FeatureCosts::OneByOne({1.0, 0.5, 0.0, 0.25});
  FeatureCharges charges({1.0, CostNormalization::kNone}, &costs);
  SplitRules rules;
  rules.worth = SplitWorth(charges, 1.0);
  rules.min_gain = 0.5;
  std::map<FeatureId, int> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const GradedSplit split = search.Best(rows.node(), rules, Rng(seed));
    REQUIRE(split.exists());
    CHECK(split.worth() == 1.0 - costs.costs[split.feature]);
    ++seen[split.feature];
  }
  CHECK(seen.count(0) == 0);
  CHECK(seen.count(1) == 0);  // worth 0.5, which is not above 0.5
  CHECK(seen[2] + seen[3] == 100);
  (void)charges.Pay(0);
  GradedSplit split;
  search.Revisit(rows.node(), rules, Rng(3), {}, split);
  CHECK(split.feature == search.Best(rows.node(), rules, Rng(3)).feature);
}

TEST_CASE("the best split of a root is the best of all divisions by expected NDCG") {
  CheckAgainstEveryDivision([](const auto& documents) { return Listwise(documents, std::nullopt); },
                            &ListwiseGain, false, 826);
}

TEST_CASE("one drawn threshold is the best of those that the features draw") {
  Rng rng(823);
  for (int trial = 0; trial < 50; ++trial) {
    testing::SmallDataOptions options;
    options.nan_in_100 = 20;
    const Prepared prepared(testing::SmallData(options, rng));
    const GradedDocuments documents(prepared.data, Relevance::kGrade);
    const GradedRows rows(documents, testing::RandomNodeSample(prepared.data, rng));
    const Rng node_rng(static_cast<std::uint64_t>(trial));
    const auto best_of = [&](const Presorted& columns, std::size_t n_drawn) {
      LargestGain<Entropy, Presorted> search(columns, Entropy(documents), ThresholdRule::kDrawn,
                                             n_drawn);
      search.BeginTree(rows.node());
      return search.Best(rows.node(), {}, node_rng);
    };
    const GradedSplit best = best_of(prepared.columns, 4);
    const Documents all = testing::DocumentsOf(rows.sample);
    const GainOf gain_of = EntropyGain(prepared.data, all);
    if (!best.exists()) continue;
    const auto own =
        testing::Divide(prepared.data, all, best.feature, best.threshold, best.missing);
    CHECK(gain_of(own) == doctest::Approx(best.gain).epsilon(1e-9));
    CHECK(best.gain <=
          testing::LargestGainOf(testing::AllDivisions(prepared.data, all, {0, 1, 2, 3}), gain_of) +
              1e-9);
  }
}

TEST_CASE("a random split takes each feature, threshold and side of NaN equally often") {
  // Feature 0 has three divisions of its four documents, feature 1 none, feature 2 two: NaN on
  // either side of 1 | 2 would be two, and all values against NaN one more.
  testing::RawData raw;
  raw.n_features = 3;
  const float nan = testing::kNaN;
  raw.features = {1, 7, 1, 2, 7, 2, 3, 7, nan, 4, 7, 1};
  raw.grades = {0, 1, 0, 1};
  raw.queries = {0, 0, 0, 0};
  const Prepared prepared(raw);
  const GradedDocuments documents(prepared.data, Relevance::kGrade);
  const GradedRows rows(documents, WholeSample(4));
  RandomSplit<Presorted> search(prepared.columns, ThresholdRule::kEvery);
  search.BeginTree(rows.node());
  std::map<std::tuple<FeatureId, float, MissingTo>, int> times;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const GradedSplit split = search.Best(rows.node(), {}, Rng(seed));
    REQUIRE(split.gain == 1.0);
    ++times[{split.feature, split.threshold, split.missing}];
  }
  REQUIRE(times.size() == 6);
  for (const auto& [split, n] : times) {
    INFO("feature ", std::get<0>(split), ", threshold ", std::get<1>(split));
    CHECK(n > 850);  // 1000 expected, standard deviation 29
    CHECK(n < 1150);
  }
  CHECK_FALSE(search.Best(rows.node(), {1, 1.0, MissingRule::kLearn}, Rng(0)).exists());
  CHECK_FALSE(search.Best(rows.node(), {3, 0.0, MissingRule::kLearn}, Rng(0)).exists());
}

}  // namespace rankforest
