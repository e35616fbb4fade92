#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/score/blended_trees.hpp"
#include "rankforest/score/coded_blocks.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/linear_part.hpp"
#include "rankforest/score/packed_trees.hpp"
#include "rankforest/score/rank_codes.hpp"
#include "rankforest/score/score_scratch.hpp"
#include "rankforest/score/step_costs.hpp"
#include "rankforest/score/tree_runs.hpp"
#include "rankforest/score/two_way_tree.hpp"
#include "rankforest/score/walked_rows.hpp"
#include "rankforest/score/walked_trees.hpp"

namespace rankforest::detail {

// Trees have these forms:
//
//   blended  trees of up to 256 leaves, for 64 documents side by side (blended_trees.hpp)
//   packed   the same trees, from split to split: for few documents (packed_trees.hpp)
//   walked   larger trees, from split to split (walked_trees.hpp)
//
// A score is a sum in the order of the trees, so a member is a list of *runs*, consecutive trees
// that are, or are not, blended. Documents come in chunks: all trees pass by a chunk while its
// features and codes are in the cache, and some of the trees at a time while these are.

/// The trees of an ensemble, and the bases and linear parts of its members.
class CompiledTrees {
 public:
  /// Throws std::invalid_argument unless the processor has `isa`.
  CompiledTrees(const Ensemble& ensemble, Isa isa)
      : isa_(isa),
        features_(FeaturesOf(ensemble)),
        codes_(SplitsOfSmallTrees(ensemble)),
        walked_(EmptyWalked(ensemble, features_)),
        packed_(codes_, features_),
        members_(ensemble.members.size()) {
    if (!HasIsa(isa)) {
      throw std::invalid_argument(std::string("isa: this processor has no ") + IsaName(isa));
    }
    for (std::size_t j = 0; j < members_.size(); ++j) {
      members_[j].base = ensemble.members[j].base;
      linear_.emplace_back(ensemble.members[j].linear);
      costs_.AddLinear(linear_[j].features().size());
    }
    ForEachTree(ensemble, [&](const Tree& tree, double weight, std::size_t member) {
      const TwoWayTree two_way(tree, weight);
      const bool blended = BlendedTrees::CanHold(two_way, codes_);
      members_[member].Append(blended, n_trees_,
                              blended ? blended_.size() : n_trees_ - blended_.size());
      ++n_trees_;
      all_blended_ = all_blended_ && blended;
      if (blended) {
        costs_.AddSmall(two_way, blended_.Add(two_way, codes_));
        packed_.Add(two_way, codes_);
      } else {
        costs_.AddLarge(two_way);
        std::visit([&](auto& walked) { walked.Add(two_way, features_); }, walked_);
      }
    });
    costs_.Finish(codes_, features_.ids().size());
    blended_.ShrinkToFit();
    packed_.ShrinkToFit();
    std::visit([](auto& walked) { walked.ShrinkToFit(); }, walked_);
  }

  [[nodiscard]] Isa isa() const { return isa_; }
  [[nodiscard]] std::size_t n_members() const { return members_.size(); }
  [[nodiscard]] double base(std::size_t member) const { return members_[member].base; }
  [[nodiscard]] const LinearPart& linear(std::size_t member) const { return linear_[member]; }
  [[nodiscard]] std::size_t n_trees() const { return n_trees_; }

  /// The features that trees and linear parts look at; entries of walks count them from 1.
  [[nodiscard]] Span<const FeatureId> features() const { return features_.ids(); }

  /// Calls visit(view) with a tree of member j to be walked step by step: WalkedTrees::View or its
  /// like. Trees are numbered through all members.
  template <class Visit>
  void VisitTree(std::size_t j, std::size_t tree, const Visit& visit) const {
    for (const TreeRun& whole : members_[j].runs) {
      const TreeRun run = whole.Between(tree, tree + 1);
      if (run.n_trees == 0) continue;
      if (run.blended) {
        visit(packed_.ViewOf(run.first_of_kind, blended_, codes_));
      } else {
        std::visit([&](const auto& t) { visit(t.ViewOf(run.first_of_kind)); }, walked_);
      }
    }
  }

  /// The memory of the trees and linear parts.
  [[nodiscard]] std::size_t n_bytes() const {
    const std::size_t walked = std::visit([](const auto& t) { return t.n_bytes(); }, walked_);
    std::size_t linear = 0;
    for (const LinearPart& part : linear_) linear += part.n_bytes();
    return blended_.n_bytes() + packed_.n_bytes() + walked + codes_.n_bytes() + linear;
  }

  /// What scoring costs.
  [[nodiscard]] const StepCosts& costs() const { return costs_; }

  /// Documents that were laid out for the trees: so many at the front in blocks, the others for
  /// walks.
  struct LaidOut {
    std::size_t n_rows = 0;
    std::size_t n_blended = 0;
  };

  /// Lays documents out in `scratch`, where they stay until the next call.
  LaidOut LayOut(const FeatureMatrix& rows, ScoreScratch& scratch) const {
    const std::size_t n_blended = costs_.BlendedRows(rows.n_rows);
    scratch.blocks_.Encode(isa_, codes_, Rows(rows, 0, n_blended));
    // Where the last block is not full, the rest is empty.
    scratch.rest_.Encode(codes_, rows.n_rows - n_blended,
                         [&](std::size_t i) { return rows.Row(n_blended + i); });
    if (!all_blended_) scratch.rows_.Fill(features_, rows);
    return {rows.n_rows, n_blended};
  }

  /// The same so that all documents are blended or none is: Keep can leave some out.
  LaidOut LayOutToShrink(const FeatureMatrix& rows, ScoreScratch& scratch) const {
    const std::size_t n_blended = costs_.IsWorthBlending(rows.n_rows) ? rows.n_rows : 0;
    scratch.blocks_.Encode(isa_, codes_, Rows(rows, 0, n_blended));
    scratch.rest_.Encode(codes_, rows.n_rows - n_blended,
                         [&](std::size_t i) { return rows.Row(i); });
    if (!all_blended_) scratch.rows_.Fill(features_, rows);
    return {rows.n_rows, n_blended};
  }

  /// Lays some of the documents laid out to shrink out anew. Cheaper than to do it from the start:
  /// their codes are known.
  ///
  /// @param places  of these among those laid out before, ascending
  /// @param row_of  std::size_t -> const float*: the features of the i-th of them
  template <class RowOf>
  LaidOut Keep(const LaidOut& before, Span<const std::size_t> places, const RowOf& row_of,
               ScoreScratch& scratch) const {
    const bool blends = before.n_blended > 0 && costs_.IsWorthBlending(places.size());
    if (blends) {
      scratch.blocks_.Keep(places);
    } else if (before.n_blended > 0) {
      scratch.rest_.Encode(codes_, places.size(), row_of);
    } else {
      scratch.rest_.Keep(places);
    }
    if (!all_blended_) scratch.rows_.Fill(features_, places.size(), row_of);
    return {places.size(), blends ? places.size() : 0};
  }

  /// Adds to scores[i] what the trees from `first` to `last` - 1 of member j, in order, give the
  /// i-th of the documents laid out. Trees are numbered through all members.
  ///
  /// @param scores  one for each document, and room for kBlock more
  void AddTrees(std::size_t j, std::size_t first, std::size_t last, const LaidOut& documents,
                ScoreScratch& scratch, double* scores) const {
    for (const TreeRun& whole : members_[j].runs) {
      const TreeRun run = whole.Between(first, last);
      if (run.n_trees == 0) continue;
      const std::size_t last_of_kind = run.first_of_kind + run.n_trees;
      if (run.blended) {
        if (documents.n_blended > 0) AddBlended(run, scratch, scores);
        packed_.AddScores(run.first_of_kind, last_of_kind, blended_, scratch.rest_,
                          scores + documents.n_blended);
      } else {
        std::visit(
            [&](const auto& t) {
              t.AddScores(run.first_of_kind, last_of_kind, scratch.rows_, scores);
            },
            walked_);
      }
    }
  }

  /// Calls visit(j, scores) for each member j with the scores that it gives a chunk of documents,
  /// costs().ChunkSize of them at most.
  ///
  /// @param of_queries  what linear parts that look at whole queries give, from row `begin` of
  ///                    these on
  template <class Visit>
  void VisitMembers(const FeatureMatrix& rows, ScoreScratch& scratch, const Visit& visit,
                    const PartsOfQueries& of_queries = {}, std::size_t begin = 0) const {
    const LaidOut documents = LayOut(rows, scratch);
    if (scratch.scores_.size() < rows.n_rows + kBlock) scratch.scores_.resize(rows.n_rows + kBlock);
    double* scores = scratch.scores_.data();
    for (std::size_t j = 0; j < members_.size(); ++j) {
      std::fill(scores, scores + rows.n_rows + kBlock, members_[j].base);
      if (const double* sums = of_queries.Of(j, begin)) {
        for (std::size_t i = 0; i < rows.n_rows; ++i) scores[i] += sums[i];
      } else {
        linear_[j].AddScores(isa_, rows, scores);
      }
      AddTrees(j, 0, n_trees_, documents, scratch, scores);
      visit(j, Span<const double>(scores, rows.n_rows));
    }
  }

 private:
  using Walked = std::variant<WalkedTrees<NarrowEntry>, WalkedTrees<WideEntry>>;

  /// Of the nodes of two-way trees, in any order.
  static std::vector<std::pair<FeatureId, float>> SplitsOfSmallTrees(const Ensemble& ensemble) {
    std::vector<std::pair<FeatureId, float>> splits;
    ForEachTree(ensemble, [&](const Tree& tree, double /*weight*/, std::size_t /*member*/) {
      if (tree.leaves.size() > BlendSlots::kMostLeaves) return;
      for (const Tree::Node& node : tree.nodes) {
        splits.emplace_back(node.feature, node.threshold);
        if (node.missing != node.left && node.missing != node.right) {
          splits.emplace_back(node.feature, TwoWayTree::kOnlyNan);
        }
      }
    });
    return splits;
  }

  static WalkedFeatures FeaturesOf(const Ensemble& ensemble) {
    std::vector<FeatureId> ids;
    ForEachTree(ensemble, [&](const Tree& tree, double /*weight*/, std::size_t /*member*/) {
      for (const Tree::Node& node : tree.nodes) ids.push_back(node.feature);
    });
    for (const Member& member : ensemble.members) {
      for (const Linear::Term& term : member.linear.terms) ids.push_back(term.feature);
    }
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

  static FeatureMatrix Rows(const FeatureMatrix& rows, std::size_t begin, std::size_t n_rows) {
    return {rows.Row(begin), n_rows, rows.n_features, rows.row_stride};
  }

  struct BlendBlock {
    Isa isa;
    const BlendedTrees& trees;
    std::size_t first;
    std::size_t last;
    CodedBlock block;
    BlockBytes* slots;
    double* scores;

    [[gnu::always_inline]] void operator()() const {
      trees.AddScores(isa, first, last, block.codes, block.nans, slots, scores);
    }
  };

  void AddBlended(const TreeRun& run, ScoreScratch& scratch, double* scores) const {
    constexpr std::size_t kTrees = 64;  // whose nodes stay in the cache of the second level
    const std::size_t end = run.first_of_kind + run.n_trees;
    for (std::size_t first = run.first_of_kind; first < end; first += kTrees) {
      const std::size_t last = std::min(end, first + kTrees);
      for (std::size_t b = 0; b < scratch.blocks_.size(); ++b) {
        CallFor(isa_, BlendBlock{isa_, blended_, first, last, scratch.blocks_[b],
                                 scratch.slots_.data(), scores + b * kBlock});
      }
    }
  }

  Isa isa_;
  WalkedFeatures features_;
  RankCodes codes_;
  Walked walked_;
  BlendedTrees blended_;
  PackedTrees packed_;
  std::vector<MemberRuns> members_;
  std::vector<LinearPart> linear_;  // of each member
  std::size_t n_trees_ = 0;
  StepCosts costs_;
  bool all_blended_ = true;
};

}  // namespace rankforest::detail
