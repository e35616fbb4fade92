#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/expected_dcg.hpp"
#include "rankforest/criterion/graded.hpp"
#include "rankforest/criterion/tied_blocks.hpp"

namespace rankforest {

/// Expected NDCG (Ibrahim 2020, section 5.5): the gain of a division is the sum, over all queries
/// of the tree's sample, of what it adds to the expected NDCG of the ranking by the tree as it
/// stands, in which the documents of leaves with equal means are in random order.
///
/// It is global: what a division gains depends on all other leaves. So nodes must be split in
/// their order, and Settle() must hear of every node before the next Begin().
///
/// A document's move changes its own query; the other queries of the node change only where the
/// mean of a side passes that of another leaf with documents of the query, or of the other side
/// where both have some. All others keep their value.
class Listwise {
 public:
  /// @param cutoff  k of NDCG@k; none: the whole list
  Listwise(const GradedDocuments& documents, std::optional<std::uint32_t> cutoff)
      : values_(documents.values()),
        lists_(std::make_unique<ExpectedDcg>(documents, cutoff)),
        others_(*lists_),
        position_of_(documents.targets().size()) {}

  void BeginTree(const NodeRows<GradedTarget>& documents) {
    lists_->Begin(documents);
    ranked_.assign(documents.size() > 0 ? lists_->ListOf(documents.size() - 1) + 1 : 0, {});
    score_of_.assign(documents.size(), 0.0);
    for (std::size_t i = 0; i < documents.size(); ++i) {
      position_of_[documents.rows[i]] = static_cast<std::uint32_t>(i);
    }
    Rank(documents, false);
  }

  /// These documents are a node from now on, and rank by its mean. They were part of one before.
  void Settle(const NodeRows<GradedTarget>& node) { Rank(node, true); }

  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    of_node_ = {};
    queries_.clear();
    others_.Clear();
    query_of_.resize(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (IsFirstOfQuery(node, i)) queries_.emplace_back();
      query_of_[i] = queries_.size() - 1;
      queries_.back().node.Add(lists_->GainOf(node.targets[i]), node.Count(i));
      of_node_.Add(node, i, values_);
    }
    base_ = 0;
    places_of_node_ = {};
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (IsFirstOfQuery(node, i)) SetOthers(i, queries_[query_of_[i]]);
    }
    Clear();
    return true;
  }

  void Clear() {
    of_left_ = {};
    for (QueryState& query : queries_) {
      query.left = {};
      query.value = query.undivided;
      query.left_place = {};
      query.right_place = query.node_place;
      query.is_stale = false;
    }
    stale_.clear();
    left_score_ = of_node_.Mean();
    right_score_ = left_score_;
    left_places_ = {};
    right_places_ = places_of_node_;
    total_ = base_;
  }

  void MoveLeft(std::size_t i) {
    QueryState& query = queries_[query_of_[i]];
    query.left.Add(lists_->GainOf(node_.targets[i]), node_.Count(i));
    if (!query.is_stale) stale_.push_back(query_of_[i]);
    query.is_stale = true;
    of_left_.Add(node_, i, values_);
  }

  /// A gain within the rounding of its terms is 0.
  [[nodiscard]] double Gain() {
    const double left = of_left_.Mean();
    const double right = (of_node_ - of_left_).Mean();
    const bool is_turned = (left < right) != (left_score_ < right_score_) ||
                           (left == right) != (left_score_ == right_score_);
    const bool left_moved = left != left_score_;
    const bool right_moved = right != right_score_;
    left_score_ = left;
    right_score_ = right;
    if (is_turned || (left_moved && !left_places_.Holds(left)) ||
        (right_moved && !right_places_.Holds(right))) {
      RevalueAll(is_turned, left_moved, right_moved);
    } else {
      for (const std::size_t q : stale_) Revalue(queries_[q]);
    }
    stale_.clear();
    const std::int64_t gain = total_ - base_;
    const auto rounding = static_cast<std::int64_t>(16 * queries_.size());
    return gain > rounding ? lists_->ToReal(gain) : 0.0;
  }

  /// What the lists lack to be in the best order, where the node is the whole tree.
  [[nodiscard]] double Impurity() const {
    return std::max(0.0, lists_->most() - lists_->ToReal(base_));
  }

 private:
  /// One of the node's queries.
  struct QueryState {
    TiedDocuments left;
    ScoreRange left_place;  ///< where the mean of the left side may be without a change of order
    ScoreRange right_place;
    std::int64_t value = 0;  ///< expected NDCG in fixed point, times the query's weight
    bool is_stale = false;
    TiedDocuments node;
    TiedBlocks::Query others;    ///< its documents outside the node
    std::int64_t undivided = 0;  ///< its value before the node is divided
    ScoreRange node_place;
  };

  static bool IsFirstOfQuery(const NodeRows<GradedTarget>& node, std::size_t i) {
    return i == 0 || node.targets[i].query != node.targets[i - 1].query;
  }

  /// Ranks documents by their mean, query by query.
  ///
  /// @param are_ranked  whether they are now, all by the same score
  void Rank(const NodeRows<GradedTarget>& node, bool are_ranked) {
    GradedSums sums;
    for (std::size_t i = 0; i < node.size(); ++i) sums.Add(node, i, values_);
    const double score = sums.Mean();
    for (std::size_t i = 0; i < node.size();) {
      const std::size_t first = position_of_[node.rows[i]];
      const double earlier = score_of_[first];
      TiedDocuments documents;
      do {
        documents.Add(lists_->GainOf(node.targets[i]), node.Count(i));
        score_of_[position_of_[node.rows[i]]] = score;
        ++i;
      } while (i < node.size() && !IsFirstOfQuery(node, i));
      RankedBlocks& ranked = ranked_[lists_->ListOf(first)];
      documents.score = earlier;
      if (are_ranked) ranked.Remove(documents);
      documents.score = score;
      ranked.Insert(documents);
    }
  }

  /// Notes the documents outside the node of the query of document i, and what it is worth.
  void SetOthers(std::size_t i, QueryState& query) {
    const std::size_t list = lists_->ListOf(position_of_[node_.rows[i]]);
    query.node.score = of_node_.Mean();
    query.others = others_.Add(list, ranked_[list].blocks(), query.node);
    TiedBlocks::Places places;
    query.undivided = others_.Value(query.others, query.node, {}, places);
    query.node_place = places.upper;
    places_of_node_.Intersect(query.node_place);
    base_ += query.undivided;
  }

  /// Brings every query up to date that the new scores of the sides may have changed.
  void RevalueAll(bool is_turned, bool left_moved, bool right_moved) {
    left_places_ = {};
    right_places_ = {};
    for (QueryState& query : queries_) {
      const bool has_both = query.left.n > 0 && query.left.n < query.node.n;
      if (query.is_stale || (is_turned && has_both) ||
          (left_moved && !query.left_place.Holds(left_score_)) ||
          (right_moved && !query.right_place.Holds(right_score_))) {
        Revalue(query);
      } else {
        left_places_.Intersect(query.left_place);
        right_places_.Intersect(query.right_place);
      }
    }
  }

  /// Brings a query up to date.
  void Revalue(QueryState& query) {
    const TiedDocuments left{left_score_, query.left.gain, query.left.n};
    const TiedDocuments right{right_score_, query.node.gain - query.left.gain,
                              query.node.n - query.left.n};
    const bool left_is_lower = left_score_ < right_score_;
    TiedBlocks::Places places;
    total_ -= query.value;
    query.value = others_.Value(query.others, left_is_lower ? right : left,
                                left_is_lower ? left : right, places);
    total_ += query.value;
    query.left_place = left_is_lower ? places.lower : places.upper;
    query.right_place = left_is_lower ? places.upper : places.lower;
    left_places_.Intersect(query.left_place);
    right_places_.Intersect(query.right_place);
    query.is_stale = false;
  }

  Span<const std::int64_t> values_;
  std::unique_ptr<ExpectedDcg> lists_;  // where others_ finds it when this moves
  TiedBlocks others_;
  std::vector<std::uint32_t> position_of_;  // of a row in the tree's sample
  std::vector<double> score_of_;            // of each position: the mean of its node
  std::vector<RankedBlocks> ranked_;        // of each list: all of its documents
  NodeRows<GradedTarget> node_;
  std::vector<std::size_t> query_of_;  // of each document of the node
  std::vector<QueryState> queries_;
  GradedSums of_node_;
  ScoreRange places_of_node_;  // that of all queries
  std::int64_t base_ = 0;      // the sum of the values before the node is divided
  GradedSums of_left_;
  std::vector<std::size_t> stale_;  // queries with documents that moved since the last Gain()
  double left_score_ = 0.0;         // at the last Gain()
  double right_score_ = 0.0;
  ScoreRange left_places_;  // within those of all queries
  ScoreRange right_places_;
  std::int64_t total_ = 0;
};

}  // namespace rankforest
