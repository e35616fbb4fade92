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
    heap_.push_back(WaitingAt(node));
    if (policy_.has_value()) std::push_heap(heap_.begin(), heap_.end(), Later());
  }

  std::uint32_t Pop() {
    if (policy_.has_value()) std::pop_heap(heap_.begin(), heap_.end(), Later());
    const std::uint32_t node = heap_.back().node;
    heap_.pop_back();
    return node;
  }

  /// Keeps a node without a split that is worth it apart: it may have one later, see Reorder().
  void Pass(std::uint32_t node) { passed_.push_back(node); }

  /// All nodes, in any order; those that were passed, too.
  [[nodiscard]] std::vector<std::uint32_t> All() const {
    std::vector<std::uint32_t> all = passed_;
    all.reserve(passed_.size() + heap_.size());
    for (const Waiting& each : heap_) all.push_back(each.node);
    return all;
  }

  /// To be called where splits of All() have changed. There must be a policy.
  ///
  /// @param may_split  (node) -> whether a node that was passed is to wait with the others
  template <class MaySplit>
  void Reorder(const MaySplit& may_split) {
    const auto is_passed = [&](std::uint32_t node) { return !may_split(node); };
    const auto first = std::partition(passed_.begin(), passed_.end(), is_passed);
    for (Waiting& each : heap_) each = WaitingAt(each.node);
    for (auto node = first; node != passed_.end(); ++node) heap_.push_back(WaitingAt(*node));
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
                     [later = Later()](const auto& a, const auto& b) { return later(b, a); });
    std::for_each(end, heap_.end(), [&](const Waiting& each) { forget(each.node); });
    heap_.erase(end, heap_.end());
    std::make_heap(heap_.begin(), heap_.end(), Later());
  }

 private:
  /// What decides mostly is kept beside the node: a large tree does not fit the fastest caches.
  struct Waiting {
    double worth;  // of its split, where the best comes first
    std::uint32_t node;
  };

  [[nodiscard]] Waiting WaitingAt(std::uint32_t node) const {
    return {policy_ == GrowPolicy::kBestFirst ? tree_[node].split.worth() : 0.0, node};
  }

  /// Whether a is split after b.
  [[nodiscard]] auto Later() const {
    return [this](const Waiting& a, const Waiting& b) {
      return a.worth != b.worth ? a.worth < b.worth : HasSmallerPath(tree_, b.node, a.node);
    };
  }

  std::optional<GrowPolicy> policy_;
  const GrowingTree<Stats>& tree_;
  std::vector<Waiting> heap_;
  std::vector<std::uint32_t> passed_;
};

}  // namespace rankforest
