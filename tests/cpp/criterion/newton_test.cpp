#include "rankforest/criterion/newton.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest {

namespace {

using Pairs = std::vector<GradientPair>;

/// A criterion and the statistics of two children, in the fixed point of one fit.
struct TwoChildren {
  Newton::Scaled criterion;
  Newton::Stats left;
  Newton::Stats right;

  [[nodiscard]] double Gain() const { return criterion.Gain(left, right); }
};

TwoChildren Divide(const Newton& newton, const Pairs& left, const Pairs& right) {
  Pairs all = left;
  all.insert(all.end(), right.begin(), right.end());
  std::vector<RowId> rows;
  for (std::size_t i = 0; i < all.size(); ++i) rows.push_back(static_cast<RowId>(i));
  TwoChildren children;
  children.criterion = {newton, ScalesFor(LargestOf(all, rows), kSearchBits)};
  for (const GradientPair& pair : left) children.left.Add(children.criterion.ToTarget(pair), 1);
  for (const GradientPair& pair : right) children.right.Add(children.criterion.ToTarget(pair), 1);
  return children;
}

/// The pairs of half the weighted squared difference to the score 0.
Pairs OfGrades(const std::vector<double>& grades, double weight = 1.0) {
  Pairs pairs;
  for (const double grade : grades) pairs.push_back({-weight * grade, weight});
  return pairs;
}

/// The weighted squared error of the best constant, by its definition.
double SquaredErrorOf(const Pairs& pairs) {
  double sum = 0.0;
  double weights = 0.0;
  for (const GradientPair& pair : pairs) {
    sum -= pair.grad;
    weights += pair.hess;
  }
  double error = 0.0;
  for (const GradientPair& pair : pairs) {
    if (pair.hess == 0.0) continue;
    const double difference = -pair.grad / pair.hess - sum / weights;
    error += pair.hess * difference * difference;
  }
  return error;
}

/// The least of G v + (H + l2) v^2 / 2 over v, times -2: what a leaf is worth.
double Worth(const Pairs& pairs, double l2) {
  double grad = 0.0;
  double hess = l2;
  for (const GradientPair& pair : pairs) {
    grad += pair.grad;
    hess += pair.hess;
  }
  const double step = -grad / hess;
  return -2.0 * (grad * step + hess * step * step / 2.0);
}

Pairs RandomPairs(std::size_t n, Rng& rng) {
  Pairs pairs(n);
  for (GradientPair& pair : pairs) pair = {rng.Uniform() * 4.0 - 2.0, rng.Uniform() + 0.01};
  return pairs;
}

Pairs Joined(Pairs a, const Pairs& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("unit hessians make the gain the drop in squared error") {
  // Grades {0, 2 | 10}: the squared error is 56 before the split and 2 after it.
  CHECK(Divide({}, OfGrades({0, 2}), OfGrades({10})).Gain() == doctest::Approx(54.0));
  // Weight 3 counts like three documents.
  CHECK(Divide({}, OfGrades({0, 2}, 3.0), OfGrades({10}, 3.0)).Gain() == doctest::Approx(162.0));
}

TEST_CASE("a ridge penalty shrinks gains and values") {
  // G 2 and -4, H 1 and 3: 4 / 2 + 16 / 4 - 4 / 5.
  const Newton newton{1.0, 0.0};
  CHECK(Divide(newton, {{2.0, 1.0}}, {{-4.0, 3.0}}).Gain() == doctest::Approx(5.2));
  CHECK(newton.LeafValue(2.0, 1.0) == -1.0);
  CHECK(newton.LeafValue(-4.0, 3.0) == 1.0);
  // G 1 and 1, H 1 each: 1 / 2 + 1 / 2 - 4 / 3, a loss.
  CHECK(Divide(newton, {{1.0, 1.0}}, {{1.0, 1.0}}).Gain() == doctest::Approx(-1.0 / 3.0));
}

TEST_CASE("the gain is the drop in squared error, on random weighted grades") {
  Rng rng(211);
  for (int trial = 0; trial < 300; ++trial) {
    Pairs left;
    Pairs right;
    for (std::uint32_t i = 2 + rng.Below(10); i > 0; --i) {
      const double weight = 0.25 + rng.Below(4);
      (i % 2 == 0 ? left : right).push_back({-weight * rng.Below(5), weight});
    }
    const double drop =
        SquaredErrorOf(Joined(left, right)) - SquaredErrorOf(left) - SquaredErrorOf(right);
    INFO("trial ", trial);
    CHECK(Divide({}, left, right).Gain() == doctest::Approx(drop).epsilon(1e-9));
  }
}

TEST_CASE("the gain is what the best steps are worth, on random pairs and penalties") {
  Rng rng(212);
  for (int trial = 0; trial < 300; ++trial) {
    const Pairs left = RandomPairs(1 + rng.Below(6), rng);
    const Pairs right = RandomPairs(1 + rng.Below(6), rng);
    const Newton newton{trial % 2 == 0 ? 0.0 : rng.Uniform() * 3.0, 0.0};
    const double gain =
        Worth(left, newton.l2) + Worth(right, newton.l2) - Worth(Joined(left, right), newton.l2);
    INFO("trial ", trial);
    CHECK(std::abs(Divide(newton, left, right).Gain() - gain) < 1e-6);
  }
}

TEST_CASE("children with the same mean gain exactly nothing") {
  Rng rng(213);
  for (int trial = 0; trial < 300; ++trial) {
    // n and m documents of one grade, or sides that only have the mean in common.
    const double grade = rng.Below(1000) / 7.0;
    const std::size_t n = 1 + rng.Below(9);
    const std::size_t m = 1 + rng.Below(9);
    CHECK(Divide({}, Pairs(n, {-grade, 1.0}), Pairs(m, {-grade, 1.0})).Gain() == 0.0);
    CHECK(Divide({}, OfGrades({1, 5, 3}), Pairs(m, {-3.0, 1.0})).Gain() == 0.0);
    CHECK(Divide({}, Pairs(n, {-0.3, 0.1}), Pairs(m, {-0.3, 0.1})).Gain() == 0.0);
  }
}

TEST_CASE("children of equal targets never gain under a penalty") {
  for (std::size_t n = 1; n < 20; ++n) {
    CHECK(Divide({0.1, 0.0}, Pairs(n, {-0.3, 0.1}), Pairs(3, {-0.3, 0.1})).Gain() <= 0.0);
  }
}

TEST_CASE("left and right are interchangeable") {
  Rng rng(214);
  for (int trial = 0; trial < 200; ++trial) {
    const TwoChildren pair = Divide({trial % 3 * 0.7, 0.0}, RandomPairs(1 + rng.Below(5), rng),
                                    RandomPairs(1 + rng.Below(5), rng));
    CHECK(pair.criterion.Gain(pair.right, pair.left) == pair.Gain());
  }
}

TEST_CASE("a power of two scales gains exactly") {
  Rng rng(215);
  for (int trial = 0; trial < 100; ++trial) {
    const Pairs left = RandomPairs(1 + rng.Below(5), rng);
    const Pairs right = RandomPairs(1 + rng.Below(5), rng);
    const auto scaled = [](Pairs pairs, double grad, double hess) {
      for (GradientPair& pair : pairs) pair = {pair.grad * grad, pair.hess * hess};
      return pairs;
    };
    const double gain = Divide({}, left, right).Gain();
    CHECK(Divide({}, scaled(left, 8.0, 1.0), scaled(right, 8.0, 1.0)).Gain() == 64.0 * gain);
    CHECK(Divide({}, scaled(left, 1.0, 8.0), scaled(right, 1.0, 8.0)).Gain() == gain / 8.0);
    // The weights of all documents: gains grow alike.
    CHECK(Divide({}, scaled(left, 0.25, 0.25), scaled(right, 0.25, 0.25)).Gain() == gain / 4.0);
  }
}

TEST_CASE("a child without hessian gains nothing and has the value 0") {
  CHECK(Divide({}, {{1.0, 0.0}}, {{-5.0, 1.0}}).Gain() == 0.0);
  CHECK(Divide({}, {{1.0, 1.0}}, {{-5.0, 0.0}}).Gain() == 0.0);
  CHECK(Newton{}.LeafValue(3.0, 0.0) == 0.0);
  CHECK(Newton{}.LeafValue(0.0, 0.0) == 0.0);
  // With a penalty it has both: 1 / 2 + 25 / 3 - 16 / 3.
  CHECK(Divide({2.0, 0.0}, {{1.0, 0.0}}, {{-5.0, 1.0}}).Gain() == doctest::Approx(3.5));
  CHECK(Newton{2.0, 0.0}.LeafValue(3.0, 0.0) == -1.5);
}

TEST_CASE("a leaf without gradient is worth plus 0") {
  CHECK_FALSE(std::signbit(Newton{}.LeafValue(0.0, 2.0)));
}

TEST_CASE("a child is allowed from min_hessian on") {
  const TwoChildren pair = Divide({0.0, 0.75}, {{1.0, 0.5}, {1.0, 0.25}}, {{1.0, 0.5}});
  CHECK(pair.criterion.Allows(pair.left));
  CHECK_FALSE(pair.criterion.Allows(pair.right));
  const TwoChildren free = Divide({}, {{1.0, 0.0}}, {{1.0, 0.5}});
  CHECK(free.criterion.Allows(free.left));
}

TEST_CASE("statistics add up, with repeats") {
  Newton::Stats stats;
  stats.Add({5, 2}, 3);
  stats.Add({-1, 7}, 1);
  CHECK(stats.grad == 14);
  CHECK(stats.hess == 13);
  CHECK(stats.count == 4);
  Newton::Stats other;
  other.Add({1, 1}, 4294967295U);
  const Newton::Stats sum = stats + other;
  CHECK(sum.count == 4294967299ULL);
  const Newton::Stats back = sum - other;
  CHECK(back.grad == stats.grad);
  CHECK(back.hess == stats.hess);
  CHECK(back.count == stats.count);
}

TEST_CASE("the gains of many splits are those of each, to the bit, and their largest comes back") {
  Rng rng(214);
  for (int trial = 0; trial < 400; ++trial) {
    const Newton newton{trial % 2 == 0 ? 0.0 : rng.Uniform() * 3.0, 0.0};
    const Newton::Scaled criterion = Divide(newton, RandomPairs(3, rng), {}).criterion;
    const std::size_t n = rng.Below(static_cast<std::uint32_t>(Newton::Scaled::kMostGains + 1));
    const std::int64_t span = std::int64_t{1} << (1 + rng.Below(45));
    const auto below = [&](std::int64_t limit) {
      return static_cast<std::int64_t>(rng.Uniform() * static_cast<double>(limit));
    };
    const Newton::Stats total = {below(2 * span) - span, span, 1000};
    Newton::Scaled::LeftSums left;
    std::vector<Newton::Stats> sides;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t kind = rng.Below(5);  // some have nothing on one side
      const std::int64_t hess = kind == 0 ? 0 : kind == 1 ? span : below(span);
      sides.push_back({below(2 * span) - span, hess, 0});
      left.Push(static_cast<double>(sides[i].grad), static_cast<double>(hess));
    }
    std::array<double, Newton::Scaled::kMostGains> gains;
    const double largest = criterion.Gains(total, left, gains);
    double expected = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double gain = criterion.Gain(sides[i], total - sides[i]);
      INFO("trial ", trial, ", split ", i);
      REQUIRE(gains[i] == gain);
      expected = std::max(expected, gain);
    }
    CHECK(largest == expected);
  }
}

TEST_CASE("the impurity of documents is what splits down to single ones gain together") {
  // Steps 1 and 3 about 2; with hessians 2 and 1, steps 1 and 3 about 5/3.
  const auto impurity = [](const Pairs& pairs) {
    const TwoChildren split = Divide({}, pairs, {});
    std::vector<RowId> rows;
    std::vector<Newton::Target> targets;
    for (const GradientPair& pair : pairs) {
      rows.push_back(static_cast<RowId>(rows.size()));
      targets.push_back(split.criterion.ToTarget(pair));
    }
    return split.criterion.Impurity({rows, targets, {}}, split.left);
  };
  CHECK(impurity({{-1.0, 1.0}, {-3.0, 1.0}}) == doctest::Approx(2.0).epsilon(1e-6));
  CHECK(impurity({{-2.0, 2.0}, {-3.0, 1.0}}) == doctest::Approx(8.0 / 3.0).epsilon(1e-6));
  CHECK(impurity({{-2.0, 2.0}, {-3.0, 0.0}}) == doctest::Approx(2.0 * 1.5 * 1.5).epsilon(1e-6));
  CHECK(impurity({{-3.0, 0.0}}) == 0.0);
  Rng rng(7);
  for (int trial = 0; trial < 100; ++trial) {
    Pairs pairs;
    double gains = 0.0;
    for (int i = 0; i < 10; ++i) {
      pairs.push_back({rng.Uniform() - 0.5, 0.1 + rng.Uniform()});
      if (i > 0) gains += Divide({}, {pairs.begin(), pairs.end() - 1}, {pairs.back()}).Gain();
    }
    CHECK(impurity(pairs) == doctest::Approx(gains).epsilon(1e-5));
  }
}

}  // namespace rankforest
