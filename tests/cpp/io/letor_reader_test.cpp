#include "rankforest/io/letor_reader.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/io/letor_data.hpp"
#include "support/letor_text.hpp"

namespace rankforest {
namespace {

using testing::ErrorOf;
using testing::Features;
using testing::ReadText;
using testing::ReadTexts;
using testing::SameData;
using Floats = std::vector<float>;
using Strings = std::vector<std::string>;
using Codes = std::vector<QueryId>;

LetorOptions With(ZeroBased zero_based, std::size_t n_features = 0) {
  LetorOptions options;
  options.zero_based = zero_based;
  options.n_features = n_features;
  return options;
}

LetorOptions Cut(int threads, std::size_t chunk_bytes) {
  LetorOptions options;
  options.threads = Threads{threads};
  options.chunk_bytes = chunk_bytes;
  return options;
}

std::string Pick(Rng& rng, const Strings& choices) {
  return choices[rng.Below(static_cast<std::uint32_t>(choices.size()))];
}

/// Valid text in every spelling that is allowed.
std::string RandomText(Rng& rng) {
  std::string text = Pick(rng, {"", "", "\xEF\xBB\xBF"});
  for (std::uint32_t line = 0; line < 40; ++line) {
    const auto blank = [&rng] { return Pick(rng, {" ", " ", " ", "\t", "  ", " \t "}); };
    text += Pick(rng, {"", "", "", " ", "# a comment\n", "\n", " \r\n"});
    text += Pick(rng, {"0", "1", "+2", "0.5", "1e1", "4."}) + blank();
    text += "qid:" + Pick(rng, {"1", "01", "two", "18446744073709551616", "q:7", "\xC3\xA9"});
    std::uint32_t index = rng.Below(3);
    for (std::uint32_t n = rng.Below(12); n > 0; --n) {
      index += 1 + rng.Below(2);
      text += blank() + std::to_string(index) + ":";
      text += Pick(rng, {"0", "1", "-3", "0.123456", "-12.345678", "NULL", "nan", "1e-3", "7."});
    }
    if (rng.Below(3) == 0) text += " 300:5 200:1";  // not ascending, wider than any guess
    text += Pick(rng, {"", " ", "\t"}) + Pick(rng, {"", "", "#", "# docid = 7", "#x # y "});
    text += Pick(rng, {"\n", "\r\n"});
  }
  return text;
}

/// The grades, ids and features of a text by the plainest means.
struct NaiveDocument {
  double grade = 0.0;
  std::string id;
  std::vector<std::pair<std::size_t, float>> features;  // column and value
};

std::vector<NaiveDocument> NaiveRead(std::string text) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  std::vector<NaiveDocument> documents;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream tokens(line.substr(0, line.find('#')));
    std::string token;
    if (!(tokens >> token)) continue;
    NaiveDocument document;
    document.grade = std::strtod(token.c_str(), nullptr);
    tokens >> token;
    document.id = token.substr(4);
    while (tokens >> token) {
      const std::size_t colon = token.find(':');
      const std::string value = token.substr(colon + 1);
      document.features.emplace_back(std::stoul(token) - 1,
                                     value == "NULL"
                                         ? std::numeric_limits<float>::quiet_NaN()
                                         : static_cast<float>(std::strtod(value.c_str(), nullptr)));
    }
    documents.push_back(document);
  }
  return documents;
}

}  // namespace

TEST_CASE("a text becomes rows, grades, queries in order of appearance, and comments") {
  const LetorData data = ReadText(
      "2 qid:10 1:0.5 3:-1 # docid = GX008 inc = 1\n"
      "0 qid:9 2:4\n"
      "+1 qid:10 3:NULL # last\n");
  CHECK(data.n_documents == 3);
  CHECK(data.n_features == 3);
  CHECK(data.grades == std::vector<double>{2, 0, 1});
  CHECK(data.query_codes == Codes{0, 1, 0});
  CHECK(data.query_ids == Strings{"10", "9"});
  CHECK(data.comments == Strings{"docid = GX008 inc = 1", "", "last"});
  CHECK_FALSE(data.zero_based);
  const Floats features = Features(data);
  CHECK(Floats(features.begin(), features.begin() + 8) == Floats{0.5, 0, -1, 0, 4, 0, 0, 0});
  CHECK(std::isnan(features[8]));
}

TEST_CASE("several files are one data set, and queries go across them") {
  const LetorData data = ReadTexts({"1 qid:a 1:1\n0 qid:b 2:1", "2 qid:b 3:5\n\n0 qid:c"});
  CHECK(data.n_features == 3);
  CHECK(data.query_codes == Codes{0, 1, 1, 2});
  CHECK(data.query_ids == Strings{"a", "b", "c"});
  CHECK(data.comments.empty());
  CHECK(Features(data) == Floats{1, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0});
}

TEST_CASE("ids are compared byte for byte") {
  const LetorData data = ReadText("1 qid:1\n1 qid:01\n1 qid:+1\n1 qid:1:1\n1 qid:qid:1\n");
  CHECK(data.query_ids == Strings{"1", "01", "+1", "1:1", "qid:1"});
}

TEST_CASE("absent features are what the options say") {
  LetorOptions options;
  options.absent = std::numeric_limits<float>::quiet_NaN();
  options.n_features = 3;
  const LetorData data = ReadText("1 qid:1 2:0\n", options);
  CHECK(std::isnan(data.features[0]));
  CHECK(data.features[1] == 0.0F);
  CHECK(std::isnan(data.features[2]));
}

TEST_CASE("the index base is the given one, or found over all files together") {
  const Strings with_zero = {"1 qid:1 2:5\n", "1 qid:1 0:7 1:8\n"};
  const LetorData found = ReadTexts(with_zero, With(ZeroBased::kAuto));
  CHECK(found.zero_based);
  CHECK(Features(found) == Floats{0, 0, 5, 7, 8, 0});
  CHECK(SameData(found, ReadTexts(with_zero, With(ZeroBased::kYes))));

  const LetorData without = ReadTexts({"1 qid:1 2:5\n"}, With(ZeroBased::kAuto));
  CHECK_FALSE(without.zero_based);
  CHECK(Features(without) == Floats{0, 5});

  CHECK(Features(ReadText("1 qid:1 2:5\n", With(ZeroBased::kYes))) == Floats{0, 0, 5});
}

TEST_CASE("index 0 counts wherever it stands in its line") {
  for (const char* text : {"1 qid:1 2:5 0:7\n1 qid:1 1:9", "1 qid:1 0:7 2:5\n1 qid:1 1:9",
                           "1 qid:1\t0:7\t2:5\n1 qid:1 1:9", "1 qid:1 2:5 00:7\n1 qid:1 1:9"}) {
    INFO(text);
    const LetorData data = ReadText(text, With(ZeroBased::kAuto));
    CHECK(data.zero_based);
    CHECK(Features(data) == Floats{7, 0, 5, 0, 9, 0});
  }
}

TEST_CASE("with n_features, auto decides what the largest index is") {
  CHECK(ReadText("1 qid:1 3:5\n", With(ZeroBased::kAuto, 3)).n_features == 3);
  CHECK(ErrorOf({"1 qid:1 3:5\n1 qid:1 1:1 0:1\n"}, With(ZeroBased::kAuto, 3)) ==
        "a.txt:1:9: found '3:5', expected an index <= 2 (n_features=3)");
}

TEST_CASE("the last column that any line mentions is told, however wide the matrix is") {
  CHECK(ReadText("1 qid:1 3:5\n2 qid:1 5:0 2:1\n").n_mentioned == 5);
  CHECK(ReadText("1 qid:1 3:5\n", With(ZeroBased::kNo, 9)).n_mentioned == 3);
  CHECK(ReadText("1 qid:1 3:5\n", With(ZeroBased::kYes, 9)).n_mentioned == 4);
  CHECK(ReadText("1 qid:1\n", With(ZeroBased::kNo, 9)).n_mentioned == 0);
  CHECK(ReadText("1 qid:1\n", With(ZeroBased::kYes, 9)).n_mentioned == 0);
}

TEST_CASE("n_features widens the matrix, up to what is asked for in so many words") {
  CHECK(Features(ReadText("1 qid:1 1:5\n", With(ZeroBased::kNo, 3))) == Floats{5, 0, 0});
  CHECK(ReadText("1 qid:1 2000000:5\n", With(ZeroBased::kNo, 2000000)).n_features == 2000000);
}

TEST_CASE("an index that only a mistake explains is an error, not a huge matrix") {
  CHECK(ErrorOf({"1 qid:1 1:1\n1 qid:1 4000000000:1\n"}) ==
        "a.txt:2:9: found '4000000000:1', expected an index <= 1048576 (a larger one makes a "
        "matrix of 2 rows too large to be meant, unless n_features says so)");
  CHECK(
      ErrorOf({"1 qid:1 99999999999999999999999999:1"}).rfind("a.txt:1:9: found '9999999999", 0) ==
      0);
}

TEST_CASE("text without features has no columns") {
  const LetorData data = ReadText("1 qid:1\n2 qid:1 # x:1\n");
  CHECK(data.n_documents == 2);
  CHECK(data.n_features == 0);
  CHECK(ReadText("1 qid:7:5\n").n_features == 0);
}

TEST_CASE("text without qid is read where it need not have one, as its first document decides") {
  LetorOptions options;
  options.require_qid = false;
  const LetorData data = ReadText("# c\n1 1:5\n0 2:6\n", options);
  CHECK(Features(data) == Floats{5, 0, 0, 6});
  CHECK(data.query_codes.empty());
  CHECK(data.query_ids.empty());
  CHECK(ReadText("1 qid:7 1:5\n", options).query_ids == Strings{"7"});
  CHECK(ErrorOf({"1 1:5\n1 qid:1 1:5\n"}, options) ==
        "a.txt:2:3: found 'qid:1', expected INDEX:VALUE, since the first document has no qid");
  CHECK(ErrorOf({"1 qid:1 1:5\n", "1 1:5\n"}, options) ==
        "b.txt:1:3: found '1:5', expected qid:ID after the grade");
}

TEST_CASE("what is wrong is named with its file, line and column") {
  const std::string good = "1 qid:1 1:1 # fine\r\n\n\t# x\n";
  const struct {
    std::string text;
    const char* message;
  } bad[] = {
      {"1 1:5", "4:3: found '1:5', expected qid:ID after the grade"},
      {"1", "4:2: found the end of the line, expected qid:ID after the grade"},
      {"1 # qid:1", "4:3: found '#', expected qid:ID after the grade"},
      {"1 QID:1", "4:3: found 'QID:1', expected qid:ID after the grade"},
      {"1 qid: 1:5", "4:3: found 'qid:', expected an id right after qid:"},
      {"qid:1 1:5", "4:1: found 'qid:1', expected a grade: a finite number >= 0"},
      {"  -1 qid:1", "4:3: found '-1', expected a grade: a finite number >= 0"},
      {"1:5 qid:1", "4:1: found '1:5', expected a grade: a finite number >= 0"},
      {"1 qid:1 63: .5", "4:12: found a blank, expected a number right after the colon"},
      {"1 qid:1 5:", "4:11: found the end of the line, expected a number right after the colon"},
      {"1 qid:1 5 6:1", "4:9: found '5', expected INDEX:VALUE"},
      {"1 qid:1 1:1 qid:1", "4:13: found 'qid:1', expected INDEX:VALUE"},
      {"1 qid:1\t2:1x", "4:11: found '1x', expected a number"},
      {"1 qid:\xC3\xA9 2:\xC3\xA9", "4:11: found '\\xc3\\xa9', expected a number"},
      {std::string("1 qid:1 2:1\0 3:1", 17), "4:12: found '\\x00', expected INDEX:VALUE"},
      {std::string("1 qid:1 # \0", 11), "4:11: found '\\x00', expected text without NUL bytes"},
      {std::string("#\0", 2), "4:2: found '\\x00', expected text without NUL bytes"},
      {"1 qid:1 2:1\v3:1", "4:12: found '\\x0b', expected INDEX:VALUE"},
      {"1 qid:1\r0 qid:1", "4:9: found '0', expected INDEX:VALUE"}};
  for (const auto& [text, message] : bad) {
    INFO(text);
    CHECK(ErrorOf({good + text}) == std::string("a.txt:") + message);
    CHECK(ErrorOf({good + text + " \r\n" + good}) != "");
    CHECK(ErrorOf({good, good + text + "\n" + good, "x"}) == std::string("b.txt:") + message);
  }
}

TEST_CASE("a file without documents is an error") {
  const std::string expected = ": found the end of the text, expected at least one document";
  CHECK(ErrorOf({""}) == "a.txt:1:1" + expected);
  CHECK(ErrorOf({"\xEF\xBB\xBF"}) == "a.txt:1:1" + expected);
  CHECK(ErrorOf({"\n# nothing\n  \n"}) == "a.txt:4:1" + expected);
  CHECK(ErrorOf({"1 qid:1 1:1\n", "", "x"}) == "b.txt:1:1" + expected);
  CHECK(ErrorOf({"1 qid:1 1:x\n", ""}) == "a.txt:1:11: found 'x', expected a number");
}

TEST_CASE("damage is reported where the text stops, after what is wrong before it") {
  const auto error_of = [](const std::string& text) {
    const std::vector<LetorSource> sources = {{"f", text, "the file is cut off"}, {"g", "x", ""}};
    try {
      ReadLetor(Span<const LetorSource>(sources));
    } catch (const LetorError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string expected = ": found the end of the text, expected more: the file is cut off";
  CHECK(error_of("") == "f:1:1" + expected);
  CHECK(error_of("1 qid:1 1:1\n0 qid:1 2:") == "f:2:11" + expected);
  CHECK(error_of("1 qid:1 1:1\n") == "f:2:1" + expected);
  CHECK(error_of("1 qid:1 1:x\n0 qi") == "f:1:11: found 'x', expected a number");
}

TEST_CASE("options out of range are refused") {
  LetorOptions options;
  options.absent = 1.0F;
  CHECK_THROWS_AS(ReadText("1 qid:1 1:1\n", options), std::invalid_argument);
  options = {};
  options.chunk_bytes = 0;
  CHECK_THROWS_AS(ReadText("1 qid:1 1:1\n", options), std::invalid_argument);
  CHECK_THROWS_AS(ReadLetor({}), std::invalid_argument);
}

TEST_CASE("random text is read as a naive reader does") {
  Rng rng(6);
  for (int trial = 0; trial < 100; ++trial) {
    const std::string text = RandomText(rng);
    INFO(text);
    const std::vector<NaiveDocument> expected = NaiveRead(text);
    const LetorData data = ReadText(text, Cut(2, 1 + rng.Below(200)));
    REQUIRE(data.n_documents == expected.size());
    for (std::size_t row = 0; row < expected.size(); ++row) {
      REQUIRE(data.grades[row] == expected[row].grade);
      REQUIRE(data.query_ids[data.query_codes[row]] == expected[row].id);
      Floats features(data.n_features);
      for (const auto& [column, value] : expected[row].features) features.at(column) = value;
      const float* const begin = data.features.data() + row * data.n_features;
      REQUIRE(testing::SameBits(features, Floats(begin, begin + data.n_features)));
    }
  }
}

TEST_CASE("threads, chunks, line breaks and a split into files change nothing") {
  Rng rng(7);
  for (int trial = 0; trial < 5; ++trial) {
    const std::string first = RandomText(rng);
    const std::string second = RandomText(rng);
    const LetorData expected = ReadTexts({first, second});
    for (const int threads : {1, 3}) {
      for (const std::size_t bytes : {1U, 70U, 1000U}) {
        REQUIRE(SameData(ReadTexts({first, second}, Cut(threads, bytes)), expected));
      }
    }
    std::string unix_text;
    for (const char c : first + second.substr(second.rfind("\xEF\xBB\xBF", 0) == 0 ? 3 : 0)) {
      if (c != '\r') unix_text += c;
    }
    REQUIRE(SameData(ReadText(unix_text), expected));
  }
}

TEST_CASE("the first error is the same for every number of threads and size of chunk") {
  Rng rng(8);
  for (int trial = 0; trial < 8; ++trial) {
    std::string text = RandomText(rng) + RandomText(rng).substr(3);
    for (int n = 0; n < 5; ++n) text[rng.Below(static_cast<std::uint32_t>(text.size()))] = '!';
    const std::string expected = ErrorOf({text});
    for (const int threads : {1, 3}) {
      for (const std::size_t bytes : {1U, 500U}) {
        REQUIRE(ErrorOf({text}, Cut(threads, bytes)) == expected);
      }
    }
  }
}

}  // namespace rankforest
