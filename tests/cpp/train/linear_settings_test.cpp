#include "rankforest/train/linear_settings.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <stdexcept>
#include <string>

namespace rankforest {

namespace {

struct FieldNames {
  std::set<std::string> names;

  template <class Field>
  void operator()(const char* name, Field& /*field*/) {
    CHECK(names.insert(name).second);
  }
};

template <class Settings>
std::set<std::string> NamesOfFields() {
  Settings settings;
  FieldNames visitor;
  VisitFields(settings, visitor);
  return visitor.names;
}

}  // namespace

TEST_CASE("the defaults are in range, and every field has a name of its own") {
  CHECK_NOTHROW(Check(RankSvmSettings()));
  CHECK_NOTHROW(Check(CoordinateAscentSettings()));
  CHECK_NOTHROW(Check(AdaRankSettings()));
  CHECK_NOTHROW(Check(RankBoostSettings()));
  CHECK(NamesOfFields<RankSvmSettings>().count("C") == 1);
  CHECK(NamesOfFields<CoordinateAscentSettings>().size() == 11);
  CHECK(NamesOfFields<AdaRankSettings>().count("query_normalization") == 1);
  CHECK(NamesOfFields<RankBoostSettings>().size() == 5);
}

TEST_CASE("a parameter out of range is named with its value") {
  const auto refuses = [](const auto& settings, const char* message) {
    CHECK_THROWS_WITH_AS(Check(settings), message, std::invalid_argument);
  };
  RankSvmSettings svm;
  svm.cost = 0.0;
  refuses(svm, "C must be finite and > 0, got 0");
  svm.cost = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(Check(svm), std::invalid_argument);
  svm = {};
  svm.tolerance = -1.0;
  refuses(svm, "tolerance must be finite and >= 0, got -1");
  CoordinateAscentSettings ascent;
  ascent.n_points = 1;
  refuses(ascent, "n_points must be >= 2, got 1");
  ascent = {};
  ascent.shrink = 1.5;
  refuses(ascent, "shrink must be in (0, 1], got 1.5");
  AdaRankSettings ada;
  ada.max_repeats = 0;
  refuses(ada, "max_repeats must be >= 1, got 0");
  ada = {};
  ada.linear.early_stopping_rounds = 0;
  refuses(ada, "early_stopping_rounds must be >= 1, got 0");
  RankBoostSettings boost;
  boost.n_thresholds = 0;
  refuses(boost, "n_thresholds must be >= 1, got 0");
}

TEST_CASE("every normalization has a name") {
  std::set<QueryNormalization> kinds;
  for (const auto& [name, kind] : NamesOf(QueryNormalization{})) kinds.insert(kind);
  CHECK(kinds.size() == 4);
}

}  // namespace rankforest
