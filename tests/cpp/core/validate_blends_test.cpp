#include "rankforest/core/validate_blends.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "support/special_floats.hpp"

namespace rankforest {

namespace {

/// What ValidateBlends says of a good blend of a bag of two and a third member after `change`.
std::string BlendComplaint(const std::function<void(Ensemble&)>& change) {
  Ensemble ensemble;
  ensemble.members.resize(3);
  ensemble.blends = {{Combine::kMinMax, {{0, 1.0}, {2, 1.0}}},
                     {Combine::kSum, {{1, 0.0}, {3, 0.5}}}};
  change(ensemble);
  try {
    ValidateBlends(ensemble);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("blends that make a tree of columns are valid") {
  CHECK(BlendComplaint([](Ensemble&) {}) == "");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends.clear(); }) == "");
}

TEST_CASE("each rule of blends that is broken is named with its place") {
  CHECK(BlendComplaint([](Ensemble& model) { model.combine = Combine::kBorda; }) ==
        "a model with blends combines by them alone, expected sum beside");
  CHECK(BlendComplaint([](Ensemble& model) {
          model.blends[0].combine = static_cast<Combine>(4);
        }) == "blend 0: the combination is none of sum, minmax, borda, zscore");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends[1].terms.clear(); }) ==
        "blend 1: has no term");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends[0].terms[1].column = 3; }) ==
        "blend 0: term 1: the column is 3, expected one of the 3 before the blend's own");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends[1].terms[0].weight = -0.5; }) ==
        "blend 1: term 0: the weight is -0.5, expected a finite number of at least 0");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends[1].terms[0].weight = testing::kInf; }) ==
        "blend 1: term 0: the weight is inf, expected a finite number of at least 0");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends[1].terms[1].weight = 0.0; }) ==
        "blend 1: the sum of the weights is 0, expected a finite number above 0");
  CHECK(BlendComplaint([](Ensemble& model) {
          for (Blend::Term& term : model.blends[0].terms) term.weight = 1e308;
        }) == "blend 0: the sum of the weights is inf, expected a finite number above 0");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends[1].terms[0].column = 0; }) ==
        "column 0 is a term of 2 blends, expected one");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends.pop_back(); }) ==
        "column 1 is a term of 0 blends, expected one");
  CHECK(BlendComplaint([](Ensemble& model) { model.blends[0].combine = Combine::kSum; }) ==
        "all blends are sums, expected the weights in the groups of their members");
  CHECK(BlendComplaint([](Ensemble& model) { model.members[1].base = -0x1p1000; }) ==
        "scores of a column may be as large as 1.0715086071862673e+301, expected at most 1e300");
}

}  // namespace rankforest
