#include "rankforest/tree/gain_filter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/node_documents.hpp"
#include "support/small_node.hpp"

namespace rankforest {

using detail::PackedSums;
using detail::PairedSums;
using testing::NodeDocuments;
using Stats = Newton::Stats;

namespace {

/// One feature of a node.
struct Cells {
  std::vector<Stats> values;
  Stats missing;

  [[nodiscard]] Stats Total() const {
    Stats total = missing;
    for (const Stats& cell : values) total += cell;
    return total;
  }
};

/// The largest gain that the rules allow of any boundary, wherever NaN goes.
double BestGain(const Newton::Scaled& criterion, const SplitRules& rules, const Cells& cells) {
  double best = 0.0;
  const auto consider = [&](const Stats& left, const Stats& right, const Stats& own) {
    const auto fewest = std::max<std::uint64_t>(1, rules.min_samples_leaf);
    if (left.count < fewest || right.count < fewest) return;
    if (own.count > 0 && own.count < fewest) return;
    const double of_own = own.count > 0 ? criterion.Gain(left + right, own) : 0.0;
    best = std::max(best, criterion.Gain(left, right) + of_own);
  };
  const Stats all = cells.Total() - cells.missing;
  Stats left;
  for (const Stats& cell : cells.values) {
    left += cell;
    consider(left + cells.missing, all - left, {});
    consider(left, all - left + cells.missing, {});
    if (rules.missing == MissingRule::kThird) consider(left, all - left, cells.missing);
  }
  return best;
}

bool MayGain(const Newton::Scaled& criterion, const SplitRules& rules, const PackedSums& sums,
             const Cells& cells, double goal) {
  std::vector<std::uint64_t> words;
  for (const Stats& cell : cells.values) words.push_back(sums.Pack(cell));
  return GainFilter(criterion, rules, sums.fields(), cells.Total())
      .MayGain(words, sums.Pack(cells.missing), goal);
}

bool MayGainPaired(const Newton::Scaled& criterion, const SplitRules& rules, const Cells& cells,
                   double goal) {
  std::vector<PairedSums> pairs(cells.values.begin(), cells.values.end());
  return GainFilter(criterion, rules, PairedSums::Fields(), cells.Total())
      .MayGain(pairs, PairedSums(cells.missing), goal);
}

/// A node's documents dealt to cells at random; some of the cells may stay empty.
Cells Deal(const NodeDocuments& documents, std::size_t n_cells, bool with_missing, Rng& rng) {
  Cells cells;
  cells.values.resize(n_cells);
  const auto n_used =
      static_cast<std::uint32_t>(1 + rng.Below(static_cast<std::uint32_t>(n_cells)));
  for (std::size_t i = 0; i < documents.rows.size(); ++i) {
    Stats& cell =
        with_missing && rng.Below(4) == 0 ? cells.missing : cells.values[rng.Below(n_used)];
    cell.Add(documents.targets[i], documents.node().Count(i));
  }
  return cells;
}

/// A criterion whose units are powers of two.
Newton::Scaled Criterion(double l2, int grad_exponent, int hess_exponent) {
  return {Newton{l2, 0.0},
          {FixedPointScale(detail::PowerOfTwo(grad_exponent - 1), 0),
           FixedPointScale(detail::PowerOfTwo(hess_exponent - 1), 0)}};
}

}  // namespace

TEST_CASE("a goal is in reach up to the gain of the best boundary") {
  const Cells cells = {{{-2, 2, 2}, {}, {2, 2, 2}}, {}};
  const Newton::Scaled plain(Newton{}, {});  // 2^2 / 2 + 2^2 / 2
  CHECK(MayGain(plain, {}, PackedSums(), cells, 4.0));
  CHECK_FALSE(MayGain(plain, {}, PackedSums(), cells, 4.00001));
  const Cells large = {{{-200000, 2, 2}, {}, {200000, 2, 2}}, {}};
  CHECK(MayGain(plain, {}, PackedSums(1), large, 4e10));
  CHECK_FALSE(MayGain(plain, {}, PackedSums(1), large, 4.00001e10));
  const Newton::Scaled ridge(Newton{1.0, 0.0}, {});  // 2^2 / 3 + 2^2 / 3
  CHECK(MayGain(ridge, {}, PackedSums(), cells, 8.0 / 3.0));
  CHECK_FALSE(MayGain(ridge, {}, PackedSums(), cells, 2.66667));
  CHECK(MayGain(ridge, {}, PackedSums(), cells, 0.0));
}

TEST_CASE("so it is for the sums of a pair of words, which hold far more") {
  const std::int64_t far = std::int64_t{1} << 40;
  const Cells cells = {{{-far, far, 2}, {}, {far, far, 2}}, {}};
  const Newton::Scaled plain(Newton{}, {});  // twice 2^80 / 2^40
  const double gain = 0x1p41;
  CHECK(MayGainPaired(plain, {}, cells, gain));
  CHECK_FALSE(MayGainPaired(plain, {}, cells, gain * 1.001));
  CHECK_FALSE(MayGainPaired(plain, {3, 0.0, MissingRule::kLearn}, cells, 1.0));
  const Cells missing = {{{-far, far, 2}, {-far, far, 2}}, {far, far, 2}};
  CHECK(MayGainPaired(plain, {}, missing, BestGain(plain, {}, missing)));
  CHECK_FALSE(MayGainPaired(plain, {}, missing, BestGain(plain, {}, missing) * 1.001));
}

TEST_CASE("a ridge penalty is the same for all boundaries") {
  const Cells cells = {{{-3, 2, 2}, {1, 3, 3}}, {}};
  const Newton::Scaled ridge(Newton{2.0, 0.0}, {});
  const double gain = 9.0 / 4.0 + 1.0 / 5.0 - 4.0 / 7.0;
  CHECK(MayGain(ridge, {}, PackedSums(), cells, gain * (1 - 1e-6)));
  CHECK_FALSE(MayGain(ridge, {}, PackedSums(), cells, gain * (1 + 1e-6)));
}

TEST_CASE("boundaries that leave too few documents on a side do not count") {
  const Cells cells = {{{-9, 2, 2}, {1, 3, 3}, {9, 2, 2}}, {}};
  const Newton::Scaled criterion(Newton{}, {});
  for (const PackedSums& sums : {PackedSums(), PackedSums(1)}) {
    CHECK(MayGain(criterion, {2, 0.0, MissingRule::kLearn}, sums, cells, 10.0));
    CHECK_FALSE(MayGain(criterion, {3, 0.0, MissingRule::kLearn}, sums, cells, 1e-9));
    CHECK_FALSE(MayGain(criterion, {9, 0.0, MissingRule::kLearn}, sums, cells, 1e-9));
  }
}

TEST_CASE("NaN may go to either side, or be told from all values") {
  const Newton::Scaled criterion(Newton{}, {});
  const auto in_reach = [&](const Cells& cells) {
    const double gain = BestGain(criterion, {}, cells);
    return MayGain(criterion, {}, PackedSums(), cells, gain) &&
           !MayGain(criterion, {}, PackedSums(), cells, gain * (1 + 1e-6));
  };
  CHECK(in_reach({{{-5, 2, 2}, {5, 2, 2}}, {-5, 2, 2}}));
  CHECK(in_reach({{{-5, 2, 2}, {5, 2, 2}}, {5, 2, 2}}));
  CHECK(in_reach({{{-5, 2, 2}, {-5, 2, 2}}, {5, 2, 2}}));
}

TEST_CASE("the best gain is never ruled out, and one that is larger by a thousandth is") {
  Rng rng(17);
  std::size_t n_ruled_out = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::int32_t unit = rng.Below(2) == 0 ? 0 : static_cast<std::int32_t>(1 + rng.Below(9));
    const std::uint32_t n = 2 + rng.Below(60);
    NodeDocuments documents = testing::RandomNode(n, n, 1 + rng.Below(16), unit, 3, rng);
    const bool has_flat = rng.Below(2) == 0;  // documents whose hessian is 0
    for (Newton::Target& target : documents.targets) {
      if (!has_flat) target.hess = std::max(target.hess, 1);
    }
    const PackedSums sums(unit);
    if (!sums.Fits(documents.node())) continue;
    const bool with_missing = rng.Below(3) == 0;
    const Cells cells = Deal(documents, 1 + rng.Below(FeatureBins::kMost), with_missing, rng);
    const double l2 = rng.Below(2) == 0 ? 0.0 : rng.Uniform() * 100.0;
    const Newton::Scaled criterion =
        Criterion(l2, static_cast<int>(rng.Below(80)) - 40, static_cast<int>(rng.Below(20)) - 10);
    const auto missing = rng.Below(2) == 0 ? MissingRule::kLearn : MissingRule::kThird;
    const SplitRules rules = {rng.Below(6), 0.0, missing};
    const double gain = BestGain(criterion, rules, cells);
    INFO("trial ", trial);
    CHECK(MayGain(criterion, rules, sums, cells, gain));
    const bool is_bound = cells.missing.count == 0 || missing == MissingRule::kLearn;
    // Where the filter lets pass more: a side without hessian, whose gain is taken for 0, and gains
    // that are next to nothing, beside their penalty or beside what the fields could hold.
    if (is_bound && !has_flat && l2 == 0.0 && unit == 0 && gain > 0.0) {
      CHECK_FALSE(MayGain(criterion, rules, sums, cells, gain * (1 + 1e-3)));
      ++n_ruled_out;
    }
  }
  CHECK(n_ruled_out > 300);
}

TEST_CASE("nor is it for pairs of words, whose targets have 30 bits") {
  Rng rng(18);
  std::size_t n_ruled_out = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::uint32_t n = 2 + rng.Below(600);
    NodeDocuments documents = testing::RandomNode(n, n, 30, 0, 3, rng);
    for (Newton::Target& target : documents.targets) target.hess = std::max(target.hess, 1 << 20);
    const bool with_missing = rng.Below(3) == 0;
    const Cells cells = Deal(documents, 1 + rng.Below(FeatureBins::kMost), with_missing, rng);
    const double l2 = rng.Below(2) == 0 ? 0.0 : rng.Uniform() * 0x1p30;
    const auto missing = rng.Below(2) == 0 ? MissingRule::kLearn : MissingRule::kThird;
    const SplitRules rules = {rng.Below(40), 0.0, missing};
    const Newton::Scaled criterion = Criterion(l2, -30, 0);
    const double gain = BestGain(criterion, rules, cells);
    INFO("trial ", trial);
    CHECK(MayGainPaired(criterion, rules, cells, gain));
    const bool is_bound = cells.missing.count == 0 || missing == MissingRule::kLearn;
    if (!is_bound || l2 != 0.0 || gain <= 0.0) continue;
    CHECK_FALSE(MayGainPaired(criterion, rules, cells, gain * (1 + 1e-3)));
    ++n_ruled_out;
  }
  CHECK(n_ruled_out > 300);
}

TEST_CASE("numbers at the ends of what doubles hold rule nothing out") {
  const Cells cells = {{{-2, 2, 2}, {2, 2, 2}}, {}};
  for (const int exponent : {-300, 300}) {
    CHECK(MayGain(Criterion(0.0, exponent, 0), {}, PackedSums(), cells, 1.0));
    CHECK(MayGain(Criterion(0.0, 0, exponent), {}, PackedSums(), cells, 1.0));
  }
  CHECK(MayGain(Criterion(1e-300, 0, 0), {}, PackedSums(), cells, 1e300));
  CHECK_FALSE(MayGain(Criterion(0.0, 0, 0), {}, PackedSums(), cells, 1e300));
}

}  // namespace rankforest
