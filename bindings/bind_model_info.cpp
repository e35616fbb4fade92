#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "rankforest/core/categories.hpp"
#include "rankforest/core/data_profile.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/core/profile_of.hpp"
#include "rankforest/io/bytes.hpp"
#include "rankforest/io/category_section.hpp"
#include "rankforest/io/metadata_section.hpp"
#include "rankforest/io/model_info.hpp"

namespace rankforest::bindings {
namespace {

using Sections = std::vector<std::pair<std::string, py::bytes>>;

Sections UnknownSections(const ModelInfo& info) {
  Sections sections;
  for (const UnknownSection& section : info.unknown) {
    const auto* data = reinterpret_cast<const char*>(section.bytes.data());
    sections.emplace_back(section.name, py::bytes(data, section.bytes.size()));
  }
  return sections;
}

/// (feature, levels, values, unseen, missing) of each categorical feature.
using Levels = std::variant<std::vector<std::int64_t>, std::vector<std::string>>;
using CategoricalTuple = std::tuple<std::uint32_t, Levels, std::vector<float>, float, float>;

Categories MakeCategories(const std::vector<CategoricalTuple>& tuples) {
  Categories categories;
  for (const auto& [feature, levels, values, unseen, missing] : tuples) {
    CategoricalFeature each{feature, levels.index() == 1, {}, {}, values, unseen, missing};
    if (const auto* numbers = std::get_if<0>(&levels)) each.numbers = *numbers;
    if (const auto* texts = std::get_if<1>(&levels)) each.texts = *texts;
    categories.push_back(std::move(each));
  }
  constexpr std::size_t kAnyColumn = std::numeric_limits<std::size_t>::max();  // checked when saved
  ValidateCategories(categories, kAnyColumn);
  RequireTexts(categories);
  return categories;
}

std::vector<CategoricalTuple> CategoriesOf(const ModelInfo& info) {
  std::vector<CategoricalTuple> tuples;
  for (const CategoricalFeature& each : info.categories) {
    const Levels levels = each.is_text ? Levels(each.texts) : Levels(each.numbers);
    tuples.emplace_back(each.feature, levels, each.values, each.unseen, each.missing);
  }
  return tuples;
}

ModelInfo MakeModelInfo(std::vector<std::string> feature_names, bool absent_is_nan,
                        std::uint32_t index_base, std::string algorithm,
                        std::string parameters_json, std::string summary_json, Metadata metadata,
                        std::optional<DataProfile> profile, std::optional<Ordinal> ordinal,
                        const std::vector<CategoricalTuple>& categories, const Sections& unknown) {
  ModelInfo info;
  info.feature_names = std::move(feature_names);
  info.absent = absent_is_nan ? Absent::kNan : Absent::kZero;
  info.index_base = index_base;
  info.algorithm = std::move(algorithm);
  info.parameters_json = std::move(parameters_json);
  info.summary_json = std::move(summary_json);
  ValidateMetadata(metadata);
  info.metadata = std::move(metadata);
  info.profile = std::move(profile);
  info.ordinal = std::move(ordinal);
  info.categories = MakeCategories(categories);
  for (const auto& [name, bytes] : unknown) {
    const ByteView view = TextBytes(static_cast<std::string_view>(bytes));
    info.unknown.push_back({name, {view.begin(), view.end()}});
  }
  return info;
}

/// (missing, least, largest, edges, counts) of each feature.
using FeatureTuple =
    std::tuple<std::uint64_t, float, float, std::vector<float>, std::vector<std::uint64_t>>;

DataProfile MakeProfile(std::uint64_t n_documents, const std::vector<FeatureTuple>& features) {
  DataProfile profile{n_documents, {}};
  for (const auto& [n_missing, least, largest, edges, counts] : features) {
    profile.features.push_back({n_missing, least, largest, edges, counts});
  }
  ValidateProfile(profile, features.size());
  return profile;
}

std::vector<FeatureTuple> FeaturesOf(const DataProfile& profile) {
  std::vector<FeatureTuple> features;
  for (const FeatureProfile& feature : profile.features) {
    features.emplace_back(feature.n_missing, feature.least, feature.largest, feature.edges,
                          feature.counts);
  }
  return features;
}

DataProfile MeasureProfile(const Dataset& data, int n_jobs) {
  const Threads threads = RequireThreads(n_jobs);
  const py::gil_scoped_release release;
  return ProfileOf(data, threads);
}

/// (missing, outside, counts) of each feature.
std::vector<std::tuple<std::uint64_t, std::uint64_t, std::vector<std::uint64_t>>> BinFromPython(
    const DataProfile& profile, const Array<float>& features, int n_jobs) {
  const FeatureMatrix matrix = ViewMatrix(features, "features");
  const Threads threads = RequireThreads(n_jobs);
  ValidateProfile(profile, matrix.n_features);
  std::vector<BinnedValues> binned;
  {
    const py::gil_scoped_release release;
    binned = BinValues(profile, matrix, threads);
  }
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::vector<std::uint64_t>>> result;
  for (BinnedValues& each : binned) {
    result.emplace_back(each.n_missing, each.n_outside, std::move(each.counts));
  }
  return result;
}

void BindProfile(py::module_& module) {
  py::class_<DataProfile>(module, "DataProfile", "What the features of a data set were like.")
      .def(
          py::init(&MakeProfile), py::arg("n_documents"), py::arg("features"),
          "features: (missing, least, largest, edges, counts) of each. Raises ValueError for what\n"
          "no data set can have.")
      .def_static("of", &MeasureProfile, py::arg("data"), py::arg("n_jobs"))
      .def_readonly("n_documents", &DataProfile::n_documents)
      .def_property_readonly("features", &FeaturesOf)
      .def("bin", &BinFromPython, py::arg("features").noconvert(), py::arg("n_jobs"),
           "(missing, outside, counts) of each column of a float32 matrix in the profile's bins;\n"
           "outside: below the least value or above the largest.")
      .def(py::self == py::self);
}

}  // namespace

void BindModelInfo(py::module_& module) {
  BindProfile(module);
  py::class_<ModelInfo>(module, "ModelInfo", "What a model file holds besides the ensemble.")
      .def(py::init(&MakeModelInfo), py::kw_only(),
           py::arg("feature_names") = std::vector<std::string>(), py::arg("absent_is_nan") = false,
           py::arg("index_base") = 1, py::arg("algorithm") = "", py::arg("parameters_json") = "",
           py::arg("summary_json") = "", py::arg("metadata") = Metadata(),
           py::arg("profile") = py::none(), py::arg("ordinal") = py::none(),
           py::arg("categories") = std::vector<CategoricalTuple>(), py::arg("unknown") = Sections())
      .def_readonly("feature_names", &ModelInfo::feature_names)
      .def_property_readonly("absent_is_nan",
                             [](const ModelInfo& info) { return info.absent == Absent::kNan; })
      .def_readonly("index_base", &ModelInfo::index_base)
      .def_readonly("algorithm", &ModelInfo::algorithm)
      .def_readonly("parameters_json", &ModelInfo::parameters_json)
      .def_readonly("summary_json", &ModelInfo::summary_json)
      .def_readonly("metadata", &ModelInfo::metadata)
      .def_readonly("profile", &ModelInfo::profile)
      .def_readonly("ordinal", &ModelInfo::ordinal)
      .def_property_readonly("categories", &CategoriesOf,
                             "(feature, levels, values, unseen, missing) of each categorical one.")
      .def_property_readonly("unknown", &UnknownSections,
                             "Sections of a newer file that this version only keeps.")
      .def(py::self == py::self);
}

}  // namespace rankforest::bindings
