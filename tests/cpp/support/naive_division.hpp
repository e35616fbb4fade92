#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/types.hpp"
#include "rankforest/split/split.hpp"
#include "support/naive_tree.hpp"

namespace rankforest::testing {

using Documents = NaiveTree::Documents;

/// One way to divide the documents of a node in two.
struct Division {
  FeatureId feature = 0;
  float threshold = 0.0F;
  MissingTo missing = MissingTo::kLeft;
  Documents left;
  Documents right;
};

/// The gain of a division, from its definition.
using GainOf = std::function<double(const Division&)>;

inline std::uint64_t CountOf(const Documents& documents) {
  std::uint64_t count = 0;
  for (const auto& document : documents) count += document.count;
  return count;
}

/// The division by one threshold.
inline Division Divide(const Dataset& data, const Documents& documents, FeatureId feature,
                       float threshold, MissingTo missing) {
  Division division{feature, threshold, missing, {}, {}};
  for (const auto& document : documents) {
    const float value = data.Features(document.row)[feature];
    const bool goes_left = std::isnan(value) ? missing == MissingTo::kLeft : value <= threshold;
    (goes_left ? division.left : division.right).push_back(document);
  }
  return division;
}

/// Every division of a node's documents by one of `features`, both sides of at least `min_leaf`
/// documents: by feature, then threshold, then NaN left before right.
inline std::vector<Division> AllDivisions(const Dataset& data, const Documents& documents,
                                          const std::vector<FeatureId>& features,
                                          std::uint64_t min_leaf = 1) {
  std::vector<Division> divisions;
  for (const FeatureId feature : features) {
    std::set<float> values;
    bool has_missing = false;
    for (const auto& document : documents) {
      const float value = data.Features(document.row)[feature];
      std::isnan(value) ? (void)(has_missing = true) : (void)values.insert(value + 0.0F);
    }
    for (auto value = values.begin(); value != values.end(); ++value) {
      const bool is_last = std::next(value) == values.end();
      const float threshold = is_last ? std::numeric_limits<float>::max()
                                      : (*value + *std::next(value)) / 2.0F;  // small numbers
      for (const MissingTo missing : {MissingTo::kLeft, MissingTo::kRight}) {
        if (missing == MissingTo::kRight && !has_missing) continue;
        Division division = Divide(data, documents, feature, threshold, missing);
        if (CountOf(division.left) < min_leaf || CountOf(division.right) < min_leaf) continue;
        divisions.push_back(std::move(division));
      }
    }
  }
  return divisions;
}

/// The largest gain of the divisions, 0 if none gains.
inline double LargestGainOf(const std::vector<Division>& divisions, const GainOf& gain_of) {
  double largest = 0.0;
  for (const Division& division : divisions) largest = std::max(largest, gain_of(division));
  return largest;
}

inline Documents DocumentsOf(const RowSample& sample) {
  Documents documents;
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    documents.push_back({sample.rows[i], sample.Count(i)});
  }
  return documents;
}

/// Some of the documents of a data set, some of them more than once.
inline RowSample RandomNodeSample(const Dataset& data, Rng& rng) {
  RowSample sample;
  for (RowId row = 0; row < data.n_documents(); ++row) {
    if (rng.Below(4) == 0 && row > 0) continue;
    sample.rows.push_back(row);
    sample.counts.push_back(1 + rng.Below(3));
  }
  if (rng.Below(2) == 0) sample.counts.clear();
  return sample;
}

inline double WeightIn(const Dataset& data, const Documents& documents) {
  double sum = 0.0;
  for (const auto& document : documents) {
    sum += document.count * (data.weights().empty() ? 1.0 : data.weights()[document.row]);
  }
  return sum;
}

/// |D| H(D) in bits, with weights.
inline double NaiveEntropy(const Dataset& data, const Documents& documents) {
  std::map<double, Documents> by_grade;
  for (const auto& document : documents) by_grade[data.grades()[document.row]].push_back(document);
  const double total = WeightIn(data, documents);
  double bits = 0.0;
  for (const auto& [grade, of_grade] : by_grade) {
    const double share = WeightIn(data, of_grade) / total;
    if (share > 0.0) bits -= total * share * std::log2(share);
  }
  return bits;
}

/// The mean relevance, with weights.
inline double NaiveMean(const Dataset& data, const Documents& documents,
                        const std::function<double(double)>& relevance) {
  double sum = 0.0;
  for (const auto& document : documents) {
    const double weight = data.weights().empty() ? 1.0 : data.weights()[document.row];
    sum += document.count * weight * relevance(data.grades()[document.row]);
  }
  const double total = WeightIn(data, documents);
  return total > 0.0 ? sum / total : 0.0;
}

/// The sum of squared differences from the mean grade, with weights.
inline double NaiveSquaredError(const Dataset& data, const Documents& documents) {
  const double mean = NaiveMean(data, documents, [](double grade) { return grade; });
  double sum = 0.0;
  for (const auto& document : documents) {
    const double weight = data.weights().empty() ? 1.0 : data.weights()[document.row];
    const double error = data.grades()[document.row] - mean;
    sum += document.count * weight * error * error;
  }
  return sum;
}

/// The drop of an impurity.
template <class Impurity>
GainOf DropOf(const Dataset& data, const Documents& all, const Impurity& impurity) {
  const double before = impurity(data, all);
  return [&data, before, impurity](const Division& division) {
    return before - impurity(data, division.left) - impurity(data, division.right);
  };
}

}  // namespace rankforest::testing
