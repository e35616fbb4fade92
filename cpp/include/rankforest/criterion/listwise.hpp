#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "rankforest/core/node_rows.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/criterion/expected_dcg.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/graded.hpp"

namespace rankforest {

/// Expected NDCG (Ibrahim 2020, section 5.5): the gain of a division is the sum, over all queries
/// of the tree's sample, of what it adds to the expected NDCG of the ranking by the tree as it
/// stands, in which the documents of leaves with equal means are in random order.
///
/// It is global: what a division gains depends on all other leaves. So nodes must be split in
/// their order, and Settle() must hear of every node before the next Begin().
///
/// A document's move changes its own query; the other queries of the node change only where the
/// mean of a side passes that of another leaf with documents of the query. All others keep their
/// value.
class Listwise {
 public:
  /// @param cutoff  k of NDCG@k; none: the whole list
  Listwise(const GradedDocuments& documents, std::optional<std::uint32_t> cutoff)
      : values_(documents.values()),
        lists_(documents, cutoff),
        position_of_(documents.targets().size()) {}

  void BeginTree(const NodeRows<GradedTarget>& documents) {
    lists_.Begin(documents);
    score_.resize(documents.size());
    node_of_.assign(documents.size(), 0);
    n_begun_ = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      position_of_[documents.rows[i]] = static_cast<std::uint32_t>(i);
    }
    Settle(documents);
  }

  /// These documents are a node from now on, and rank by its mean.
  void Settle(const NodeRows<GradedTarget>& node) {
    GradedSums sums;
    for (std::size_t i = 0; i < node.size(); ++i) sums.Add(node, i, values_);
    for (const RowId row : node.rows) score_[position_of_[row]] = sums.Mean();
  }

  bool Begin(const NodeRows<GradedTarget>& node) {
    node_ = node;
    ++n_begun_;
    for (const RowId row : node.rows) node_of_[position_of_[row]] = n_begun_;
    of_node_ = {};
    queries_.clear();
    others_.clear();
    query_of_.resize(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      if (i == 0 || node.targets[i].query != node.targets[i - 1].query) AddQuery(i);
      query_of_[i] = queries_.size() - 1;
      queries_.back().node.Add(lists_.GainOf(node.targets[i]), node.Count(i));
      of_node_.Add(node, i, values_);
    }
    Clear();
    base_ = 0;
    for (QueryState& query : queries_) base_ += Value(query, of_node_.Mean(), of_node_.Mean());
    return true;
  }

  void Clear() {
    of_left_ = {};
    for (QueryState& query : queries_) {
      query.left = {};
      query.value = 0;
      query.is_stale = true;
    }
    total_ = 0;
  }

  void MoveLeft(std::size_t i) {
    QueryState& query = queries_[query_of_[i]];
    query.left.Add(lists_.GainOf(node_.targets[i]), node_.Count(i));
    query.is_stale = true;
    of_left_.Add(node_, i, values_);
  }

  /// A gain within the rounding of its terms is 0.
  [[nodiscard]] double Gain() {
    const double left = of_left_.Mean();
    const double right = (of_node_ - of_left_).Mean();
    const bool is_turned = (left < right) != left_is_lower_ || (left == right) != sides_are_equal_;
    left_is_lower_ = left < right;
    sides_are_equal_ = left == right;
    const bool left_moved = left != left_score_;
    const bool right_moved = right != right_score_;
    left_score_ = left;
    right_score_ = right;
    for (QueryState& query : queries_) {
      if (!is_turned && !query.is_stale && !(left_moved && query.left_place.IsLeftBy(left)) &&
          !(right_moved && query.right_place.IsLeftBy(right))) {
        continue;
      }
      total_ -= query.value;
      query.value = Value(query, left, right);
      total_ += query.value;
      query.is_stale = false;
    }
    const std::int64_t gain = total_ - base_;
    const auto rounding = static_cast<std::int64_t>(16 * queries_.size());
    return gain > rounding ? lists_.ToReal(gain) : 0.0;
  }

 private:
  /// Documents of a query that leaves of the same mean hold.
  struct Block {
    double score = 0.0;
    std::int64_t gain = 0;  ///< sum, in fixed point
    std::uint32_t n = 0;

    void Add(std::int64_t gain_of_one, std::uint32_t times) {
      gain += gain_of_one * times;
      n += times;
    }
  };

  /// Where a side's mean may be without a change of the query's order, ends excluded.
  struct Place {
    double below = 0.0;
    double above = 0.0;

    [[nodiscard]] bool IsLeftBy(double score) const { return !(below < score && score < above); }
  };

  /// One of the node's queries.
  struct QueryState {
    std::size_t list = 0;          ///< its number in lists_
    std::size_t others_begin = 0;  ///< its documents outside the node: blocks of others_
    std::size_t others_end = 0;
    Block node;
    Block left;
    std::int64_t value = 0;  ///< expected NDCG in fixed point, times the query's weight
    Place left_place;
    Place right_place;
    bool is_stale = true;
  };

  /// Starts the state of the query of document i.
  void AddQuery(std::size_t i) {
    QueryState query;
    query.list = lists_.ListOf(position_of_[node_.rows[i]]);
    query.others_begin = others_.size();
    const auto [begin, end] = lists_.Positions(query.list);
    for (std::size_t p = begin; p < end; ++p) {
      if (node_of_[p] == n_begun_) continue;
      others_.push_back({score_[p], lists_.GainAt(p) * lists_.CountAt(p), lists_.CountAt(p)});
    }
    const auto first = others_.begin() + static_cast<std::ptrdiff_t>(query.others_begin);
    std::sort(first, others_.end(),
              [](const Block& a, const Block& b) { return a.score > b.score; });
    auto last = first;  // merges blocks of the same score
    for (auto each = first; each != others_.end(); ++each) {
      if (last != first && (last - 1)->score == each->score) {
        (last - 1)->gain += each->gain;
        (last - 1)->n += each->n;
      } else {
        *last++ = *each;
      }
    }
    others_.erase(last, others_.end());
    query.others_end = others_.size();
    queries_.push_back(query);
  }

  /// The value of a query whose node is divided, and the places of the sides in it.
  std::int64_t Value(QueryState& query, double left_score, double right_score) const {
    const Block left{left_score, query.left.gain, query.left.n};
    const Block right{right_score, query.node.gain - query.left.gain, query.node.n - query.left.n};
    const Span<const Block> others = Span<const Block>(others_).subspan(
        query.others_begin, query.others_end - query.others_begin);
    query.left_place = PlaceOf(left, others);
    query.right_place = PlaceOf(right, others);
    const Block sides[2] = {LeftIsLower(left, right) ? right : left,
                            LeftIsLower(left, right) ? left : right};
    std::int64_t value = 0;
    std::uint32_t rank = 0;
    std::size_t other = 0;
    std::size_t side = sides[0].n > 0 ? 0 : 1;
    const std::size_t n_sides = sides[1].n > 0 ? 2 : 1;
    while ((other < others.size() || side < n_sides) && rank < lists_.depth()) {
      Block block;
      const bool side_first =
          side < n_sides && (other == others.size() || sides[side].score >= others[other].score);
      block.score = side_first ? sides[side].score : others[other].score;
      for (; side < n_sides && sides[side].score == block.score; ++side) {
        block.gain += sides[side].gain;
        block.n += sides[side].n;
      }
      if (other < others.size() && others[other].score == block.score) {
        block.gain += others[other].gain;
        block.n += others[other].n;
        ++other;
      }
      value += lists_.Share(query.list, block.gain, block.n, rank);
      rank += block.n;
    }
    return value;
  }

  static bool LeftIsLower(const Block& left, const Block& right) {
    return left.score < right.score;
  }

  static Place PlaceOf(const Block& side, Span<const Block> others) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (side.n == 0) return {-kInfinity, kInfinity};
    const Block* const above = std::partition_point(
        others.begin(), others.end(), [&](const Block& other) { return other.score > side.score; });
    const double upper = above == others.begin() ? kInfinity : (above - 1)->score;
    if (above == others.end()) return {-kInfinity, upper};
    if (above->score == side.score) return {side.score, side.score};
    return {above->score, upper};
  }

  Span<const std::int64_t> values_;
  ExpectedDcg lists_;
  std::vector<std::uint32_t> position_of_;  // of a row in the tree's sample
  std::vector<double> score_;               // of each position: the mean of its node
  std::vector<std::uint32_t> node_of_;      // of each position: the last node begun that has it
  std::uint32_t n_begun_ = 0;
  NodeRows<GradedTarget> node_;
  std::vector<std::size_t> query_of_;  // of each document of the node
  std::vector<QueryState> queries_;
  std::vector<Block> others_;  // by query, then score, descending
  GradedSums of_node_;
  GradedSums of_left_;
  double left_score_ = 0.0;  // at the last Gain()
  double right_score_ = 0.0;
  bool left_is_lower_ = false;
  bool sides_are_equal_ = false;
  std::int64_t base_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace rankforest
