#include "rankforest/io/letor_features.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/letor_line.hpp"

namespace rankforest::detail {
namespace {

LetorLayout LayoutOf(std::size_t n_columns, std::uint64_t first_index = 1) {
  LetorOptions options;
  options.n_features = n_columns;
  options.zero_based = first_index == 0 ? ZeroBased::kYes : ZeroBased::kNo;
  return MakeLayout(options, {}, true, 1, 1);
}

std::vector<float> Row(const std::string& text, const LetorLayout& layout, float absent = 0.0F) {
  const testing::OneLine one(text);
  std::vector<float> row(layout.n_columns, -7.0F);
  LetorFeatureParser(layout, absent).Parse(one.line(), one.begin(), row.data());
  return row;
}

std::string ErrorOf(const std::string& text, const LetorLayout& layout) {
  return testing::MessageOf([&] { Row(text, layout); });
}

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("values go to the columns of their indices; the others are absent") {
  CHECK(Row(" 1:5 2:6 3:7", LayoutOf(3)) == Floats{5, 6, 7});
  CHECK(Row(" 1:5 2:6 3:7", LayoutOf(4)) == Floats{5, 6, 7, 0});
  CHECK(Row(" 0:5 1:6", LayoutOf(3, 0)) == Floats{5, 6, 0});
  CHECK(Row("", LayoutOf(2)) == Floats{0, 0});
  CHECK(Row(" 2:6", LayoutOf(3)) == Floats{0, 6, 0});
  CHECK(Row("\t 2:6   003:7 \t\r", LayoutOf(3)) == Floats{0, 6, 7});
  CHECK(Row(" 3:7 1:5 2:6", LayoutOf(3)) == Floats{5, 6, 7});
  CHECK(Row(" 1:5 3:7 2:6#c 9", LayoutOf(3)) == Floats{5, 6, 7});
  const Floats row = Row(" 2:6", LayoutOf(2), std::numeric_limits<float>::quiet_NaN());
  CHECK(std::isnan(row[0]));
  CHECK(row[1] == 6.0F);
}

TEST_CASE("parsing stops at the comment or at the end of the line") {
  const testing::OneLine one(" 1:5 # 2:6");
  std::vector<float> row(2);
  const LetorLayout layout = LayoutOf(2);
  const char* const stop =
      LetorFeatureParser(layout, 0.0F).Parse(one.line(), one.begin(), row.data());
  CHECK(stop == one.begin() + 5);
  CHECK(row == Floats{5, 0});
}

TEST_CASE("the parser finds out which indices there are") {
  LetorOptions options;
  options.zero_based = ZeroBased::kAuto;
  const LetorLayout narrow = MakeLayout(options, {3, false}, true, 1, 1);
  const auto indices = [](const std::string& text, const LetorLayout& layout) {
    const testing::OneLine one(text);
    std::vector<float> row(layout.n_columns);
    LetorFeatureParser parser(layout, 0.0F);
    parser.Parse(one.line(), one.begin(), row.data());
    return parser.indices();
  };
  CHECK(indices(" 1:5 2:6", narrow).end == 3);
  CHECK(indices(" 1:5 9:6 2:6", narrow).end == 10);
  CHECK_FALSE(indices(" 1:5 9:6", narrow).has_zero);
  CHECK(indices(" 1:5 0:6", narrow).has_zero);
  CHECK(indices(" 0:5 1:6", MakeLayout(options, {3, true}, true, 1, 1)).has_zero);
}

TEST_CASE("an index that is none is an error that says so") {
  const LetorLayout layout = LayoutOf(46);
  CHECK(ErrorOf(" 1:1 63", layout) == "f:1:6: found '63', expected INDEX:VALUE");
  CHECK(ErrorOf(" a:1", layout) == "f:1:2: found 'a:1', expected INDEX:VALUE");
  CHECK(ErrorOf(" :1", layout) == "f:1:2: found ':1', expected INDEX:VALUE");
  CHECK(ErrorOf(" +1:1", layout) == "f:1:2: found '+1:1', expected INDEX:VALUE");
  CHECK(ErrorOf(" 1.5:1", layout) == "f:1:2: found '1.5:1', expected INDEX:VALUE");
  CHECK(ErrorOf(" -1:1", layout) == "f:1:2: found '-1:1', expected an index >= 1");
  CHECK(ErrorOf(" -1:1", LayoutOf(46, 0)) == "f:1:2: found '-1:1', expected an index >= 0");
  CHECK(ErrorOf(" 0:1", layout) ==
        "f:1:2: found '0:1', expected an index >= 1 (zero_based is for indices that start at 0)");
  CHECK(ErrorOf(" 1:1 47:1", layout) ==
        "f:1:6: found '47:1', expected an index <= 46 (n_features=46)");
  CHECK(ErrorOf(" 46:1", LayoutOf(46, 0)) ==
        "f:1:2: found '46:1', expected an index <= 45 (n_features=46)");
  CHECK(ErrorOf(" 18446744073709551617:1", layout) ==
        "f:1:2: found '18446744073709551617:1', expected an index <= 46 (n_features=46)");
}

TEST_CASE("an index that repeats is an error at its second place") {
  const LetorLayout layout = LayoutOf(9);
  const std::string expected = ", expected each index once on a line";
  CHECK(ErrorOf(" 1:1 1:2", layout) == "f:1:6: found '1:2'" + expected);
  CHECK(ErrorOf(" 1:1 2:1 3:1 2:1 x", layout) == "f:1:14: found '2:1'" + expected);
  CHECK(ErrorOf(" 5:1 3:1 9:1 3:2", layout) == "f:1:14: found '3:2'" + expected);
  CHECK(ErrorOf(" 5:1 3:1 5:x", layout) == "f:1:10: found '5:x'" + expected);
  CHECK(ErrorOf(" 2:1 x 2:1", layout) == "f:1:6: found 'x', expected INDEX:VALUE");
}

TEST_CASE("an index may be on every line, sorted or not") {
  const LetorLayout layout = LayoutOf(3);
  LetorFeatureParser parser(layout, 0.0F);
  std::vector<float> row(3);
  for (const char* text : {" 2:1 1:1", " 2:1 1:1", " 1:1 2:1", " 3:1 2:1 1:1"}) {
    const testing::OneLine one(text);
    CHECK_NOTHROW(parser.Parse(one.line(), one.begin(), row.data()));
  }
}

TEST_CASE("any order of the features gives the same row") {
  Rng rng(5);
  const LetorLayout layout = LayoutOf(20);
  std::vector<int> indices(20);
  std::iota(indices.begin(), indices.end(), 1);
  Floats expected(20);
  std::iota(expected.begin(), expected.end(), 10.0F);
  for (int trial = 0; trial < 1000; ++trial) {
    rng.Shuffle(Span<int>(indices));
    std::string text;
    for (const int index : indices) {
      text += " " + std::to_string(index) + ":" + std::to_string(index + 9);
    }
    REQUIRE(Row(text, layout) == expected);
  }
}

}  // namespace rankforest::detail
