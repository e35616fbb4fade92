#include <cstddef>
#include <vector>

#include "headers.hpp"

std::size_t CountVisits(std::size_t size) {
  std::vector<int> visits(size);
  for (const double seconds : {0.0, 1.0}) {  // a fine loop and a coarse one
    const rankforest::Threads threads =
        rankforest::ForLoopOf(rankforest::Threads{4}, size, seconds);
    rankforest::ParallelFor(threads, size, [&](std::size_t i) { ++visits[i]; });
  }
  std::size_t count = 0;
  for (const int v : visits) count += static_cast<std::size_t>(v);
  return count;
}
