#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/query_ranges.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"

namespace rankforest {

/// What RankBoost's weights of pairs come to for each document. A pair of documents of a query, i
/// of the higher grade and j of the lower, weighs e^(s_j - s_i) times the weight of its query,
/// where s are the scores so far; the weights of all pairs are divided by their sum. The
/// *potential* of a document is the sum of the weights of its pairs as the better one less that as
/// the worse one.
///
/// The weight of a pair is a product, e^-s_i times e^s_j. So the partners of a document are summed
/// up for all documents of a grade at once, and a query of n documents takes n steps, for any
/// number of grades: exactly what its pairs would give, one by one. (Freund et al. 2003,
/// section 3.2, does so for two grades.)
class PairPotentials {
 public:
  PairPotentials(const Dataset& data, const RowSample& sample, Threads threads)
      : threads_(threads), potentials_(data.n_documents(), 0.0) {
    for (const QueryRange& range : QueryRanges(data, sample)) {
      const auto first = sample.rows.begin() + static_cast<std::ptrdiff_t>(range.begin);
      const auto last = sample.rows.begin() + static_cast<std::ptrdiff_t>(range.end);
      AddQuery(data, std::vector<RowId>(first, last));
    }
    totals_.resize(queries_.size());
  }

  /// Whether there is a pair.
  [[nodiscard]] bool empty() const { return queries_.empty(); }

  /// Computes the potentials at some scores, by document of the data set.
  void Set(Span<const double> scores) {
    std::vector<Memory> memories(WorkerCount(threads_, queries_.size()));
    ParallelFor(threads_, queries_.size(), [&](std::size_t q, std::size_t worker) {
      totals_[q] = SetQuery(queries_[q], scores, memories[worker]);
    });
    double total = 0.0;
    for (const double of_query : totals_) total += of_query;
    ParallelFor(threads_, queries_.size(), [&](std::size_t q) {
      for (const RowId row : queries_[q].rows) potentials_[row] /= total;
    });
  }

  /// Of each document; 0 outside the sample.
  [[nodiscard]] Span<const double> values() const { return potentials_; }

 private:
  struct Query {
    std::vector<RowId> rows;          // those of the lowest grade first
    std::vector<std::size_t> begins;  // of each grade, and the number of rows
    double weight = 1.0;
  };

  struct Memory {
    std::vector<double> as_better;  // e^-s
    std::vector<double> as_worse;   // e^s
  };

  void AddQuery(const Dataset& data, std::vector<RowId> rows) {
    const Span<const double> grades = data.grades();
    Query query;
    if (!data.weights().empty()) {
      query.weight = 0.0;
      for (const RowId row : rows) query.weight += data.weights()[row];
      query.weight /= static_cast<double>(rows.size());
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [&](RowId a, RowId b) { return grades[a] < grades[b]; });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 0 || grades[rows[i - 1]] < grades[rows[i]]) query.begins.push_back(i);
    }
    query.begins.push_back(rows.size());
    query.rows = std::move(rows);
    if (query.begins.size() > 2 && query.weight > 0.0) queries_.push_back(std::move(query));
  }

  /// Returns the sum of the weights of the query's pairs.
  double SetQuery(const Query& query, Span<const double> scores, Memory& memory) {
    const std::vector<RowId>& rows = query.rows;
    const auto lower = [&](RowId a, RowId b) { return scores[a] < scores[b]; };
    const auto [low, high] = std::minmax_element(rows.begin(), rows.end(), lower);
    const double middle = 0.5 * (scores[*low] + scores[*high]);  // so that nothing overflows
    memory.as_better.resize(rows.size());
    memory.as_worse.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double score = std::clamp(scores[rows[i]] - middle, -kLargestScore, kLargestScore);
      memory.as_better[i] = query.weight * Exp(-score);
      memory.as_worse[i] = Exp(score);
      potentials_[rows[i]] = 0.0;
    }
    const std::size_t n_grades = query.begins.size() - 1;
    double total = 0.0;
    double lower_sum = 0.0;
    for (std::size_t g = 0; g < n_grades; ++g) {
      for (std::size_t i = query.begins[g]; i < query.begins[g + 1]; ++i) {
        const double weight = memory.as_better[i] * lower_sum;
        potentials_[rows[i]] += weight;
        total += weight;
      }
      lower_sum = AddGrade(query, g, memory.as_worse, lower_sum);
    }
    double higher_sum = 0.0;
    for (std::size_t g = n_grades; g-- > 0;) {
      for (std::size_t i = query.begins[g]; i < query.begins[g + 1]; ++i) {
        potentials_[rows[i]] -= memory.as_worse[i] * higher_sum;
      }
      higher_sum = AddGrade(query, g, memory.as_better, higher_sum);
    }
    return total;
  }

  static double AddGrade(const Query& query, std::size_t grade, const std::vector<double>& values,
                         double sum) {
    for (std::size_t i = query.begins[grade]; i < query.begins[grade + 1]; ++i) sum += values[i];
    return sum;
  }

  static constexpr double kLargestScore = 300.0;

  Threads threads_;
  std::vector<Query> queries_;  // those that have pairs
  std::vector<double> totals_;  // of each
  std::vector<double> potentials_;
};

}  // namespace rankforest
