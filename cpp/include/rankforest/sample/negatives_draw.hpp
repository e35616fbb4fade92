#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/detail/largest_of_eight.hpp"
#include "rankforest/sample/even_level.hpp"
#include "rankforest/sample/highest_keys.hpp"
#include "rankforest/sample/negative_settings.hpp"
#include "rankforest/sample/view.hpp"

namespace rankforest::detail {

/// One draw of SelectNegatives.
class NegativesDraw {
 public:
  /// @param settings  outlive this, as do the view and the documents
  NegativesDraw(const NegativeSettings& settings, const SamplerView& view, const RowSample& from,
                Rng rng)
      : settings_(settings),
        view_(view),
        rows_(from.rows),
        queries_(QueryRanges(view.data, from)),
        rng_(rng),
        kept_(queries_.size()) {}

  [[nodiscard]] RowSample Make() {
    if (settings_.selection == NegativeSelection::kAdaptive) SetLimit();
    constexpr std::size_t kQueries = 16;
    ParallelChunks(view_.threads, queries_.size(), kQueries,
                   [this](std::size_t begin, std::size_t end) {
                     HighestKeys highest(view_.tie_places);
                     for (std::size_t q = begin; q < end; ++q) Keep(q, highest);
                   });
    RowSample sample;
    for (const std::vector<RowId>& rows : kept_) {
      sample.rows.insert(sample.rows.end(), rows.begin(), rows.end());
    }
    return sample;
  }

 private:
  [[nodiscard]] Span<const RowId> RowsOf(std::size_t q) const {
    return rows_.subspan(queries_[q].begin, queries_[q].end - queries_[q].begin);
  }
  [[nodiscard]] bool IsPositive(RowId row) const { return view_.data.grades()[row] > 0.0; }

  /// Fills kept_[q], ascending.
  void Keep(std::size_t q, HighestKeys& highest) {
    const Span<const RowId> rows = RowsOf(q);
    std::vector<RowId>& kept = kept_[q];
    KeepPositives(rows, kept);
    const std::size_t n_negatives = rows.size() - kept.size();
    const std::size_t count = ShareOf(settings_.fraction, n_negatives);
    if (settings_.selection == NegativeSelection::kAdaptive) {
      KeepTop(rows, std::min(limit_, Wanted(rows)), highest, kept);
    } else if (count == n_negatives) {
      kept.assign(rows.begin(), rows.end());
    } else {
      KeepNegatives(q, count, highest, kept);
    }
    std::sort(kept.begin(), kept.end());
  }

  void KeepPositives(Span<const RowId> rows, std::vector<RowId>& kept) const {
    for (const RowId row : Among(view_.positives, rows)) {
      if (Has(rows, row)) kept.push_back(row);
    }
  }

  /// Those of ascending documents that are from the first of `rows` to the last.
  static Span<const RowId> Among(Span<const RowId> documents, Span<const RowId> rows) {
    const RowId* const first = std::lower_bound(documents.begin(), documents.end(), rows[0]);
    const RowId* const end = std::upper_bound(first, documents.end(), rows[rows.size() - 1]);
    return {first, static_cast<std::size_t>(end - first)};
  }

  /// Whether a document between the first and the last of `rows` is one of them.
  static bool Has(Span<const RowId> rows, RowId row) {
    return HasAll(rows) || std::binary_search(rows.begin(), rows.end(), row);
  }

  /// Whether `rows` are all documents between the first and the last.
  static bool HasAll(Span<const RowId> rows) {
    return rows[rows.size() - 1] - rows[0] + 1 == rows.size();
  }

  void KeepNegatives(std::size_t q, std::size_t count, HighestKeys& highest,
                     std::vector<RowId>& kept) {
    const Span<const RowId> rows = RowsOf(q);
    switch (settings_.selection) {
      case NegativeSelection::kTop:
      case NegativeSelection::kAdaptive:
        return KeepTop(rows, count, highest, kept);
      case NegativeSelection::kRandom:
      case NegativeSelection::kFixedRandom:
        return KeepRandom(q, count, kept);
      case NegativeSelection::kGradient:
        return KeepHighest(
            rows, count, [this](std::size_t row) { return std::abs(view_.gradients[row].grad); },
            highest, kept);
      case NegativeSelection::kMixed: {
        const std::size_t n_top = ShareOf(settings_.top_share, count);
        KeepTop(rows, n_top, highest, kept);
        return KeepRandom(q, count - n_top, kept);
      }
      case NegativeSelection::kFixedFeature:
        return KeepHighest(
            rows, count, [this](std::size_t row) { return BaseValue(static_cast<RowId>(row)); },
            highest, kept);
    }
  }

  void KeepTop(Span<const RowId> rows, std::size_t count, HighestKeys& highest,
               std::vector<RowId>& kept) {
    const Span<const double> scores = view_.scores;
    KeepHighest(rows, count, [scores](std::size_t row) { return scores[row]; }, highest, kept);
  }

  template <class KeyOf>
  void KeepHighest(Span<const RowId> rows, std::size_t count, const KeyOf& key_of,
                   HighestKeys& highest, std::vector<RowId>& kept) {
    highest.Begin(count);
    for (const RowId row : Among(view_.last, rows)) {
      if (!IsPositive(row) && Has(rows, row)) highest.Show(key_of(row), row);
    }
    highest.Restart();
    if (HasAll(rows)) {
      ShowFollowing(rows[0], rows[0] + rows.size(), key_of, highest);
    } else {
      for (const RowId row : rows) ShowOne(row, key_of, highest);
    }
    highest.AppendTo(kept);
  }

  /// Shows those of rows that follow each other that may be among the highest. They need not be
  /// read, which is a third of the memory; most blocks of eight have none of the highest.
  template <class KeyOf>
  void ShowFollowing(std::size_t first, std::size_t end, const KeyOf& key_of,
                     HighestKeys& highest) const {
    constexpr std::size_t kRows = 8;
    for (; first + kRows <= end; first += kRows) {
      const double largest = LargestOfEight([&](std::size_t i) { return key_of(first + i); });
      if (!highest.MayBelong(largest)) continue;
      for (std::size_t row = first; row < first + kRows; ++row) ShowOne(row, key_of, highest);
    }
    for (; first < end; ++first) ShowOne(first, key_of, highest);
  }

  template <class KeyOf>
  void ShowOne(std::size_t row, const KeyOf& key_of, HighestKeys& highest) const {
    const double key = key_of(row);
    const auto id = static_cast<RowId>(row);
    if (highest.MayBelong(key) && !IsPositive(id)) highest.Show(key, id);
  }

  /// Adds negatives that are not there yet, drawn without replacement.
  void KeepRandom(std::size_t q, std::size_t count, std::vector<RowId>& kept) {
    std::sort(kept.begin(), kept.end());
    std::vector<RowId> others;  // both are ascending
    const Span<const RowId> rows = RowsOf(q);
    std::set_difference(rows.begin(), rows.end(), kept.begin(), kept.end(),
                        std::back_inserter(others));
    Rng rng = rng_.Child(Purpose::kRows, queries_[q].query);
    const auto n = static_cast<std::uint32_t>(others.size());
    for (const std::uint32_t i : rng.Sample(n, static_cast<std::uint32_t>(count))) {
      kept.push_back(others[i]);
    }
  }

  /// A missing value is below all others.
  [[nodiscard]] double BaseValue(RowId row) const {
    const auto value = static_cast<double>(view_.data.Features(row)[*settings_.base_feature]);
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  }

  /// kAdaptive: the most negatives of a query.
  void SetLimit() {
    std::vector<std::size_t> wanted(queries_.size());
    std::size_t budget = 0;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const Span<const RowId> rows = RowsOf(q);
      const auto n_positives = static_cast<std::size_t>(
          std::count_if(rows.begin(), rows.end(), [this](RowId row) { return IsPositive(row); }));
      budget += ShareOf(settings_.fraction, rows.size() - n_positives);
      wanted[q] = Wanted(rows);
    }
    limit_ = EvenLevel(wanted, budget);
  }

  /// kAdaptive: how many negatives of a query matter.
  [[nodiscard]] std::size_t Wanted(Span<const RowId> rows) const {
    const auto ranks_above = [this](RowId a, RowId b) {
      const double score_a = view_.scores[a];
      const double score_b = view_.scores[b];
      return score_a != score_b ? score_a > score_b : view_.tie_places[a] < view_.tie_places[b];
    };
    std::size_t n_negatives = rows.size();
    const RowId* last = nullptr;  // of the positives
    for (const RowId& row : rows) {
      if (!IsPositive(row)) continue;
      --n_negatives;
      if (last == nullptr || ranks_above(*last, row)) last = &row;
    }
    if (last == nullptr) return std::min<std::size_t>(1, n_negatives);
    const auto above = std::count_if(rows.begin(), rows.end(), [&](RowId row) {
      return !IsPositive(row) && ranks_above(row, *last);
    });
    return std::min(n_negatives, static_cast<std::size_t>(above) + 1);
  }

  const NegativeSettings& settings_;
  const SamplerView& view_;
  Span<const RowId> rows_;
  std::vector<QueryRange> queries_;
  Rng rng_;
  std::size_t limit_ = 0;
  std::vector<std::vector<RowId>> kept_;  // of each query
};

}  // namespace rankforest::detail
