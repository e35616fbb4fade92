#include "rankforest/core/categories.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace rankforest {

namespace {

CategoricalFeature Sites() { return {2, true, {}, {"a.com", "b.com"}, {0.5F, 1.5F}, 1.0F, 1.0F}; }
CategoricalFeature Shops() { return {4, false, {-7, 0, 9}, {}, {0.0F, 2.0F, 1.0F}, 1.0F, 0.5F}; }

/// What is wrong with a table; empty if nothing is.
std::string ComplaintOf(const Categories& categories) {
  try {
    ValidateCategories(categories, 5);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a table of texts and of numbers is content, and so is one without levels") {
  CHECK(ComplaintOf({}).empty());
  CHECK(ComplaintOf({Sites(), Shops()}).empty());
  CategoricalFeature empty = Shops();
  empty.numbers.clear();
  empty.values.clear();
  CHECK(empty.n_levels() == 0);
  CHECK(ComplaintOf({empty}).empty());
}

TEST_CASE("features must be the model's, and ascend") {
  CHECK(ComplaintOf({Shops(), Sites()}) == "categorical feature 2 does not come after feature 4");
  CHECK(ComplaintOf({Sites(), Sites()}) == "categorical feature 2 does not come after feature 2");
  CategoricalFeature beyond = Sites();
  beyond.feature = 5;
  CHECK(ComplaintOf({beyond}) == "categorical feature 5 is beyond the model's 5 features");
}

TEST_CASE("levels must be of one kind, ascend, and have a finite value each") {
  CategoricalFeature sites = Sites();
  std::swap(sites.texts[0], sites.texts[1]);
  CHECK(ComplaintOf({sites}) ==
        "categorical feature 2 has levels that do not ascend: level 1 is not above the one before");
  CategoricalFeature shops = Shops();
  shops.numbers[2] = 0;
  CHECK(ComplaintOf({shops}) ==
        "categorical feature 4 has levels that do not ascend: level 2 is not above the one before");
  shops = Shops();
  shops.texts = {"a"};
  CHECK(ComplaintOf({shops}) == "categorical feature 4 has both numbers and texts as levels");
  shops = Shops();
  shops.values.pop_back();
  CHECK(ComplaintOf({shops}) == "categorical feature 4 has 2 values for 3 levels");
  sites = {1, true, {}, {}, {}, 0.0F, 0.0F};
  CHECK(ComplaintOf({sites}) == "categorical feature 1 has texts as levels, but no level");
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    shops = Shops();
    shops.values[1] = bad;
    CHECK(ComplaintOf({shops}) ==
          "categorical feature 4 has a value that is not finite: that of level 1");
    shops = Shops();
    shops.missing = bad;
    CHECK(ComplaintOf({shops}) ==
          "categorical feature 4 has a value that is not finite: that of missing values");
    shops = Shops();
    shops.unseen = bad;
    CHECK(ComplaintOf({shops}) ==
          "categorical feature 4 has a value that is not finite: that of unseen levels");
  }
}

TEST_CASE("texts ascend by their bytes, which is the order of code points") {
  CategoricalFeature sites = Sites();
  sites.texts = {"z", "\xC3\xA4"};  // z, a with two dots
  CHECK(ComplaintOf({sites}).empty());
}

}  // namespace rankforest
