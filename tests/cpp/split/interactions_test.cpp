#include "rankforest/split/interactions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {
namespace {

std::vector<std::uint8_t> AllowedIn(const Interactions& interactions, std::uint32_t state,
                                    std::size_t n_features) {
  const std::uint8_t* const allowed = interactions.AllowedIn(state);
  return {allowed, allowed + n_features};
}

TEST_CASE("without sets nothing is ruled out") {
  Interactions none({}, 3);
  CHECK(none.AllowedIn(0) == nullptr);
  CHECK(none.After(0, 2) == 0);
}

TEST_CASE("a path by hand: each feature leaves the sets that hold it") {
  Interactions interactions({{0, 1}, {1, 2, 3}, {4}}, 5);
  using Mask = std::vector<std::uint8_t>;
  CHECK(AllowedIn(interactions, 0, 5) == Mask{1, 1, 1, 1, 1});
  const std::uint32_t after_1 = interactions.After(0, 1);
  CHECK(AllowedIn(interactions, after_1, 5) == Mask{1, 1, 1, 1, 0});
  CHECK(AllowedIn(interactions, interactions.After(after_1, 3), 5) == Mask{0, 1, 1, 1, 0});
  CHECK(interactions.After(after_1, 1) == after_1);
  CHECK(AllowedIn(interactions, interactions.After(0, 4), 5) == Mask{0, 0, 0, 0, 1});
}

TEST_CASE("what is allowed is what some set holds together with the whole path") {
  Rng rng(1);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<std::vector<FeatureId>> sets = {{0, 1, 2, 3, 4, 5}};
    for (std::uint32_t s = 0; s < rng.Below(4); ++s) {
      std::vector<FeatureId> set;
      for (FeatureId f = 0; f < 6; ++f) {
        if (rng.Below(2) == 0) set.push_back(f);
      }
      if (!set.empty()) sets.push_back(set);
    }
    if (rng.Below(2) == 0) sets[0] = {0, 1, 2};
    Interactions interactions(sets, 6);
    std::uint32_t state = 0;
    std::set<FeatureId> path;
    for (int step = 0; step < 5; ++step) {
      std::vector<FeatureId> usable;
      for (FeatureId f = 0; f < 6; ++f) {
        std::set<FeatureId> longer = path;
        longer.insert(f);
        const bool fits = std::any_of(sets.begin(), sets.end(), [&](const auto& set) {
          return std::all_of(longer.begin(), longer.end(), [&](FeatureId member) {
            return std::find(set.begin(), set.end(), member) != set.end();
          });
        });
        CHECK((interactions.AllowedIn(state)[f] != 0) == fits);
        if (fits) usable.push_back(f);
      }
      if (usable.empty()) break;
      const FeatureId next = usable[rng.Below(static_cast<std::uint32_t>(usable.size()))];
      state = interactions.After(state, next);
      path.insert(next);
    }
  }
}

}  // namespace
}  // namespace rankforest
