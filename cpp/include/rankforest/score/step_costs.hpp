#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "rankforest/core/parallel.hpp"
#include "rankforest/score/rank_codes.hpp"
#include "rankforest/score/two_way_tree.hpp"
#include "rankforest/score/walked_rows.hpp"

namespace rankforest::detail {

/// What the parts of scoring cost, in steps of a walk through a small tree (1.2 ns), as measured on
/// a Zen 3; and what follows: which documents to blend, and how many to score at a time. None of it
/// changes a score.
class StepCosts {
 public:
  /// Takes in a tree that is walked only.
  void AddLarge(const TwoWayTree& tree) { large_ += kLargeStep * (tree.MeanDepth() + 1.0); }

  /// Takes in a tree that is blended, or walked for few documents.
  ///
  /// @param n_comparisons  of its blends, for a block
  void AddSmall(const TwoWayTree& tree, std::size_t n_comparisons) {
    walk_ += kSmallStep * (tree.MeanDepth() + 1.0);
    blend_ += kTree + kNode * static_cast<double>(n_comparisons);
  }

  /// Takes in a linear part.
  void AddLinear(std::size_t n_terms) { linear_ += kTerm * static_cast<double>(n_terms); }

  /// After the last tree.
  ///
  /// @param n_features  that trees look at
  void Finish(const RankCodes& codes, std::size_t n_features) {
    n_features_ = n_features;
    n_columns_ = codes.n_columns();
    const auto n_coded = static_cast<double>(codes.n_features());
    const double encoded = blend_ + kValue * n_coded;
    const double walked = walk_ + kRowValue * n_coded;
    const double fewest = static_cast<double>(kBlock) * encoded / walked;  // or infinite, or NaN
    fewest_ = fewest < static_cast<double>(kBlock) ? static_cast<std::size_t>(fewest) + 1 : kNever;
    walked_document_ = linear_ + large_ + walked;
    document_ = linear_ + large_ + std::min(walked, encoded);
  }

  /// Of so many documents, those at the front that are worth blending.
  [[nodiscard]] std::size_t BlendedRows(std::size_t n_rows) const {
    const std::size_t over = n_rows % kBlock;
    if (fewest_ == kNever) return 0;
    return over >= fewest_ ? n_rows : n_rows - over;
  }

  /// How many of `n_rows` documents to score at a time: an equal share for each thread, unless
  /// that is too little to wake one for or too much for the cache.
  [[nodiscard]] std::size_t ChunkSize(std::size_t n_rows, Threads threads) const {
    constexpr double kLeastSteps = 8e4;                     // 0.1 ms
    constexpr std::size_t kCodes = std::size_t{1} << 18U;   // bytes
    constexpr std::size_t kValues = std::size_t{1} << 21U;  // bytes: large trees pass by seldom
    const bool blends = fewest_ != kNever;
    const std::size_t unit = blends ? kBlock : kWalks;
    const std::size_t block = (n_columns_ + 1) * sizeof(BlockBytes);
    const std::size_t group = (n_features_ + 1) * kWalks * sizeof(float);
    const std::size_t most = blends ? kBlock * std::clamp<std::size_t>(kCodes / block, 1, 8)
                                    : kWalks * std::clamp<std::size_t>(kValues / group, 1, 320);
    const auto n_threads = static_cast<std::size_t>(threads.count);
    const auto parts = [](std::size_t n, std::size_t n_parts) {
      return (n + n_parts - 1) / n_parts;
    };
    const std::size_t of_thread = parts(n_rows, n_threads);
    const std::size_t share = parts(of_thread, std::max<std::size_t>(parts(of_thread, most), 1));
    const double least = std::min(kLeastSteps / document_, static_cast<double>(most));
    const std::size_t size = std::max(share, static_cast<std::size_t>(least));
    return std::clamp((size + unit - 1) / unit * unit, unit, most);
  }

  /// What each of so many documents takes, in seconds, roughly.
  [[nodiscard]] double SecondsPerDocument(std::size_t n_rows) const {
    constexpr double kSecondsPerStep = 1.2e-9;
    return kSecondsPerStep * (IsWorthBlending(n_rows) ? document_ : walked_document_);
  }

  /// The threads for scoring so many.
  [[nodiscard]] Threads ForScoring(Threads threads, std::size_t n_rows) const {
    return ForLoopOf(threads, n_rows, SecondsPerDocument(n_rows));
  }

  /// Whether to blend so many documents, if that must be all or none.
  [[nodiscard]] bool IsWorthBlending(std::size_t n_rows) const { return n_rows >= fewest_; }

  /// All trees for so many documents that are blended or not as IsWorthBlending says.
  [[nodiscard]] double OfTrees(std::size_t n_rows) const {
    const std::size_t n_places = (n_rows + kBlock - 1) / kBlock * kBlock;
    return static_cast<double>(n_rows) * large_ + (IsWorthBlending(n_rows)
                                                       ? static_cast<double>(n_places) * blend_
                                                       : static_cast<double>(n_rows) * walk_);
  }

  /// Laying so many of the documents out anew that were laid out together.
  [[nodiscard]] double OfKeeping(std::size_t n_rows) const {
    const double of_one = IsWorthBlending(n_rows) && large_ == 0.0
                              ? kMove * static_cast<double>(n_columns_)
                              : kValue * static_cast<double>(n_features_);
    return static_cast<double>(n_rows) * of_one;
  }

 private:
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

  static constexpr double kSmallStep = 0.85;   // leaves near the root are reached more often
  static constexpr double kLargeStep = 2.0;    // of a walk through a tree that is not in the cache
  static constexpr double kRowValue = 10.0;    // the code of a feature's value, for a walk
  static constexpr double kValue = 2.0;        // the same in a block
  static constexpr double kMove = 1.0;         // of a code to another place
  static constexpr double kNode = 1.0 / 45.0;  // a blend
  static constexpr double kTree = 0.35;        // looking a leaf up
  static constexpr double kTerm = 0.3;         // of a linear part

  // For one document: trees that are only walked, the others as walks and as blends, and all of
  // them with their codes, where documents are few and where there are many.
  double large_ = 0.0;
  double walk_ = 0.0;
  double blend_ = 0.0;
  double linear_ = 0.0;
  double walked_document_ = 0.0;
  double document_ = 0.0;
  std::size_t n_features_ = 0;
  std::size_t n_columns_ = 0;
  std::size_t fewest_ = kNever;  // documents of a block that is not full that are worth blending
};

}  // namespace rankforest::detail
