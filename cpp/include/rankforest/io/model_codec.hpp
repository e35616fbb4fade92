#pragma once

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/io/blend_section.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/category_section.hpp"
#include "rankforest/io/count_section.hpp"
#include "rankforest/io/ensemble_sections.hpp"
#include "rankforest/io/exit_section.hpp"
#include "rankforest/io/info_sections.hpp"
#include "rankforest/io/linear_section.hpp"
#include "rankforest/io/metadata_section.hpp"
#include "rankforest/io/model_info.hpp"
#include "rankforest/io/ordinal_section.hpp"
#include "rankforest/io/profile_section.hpp"
#include "rankforest/io/section_file.hpp"

namespace rankforest {

// The model file (.rf), format version 1: a section file (section_file.hpp) that has all of the
// sections of ensemble_sections.hpp and info_sections.hpp, marked critical, in the order of
// kModelSections when we write it and in any order when we read it. Those of kOptionalSections
// follow where the model has what they hold: those of blend_section.hpp, exit_section.hpp,
// linear_section.hpp and category_section.hpp, marked critical, then those that are not, then
// unknown sections. The file is a function of the model alone: no time, path, host or number of
// threads.

struct Model {
  Ensemble ensemble;
  ModelInfo info;
};

namespace detail {

inline constexpr const char* kModelSections[] = {"ENSB", "TREE", "NODE", "LEAF", "GAIN",
                                                 "NAME", "RULE", "ALGO", "PARM", "SUMM"};
inline constexpr const char* kOptionalSections[] = {"BLND", "EXIT", "LINR", "CATG",
                                                    "META", "PROF", "ORDN", "CNTS"};

inline bool IsModelSection(const std::string& name) {
  const auto among = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  return among(kModelSections) || among(kOptionalSections);
}

/// Null if there is none.
inline const Section* FindOptional(Span<const Section> sections, const char* name) {
  const auto has_name = [&](const Section& section) { return section.name == name; };
  const Section* found = std::find_if(sections.begin(), sections.end(), has_name);
  return found == sections.end() ? nullptr : found;
}

inline ByteView FindSection(Span<const Section> sections, const char* name) {
  const Section* found = FindOptional(sections, name);
  if (found == nullptr) {
    throw std::invalid_argument(std::string("the model file has no section ") + name);
  }
  return found->bytes;
}

inline std::vector<UnknownSection> UnknownSections(Span<const Section> sections) {
  std::vector<UnknownSection> unknown;
  for (const Section& section : sections) {
    if (IsModelSection(section.name)) continue;
    if (section.critical) {
      throw std::invalid_argument("the model file has a critical section " + section.name +
                                  ", which this version of rankforest does not know");
    }
    unknown.push_back({section.name, {section.bytes.begin(), section.bytes.end()}});
  }
  return unknown;
}

}  // namespace detail

/// The bytes of a model file. Throws std::invalid_argument for a model that is not valid.
inline Bytes EncodeModel(const Ensemble& ensemble, const ModelInfo& info, Threads threads = {}) {
  Validate(ensemble, threads);
  ValidateInfo(info, ensemble);
  const EnsembleSections<Bytes> arrays = EncodeEnsemble(ensemble);
  const Bytes names = EncodeNames(info.feature_names);
  const Bytes rules = EncodeRules(info);
  std::vector<Section> sections = {
      {"ENSB", true, arrays.ensemble},
      {"TREE", true, arrays.trees},
      {"NODE", true, arrays.nodes},
      {"LEAF", true, arrays.leaves},
      {"GAIN", true, arrays.gains},
      {"NAME", true, names},
      {"RULE", true, rules},
      {"ALGO", true, TextBytes(info.algorithm)},
      {"PARM", true, TextBytes(info.parameters_json)},
      {"SUMM", true, TextBytes(info.summary_json)},
  };
  const Bytes blends = EncodeBlends(ensemble.blends);
  if (!ensemble.blends.empty()) sections.push_back({"BLND", true, blends});
  const Bytes exits = EncodeExits(ensemble.exits);
  if (!ensemble.exits.empty()) sections.push_back({"EXIT", true, exits});
  const Bytes linear = EncodeLinear(ensemble);
  if (ensemble.has_linear()) sections.push_back({"LINR", true, linear});
  const Bytes categories = EncodeCategories(info.categories);
  if (!info.categories.empty()) sections.push_back({"CATG", true, categories});
  const Bytes metadata = EncodeMetadata(info.metadata);
  const Bytes profile = info.profile.has_value() ? EncodeProfile(*info.profile) : Bytes();
  if (!info.metadata.empty()) sections.push_back({"META", false, metadata});
  if (info.profile.has_value()) sections.push_back({"PROF", false, profile});
  const Bytes ordinal = info.ordinal.has_value() ? EncodeOrdinal(*info.ordinal) : Bytes();
  if (info.ordinal.has_value()) sections.push_back({"ORDN", false, ordinal});
  const bool has_counts = HasAnyCounts(ensemble);
  const Bytes counts = has_counts ? EncodeCounts(ensemble) : Bytes();
  if (has_counts) sections.push_back({"CNTS", false, counts});
  for (const UnknownSection& section : info.unknown) {
    sections.push_back({section.name, false, section.bytes});
  }
  return EncodeSections(sections);
}

/// The model in the bytes of a model file. Throws std::invalid_argument unless all of it is valid:
/// damaged and hostile bytes are an error, with or without right checksums.
inline Model DecodeModel(ByteView file, Threads threads = {}) {
  const std::vector<Section> sections = DecodeSections(file, threads);
  const auto find = [&](const char* name) { return detail::FindSection(sections, name); };
  Model model;
  model.ensemble = DecodeEnsemble(
      {find("ENSB"), find("TREE"), find("NODE"), find("LEAF"), find("GAIN")}, threads);
  if (const Section* blends = detail::FindOptional(sections, "BLND")) {
    model.ensemble.blends = DecodeBlends(blends->bytes);
  }
  if (const Section* exits = detail::FindOptional(sections, "EXIT")) {
    model.ensemble.exits = DecodeExits(exits->bytes);
  }
  if (const Section* linear = detail::FindOptional(sections, "LINR")) {
    DecodeLinear(linear->bytes, model.ensemble);
  }
  model.info.feature_names = DecodeNames(find("NAME"));
  DecodeRules(find("RULE"), model.info);
  model.info.algorithm = ToText(find("ALGO"));
  model.info.parameters_json = ToText(find("PARM"));
  model.info.summary_json = ToText(find("SUMM"));
  if (const Section* categories = detail::FindOptional(sections, "CATG")) {
    model.info.categories = DecodeCategories(categories->bytes);
  }
  if (const Section* metadata = detail::FindOptional(sections, "META")) {
    model.info.metadata = DecodeMetadata(metadata->bytes);
  }
  if (const Section* profile = detail::FindOptional(sections, "PROF")) {
    model.info.profile = DecodeProfile(profile->bytes);
  }
  if (const Section* ordinal = detail::FindOptional(sections, "ORDN")) {
    model.info.ordinal = DecodeOrdinal(ordinal->bytes);
  }
  if (const Section* counts = detail::FindOptional(sections, "CNTS")) {
    DecodeCounts(counts->bytes, model.ensemble);
  }
  model.info.unknown = detail::UnknownSections(sections);
  Validate(model.ensemble, threads);
  ValidateInfo(model.info, model.ensemble);
  return model;
}

}  // namespace rankforest
