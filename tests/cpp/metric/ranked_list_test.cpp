#include "rankforest/metric/ranked_list.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace rankforest {

TEST_CASE("the head of a list keeps the block that the cutoff cuts whole") {
  const std::vector<double> grades{3, 2, 2, 1, 0, 0};
  const std::vector<std::size_t> ends{1, 3, 4, 6};
  const detail::RankedList list{grades, ends, 9};
  const std::vector<std::pair<std::size_t, std::size_t>> grades_of_cutoff = {
      {1, 1}, {2, 3}, {3, 3}, {4, 4}, {5, 6}, {6, 6}, {7, 6}, {100, 6}};
  for (const auto& [cutoff, expected] : grades_of_cutoff) {
    INFO(cutoff);
    const detail::RankedList head = list.Head(cutoff);
    CHECK(head.grades.size() == expected);
    CHECK(head.ends[head.ends.size() - 1] == expected);
    CHECK(head.n_documents == 9);
  }
  CHECK(detail::RankedList{}.Head(3).grades.empty());
}

}  // namespace rankforest
