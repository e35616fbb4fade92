#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/categories.hpp"
#include "rankforest/core/data_profile.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/category_section.hpp"
#include "rankforest/io/metadata_section.hpp"
#include "rankforest/io/model_info.hpp"
#include "rankforest/io/utf8.hpp"

namespace rankforest {

// The sections that hold a ModelInfo, with the notation of ensemble_sections.hpp:
//
//   NAME  u64 number of names: 0 or n_features; then, for each: u32 size in bytes, UTF-8
//   RULE  u32 missing: 0 (NaN is missing, nothing else), u32 absent: 0 zero, 1 NaN,
//         u32 index base: 0 or 1
//   ALGO  UTF-8, the algorithm
//   PARM  UTF-8, the parameters as a JSON object, or empty
//   SUMM  UTF-8, the summary of the training data as a JSON object, or empty
//
// Categorical features, metadata, the data profile and the problems of an ordinal model have
// optional sections: category_section.hpp, metadata_section.hpp, profile_section.hpp,
// ordinal_section.hpp.

namespace detail {

inline void RequireUtf8(ByteView text, const std::string& what) {
  if (!IsUtf8(text)) throw std::invalid_argument(what + " is not valid UTF-8");
}

}  // namespace detail

/// Throws std::invalid_argument unless `info` can belong to a model of so many features.
inline void ValidateInfo(const ModelInfo& info, std::size_t n_features) {
  const auto& names = info.feature_names;
  if (!names.empty() && names.size() != n_features) {
    throw std::invalid_argument("the model has " + std::to_string(names.size()) +
                                " feature names for " + std::to_string(n_features) + " features");
  }
  for (std::size_t f = 0; f < names.size(); ++f) {
    detail::RequireUtf8(TextBytes(names[f]), "the name of feature " + std::to_string(f));
  }
  if (info.absent != Absent::kZero && info.absent != Absent::kNan) {
    throw std::invalid_argument("the rule for absent features is neither zero nor NaN");
  }
  if (info.index_base > 1) {
    throw std::invalid_argument("the index base is " + std::to_string(info.index_base) +
                                ", expected 0 or 1");
  }
  detail::RequireUtf8(TextBytes(info.algorithm), "the algorithm");
  detail::RequireUtf8(TextBytes(info.parameters_json), "the parameters' JSON");
  detail::RequireUtf8(TextBytes(info.summary_json), "the summary's JSON");
  ValidateCategories(info.categories, n_features);
  RequireTexts(info.categories);
  ValidateMetadata(info.metadata);
  if (info.profile.has_value()) ValidateProfile(*info.profile, n_features);
}

/// Throws std::invalid_argument unless `info` can belong to the ensemble.
inline void ValidateInfo(const ModelInfo& info, const Ensemble& ensemble) {
  ValidateInfo(info, ensemble.n_features);
  if (info.ordinal.has_value()) ValidateOrdinal(*info.ordinal, ensemble);
}

inline Bytes EncodeNames(const std::vector<std::string>& names) {
  ByteWriter out;
  out.Put(std::uint64_t{names.size()});
  for (const std::string& name : names) {
    out.Put(static_cast<std::uint32_t>(name.size()));
    out.PutBytes(TextBytes(name));
  }
  return std::move(out).Take();
}

inline std::vector<std::string> DecodeNames(ByteView bytes) {
  ByteReader in("section NAME", bytes);
  std::vector<std::string> names;
  const auto n_names = in.Get<std::uint64_t>();
  for (std::uint64_t i = 0; i < n_names; ++i) {
    names.push_back(ToText(in.Take(in.Get<std::uint32_t>(), 1)));
  }
  in.RequireEnd();
  return names;
}

inline Bytes EncodeRules(const ModelInfo& info) {
  ByteWriter out;
  out.Put(std::uint32_t{0});
  out.Put(static_cast<std::uint32_t>(info.absent));
  out.Put(info.index_base);
  return std::move(out).Take();
}

inline void DecodeRules(ByteView bytes, ModelInfo& info) {
  ByteReader in("section RULE", bytes);
  const auto missing = in.Get<std::uint32_t>();
  if (missing != 0) {
    throw std::invalid_argument("the rule for missing values is " + std::to_string(missing) +
                                ", expected 0");
  }
  info.absent = static_cast<Absent>(in.Get<std::uint32_t>());
  info.index_base = in.Get<std::uint32_t>();
  in.RequireEnd();
}

}  // namespace rankforest
