#include "rankforest/io/letor_survey.hpp"

#include <doctest/doctest.h>

#include <string>

namespace rankforest::detail {
namespace {

LetorSurvey Survey(const std::string& text) { return SurveyChunk(text, {0, 0, text.size(), true}); }

}  // namespace

TEST_CASE("documents are the lines that are neither blank nor a comment") {
  CHECK(Survey("").n_documents == 0);
  CHECK(Survey("\n \t\r\n# only\n  # comments\n").n_documents == 0);
  CHECK(Survey("1 qid:1 1:2\r\n\n0 qid:1 # c\nx").n_documents == 3);
}

TEST_CASE("the last feature of a line gives its largest index") {
  CHECK(Survey("1 qid:7 1:0.5 46:3\n0 qid:7 5:1").end_index == 47);
  CHECK(Survey("1 qid:7 5:1 # docid = 9:9\n").end_index == 6);
  CHECK(Survey("1 qid:7 5:1#a:b\n").end_index == 6);
  CHECK(Survey("1 qid:7\n").end_index == 0);
  CHECK(Survey("1 2 3\n").end_index == 0);
  CHECK(Survey("1 qid:7 :5\n").end_index == 0);
  CHECK(Survey("1 qid:7 9999999999:1\n").end_index == 10000000000);
  CHECK(Survey("1 qid:7 99999999999:1\n").end_index == 0);
}

TEST_CASE("index 0 is noticed where it comes first") {
  CHECK(Survey("1 qid:7 1:1\n1 qid:7\t0:1").has_index_zero);
  CHECK(Survey("1 0:1").has_index_zero);
  CHECK_FALSE(Survey("1 qid:0 1:0 10:0 # 0:0").has_index_zero);
}

TEST_CASE("the first document tells whether there is a qid") {
  CHECK(Survey("# c\n1 qid:7 1:1\n1 1:1").first_has_qid);
  CHECK_FALSE(Survey("1 1:1\n1 qid:7 1:1").first_has_qid);
  CHECK_FALSE(Survey("1").first_has_qid);
}

}  // namespace rankforest::detail
