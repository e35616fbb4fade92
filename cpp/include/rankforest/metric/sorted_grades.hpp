#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest::detail {

/// Sorts grades, all >= 0, in descending order: the ideal ranking. Small whole numbers, which most
/// grades are, are counted instead of compared.
inline void SortBestFirst(Span<const double> grades, std::vector<double>& best_first) {
  constexpr std::size_t kCounted = 32;
  std::array<std::uint32_t, kCounted> counts{};
  best_first.resize(grades.size());
  for (const double grade : grades) {
    const std::size_t whole = grade < static_cast<double>(kCounted)
                                  ? static_cast<std::size_t>(grade)
                                  : std::size_t{kCounted};
    if (whole == kCounted || static_cast<double>(whole) != grade) {
      std::copy(grades.begin(), grades.end(), best_first.begin());
      std::sort(best_first.begin(), best_first.end(), std::greater<>());
      return;
    }
    ++counts[whole];
  }
  auto place = best_first.begin();
  for (std::size_t grade = kCounted; grade-- > 0;) {
    place = std::fill_n(place, counts[grade], static_cast<double>(grade));
  }
}

/// The different ones of sorted grades.
inline void KeepDistinct(Span<const double> best_first, std::vector<double>& distinct) {
  distinct.clear();
  for (const double grade : best_first) {
    if (distinct.empty() || grade != distinct.back()) distinct.push_back(grade);
  }
}

}  // namespace rankforest::detail
