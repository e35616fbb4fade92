#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/training_set.hpp"
#include "rankforest/core/tree.hpp"
#include "rankforest/criterion/fixed_point.hpp"
#include "rankforest/criterion/newton.hpp"
#include "rankforest/split/features.hpp"
#include "rankforest/split/threshold.hpp"
#include "rankforest/tree/column_engine.hpp"
#include "rankforest/tree/histogram_engine.hpp"
#include "rankforest/tree/limits.hpp"
#include "rankforest/tree/method.hpp"
#include "rankforest/tree/tree_growth.hpp"
#include "rankforest/tree/trees_observer.hpp"

namespace rankforest {

/// Grows one regression tree (CART), by the engine that suits the data and what is asked for: see
/// ColumnEngine and HistogramEngine. Where no feature has more than 255 distinct values, all of
/// them grow the same tree.
///
/// @tparam Criterion  gain of a split and value of a leaf
/// @tparam Threshold  BestThreshold or RandomThreshold
template <class Criterion = Newton, class Threshold = BestThreshold>
class TreeGrower {
  /// Some TreeGrowth: one virtual call a tree.
  struct Growth {
    Growth() = default;
    Growth(const Growth&) = delete;
    Growth& operator=(const Growth&) = delete;
    virtual ~Growth() = default;
    virtual Tree FitTree(Span<const GradientPair> targets, const RowSample& sample,
                         const Rng& rng) = 0;
    virtual void AddLastTree(double tree_weight, Span<double> scores) const = 0;
  };

  template <class Engine>
  struct GrowthOf final : Growth {
    explicit GrowthOf(TreeGrowth<Criterion, Engine> inner) : growth(std::move(inner)) {}
    Tree FitTree(Span<const GradientPair> targets, const RowSample& sample,
                 const Rng& rng) override {
      return growth.FitTree(targets, sample, rng);
    }
    void AddLastTree(double tree_weight, Span<double> scores) const override {
      growth.AddLastTree(tree_weight, scores);
    }
    TreeGrowth<Criterion, Engine> growth;
  };

 public:
  TreeGrower(TreeLimits limits, FeatureDraw features, Criterion criterion = {},
             TreeMethod method = TreeMethod::kAuto)
      : limits_(limits), features_(features), criterion_(criterion), method_(method) {}

  /// One grower at work: settings and memory that its trees share. One caller at a time.
  class Run {
   public:
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

    /// Adds the contributions of the last tree to the scores of the documents that it was grown
    /// on: their leaves are known.
    void AddLastTree(double tree_weight, Span<double> scores) const {
      growth_->AddLastTree(tree_weight, scores);
    }

   private:
    friend class TreeGrower;
    explicit Run(std::unique_ptr<Growth> growth) : growth_(std::move(growth)) {}

    std::unique_ptr<Growth> growth_;
  };

  [[nodiscard]] Run Start(const TrainingSet& training) const {
    const std::size_t n_features = training.data.n_features();
    const std::size_t n_drawn = features_.Count(n_features);
    if (Resolve(method_, training.data.n_documents()) == TreeMethod::kExact) {
      return StartOn(training.presorted(), training, n_drawn);
    }
    if constexpr (std::is_same_v<Criterion, Newton> && std::is_same_v<Threshold, BestThreshold>) {
      if (n_drawn == n_features) return StartWith(HistogramEngine(training), training);
    }
    return StartOn(training.binned_columns(), training, n_drawn);
  }

 private:
  template <class Columns>
  [[nodiscard]] Run StartOn(const Columns& columns, const TrainingSet& training,
                            std::size_t n_drawn) const {
    return StartWith(
        ColumnEngine<Criterion, Threshold, Columns>(columns, training.threads, {}, n_drawn),
        training);
  }

  template <class Engine>
  [[nodiscard]] Run StartWith(Engine engine, const TrainingSet& training) const {
    return Run(std::make_unique<GrowthOf<Engine>>(
        TreeGrowth<Criterion, Engine>(limits_, criterion_, training, std::move(engine))));
  }

  TreeLimits limits_;
  FeatureDraw features_;
  Criterion criterion_;
  TreeMethod method_;
};

}  // namespace rankforest
