#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/score/compiled_trees.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/rounds.hpp"
#include "rankforest/score/score_scratch.hpp"

namespace rankforest::detail {

/// Documents whose trees are evaluated some rounds at a time and that leave one by one.
///
/// A document has a *slot*, its place among those laid out for the trees. Those that leave are
/// evaluated as long as their slots stay; the rest is laid out anew where that saves more than it
/// costs. Works in the memory of a scratch, one at a time for each.
class DocumentsInPlay {
 public:
  /// @param rows  those of `features` that play; slots are in this order until some leave
  DocumentsInPlay(const CompiledTrees& trees, const Rounds& rounds, const FeatureMatrix& features,
                  Span<const std::size_t> rows, ScoreScratch& scratch)
      : trees_(trees), rounds_(rounds), scratch_(scratch), memory_(PlayMemory::Of(scratch)) {
    stride_ = rows.size() + kBlock;
    memory_.rows.assign(rows.begin(), rows.end());
    memory_.sums.resize(trees.n_members() * stride_);
    memory_.settled.resize(trees.n_members() * stride_);
    const FeatureMatrix gathered = Gathered(features, rows);
    for (std::size_t j = 0; j < trees.n_members(); ++j) {
      std::fill(Sums(j), Sums(j) + stride_, trees.base(j));
      if (trees.linear(j).empty()) continue;
      trees.linear(j).AddScores(trees.isa(), gathered, Sums(j));
      double largest = 0.0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        largest = std::max(largest, std::abs(Sums(j)[i]));
      }
      size_of_linear_ += largest;
    }
    memory_.slots.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) memory_.slots.push_back(i);
    laid_out_ = trees.LayOutToShrink(gathered, scratch);
  }

  /// By how much the scores of two documents can still approach each other, as Rounds::spread says,
  /// with the linear parts of these documents.
  [[nodiscard]] double Spread() const {
    return rounds_.spread(round_) + rounds_.rounding(size_of_linear_);
  }

  /// The slots of those in play, ascending. Callers let documents leave by erasing them.
  [[nodiscard]] std::vector<std::size_t>& slots() { return memory_.slots; }

  [[nodiscard]] std::size_t round() const { return round_; }
  [[nodiscard]] std::size_t RowOf(std::size_t slot) const { return memory_.rows[slot]; }

  /// Goes on to `round`, which must not be behind.
  void AdvanceTo(std::size_t round) {
    assert(round >= round_);
    while (round_ < round) {
      const std::size_t next = std::min(round, rounds_.NextStartOfMean(round_));
      for (std::size_t j = 0; j < trees_.n_members(); ++j) {
        const Rounds::Position from = rounds_.Of(j, round_);
        if (from.starts_mean) std::copy(Sums(j), Sums(j) + stride_, Settled(j));
        trees_.AddTrees(j, from.tree, rounds_.Of(j, next).tree, laid_out_, scratch_, Sums(j));
      }
      round_ = next;
    }
  }

  /// Writes the scores that documents have after this round (limits.hpp), by slot.
  void WriteScores(Span<double> scores) const {
    for (std::size_t j = 0; j < trees_.n_members(); ++j) {
      const double of_mean = rounds_.Of(j, round_).of_mean;
      for (const std::size_t slot : memory_.slots) {
        const double sum = Sums(j)[slot];
        const double settled = Settled(j)[slot];
        const double score = of_mean > 0.0 ? settled + (sum - settled) / of_mean : sum;
        scores[slot] = j == 0 ? score : scores[slot] + score;
      }
    }
  }

  /// Writes the sums of the trees so far, of which each has its weight in the whole model.
  void WriteSums(Span<double> sums) const {
    for (std::size_t j = 0; j < trees_.n_members(); ++j) {
      for (const std::size_t slot : memory_.slots) {
        sums[slot] = j == 0 ? Sums(j)[slot] : sums[slot] + Sums(j)[slot];
      }
    }
  }

  /// Gives new slots to documents, after some have left, if that is worth while. Keeps their
  /// order.
  void Close() {
    const std::size_t n = memory_.slots.size();
    const std::size_t all = rounds_.n_trees(rounds_.size());
    const double left = static_cast<double>(all - rounds_.n_trees(round_)) /
                        static_cast<double>(std::max<std::size_t>(all, 1));
    const double saved =
        left * (trees_.costs().OfTrees(laid_out_.n_rows) - trees_.costs().OfTrees(n));
    if (n == 0 || saved <= trees_.costs().OfKeeping(n)) return;
    const auto row_of = [&](std::size_t i) { return source_.Row(memory_.rows[memory_.slots[i]]); };
    laid_out_ = trees_.Keep(laid_out_, memory_.slots, row_of, scratch_);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t slot = memory_.slots[i];  // >= i
      memory_.rows[i] = memory_.rows[slot];
      for (std::size_t j = 0; j < trees_.n_members(); ++j) {
        Sums(j)[i] = Sums(j)[slot];
        Settled(j)[i] = Settled(j)[slot];
      }
      memory_.slots[i] = i;
    }
  }

 private:
  [[nodiscard]] double* Sums(std::size_t j) const { return memory_.sums.data() + j * stride_; }
  [[nodiscard]] double* Settled(std::size_t j) const {
    return memory_.settled.data() + j * stride_;
  }

  /// These rows one behind the other: where they lie if they do, else copied.
  FeatureMatrix Gathered(const FeatureMatrix& features, Span<const std::size_t> rows) {
    source_ = features;
    const std::size_t first = rows.empty() ? 0 : rows[0];
    bool is_range = true;
    for (std::size_t i = 0; i < rows.size(); ++i) is_range = is_range && rows[i] == first + i;
    if (is_range) {
      return {features.Row(first), rows.size(), features.n_features, features.row_stride};
    }
    const std::size_t width = features.n_features;
    memory_.features.resize(std::max(memory_.features.size(), rows.size() * width));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::memcpy(memory_.features.data() + i * width, features.Row(rows[i]),
                  width * sizeof(float));
    }
    return {memory_.features.data(), rows.size(), width, width};
  }

  const CompiledTrees& trees_;
  const Rounds& rounds_;
  ScoreScratch& scratch_;
  PlayMemory& memory_;
  FeatureMatrix source_;
  CompiledTrees::LaidOut laid_out_;
  std::size_t stride_ = 0;  // from one member's sums to the next one's
  std::size_t round_ = 0;
  double size_of_linear_ = 0.0;  // the largest start of a document with linear parts
};

}  // namespace rankforest::detail
