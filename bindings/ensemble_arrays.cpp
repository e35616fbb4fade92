#include "ensemble_arrays.hpp"

#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/core/validate.hpp"

namespace rankforest::bindings {

namespace {

constexpr const char* kCombineNames[] = {"sum", "minmax", "borda", "zscore"};
constexpr const char* kReductionNames[] = {"sum", "mean"};
constexpr const char* kNormalizationNames[] = {"none", "sum", "minmax", "zscore"};

/// The place of `name` among `names`.
std::size_t IndexOf(Span<const char* const> names, const std::string& name, const char* what) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return i;
    list += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  throw std::invalid_argument(std::string(what) + " must be one of " + list + ", got " + name);
}

/// One field of all nodes.
template <class T>
py::array_t<T> Column(const std::vector<Tree::Node>& nodes, T Tree::Node::* field) {
  py::array_t<T> column(static_cast<py::ssize_t>(nodes.size()));
  std::transform(nodes.begin(), nodes.end(), column.mutable_data(),
                 [field](const Tree::Node& node) { return node.*field; });
  return column;
}

py::dict TreeToArrays(const Tree& tree) {
  py::dict arrays;
  arrays["feature"] = Column(tree.nodes, &Tree::Node::feature);
  arrays["threshold"] = Column(tree.nodes, &Tree::Node::threshold);
  arrays["left"] = Column(tree.nodes, &Tree::Node::left);
  arrays["right"] = Column(tree.nodes, &Tree::Node::right);
  arrays["missing"] = Column(tree.nodes, &Tree::Node::missing);
  arrays["gain"] = ToArray(tree.gains);
  arrays["leaf"] = ToArray(tree.leaves);
  if (!tree.counts.empty()) arrays["count"] = ToArray(tree.counts);
  return arrays;
}

/// Keeps its array alive while a view of it is used.
template <class T>
class Field {
 public:
  Field(const py::dict& arrays, const char* name) : name_(name) {
    const py::object value = arrays[name];
    if (!py::isinstance<Array<T>>(value)) {
      throw py::type_error(std::string(name) + " must be an array of " +
                           std::string(py::str(py::dtype::of<T>())));
    }
    array_ = value.cast<Array<T>>();
  }
  [[nodiscard]] Span<const T> view() const { return View(array_, name_); }

 private:
  const char* name_;
  Array<T> array_;
};

template <class T>
void FillColumn(const py::dict& arrays, const char* name, T Tree::Node::* field,
                std::vector<Tree::Node>& nodes) {
  const Field<T> column(arrays, name);
  if (column.view().size() != nodes.size()) {
    throw std::invalid_argument(std::string(name) + " has " + std::to_string(column.view().size()) +
                                " values, feature has " + std::to_string(nodes.size()));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].*field = column.view()[i];
}

template <class T>
std::vector<T> ToVector(const Field<T>& values) {
  return {values.view().begin(), values.view().end()};
}

Tree TreeFromArrays(const py::dict& arrays) {
  Tree tree;
  tree.nodes.resize(Field<FeatureId>(arrays, "feature").view().size());
  FillColumn(arrays, "feature", &Tree::Node::feature, tree.nodes);
  FillColumn(arrays, "threshold", &Tree::Node::threshold, tree.nodes);
  FillColumn(arrays, "left", &Tree::Node::left, tree.nodes);
  FillColumn(arrays, "right", &Tree::Node::right, tree.nodes);
  FillColumn(arrays, "missing", &Tree::Node::missing, tree.nodes);
  tree.gains = ToVector(Field<float>(arrays, "gain"));
  tree.leaves = ToVector(Field<float>(arrays, "leaf"));
  if (arrays.contains("count")) tree.counts = ToVector(Field<std::uint32_t>(arrays, "count"));
  return tree;
}

Group GroupFromArrays(const py::dict& arrays) {
  Group group;
  group.weight = arrays["weight"].cast<double>();
  const auto reduction = arrays["reduction"].cast<std::string>();
  const Span<const char* const> names(kReductionNames, std::size(kReductionNames));
  group.reduction = static_cast<Reduction>(IndexOf(names, reduction, "reduction"));
  group.trees_per_round = arrays["trees_per_round"].cast<std::uint32_t>();
  for (const py::handle tree : arrays["trees"]) {
    group.trees.push_back(TreeFromArrays(tree.cast<py::dict>()));
  }
  return group;
}

py::dict LinearToArrays(const Linear& linear) {
  std::vector<FeatureId> features;
  std::vector<float> weights;
  for (const Linear::Term& term : linear.terms) {
    features.push_back(term.feature);
    weights.push_back(term.weight);
  }
  py::dict arrays;
  arrays["normalization"] = NormalizationName(linear.normalization);
  arrays["feature"] = ToArray(features);
  arrays["weight"] = ToArray(weights);
  return arrays;
}

Linear LinearFromArrays(const py::dict& arrays) {
  Linear linear;
  linear.normalization = ParseNormalization(arrays["normalization"].cast<std::string>());
  const Field<FeatureId> features(arrays, "feature");
  const Field<float> weights(arrays, "weight");
  if (features.view().size() != weights.view().size()) {
    throw std::invalid_argument("weight has " + std::to_string(weights.view().size()) +
                                " values, feature has " + std::to_string(features.view().size()));
  }
  for (std::size_t i = 0; i < features.view().size(); ++i) {
    linear.terms.push_back({features.view()[i], weights.view()[i]});
  }
  return linear;
}

py::list BlendsToArrays(const std::vector<Blend>& blends) {
  py::list list;
  for (const Blend& blend : blends) {
    py::list terms;
    for (const Blend::Term& term : blend.terms) {
      py::dict arrays;
      arrays["column"] = term.column;
      arrays["weight"] = term.weight;
      terms.append(arrays);
    }
    py::dict arrays;
    arrays["combine"] = CombineName(blend.combine);
    arrays["terms"] = terms;
    list.append(arrays);
  }
  return list;
}

std::vector<Blend> BlendsFromArrays(const py::object& list) {
  std::vector<Blend> blends;
  for (const py::handle each : list) {
    const auto arrays = each.cast<py::dict>();
    Blend blend{ParseCombine(arrays["combine"].cast<std::string>()), {}};
    for (const py::handle term : arrays["terms"]) {
      blend.terms.push_back({term["column"].cast<std::uint32_t>(), term["weight"].cast<double>()});
    }
    blends.push_back(std::move(blend));
  }
  return blends;
}

}  // namespace

const char* CombineName(Combine combine) { return kCombineNames[static_cast<int>(combine)]; }

Combine ParseCombine(const std::string& name) {
  const Span<const char* const> names(kCombineNames, std::size(kCombineNames));
  return static_cast<Combine>(IndexOf(names, name, "combine"));
}

py::dict ExitsToDict(const ExitSchedule& exits) {
  py::list points;
  for (const ExitPoint& point : exits.points) {
    py::dict of_point;
    of_point["round"] = point.round;
    of_point["fraction"] = point.fraction;
    of_point["margin"] =
        std::isfinite(point.margin) ? py::object(py::float_(point.margin)) : py::object(py::none());
    of_point["keep"] = point.keep > 0 ? py::object(py::int_(point.keep)) : py::object(py::none());
    points.append(of_point);
  }
  py::dict dict;
  dict["k"] = exits.k;
  dict["demote"] = exits.demote;
  dict["points"] = points;
  return dict;
}

ExitSchedule ExitsFromDict(const py::dict& dict) {
  ExitSchedule exits;
  exits.k = dict["k"].cast<std::uint32_t>();
  exits.demote = dict["demote"].cast<bool>();
  const bool is_set = dict.contains("scope") && dict["scope"].cast<std::string>() == "set";
  exits.scope = is_set ? ExitScope::kSet : ExitScope::kQuery;
  for (const py::handle each : dict["points"]) {
    ExitPoint point;
    point.round = each["round"].cast<std::uint32_t>();
    point.fraction = each["fraction"].cast<double>();
    if (!each["margin"].is_none()) point.margin = each["margin"].cast<double>();
    if (!each["keep"].is_none()) point.keep = each["keep"].cast<std::uint32_t>();
    exits.points.push_back(point);
  }
  return exits;
}

const char* NormalizationName(QueryNormalization kind) {
  return kNormalizationNames[static_cast<int>(kind)];
}

QueryNormalization ParseNormalization(const std::string& name) {
  const Span<const char* const> names(kNormalizationNames, std::size(kNormalizationNames));
  return static_cast<QueryNormalization>(IndexOf(names, name, "normalization"));
}

py::dict ToArrays(const Ensemble& model) {
  py::list members;
  for (const Member& member : model.members) {
    py::list groups;
    for (const Group& group : member.groups) {
      py::list trees;
      for (const Tree& tree : group.trees) trees.append(TreeToArrays(tree));
      py::dict arrays;
      arrays["weight"] = group.weight;
      arrays["reduction"] = kReductionNames[static_cast<int>(group.reduction)];
      arrays["trees_per_round"] = group.trees_per_round;
      arrays["trees"] = trees;
      groups.append(arrays);
    }
    py::dict arrays;
    arrays["base"] = member.base;
    arrays["groups"] = groups;
    if (!member.linear.empty()) arrays["linear"] = LinearToArrays(member.linear);
    members.append(arrays);
  }
  py::dict arrays;
  if (model.blends.empty()) {
    arrays["combine"] = CombineName(model.combine);
  } else {
    arrays["blends"] = BlendsToArrays(model.blends);
  }
  arrays["n_features"] = model.n_features;
  if (!model.exits.empty()) arrays["exits"] = ExitsToDict(model.exits);
  arrays["members"] = members;
  return arrays;
}

Ensemble FromArrays(const py::dict& arrays) {
  Ensemble model;
  if (arrays.contains("blends")) {
    model.blends = BlendsFromArrays(arrays["blends"]);
    if (model.blends.empty()) throw std::invalid_argument("there are no blends");
  } else {
    const Span<const char* const> names(kCombineNames, 3);  // zscore occurs in blends alone
    const auto combine = arrays["combine"].cast<std::string>();
    model.combine = static_cast<Combine>(IndexOf(names, combine, "combine"));
  }
  model.n_features = arrays["n_features"].cast<std::uint32_t>();
  if (arrays.contains("exits")) model.exits = ExitsFromDict(arrays["exits"]);
  for (const py::handle each : arrays["members"]) {
    const auto member_arrays = each.cast<py::dict>();
    Member member;
    member.base = member_arrays["base"].cast<double>();
    if (member_arrays.contains("linear")) {
      member.linear = LinearFromArrays(member_arrays["linear"].cast<py::dict>());
    }
    for (const py::handle group : member_arrays["groups"]) {
      member.groups.push_back(GroupFromArrays(group.cast<py::dict>()));
    }
    model.members.push_back(std::move(member));
  }
  Validate(model);
  return model;
}

}  // namespace rankforest::bindings
