#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/score/blended_trees.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/rank_codes.hpp"
#include "rankforest/score/score_scratch.hpp"
#include "rankforest/score/tree_runs.hpp"
#include "rankforest/score/two_way_tree.hpp"
#include "rankforest/score/walked_rows.hpp"
#include "rankforest/score/walked_trees.hpp"

namespace rankforest::detail {

// Two forms of the same trees:
//
//   walked   every tree, from split to split (walked_trees.hpp): for few documents, for large trees
//   blended  trees of up to 256 leaves, for 64 documents side by side (blended_trees.hpp)
//
// A score is a sum in the order of the trees, so a member is a list of *runs*, consecutive trees
// that are, or are not, blended. Documents come in chunks: all trees pass by a chunk while its
// features and codes are in the cache, and some of the trees at a time while these are.

/// The trees of an ensemble and the bases of its members.
class CompiledTrees {
 public:
  /// Throws std::invalid_argument unless the processor has `isa`.
  CompiledTrees(const Ensemble& ensemble, Isa isa)
      : isa_(isa),
        features_(FeaturesOf(ensemble)),
        codes_(SplitsOfSmallTrees(ensemble)),
        walked_(EmptyWalked(ensemble, features_)),
        members_(ensemble.members.size()) {
    if (!HasIsa(isa)) throw std::invalid_argument("isa: this processor has no AVX2");
    for (std::size_t j = 0; j < members_.size(); ++j) members_[j].base = ensemble.members[j].base;
    ForEachTree(ensemble, [&](const Tree& tree, double weight, std::size_t member) {
      const TwoWayTree two_way(tree, weight);
      const bool blended = BlendedTrees::CanHold(two_way, codes_);
      members_[member].Append(blended, n_trees_++, blended_.size());
      std::visit([&](auto& walked) { walked.Add(two_way, features_); }, walked_);
      all_blended_ = all_blended_ && blended;
      const double steps = two_way.MeanDepth() + 1.0;
      if (!blended) {
        large_cost_ += steps;
        return;
      }
      blended_.Add(two_way, codes_);
      walk_cost_ += steps;
      blend_cost_ += kTreeCost + kNodeCost * static_cast<double>(two_way.nodes.size());
    });
    const double encoded_cost = blend_cost_ + kValueCost * static_cast<double>(codes_.n_features());
    const double fewest =
        static_cast<double>(kBlock) * encoded_cost / walk_cost_;  // or infinite, or NaN
    fewest_ = fewest < static_cast<double>(kBlock) ? static_cast<std::size_t>(fewest) + 1 : kNever;
    document_cost_ = large_cost_ + std::min(walk_cost_, encoded_cost);
  }

  [[nodiscard]] Isa isa() const { return isa_; }
  [[nodiscard]] std::size_t n_members() const { return members_.size(); }
  [[nodiscard]] double base(std::size_t member) const { return members_[member].base; }
  [[nodiscard]] std::size_t n_trees() const { return n_trees_; }

  /// The features that trees look at; entries of walks count them from 1.
  [[nodiscard]] Span<const FeatureId> features() const { return features_.ids(); }

  /// Calls visit(trees) with all trees as WalkedTrees.
  template <class Visit>
  void VisitWalked(const Visit& visit) const {
    std::visit(visit, walked_);
  }

  /// How many of `n_rows` documents to score at a time: an equal share for each thread, unless
  /// that is too little to wake one for or too much for the cache.
  [[nodiscard]] std::size_t ChunkSize(std::size_t n_rows, Threads threads) const {
    constexpr double kLeastSteps = 4e4;                    // 0.1 ms
    constexpr std::size_t kCodes = std::size_t{1} << 18U;  // bytes
    const bool blends = fewest_ != kNever;
    const std::size_t unit = blends ? kBlock : kWalks;
    const std::size_t block = (codes_.n_columns() + 1) * sizeof(BlockBytes);
    const std::size_t most =
        blends ? kBlock * std::clamp<std::size_t>(kCodes / block, 1, 8) : 85 * kWalks;
    const auto n_threads = static_cast<std::size_t>(threads.count);
    const std::size_t share = (n_rows + n_threads - 1) / n_threads;
    const double least = std::min(kLeastSteps / document_cost_, static_cast<double>(most));
    const std::size_t size = std::max(share, static_cast<std::size_t>(least));
    return std::clamp((size + unit - 1) / unit * unit, unit, most);
  }

  /// Documents that were laid out for the trees: so many at the front in blocks, the others for
  /// walks.
  struct LaidOut {
    std::size_t n_rows = 0;
    std::size_t n_blended = 0;

    [[nodiscard]] std::size_t n_blocks() const { return (n_blended + kBlock - 1) / kBlock; }
  };

  /// Lays documents out in `scratch`, where they stay until the next call.
  LaidOut LayOut(const FeatureMatrix& rows, ScoreScratch& scratch) const {
    const std::size_t n_blended = BlendedRows(rows.n_rows);
    EncodeBlocks(rows, n_blended, scratch);
    // Where the last block is not full, the rest is empty.
    scratch.rest_.Fill(features_, Rows(rows, n_blended, rows.n_rows - n_blended));
    if (!all_blended_ && n_blended > 0) scratch.rows_.Fill(features_, rows);
    return {rows.n_rows, n_blended};
  }

  /// Adds to scores[i] what the trees from `first` to `last` - 1 of member j, in order, give the
  /// i-th of the documents laid out. Trees are numbered through all members.
  ///
  /// @param scores  one for each document, and room for kBlock more
  void AddTrees(std::size_t j, std::size_t first, std::size_t last, const LaidOut& documents,
                ScoreScratch& scratch, double* scores) const {
    const WalkedRows& all = documents.n_blended > 0 ? scratch.rows_ : scratch.rest_;
    for (const TreeRun& whole : members_[j].runs) {
      const TreeRun run = whole.Between(first, last);
      if (run.n_trees == 0) continue;
      if (run.blended && documents.n_blended > 0) {
        AddBlended(run, scratch, documents.n_blocks(), scores);
        AddWalked(run, scratch.rest_, scores + documents.n_blended);
      } else {
        AddWalked(run, all, scores);
      }
    }
  }

  /// Calls visit(j, scores) for each member j with the scores that it gives a chunk of documents,
  /// ChunkSize of them at most.
  template <class Visit>
  void VisitMembers(const FeatureMatrix& rows, ScoreScratch& scratch, const Visit& visit) const {
    const LaidOut documents = LayOut(rows, scratch);
    GrowTo(scratch.scores_, rows.n_rows + kBlock);
    double* scores = scratch.scores_.data();
    for (std::size_t j = 0; j < members_.size(); ++j) {
      std::fill(scores, scores + rows.n_rows + kBlock, members_[j].base);
      AddTrees(j, 0, n_trees_, documents, scratch, scores);
      visit(j, Span<const double>(scores, rows.n_rows));
    }
  }

  /// About what all trees cost for so many documents laid out, and what laying them out costs, in
  /// steps of a walk.
  [[nodiscard]] double TreesCost(std::size_t n_rows) const {
    const std::size_t n_blended = BlendedRows(n_rows);
    const std::size_t n_places = LaidOut{n_rows, n_blended}.n_blocks() * kBlock;
    return static_cast<double>(n_rows) * large_cost_ + static_cast<double>(n_places) * blend_cost_ +
           static_cast<double>(n_rows - n_blended) * walk_cost_;
  }
  [[nodiscard]] double LayOutCost(std::size_t n_rows) const {
    return static_cast<double>(n_rows) * kValueCost * static_cast<double>(features_.ids().size());
  }

 private:
  using Walked = std::variant<WalkedTrees<NarrowEntry>, WalkedTrees<WideEntry>>;

  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

  // What things cost for one document, in steps of a walk, as measured on a Zen 3.
  static constexpr double kValueCost = 2.0;        // the code of a feature's value
  static constexpr double kNodeCost = 1.0 / 80.0;  // a blend
  static constexpr double kTreeCost = 0.2;         // looking a leaf up

  static std::vector<std::pair<FeatureId, float>> SplitsOfSmallTrees(const Ensemble& ensemble) {
    std::vector<std::pair<FeatureId, float>> splits;
    ForEachTree(ensemble, [&](const Tree& tree, double weight, std::size_t /*member*/) {
      if (tree.leaves.size() > BlendSlots::kMostLeaves) return;
      for (const TwoWayTree::Node& node : TwoWayTree(tree, weight).nodes) {
        splits.emplace_back(node.feature, node.threshold);
      }
    });
    return splits;
  }

  static WalkedFeatures FeaturesOf(const Ensemble& ensemble) {
    std::vector<FeatureId> ids;
    ForEachTree(ensemble, [&](const Tree& tree, double /*weight*/, std::size_t /*member*/) {
      for (const Tree::Node& node : tree.nodes) ids.push_back(node.feature);
    });
    return WalkedFeatures(std::move(ids));
  }

  static Walked EmptyWalked(const Ensemble& ensemble, const WalkedFeatures& features) {
    bool narrow = true;
    ForEachTree(ensemble, [&](const Tree& tree, double /*weight*/, std::size_t /*member*/) {
      const std::size_t most_entries = 2 * tree.nodes.size() + tree.leaves.size();
      narrow = narrow && NarrowEntry::CanHold(features.ids().size(), most_entries);
    });
    if (narrow) return WalkedTrees<NarrowEntry>();
    return WalkedTrees<WideEntry>();
  }

  /// Of so many documents, those at the front that are worth blending.
  [[nodiscard]] std::size_t BlendedRows(std::size_t n_rows) const {
    const std::size_t over = n_rows % kBlock;
    if (fewest_ == kNever) return 0;
    return over >= fewest_ ? n_rows : n_rows - over;
  }

  static FeatureMatrix Rows(const FeatureMatrix& rows, std::size_t begin, std::size_t n_rows) {
    return {rows.Row(begin), n_rows, rows.n_features, rows.row_stride};
  }

  template <class T>
  static void GrowTo(std::vector<T>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
  }

  struct EncodeBlock {
    const RankCodes& encoder;
    const FeatureMatrix& rows;
    BlockBytes* codes;
    BlockBytes* nans;
    bool& has_nan;

    [[gnu::always_inline]] void operator()() const { has_nan = encoder.Encode(rows, codes, nans); }
  };

  void EncodeBlocks(const FeatureMatrix& rows, std::size_t n_rows, ScoreScratch& scratch) const {
    scratch.blocks_.clear();
    if (n_rows == 0) return;
    const std::size_t n_columns = codes_.n_columns();
    const std::size_t n_blocks = (n_rows + kBlock - 1) / kBlock;
    GrowTo(scratch.codes_, n_blocks * n_columns);
    GrowTo(scratch.nans_, n_blocks * n_columns);
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const std::size_t begin = b * kBlock;
      const FeatureMatrix block = Rows(rows, begin, std::min(kBlock, n_rows - begin));
      BlockBytes* codes = scratch.codes_.data() + b * n_columns;
      BlockBytes* nans = scratch.nans_.data() + b * n_columns;
      bool has_nan = false;
      CallFor(isa_, EncodeBlock{codes_, block, codes, nans, has_nan});
      scratch.blocks_.push_back({codes, has_nan ? nans : nullptr});
    }
  }

  struct BlendBlock {
    const BlendedTrees& trees;
    std::size_t first;
    std::size_t last;
    ScoreScratch::Block block;
    BlockBytes* slots;
    double* scores;

    [[gnu::always_inline]] void operator()() const {
      trees.AddScores(first, last, block.codes, block.nans, slots, scores);
    }
  };

  void AddBlended(const TreeRun& run, ScoreScratch& scratch, std::size_t n_blocks,
                  double* scores) const {
    constexpr std::size_t kTrees = 64;  // whose nodes stay in the cache of the second level
    const std::size_t end = run.first_blended + run.n_trees;
    for (std::size_t first = run.first_blended; first < end; first += kTrees) {
      const std::size_t last = std::min(end, first + kTrees);
      for (std::size_t b = 0; b < n_blocks; ++b) {
        CallFor(isa_, BlendBlock{blended_, first, last, scratch.blocks_[b], scratch.slots_.data(),
                                 scores + b * kBlock});
      }
    }
  }

  void AddWalked(const TreeRun& run, const WalkedRows& rows, double* scores) const {
    const std::size_t last = run.first_walked + run.n_trees;
    std::visit([&](const auto& t) { t.AddScores(run.first_walked, last, rows, scores); }, walked_);
  }

  Isa isa_;
  WalkedFeatures features_;
  RankCodes codes_;
  Walked walked_;
  BlendedTrees blended_;
  std::vector<MemberRuns> members_;
  std::size_t n_trees_ = 0;
  std::size_t fewest_ = kNever;  // documents of a block that is not full that are worth blending
  // For one document, in steps of a walk: trees that are not blended, those that are as walks and
  // as blends, and all of them with what precedes, where there are many documents.
  double large_cost_ = 0.0;
  double walk_cost_ = 0.0;
  double blend_cost_ = 0.0;
  double document_cost_ = 0.0;
  bool all_blended_ = true;
};

}  // namespace rankforest::detail
