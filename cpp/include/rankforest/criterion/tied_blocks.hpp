#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankforest/core/span.hpp"
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

/// Documents of a query as blocks of equal scores, best first.
class RankedBlocks {
 public:
  /// Adds documents to the block of their score.
  void Insert(const TiedDocuments& documents) {
    const auto place = Find(documents.score);
    if (place != blocks_.end() && place->score == documents.score) {
      place->gain += documents.gain;
      place->n += documents.n;
    } else {
      blocks_.insert(place, documents);
    }
  }

  /// Takes documents out of the block of their score.
  void Remove(const TiedDocuments& documents) {
    const auto place = Find(documents.score);
    assert(place != blocks_.end() && place->score == documents.score);
    place->gain -= documents.gain;
    place->n -= documents.n;
    if (place->n == 0) blocks_.erase(place);
  }

  [[nodiscard]] Span<const TiedDocuments> blocks() const { return blocks_; }

 private:
  std::vector<TiedDocuments>::iterator Find(double score) {
    return std::partition_point(blocks_.begin(), blocks_.end(),
                                [&](const TiedDocuments& block) { return block.score > score; });
  }

  std::vector<TiedDocuments> blocks_;
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

  /// Takes in a query.
  ///
  /// @param ranked  all its documents in blocks of equal scores, best first
  /// @param node    those of the node, which are part of the block of their score
  Query Add(std::size_t list, Span<const TiedDocuments> ranked, const TiedDocuments& node) {
    Query query{list, blocks_.size(), blocks_.size()};
    for (const TiedDocuments& block : ranked) {
      blocks_.push_back({block, 0.0, 0, 0, 0});
      if (block.score != node.score) continue;
      blocks_.back().tied.gain -= node.gain;
      blocks_.back().tied.n -= node.n;
      if (blocks_.back().tied.n == 0) blocks_.pop_back();
    }
    query.end = blocks_.size();
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
      block.below = blocks_[b].below + Share(block, block.rank + node.n);
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
};

}  // namespace rankforest
