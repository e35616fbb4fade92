#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rankforest/criterion/expected_dcg.hpp"

namespace rankforest {

/// Documents of a query that rank together: their order is random.
struct TiedDocuments {
  double score = 0.0;
  std::int64_t gain = 0;  ///< sum, in fixed point
  std::uint32_t n = 0;

  void Add(std::int64_t gain_of_one, std::uint32_t times) {
    gain += gain_of_one * times;
    n += times;
  }
};

/// Scores between two others, both excluded.
struct ScoreRange {
  double below = -std::numeric_limits<double>::infinity();
  double above = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool Holds(double score) const { return below < score && score < above; }
  void Intersect(const ScoreRange& other) {
    below = std::max(below, other.below);
    above = std::min(above, other.above);
  }
};

/// The documents outside a node, of each of the node's queries: blocks of equal scores, best
/// first. They tell what a query is worth where the node's documents stand in two blocks of their
/// own, its sides, at a cost of the blocks between the sides: what is above both and what is below
/// both has been added up.
class TiedBlocks {
 public:
  /// The blocks of one query.
  struct Query {
    std::size_t list = 0;  ///< its number in `lists`
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  /// Where a side's score may be without a change of the query's order; empty where it ties.
  struct Places {
    ScoreRange upper;
    ScoreRange lower;
  };

  explicit TiedBlocks(const ExpectedDcg& lists) : lists_(lists) {}

  void Clear() { blocks_.clear(); }

  /// Starts a query; Add() its documents outside the node, then End() it.
  void Begin() { begin_ = blocks_.size(); }
  void Add(double score, std::int64_t gain, std::uint32_t n) {
    blocks_.push_back({{score, gain, n}, 0.0, 0, 0, 0});
  }

  /// @param n_node  documents of the query in the node
  Query End(std::size_t list, std::uint32_t n_node) {
    Merge();
    const Query query{list, begin_, blocks_.size()};
    blocks_.push_back({});  // stands for what follows the last one
    std::uint32_t rank = 0;
    std::int64_t above = 0;
    for (std::size_t b = query.begin; b < query.end; ++b) {
      Block& block = blocks_[b];
      block.worth = lists_.WorthOf(list, block.tied.gain, block.tied.n);
      block.rank = rank;
      block.above = above;
      above += Share(block, rank);
      rank += block.tied.n;
    }
    blocks_[query.end].rank = rank;
    blocks_[query.end].above = above;
    for (std::size_t b = query.end; b > query.begin; --b) {
      Block& block = blocks_[b - 1];
      block.below = blocks_[b].below + Share(block, block.rank + n_node);
    }
    return query;
  }

  /// Expected NDCG of a query in fixed point, times its weight. The sides hold all its documents in
  /// the node; upper.score >= lower.score; not both are empty.
  [[nodiscard]] std::int64_t Value(const Query& query, const TiedDocuments& upper,
                                   const TiedDocuments& lower, Places& places) const {
    places = {};
    TiedDocuments first = upper.n > 0 ? upper : lower;
    const bool is_one = upper.n == 0 || lower.n == 0 || upper.score == lower.score;
    if (is_one) {
      first.gain = upper.gain + lower.gain;
      first.n = upper.n + lower.n;
    }
    std::size_t b = FirstUpTo(first.score, query);
    const ScoreRange place = PlaceAt(first.score, b, query);
    if (upper.n > 0) places.upper = place;
    std::uint32_t rank = blocks_[b].rank;
    std::int64_t value = blocks_[b].above + Join(first, query, b, rank);
    if (is_one) {
      if (lower.n > 0) places.lower = place;
      return value + blocks_[b].below;
    }
    for (; b < query.end && blocks_[b].tied.score > lower.score; ++b) {
      value += Share(blocks_[b], rank);
      rank += blocks_[b].tied.n;
    }
    places.lower = PlaceAt(lower.score, b, query);
    value += Join(lower, query, b, rank);
    return value + blocks_[b].below;
  }

 private:
  struct Block {
    TiedDocuments tied;
    double worth = 0.0;      // ExpectedDcg::WorthOf
    std::uint32_t rank = 0;  // documents outside the node above it
    std::int64_t above = 0;  // what the blocks above it are worth with the node below them
    std::int64_t below = 0;  // what it and those below are worth with the node above them
  };

  /// Orders the blocks from begin_ on, and makes one of those with the same score.
  void Merge() {
    const auto first = blocks_.begin() + static_cast<std::ptrdiff_t>(begin_);
    std::sort(first, blocks_.end(),
              [](const Block& a, const Block& b) { return a.tied.score > b.tied.score; });
    auto last = first;
    for (auto each = first; each != blocks_.end(); ++each) {
      if (last != first && (last - 1)->tied.score == each->tied.score) {
        (last - 1)->tied.gain += each->tied.gain;
        (last - 1)->tied.n += each->tied.n;
      } else {
        *last++ = *each;
      }
    }
    blocks_.erase(last, blocks_.end());
  }

  [[nodiscard]] std::int64_t Share(const Block& block, std::uint32_t rank) const {
    return rank < lists_.depth() ? lists_.ShareOf(block.worth, block.tied.n, rank) : 0;
  }

  /// The first block with a score up to this one.
  [[nodiscard]] std::size_t FirstUpTo(double score, const Query& query) const {
    std::size_t begin = query.begin;
    for (std::size_t size = query.end - query.begin; size > 0;) {
      const std::size_t half = size / 2;
      const bool is_above = blocks_[begin + half].tied.score > score;
      begin += is_above ? half + 1 : 0;
      size = is_above ? size - half - 1 : half;
    }
    return begin;
  }

  [[nodiscard]] ScoreRange PlaceAt(double score, std::size_t b, const Query& query) const {
    ScoreRange place;
    if (b > query.begin) place.above = blocks_[b - 1].tied.score;
    if (b < query.end) place.below = blocks_[b].tied.score;
    if (b < query.end && place.below == score) place.above = score;
    return place;
  }

  /// What a side is worth from a rank on, and a block that it ties with; moves past both.
  [[nodiscard]] std::int64_t Join(TiedDocuments side, const Query& query, std::size_t& b,
                                  std::uint32_t& rank) const {
    if (b < query.end && blocks_[b].tied.score == side.score) {
      side.gain += blocks_[b].tied.gain;
      side.n += blocks_[b].tied.n;
      ++b;
    }
    const std::int64_t value =
        rank < lists_.depth()
            ? lists_.ShareOf(lists_.WorthOf(query.list, side.gain, side.n), side.n, rank)
            : 0;
    rank += side.n;
    return value;
  }

  const ExpectedDcg& lists_;
  std::vector<Block> blocks_;
  std::size_t begin_ = 0;
};

}  // namespace rankforest
