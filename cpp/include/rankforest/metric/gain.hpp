#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/metric/settings.hpp"
#include "rankforest/metric/text.hpp"

namespace rankforest::detail {

/// The gain of a grade, in float64.
class GainFunction {
 public:
  explicit GainFunction(Gain gain, GradeRule grades = GradeRule::kReal)
      : gain_(std::move(gain)), truncates_(grades == GradeRule::kTrunc) {
    if (gain_.rule != GainRule::kExp2) return;
    gain_.table.resize(kTabled);
    for (std::size_t g = 0; g < kTabled; ++g) gain_.table[g] = Exp2(static_cast<double>(g)) - 1.0;
  }

  [[nodiscard]] double operator()(double grade) const {
    if (truncates_) grade = std::trunc(grade);
    if (gain_.rule == GainRule::kLinear) return grade;
    if (grade < static_cast<double>(gain_.table.size())) {
      const auto whole = static_cast<std::size_t>(grade);
      if (static_cast<double>(whole) == grade) return gain_.table[whole];
    }
    assert(gain_.rule == GainRule::kExp2);
    return Exp2(grade) - 1.0;
  }

  /// @throws std::invalid_argument if the grade, a number >= 0, has no gain
  void Check(double grade) const {
    if (truncates_) grade = std::trunc(grade);
    if (gain_.rule == GainRule::kExp2 && grade > 1023.0) {
      throw std::invalid_argument(
          "must be at most 1023 under gain=exp2 (2^1024 is beyond float64); use gain=linear or a "
          "table of gains");
    }
    if (gain_.rule != GainRule::kTable) return;
    const std::size_t size = gain_.table.size();
    if (grade >= static_cast<double>(size) ||
        static_cast<double>(static_cast<std::size_t>(grade)) != grade) {
      throw std::invalid_argument("must be a whole number from 0 to " + std::to_string(size - 1) +
                                  ", the grades that the table of gains holds");
    }
  }

 private:
  static constexpr std::size_t kTabled = 32;

  Gain gain_;
  bool truncates_;
};

/// The discounts of the ranks 0, ..., size - 1.
inline std::vector<double> Discounts(Discount rule, std::size_t size) {
  if (rule == Discount::kLog2) return LogDiscounts(size);
  std::vector<double> discounts(size, 1.0);
  if (rule == Discount::kReciprocal) {
    for (std::size_t r = 1; r < size; ++r) discounts[r] = 1.0 / static_cast<double>(r + 1);
    return discounts;
  }
  for (std::size_t r = 2; r < size; ++r) discounts[r] = 1.0 / Log2(static_cast<double>(r) + 1.0);
  return discounts;
}

}  // namespace rankforest::detail
