#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "rankforest/core/math.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/largest_of_eight.hpp"
#include "rankforest/metric/ranked_list.hpp"
#include "rankforest/metric/settings.hpp"

namespace rankforest::detail {

/// Ranks the documents of one query after another; holds the scratch memory for it.
///
/// Documents are first dealt into as many buckets as there are documents, each a range of scores
/// of the same width, and then sorted within buckets: where scores spread this takes O(n), and
/// never more than O(n log n). Buckets behind the cutoff are not filled. Of lists far longer than
/// the cutoff only those are sorted at all that may come before it.
class Ranker {
 public:
  Ranker(Ties ties, std::size_t cutoff) : ties_(ties), cutoff_(cutoff) {}

  [[nodiscard]] Ties ties() const { return ties_; }
  /// Ranks at least so far from now on.
  void RaiseCutoff(std::size_t cutoff) { cutoff_ = std::max(cutoff_, cutoff); }

  /// @param scores  of the documents of a query; no NaN
  /// @param grades  of the same
  /// @param places  of the same: what decides ties under kInput, kReversed, kCanonical and
  ///                kDocno; empty: their positions
  /// @returns a view that is valid until the next call
  const RankedList& Rank(Span<const double> scores, Span<const double> grades,
                         Span<const RowId> places) {
    grades_of_ = grades;
    places_ = places;
    const std::size_t sorted = SortHead(scores);
    const bool average = ties_ == Ties::kAverage;
    std::size_t depth = std::min(sorted, cutoff_);
    while (average && depth > 0 && depth < sorted &&
           entries_[depth].score == entries_[depth - 1].score) {
      ++depth;
    }
    grades_.resize(depth);
    ends_.resize(depth);
    std::size_t blocks = 0;
    for (std::size_t r = 0; r < depth; ++r) {
      grades_[r] = grades[entries_[r].position];
      const bool tied = average && r + 1 < depth && entries_[r].score == entries_[r + 1].score;
      ends_[blocks] = r + 1;
      blocks += tied ? 0U : 1U;
    }
    ends_.resize(blocks);
    list_ = {grades_, ends_, scores.size()};
    return list_;
  }

 private:
  struct Entry {
    double score;
    std::uint32_t position;
  };

  static constexpr std::size_t kBlock = 8;
  static constexpr std::size_t kFewestPerRank = 4 * kBlock;  // documents, for blocks to be worth it
  static constexpr std::size_t kShort = 16;  // insertion sort is faster up to about here

  /// What ascends among equal scores. Under kAverage the order within a block is free; by grade,
  /// sums over it have the same bits whatever the order of the input.
  [[nodiscard]] double TieKey(std::uint32_t position) const {
    if (ties_ == Ties::kPessimistic) return grades_of_[position];
    if (ties_ == Ties::kAverage || ties_ == Ties::kOptimistic) return -grades_of_[position];
    const auto place = static_cast<double>(places_.empty() ? position : places_[position]);
    return ties_ == Ties::kReversed ? -place : place;
  }

  [[nodiscard]] bool Before(const Entry& a, const Entry& b) const {
    return a.score != b.score ? a.score > b.score : TieKey(a.position) < TieKey(b.position);
  }

  void Sort(std::size_t begin, std::size_t end) {
    if (end - begin > kShort) {
      std::sort(entries_.data() + begin, entries_.data() + end,
                [this](const Entry& a, const Entry& b) { return Before(a, b); });
      return;
    }
    for (std::size_t i = begin + 1; i < end; ++i) {
      const Entry entry = entries_[i];
      std::size_t place = i;
      for (; place > begin && Before(entry, entries_[place - 1]); --place) {
        entries_[place] = entries_[place - 1];
      }
      entries_[place] = entry;
    }
  }

  /// The lowest and the highest score. Four running values each, as every one waits for its last.
  static std::pair<double, double> RangeOf(Span<const double> scores) {
    constexpr std::size_t kLanes = 4;
    std::array<double, kLanes> low{scores[0], scores[0], scores[0], scores[0]};
    std::array<double, kLanes> high = low;
    std::size_t i = 0;
    for (; i + kLanes <= scores.size(); i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        low[lane] = scores[i + lane] < low[lane] ? scores[i + lane] : low[lane];
        high[lane] = scores[i + lane] > high[lane] ? scores[i + lane] : high[lane];
      }
    }
    for (; i < scores.size(); ++i) {
      low[0] = std::min(low[0], scores[i]);
      high[0] = std::max(high[0], scores[i]);
    }
    return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
  }

  /// Sorts the ranks below the cutoff, and all documents tied with the last of them, to the front.
  /// @returns how many are sorted: at least these
  std::size_t SortHead(Span<const double> scores) {
    const std::size_t n = scores.size();
    entries_.resize(n);
    if (n == 0) return 0;
    if (cutoff_ > 0 && cutoff_ <= n / kFewestPerRank) return SortHighest(scores);
    const auto [low, high] = RangeOf(scores);
    const double scale = static_cast<double>(n - 1) / (high - low);
    if (n <= kShort || !(scale > 0.0 && std::isfinite(scale) && std::isfinite(high - low))) {
      for (std::size_t i = 0; i < n; ++i) entries_[i] = {scores[i], static_cast<std::uint32_t>(i)};
      Sort(0, n);
      return n;
    }
    return SortBuckets(scores, high, scale);
  }

  /// SortHead() of a list far longer than the cutoff, most of whose documents are looked at in
  /// blocks: as many blocks as there are ranks have a score of at least the floor, so no rank below
  /// the cutoff has a lower one.
  std::size_t SortHighest(Span<const double> scores) {
    highest_.clear();
    for (std::size_t begin = 0; begin < scores.size(); begin += kBlock) {
      highest_.push_back(HighestOf(scores.subspan(begin, std::min(kBlock, scores.size() - begin))));
    }
    floors_ = highest_;
    const auto floor_at = floors_.begin() + static_cast<std::ptrdiff_t>(cutoff_ - 1);
    std::nth_element(floors_.begin(), floor_at, floors_.end(), std::greater<>());
    const double floor = *floor_at;
    std::size_t n_found = 0;
    for (std::size_t b = 0; b < highest_.size(); ++b) {
      if (highest_[b] < floor) continue;
      const std::size_t end = std::min((b + 1) * kBlock, scores.size());
      for (std::size_t i = b * kBlock; i < end; ++i) {
        if (scores[i] >= floor) entries_[n_found++] = {scores[i], static_cast<std::uint32_t>(i)};
      }
    }
    Sort(0, n_found);
    return n_found;
  }

  static double HighestOf(Span<const double> block) {
    if (block.size() < kBlock) return *std::max_element(block.begin(), block.end());
    return LargestOfEight([block](std::size_t i) { return block[i]; });
  }

  /// Bucket b holds the scores with floor((highest - score) x scale) = b: none above those of the
  /// buckets before, as rounding is monotone.
  std::size_t SortBuckets(Span<const double> scores, double highest, double scale) {
    const std::size_t n = scores.size();
    bucket_of_.resize(n);
    ends_of_buckets_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto bucket = Truncated<std::uint32_t>((highest - scores[i]) * scale);
      assert(bucket < n);
      bucket_of_[i] = bucket;
      ++ends_of_buckets_[bucket];
    }
    std::uint32_t filled = 0;
    std::uint32_t buckets = 0;
    while (buckets < n && filled < cutoff_) {
      const std::uint32_t size = ends_of_buckets_[buckets];
      ends_of_buckets_[buckets++] = filled;  // where it begins; grows to its end as it is filled
      filled += size;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t bucket = bucket_of_[i];
      if (bucket >= buckets) continue;
      entries_[ends_of_buckets_[bucket]++] = {scores[i], static_cast<std::uint32_t>(i)};
    }
    std::uint32_t begin = 0;
    for (std::uint32_t b = 0; b < buckets; ++b) {
      const std::uint32_t end = ends_of_buckets_[b];
      if (end - begin > 1) Sort(begin, end);
      begin = end;
    }
    return filled;
  }

  Ties ties_;
  std::size_t cutoff_;
  Span<const double> grades_of_;  // of the query at hand
  Span<const RowId> places_;
  std::vector<Entry> entries_;
  std::vector<double> highest_;  // score of each block
  std::vector<double> floors_;   // the same in some other order
  std::vector<std::uint32_t> bucket_of_;
  std::vector<std::uint32_t> ends_of_buckets_;
  std::vector<double> grades_;
  std::vector<std::size_t> ends_;
  RankedList list_;
};

}  // namespace rankforest::detail
