#include "rankforest/tree/paired_sums.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "support/node_documents.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using detail::PackedFields;
using detail::PairedSums;
using testing::Equal;
using testing::NodeDocuments;
using Stats = Newton::Stats;

namespace {

/// What a document adds to its cells.
PairedSums PairOf(Newton::Target target, std::uint32_t times) {
  Stats stats;
  stats.Add(target, times);
  return PairedSums(stats);
}

}  // namespace

TEST_CASE("the two words of a pair, by hand") {
  const PairedSums sums(Stats{-3, 5, 2});
  CHECK(sums.grad == ~std::uint64_t{0} - (3U << 16U) + 1);
  CHECK(sums.rest == (5U << 17U) + 2);
  CHECK(Equal(sums.Unpack(), {-3, 5, 2}));
  CHECK(Equal(PairOf({-3, 5}, 4).Unpack(), {-12, 20, 4}));
  CHECK(Equal(PairedSums().Unpack(), {}));
}

TEST_CASE("the most documents of the largest targets fit a pair") {
  constexpr std::int32_t kLargest = 1 << kSearchBits;
  constexpr auto kMost = static_cast<std::int64_t>(PairedSums::kMostDocuments);
  for (const std::int32_t grad : {kLargest, -kLargest}) {
    PairedSums sums;
    for (std::int64_t i = 0; i < kMost; ++i) sums += PairOf({grad, kLargest}, 1);
    const Stats expected = {grad * kMost, kLargest * kMost, PairedSums::kMostDocuments};
    CHECK(Equal(sums.Unpack(), expected));
    const PairedSums half = PairOf({grad, kLargest}, 1U << 15U);
    CHECK(Equal((sums - half).Unpack(), half.Unpack()));
  }
}

TEST_CASE("pairs hold the sums of random documents, and of what is left of them") {
  Rng rng(718);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t n = 1 + rng.Below(3000);
    const NodeDocuments node = testing::RandomNode(n, n, 30, 0, trial % 2 == 0 ? 20 : 1, rng);
    PairedSums all;
    PairedSums part;
    const auto is_part = [](std::size_t i) { return i % 3 == 0; };
    for (std::size_t i = 0; i < n; ++i) {
      const PairedSums more = PairOf(node.targets[i], node.node().Count(i));
      all += more;
      if (is_part(i)) part += more;
    }
    CHECK(Equal(all.Unpack(), node.Total()));
    all -= part;
    CHECK(Equal(all.Unpack(), node.Sum([&](std::size_t i) { return !is_part(i); })));
  }
}

TEST_CASE("its fields as doubles are the sums") {
  const PackedFields fields = PairedSums::Fields();
  const std::int64_t most = std::int64_t{1} << 46U;
  for (const Stats& sums : std::vector<Stats>{{},
                                              {1, 0, 1},
                                              {-1, 7, 3},
                                              {most, most, 65536},
                                              {-most, 1, 65536},
                                              {12345678901, 9, 9}}) {
    const PairedSums pair(sums);
    CHECK(fields.Grad(pair.grad) == static_cast<double>(sums.grad));
    CHECK(fields.Hess(pair.rest) == static_cast<double>(sums.hess));
    CHECK((pair.rest & fields.count_mask) == sums.count);
  }
}

}  // namespace rankforest
