#include <cstddef>
#include <cstdio>

#include "headers.hpp"

std::size_t CountVisits(std::size_t size);

int main() {
  rankforest::Tree tree;
  tree.nodes.push_back({0, 0.5F, ~0, ~1, ~0});
  tree.leaves = {-1.0F, 1.0F};
  const float feature = 2.0F;
  std::printf("%s %zu %g\n", rankforest::detail::kHasOpenMp ? "openmp" : "pool", CountVisits(1000),
              static_cast<double>(tree.Value(&feature)));
}
