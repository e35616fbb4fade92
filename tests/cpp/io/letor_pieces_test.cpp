#include "rankforest/io/letor_pieces.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "rankforest/io/letor.hpp"
#include "support/letor_text.hpp"

namespace rankforest {

TEST_CASE("a piece of a file has its bytes and room to read on") {
  const testing::TemporaryFolder folder("letor_pieces");
  const detail::InputFile file(folder.Write("file", "0 1:1\n1 1:2\n"));
  const LetorSource source{"name", {}, {}, &file};
  CHECK(detail::SizeOf(source) == 12);
  detail::LetorPiece memory;
  const LetorSource piece = memory.Read(source, 6, 11);
  CHECK(piece.text.substr(0, 5) == "1 1:2");
  CHECK(piece.text.substr(5) == std::string(detail::kLineReach, '\0'));
  CHECK(memory.Read(source, 0, 1).text[0] == '0');
  CHECK(detail::StartOf(source, 5) == "0 1:1");
  CHECK(detail::StartOf(source, 50) == "0 1:1\n1 1:2\n");
  CHECK(detail::LetorCopy(source, 6).source().text == "0 1:1\n");
}

TEST_CASE("a line break is found in files as it is in memory") {
  const testing::TemporaryFolder folder("letor_pieces");
  const std::string text = "a\n" + std::string(10000, 'b') + "\nc";
  const detail::InputFile file(folder.Write("file", text));
  for (const LetorSource& source :
       {LetorSource{"file", {}, {}, &file}, LetorSource{"memory", text, {}, nullptr}}) {
    CHECK(detail::FindLineBreak(source, 0, text.size()) == 1);
    CHECK(detail::FindLineBreak(source, 1, text.size()) == 1);
    CHECK(detail::FindLineBreak(source, 2, text.size()) == 10002);
    CHECK(detail::FindLineBreak(source, 2, 5000) == 5000);
    CHECK(detail::FindLineBreak(source, 10003, text.size()) == text.size());
  }
}

TEST_CASE("files are read as the same text in memory, errors and their places among it") {
  const testing::TemporaryFolder folder("letor_pieces");
  std::string text = "\xEF\xBB\xBF";
  for (int i = 0; i < 50; ++i) {
    text += std::to_string(i % 3) + " qid:query" + std::to_string(i / 7) +
            " 1:" + std::to_string(i) + ".5 3:1" +
            (i % 2 == 0 ? " # document " + std::to_string(i) : "") + "\n";
  }
  for (const std::string end : {"", "1 qid:z 2:3", "1 qid:z 2:x", "# \n", "1 qid:z 1:1 1:2\n"}) {
    const std::string whole = text + end;
    const std::filesystem::path path = folder.Write("file", whole);
    for (const std::size_t chunk_bytes : {1U, 40U, 1000U, 100000U}) {
      LetorOptions options;
      options.chunk_bytes = chunk_bytes;
      INFO("end '", end, "', chunks of ", chunk_bytes);
      const std::vector<LetorSource> in_memory = {{path.string(), whole, {}, nullptr}};
      std::string expected;
      std::string got;
      LetorData data;
      LetorData of_file;
      try {
        data = ReadLetor(in_memory, options);
      } catch (const LetorError& error) {
        expected = error.what();
      }
      try {
        of_file = ReadLetorFiles(std::vector<std::filesystem::path>{path}, options);
      } catch (const LetorError& error) {
        got = error.what();
      }
      CHECK(got == expected);
      CHECK(testing::SameData(of_file, data));
    }
  }
}

TEST_CASE("text that has other documents when it is parsed than when it was counted is an error") {
  const std::string text = "0 qid:1 1:1\n1 qid:1 1:2\n";
  const LetorSource source{"name", text, {}, nullptr};
  const LetorOptions options;
  const detail::LetorLayout layout = detail::MakeLayout(options, {2, false}, true, 2, text.size());
  for (const std::size_t counted : {1U, 3U}) {
    std::vector<float> features(4);
    std::vector<double> grades(4);
    detail::LetorRows rows;
    rows.n_rows = counted;
    detail::LetorParser parser(layout, options, features.data(), grades.data(), rows);
    CHECK_THROWS_WITH_AS(parser.Parse(source, {0, 0, text.size(), true}),
                         "name: the text changed while it was read", std::invalid_argument);
    CHECK(features[counted] == 0.0F);
  }
}

}  // namespace rankforest
