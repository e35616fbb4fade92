#include "rankforest/io/lightgbm_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/score/reference.hpp"
#include "support/lightgbm_model.hpp"

namespace rankforest {

namespace {

/// Two trees on two features: a stump and a leaf.
std::string Small(const std::string& header = "") {
  const testing::LightGbmArrays stump{{1}, {2.5}, {8}, {-1}, {-2}, {0.25, -1.0}};
  const testing::LightGbmArrays leaf{{}, {}, {}, {}, {}, {0.5}};
  return testing::LightGbmText({stump, leaf}, 2, header);
}

std::string Replaced(std::string text, const std::string& part, const std::string& replacement) {
  return text.replace(text.find(part), part.size(), replacement);
}

void CheckRefused(const std::string& text, const char* message) {
  CHECK_THROWS_WITH_AS(ReadLightGbmText(text), message, std::invalid_argument);
}

std::vector<double> SmallScores(const std::string& text) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{9.0F, 2.5F, 9.0F, 2.6F, 9.0F, kNan};
  return Score(ReadLightGbmText(text).ensemble, {x.data(), 3, 2, 2});
}

}  // namespace

TEST_CASE("scores are those worked out by hand") {
  CHECK(SmallScores(Small()) == std::vector<double>{0.75, -0.5, -0.5});
  CHECK(SmallScores(Small("average_output\n")) == std::vector<double>{0.375, -0.25, -0.25});
}

TEST_CASE("a model knows its features, its objective and its rounds") {
  const Model model = ReadLightGbmText(Small());
  CHECK(model.ensemble.n_features == 2);
  CHECK(model.ensemble.n_rounds() == 2);
  CHECK(model.info.algorithm == "lightgbm lambdarank");
  CHECK(model.info.feature_names.empty());  // Column_0 Column_1
  CHECK(model.info.absent == Absent::kZero);
  CHECK(model.info.index_base == 1);
  const std::string named = Replaced(Small(), "Column_0 Column_1", "bm25 a=b");
  CHECK(ReadLightGbmText(named).info.feature_names == std::vector<std::string>{"bm25", "a=b"});
  const std::string custom = Replaced(Small(), "objective=lambdarank\n", "");
  CHECK(ReadLightGbmText(custom).info.algorithm == "lightgbm");
  const std::string binary = Replaced(Small(), "=lambdarank", "=binary sigmoid:1");
  CHECK(ReadLightGbmText(binary).info.algorithm == "lightgbm binary");
}

TEST_CASE("lines may end as on Windows, versions may be older, sizes of trees may be given") {
  std::string windows;
  for (const char c : Small()) windows += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(ReadLightGbmText(windows).ensemble == ReadLightGbmText(Small()).ensemble);
  CHECK(IsLightGbmText(windows));
  for (const char* version : {"v2", "v3"}) {
    const std::string text = Replaced(Small(), "=v4", std::string("=") + version);
    CHECK(ReadLightGbmText(Replaced(text, "end of trees\n\n", "")).ensemble.n_trees() == 2);
  }
  CHECK(ReadLightGbmText(Small("tree_sizes=1 2\n")).ensemble.n_trees() == 2);
}

TEST_CASE("a model without trees scores 0") {
  CHECK(SmallScores(testing::LightGbmText({}, 2)) == std::vector<double>{0.0, 0.0, 0.0});
}

TEST_CASE("scores are the sums of the leaves that LightGBM's rules lead to") {
  Rng rng(74);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<testing::LightGbmArrays> trees(1 + rng.Below(20));
    for (testing::LightGbmArrays& tree : trees) {
      tree = testing::RandomLightGbmTree(4, 1 + rng.Below(20), rng);
    }
    const bool mean = trial % 2 == 1;
    const std::string text = testing::LightGbmText(trees, 4, mean ? "average_output\n" : "");
    const Ensemble model = ReadLightGbmText(text).ensemble;
    for (int document = 0; document < 20; ++document) {
      std::vector<float> x(4);
      for (float& value : x) value = static_cast<float>(3.0 * (rng.Uniform() - 0.5));
      double expected = 0.0;
      double sizes = 0.0;
      for (const testing::LightGbmArrays& tree : trees) {
        const double leaf = tree.leaf_value[testing::LightGbmLeafOf(tree, x.data())];
        expected += leaf;
        sizes += std::fabs(leaf);
      }
      if (mean) expected /= static_cast<double>(trees.size());
      const double score = Score(model, {x.data(), 1, 4, 4}).front();
      CHECK(std::fabs(score - expected) <= sizes * 0x1p-23);  // a mean rounds twice
    }
  }
}

TEST_CASE("a text that ends early is refused wherever it ends") {
  const std::string text = Small();
  const std::size_t end = text.find("end of trees") + 12;
  for (std::size_t size = 0; size < end; ++size) {
    CHECK_THROWS_AS(ReadLightGbmText(text.substr(0, size)), std::invalid_argument);
  }
  CHECK(ReadLightGbmText(text.substr(0, end)).ensemble.n_trees() == 2);
  CheckRefused(text.substr(0, text.find("Tree=1")),
               "line 22: the file ends before 'end of trees', behind 1 trees");
}

TEST_CASE("a damaged text is refused or is another valid model") {
  Rng rng(75);
  const std::string text =
      testing::LightGbmText({testing::RandomLightGbmTree(3, 12, rng)}, 3, "tree_sizes=1\n");
  const std::string others = "0123456789-+.e= \n\rTx\xff";
  std::size_t n_refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string damaged = text;
    for (std::uint32_t n = 1 + rng.Below(3); n > 0; --n) {
      const std::size_t place = rng.Below(static_cast<std::uint32_t>(damaged.size()));
      const char other = others[rng.Below(static_cast<std::uint32_t>(others.size()))];
      if (rng.Below(3) == 0) {
        damaged.erase(place, 1 + rng.Below(20));
      } else {
        damaged[place] = other;
      }
    }
    try {
      const Model model = ReadLightGbmText(damaged);  // which validates it
      const std::vector<float> x(model.ensemble.n_features);
      CHECK(std::isfinite(Score(model.ensemble, {x.data(), 1, x.size(), x.size()}).front()));
    } catch (const std::invalid_argument& error) {
      if (*error.what() != '\0') ++n_refused;
    }
  }
  CHECK(n_refused > 1000);
  CHECK(n_refused < 3000);
}

TEST_CASE("headers of what cannot be held are refused by name") {
  CheckRefused(Replaced(Small(), "=v4", "=v5"),
               "line 2: version: found 'v5', expected v2, v3 or v4");
  CheckRefused(Replaced(Small(), "num_class=1", "num_class=3"),
               "line 3: num_class: found '3', expected 1: one score for a document");
  CheckRefused(Replaced(Small(), "iteration=1", "iteration=3"),
               "line 4: num_tree_per_iteration: found '3', expected 1: one score for a document");
  CheckRefused(Replaced(Small(), "max_feature_idx=1", "max_feature_idx=2"),
               "line 8: feature_names has 2 names, expected 3, one more than max_feature_idx");
  CheckRefused(Replaced(Small(), "max_feature_idx=1", "max_feature_idx=-1"),
               "line 6: max_feature_idx: found '-1', expected a whole number from 0 to 2147483647");
  CheckRefused(Replaced(Small(), "Column_1", "\xff"), "the name of feature 1 is not valid UTF-8");
  CheckRefused("", "line 1: the header has no line 'version'");
}

TEST_CASE("trees that are missing or out of order are refused") {
  CheckRefused(Replaced(Small(), "Tree=1", "Tree=2"),
               "line 23: found 'Tree=2', expected Tree=1 or 'end of trees'");
  CheckRefused(Small("tree_sizes=1 2 3\n"),
               "line 8: tree_sizes has 3 sizes, but there are 2 trees");
  CheckRefused(Replaced(Small(), "end of trees", "end of tree"),
               "line 36: found 'end of tree', expected Tree=2 or 'end of trees'");
}

TEST_CASE("only a text whose first line is tree is taken for LightGBM's") {
  CHECK(IsLightGbmText("tree\nversion=v4\n"));
  CHECK_FALSE(IsLightGbmText("trees\n"));
  CHECK_FALSE(IsLightGbmText("tree"));
  CHECK_FALSE(IsLightGbmText("\x89RFM\r\n\x1a\n"));
}

}  // namespace rankforest
