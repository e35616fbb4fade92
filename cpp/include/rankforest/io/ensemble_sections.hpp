#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/io/bytes.hpp"

namespace rankforest {

// The five sections that hold an ensemble. Trees stand in the order of members, groups and rounds,
// and the arrays of all trees one behind the other, so that reading is copying. u, i and f are
// unsigned, signed (two's complement) and floating-point numbers (IEEE 754) of so many bits.
//
//   ENSB  u32 combine: 0 sum, 1 minmax, 2 borda      u32 n_features      u64 n_members
//         (0 where blends combine: blend_section.hpp)
//         then, for each member:                     f64 base            u64 n_groups
//           then, for each of its groups:            f64 weight
//             u32 reduction: 0 sum, 1 mean           u32 trees_per_round u64 n_trees
//   TREE  for each tree: u32 n_nodes, u32 n_leaves, u32 1 if gains are stored, otherwise 0
//   NODE  for each inner node: u32 feature, f32 threshold, i32 left, i32 right, i32 missing, as
//         in core/tree.hpp: a child c >= 0 is node c of the same tree, c < 0 is leaf -1 - c
//   LEAF  for each leaf: f32 value
//   GAIN  for each inner node of the trees whose gains are stored: f32

template <class Container>
struct EnsembleSections {
  Container ensemble;
  Container trees;
  Container nodes;
  Container leaves;
  Container gains;
};

inline EnsembleSections<Bytes> EncodeEnsemble(const Ensemble& model) {
  ByteWriter ensemble;
  ByteWriter trees;
  ByteWriter nodes;
  ByteWriter leaves;
  ByteWriter gains;
  const auto put_tree = [&](const Tree& tree) {
    trees.Put(static_cast<std::uint32_t>(tree.nodes.size()));
    trees.Put(static_cast<std::uint32_t>(tree.leaves.size()));
    trees.Put(std::uint32_t{tree.gains.empty() ? 0U : 1U});
    for (const Tree::Node& node : tree.nodes) {
      nodes.Put(node.feature);
      nodes.Put(node.threshold);
      nodes.Put(node.left);
      nodes.Put(node.right);
      nodes.Put(node.missing);
    }
    for (const float value : tree.leaves) leaves.Put(value);
    for (const float gain : tree.gains) gains.Put(gain);
  };
  ensemble.Put(static_cast<std::uint32_t>(model.combine));
  ensemble.Put(model.n_features);
  ensemble.Put(std::uint64_t{model.members.size()});
  for (const Member& member : model.members) {
    ensemble.Put(member.base);
    ensemble.Put(std::uint64_t{member.groups.size()});
    for (const Group& group : member.groups) {
      ensemble.Put(group.weight);
      ensemble.Put(static_cast<std::uint32_t>(group.reduction));
      ensemble.Put(group.trees_per_round);
      ensemble.Put(std::uint64_t{group.trees.size()});
      for (const Tree& tree : group.trees) put_tree(tree);
    }
  }
  return {std::move(ensemble).Take(), std::move(trees).Take(), std::move(nodes).Take(),
          std::move(leaves).Take(), std::move(gains).Take()};
}

namespace detail {

/// Reads the five sections side by side. Counts are held against the bytes that are left before
/// anything of their size is allocated.
class EnsembleDecoder {
 public:
  explicit EnsembleDecoder(const EnsembleSections<ByteView>& sections)
      : ensemble_("section ENSB", sections.ensemble),
        trees_("section TREE", sections.trees),
        nodes_("section NODE", sections.nodes),
        leaves_("section LEAF", sections.leaves),
        gains_("section GAIN", sections.gains) {}

  Ensemble Run(Threads threads) {
    Ensemble model;
    model.combine = static_cast<Combine>(GetBelow(ensemble_, 3, "the combination"));
    model.n_features = ensemble_.Get<std::uint32_t>();
    const auto n_members = ensemble_.Get<std::uint64_t>();
    for (std::uint64_t m = 0; m < n_members; ++m) model.members.push_back(GetMember());
    for (ByteReader* reader : {&ensemble_, &trees_, &nodes_, &leaves_, &gains_}) {
      reader->RequireEnd();
    }
    FillTrees(model, threads);
    return model;
  }

 private:
  /// Where the arrays of a tree are.
  struct TreeBytes {
    ByteView nodes;
    ByteView leaves;
    ByteView gains;
  };

  static constexpr std::size_t kTreeSize = 12;
  static constexpr std::size_t kNodeSize = 20;
  static constexpr std::size_t kValueSize = 4;

  static std::uint32_t GetBelow(ByteReader& reader, std::uint32_t bound, const char* name) {
    const auto value = reader.Get<std::uint32_t>();
    if (value >= bound) {
      throw std::invalid_argument(std::string(name) + " is " + std::to_string(value) +
                                  ", expected a number below " + std::to_string(bound));
    }
    return value;
  }

  Member GetMember() {
    Member member;
    member.base = ensemble_.Get<double>();
    const auto n_groups = ensemble_.Get<std::uint64_t>();
    for (std::uint64_t g = 0; g < n_groups; ++g) member.groups.push_back(GetGroup());
    return member;
  }

  Group GetGroup() {
    Group group;
    group.weight = ensemble_.Get<double>();
    group.reduction = static_cast<Reduction>(GetBelow(ensemble_, 2, "the reduction"));
    group.trees_per_round = ensemble_.Get<std::uint32_t>();
    const auto n_trees = ensemble_.Get<std::uint64_t>();
    ByteReader trees("section TREE", trees_.Take(n_trees, kTreeSize));
    group.trees.resize(static_cast<std::size_t>(n_trees));
    for (std::uint64_t t = 0; t < n_trees; ++t) {
      const auto n_nodes = trees.Get<std::uint32_t>();
      const auto n_leaves = trees.Get<std::uint32_t>();
      const std::uint32_t has_gains = GetBelow(trees, 2, "the mark of gains");
      tree_bytes_.push_back({nodes_.Take(n_nodes, kNodeSize), leaves_.Take(n_leaves, kValueSize),
                             gains_.Take(has_gains * std::uint64_t{n_nodes}, kValueSize)});
    }
    return group;
  }

  void FillTrees(Ensemble& model, Threads threads) const {
    std::vector<Tree*> trees;
    std::size_t n_node_bytes = 0;
    for (const TreeBytes& tree : tree_bytes_) n_node_bytes += tree.nodes.size();
    for (Member& member : model.members) {
      for (Group& group : member.groups) {
        for (Tree& tree : group.trees) trees.push_back(&tree);
      }
    }
    constexpr double kSecondsPerNode = 1e-8;
    threads = ForLoopOf(threads, n_node_bytes / kNodeSize, kSecondsPerNode);
    ParallelFor(threads, trees.size(), [&](std::size_t t) { Fill(*trees[t], tree_bytes_[t]); });
  }

  static void Fill(Tree& tree, const TreeBytes& bytes) {
    tree.nodes.resize(bytes.nodes.size() / kNodeSize);
    const std::uint8_t* at = bytes.nodes.data();
    for (Tree::Node& node : tree.nodes) {
      node.feature = LoadLittleEndian<std::uint32_t>(at);
      node.threshold = LoadLittleEndian<float>(at + 4);
      node.left = LoadLittleEndian<std::int32_t>(at + 8);
      node.right = LoadLittleEndian<std::int32_t>(at + 12);
      node.missing = LoadLittleEndian<std::int32_t>(at + 16);
      at += kNodeSize;
    }
    FillValues(tree.leaves, bytes.leaves);
    FillValues(tree.gains, bytes.gains);
  }

  static void FillValues(std::vector<float>& values, ByteView bytes) {
    values.resize(bytes.size() / kValueSize);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = LoadLittleEndian<float>(bytes.data() + i * kValueSize);
    }
  }

  ByteReader ensemble_;
  ByteReader trees_;
  ByteReader nodes_;
  ByteReader leaves_;
  ByteReader gains_;
  std::vector<TreeBytes> tree_bytes_;  // of every tree, in order
};

}  // namespace detail

/// The ensemble that the sections hold. Throws std::invalid_argument where counts, sizes or codes
/// contradict each other; the trees themselves are still to be checked with Validate.
inline Ensemble DecodeEnsemble(const EnsembleSections<ByteView>& sections, Threads threads = {}) {
  return detail::EnsembleDecoder(sections).Run(threads);
}

}  // namespace rankforest
