#include "rankforest/io/lightgbm_lines.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rankforest::detail {

namespace {

KeyedLines Block(std::string_view text) {
  LineReader in(text);
  return {"tree 7", in};
}

}  // namespace

TEST_CASE("lines come one by one, with their numbers and without their ends") {
  LineReader in("a\r\n\nb=1=2");
  CHECK(in.Next().text == "a");
  CHECK(in.Next().text.empty());
  const TextLine last = in.Next();
  CHECK(last.key() == "b");
  CHECK(last.value() == "1=2");
  CHECK(last.number == 3);
  CHECK(in.at_end());
}

TEST_CASE("a block ends at an empty line and leaves the rest") {
  LineReader in("a=1\nb\n\nc=2\n");
  const KeyedLines block("it", in);
  CHECK(block.Has("a"));
  CHECK(block.Has("b"));
  CHECK_FALSE(block.Has("c"));
  CHECK(in.line_number() == 3);
  CHECK(in.Next().text == "c=2");
}

TEST_CASE("values are read as what they are asked for") {
  const KeyedLines block = Block("n=12\nw=1 -2  3\nx=0.5 -1e300 inf\ny=0.1 1e-60\nnone=\n");
  CHECK(block.Whole("n", 0, 12) == 12);
  CHECK(block.Wholes("w", 3, -2, 3) == std::vector<std::int64_t>{1, -2, 3});
  CHECK(block.Numbers("x", 3) == std::vector<double>{0.5, -1e300, HUGE_VAL});
  CHECK(block.Floats("y", 2) == std::vector<float>{0.1F, 0.0F});
  CHECK(block.Numbers("none", 0).empty());
}

TEST_CASE("what is wrong is said with its line") {
  const KeyedLines block = Block("n=12\nw=1 x\nx=nan inf 1e39\nempty=\nlong=99999999999999999999");
  const auto check = [](const auto& read, const char* message) {
    CHECK_THROWS_WITH_AS(read(), message, std::invalid_argument);
  };
  check([&] { (void)block.Whole("n", 0, 11); },
        "line 1: n: found '12', expected a whole number from 0 to 11");
  check([&] { (void)block.Wholes("w", 2, 0, 5); },
        "line 2: w: found 'x', expected a whole number from 0 to 5");
  check([&] { (void)block.Whole("w", 0, 5); },
        "line 2: w: found '1 x', expected a whole number from 0 to 5");
  check([&] { (void)block.Numbers("x", 3); }, "line 3: x: found 'nan', expected a number");
  check([&] { (void)block.Whole("empty", 0, 5); },
        "line 4: empty: found '', expected a whole number from 0 to 5");
  check([&] { (void)block.Numbers("empty", 2); },
        "line 4: empty has 0 values, expected 2 in tree 7");
  check([&] { (void)block.Whole("long", 0, 5); },
        "line 5: long: found '99999999999999999999', expected a whole number from 0 to 5");
  check([&] { (void)block.Get("gone"); }, "line 1: tree 7 has no line 'gone'");
  check([] { Block("a=1\nb=2\na=3\n"); }, "line 3: tree 7 has a second line 'a'");
  check([] { (void)Block("x=1e39").Floats("x", 1); },
        "line 1: x: found '1e39', expected a number that float32 can hold");
  check([] { (void)Block("x=1 inf").Floats("x", 2); },
        "line 1: x: found 'inf', expected a number that float32 can hold");
  check([] { (void)Block("x=1 --2").Numbers("x", 2); },
        "line 1: x: found '--2', expected a number");
}

}  // namespace rankforest::detail
