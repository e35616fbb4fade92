#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankforest/core/data_profile.hpp"
#include "rankforest/core/ordinal.hpp"
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
         a.unknown == b.unknown;
}

}  // namespace rankforest
