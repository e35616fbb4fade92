#include "rankforest/detail/parse_number.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "rankforest/core/rng.hpp"
#include "support/trials.hpp"

namespace rankforest::detail {
namespace {

std::uint64_t Bits(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool SameDouble(double a, double b) { return Bits(a) == Bits(b); }

/// Text for the parsers that read beyond its end.
std::string Padded(const std::string& text) { return text + " 123456789.123456789 123456789"; }

bool Short(const std::string& text, double& value) {
  return text.size() <= 8 && ParseShortDecimal(LoadEight(Padded(text).data()), text.size(), value);
}

bool Plain(const std::string& text, double& value) {
  const std::string padded = Padded(text);
  return ParsePlainDecimal(padded.data(), padded.data() + text.size(), value);
}

std::string RandomDecimal(Rng& rng, std::uint32_t most_digits) {
  std::string text = rng.Below(3) == 0 ? "-" : "";
  const std::uint32_t n_digits = rng.Below(most_digits + 1);
  const std::uint32_t point = rng.Below(2 * most_digits);
  for (std::uint32_t i = 0; i <= n_digits; ++i) {
    if (i == point) text += '.';
    if (i < n_digits) text += static_cast<char>('0' + (rng.Below(3) == 0 ? 0 : rng.Below(10)));
  }
  return text;
}

}  // namespace

TEST_CASE("numbers are what they say, bit for bit") {
  constexpr struct {
    const char* text;
    double value;
  } kNumbers[] = {{"0", 0.0},
                  {"-0", -0.0},
                  {"7", 7.0},
                  {"+1", 1.0},
                  {"007", 7.0},
                  {"5.", 5.0},
                  {".5", 0.5},
                  {"-.5", -0.5},
                  {"0.1", 0.1},
                  {"-34.946501", -34.946501},
                  {"12345678.12345678", 12345678.12345678},
                  {"99999999.99999999", 99999999.99999999},
                  {"9007199254740993", 9007199254740992.0},
                  {"1e5", 1e5},
                  {"1E+05", 1e5},
                  {"2.5e-3", 2.5e-3},
                  {"1e23", 1e23},
                  {"1.7976931348623157e308", 1.7976931348623157e308},
                  {"4.9e-324", 4.9e-324},
                  {"2.2250738585072011e-308", 2.2250738585072011e-308},
                  {"1e-400", 0.0},
                  {"-1e-400", -0.0},
                  {"0e99999", 0.0},
                  {"1e-99999999999999999999", 0.0},
                  {"0.00000000000000000001e-310", 0.0},
                  {"100000000000000000000e-420", 0.0}};
  for (const auto& [text, value] : kNumbers) {
    INFO(text);
    const Number number = ReadNumber(text);
    CHECK(number.kind == NumberKind::kFinite);
    CHECK(SameDouble(number.value, value));
  }
}

TEST_CASE("missing, infinite and malformed numbers are told apart") {
  for (const char* text : {"nan", "NaN", "NAN", "-nan", "+nan", "NULL", "null", "Null"}) {
    INFO(text);
    CHECK(ReadNumber(text).kind == NumberKind::kMissing);
    CHECK(std::isnan(ReadNumber(text).value));
  }
  for (const char* text : {"inf", "-inf", "+Infinity", "INF", "1e309", "-1e309",
                           "1e99999999999999999999", "100000000000e300"}) {
    INFO(text);
    CHECK(ReadNumber(text).kind == NumberKind::kInfinite);
    CHECK((ReadNumber(text).value < 0.0) == (text[0] == '-'));
  }
  for (const char* text :
       {"",     "-",     "+",     ".",    "-.",    "e5",        "1e",          "1e+", "1.2.3",
        "1..2", "--5",   "+-5",   "0x10", "1_000", "1,5",       "abc",         "1f",  "nul",
        "nan0", "-NULL", "infin", " 1",   "1 ",    "1\xc2\xa0", "\xef\xbc\x91"}) {
    INFO(text);
    CHECK(ReadNumber(text).kind == NumberKind::kMalformed);
  }
}

TEST_CASE("the fast parsers take what they should and leave the rest") {
  double value = -7.0;
  for (const char* text : {"0", "-1", "12345678", "1234.567", "-123456.", ".1234567", "-.5"}) {
    INFO(text);
    CHECK(Short(text, value));
    CHECK(Plain(text, value));
  }
  CHECK(Plain("12345678.12345678", value));
  value = -7.0;
  for (const char* text :
       {"", "-", ".", "-.", "1.2.3", "+1", "1e5", "nan", "1-", "1:2", "--1", "1#", "\x80", "1/2",
        "1;", "99999999.99999999", "123456789", "1.123456789"}) {
    INFO(text);
    CHECK_FALSE(Short(text, value));
    CHECK_FALSE(Plain(text, value));
  }
  CHECK(value == -7.0);
}

TEST_CASE("every parser agrees with strtod on random decimals") {
  Rng rng(2);
  int n_short = 0;
  int n_plain = 0;
  for (int trial = 0; trial < testing::Trials(300000); ++trial) {
    const std::string text = RandomDecimal(rng, trial % 3 == 0 ? 25 : 8);
    const double expected = std::strtod(text.c_str(), nullptr);
    INFO(text);
    double value = 0.0;
    if (Short(text, value)) {
      ++n_short;
      REQUIRE(SameDouble(value, expected));
    }
    if (Plain(text, value)) {
      ++n_plain;
      REQUIRE(SameDouble(value, expected));
    }
    const std::string scaled = text + "e" + std::to_string(static_cast<int>(rng.Below(700)) - 350);
    const Number number = ReadNumber(scaled);
    if (number.kind != NumberKind::kMalformed) {
      REQUIRE(SameDouble(number.value, std::strtod(scaled.c_str(), nullptr)));
    } else {
      REQUIRE(text.find_first_of("0123456789") == std::string::npos);
    }
  }
  CHECK(n_short > testing::Trials(100000));
  CHECK(n_plain > testing::Trials(150000));
}

TEST_CASE("the fast parsers never take random bytes for a number that they are not") {
  Rng rng(3);
  const std::string likely = "0123456789.-+e#:\x7f\x80";
  for (int trial = 0; trial < 200000; ++trial) {
    std::string text;
    for (std::uint32_t n = rng.Below(9); n > 0; --n) text += likely[rng.Below(18)];
    INFO(text);
    double value = 0.0;
    const Number number = ReadNumber(text);
    if (Short(text, value)) REQUIRE(SameDouble(value, number.value));
    if (Plain(text, value)) REQUIRE(SameDouble(value, number.value));
    if (Short(text, value) || Plain(text, value)) REQUIRE(number.kind == NumberKind::kFinite);
  }
}

}  // namespace rankforest::detail
