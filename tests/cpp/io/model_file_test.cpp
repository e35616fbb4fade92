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

const std::filesystem::path kFrozen = std::filesystem::path(RANKFOREST_TESTS) / "models" / "v1";
constexpr const char* kFrozenNames[] = {"sum", "minmax", "borda"};

/// The table of scores.tsv by columns: codes of queries, features by rows, scores by models.
struct FrozenScores {
  std::vector<QueryId> codes;
  std::vector<float> features;
  std::vector<std::vector<double>> scores{3};

  FrozenScores() {
    std::istringstream table(testing::ContentsOf(kFrozen / "scores.tsv"));
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

}  // namespace

TEST_CASE("frozen models of version 1 load and score to the same bits") {
  const FrozenScores frozen;
  const FeatureMatrix features{frozen.features.data(), frozen.codes.size(), 3, 3};
  REQUIRE(frozen.codes.size() == 10);
  for (std::size_t c = 0; c < 3; ++c) {
    const Model model = LoadModel(kFrozen / (std::string(kFrozenNames[c]) + ".rf"));
    CHECK(model.ensemble == testing::FrozenEnsemble(static_cast<Combine>(c)));
    CHECK(model.info == testing::FrozenInfo());
    CHECK(Score(model.ensemble, features, frozen.codes) == frozen.scores[c]);
  }
}

TEST_CASE("the frozen models are written byte for byte") {
  for (std::size_t c = 0; c < 3; ++c) {
    const Bytes bytes =
        EncodeModel(testing::FrozenEnsemble(static_cast<Combine>(c)), testing::FrozenInfo());
    CHECK(ToText(bytes) == testing::ContentsOf(kFrozen / (std::string(kFrozenNames[c]) + ".rf")));
  }
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
            "model; score it with CatBoost, or train the model again with rankforest");
  CHECK(message([] { (void)ReadModel(""); }) == "the file is empty, expected a model");
  const std::string json = testing::ContentsOf(kFrozen / "sum.json");
  CHECK(message([&] { (void)ReadModel(json); }) ==
        "this is the JSON form of a rankforest model, which only Python reads; make a model file "
        "of it: ltr-convert --model FILE --to rankforest --output model.rf");
}

}  // namespace rankforest
