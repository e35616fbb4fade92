#include "rankforest/io/model_file.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/score/reference.hpp"
#include "support/frozen_model.hpp"
#include "support/letor_text.hpp"
#include "support/lightgbm_model.hpp"

namespace rankforest {

namespace {

/// The frozen models, in the order of the tables of their scores.
struct Frozen {
  const char* name;
  Ensemble model;
  ModelInfo info = testing::FrozenInfo();
};

std::vector<Frozen> CombinedFrozen() {
  return {{"sum", testing::FrozenEnsemble(Combine::kSum)},
          {"minmax", testing::FrozenEnsemble(Combine::kMinMax)},
          {"borda", testing::FrozenEnsemble(Combine::kBorda)}};
}
std::vector<Frozen> BlendedFrozen() { return {{"blend", testing::FrozenBlend()}}; }
std::vector<Frozen> SectionsFrozen() {
  return {{"exits", testing::FrozenExits()},
          {"linear", testing::FrozenLinear()},
          {"ordinal", testing::FrozenEnsemble(Combine::kSum), testing::FrozenOrdinalInfo()}};
}

std::filesystem::path FrozenPath(const Frozen& frozen) {
  return testing::kFrozenFolder / (std::string(frozen.name) + ".rf");
}

/// A table of scores by columns: codes of queries, features by rows, scores by models.
struct FrozenScores {
  std::vector<QueryId> codes;
  std::vector<float> features;
  std::vector<std::vector<double>> scores;

  FrozenScores(const char* name, std::size_t n_models) : scores(n_models) {
    std::istringstream table(testing::ContentsOf(testing::kFrozenFolder / name));
    std::string cell;
    std::getline(table, cell);  // the heading
    const auto number = [&] {
      table >> cell;
      return std::strtod(cell.c_str(), nullptr);  // reads hexadecimal floats
    };
    for (QueryId code = 0; table >> code;) {
      codes.push_back(code);
      for (int column = 0; column < 3; ++column) {
        features.push_back(static_cast<float>(number()));
      }
      for (std::vector<double>& column : scores) column.push_back(number());
    }
  }
};

void CheckFrozen(const char* table, const std::vector<Frozen>& models) {
  const FrozenScores frozen(table, models.size());
  const FeatureMatrix features{frozen.features.data(), frozen.codes.size(), 3, 3};
  REQUIRE(frozen.codes.size() == 10);
  for (std::size_t c = 0; c < models.size(); ++c) {
    const Model model = LoadModel(FrozenPath(models[c]));
    CHECK(model.ensemble == models[c].model);
    CHECK(model.info == models[c].info);
    CHECK(Score(model.ensemble, features, frozen.codes) == frozen.scores[c]);
    const Bytes bytes = EncodeModel(models[c].model, models[c].info);
    CHECK(ToText(bytes) == testing::ContentsOf(FrozenPath(models[c])));
  }
}

}  // namespace

TEST_CASE("frozen models of version 1 load, score to the same bits and are written byte for byte") {
  CheckFrozen("scores.tsv", CombinedFrozen());
}

TEST_CASE("so does the frozen model of blends") {
  CheckFrozen("blend_scores.tsv", BlendedFrozen());
}

TEST_CASE("so do those with exits, linear parts and problems of grades") {
  CheckFrozen("section_scores.tsv", SectionsFrozen());
}

TEST_CASE("a saved model is loaded as it was") {
  const testing::TemporaryFolder folder("model_file");
  const Ensemble ensemble = testing::FrozenEnsemble(Combine::kBorda);
  SaveModel(folder / "m.rf", ensemble, testing::FrozenInfo());
  const Model model = LoadModel(folder / "m.rf", Threads{2});
  CHECK(model.ensemble == ensemble);
  CHECK(model.info == testing::FrozenInfo());
  CHECK(folder.Names() == std::vector<std::string>{"m.rf"});
}

TEST_CASE("LightGBM's text is told by its first line and saved as our own") {
  const testing::TemporaryFolder folder("model_file");
  const testing::LightGbmArrays stump{{1}, {2.5}, {8}, {-1}, {-2}, {0.25, -1.0}};
  const std::string text = testing::LightGbmText({stump}, 2);
  const Model read = LoadModel(folder.Write("m.txt", text));
  CHECK(read.ensemble == ReadModel(text).ensemble);
  CHECK(read.ensemble.members[0].groups[0].trees[0].leaves == std::vector<float>{0.25F, -1.0F});
  SaveModel(folder / "m.rf", read.ensemble, read.info);
  const Model model = LoadModel(folder / "m.rf");
  CHECK(model.ensemble == read.ensemble);
  CHECK(model.info == read.info);
}

TEST_CASE("a model with categorical features is no model of numbers, and the path is named") {
  const testing::TemporaryFolder folder("model_file");
  const Ensemble ensemble = testing::FrozenEnsemble(Combine::kBorda);
  ModelInfo info = testing::FrozenInfo();
  SaveModel(folder / "m.rf", ensemble, info);
  CHECK(LoadModelOfNumbers(folder / "m.rf").info == info);
  info.categories = {{0, false, {7}, {}, {0.5F}, 0.0F, 0.0F}};
  SaveModel(folder / "m.rf", ensemble, info);
  CHECK(LoadModel(folder / "m.rf").info == info);
  std::string message;
  try {
    (void)LoadModelOfNumbers(folder / "m.rf");
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK(message.find((folder / "m.rf").string() + ": the model has categorical") == 0);
}

TEST_CASE("a model that is not valid leaves the old file alone") {
  const testing::TemporaryFolder folder("model_file");
  const std::filesystem::path path = folder.Write("m.rf", "old");
  CHECK_THROWS_AS(SaveModel(path, Ensemble{}), std::invalid_argument);
  CHECK(testing::ContentsOf(path) == "old");
  CHECK(folder.Names() == std::vector<std::string>{"m.rf"});
}

TEST_CASE("what is wrong with a file is said with its path") {
  const testing::TemporaryFolder folder("model_file");
  const std::filesystem::path path = folder.Write("m.rf", "<ensemble>\n");
  CHECK_THROWS_WITH_AS(
      LoadModel(path),
      (path.string() +
       ": neither a rankforest model file nor LightGBM's text; it starts with '<ensemble>\\x0a'")
          .c_str(),
      std::invalid_argument);
  const std::filesystem::path text = folder.Write("m.txt", "tree\nversion=v9\n");
  CHECK_THROWS_WITH_AS(
      LoadModel(text),
      (text.string() + ": line 2: version: found 'v9', expected v2, v3 or v4").c_str(),
      std::invalid_argument);
  CHECK_THROWS_AS(LoadModel(folder / "none.rf"), std::filesystem::filesystem_error);
  CHECK_THROWS_AS(SaveModel(folder / "no" / "m.rf", testing::FrozenEnsemble(Combine::kSum)),
                  std::filesystem::filesystem_error);
  CHECK_THROWS_AS(LoadModel(folder.Write("empty.rf", "")), std::invalid_argument);
}

TEST_CASE("a file of another system is named, with what to do") {
  const testing::TemporaryFolder folder("model_file");
  const auto message = [](const auto& read) -> std::string {
    try {
      read();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const std::filesystem::path path = folder.Write("m.cbm", "CBM1");
  CHECK(message([&] { (void)LoadModel(path); }) ==
        path.string() + ": this is a CatBoost model (.cbm), which rankforest does not read as a " +
            "model; make a model file of it: ltr-convert --model FILE --to rankforest --output " +
            "model.rf");
  CHECK(message([] { (void)ReadModel(""); }) == "the file is empty, expected a model");
  const std::string json = testing::ContentsOf(testing::kFrozenFolder / "sum.json");
  CHECK(message([&] { (void)ReadModel(json); }) ==
        "this is the JSON form of a rankforest model, which only Python reads; make a model file "
        "of it: ltr-convert --model FILE --to rankforest --output model.rf");
}

}  // namespace rankforest
