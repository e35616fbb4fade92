#include "rankforest/tree/histogram_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

TEST_CASE("histograms in use are different ones, and those given back are used again") {
  HistogramPool pool(100);
  Rng rng(361);
  std::set<std::size_t> in_use;
  std::size_t most = 0;
  for (int step = 0; step < 2000; ++step) {
    if (in_use.empty() || rng.Below(5) < 3) {
      const std::size_t index = pool.Acquire();
      CHECK(in_use.insert(index).second);
      pool[index].plain.assign(1, {static_cast<std::int64_t>(index), 0, 0});
    } else {
      const auto place =
          std::next(in_use.begin(), rng.Below(static_cast<std::uint32_t>(in_use.size())));
      pool.Release(*place);
      in_use.erase(place);
    }
    most = std::max(most, in_use.size());
    for (const std::size_t index : in_use) CHECK(index < most);  // no more than ever were needed
  }
  for (const std::size_t index : in_use) {
    CHECK(pool[index].plain.at(0).grad == static_cast<std::int64_t>(index));
  }
}

TEST_CASE("a histogram stays where it is while others come") {
  HistogramPool pool(100);
  NodeHistogram& first = pool[pool.Acquire()];
  first.packed.resize(5);
  for (int i = 0; i < 500; ++i) (void)pool.Acquire();
  CHECK(&pool[0] == &first);
  CHECK(first.packed.size() == 5);
}

TEST_CASE("all are free again after a tree, and handed out in the same order") {
  HistogramPool pool(100);
  std::vector<std::size_t> before;
  for (int i = 0; i < 5; ++i) before.push_back(pool.Acquire());
  pool.Release(before[3]);
  pool.Release(before[1]);
  pool.ReleaseAll();
  std::vector<std::size_t> after;
  for (int i = 0; i < 5; ++i) after.push_back(pool.Acquire());
  CHECK(after == before);
  CHECK(std::set<std::size_t>(after.begin(), after.end()).size() == 5);
}

TEST_CASE("a pool is full once more are in use than its bytes hold, eight at least") {
  const auto room = [](HistogramPool pool) {
    std::size_t n = 0;
    while (!pool.is_full()) {
      (void)pool.Acquire();
      ++n;
    }
    return n - 1;
  };
  CHECK(room(HistogramPool(100, 2000)) == 20);
  CHECK(room(HistogramPool(100, 2099)) == 20);
  CHECK(room(HistogramPool(100, 0)) == HistogramPool::kFewest);
  CHECK(room(HistogramPool(std::size_t{1} << 20U)) == 128);  // 128 MiB
  CHECK(room(HistogramPool(0, 50)) == 50);
}

TEST_CASE("a full pool that gets one back has room") {
  HistogramPool pool(100, 0);
  for (std::size_t i = 0; i <= HistogramPool::kFewest; ++i) (void)pool.Acquire();
  CHECK(pool.is_full());
  pool.Release(4);
  CHECK_FALSE(pool.is_full());
}

}  // namespace rankforest
