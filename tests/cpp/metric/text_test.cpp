#include "rankforest/metric/text.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

using detail::LowerCase;
using detail::NumberToString;
using detail::ParseCount;
using detail::ParseNumber;
using detail::Split;
using detail::Trim;

TEST_CASE("text is trimmed, lowered and split") {
  CHECK(Trim(" \t a b\r\n") == "a b");
  CHECK(Trim("  ").empty());
  CHECK(LowerCase("NDCG@10(Z)") == "ndcg@10(z)");
  CHECK(Split("a, b ,", ',') == std::vector<std::string_view>{"a", "b", ""});
  CHECK(Split("", ',') == std::vector<std::string_view>{""});
}

TEST_CASE("numbers are read whole or not at all") {
  CHECK(ParseNumber("0.5") == 0.5);
  CHECK(ParseNumber("-1e3") == -1000.0);
  CHECK(ParseNumber(".5") == 0.5);
  for (const std::string_view text : {"", "x", "1x", "1 2", "inf", "nan", "0x10", "1e999", "--1"}) {
    INFO(std::string(text));
    CHECK_FALSE(ParseNumber(text).has_value());
  }
  CHECK(ParseCount("007") == 7U);
  CHECK(ParseCount("99999999999999999999999") == std::numeric_limits<std::size_t>::max());
  for (const std::string_view text : {"", "-1", "+1", "1.0", "1e2", " 1"}) {
    CHECK_FALSE(ParseCount(text).has_value());
  }
}

TEST_CASE("numbers print short") {
  CHECK(NumberToString(0.1) == "0.1");
  CHECK(NumberToString(4.0) == "4");
  CHECK(NumberToString(10000.0) == "10000");
  CHECK(NumberToString(-2.5) == "-2.5");
  CHECK(NumberToString(1e300) == "1e+300");
}

TEST_CASE("printed numbers read back as the same bits") {
  Rng rng(41);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::uint64_t bits = rng.Next() >> 1;  // not negative
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (!(value <= std::numeric_limits<double>::max())) continue;
    CHECK(ParseNumber(NumberToString(value)) == value);
  }
  CHECK(ParseNumber(NumberToString(5e-324)) == 5e-324);
}

}  // namespace rankforest
