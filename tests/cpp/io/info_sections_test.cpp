#include "rankforest/io/info_sections.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/io/model_info.hpp"

namespace rankforest {

namespace {

/// What ValidateInfo says of the info of a model of two features after `change`.
std::string InfoComplaint(const std::function<void(ModelInfo&)>& change) {
  ModelInfo info;
  info.feature_names = {"bm25", "caf\xC3\xA9"};
  change(info);
  try {
    ValidateInfo(info, 2);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("names keep every character") {
  const std::vector<std::string> names{"", "a b\t\"\\\n", std::string("nul\0nul", 7),
                                       "\xF0\x9F\x8C\xB2"};
  CHECK(DecodeNames(EncodeNames(names)) == names);
  CHECK(DecodeNames(EncodeNames({})).empty());
}

TEST_CASE("names are a count, then sizes and bytes") {
  const Bytes expected{2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 'a', 0, 0, 0, 0};
  CHECK(EncodeNames({"a", ""}) == expected);
}

TEST_CASE("counts and sizes of names that the section does not hold are refused") {
  const Bytes good = EncodeNames({"ab", "c"});
  for (const std::uint64_t count : {1ULL, 3ULL, ~0ULL}) {
    Bytes bytes = good;
    detail::StoreLittleEndian(count, bytes.data());
    CHECK_THROWS_AS(DecodeNames(bytes), std::invalid_argument);
  }
  for (const std::uint32_t size : {1U, 3U, 100U, ~0U}) {
    Bytes bytes = good;
    detail::StoreLittleEndian(size, bytes.data() + 8);
    CHECK_THROWS_AS(DecodeNames(bytes), std::invalid_argument);
  }
}

TEST_CASE("rules come back as they were") {
  for (const Absent absent : {Absent::kZero, Absent::kNan}) {
    for (const std::uint32_t base : {0U, 1U}) {
      ModelInfo info;
      info.absent = absent;
      info.index_base = base;
      ModelInfo read;
      DecodeRules(EncodeRules(info), read);
      CHECK(read == info);
    }
  }
}

TEST_CASE("a rule for missing values that this version does not know is refused") {
  ModelInfo info;
  Bytes bytes = EncodeRules(info);
  bytes[0] = 1;
  CHECK_THROWS_WITH_AS(DecodeRules(bytes, info), "the rule for missing values is 1, expected 0",
                       std::invalid_argument);
}

TEST_CASE("each part of the info that cannot be is named") {
  CHECK(InfoComplaint([](ModelInfo&) {}) == "");
  CHECK(InfoComplaint([](ModelInfo& info) { info.feature_names.clear(); }) == "");
  CHECK(InfoComplaint([](ModelInfo& info) { info.feature_names.pop_back(); }) ==
        "the model has 1 feature names for 2 features");
  CHECK(InfoComplaint([](ModelInfo& info) { info.feature_names[1] = "caf\xE9"; }) ==
        "the name of feature 1 is not valid UTF-8");
  CHECK(InfoComplaint([](ModelInfo& info) { info.absent = static_cast<Absent>(2); }) ==
        "the rule for absent features is neither zero nor NaN");
  CHECK(InfoComplaint([](ModelInfo& info) { info.index_base = 2; }) ==
        "the index base is 2, expected 0 or 1");
  CHECK(InfoComplaint([](ModelInfo& info) { info.algorithm = "\xFF"; }) ==
        "the algorithm is not valid UTF-8");
  CHECK(InfoComplaint([](ModelInfo& info) { info.parameters_json = "{\"a\": \"\xC3\"}"; }) ==
        "the parameters' JSON is not valid UTF-8");
  CHECK(InfoComplaint([](ModelInfo& info) { info.summary_json = "\x80"; }) ==
        "the summary's JSON is not valid UTF-8");
}

TEST_CASE("the problems of an ordinal model must fit its members") {
  Ensemble ensemble;
  ensemble.n_features = 2;
  ensemble.members = {{0.0, {}}};
  ModelInfo info;
  info.ordinal = Ordinal{{0.0, 1.0}, {{0, 0.5, {}}}};
  CHECK_NOTHROW(ValidateInfo(info, ensemble));
  ensemble.members.push_back({0.0, {}});
  CHECK_THROWS_WITH_AS(ValidateInfo(info, ensemble),
                       "the problems of an ordinal model name 1 members of 2",
                       std::invalid_argument);
  info.feature_names = {"one"};
  CHECK_THROWS_AS(ValidateInfo(info, ensemble), std::invalid_argument);
}

}  // namespace rankforest
