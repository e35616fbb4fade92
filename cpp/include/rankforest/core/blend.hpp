#pragma once

#include <cstdint>
#include <vector>

namespace rankforest {

/// How several scores of a document become one; score/combine.hpp has the formulas. All but kSum
/// look at whole queries. kZScore occurs in blends alone.
enum class Combine : std::uint8_t { kSum = 0, kMinMax = 1, kBorda = 2, kZScore = 3 };

/// One column of scores made of others, by weights. Columns are numbered: those of the members of
/// an ensemble first, then those that its blends make, in order.
struct Blend {
  /// A column and how much it counts.
  struct Term {
    std::uint32_t column = 0;  ///< below the number of the blend's own
    double weight = 1.0;       ///< finite, >= 0
  };

  Combine combine = Combine::kSum;
  std::vector<Term> terms;  ///< not empty; the sum of the weights is finite and > 0
};

inline bool operator==(const Blend::Term& a, const Blend::Term& b) {
  return a.column == b.column && a.weight == b.weight;
}
inline bool operator==(const Blend& a, const Blend& b) {
  return a.combine == b.combine && a.terms == b.terms;
}

}  // namespace rankforest
