#include "rankforest/io/foreign_file.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/frozen_model.hpp"
#include "support/letor_text.hpp"

namespace rankforest {

namespace {

/// What a file is taken for; "" if unknown.
std::string NameOf(std::string_view file) {
  const std::optional<ForeignFile> found = TellForeignFile(file);
  return found ? found->name : "";
}

/// First bytes as the systems write them, and what they are.
const std::vector<std::pair<std::string, const char*>> kHeads = {
    {"CBM10%", "a CatBoost model (.cbm)"},
    {"{\n  \"features_info\":\n", "a CatBoost model (JSON)"},
    {"{\"learner\":{\"attributes\":{", "an XGBoost model (JSON)"},
    {std::string("{L\0\0\0\0\0\0\0\x07learner{L", 19), "an XGBoost model (UBJSON)"},
    {"binf\x01", "an XGBoost model (its old binary form)"},
    {"[\n  { \"nodeid\": 0, \"depth\": 0,", "a JSON dump of an XGBoost model"},
    {"booster[0]:\n0:[f1<0.37", "a text dump of an XGBoost model"},
    {"{\"name\": \"tree\", \"num_tree_per_iteration\": 1", "a JSON dump of a LightGBM model"},
    {"## LambdaMART\n## No. of trees = 1000\n", "a RankLib model"},
    {"## Coordinate Ascent\n", "a RankLib model"},
    {"<ranker>\n\t<info>", "a QuickRank model"},
    {"<Ensemble>\n\t<Tree", "a jforests model"},
    {"{\n  \"class\" : \"org.apache.solr.ltr.model.LinearModel\"",
     "a model of Solr's learning to rank"},
    {"<?xml version=\"1.0\"?>\n<PMML version=\"4.3\"", "a PMML document"},
    {"\x08\x03\x12\x08"
     "CatBoost\x1a",
     "an ONNX model"},
    {"\x80\x04\x95\x03\x8c\x10lightgbm.sklearn", "a Python pickle of LightGBM"},
    {"\x80\x04\x8c\x0fxgboost.sklearn", "a Python pickle of XGBoost"},
    {"\x80\x05\x8c\x14rankforest.boosting", "a Python pickle of rankforest"},
    {"ccopy_reg\n_reconstructor\np0\n(csklearn", "a Python pickle, or a file of joblib"},
    {"\x80\x02}q\x01.", "a Python pickle, or a file of joblib"},
    {"x^\xdd\x59\x0bpT\xd5", "a zlib stream, as joblib writes with compress="},
    {"\x1f\x8b\x08", "a gzip file"},
    {"BZh91AY", "a bzip2 file"},
    {"PK\x03\x04-", "a ZIP archive"},
    {"PAR1\x15\x04", "a Parquet file"},
    {"\x93NUMPY\x01", "a NumPy array (.npy)"},
    {"2 qid:10 1:0.5\n", "LETOR text"},
    {"\n <!DOCTYPE html>", "a web page"},
    {"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer, not the file itself"},
    {"\x89RFM\n\x1a\n", "a rankforest model file that a transfer as text has damaged"},
};

}  // namespace

TEST_CASE("files of other systems are told by their first bytes") {
  for (const auto& [head, name] : kHeads) {
    CAPTURE(head);
    CHECK(NameOf(head) == name);
    CHECK(NameOf(head + std::string(2 * kForeignHead, 'x')) == name);
    CHECK(NameOf(std::string_view(head).substr(0, 1)).empty());
  }
}

TEST_CASE("a message says what a file is and what to do") {
  CHECK(ForeignFileMessage("{\"num_tree_per_iteration\":1}") ==
        "this is a JSON dump of a LightGBM model, which rankforest does not read as a model; "
        "save the booster as text and give that: booster.save_model(\"model.txt\")");
  CHECK(ForeignFileMessage("what is this").empty());
}

TEST_CASE("what is like a file of another system stays unknown") {
  for (const char* text :
       {"", "x^2 + y^2 is a formula", "## Notes\nof a day", "{\"a\": 1}", "<ensemble>\n",
        "the learner{L", "qid:10 1:0.5", "CBM", "\x80\x07", "tree\n", "[]"}) {
    CAPTURE(text);
    CHECK(NameOf(text).empty());
  }
  CHECK(NameOf(std::string(kForeignHead, ' ') + "{\"learner\"").empty());  // beyond what is read
}

TEST_CASE("our own files are not foreign") {
  const std::string text = testing::ContentsOf(testing::kFrozenFolder / "sum.json");
  REQUIRE_FALSE(text.empty());
  CHECK(NameOf(text).empty());
}

TEST_CASE("any bytes are looked at without harm") {
  Rng rng(17);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes(rng.Below(40), '\0');
    for (char& byte : bytes) byte = static_cast<char>(rng.Below(256));
    // Starts that lead into the rules that read on.
    constexpr std::array<const char*, 5> kStarts{"\x80", "\x08", "x\x9c", "## ", "{"};
    const std::string file = (trial % 2 == 0 ? "" : kStarts[rng.Below(5)]) + bytes;
    (void)TellForeignFile(file);
    CHECK(ForeignFileMessage(file).empty() == NameOf(file).empty());
  }
}

}  // namespace rankforest
