#pragma once

#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/score/combine.hpp"
#include "rankforest/train/initial_scores.hpp"
#include "rankforest/train/linear_data.hpp"
#include "rankforest/train/monitor.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/train/settings.hpp"

namespace rankforest {

// A *pool* is a kSum ensemble of members as each is trained alone. A bag is a model of some of
// them.

/// How a model combines the scores of a bag's members.
inline Combine CombineOf(BagCombine combine) {
  switch (combine) {
    case BagCombine::kMinMax:
      return Combine::kMinMax;
    case BagCombine::kBorda:
      return Combine::kBorda;
    default:
      return Combine::kSum;
  }
}

/// The bag of some members of a pool, in this order; a mean is a sum of n-th parts.
///
/// @param members  positions in the pool, at least one
/// @param parts    n where the pool is itself a mean of n members, else 1
inline Ensemble BagOf(const Ensemble& pool, Span<const std::size_t> members, BagCombine combine,
                      std::size_t parts = 1) {
  assert(!members.empty());
  Ensemble bag;
  bag.n_features = pool.n_features;
  for (const std::size_t i : members) bag.members.push_back(pool.members[i]);
  if (combine == BagCombine::kMean) {
    const auto n = static_cast<double>(members.size());
    const auto whole = static_cast<double>(parts);
    for (Member& member : bag.members) {
      member.base = member.base * whole / n;
      member.linear = Scaled(std::move(member.linear), whole / n);
      for (Group& group : member.groups) group.weight = group.weight * whole / n;
    }
  }
  bag.combine = CombineOf(combine);
  return bag;
}

/// The scores of a growing bag on watched data sets.
class BagScores {
 public:
  /// @param watches  must outlive this
  BagScores(const std::vector<Watch>& watches, BagCombine combine, Threads threads)
      : watches_(watches), combine_(combine), threads_(threads) {
    for (const Watch& watch : watches) {
      totals_.emplace_back(watch.data->n_documents(), 0.0);
      query_codes_.push_back(QueryCodes(*watch.data));
    }
  }

  void Add(const Member& member) {
    for (std::size_t w = 0; w < watches_.size(); ++w) {
      const Dataset& data = *watches_[w].data;
      std::vector<double> scores = ScoresAtStart({}, member.base, data.n_documents());
      AddLinear(member.linear, data, threads_, scores);
      AddGroups(member, data, threads_, scores);
      scores = Combination(CombineOf(combine_), 1)({std::move(scores)}, query_codes_[w]);
      for (std::size_t d = 0; d < scores.size(); ++d) totals_[w][d] += scores[d];
    }
    ++n_members_;
  }

  /// The metrics of what was added so far, by watch and metric. Of a bag by kMean the scores may
  /// differ from the model's in the last digits, for its parts are rounded before they are added.
  [[nodiscard]] std::vector<std::vector<double>> Values() const {
    std::vector<std::vector<double>> values;
    for (std::size_t w = 0; w < watches_.size(); ++w) {
      std::vector<double> scores = totals_[w];
      if (combine_ != BagCombine::kBorda) {
        for (double& score : scores) score /= static_cast<double>(n_members_);
      }
      values.emplace_back();
      for (const WatchedMetric& metric : watches_[w].metrics) {
        values.back().push_back(metric.evaluate(scores));
      }
    }
    return values;
  }

 private:
  /// The query of each document.
  static std::vector<QueryId> QueryCodes(const Dataset& data) {
    std::vector<QueryId> codes(data.n_documents());
    for (std::size_t q = 0; q < data.n_queries(); ++q) {
      for (std::size_t d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
        codes[d] = static_cast<QueryId>(q);
      }
    }
    return codes;
  }

  const std::vector<Watch>& watches_;
  BagCombine combine_;
  Threads threads_;
  std::vector<std::vector<double>> totals_;  // by watch and document
  std::vector<std::vector<QueryId>> query_codes_;
  std::size_t n_members_ = 0;
};

}  // namespace rankforest
