#include "rankforest/core/span.hpp"

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

namespace rankforest {

TEST_CASE("a span shows a vector without copying it") {
  std::vector<int> values = {1, 2, 3};
  const Span<int> span(values);
  CHECK(span.data() == values.data());
  CHECK(span.size() == 3);
  span[1] = 7;
  CHECK(values == std::vector<int>{1, 7, 3});
  CHECK(std::vector<int>(span.begin(), span.end()) == values);
}

TEST_CASE("a subspan starts at its offset, and may be empty at the end") {
  const std::vector<int> values = {1, 2, 3, 4};
  const Span<const int> span(values);
  const Span<const int> middle = span.subspan(1, 2);
  CHECK(std::vector<int>(middle.begin(), middle.end()) == std::vector<int>{2, 3});
  CHECK(span.subspan(4, 0).empty());
}

TEST_CASE("a default span is empty") {
  CHECK(Span<int>().empty());
  CHECK(Span<int>().begin() == Span<int>().end());
}

TEST_CASE("constness can be added, not taken away, and types do not mix") {
  CHECK(std::is_convertible_v<Span<int>, Span<const int>>);
  CHECK_FALSE(std::is_convertible_v<Span<const int>, Span<int>>);
  CHECK_FALSE(std::is_convertible_v<const std::vector<int>&, Span<int>>);
  CHECK_FALSE(std::is_convertible_v<Span<int>, Span<const double>>);
  CHECK(std::is_same_v<Span<const int>::value_type, int>);
}

}  // namespace rankforest
