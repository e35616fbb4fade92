#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "rankforest/core/span.hpp"

namespace rankforest {

class ScoreScratch;

namespace detail {

/// A query while its documents are scored under limits.
struct PlayedQuery {
  std::size_t begin;  ///< of its documents among the slots in play
  std::size_t end;
  std::size_t stop;  ///< round at which its budget ends
  double spent;      ///< of its budget
  double lowest;     ///< score that stays in play
};

/// The memory of DocumentsInPlay and of what is done with them.
struct PlayMemory {
  /// That of a scratch.
  static PlayMemory& Of(ScoreScratch& scratch);

  /// 0, 1, ..., n - 1, until the next call.
  Span<const std::size_t> AllRows(std::size_t n) {
    all_rows.resize(n);
    std::iota(all_rows.begin(), all_rows.end(), std::size_t{0});
    return all_rows;
  }

  std::vector<float> features;    // of rows that were brought together
  std::vector<std::size_t> rows;  // by slot
  std::vector<std::size_t> slots;
  std::vector<double> sums;     // by member and slot
  std::vector<double> settled;  // likewise: without the mean group at work
  std::vector<double> scores;   // by slot
  std::vector<double> ranked;   // scores of some documents
  std::vector<PlayedQuery> queries;
  std::vector<std::size_t> order;  // of rows
  std::vector<std::size_t> all_rows;
  std::vector<std::pair<std::size_t, double>> charges;  // of RoundCosts
  std::vector<char> paid;                               // likewise
};

}  // namespace detail

}  // namespace rankforest
