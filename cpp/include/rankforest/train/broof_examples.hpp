#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "rankforest/train/broof_iteration.hpp"

namespace rankforest {

// What forests of BROOF learn, and which of their predictions they are measured on.

/// Every forest learns the grades.
struct IdentityExamples {
  std::vector<double> operator()(const BroofIteration& last) const {
    std::vector<double> targets(last.targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = detail::GradeOf(last, i);
    return targets;
  }
};

/// What the learning rate times the predictions leave over of the targets. Where a document has no
/// prediction, because all trees drew it, that of all trees is taken.
struct ResidueExamples {
  std::vector<double> operator()(const BroofIteration& last) const {
    std::vector<double> targets(last.targets);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const double prediction = last.predictions[i];
      targets[i] -=
          last.learning_rate * (std::isnan(prediction) ? last.of_all_trees[i] : prediction);
    }
    return targets;
  }
};

/// Each document as the trees predict it that did not draw it.
struct OutOfBagSet {
  std::vector<double> operator()(const BroofIteration& now) const { return now.out_of_bag; }
};

/// Each document as all trees predict it, those that learnt it among them.
struct WholeTrainingSet {
  std::vector<double> operator()(const BroofIteration& now) const { return now.of_all_trees; }
};

}  // namespace rankforest
