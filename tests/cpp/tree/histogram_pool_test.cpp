#include "rankforest/tree/histogram_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/span.hpp"

namespace rankforest {

TEST_CASE("histograms in use are different ones, and those given back are used again") {
  HistogramPool pool(1);
  Rng rng(361);
  std::set<std::size_t> in_use;
  std::size_t most = 0;
  for (int step = 0; step < 2000; ++step) {
    if (in_use.empty() || rng.Below(5) < 3) {
      const std::size_t index = pool.Acquire(CellKind::kPlain);
      CHECK(in_use.insert(index).second);
      pool[index].plain[0] = {static_cast<std::int64_t>(index), 0, 0};
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
  HistogramPool pool(5);
  NodeHistogram& first = pool[pool.Acquire(CellKind::kPacked)];
  for (int i = 0; i < 500; ++i) (void)pool.Acquire(CellKind::kPacked);
  CHECK(&pool[0] == &first);
  CHECK(first.packed.size() == 5);
}

TEST_CASE("a paired histogram that is packed gives up its cells to the next paired one") {
  HistogramPool pool(3);
  const std::size_t first = pool.Acquire(CellKind::kPaired);
  CHECK(pool[first].paired.size() == 3);
  CHECK(pool[first].plain.empty());
  const void* const cells = pool[first].paired.data();
  pool.AddPacked(first);
  pool.MakePacked(first);
  CHECK(pool[first].is_packed());
  CHECK(pool[first].paired.empty());
  CHECK(pool[first].packed.size() == 3);
  const std::size_t second = pool.Acquire(CellKind::kPaired);
  CHECK(pool[second].paired.data() == cells);
  pool.Release(second);
  CHECK(pool[pool.Acquire(CellKind::kPaired)].paired.data() == cells);
}

TEST_CASE("a histogram has cells of its kind alone, and a plain one that is packed gives up its") {
  HistogramPool pool(3);
  const std::size_t plain = pool.Acquire(CellKind::kPlain);
  const std::size_t packed = pool.Acquire(CellKind::kPacked);
  const auto sizes = [&](std::size_t index) {
    return std::vector<std::size_t>{pool[index].plain.size(), pool[index].packed.size()};
  };
  CHECK_FALSE(pool[plain].is_packed());
  CHECK(sizes(plain) == std::vector<std::size_t>{3, 0});
  CHECK(pool[packed].is_packed());
  CHECK(sizes(packed) == std::vector<std::size_t>{0, 3});
  pool.AddPacked(plain);
  CHECK_FALSE(pool[plain].is_packed());
  CHECK(sizes(plain) == std::vector<std::size_t>{3, 3});
  pool.MakePacked(plain);
  CHECK(pool[plain].is_packed());
  CHECK(sizes(plain) == std::vector<std::size_t>{0, 3});
}

TEST_CASE("there are no more cells of a kind than were in use together") {
  HistogramPool pool(4);
  Rng rng(362);
  std::set<const void*> plain;
  std::set<const void*> packed;
  for (int tree = 0; tree < 20; ++tree) {
    std::vector<std::size_t> nodes;
    for (int i = 0; i < 3; ++i) nodes.push_back(pool.Acquire(CellKind::kPlain));
    for (int i = 0; i < 5; ++i) nodes.push_back(pool.Acquire(CellKind::kPacked));
    for (const std::size_t index : {nodes[0], nodes[2]}) {
      pool.AddPacked(index);
      pool.MakePacked(index);
    }
    nodes.push_back(pool.Acquire(CellKind::kPlain));
    for (const std::size_t index : nodes) {
      if (pool[index].is_packed()) packed.insert(pool[index].packed.data());
      if (!pool[index].is_packed()) plain.insert(pool[index].plain.data());
    }
    rng.Shuffle(Span<std::size_t>(nodes));
    for (const std::size_t index : nodes) pool.Release(index);
  }
  CHECK(plain.size() <= 3);
  CHECK(packed.size() == 7);
}

TEST_CASE("a pool is full once more are in use than its bytes hold, eight at least") {
  const auto room = [](HistogramPool pool, CellKind kind) {
    std::size_t n = 0;
    while (!pool.is_full()) {
      (void)pool.Acquire(kind);
      ++n;
    }
    return n - 1;
  };
  CHECK(room(HistogramPool(10, 4800), CellKind::kPlain) == 20);  // 24 bytes a cell
  CHECK(room(HistogramPool(10, 5039), CellKind::kPlain) == 20);
  CHECK(room(HistogramPool(10, 3200), CellKind::kPaired) == 20);  // 16 bytes
  CHECK(room(HistogramPool(10, 3359), CellKind::kPaired) == 20);
  CHECK(room(HistogramPool(10, 1600), CellKind::kPacked) == 20);  // 8 bytes
  CHECK(room(HistogramPool(10, 1679), CellKind::kPacked) == 20);
  for (const CellKind kind : {CellKind::kPlain, CellKind::kPaired, CellKind::kPacked}) {
    CHECK(room(HistogramPool(10, 0), kind) == HistogramPool::kFewest);
  }
  CHECK(room(HistogramPool(std::size_t{1} << 17U), CellKind::kPacked) == 128);  // 128 MiB
}

TEST_CASE("a full pool that gets one back has room") {
  HistogramPool pool(100, 0);
  for (std::size_t i = 0; i <= HistogramPool::kFewest; ++i) (void)pool.Acquire(CellKind::kPlain);
  CHECK(pool.is_full());
  pool.Release(4);
  CHECK_FALSE(pool.is_full());
}

TEST_CASE("a full pool has room once enough of its plain histograms are packed") {
  HistogramPool pool(10, 2160);  // nine plain ones
  for (std::size_t i = 0; i < 10; ++i) (void)pool.Acquire(CellKind::kPlain);
  std::vector<bool> is_full = {pool.is_full()};
  for (const std::size_t index : {3U, 7U}) {
    pool.AddPacked(index);
    is_full.push_back(pool.is_full());
    pool.MakePacked(index);
    is_full.push_back(pool.is_full());
  }
  CHECK(is_full == std::vector<bool>{true, true, true, true, false});
}

}  // namespace rankforest
