#include "rankforest/train/threshold_ranker.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "support/small_data.hpp"
#include "support/special_floats.hpp"

namespace rankforest {

using testing::kNaN;

namespace {

/// The gain of a ranker, document by document.
double GainOf(const Tree& ranker, const Dataset& data, const std::vector<double>& potentials) {
  double gain = 0.0;
  for (RowId d = 0; d < data.n_documents(); ++d) {
    if (ranker.Value(data.Features(d)) == 1.0F) gain += potentials[d];
  }
  return gain;
}

/// The largest |gain| of all thresholds of all features.
double NaiveLargestGain(const Dataset& data, const std::vector<double>& potentials) {
  double best = 0.0;
  for (FeatureId f = 0; f < data.n_features(); ++f) {
    std::set<float> thresholds{testing::kInf};
    for (RowId d = 0; d < data.n_documents(); ++d) {
      if (!std::isnan(data.Features(d)[f])) thresholds.insert(data.Features(d)[f]);
    }
    for (const float threshold : thresholds) {
      for (const bool above : {false, true}) {
        const Tree ranker = ThresholdRanker{f, threshold, above, 0.0}.AsTree(1.0F);
        best = std::max(best, std::abs(GainOf(ranker, data, potentials)));
      }
    }
  }
  return best;
}

}  // namespace

TEST_CASE(
    "the threshold with the largest gain is between two values, and missing values go where "
    "the gain is larger") {
  const Dataset data = testing::OneFeature({1.0F, 2.0F, 4.0F, kNaN}, {0.0, 1.0, 2.0, 3.0}).Make();
  std::vector<double> potentials(4);
  for (RowId d = 0; d < 4; ++d) {
    const std::vector<double> of_grade{-0.5, -0.25, 0.5, 0.25};
    potentials[d] = of_grade[static_cast<std::size_t>(data.grades()[d])];
  }
  const ThresholdRanker ranker =
      BestThresholdRanker(Presorted(data, Threads{1}), potentials, {}, Threads{1});
  CHECK(ranker.threshold == 3.0F);
  CHECK(ranker.missing_is_above);
  CHECK(ranker.gain == 0.75);
  const Tree tree = ranker.AsTree(2.0F);
  CHECK(tree.Value(std::vector<float>{3.0F}.data()) == 0.0F);
  CHECK(tree.Value(std::vector<float>{3.5F}.data()) == 2.0F);
  CHECK(tree.Value(std::vector<float>{kNaN}.data()) == 2.0F);
}

TEST_CASE("no ranker beats the one that is found, and its gain is that of its tree") {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    testing::SmallDataOptions options;
    options.nan_in_100 = round % 2 == 0 ? 0 : 30;
    const Dataset data = testing::SmallData(options, rng).Make();
    std::vector<double> potentials(data.n_documents());
    for (double& potential : potentials) potential = rng.Below(17) * 0.125 - 1.0;
    const Presorted exact(data, Threads{1});
    const BinnedColumns bins(data, Threads{1});
    double sum = 0.0;
    for (const double potential : potentials) sum += potential;
    potentials.front() -= sum;  // those of pairs add up to 0
    const double of_pairs = NaiveLargestGain(data, potentials);
    for (const int threads : {1, 3}) {
      const ThresholdRanker ranker = BestThresholdRanker(exact, potentials, {}, Threads{threads});
      CHECK(std::abs(ranker.gain) == doctest::Approx(of_pairs));
      if (ranker.gain != 0.0) {
        CHECK(GainOf(ranker.AsTree(1.0F), data, potentials) == doctest::Approx(ranker.gain));
      }
      const ThresholdRanker binned = BestThresholdRanker(bins, potentials, {}, Threads{threads});
      CHECK(binned.gain == ranker.gain);
      CHECK(binned.threshold == ranker.threshold);
    }
  }
}

TEST_CASE("fewer thresholds are at equal distances among all") {
  std::vector<float> x;
  std::vector<double> grades;
  for (int i = 0; i < 20; ++i) {
    x.push_back(static_cast<float>(i));
    grades.push_back(i);
  }
  const Dataset data = testing::OneFeature(x, grades).Make();
  const Presorted columns(data, Threads{1});
  std::set<float> found;
  for (int top = 0; top < 20; ++top) {  // the best threshold would be just below this one
    std::vector<double> potentials(20, 0.0);
    for (RowId d = 0; d < 20; ++d) potentials[d] = data.grades()[d] >= top ? 0.05 : -0.05;
    found.insert(BestThresholdRanker(columns, potentials, 3, Threads{1}).threshold);
  }
  CHECK(found.size() == 3);
  CHECK(found == std::set<float>{4.5F, 9.5F, 14.5F});
}

}  // namespace rankforest
