#include "rankforest/io/letor_error.hpp"

#include <doctest/doctest.h>

namespace rankforest::detail {

TEST_CASE("a place counts lines and characters from 1") {
  const LetorSource source = {"dir/f.txt", "ab\n\n\xC3\xA9z\n", ""};
  CHECK(Place(source, 0) == "dir/f.txt:1:1");
  CHECK(Place(source, 2) == "dir/f.txt:1:3");
  CHECK(Place(source, 3) == "dir/f.txt:2:1");
  CHECK(Place(source, 4) == "dir/f.txt:3:1");
  CHECK(Place(source, 6) == "dir/f.txt:3:2");
  CHECK(Place(source, source.text.size()) == "dir/f.txt:4:1");
}

TEST_CASE("a byte order mark is no column") {
  CHECK(Place({"f", "\xEF\xBB\xBFx\ny", ""}, 3) == "f:1:1");
  CHECK(Place({"f", "\xEF\xBB\xBFx\ny", ""}, 5) == "f:2:1");
}

}  // namespace rankforest::detail
