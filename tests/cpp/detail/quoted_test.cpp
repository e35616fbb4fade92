#include "rankforest/detail/quoted.hpp"

#include <doctest/doctest.h>

#include <string>

namespace rankforest::detail {

TEST_CASE("quoted text is printable ASCII, and short") {
  CHECK(Quoted("1:2") == "'1:2'");
  CHECK(Quoted(std::string("a\0\x7f\xc3\xa9", 5)) == "'a\\x00\\x7f\\xc3\\xa9'");
  CHECK(Quoted(std::string(40, 'x')) == "'" + std::string(40, 'x') + "'");
  CHECK(Quoted(std::string(41, 'x')) == "'" + std::string(40, 'x') + "...'");
}

}  // namespace rankforest::detail
