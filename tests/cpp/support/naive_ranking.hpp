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

/// One document of a ranked list.
struct Ranked {
  double score = 0.0;
  double gain = 0.0;
};

/// Expected NDCG: documents of equal scores share the discounts of their ranks. 0 for a list
/// without a relevant document.
inline double NaiveListNdcg(std::vector<Ranked> list, std::size_t cutoff) {
  const auto discount = [&](std::size_t r) {
    return r < cutoff ? 1.0 / std::log2(static_cast<double>(r) + 2.0) : 0.0;
  };
  std::sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.gain > b.gain; });
  double ideal = 0.0;
  for (std::size_t r = 0; r < list.size(); ++r) ideal += list[r].gain * discount(r);
  double dcg = 0.0;
  for (const Ranked& document : list) {
    std::size_t higher = 0;
    std::size_t tied = 0;
    for (const Ranked& other : list) {
      higher += other.score > document.score ? 1U : 0U;
      tied += other.score == document.score ? 1U : 0U;
    }
    double discounts = 0.0;
    for (std::size_t rank = higher; rank < higher + tied; ++rank) discounts += discount(rank);
    dcg += document.gain * discounts / static_cast<double>(tied);
  }
  return ideal > 0.0 ? dcg / ideal : 0.0;
}

inline constexpr std::size_t kWholeList = std::numeric_limits<std::size_t>::max();

/// Expected NDCG of documents that rank by the mean grade of their node, summed over queries with
/// their weights.
inline double NaiveExpectedNdcg(const Dataset& data, const std::vector<Documents>& nodes,
                                std::size_t cutoff = kWholeList) {
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
  double sum = 0.0;
  for (const auto& [query, list] : lists) sum += weights[query] * NaiveListNdcg(list, cutoff);
  return sum;
}

/// The mean over queries of the expected NDCG of all documents by their scores.
inline double NaiveMeanNdcg(const Dataset& data, const std::function<double(RowId)>& score_of) {
  double sum = 0.0;
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    std::vector<Ranked> list;
    for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
      list.push_back({score_of(d), std::pow(2.0, data.grades()[d]) - 1.0});
    }
    sum += NaiveListNdcg(list, kWholeList);
  }
  return sum / static_cast<double>(data.n_queries());
}

/// What a division of nodes.back() adds to it.
inline GainOf NaiveListwise(const Dataset& data, std::vector<Documents> nodes,
                            std::size_t cutoff = kWholeList) {
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
