#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rankforest/core/blend.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
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

namespace detail {

/// Blends that combine the sums of n_each members each.
inline std::vector<Blend> BlendsOfSums(std::size_t n_models, std::size_t n_each, Combine combine) {
  std::vector<Blend> blends;
  Blend top{combine, {}};
  std::uint32_t column = 0;
  for (std::size_t i = 0; i < n_models; ++i) {
    Blend sum{Combine::kSum, {}};
    for (std::size_t k = 0; k < n_each; ++k) sum.terms.push_back({column++, 1.0});
    blends.push_back(std::move(sum));
  }
  for (std::size_t i = 0; i < n_models; ++i) top.terms.push_back({column++, 1.0});
  blends.push_back(std::move(top));
  return blends;
}

}  // namespace detail

/// The bag of some members of a pool, in this order; a mean is a sum of n-th parts.
///
/// @param members  positions in the pool, at least one
/// @param parts    n where the pool is itself a mean of n members, else 1
/// @param n_each   members of the ensemble that make one of the bag's: the problems of an ordinal
///                 model, whose scores are added up before they are combined
inline Ensemble BagOf(const Ensemble& pool, Span<const std::size_t> members, BagCombine combine,
                      std::size_t parts = 1, std::size_t n_each = 1) {
  assert(!members.empty());
  Ensemble bag;
  bag.n_features = pool.n_features;
  for (const std::size_t i : members) {
    for (std::size_t k = 0; k < n_each; ++k) bag.members.push_back(pool.members[i * n_each + k]);
  }
  if (combine == BagCombine::kMean) {
    const auto n = static_cast<double>(members.size());
    const auto whole = static_cast<double>(parts);
    for (Member& member : bag.members) {
      member.base = member.base * whole / n;
      member.linear = Scaled(std::move(member.linear), whole / n);
      for (Group& group : member.groups) group.weight = group.weight * whole / n;
    }
  }
  if (n_each == 1 || combine == BagCombine::kMean) {
    bag.combine = CombineOf(combine);
  } else {
    bag.blends = detail::BlendsOfSums(members.size(), n_each, CombineOf(combine));
  }
  return bag;
}

/// What such a bag of ordinal models keeps of their problems: a problem's probability is the mean
/// of those of the members.
///
/// @param parts  n where the pool is itself a mean of n members, else 1
inline Ordinal BagOf(const Ordinal& pool, Span<const std::size_t> members, std::size_t parts = 1) {
  Ordinal bag{pool.grades, {}};
  const auto n = static_cast<double>(members.size());
  const auto whole = static_cast<double>(parts);
  for (const std::size_t i : members) {
    for (std::size_t c = 0; c < pool.n_problems(); ++c) {
      Ordinal::Part part = pool.parts[i * pool.n_problems() + c];
      part.base = part.base * whole / n;
      for (double& weight : part.group_weights) weight = weight * whole / n;
      bag.parts.push_back(std::move(part));
    }
  }
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

  void Add(const Member& member) { Add(Span<const Member>(&member, 1)); }

  /// @param model  the members that make one of the bag's
  void Add(Span<const Member> model) {
    for (std::size_t w = 0; w < watches_.size(); ++w) {
      const Dataset& data = *watches_[w].data;
      std::vector<double> scores;
      for (const Member& member : model) {
        std::vector<double> of_member = ScoresAtStart({}, member.base, data.n_documents());
        AddLinear(member.linear, data, threads_, of_member);
        AddGroups(member, data, threads_, of_member);
        if (scores.empty()) {
          scores = std::move(of_member);
        } else {
          for (std::size_t d = 0; d < scores.size(); ++d) scores[d] += of_member[d];
        }
      }
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
