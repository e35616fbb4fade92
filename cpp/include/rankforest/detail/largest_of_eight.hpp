#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace rankforest::detail {

/// The largest of eight numbers that are not NaN. Vector instructions compare the first four with
/// the others: of a list whose few highest numbers are looked for, most blocks of eight can be left
/// out for as much work as it takes to read them.
///
/// @param value_of  number i, for i from 0 to 7
template <class ValueOf>
[[nodiscard]] double LargestOfEight(const ValueOf& value_of) {
  std::array<double, 4> largest;
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const double value = value_of(i);
    const double other = value_of(i + largest.size());
    largest[i] = value > other ? value : other;
  }
  return *std::max_element(largest.begin(), largest.end());
}

}  // namespace rankforest::detail
