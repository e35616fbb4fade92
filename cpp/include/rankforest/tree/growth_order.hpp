#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rankforest/tree/growing_tree.hpp"
#include "rankforest/tree/limits.hpp"

namespace rankforest {

/// The nodes that can be split, the next one to split on top.
template <class Stats>
class Frontier {
 public:
  /// @param policy  none: the last node pushed first. Where every node will be split, the order
  ///                changes nothing, and what was just divided is still in the cache.
  Frontier(std::optional<GrowPolicy> policy, const GrowingTree<Stats>& tree)
      : policy_(policy), tree_(tree) {}

  [[nodiscard]] bool empty() const { return heap_.empty(); }

  void Push(std::uint32_t node) {
    heap_.push_back(node);
    if (policy_.has_value()) std::push_heap(heap_.begin(), heap_.end(), Later());
  }

  std::uint32_t Pop() {
    if (policy_.has_value()) std::pop_heap(heap_.begin(), heap_.end(), Later());
    const std::uint32_t node = heap_.back();
    heap_.pop_back();
    return node;
  }

  /// Keeps a node without a split that is worth it apart: it may have one later, see Reorder().
  void Pass(std::uint32_t node) { passed_.push_back(node); }

  /// All nodes, in any order; those that were passed, too.
  [[nodiscard]] std::vector<std::uint32_t> All() const {
    std::vector<std::uint32_t> all = heap_;
    all.insert(all.end(), passed_.begin(), passed_.end());
    return all;
  }

  /// To be called where splits of All() have changed. There must be a policy.
  ///
  /// @param may_split  (node) -> whether a node that was passed is to wait with the others
  template <class MaySplit>
  void Reorder(const MaySplit& may_split) {
    const auto is_passed = [&](std::uint32_t node) { return !may_split(node); };
    const auto first = std::partition(passed_.begin(), passed_.end(), is_passed);
    heap_.insert(heap_.end(), first, passed_.end());
    passed_.erase(first, passed_.end());
    std::make_heap(heap_.begin(), heap_.end(), Later());
  }

  /// Drops all but the `n` nodes that come first, and calls forget(node) for each of the others.
  /// It looks at every node, so it waits until they are an eighth too many. There must be a policy.
  template <class Forget>
  void KeepFirst(std::size_t n, const Forget& forget) {
    if (heap_.size() <= n + n / 8) return;
    const auto end = heap_.begin() + static_cast<std::ptrdiff_t>(n);
    std::nth_element(heap_.begin(), end, heap_.end(),
                     [later = Later()](auto a, auto b) { return later(b, a); });
    std::for_each(end, heap_.end(), forget);
    heap_.erase(end, heap_.end());
    std::make_heap(heap_.begin(), heap_.end(), Later());
  }

 private:
  /// Whether a is split after b.
  [[nodiscard]] auto Later() const {
    return [this](std::uint32_t a, std::uint32_t b) {
      if (policy_ == GrowPolicy::kBestFirst) {
        const double worth_a = tree_[a].split.worth();
        const double worth_b = tree_[b].split.worth();
        if (worth_a != worth_b) return worth_a < worth_b;
      }
      return HasSmallerPath(tree_, b, a);
    };
  }

  std::optional<GrowPolicy> policy_;
  const GrowingTree<Stats>& tree_;
  std::vector<std::uint32_t> heap_;
  std::vector<std::uint32_t> passed_;
};

}  // namespace rankforest
