#include "rankforest/io/letor_layout.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace rankforest::detail {
namespace {

LetorLayout Layout(ZeroBased zero_based, LetorIndices indices, std::size_t n_features = 0) {
  LetorOptions options;
  options.zero_based = zero_based;
  options.n_features = n_features;
  return MakeLayout(options, indices, true, 10, 1000);
}

}  // namespace

TEST_CASE("the columns go from the first index to the largest") {
  CHECK(Layout(ZeroBased::kNo, {47, false}).n_columns == 46);
  CHECK(Layout(ZeroBased::kNo, {47, false}).first_index == 1);
  CHECK(Layout(ZeroBased::kYes, {47, false}).n_columns == 47);
  CHECK(Layout(ZeroBased::kYes, {47, false}).first_index == 0);
  CHECK(Layout(ZeroBased::kAuto, {47, false}) == Layout(ZeroBased::kNo, {47, false}));
  CHECK(Layout(ZeroBased::kAuto, {47, true}) == Layout(ZeroBased::kYes, {47, false}));
}

TEST_CASE("without features there are no columns") {
  CHECK(Layout(ZeroBased::kNo, {0, false}).n_columns == 0);
  CHECK(Layout(ZeroBased::kNo, {1, false}).n_columns == 0);
  CHECK(Layout(ZeroBased::kYes, {0, false}).n_columns == 0);
}

TEST_CASE("a given number of features is the number of columns and bounds the indices") {
  CHECK(Layout(ZeroBased::kNo, {3, false}, 46).n_columns == 46);
  CHECK(Layout(ZeroBased::kNo, {3, false}, 46).end_index == 47);
  CHECK(Layout(ZeroBased::kYes, {3, false}, 46).end_index == 46);
  CHECK(Layout(ZeroBased::kNo, {3, false}, 5000000).end_index == 5000001);
}

TEST_CASE("the largest index meant grows with the text and shrinks with its rows") {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;
  CHECK(IndexLimit(1, 10) == (1U << 20U) + 1);
  CHECK(IndexLimit(1024, 10) == (1U << 20U) + 1);
  CHECK(IndexLimit(1U << 20U, 10) == 1024 + 1);         // a matrix of 4 GiB
  CHECK(IndexLimit(1U << 20U, kGiB) == 16 * 1024 + 1);  // of 64 GiB
  CHECK(IndexLimit(700000, 727000000) > 136);
  CHECK(IndexLimit(0, 0) == (1U << 20U) + 1);
}

TEST_CASE("an absurd guess does not size the matrix") {
  CHECK(Layout(ZeroBased::kNo, {9999999999, false}).n_columns == 1U << 20U);
}

TEST_CASE("an index text stands where its index is written in the plain way") {
  const IndexText text = MakeIndexText(12);
  CHECK(text.length == 4);
  CHECK(text.StandsAt(" 12:0.5x"));
  CHECK_FALSE(text.StandsAt(" 12 :0.5"));
  CHECK_FALSE(text.StandsAt(" 123:0.5"));
  CHECK_FALSE(text.StandsAt("\t12:0.5x"));
  CHECK_FALSE(text.StandsAt(" 012:0.5"));
  CHECK(MakeIndexText(999999).StandsAt(" 999999:"));
  const LetorLayout layout = Layout(ZeroBased::kYes, {3, false});
  REQUIRE(layout.index_texts.size() == 3);
  CHECK(layout.index_texts[0].StandsAt(" 0:1 1:2"));
}

}  // namespace rankforest::detail
