#include "rankforest/train/broof_errors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/broof_cases.hpp"

namespace rankforest {

using testing::IterationCase;
using testing::kNoNumber;

namespace {

/// One query whose documents have these grades in canonical order, whatever that is.
IterationCase CaseOf(std::vector<double> grades, double learning_rate = 0.5) {
  testing::RawData raw = testing::OneFeature(std::vector<float>(grades.size(), 1.0F), grades);
  std::sort(raw.grades.begin(), raw.grades.end());  // equal features: lower grade first
  return {raw, learning_rate};
}

/// Heights by their definition, document by document.
std::vector<double> NaiveHeights(const BroofIteration& now, bool is_share) {
  const auto grades = now.data.grades();
  std::vector<double> errors(now.predictions.size(), kNoNumber);
  for (std::size_t q = 0; q < now.data.n_queries(); ++q) {
    for (RowId i = now.data.offsets()[q]; i < now.data.offsets()[q + 1]; ++i) {
      if (std::isnan(now.predictions[i])) continue;
      double height = 0.0;
      double others = 0.0;
      for (RowId j = now.data.offsets()[q]; j < now.data.offsets()[q + 1]; ++j) {
        if (std::isnan(now.predictions[j]) || (grades[i] > 0.0) == (grades[j] > 0.0)) continue;
        const double above = now.predictions[j] - now.predictions[i];
        const double wrong = grades[i] > 0.0 ? above : -above;
        height += wrong > 0.0 ? 1.0 : wrong == 0.0 ? 0.5 : 0.0;
        others += 1.0;
      }
      errors[i] = !is_share ? height : others > 0.0 ? height / others : 0.0;
    }
  }
  return errors;
}

void CheckEqual(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK((found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i]))));
  }
}

}  // namespace

TEST_CASE("absolute errors are distances of targets, after a step where that is what is learnt") {
  IterationCase three = CaseOf({0, 1, 2});
  three.Predict({0.5, 2.0, kNoNumber});
  CheckEqual(AbsoluteErrors{false}(three.now), {0.5, 1.0, kNoNumber});
  CheckEqual(AbsoluteErrors{true}(three.now), {0.25, 0.0, kNoNumber});  // half of 0.5 and of 2
  CheckEqual(SharesOfLargestError(AbsoluteErrors{false})(three.now), {0.5, 1.0, kNoNumber});
  three.Predict({0.0, 1.0, 2.0});
  CheckEqual(SharesOfLargestError(AbsoluteErrors{false})(three.now), {0.0, 0.0, 0.0});
}

TEST_CASE("median errors are distances of the median of a grade's predictions") {
  IterationCase seven = CaseOf({0, 0, 0, 1, 1, 1, 1});
  seven.Predict({0.0, 1.0, 5.0, 1.0, 2.0, 4.0, 7.0});  // medians 1 and 3
  CheckEqual(MedianErrors()(seven.now), {1, 0, 4, 2, 1, 1, 4});
  seven.Predict({0.0, kNoNumber, 5.0, 1.0, 2.0, kNoNumber, 7.0});  // 2.5 and 2
  CheckEqual(MedianErrors()(seven.now), {2.5, kNoNumber, 2.5, 1, 0, kNoNumber, 5});
}

TEST_CASE("heights count documents of the other class on the wrong side") {
  IterationCase five = CaseOf({0, 0, 0, 1, 2});
  five.Predict({5.0, 3.0, 1.0, 4.0, 3.0});  // ranked: 0, 1, then one of each, 0
  CheckEqual(HeightErrors{false}(five.now), {2.0, 0.5, 0.0, 1.0, 1.5});
  CheckEqual(HeightErrors{true}(five.now), {1.0, 0.25, 0.0, 1.0 / 3.0, 0.5});
  IterationCase irrelevant = CaseOf({0, 0});
  irrelevant.Predict({1.0, 2.0});
  CheckEqual(HeightErrors{true}(irrelevant.now), {0.0, 0.0});
}

TEST_CASE("heights are those that their definition gives, with ties and missing predictions") {
  Rng rng(4);
  for (int trial = 0; trial < 50; ++trial) {
    IterationCase any(testing::SmallData({6, 9, 2, 6, 0, false, false, 3}, rng), 0.1);
    any.Predict(testing::SomePredictions(any.data.n_documents(), rng));
    CheckEqual(HeightErrors{false}(any.now), NaiveHeights(any.now, false));
    const std::vector<double> shares = HeightErrors{true}(any.now);
    CheckEqual(shares, NaiveHeights(any.now, true));
    for (const double share : shares) CHECK(!(share < 0.0 || share > 1.0));
  }
}

TEST_CASE("median errors are those of sorted predictions, and shares reach 1") {
  Rng rng(5);
  for (int trial = 0; trial < 50; ++trial) {
    IterationCase any(testing::SmallData({6, 9, 2, 6, 0, false, false, 3}, rng), 0.1);
    any.Predict(testing::SomePredictions(any.data.n_documents(), rng));
    const auto grades = any.data.grades();
    const std::vector<double> errors = MedianErrors()(any.now);
    const std::vector<double> shares = SharesOfLargestError(MedianErrors())(any.now);
    double largest = 0.0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (std::isnan(any.now.predictions[i])) {
        CHECK(std::isnan(errors[i]));
        continue;
      }
      std::vector<double> same;
      for (std::size_t j = 0; j < errors.size(); ++j) {
        if (grades[j] == grades[i] && !std::isnan(any.now.predictions[j])) {
          same.push_back(any.now.predictions[j]);
        }
      }
      std::sort(same.begin(), same.end());
      const double median = (same[(same.size() - 1) / 2] + same[same.size() / 2]) / 2.0;
      CHECK(errors[i] == std::abs(median - any.now.predictions[i]));
      largest = std::max(largest, shares[i]);
    }
    CHECK(largest == 1.0);
  }
}

}  // namespace rankforest
