#include "rankforest/criterion/newton_bound.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "support/node_documents.hpp"

namespace rankforest {

using testing::NodeDocuments;
using Stats = Newton::Stats;
using Target = Newton::Target;

namespace {

/// A node whose documents fall into bins, one after the other.
struct Bins {
  NodeDocuments node;
  std::vector<std::size_t> first;  // document of each bin, and the end of the last

  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  void Add(const std::vector<Target>& targets) {
    if (first.empty()) first.push_back(0);
    for (const Target target : targets) node.Add(target, 1);
    first.push_back(node.rows.size());
  }
  template <class Condition>
  [[nodiscard]] std::vector<Stats> Sums(const Condition& holds) const {
    std::vector<Stats> sums(size());
    for (std::size_t b = 0; b < size(); ++b) {
      for (std::size_t i = first[b]; i < first[b + 1]; ++i) {
        if (holds(node.targets[i])) sums[b].Add(node.targets[i], node.node().Count(i));
      }
    }
    return sums;
  }
};

std::vector<std::uint8_t> Marks(const Bins& bins, const Newton::Scaled& criterion,
                                const GradientSide& side, double goal) {
  const NewtonBound bound(criterion, side, bins.node.node());
  const std::vector<Stats> of_bins = bins.Sums([](Target) { return true; });
  const std::vector<Stats> of_side = bins.Sums([&](Target target) { return side.Has(target); });
  std::vector<std::uint8_t> marks(bins.size());
  bound.Mark(
      of_bins, of_side.data(), {}, bins.node.Total(), goal, [](std::size_t) { return true; },
      marks.data());
  return marks;
}

/// The largest gain of a threshold inside a bin, its documents in the order they have.
double BestInside(const Bins& bins, const Newton::Scaled& criterion, std::size_t bin) {
  Stats left;
  for (std::size_t i = 0; i < bins.first[bin]; ++i) {
    left.Add(bins.node.targets[i], bins.node.node().Count(i));
  }
  double best = 0.0;
  for (std::size_t i = bins.first[bin]; i + 1 < bins.first[bin + 1]; ++i) {
    left.Add(bins.node.targets[i], bins.node.node().Count(i));
    best = std::max(best, criterion.Gain(left, bins.node.Total() - left));
  }
  return best;
}

}  // namespace

TEST_CASE("what a bin of two documents may gain, by hand") {
  // The better order of the second bin's two leaves three of a kind on either side of a threshold:
  // 3^2 / 3 + 3^2 / 3 = 6. At the bin's ends 2^2 / 2 + 2^2 / 4 = 3 are gained.
  Bins bins;
  bins.Add({{1, 1}, {1, 1}});
  bins.Add({{1, 1}, {-1, 1}});
  bins.Add({{-1, 1}, {-1, 1}});
  const Newton::Scaled criterion({}, {});
  const GradientSide side = GradientSide::Rarer(bins.node.node());
  CHECK(Marks(bins, criterion, side, 6.0) == std::vector<std::uint8_t>{0, 1, 0});
  CHECK(Marks(bins, criterion, side, 6.1) == std::vector<std::uint8_t>{0, 0, 0});
  CHECK(BestInside(bins, criterion, 1) == doctest::Approx(6.0));
  // Inside the others the documents are all alike, and gain between what their ends do: 0 and 3.
  CHECK(Marks(bins, criterion, side, 3.1) == std::vector<std::uint8_t>{0, 1, 0});
  CHECK(Marks(bins, criterion, side, 2.9) == std::vector<std::uint8_t>{1, 1, 1});
}

TEST_CASE("without a gain to beat every bin of several documents is marked") {
  Bins bins;
  bins.Add({{1, 1}, {1, 1}});
  bins.Add({{-1, 1}});
  CHECK(Marks(bins, Newton::Scaled({}, {}), {0.0, true}, 0.0) == std::vector<std::uint8_t>{1, 0});
}

TEST_CASE("a gradient without a hessian leaves nothing to rule out") {
  Bins bins;
  bins.Add({{1, 1}, {1, 1}});
  bins.Add({{-1, 0}, {0, 0}});
  CHECK(Marks(bins, Newton::Scaled({}, {}), {0.0, true}, 1e9) == std::vector<std::uint8_t>{1, 1});
}

TEST_CASE("a bin with a threshold inside that gains as much as is asked for is always marked") {
  Rng rng(242);
  std::size_t n_left_out = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Newton newton{trial % 3 == 0 ? rng.Uniform() * 20.0 : 0.0, 0.0};
    const Newton::Scaled criterion(newton, {});
    const unsigned bits = trial % 4 == 0 ? 30 : 1 + rng.Below(16);
    const bool is_unit = trial % 2 == 0;
    Bins bins;
    const std::size_t n_bins = 1 + rng.Below(20);  // more than one call of Gains() has room for
    for (std::size_t b = 0; b < n_bins; ++b) {
      std::vector<Target> targets(1 + rng.Below(5));
      for (Target& target : targets) {
        target = testing::RandomTarget(bits, rng);
        target.hess = is_unit ? 5 : std::max(1, target.hess);
      }
      if (rng.Below(2) == 0) {  // the order that separates most
        std::sort(targets.begin(), targets.end(), [](Target x, Target y) {
          return std::int64_t{x.grad} * y.hess > std::int64_t{y.grad} * x.hess;
        });
      }
      bins.Add(targets);
    }
    const GradientSide side = GradientSide::Rarer(bins.node.node());
    double best = 0.0;
    for (std::size_t b = 0; b < n_bins; ++b) {
      const double inside = BestInside(bins, criterion, b);
      INFO("trial ", trial, ", bin ", b);
      if (inside > 0.0) CHECK(Marks(bins, criterion, side, inside)[b] == 1);
      best = std::max(best, inside);
    }
    for (const std::uint8_t mark : Marks(bins, criterion, side, best)) n_left_out += 1U - mark;
  }
  CHECK(n_left_out > 10000);
}

}  // namespace rankforest
