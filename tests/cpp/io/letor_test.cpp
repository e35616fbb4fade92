#include "rankforest/io/letor.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "support/letor_text.hpp"

namespace rankforest {
namespace {

using Paths = std::vector<std::filesystem::path>;

}  // namespace

TEST_CASE("files are read as their texts are, one after the other") {
  const testing::TemporaryFolder folder("letor");
  const std::string first = "2 qid:1 1:0.5 # a\n";
  const std::string second = "1 qid:2 2:7\n0 qid:1 1:3";
  const Paths paths = {folder.Write("first", first), folder.Write("second", second)};
  CHECK(testing::SameData(ReadLetorFiles(paths), testing::ReadTexts({first, second})));
}

TEST_CASE("messages name the path as it was given") {
  const testing::TemporaryFolder folder("letor");
  const Paths paths = {folder.Write("fine", "1 qid:1\n"), folder.Write("bad", "1 qid:1 1:x\n")};
  CHECK_THROWS_WITH_AS(ReadLetorFiles(paths),
                       (paths[1].string() + ":1:11: found 'x', expected a number").c_str(),
                       LetorError);
}

TEST_CASE("a file that cannot be read is an error of the file system") {
  const testing::TemporaryFolder folder("letor");
  CHECK_THROWS_AS(ReadLetorFiles(Paths{folder / "absent"}), std::filesystem::filesystem_error);
  CHECK_THROWS_AS(ReadLetorFiles(Paths{folder / ""}), std::filesystem::filesystem_error);
  CHECK_THROWS_AS(ReadLetorFiles(Paths{folder.Write("empty", "")}), LetorError);
}

}  // namespace rankforest
