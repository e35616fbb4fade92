#pragma once

#include <memory>
#include <vector>

#include "rankforest/core/binned_columns.hpp"
#include "rankforest/core/binned_rows.hpp"
#include "rankforest/core/binning.hpp"
#include "rankforest/core/bins.hpp"
#include "rankforest/core/code_rows.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/feature_constraints.hpp"
#include "rankforest/core/feature_costs.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/presorted.hpp"
#include "rankforest/core/scale_free_order.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/core/value_order.hpp"

namespace rankforest {

/// What a training run reads: the data, how many threads it may use, and the layouts of the data
/// that its growers ask for. Each is made when it is first asked for, with all threads, and
/// shared by all copies of the training set: by the trees of a forest, the rounds of boosting, and
/// bags.
class TrainingSet {
 public:
  /// @param dataset         must outlive the training set
  /// @param scores_at_start  likewise; see initial_scores
  /// @param costs            likewise; see feature_costs
  /// @param feature_constraints  likewise; see constraints
  TrainingSet(const Dataset& dataset, Threads n_threads, Span<const double> scores_at_start = {},
              const FeatureCosts* costs = nullptr,
              const FeatureConstraints* feature_constraints = nullptr)
      : data(dataset),
        threads(n_threads),
        initial_scores(scores_at_start),
        feature_costs(costs),
        constraints(feature_constraints),
        layouts_(std::make_shared<Layouts>()),
        of_grades_(std::make_shared<OfGrades>()) {}

  /// The same documents with other grades, of which the layouts of features are shared, and the
  /// same costs and constraints.
  ///
  /// @param regraded  data.WithGrades(...); must outlive the result. Both must outlive whichever of
  ///                  the two training sets is used last
  [[nodiscard]] TrainingSet WithGrades(const Dataset& regraded) const {
    TrainingSet training(regraded, threads, {}, feature_costs, constraints);
    training.layouts_ = layouts_;
    return training;
  }

  const Dataset& data;
  Threads threads;
  /// What boosting adds to, by document, and no part of the model. Empty: 0 everywhere.
  Span<const double> initial_scores;
  /// What the features of the data cost, for growers whose settings weigh costs; or null.
  const FeatureCosts* feature_costs;
  /// What models may make of the features, or null.
  const FeatureConstraints* constraints;

  /// Whether trees must be told what features earlier trees ask for.
  [[nodiscard]] bool counts_features() const {
    return feature_costs != nullptr ||
           (constraints != nullptr && constraints->most_features.has_value());
  }

  [[nodiscard]] const Presorted& presorted() const {
    return layouts_->presorted.Get([this] { return Presorted(data, threads); });
  }
  [[nodiscard]] const BinnedColumns& binned_columns() const {
    return layouts_->binned_columns.Get([this] { return BinnedColumns(data, threads); });
  }
  [[nodiscard]] const CodeRows& code_rows() const {
    return layouts_->code_rows.Get([this] { return CodeRows(binned_columns(), threads); });
  }
  [[nodiscard]] const BinnedRows& binned_rows() const {
    return layouts_->binned_rows.Get([this] { return BinnedRows(binned_columns(), threads); });
  }
  /// The documents of each query: see ScaleFreeOrder.
  [[nodiscard]] Span<const RowId> scale_free_order() const {
    return of_grades_->scale_free_order.Get([this] { return ScaleFreeOrder(data, threads); });
  }
  /// The position of each document in scale_free_order().
  [[nodiscard]] Span<const RowId> scale_free_places() const {
    return of_grades_->scale_free_places.Get([this] { return PlacesIn(scale_free_order()); });
  }
  /// The documents of a grade above 0, ascending.
  [[nodiscard]] Span<const RowId> positives() const {
    return of_grades_->positives.Get([this] {
      std::vector<RowId> positives;
      for (RowId row = 0; row < data.n_documents(); ++row) {
        if (data.grades()[row] > 0.0) positives.push_back(row);
      }
      return positives;
    });
  }
  [[nodiscard]] const ValueOrder& value_order() const {
    return layouts_->value_order.Get(
        [this] { return ValueOrder(presorted(), binned_columns(), threads); });
  }

 private:
  struct Layouts {
    Lazy<Presorted> presorted;
    Lazy<BinnedColumns> binned_columns;
    Lazy<CodeRows> code_rows;
    Lazy<BinnedRows> binned_rows;  // refer to the columns
    Lazy<ValueOrder> value_order;
  };
  struct OfGrades {
    Lazy<std::vector<RowId>> scale_free_order;
    Lazy<std::vector<RowId>> scale_free_places;
    Lazy<std::vector<RowId>> positives;
  };

  std::shared_ptr<Layouts> layouts_;
  std::shared_ptr<OfGrades> of_grades_;
};

}  // namespace rankforest
