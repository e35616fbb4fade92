#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/criterion/graded.hpp"

namespace rankforest {

/// Widths of the two integers whose product a pair of documents counts.
struct PairBits {
  int weight = 0;      ///< a query's weight is at most 2^weight; 0: every weight is 1
  int difference = 0;  ///< a difference of grades is at most 2^difference; 0: every pair counts 1
};

/// The widths under which no sum over the pairs of these documents overflows: as wanted, or
/// narrower where the documents have very many pairs.
///
/// A division cuts at most n^2 / 4 pairs of a query of n documents. So the pairs of a node, and all
/// partial sums on the way to them, are at most the sum over the queries of
/// n^2 / 4 x weight x 2^difference, and that is below 2^63. The wider of the two gives way first. A
/// query without weight is counted, too: its weight is multiplied last.
///
/// @param documents  a tree's sample
/// @param wanted     the weights of its targets have so many bits
inline PairBits PairBitsFor(const NodeRows<GradedTarget>& documents, const PairBits wanted) {
  struct Query {
    double pairs;
    std::uint32_t weight;
  };
  std::vector<Query> queries;
  for (std::size_t i = 0; i < documents.size();) {
    const GradedTarget& first = documents.targets[i];
    std::uint64_t n = 0;
    do {
      n += documents.Count(i++);
    } while (i < documents.size() && documents.targets[i].query == first.query);
    queries.push_back({static_cast<double>(n) * static_cast<double>(n) / 4, first.weight});
  }
  const auto largest_sum = [&](const PairBits& bits) {
    const int shift = wanted.weight - bits.weight;
    double sum = 0.0;
    for (const Query& query : queries) {
      sum += query.pairs * std::max(1U, RoundedShift(query.weight, shift));
    }
    return sum * static_cast<double>(std::uint64_t{1} << bits.difference);
  };
  PairBits bits = wanted;
  constexpr double kRoom = 0x1.fffffp62;  // below 2^63 by more than these doubles are rounded
  while (largest_sum(bits) > kRoom && bits.weight + bits.difference > 0) {
    --(bits.weight > bits.difference ? bits.weight : bits.difference);
  }
  return bits;
}

}  // namespace rankforest
