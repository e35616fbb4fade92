#include "rankforest/io/letor_line.hpp"

#include <doctest/doctest.h>

#include <string>

#include "support/letor_line.hpp"

namespace rankforest::detail {

TEST_CASE("a token ends at a blank, a control character or a comment") {
  for (const char* rest : {"", " x", "\tx", "\rx", "\x01x", "#x", " #x"}) {
    for (const std::string token : {"", "1", "1234567", "12345678", "1234567890123456789"}) {
      const testing::OneLine text(token + rest);
      CHECK(text.line().Token(text.begin()) == token);
    }
  }
}

TEST_CASE("parts of a copied line are found in the source") {
  const std::string source_text = "first\nsecond line\n";
  const LetorSource source = {"f", source_text, ""};
  const std::string copy = "second line" + std::string(kLineReach, '\0');
  const LetorLine line = {source, 6, copy.data(), copy.data() + 11};
  CHECK(line.InSource({copy.data() + 7, 4}).data() == source_text.data() + 13);
}

TEST_CASE("a failure names the place, what stands there and what was expected") {
  const testing::OneLine text("1 qid:2 x#y \x02");
  const auto message = [&](std::size_t offset) {
    return testing::MessageOf([&] { text.line().Fail(text.begin() + offset, "expected z"); });
  };
  CHECK(message(0) == "f:1:1: found '1', expected z");
  CHECK(message(8) == "f:1:9: found 'x', expected z");
  CHECK(message(7) == "f:1:8: found a blank, expected z");
  CHECK(message(9) == "f:1:10: found '#', expected z");
  CHECK(message(12) == "f:1:13: found '\\x02', expected z");
  CHECK(message(13) == "f:1:14: found the end of the line, expected z");
}

}  // namespace rankforest::detail
