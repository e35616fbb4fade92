#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/core/span.hpp"
#include "rankforest/score/blended_trees.hpp"
#include "rankforest/score/coded_blocks.hpp"
#include "rankforest/score/coded_rows.hpp"
#include "rankforest/score/play_memory.hpp"
#include "rankforest/score/walked_rows.hpp"

namespace rankforest {

namespace detail {

class CompiledTrees;

}  // namespace detail

/// Memory that a compiled scorer works in: grows when first used with a scorer, then stays. One
/// may serve several scorers, but no two threads at once. About 100 KB and, where many documents
/// are scored, up to 1 MB, or 2.5 MB for large trees.
class ScoreScratch {
 public:
  /// The one of the calling thread.
  static ScoreScratch& OfThread() {
    thread_local ScoreScratch scratch;
    return scratch;
  }

 private:
  friend class detail::CompiledTrees;
  friend struct detail::PlayMemory;

  detail::BlendSlots slots_;
  detail::CodedBlocks blocks_;
  detail::CodedRows rest_;      // documents that are not blended
  detail::WalkedRows rows_;     // all of them
  std::vector<double> scores_;  // of one member
  detail::PlayMemory play_;
};

namespace detail {

inline PlayMemory& PlayMemory::Of(ScoreScratch& scratch) { return scratch.play_; }

}  // namespace detail

}  // namespace rankforest
