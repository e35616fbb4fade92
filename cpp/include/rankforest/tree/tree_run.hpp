#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/tree/trees_observer.hpp"

namespace rankforest {

/// A finished tree that documents of the training data pass later: adds its contributions to the
/// scores of those from `begin` up to `end`. Must not outlive the data set's layouts.
using LateTree = std::function<void(std::size_t begin, std::size_t end, Span<double> scores)>;

/// One grower at work, whatever its criterion and engine: settings and memory that its trees
/// share. One caller at a time; one virtual call a tree.
class TreeRun {
 public:
  /// @param growth  a TreeGrowth: SetPaid, FitTree, AddLastTree, AddLastTreeToSample and LastTree
  /// as here
  template <class Growth>
  explicit TreeRun(Growth growth)
      : growth_(std::make_unique<GrowthOf<Growth>>(std::move(growth))) {}

  /// Features that are free for the next trees.
  ///
  /// @param paid  of each feature whether it is; empty: none is
  void SetPaid(std::vector<std::uint8_t> paid) { growth_->SetPaid(std::move(paid)); }

  /// A tree for the targets of the sample's documents.
  ///
  /// @param targets  by document of the data set; only the sample's are read
  [[nodiscard]] Tree FitTree(Span<const GradientPair> targets, const RowSample& sample,
                             const Rng& rng) {
    return growth_->FitTree(targets, sample, rng);
  }

  /// The same as an ensemble's member.
  [[nodiscard]] Member Fit(Span<const GradientPair> targets, const RowSample& sample,
                           const Rng& rng, const TreesObserver& observer = {}) {
    Member member;
    member.groups.emplace_back();
    member.groups.back().trees.push_back(FitTree(targets, sample, rng));
    if (observer) observer(member.groups.back().trees);
    return member;
  }

  /// Adds the contributions of the last tree to the scores of all documents, faster than their way
  /// down the finished tree would.
  void AddLastTree(double tree_weight, Span<double> scores) const {
    growth_->AddLastTree(tree_weight, scores);
  }

  /// The same for the documents alone that the last tree was grown on.
  void AddLastTreeToSample(double tree_weight, Span<double> scores) const {
    growth_->AddLastTreeToSample(tree_weight, scores);
  }

  /// The last tree, for other documents to pass later.
  [[nodiscard]] LateTree LastTree(double tree_weight) const {
    return growth_->LastTree(tree_weight);
  }

 private:
  struct AnyGrowth {
    AnyGrowth() = default;
    AnyGrowth(const AnyGrowth&) = delete;
    AnyGrowth& operator=(const AnyGrowth&) = delete;
    virtual ~AnyGrowth() = default;
    virtual void SetPaid(std::vector<std::uint8_t> paid) = 0;
    virtual Tree FitTree(Span<const GradientPair> targets, const RowSample& sample,
                         const Rng& rng) = 0;
    virtual void AddLastTree(double tree_weight, Span<double> scores) const = 0;
    virtual void AddLastTreeToSample(double tree_weight, Span<double> scores) const = 0;
    [[nodiscard]] virtual LateTree LastTree(double tree_weight) const = 0;
  };

  template <class Growth>
  struct GrowthOf final : AnyGrowth {
    explicit GrowthOf(Growth inner) : growth(std::move(inner)) {}
    void SetPaid(std::vector<std::uint8_t> paid) override { growth.SetPaid(std::move(paid)); }
    Tree FitTree(Span<const GradientPair> targets, const RowSample& sample,
                 const Rng& rng) override {
      return growth.FitTree(targets, sample, rng);
    }
    void AddLastTree(double tree_weight, Span<double> scores) const override {
      growth.AddLastTree(tree_weight, scores);
    }
    void AddLastTreeToSample(double tree_weight, Span<double> scores) const override {
      growth.AddLastTreeToSample(tree_weight, scores);
    }
    [[nodiscard]] LateTree LastTree(double tree_weight) const override {
      return growth.LastTree(tree_weight);
    }
    Growth growth;
  };

  std::unique_ptr<AnyGrowth> growth_;
};

}  // namespace rankforest
