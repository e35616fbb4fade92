#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "rankforest/train/settings.hpp"
#include "rankforest/train/settings_fields.hpp"

// Parameters of the recipes as Python dicts, and back.

namespace rankforest::bindings {

namespace py = pybind11;

/// Whether a type is an optional choice among names.
template <class Field>
struct IsOptionalEnum : std::false_type {};
template <class Value>
struct IsOptionalEnum<std::optional<Value>> : std::is_enum<Value> {};

/// Writes every field under its name.
class SettingsToDict {
 public:
  template <class Field>
  void operator()(const char* name, Field& field) {
    dict_[name] = ToPython(field);
  }
  [[nodiscard]] py::dict dict() const { return dict_; }

 private:
  template <class Field>
  static py::object ToPython(Field& field) {
    if constexpr (std::is_same_v<Field, ForestSettings>) {
      SettingsToDict nested;
      VisitFields(field, nested);
      return nested.dict();
    } else if constexpr (std::is_same_v<Field, Metric>) {
      return py::str(field.ToString());
    } else if constexpr (std::is_enum_v<Field>) {
      for (const auto& [name, value] : NamesOf(field)) {
        if (value == field) return py::str(name.data(), name.size());
      }
      return py::none();
    } else if constexpr (IsOptionalEnum<Field>::value) {
      return field.has_value() ? ToPython(*field) : py::none();
    } else if constexpr (std::is_same_v<Field, std::optional<double>>) {
      return field.has_value() ? py::object(py::float_(*field)) : py::none();
    } else if constexpr (std::is_same_v<Field, std::optional<std::uint32_t>>) {
      return field.has_value() ? py::object(py::int_(*field)) : py::none();
    } else if constexpr (std::is_same_v<Field, LeafSize>) {
      return CountOrFraction(field.amount, field.is_fraction);
    } else if constexpr (std::is_same_v<Field, FeatureDraw>) {
      if (field.kind == FeatureDraw::Kind::kAll) return py::none();
      if (field.kind == FeatureDraw::Kind::kCount) return CountOrFraction(field.amount, false);
      if (field.kind == FeatureDraw::Kind::kFraction) return CountOrFraction(field.amount, true);
      return ToPython(field.kind);
    } else {
      return py::cast(field);
    }
  }

  static py::object CountOrFraction(double amount, bool is_fraction) {
    if (is_fraction) return py::float_(amount);
    return py::int_(static_cast<std::int64_t>(amount));
  }

  py::dict dict_;
};

/// Reads the fields that a dict names; Finish() refuses names that no field has.
class SettingsFromDict {
 public:
  explicit SettingsFromDict(py::dict dict) : dict_(std::move(dict)) {}

  template <class Field>
  void operator()(const char* name, Field& field) {
    known_.insert(name);
    if (!dict_.contains(name)) return;
    const py::object value = dict_[name];
    try {
      Read(value, field);
    } catch (const py::cast_error&) {
      throw std::invalid_argument(std::string(name) + " cannot be " +
                                  py::repr(value).cast<std::string>());
    }
  }

  void Finish() const {
    for (const auto& [key, value] : dict_) {
      const auto name = py::str(key).cast<std::string>();
      if (known_.count(name) == 0) {
        throw std::invalid_argument("'" + name + "' is no parameter of this algorithm");
      }
    }
  }

 private:
  template <class Field>
  static void Read(const py::object& value, Field& field) {
    if constexpr (std::is_same_v<Field, ForestSettings>) {
      SettingsFromDict nested(value.cast<py::dict>());
      VisitFields(field, nested);
      nested.Finish();
    } else if constexpr (std::is_same_v<Field, Metric>) {
      field = py::isinstance<py::str>(value) ? Metric::Parse(value.cast<std::string>())
                                             : value.cast<Metric>();
    } else if constexpr (std::is_enum_v<Field>) {
      ReadEnum(value, field);
    } else if constexpr (IsOptionalEnum<Field>::value) {
      if (value.is_none()) return field.reset();
      ReadEnum(value, field.emplace());
    } else if constexpr (std::is_same_v<Field, std::optional<double>>) {
      field = value.is_none() ? std::nullopt : std::optional(value.cast<double>());
    } else if constexpr (std::is_same_v<Field, std::optional<std::uint32_t>>) {
      field = value.is_none() ? std::nullopt : std::optional(value.cast<std::uint32_t>());
    } else if constexpr (std::is_same_v<Field, LeafSize>) {
      field = {value.cast<double>(), py::isinstance<py::float_>(value)};
    } else if constexpr (std::is_same_v<Field, FeatureDraw>) {
      ReadFeatureDraw(value, field);
    } else {
      field = value.cast<Field>();
    }
  }

  template <class Enum>
  static void ReadEnum(const py::object& value, Enum& field) {
    const auto wanted = value.cast<std::string>();
    for (const auto& [name, option] : NamesOf(field)) {
      if (name == wanted) {
        field = option;
        return;
      }
    }
    throw py::cast_error();
  }

  static void ReadFeatureDraw(const py::object& value, FeatureDraw& field) {
    field = {};
    if (value.is_none()) return;
    if (py::isinstance<py::str>(value)) {
      ReadEnum(value, field.kind);
      return;
    }
    field.kind = py::isinstance<py::float_>(value) ? FeatureDraw::Kind::kFraction
                                                   : FeatureDraw::Kind::kCount;
    field.amount = value.cast<double>();
  }

  py::dict dict_;
  std::set<std::string> known_;
};

/// The settings of a dict over the defaults of a recipe.
template <class Settings>
Settings FromDict(Settings defaults, const py::dict& dict) {
  SettingsFromDict reader(dict);
  VisitFields(defaults, reader);
  reader.Finish();
  return defaults;
}

template <class Settings>
py::dict ToDict(Settings settings) {
  SettingsToDict writer;
  VisitFields(settings, writer);
  return writer.dict();
}

}  // namespace rankforest::bindings
