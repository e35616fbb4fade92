#include "rankforest/core/parallel.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankforest {

TEST_CASE("every index is visited once, whatever the number of threads") {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> visits(1000);
    ParallelFor(Threads{threads}, visits.size(), [&](std::size_t i) { ++visits[i]; });
    CHECK(visits == std::vector<int>(1000, 1));
  }
}

TEST_CASE("the exception of the lowest failing index is carried out") {
  for (int trial = 0; trial < 50; ++trial) {
    CHECK_THROWS_WITH(ParallelFor(Threads{4}, 1000,
                                  [](std::size_t i) {
                                    if (i % 100 == 57) throw std::runtime_error(std::to_string(i));
                                  }),
                      "57");
  }
}

}  // namespace rankforest
