#include "rankforest/io/letor_chunks.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankforest::detail {
namespace {

std::vector<std::string> Chunks(const std::vector<LetorSource>& sources, std::size_t bytes) {
  std::vector<std::string> texts;
  for (const LetorChunk& chunk : CutIntoChunks(Span<const LetorSource>(sources), bytes)) {
    const std::string_view text = sources[chunk.source].text;
    texts.emplace_back(text.substr(chunk.begin, chunk.end - chunk.begin));
    if (chunk.ends_source) texts.back() += "$";
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("chunks are whole lines of about the wanted size, and say where a source ends") {
  const std::vector<LetorSource> sources = {
      {"a", "one\ntwo\nthree\nfour", ""}, {"b", "", ""}, {"c", "\n", ""}};
  CHECK(Chunks(sources, 1) == Texts{"one\n", "two\n", "three\n", "four$", "$", "\n$"});
  CHECK(Chunks(sources, 4) == Texts{"one\n", "two\n", "three\n", "four$", "$", "\n$"});
  CHECK(Chunks(sources, 5) == Texts{"one\ntwo\n", "three\n", "four$", "$", "\n$"});
  CHECK(Chunks(sources, 1000) == Texts{"one\ntwo\nthree\nfour$", "$", "\n$"});
}

TEST_CASE("a byte order mark is in no chunk") {
  const std::vector<LetorSource> sources = {{"a", "\xEF\xBB\xBFone\ntwo\n", ""},
                                            {"b", "\xEF\xBB\xBF", ""}};
  CHECK(Chunks(sources, 1) == Texts{"one\n", "two\n$", "$"});
}

TEST_CASE("the part of a line before damage is in no chunk") {
  const std::vector<LetorSource> sources = {
      {"a", "one\ntwo\nthr", "cut"}, {"b", "no line", "cut"}, {"c", "\xEF\xBB\xBF", "cut"}};
  CHECK(Chunks(sources, 1) == Texts{"one\n", "two\n$", "$", "$"});
}

TEST_CASE("lines start after their blanks; blank ones are passed over") {
  const std::string text = "one\r\n \t \r\n\n  two \n#x\nthree";
  std::vector<std::string> lines;
  ForEachLine(text, {0, 0, text.size(), true},
              [&](const char* begin, const char* end) { lines.emplace_back(begin, end); });
  CHECK(lines == Texts{"one\r", "two ", "#x", "three"});
}

}  // namespace rankforest::detail
