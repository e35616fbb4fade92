#include "rankforest/io/letor_numbers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "rankforest/core/rng.hpp"
#include "support/letor_line.hpp"

namespace rankforest::detail {
namespace {

std::uint32_t Bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool SameFloat(float a, float b) { return Bits(a) == Bits(b); }

/// The value at the start of `text`; checks that reading stops `n_left` bytes before the end.
float Value(const std::string& text, std::size_t n_left = 0) {
  const testing::OneLine one(text);
  const char* p = one.begin();
  const float value = ParseValue(one.line(), p);
  CHECK(static_cast<std::size_t>(one.line().end - p) == n_left);
  return value;
}

std::string ErrorOfValue(const std::string& text) {
  return testing::MessageOf([&] { Value(text); });
}

double Grade(const std::string& text) {
  const testing::OneLine one(text);
  const char* p = one.begin();
  return ParseGrade(one.line(), p);
}

}  // namespace

TEST_CASE("values are rounded to float32 by way of float64") {
  CHECK(SameFloat(Value("0.1"), 0.1F));
  CHECK(SameFloat(Value("-0"), -0.0F));
  CHECK(SameFloat(Value("3.4028235e38"), std::numeric_limits<float>::max()));
  CHECK(SameFloat(Value("1e-46"), 0.0F));
  CHECK(SameFloat(Value("1.4e-45"), std::numeric_limits<float>::denorm_min()));
  // Just above the middle between 1 and the next float, but in float64 that middle: even wins.
  CHECK(SameFloat(Value("1.00000005960464477539062500000001"), 1.0F));
  CHECK(std::isnan(Value("NULL")));
  CHECK(std::isnan(Value("-nan")));
}

TEST_CASE("a value ends at a blank or a comment, however long it is") {
  for (const char* text : {"1", "-1.5", "0.123456", "-34.946501", "123456789", "1e5", "nan",
                           "0.1234567890123456789012345678901234567890"}) {
    INFO(text);
    const float alone = Value(text);
    for (const char* rest : {" 5:1", "\t5:1", "\r", "#c", " #c"}) {
      CHECK(SameFloat(Value(std::string(text) + rest, std::strlen(rest)), alone));
    }
  }
}

TEST_CASE("a value that is none is an error that says so") {
  CHECK(ErrorOfValue("") ==
        "f:1:1: found the end of the line, expected a number right after the colon");
  CHECK(ErrorOfValue(" .5") == "f:1:1: found a blank, expected a number right after the colon");
  CHECK(ErrorOfValue("#c") == "f:1:1: found '#', expected a number right after the colon");
  CHECK(ErrorOfValue("1.2.3") == "f:1:1: found '1.2.3', expected a number");
  CHECK(ErrorOfValue("12,5#c") == "f:1:1: found '12,5', expected a number");
  for (const std::string text :
       {"inf", "-Infinity", "1e39", "-3.4028236e38", "1e999", "1.797e308"}) {
    CHECK(ErrorOfValue(text) == "f:1:1: found '" + text +
                                    "', expected a finite number within float32, up to "
                                    "3.4028235e38");
  }
}

TEST_CASE("random values agree with strtod") {
  Rng rng(4);
  for (int trial = 0; trial < 100000; ++trial) {
    std::string text = rng.Below(2) == 0 ? "-" : "";
    text += std::to_string(rng.Below(trial % 2 == 0 ? 100 : 2000000000));
    if (rng.Below(2) == 0) text += "." + std::to_string(rng.Below(100000000));
    if (rng.Below(8) == 0) text += "e-" + std::to_string(rng.Below(60));
    INFO(text);
    REQUIRE(SameFloat(Value(text), static_cast<float>(std::strtod(text.c_str(), nullptr))));
  }
}

TEST_CASE("grades are finite numbers from 0 on, exact in float64") {
  CHECK(Grade("2 qid:1") == 2.0);
  CHECK(Grade("+1") == 1.0);
  CHECK(Grade("0.1") == 0.1);
  CHECK(Grade("1e300") == 1e300);
  CHECK(Grade("-0") == 0.0);
  for (const std::string text :
       {"-1", "nan", "NULL", "inf", "1e309", "qid:1", "1:2", "x", "-1e-300"}) {
    CHECK(testing::MessageOf([&] { Grade(text); }) ==
          "f:1:1: found '" + text + "', expected a grade: a finite number >= 0");
  }
}

}  // namespace rankforest::detail
