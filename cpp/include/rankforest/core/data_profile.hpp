#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankforest {

/// What the values of one feature were like. NaN is a missing value; -0.0 counts as 0.0.
struct FeatureProfile {
  std::uint64_t n_missing = 0;
  float least = std::numeric_limits<float>::quiet_NaN();    ///< finite; NaN where all are missing
  float largest = std::numeric_limits<float>::quiet_NaN();  ///< likewise
  /// Upper ends of bins, finite, none below the one before: bin i holds the values in
  /// (edges[i - 1], edges[i]], the first one all up to edges[0], the last one all above the last
  /// edge. Where many values are equal, so are some edges, and bins between them are empty.
  std::vector<float> edges;
  std::vector<std::uint64_t> counts;  ///< documents in each bin; one more than edges
};

/// What the features of a data set were like: enough to tell whether other data is alike.
struct DataProfile {
  std::uint64_t n_documents = 0;
  std::vector<FeatureProfile> features;  ///< one for each column
};

inline bool operator==(const FeatureProfile& a, const FeatureProfile& b) {
  const auto same = [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.n_missing == b.n_missing && same(a.least, b.least) && same(a.largest, b.largest) &&
         a.edges == b.edges && a.counts == b.counts;
}
inline bool operator==(const DataProfile& a, const DataProfile& b) {
  return a.n_documents == b.n_documents && a.features == b.features;
}

namespace detail {

/// Throws unless the profile of a feature is one of `n_documents` documents.
inline void ValidateFeatureProfile(const FeatureProfile& feature, std::uint64_t n_documents,
                                   std::size_t number) {
  const auto require = [number](bool holds, const char* what) {
    if (holds) return;
    throw std::invalid_argument("the data profile of feature " + std::to_string(number) + ": " +
                                what);
  };
  require(feature.counts.size() == feature.edges.size() + 1,
          "there must be one count more than edges");
  for (std::size_t i = 0; i < feature.edges.size(); ++i) {
    require(std::isfinite(feature.edges[i]), "edges must be finite");
    require(i == 0 || feature.edges[i - 1] <= feature.edges[i], "edges must not descend");
  }
  std::uint64_t left = n_documents;  // subtracted from, so that no sum can overflow
  require(feature.n_missing <= left, "more values are missing than there are documents");
  left -= feature.n_missing;
  const bool is_empty = left == 0;
  for (const std::uint64_t count : feature.counts) {
    require(count <= left, "counts and missing values must add up to the documents");
    left -= count;
  }
  require(left == 0, "counts and missing values must add up to the documents");
  if (is_empty) {
    require(std::isnan(feature.least) && std::isnan(feature.largest),
            "least and largest must be NaN where every value is missing");
  } else {
    require(std::isfinite(feature.least) && std::isfinite(feature.largest),
            "least and largest must be finite");
    require(feature.least <= feature.largest, "least must not be above largest");
  }
}

}  // namespace detail

/// Throws std::invalid_argument, naming the feature, unless `profile` can be of a data set with so
/// many features.
inline void ValidateProfile(const DataProfile& profile, std::size_t n_features) {
  if (profile.features.size() != n_features) {
    throw std::invalid_argument("the data profile has " + std::to_string(profile.features.size()) +
                                " features, the model has " + std::to_string(n_features));
  }
  for (std::size_t f = 0; f < n_features; ++f) {
    detail::ValidateFeatureProfile(profile.features[f], profile.n_documents, f);
  }
}

}  // namespace rankforest
