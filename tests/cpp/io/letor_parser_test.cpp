#include "rankforest/io/letor_parser.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace rankforest::detail {
namespace {

/// Parses the text as one chunk whose rows come after ten others.
LetorRows Rows(const LetorSource& source, std::size_t n_rows, const LetorOptions& options = {}) {
  LetorRows rows;
  rows.first_row = 10;
  rows.n_rows = n_rows;
  const LetorLayout layout = MakeLayout(options, {4, false}, true, n_rows, source.text.size());
  std::vector<float> features(n_rows * layout.n_columns);
  std::vector<double> grades(n_rows);
  LetorParser(layout, options, features.data(), grades.data(), rows)
      .Parse(source, {0, 0, source.text.size(), true});
  return rows;
}

}  // namespace

TEST_CASE("a run of documents of one query is noted once, with its first row") {
  const LetorRows rows = Rows({"f", "1 qid:a\n1 qid:a\n# qid:x\n1 qid:b 1:2\n1 qid:a", ""}, 4);
  REQUIRE(rows.runs.size() == 3);
  CHECK(rows.runs[0].first_row == 10);
  CHECK(rows.runs[0].id == "a");
  CHECK(rows.runs[1].first_row == 12);
  CHECK(rows.runs[1].id == "b");
  CHECK(rows.runs[2].first_row == 13);
  CHECK(rows.runs[2].id == "a");
}

TEST_CASE("comments are kept without the blanks around them, if they are wanted") {
  const LetorSource source = {
      "f", "1 qid:a # docid = X  y \t\r\n# lost\n1 qid:a\n1 qid:a 1:2#\n1 qid:a#z#\n", ""};
  const std::vector<std::string_view> expected = {"docid = X  y", "", "", "z#"};
  CHECK(Rows(source, 4).comments == expected);
  LetorOptions options;
  options.keep_comments = false;
  CHECK(Rows(source, 4, options).comments.empty());
  CHECK(Rows({"f", "1 qid:a #  \n", ""}, 1).comments.empty());
}

TEST_CASE("what is handed out points into the source, even from its last line") {
  const std::string text = "1 qid:abc # def";
  const LetorRows rows = Rows({"f", text, ""}, 1);
  CHECK(rows.runs[0].id.data() == text.data() + 6);
  CHECK(rows.comments[0].data() == text.data() + 12);
}

}  // namespace rankforest::detail
