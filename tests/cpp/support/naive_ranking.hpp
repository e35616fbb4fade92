#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/types.hpp"
#include "support/naive_division.hpp"

namespace rankforest::testing {

inline QueryId QueryOf(const Dataset& data, RowId row) {
  QueryId query = 0;
  while (data.offsets()[query + 1] <= row) ++query;
  return query;
}

inline double GradeOf(double grade) { return grade; }

/// The weight of the correctly ranked pairs of a division, pair by pair.
inline double NaivePairs(const Dataset& data, const Division& division, bool by_difference) {
  const double left = NaiveMean(data, division.left, GradeOf);
  const double right = NaiveMean(data, division.right, GradeOf);
  const Documents& smaller = left < right ? division.left : division.right;
  const Documents& bigger = left < right ? division.right : division.left;
  double sum = 0.0;
  for (const auto& low : smaller) {
    for (const auto& high : bigger) {
      const double difference = data.grades()[high.row] - data.grades()[low.row];
      if (QueryOf(data, low.row) != QueryOf(data, high.row) || difference <= 0.0) continue;
      const double weight = data.weights().empty() ? 1.0 : data.weights()[low.row];
      sum += weight * low.count * high.count * (by_difference ? difference : 1.0);
    }
  }
  return sum;
}

/// Expected NDCG of documents that rank by the mean grade of their node, summed over queries with
/// their weights. Documents of equal scores share the discounts of their ranks.
inline double NaiveExpectedNdcg(const Dataset& data, const std::vector<Documents>& nodes,
                                std::size_t cutoff = std::numeric_limits<std::size_t>::max()) {
  struct Ranked {
    double score;
    double gain;
  };
  std::map<QueryId, std::vector<Ranked>> lists;
  std::map<QueryId, double> weights;
  for (const Documents& node : nodes) {
    const double score = NaiveMean(data, node, GradeOf);
    for (const auto& document : node) {
      const QueryId query = QueryOf(data, document.row);
      weights[query] = data.weights().empty() ? 1.0 : data.weights()[document.row];
      for (std::uint32_t i = 0; i < document.count; ++i) {
        lists[query].push_back({score, std::pow(2.0, data.grades()[document.row]) - 1.0});
      }
    }
  }
  const auto discount = [&](std::size_t r) {
    return r < cutoff ? 1.0 / std::log2(static_cast<double>(r) + 2.0) : 0.0;
  };
  double sum = 0.0;
  for (auto& [query, list] : lists) {
    std::sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.gain > b.gain; });
    double ideal = 0.0;
    for (std::size_t r = 0; r < list.size(); ++r) ideal += list[r].gain * discount(r);
    if (ideal == 0.0) continue;
    double dcg = 0.0;
    for (std::size_t r = 0; r < list.size(); ++r) {
      std::size_t higher = 0;
      std::size_t tied = 0;
      for (const Ranked& other : list) {
        higher += other.score > list[r].score ? 1U : 0U;
        tied += other.score == list[r].score ? 1U : 0U;
      }
      double discounts = 0.0;
      for (std::size_t rank = higher; rank < higher + tied; ++rank) discounts += discount(rank);
      dcg += list[r].gain * discounts / static_cast<double>(tied);
    }
    sum += weights[query] * dcg / ideal;
  }
  return sum;
}

/// What a division of nodes.back() adds to it.
inline GainOf NaiveListwise(const Dataset& data, std::vector<Documents> nodes,
                            std::size_t cutoff = std::numeric_limits<std::size_t>::max()) {
  const double before = NaiveExpectedNdcg(data, nodes, cutoff);
  nodes.pop_back();
  return [&data, nodes, before, cutoff](const Division& division) {
    std::vector<Documents> after = nodes;
    after.push_back(division.left);
    after.push_back(division.right);
    return NaiveExpectedNdcg(data, after, cutoff) - before;
  };
}

}  // namespace rankforest::testing
