#include "rankforest/split/split.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace rankforest {

namespace {

struct NoStats {};

Split<NoStats> Make(double gain, FeatureId feature, float threshold, MissingTo missing) {
  Split<NoStats> split;
  split.gain = gain;
  split.feature = feature;
  split.threshold = threshold;
  split.missing = missing;
  return split;
}

}  // namespace

TEST_CASE("the larger gain is preferred, then the lower feature, threshold, and missing left") {
  // From the most to the least preferred.
  const std::vector<Split<NoStats>> splits = {
      Make(2.0, 5, 9.0F, MissingTo::kOwn),    Make(1.0, 2, 7.0F, MissingTo::kRight),
      Make(1.0, 3, -1.0F, MissingTo::kOwn),   Make(1.0, 3, 0.5F, MissingTo::kLeft),
      Make(1.0, 3, 0.5F, MissingTo::kRight),  Make(1.0, 3, 0.5F, MissingTo::kOwn),
      Make(0.25, 0, -9.0F, MissingTo::kLeft), Split<NoStats>(),
  };
  for (std::size_t i = 0; i < splits.size(); ++i) {
    for (std::size_t j = 0; j < splits.size(); ++j) {
      INFO(i, " against ", j);
      CHECK(IsBetter(splits[i], splits[j]) == (i < j));
    }
  }
}

TEST_CASE("no split is better than none") {
  CHECK_FALSE(Split<NoStats>().exists());
  CHECK_FALSE(IsBetter(Make(0.0, 0, 0.0F, MissingTo::kLeft), Make(0.0, 1, 0.0F, MissingTo::kLeft)));
  CHECK(Make(1e-300, 0, 0.0F, MissingTo::kLeft).exists());
}

}  // namespace rankforest
