#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/query_normalization.hpp"

namespace rankforest::bindings {

namespace py = pybind11;

/// "none", "sum", "minmax" or "zscore".
const char* NormalizationName(QueryNormalization kind);

/// The reverse. Throws std::invalid_argument for any other name.
QueryNormalization ParseNormalization(const std::string& name);

/// "sum", "minmax", "borda" or "zscore".
const char* CombineName(Combine combine);

/// The reverse. Throws std::invalid_argument for any other name.
Combine ParseCombine(const std::string& name);

/// Exits as a dict:
///
///   {"k": int, "demote": bool, "points": [
///     {"round": int, "fraction": float, "margin": float or None, "keep": int or None}]}
///
/// where None is no such rule.
py::dict ExitsToDict(const ExitSchedule& exits);

/// The reverse; a key "scope", "query" or "set", may be there, too. Still to be checked.
ExitSchedule ExitsFromDict(const py::dict& dict);

/// An ensemble as dicts and arrays:
///
///   {"combine": "sum" | "minmax" | "borda", "n_features": int, "members": [
///     {"base": float, "groups": [
///       {"weight": float, "reduction": "sum" | "mean", "trees_per_round": int, "trees": [
///         {"feature": uint32[n], "threshold": float32[n], "left": int32[n], "right": int32[n],
///          "missing": int32[n], "gain": float32[n] or float32[0], "leaf": float32[m]}]}]}]}
///
/// A member with a linear part (core/linear.hpp) also has
///
///   "linear": {"normalization": "none" | "sum" | "minmax" | "zscore", "feature": uint32[n],
///              "weight": float32[n]}
///
/// A model with blends has, in place of "combine",
///
///   "blends": [{"combine": as above or "zscore", "terms": [{"column": int, "weight": float}]}]
///
/// with columns as in core/blend.hpp; one with exits has "exits", as above; and there are n inner
/// nodes and m leaves, numbered as in core/tree.hpp: a child c >= 0 is node c, c < 0 is leaf -1 -
/// c.
py::dict ToArrays(const Ensemble& model);

/// The reverse. Throws std::invalid_argument or a Python error for what is missing or is no valid
/// ensemble.
Ensemble FromArrays(const py::dict& arrays);

}  // namespace rankforest::bindings
