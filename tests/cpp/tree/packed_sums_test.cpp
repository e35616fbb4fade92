#include "rankforest/tree/packed_sums.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/node_documents.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using detail::PackedSums;
using testing::Equal;
using testing::NodeDocuments;
using Stats = Newton::Stats;

namespace {

/// The sum of a node run by run; `ends` gets the end of each, a document that overflows alone
/// included.
Stats SumInRuns(const PackedSums& sums, const NodeDocuments& documents,
                std::vector<std::size_t>& ends) {
  const auto node = documents.node();
  Stats cell;
  ends.clear();
  for (std::size_t begin = 0; begin < node.size(); begin = ends.back()) {
    const std::size_t end = sums.RunEnd(node, begin, node.size());
    REQUIRE(end <= node.size());
    if (end == begin) {
      cell.Add(node.targets[begin], node.Count(begin));
      ends.push_back(begin + 1);
      continue;
    }
    std::uint64_t word = 0;
    for (std::size_t i = begin; i < end; ++i) word += sums.Pack(node.targets[i], node.Count(i));
    cell += sums.Unpack(word);
    ends.push_back(end);
  }
  return cell;
}

/// `n` times the same document.
NodeDocuments Repeat(std::size_t n, Newton::Target target, std::uint32_t times) {
  NodeDocuments documents;
  for (std::size_t i = 0; i < n; ++i) documents.Add(target, times);
  return documents;
}

/// Where the first run of a node of equal documents ends, once its sum is seen to be right.
std::size_t FirstEnd(const PackedSums& sums, std::size_t n, Newton::Target target,
                     std::uint32_t times) {
  const NodeDocuments documents = Repeat(n, target, times);
  std::vector<std::size_t> ends;
  CHECK(Equal(SumInRuns(sums, documents, ends), documents.Total()));
  return sums.RunEnd(documents.node(), 0, n);
}

}  // namespace

TEST_CASE("the range of targets is their largest number, and the hessian that all of them have") {
  const std::vector<Newton::Target> unit = {{-7, 3}, {5, 3}, {0, 3}};
  CHECK(detail::TargetRange(unit).largest == 7);
  CHECK(detail::TargetRange(unit).unit_hessian == 3);
  const std::vector<Newton::Target> others = {{-7, 3}, {5, 3}, {0, 9}};
  CHECK(detail::TargetRange(others).largest == 9);
  CHECK(detail::TargetRange(others).unit_hessian == 0);
}

TEST_CASE("a word holds gradient, hessian and count, from the highest bits down") {
  const PackedSums sums;
  CHECK(sums.Pack({0, 0}, 1) == 1);
  CHECK(sums.Pack({0, 3}, 2) == (6ULL << 13U) + 2);
  CHECK(sums.Pack({5, 0}, 2) == (10ULL << 38U) + 2);
  CHECK(sums.Pack({-1, 0}, 1) == ~std::uint64_t{0} - (1ULL << 38U) + 2);
  CHECK(Equal(sums.Unpack(sums.Pack({-3, 5}, 2) + sums.Pack({1, 65536}, 1)),
              {-6 + 1, 10 + 65536, 2 + 1}));
}

TEST_CASE("where all hessians are equal the count stands for them") {
  const PackedSums sums(7);
  CHECK(sums.Pack({0, 7}, 3) == 3);
  CHECK(sums.Pack({2, 7}, 3) == (6ULL << 24U) + 3);
  CHECK(Equal(sums.Unpack(sums.Pack({-3, 7}, 2) + sums.Pack({1, 7}, 5)), {-1, 49, 7}));
}

TEST_CASE("fields of a word are doubles without a conversion of integers") {
  const PackedSums sums;
  const detail::PackedFields fields = sums.fields();
  for (const Stats& stats : {Stats{-10, 6, 2}, Stats{-(1 << 25), (1 << 25) - 1, 8191},
                             Stats{(1 << 25) - 1, 0, 0}, Stats{}}) {
    const std::uint64_t word = sums.Pack(stats);
    CHECK(fields.Grad(word) == static_cast<double>(stats.grad));
    CHECK(fields.Hess(word) == static_cast<double>(stats.hess));
    CHECK((word & fields.count_mask) == stats.count);
  }
  CHECK(fields.hess_unit == 1.0);
  CHECK(fields.grad_bias == 0x1p25);
}

TEST_CASE("where the count stands for hessians it is their field") {
  const PackedSums sums(7);
  const detail::PackedFields fields = sums.fields();
  for (const std::int64_t grad : {-(std::int64_t{1} << 39U), std::int64_t{5}}) {
    const std::uint64_t word = sums.Pack(Stats{grad, 7 * 1000, 1000});
    CHECK(fields.Grad(word) == static_cast<double>(grad));
    CHECK(fields.Hess(word) == 1000.0);
    CHECK((word & fields.count_mask) == 1000);
  }
  CHECK(fields.hess_unit == 7.0);
  CHECK(fields.grad_bias == 0x1p39);
}

TEST_CASE("a word of nothing is nothing") {
  CHECK(Equal(PackedSums().Unpack(0), {}));
  CHECK(Equal(PackedSums(65536).Unpack(0), {}));
}

TEST_CASE("sums that are packed come back, and parts of them can be taken away") {
  const PackedSums sums;
  CHECK(sums.Pack(Stats{-10, 6, 2}) == sums.Pack({-5, 3}, 2));
  CHECK(Equal(sums.Unpack(sums.Pack(Stats{-10, 6, 2})), {-10, 6, 2}));
  const Stats whole{-(1 << 24), (1 << 25) - 1, 8191};
  const Stats part{(1 << 24) - 1, 1 << 24, 8190};  // more than the whole's gradient
  CHECK(Equal(sums.Unpack(sums.Pack(whole) - sums.Pack(part)), {-(1 << 25) + 1, (1 << 24) - 1, 1}));
  const PackedSums equal(7);
  CHECK(Equal(equal.Unpack(equal.Pack(Stats{-3, 70, 10}) - equal.Pack(Stats{4, 21, 3})),
              {-7, 49, 7}));
}

TEST_CASE("a node fits words if all of its documents are one run") {
  const PackedSums sums;
  CHECK(sums.Fits(Repeat(8191, {1, 1}, 1).node()));
  CHECK_FALSE(sums.Fits(Repeat(8192, {1, 1}, 1).node()));
  CHECK_FALSE(sums.Fits(Repeat(1, {1, 1}, 8192).node()));
  CHECK(PackedSums(1).Fits(Repeat(8192, {1, 1}, 1).node()));
}

TEST_CASE("a run ends before a field overflows") {
  const PackedSums sums;
  CHECK(FirstEnd(sums, 9000, {1, 1}, 1) == 8191);     // documents: below 2^13
  CHECK(FirstEnd(sums, 9000, {0, 0}, 3) == 2730);     // 3 x 2,730 = 8,190
  CHECK(FirstEnd(sums, 1000, {0, 65536}, 1) == 511);  // hessians: below 2^25
  CHECK(FirstEnd(sums, 1000, {65536, 0}, 1) == 511);  // gradients: magnitudes below 2^25
  CHECK(FirstEnd(sums, 1000, {-65536, 0}, 1) == 511);
  CHECK(FirstEnd(sums, 103, {-65535, 65535}, 5) == 102);  // 5 x 102 x 65,535 is just below
}

TEST_CASE("a run of equal hessians is far longer") {
  const PackedSums sums(65536);
  CHECK(FirstEnd(sums, 9000, {1, 65536}, 1) == 9000);
  CHECK(FirstEnd(sums, 20, {1, 65536}, 1U << 20U) == 15);                // documents: below 2^24
  CHECK(FirstEnd(sums, 20, {-65536, 65536}, 1U << 21U) == 3);            // 4 x 2^37 is 2^39
  CHECK(FirstEnd(PackedSums(1), 20, {65536, 1}, (1U << 23U) - 1) == 1);  // just below 2^39
}

TEST_CASE("magnitudes count, so that what cancels cannot overflow on the way") {
  NodeDocuments documents;
  for (int i = 0; i < 1000; ++i) documents.Add({i % 2 == 0 ? 65536 : -65536, 1}, 1);
  CHECK(PackedSums().RunEnd(documents.node(), 0, 1000) == 511);
}

TEST_CASE("a document that overflows alone has an empty run") {
  CHECK(FirstEnd(PackedSums(), 3, {0, 0}, 8192) == 0);
  CHECK(FirstEnd(PackedSums(), 3, {0, 65536}, 512) == 0);
  CHECK(FirstEnd(PackedSums(), 3, {-65536, 0}, 512) == 0);
  CHECK(FirstEnd(PackedSums(1), 3, {0, 1}, 1U << 24U) == 0);
  CHECK(FirstEnd(PackedSums(1), 3, {65536, 1}, 1U << 23U) == 0);
}

TEST_CASE("a run starts where it is told to, and ends where it is told to at the latest") {
  NodeDocuments documents = Repeat(10, {1, 1}, 1);
  documents.counts[3] = 10000;
  const PackedSums sums;
  CHECK(sums.RunEnd(documents.node(), 0, 10) == 3);
  CHECK(sums.RunEnd(documents.node(), 0, 2) == 2);
  CHECK(sums.RunEnd(documents.node(), 3, 10) == 3);
  CHECK(sums.RunEnd(documents.node(), 4, 10) == 10);
  CHECK(sums.RunEnd(documents.node(), 5, 5) == 5);
}

TEST_CASE("runs add up to the plain sums, on random targets of up to 16 bits") {
  Rng rng(341);
  std::size_t overflows = 0;
  std::size_t long_runs = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::int32_t unit = trial % 3 == 0 ? 1 + static_cast<std::int32_t>(rng.Below(65536)) : 0;
    const std::uint32_t n = 1 + rng.Below(3000);
    const std::uint32_t most_times = 1U << rng.Below(14);
    NodeDocuments documents = testing::RandomNode(n, n, 1 + rng.Below(16), unit, most_times, rng);
    std::vector<std::size_t> ends;
    INFO("trial ", trial);
    CHECK(Equal(SumInRuns(PackedSums(unit), documents, ends), documents.Total()));
    for (std::size_t r = 0; r < ends.size(); ++r) {
      const std::size_t begin = r == 0 ? 0 : ends[r - 1];
      overflows += PackedSums(unit).RunEnd(documents.node(), begin, n) == begin ? 1U : 0U;
      long_runs += ends[r] - begin > 100 ? 1U : 0U;
    }
  }
  CHECK(overflows > 10);
  CHECK(long_runs > 100);
}

}  // namespace rankforest
