"""A model as a C++ header that needs nothing but the standard library.

The header holds the trees as arrays and walks them, one document at a time: for programs into which
nothing else can be linked. It gives the bits of `Model.predict`, and a function of it says so on
documents of its own. `CompiledScorer` of the C++ library scores many times as fast.
"""

from __future__ import annotations

import re
import textwrap
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core

_N_TESTS = 32  # documents
_IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"
# Words of C++ itself, and `std`.
_RESERVED = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast std struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile
    wchar_t while xor xor_eq
"""


def check_namespace(name: str) -> None:
    """Raise a ValueError unless C++ takes `name` for a namespace."""
    if not re.fullmatch(rf"{_IDENTIFIER}(::{_IDENTIFIER})*", name):
        raise ValueError(f"a namespace must be a name such as my_model or a::b, got {name!r}")
    if reserved := set(_RESERVED.split()).intersection(name.split("::")):
        raise ValueError(f"a namespace cannot be called {min(reserved)!r}, a word of C++ itself")


def to_cpp(ensemble: _core.Ensemble, info: _core.ModelInfo, namespace: str = "ranker") -> str:
    """Give the text of the header.

    Parameters
    ----------
    ensemble, info
        As `rankforest.model_file.read_model` returns them.
    namespace : str, default="ranker"
        What the header puts its names in.

    Raises
    ------
    ValueError
        If C++ does not take `namespace` for one, if the model has categorical features, or if its
        scores depend on whole queries, which takes all documents of a query at once.
    """
    check_namespace(namespace)
    if info.categories:
        raise ValueError(
            "the model has categorical features, whose levels a header does not know: write the "
            "header of model.without_categories(), and give it the numbers of model.encode"
        )
    if not ensemble.is_sum:
        raise ValueError(
            f"the model combines its members within queries ({ensemble.combine}); only one that "
            "sums them can be written as a header"
        )
    if not ensemble.scores_in_part:
        raise ValueError(
            "the model normalises features within queries (query_normalization); only one that "
            "looks at single documents can be written as a header"
        )
    if ensemble.needs_queries:
        raise ValueError(
            "the scores of a model with exits depend on whole queries, which a header does not see; "
            "with_exits(None) leaves the exits out"
        )
    arrays = _Arrays(ensemble)
    values, scores = _tests(ensemble, arrays)
    linear = _linear(arrays) if ensemble.has_linear else {}
    return _TEMPLATE.format(
        version=_core.__version__,
        algorithm=_printable(info.algorithm or "unknown"),
        n_trees=ensemble.n_trees,
        n_features=ensemble.n_features,
        namespace=namespace,
        names=_names(info.feature_names),
        nodes=_array("Node", "kNodes", arrays.nodes),
        leaves=_array("float", "kLeaves", map(_float_text, arrays.leaves)),
        roots=_array("std::int32_t", "kRoots", arrays.roots),
        members=_array("Member", "kMembers", arrays.members),
        n_members=len(arrays.members),
        tested=_array("std::uint32_t", "kTestedFeatures", arrays.features),
        n_tested=len(arrays.features),
        n_tests=_N_TESTS,
        values=_array(
            "std::uint32_t", "kTestValues", (f"{x:#x}" for x in values.view(np.uint32).flat)
        ),
        scores=_array("std::uint64_t", "kTestScores", (f"{x:#x}" for x in scores.view(np.uint64))),
        **{
            place: linear.get(place, "") for place in ("linear_ends", "linear_arrays", "linear_sum")
        },
        add_linear=linear.get("add_linear", ""),
    )


class _Arrays:
    """All trees of a model, one behind the other, as the header holds them."""

    def __init__(self, ensemble: _core.Ensemble) -> None:
        self.nodes: list[str] = []
        self.leaves: list[np.float32] = []  # what each adds to a score
        self.roots: list[int] = []
        self.members: list[str] = []
        self.thresholds: dict[int, set[np.float32]] = {}  # of each feature
        self.terms: list[str] = []  # of linear parts
        self.n_terms: list[int] = []  # of each member
        for member in ensemble.to_arrays()["members"]:
            terms = member.get("linear", {"feature": [], "weight": []})
            self.n_terms.append(len(terms["feature"]))
            for feature, weight in zip(terms["feature"], terms["weight"], strict=True):
                self.thresholds.setdefault(int(feature), set()).add(np.float32(1.5))
                self.terms.append(f"{{{feature}, {_float_text(weight)}}}")
        for member in ensemble.to_arrays()["members"]:
            first = len(self.roots)
            for group in member["groups"]:
                divisor = len(group["trees"]) if group["reduction"] == "mean" else 1
                for tree in group["trees"]:
                    self._add(tree, group["weight"] / divisor)
            values = [repr(member["base"]), str(first), str(len(self.roots))]
            if ensemble.has_linear:
                begin = sum(self.n_terms[: len(self.members)])
                values += [str(begin), str(begin + self.n_terms[len(self.members)])]
            self.members.append("{" + ", ".join(values) + "}")
        self.features = sorted(self.thresholds)

    def _add(self, tree: dict[str, npt.NDArray[Any]], weight: float) -> None:
        first_node, first_leaf = len(self.nodes), len(self.leaves)
        self.roots.append(first_node if len(tree["feature"]) else ~first_leaf)
        columns = (tree["feature"], tree["threshold"], tree["left"], tree["right"], tree["missing"])
        for feature, threshold, *children in zip(*columns, strict=True):
            self.thresholds.setdefault(int(feature), set()).add(threshold)
            places = [int(c) + first_node if c >= 0 else int(c) - first_leaf for c in children]
            texts = [_float_text(threshold), str(feature), *map(str, places)]
            self.nodes.append("{" + ", ".join(texts) + "}")
        self.leaves += list((weight * tree["leaf"].astype(np.float64)).astype(np.float32))


def _tests(
    ensemble: _core.Ensemble, arrays: _Arrays
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """Make documents of values on thresholds, next to them and of every other kind.

    Returns
    -------
    values : ndarray of float32, shape (n_documents, n_features looked at)
    scores : ndarray of float64, shape (n_documents,)
    """
    others = np.array([0.0, -0.0, 1e-45, np.inf, -np.inf, np.nan], dtype=np.float32)
    values = np.zeros((_N_TESTS, len(arrays.features)), dtype=np.float32)
    for i, feature in enumerate(arrays.features):
        on = np.array(sorted(arrays.thresholds[feature]), dtype=np.float32)
        with np.errstate(over="ignore"):  # beyond the largest number is infinity
            sides = [np.nextafter(on, np.float32(side)) for side in (-np.inf, np.inf)]
        pool = np.concatenate([on, *sides, others])
        for d in range(_N_TESTS):  # a choice that no version of NumPy changes
            values[d, i] = pool[zlib.crc32(f"{d},{feature}".encode()) % len(pool)]
    X = np.zeros((_N_TESTS, ensemble.n_features), dtype=np.float32)
    X[:, arrays.features] = values
    return values, ensemble.predict(X, None, 1)


def _float_text(value: np.float32) -> str:
    """Spell a float32 by the fewest digits that C++ reads as the same number."""
    if value == np.inf:
        return "std::numeric_limits<float>::infinity()"
    return repr(float(str(value))) + "F"


def _array(kind: str, name: str, items: Iterable[object]) -> str:
    """Declare an array; one item of zeros if there is none, since C++ has no empty arrays."""
    text = ", ".join(map(str, items)) or "{}"
    return f"inline constexpr {kind} {name}[] = {{\n{_wrapped(text)}}};"


def _wrapped(text: str) -> str:
    return textwrap.fill(
        text, 96, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
    )


def _linear(arrays: _Arrays) -> dict[str, str]:
    """Give what the header has of linear parts, by place."""
    return {
        "linear_ends": "  std::size_t first_term;  // of the linear part\n  std::size_t last_term;\n",
        "linear_arrays": _TERM + _array("Term", "kTerms", arrays.terms) + "\n",
        "linear_sum": _LINEAR_SUM,
        "add_linear": "  score += LinearSum(member, features);\n",
    }


def _names(names: Sequence[str]) -> str:
    """Declare the names of the features, if there are any."""
    if not names:
        return ""
    texts = ",\n".join(f"    {_literal(name)}" for name in names)
    return f"\ninline constexpr const char* kFeatureNames[kFeatures] = {{\n{texts}}};\n"


def _literal(text: str) -> str:
    """Quote a text for C++, in bytes of UTF-8."""
    plain = {b for b in range(0x20, 0x7F) if chr(b) not in '"\\?'}  # ?? may start a trigraph
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in text.encode()) + '"'


def _printable(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text)


_TERM = """
/// A feature and its weight.
struct Term {
  std::uint32_t feature;
  float weight;
};

"""

_LINEAR_SUM = """
/// NaN counts as 0, an infinity as the largest number of its sign. The product of two floats is exact
/// in double.
inline double LinearSum(const Member& member, const float* features) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  double s[8] = {};
  for (std::size_t i = member.first_term; i < member.last_term; ++i) {
    const float x = features[kTerms[i].feature];
    const float value = x > kLargest ? kLargest : x < -kLargest ? -kLargest : x == x ? x : 0.0F;
    s[(i - member.first_term) % 8] +=
        static_cast<double>(kTerms[i].weight) * static_cast<double>(value);
  }
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}
"""

_TEMPLATE = """\
// A ranking model ({algorithm}): {n_trees} trees over {n_features} features. Written by rankforest \
{version}; do not edit.
//
// Score() gives the scores of rankforest to the last bit; SelfTest() says whether it does in this
// build. Needs C++17 and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#ifdef __FAST_MATH__
#error "this model promises the same bits everywhere: build it without -ffast-math"
#endif

namespace {namespace} {{

/// Values that each document has; NaN is a missing value.
inline constexpr std::size_t kFeatures = {n_features};
{names}
namespace detail {{

/// A split: c >= 0 is node c, c < 0 is leaf ~c.
struct Node {{
  float threshold;
  std::uint32_t feature;
  std::int32_t left;     // value <= threshold
  std::int32_t right;    // value > threshold
  std::int32_t missing;  // NaN
}};

/// Trees that are added up, from `first` to `last` - 1.
struct Member {{
  double base;
  std::size_t first;
  std::size_t last;
{linear_ends}}};

{nodes}

{leaves}

{roots}

{members}
{linear_arrays}{linear_sum}
inline double MemberScore(const Member& member, const float* features) {{
  double score = member.base;
{add_linear}  for (std::size_t t = member.first; t < member.last; ++t) {{
    std::int32_t child = kRoots[t];
    while (child >= 0) {{
      const Node& node = kNodes[child];
      const float x = features[node.feature];
      child = x <= node.threshold ? node.left : x > node.threshold ? node.right : node.missing;
    }}
    score += static_cast<double>(kLeaves[~child]);
  }}
  return score;
}}

}}  // namespace detail

/// The score of a document of kFeatures values; higher ranks first.
inline double Score(const float* features) {{
  double score = detail::MemberScore(detail::kMembers[0], features);
  for (std::size_t j = 1; j < {n_members}; ++j) {{
    score += detail::MemberScore(detail::kMembers[j], features);
  }}
  return score;
}}

/// The scores of documents: value f of document d is features[d * row_stride + f].
inline void Score(const float* features, std::size_t n_documents, std::size_t row_stride,
                  double* scores) {{
  for (std::size_t d = 0; d < n_documents; ++d) scores[d] = Score(features + d * row_stride);
}}

namespace detail {{

{tested}

// The bits of these features' values in each test document, and of its score.
{values}

{scores}

}}  // namespace detail

/// Whether the test documents get the scores that rankforest gave them, to the last bit.
inline bool SelfTest() {{
  std::vector<float> features(kFeatures + 1);
  const std::uint32_t* value = detail::kTestValues;
  for (const std::uint64_t expected : detail::kTestScores) {{
    for (std::size_t i = 0; i != {n_tested}; ++i, ++value) {{
      std::memcpy(&features[detail::kTestedFeatures[i]], value, sizeof *value);
    }}
    const double score = Score(features.data());
    std::uint64_t bits = 0;
    std::memcpy(&bits, &score, sizeof bits);
    if (bits != expected) return false;
  }}
  return true;
}}

}}  // namespace {namespace}
"""
