#include "rankforest/io/letor_writer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/io/letor.hpp"
#include "support/letor_text.hpp"

namespace rankforest {
namespace {

using Strings = std::vector<std::string>;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Documents with their memory.
struct Documents {
  std::size_t n_features = 0;
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<QueryId> codes;
  std::vector<std::string> ids;
  std::vector<std::string> comments;
  bool zero_based = false;

  [[nodiscard]] LetorTable table() const {
    return {{features.data(), grades.size(), n_features, n_features},
            grades,
            codes,
            ids,
            comments,
            zero_based};
  }
};

Documents Few() {
  return {
      3, {0.5F, 0.0F, -0.0F, kNaN, 1e10F, 0.1F}, {2.0, 0.1}, {1, 0}, {"b", "a"}, {"docid = 7", ""}};
}

std::string Written(const Documents& documents) {
  const testing::TemporaryFolder folder("letor_writer");
  WriteLetor(folder / "f", documents.table());
  return testing::ContentsOf(folder / "f");
}

std::string Refusal(const Documents& documents) {
  const testing::TemporaryFolder folder("letor_writer");
  try {
    WriteLetor(folder / "f", documents.table());
  } catch (const std::invalid_argument& error) {
    CHECK(folder.Names().empty());
    return error.what();
  }
  return "";
}

/// Any finite float or NaN, every exponent as likely as the others.
float RandomFloat(Rng& rng) {
  for (;;) {
    const auto bits = static_cast<std::uint32_t>(rng.Next());
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) return kNaN;
    if (!std::isinf(value)) return value;
  }
}

Documents Random(Rng& rng, std::size_t n_rows) {
  Documents documents;
  documents.n_features = 7;
  documents.ids = {"1", "q\xC3\xA9", "-5"};
  documents.zero_based = rng.Below(2) == 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t f = 0; f < 7; ++f) documents.features.push_back(RandomFloat(rng));
    documents.grades.push_back(rng.Uniform() * (rng.Below(2) == 0 ? 1e300 : 4.0));
    documents.codes.push_back(row < 3 ? static_cast<QueryId>(row) : rng.Below(3));
    documents.comments.push_back(rng.Below(2) == 0 ? "" : "# of " + std::to_string(row));
  }
  return documents;
}

}  // namespace

TEST_CASE("each document is a line with the shortest numbers that read back") {
  Documents documents = Few();
  CHECK(Written(documents) ==
        "2 qid:a 1:0.5 2:0 3:-0 #docid = 7\n"
        "0.1 qid:b 1:nan 2:1e+10 3:0.1\n");
  documents.zero_based = true;
  documents.comments.clear();
  CHECK(Written(documents) ==
        "2 qid:a 0:0.5 1:0 2:-0\n"
        "0.1 qid:b 0:nan 1:1e+10 2:0.1\n");
}

TEST_CASE("rows may be apart in memory") {
  Documents documents = Few();
  LetorTable table = documents.table();
  table.features.n_features = 2;
  const testing::TemporaryFolder folder("letor_writer");
  WriteLetor(folder / "f", table);
  CHECK(testing::ContentsOf(folder / "f") ==
        "2 qid:a 1:0.5 2:0 #docid = 7\n0.1 qid:b 1:nan 2:1e+10\n");
}

TEST_CASE("what is written reads back to the same bits") {
  Rng rng(9);
  const testing::TemporaryFolder folder("letor_writer");
  for (const std::size_t n_rows : {1U, 100U, 5000U}) {
    const Documents documents = Random(rng, n_rows);
    LetorOptions options;
    options.zero_based = documents.zero_based ? ZeroBased::kYes : ZeroBased::kNo;
    const std::vector<std::filesystem::path> paths = {folder / "f"};
    WriteLetor(paths[0], documents.table(), Threads{2});
    const LetorData data = ReadLetorFiles(paths, options);
    CHECK(testing::SameBits(testing::Features(data), documents.features));
    CHECK(testing::SameBits(data.grades, documents.grades));
    for (std::size_t row = 0; row < n_rows; ++row) {
      REQUIRE(data.query_ids[data.query_codes[row]] == documents.ids[documents.codes[row]]);
      const std::string comment = data.comments.empty() ? "" : data.comments[row];
      REQUIRE(comment == documents.comments[row]);
    }
  }
}

TEST_CASE("the one float32 whose shortest decimal is rounded twice comes back, too") {
  Documents documents = Few();
  documents.features[0] = 0x1.5c87fap-84F;
  documents.features[1] = -0x1.5c87fap-84F;
  const testing::TemporaryFolder folder("letor_writer");
  WriteLetor(folder / "f", documents.table());
  const std::vector<std::filesystem::path> paths = {folder / "f"};
  CHECK(testing::SameBits(testing::Features(ReadLetorFiles(paths)), documents.features));
}

TEST_CASE("the number of threads does not change the file") {
  Rng rng(10);
  const Documents documents = Random(rng, 10000);
  const testing::TemporaryFolder folder("letor_writer");
  WriteLetor(folder / "one", documents.table(), Threads{1});
  WriteLetor(folder / "five", documents.table(), Threads{5});
  CHECK(testing::ContentsOf(folder / "one") == testing::ContentsOf(folder / "five"));
}

TEST_CASE("what text cannot say is refused, and nothing is written") {
  CHECK(Refusal(Few()).empty());
  Documents documents = Few();
  documents.features[4] = -std::numeric_limits<float>::infinity();
  CHECK(Refusal(documents) == "feature 1 of row 1 is infinite: expected a finite number or NaN");
  for (const double grade : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    documents = Few();
    documents.grades[1] = grade;
    CHECK(Refusal(documents).find("of row 1: expected a finite number >= 0") != std::string::npos);
  }
  for (const std::string& id : Strings{"", "a b", "a#b", "a\n", std::string("\0", 1)}) {
    documents = Few();
    documents.ids[0] = id;
    CHECK(Refusal(documents).rfind("query id '", 0) == 0);
  }
  for (const std::string& comment :
       Strings{" x", "x ", "x\t", "a\nb", std::string("a\0b", 3), "x\r"}) {
    documents = Few();
    documents.comments[1] = comment;
    CHECK(Refusal(documents).find("of row 1 cannot be written") != std::string::npos);
  }
}

TEST_CASE("columns of other lengths and codes without an id are refused") {
  Documents documents = Few();
  documents.grades.push_back(1.0);
  documents.features.resize(9);
  CHECK(Refusal(documents) == "query_codes has 2 values, expected one for each of 3 rows");
  documents = Few();
  documents.codes[0] = 2;
  CHECK(Refusal(documents) == "query code 2: there are 2 query ids");
}

}  // namespace rankforest
