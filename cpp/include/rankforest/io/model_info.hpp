#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/categories.hpp"
#include "rankforest/core/data_profile.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/detail/quoted.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/metadata_section.hpp"

namespace rankforest {

/// What a feature is that a line of LETOR text leaves out.
enum class Absent : std::uint32_t { kZero = 0, kNan = 1 };

/// A section that this version does not know, kept from the file it came with.
struct UnknownSection {
  std::string name;
  Bytes bytes;
};

/// All that a model file holds besides the ensemble. Texts are UTF-8.
struct ModelInfo {
  std::vector<std::string> feature_names;  ///< one per feature, or none; any characters
  Absent absent = Absent::kZero;
  std::uint32_t index_base = 1;  ///< the number of the first feature in LETOR text, 0 or 1
  std::string algorithm;         ///< as in lambdamart; may be empty
  std::string parameters_json;   ///< those that affect the model and nothing else; may be empty
  std::string summary_json;      ///< of the training data; may be empty
  Metadata metadata;             ///< texts of the user's own
  std::optional<DataProfile> profile;  ///< of the features of the training data
  std::optional<Ordinal> ordinal;      ///< of an ordinal model: what its trees say of grades
  /// What its trees see in place of the levels of categorical features; see RequireNumbers.
  Categories categories;
  std::vector<UnknownSection> unknown;
};

inline bool operator==(const UnknownSection& a, const UnknownSection& b) {
  return a.name == b.name && a.bytes == b.bytes;
}
inline bool operator==(const ModelInfo& a, const ModelInfo& b) {
  return a.feature_names == b.feature_names && a.absent == b.absent &&
         a.index_base == b.index_base && a.algorithm == b.algorithm &&
         a.parameters_json == b.parameters_json && a.summary_json == b.summary_json &&
         a.metadata == b.metadata && a.profile == b.profile && a.ordinal == b.ordinal &&
         a.categories == b.categories && a.unknown == b.unknown;
}

/// Throws std::invalid_argument, naming the first, if the model has categorical features. For
/// whoever gives an ensemble the features of documents as they are: its trees would compare levels
/// with thresholds that were made for what stands for them (`info.categories`).
inline void RequireNumbers(const ModelInfo& info) {
  if (info.categories.empty()) return;
  const std::uint32_t feature = info.categories.front().feature;
  const bool is_named = feature < info.feature_names.size();
  throw std::invalid_argument(
      "the model has categorical features, such as " + std::to_string(feature) +
      (is_named ? " (" + detail::Quoted(info.feature_names[feature]) + ")" : std::string()) +
      ", which only the Python package and its commands look up: score with these, or save what "
      "Model.without_categories returns and give it the numbers of Model.encode");
}

}  // namespace rankforest
