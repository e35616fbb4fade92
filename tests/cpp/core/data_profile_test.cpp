#include "rankforest/core/data_profile.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace rankforest {

namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

/// Of two features of ten documents; the second one is always missing.
DataProfile TwoFeatures() {
  return {10, {{1, -1.0F, 5.0F, {0.0F, 2.0F}, {4, 3, 2}}, {10, kNoValue, kNoValue, {}, {0}}}};
}

std::string ProfileComplaint(const std::function<void(DataProfile&)>& change) {
  DataProfile profile = TwoFeatures();
  change(profile);
  try {
    ValidateProfile(profile, 2);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("profiles that no data set can have are refused, with the feature") {
  const std::string first = "the data profile of feature 0: ";
  const std::string sum = first + "counts and missing values must add up to the documents";
  CHECK(ProfileComplaint([](DataProfile&) {}) == "");
  CHECK(ProfileComplaint([](DataProfile& p) { p.features.pop_back(); }) ==
        "the data profile has 1 features, the model has 2");
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].counts.pop_back(); }) ==
        first + "there must be one count more than edges");
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].edges[1] = -1.0F; }) ==
        first + "edges must not descend");
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].edges[1] = kNoValue; }) ==
        first + "edges must be finite");
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].counts[0] = 3; }) == sum);
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].counts[0] = ~std::uint64_t{0}; }) ==
        sum);
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].n_missing = 11; }) ==
        first + "more values are missing than there are documents");
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].least = 6.0F; }) ==
        first + "least must not be above largest");
  CHECK(ProfileComplaint([](DataProfile& p) { p.features[0].largest = kNoValue; }) ==
        first + "least and largest must be finite");
  CHECK(
      ProfileComplaint([](DataProfile& p) { p.features[1].least = 0.0F; }) ==
      "the data profile of feature 1: least and largest must be NaN where every value is missing");
}

TEST_CASE("equal profiles are equal though some of their numbers are NaN") {
  CHECK(TwoFeatures() == TwoFeatures());
  DataProfile other = TwoFeatures();
  other.features[0].counts = {3, 4, 2};
  CHECK_FALSE(other == TwoFeatures());
}

}  // namespace rankforest
