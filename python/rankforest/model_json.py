"""The JSON form of a model.

An object with the keys

- ``format``: ``"rankforest model"``, and ``version``: 1;
- ``algorithm``: str; ``parameters`` and ``data_summary``: object, or null if unknown;
- ``feature_names``: list of str, or null; ``absent``: ``"zero"`` or ``"nan"``, what a feature is
  that LETOR text leaves out; ``index_base``: 0 or 1, the number of the first feature there;
- ``metadata``: object of str, texts of the user's own; left out where there are none;
- ``data_profile``: what the features of the training data were like, left out where the model does
  not know; an object with ``n_documents`` and ``features``, a list of objects with ``missing`` (a
  count), ``least`` and ``largest`` (null where every value is missing), ``edges`` (the upper ends of
  bins, which belong to them) and ``counts`` (documents in each bin, the last above all edges);
- ``ordinal``: of an ordinal model, else left out: an object with ``grades`` and ``members``, a list of
  objects with ``problem``, ``base`` and ``group_weights``, by which the trees of each member give the
  probability that a grade is at most ``grades[problem]``;
- ``categories``: left out where no feature is categorical, else a list of objects with ``feature``,
  ``levels`` (whole numbers, or texts; ascending), their float32 ``values``, and what stands for
  ``unseen`` levels and ``missing`` values; trees compare these numbers, not levels;
- ``unknown_sections``: sections that only a newer version knows, as base64;
- ``combine``: ``"sum"``, ``"minmax"`` or ``"borda"``; ``n_features``: int;
- ``blends``: in place of ``combine`` where members have weights, are standardised or are combined in
  steps; a list of objects with ``combine`` (as above, or ``"zscore"``) and ``terms``, a list of
  objects with ``column`` and ``weight``. Members are columns 0, 1, ...; each blend makes the next
  column, and the last one makes the score;
- ``exits``: when documents stop being scored, left out where they do not; an object with ``k``,
  ``demote`` and ``points``, a list of objects with ``round``, ``fraction``, ``margin`` and ``keep``
  (both null where there is no such rule), as for `rankforest.ExitSchedule`;
- ``members``: list of objects with ``base``, ``groups`` and, where the member has a linear part,
  ``linear``: an object with ``normalization`` (``"none"``, ``"sum"``, ``"minmax"`` or ``"zscore"``),
  ``features``, counted from 0, and their float32 ``weights``, in the order of summation; a group has ``weight``, ``reduction``
  (``"sum"`` or ``"mean"``), ``trees_per_round`` and ``trees``; a tree has ``nodes``, ``leaves`` and,
  where the model knows it, ``documents``, how many documents of its training each leaf had.

Node 0 of a tree is its root, or leaf 0 if there are no nodes. A node has ``feature``, counted from
0, ``threshold``, the children ``left`` (value <= threshold), ``right`` (value > threshold) and
``missing`` (NaN), and its ``gain``, which the nodes of a tree may lack. A child c >= 0 is node c,
c < 0 is leaf -1 - c; nodes and leaves are numbered in the order node, left, right, missing.
Thresholds, gains and leaves are float32, written as the shortest decimals that read back the same;
a threshold that no number is above is ``"inf"``.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from types import NoneType
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._model.category_json import categories_from_json, categories_to_json
from rankforest._model.ordinal_json import ordinal_from_json, ordinal_to_json
from rankforest._model.profile_json import profile_from_json, profile_to_json

_FORMAT = "rankforest model"
_VERSION = 1
_NODE_COLUMNS: dict[str, type[np.number[Any]]] = {
    "feature": np.uint32,
    "threshold": np.float32,
    "left": np.int32,
    "right": np.int32,
    "missing": np.int32,
    "gain": np.float32,
}


def canonical_json(values: object) -> str:
    """Spell parameters or a summary as model files hold them: one value, one spelling.

    Raises
    ------
    ValueError
        If they hold NaN or infinity.
    """
    return json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)


def to_json(ensemble: _core.Ensemble, info: _core.ModelInfo) -> str:
    """Give the JSON form, with one line for each node.

    Raises
    ------
    ValueError
        If the parameters or the summary in `info` are not JSON.
    """
    model = ensemble.to_arrays()
    head: dict[str, object] = {
        "format": _FORMAT,
        "version": _VERSION,
        "algorithm": info.algorithm,
        "parameters": _parse(info.parameters_json, "parameters") if info.parameters_json else None,
        "data_summary": _parse(info.summary_json, "data_summary") if info.summary_json else None,
        "feature_names": info.feature_names or None,
        "absent": "nan" if info.absent_is_nan else "zero",
        "index_base": info.index_base,
        **({"metadata": info.metadata} if info.metadata else {}),
        **({} if info.profile is None else {"data_profile": profile_to_json(info.profile)}),
        **({} if info.ordinal is None else {"ordinal": ordinal_to_json(info.ordinal)}),
        **({"categories": categories_to_json(info.categories)} if info.categories else {}),
        "unknown_sections": {
            name: base64.b64encode(content).decode() for name, content in info.unknown
        },
        **{key: model[key] for key in ("combine", "blends") if key in model},
        "n_features": model["n_features"],
        **({"exits": model["exits"]} if "exits" in model else {}),
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items()]
    members = ",\n".join(_member_text(member) for member in model["members"])
    return "{\n" + "".join(lines) + f' "members": [\n{members}]}}\n'


def from_json(text: str) -> tuple[_core.Ensemble, _core.ModelInfo]:
    """Read the JSON form.

    Returns
    -------
    ensemble, info
        What scores, and the rest.

    Raises
    ------
    ValueError
        If `text` is not JSON, or not all of it is valid; the message names the place.
    """
    values = _parse(text, "the model")
    if not isinstance(values, dict) or values.get("format") != _FORMAT:
        raise ValueError(f'not the JSON form of a rankforest model: "format" is not "{_FORMAT}"')
    if values.get("version") != _VERSION:
        raise ValueError(
            f"the JSON form has version {_shown(values.get('version'))}; this version of "
            f"rankforest reads version {_VERSION}"
        )
    model = _Object(values, "")
    model.take("format", str)
    model.take("version", int)
    info = _read_info(model)
    arrays = {
        **_read_combination(model),
        "n_features": model.take_uint32("n_features"),
        **({"exits": _read_exits(model.take_object("exits"))} if model.has("exits") else {}),
        "members": [_read_member(member) for member in model.take_objects("members")],
    }
    model.require_end()
    # Through the bytes of a model file, whose checks are all there are.
    return _core.Ensemble.from_bytes(_core.Ensemble.from_arrays(arrays).to_bytes(info))


def _parse(text: str, name: str) -> Any:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not a JSON number")

    try:
        values = json.loads(text, parse_constant=refuse)
        if re.search(r"\\u[dD][89a-fA-F]", text):  # half a character is no text that one can save
            json.dumps(values, ensure_ascii=False).encode()
        return values
    except RecursionError:
        raise ValueError(f"{name}: not valid JSON: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"{name}: not valid JSON: {error}") from error


def _member_text(member: dict[str, Any]) -> str:
    groups = ",\n".join(_group_text(group) for group in member["groups"])
    linear = _linear_text(member["linear"]) if "linear" in member else ""
    return f'  {{"base": {member["base"]!r}, {linear}"groups": [\n{groups}]}}'


def _linear_text(linear: dict[str, Any]) -> str:
    features, weights = (", ".join(_number_texts(linear[key])) for key in ("feature", "weight"))
    kind = f'"normalization": "{linear["normalization"]}"'
    return f'"linear": {{{kind},\n   "features": [{features}],\n   "weights": [{weights}]}},\n   '


def _group_text(group: dict[str, Any]) -> str:
    head = f'"weight": {group["weight"]!r}, "reduction": "{group["reduction"]}"'
    head += f', "trees_per_round": {group["trees_per_round"]}'
    trees = ",\n".join(_tree_text(tree) for tree in group["trees"])
    return f'   {{{head}, "trees": [\n{trees}]}}'


def _tree_text(tree: dict[str, npt.NDArray[Any]]) -> str:
    columns = [
        [f'"{name}": {number}' for number in _number_texts(tree[name])]
        for name in _NODE_COLUMNS
        if tree[name].size
    ]
    nodes = ",".join("\n      {" + ", ".join(fields) + "}" for fields in zip(*columns, strict=True))
    leaves = ", ".join(_number_texts(tree["leaf"]))
    counts = f',\n     "documents": {tree["count"].tolist()}' if "count" in tree else ""
    return f'    {{"nodes": [{nodes}],\n     "leaves": [{leaves}]{counts}}}'


def _number_texts(values: npt.NDArray[Any]) -> list[str]:
    if values.dtype != np.float32:
        return [str(value) for value in values.tolist()]
    # str gives the fewest digits that read back as the same float32, in a layout that differs
    # between versions of NumPy; repr of a Python float gives these digits in one layout.
    return [repr(float(str(value))) if value != np.inf else '"inf"' for value in values]


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _mismatch(where: str, expected: str, value: object) -> ValueError:
    return ValueError(f"{where}: expected {expected}, got {_shown(value)}")


class _Object:
    """An object of the JSON form, whose keys are taken one by one."""

    def __init__(self, values: dict[str, Any], where: str) -> None:
        self._left = dict(values)
        self._where = where

    def place(self, key: str) -> str:
        """Give the place of a key in the whole, such as ``members[0].base``."""
        return f"{self._where}.{key}" if self._where else key

    def has(self, key: str) -> bool:
        """Say whether there is a key, for those that may be left out."""
        return key in self._left

    def take(self, key: str, *kinds: type) -> Any:
        """Take the value of a key that must be there, of one of some types."""
        if key not in self._left:
            raise ValueError(f"{self.place(key)}: missing")
        value = self._left.pop(key)
        if type(value) not in kinds:
            names = " or ".join("null" if kind is NoneType else kind.__name__ for kind in kinds)
            raise _mismatch(self.place(key), names, value)
        return value

    def take_null(self, key: str) -> bool:
        """Take the value of a key if it is null, and say so."""
        is_null = key in self._left and self._left[key] is None
        if is_null:
            del self._left[key]
        return is_null

    def take_uint32(self, key: str) -> int:
        """Take a count."""
        value: int = self.take(key, int)
        if not 0 <= value < 2**32:
            raise _mismatch(self.place(key), "a number in [0, 2^32)", value)
        return value

    def take_float64(self, key: str) -> float:
        """Take a number."""
        value = self.take(key, int, float)
        try:
            return float(value)
        except OverflowError:
            raise _mismatch(self.place(key), "a finite number", value) from None

    def take_object(self, key: str) -> _Object:
        """Take an object."""
        return _Object(self.take(key, dict), self.place(key))

    def take_objects(self, key: str) -> Iterator[_Object]:
        """Take a list of objects."""
        for i, value in enumerate(self.take(key, list)):
            where = f"{self.place(key)}[{i}]"
            if not isinstance(value, dict):
                raise _mismatch(where, "an object", value)
            yield _Object(value, where)

    def require_end(self) -> None:
        """Raise a ValueError if a key is left."""
        for key in self._left:
            raise ValueError(f"{self.place(key)}: unknown key")


def _array(values: list[Any], dtype: type[np.number[Any]], where: str) -> npt.NDArray[Any]:
    """Make an array of JSON numbers; what float32 cannot hold becomes infinite."""
    whole = issubclass(dtype, np.integer)
    for i, value in enumerate(values):
        if type(value) is not int and (whole or type(value) is not float):
            kind = "a whole number" if whole else "a number"
            raise _mismatch(f"{where}[{i}]", kind, value)
    try:
        with np.errstate(over="ignore"):
            return np.array(values, dtype=dtype)
    except OverflowError:
        raise ValueError(f"{where}: a number does not fit {np.dtype(dtype)}") from None


def _read_info(model: _Object) -> _core.ModelInfo:
    names = model.take("feature_names", list, NoneType) or []
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise _mismatch(f"feature_names[{i}]", "str", name)
    absent = model.take("absent", str)
    if absent not in {"zero", "nan"}:
        raise _mismatch("absent", '"zero" or "nan"', absent)
    parameters = model.take("parameters", dict, NoneType)
    summary = model.take("data_summary", dict, NoneType)
    unknown = model.take("unknown_sections", dict).items()
    return _core.ModelInfo(
        feature_names=names,
        absent_is_nan=absent == "nan",
        index_base=model.take_uint32("index_base"),
        algorithm=model.take("algorithm", str),
        parameters_json="" if parameters is None else canonical_json(parameters),
        summary_json="" if summary is None else canonical_json(summary),
        metadata=_read_metadata(model),
        profile=profile_from_json(model.take("data_profile", dict))
        if model.has("data_profile")
        else None,
        ordinal=ordinal_from_json(model.take("ordinal", dict)) if model.has("ordinal") else None,
        categories=categories_from_json(model.take("categories", list))
        if model.has("categories")
        else [],
        unknown=[(name, _decode_section(name, content)) for name, content in unknown],
    )


def _read_metadata(model: _Object) -> dict[str, str]:
    if not model.has("metadata"):
        return {}
    metadata: dict[str, str] = model.take("metadata", dict)
    for key, value in metadata.items():
        if not isinstance(value, str):
            raise _mismatch(f"metadata.{key}", "str", value)
    return metadata


def _decode_section(name: str, content: object) -> bytes:
    try:
        return base64.b64decode(content, validate=True)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise _mismatch(f"unknown_sections.{name}", "base64", content) from None


def _thresholds(values: list[Any], where: str) -> npt.NDArray[Any]:
    array = _array([float("inf") if v == "inf" else v for v in values], np.float32, where)
    for i in np.flatnonzero(np.isinf(array)):
        if values[i] != "inf":
            raise _mismatch(f"{where}[{i}]", 'a float32 or "inf"', values[i])
    return array


def _read_combination(model: _Object) -> dict[str, Any]:
    if not model.has("blends"):
        return {"combine": model.take("combine", str)}
    blends = [
        {"combine": blend.take("combine", str), "terms": _read_terms(blend)}
        for blend in _ended(model.take_objects("blends"))
    ]
    return {"blends": blends}


def _read_exits(exits: _Object) -> dict[str, Any]:
    values = {
        "k": exits.take_uint32("k"),
        "demote": exits.take("demote", bool),
        "points": [_read_exit(point) for point in _ended(exits.take_objects("points"))],
    }
    exits.require_end()
    return values


def _read_exit(point: _Object) -> dict[str, Any]:
    return {
        "round": point.take_uint32("round"),
        "fraction": point.take_float64("fraction"),
        "margin": None if point.take_null("margin") else point.take_float64("margin"),
        "keep": None if point.take_null("keep") else point.take_uint32("keep"),
    }


def _read_terms(blend: _Object) -> list[dict[str, Any]]:
    return [
        {"column": term.take_uint32("column"), "weight": term.take_float64("weight")}
        for term in _ended(blend.take_objects("terms"))
    ]


def _ended(objects: Iterator[_Object]) -> Iterator[_Object]:
    """Give objects one by one, each of which must have been taken whole before the next."""
    for each in objects:
        yield each
        each.require_end()


def _read_member(member: _Object) -> dict[str, Any]:
    values = {
        "base": member.take_float64("base"),
        "groups": [_read_group(group) for group in member.take_objects("groups")],
    }
    if member.has("linear"):
        values["linear"] = _read_linear(member)
    member.require_end()
    return values


def _read_linear(member: _Object) -> dict[str, Any]:
    linear = _Object(member.take("linear", dict), member.place("linear"))
    arrays = {
        "normalization": linear.take("normalization", str),
        "feature": _array(linear.take("features", list), np.uint32, linear.place("features")),
        "weight": _array(linear.take("weights", list), np.float32, linear.place("weights")),
    }
    linear.require_end()
    return arrays


def _read_group(group: _Object) -> dict[str, Any]:
    values = {
        "weight": group.take_float64("weight"),
        "reduction": group.take("reduction", str),
        "trees_per_round": group.take_uint32("trees_per_round"),
        "trees": [_read_tree(tree) for tree in group.take_objects("trees")],
    }
    group.require_end()
    return values


def _read_tree(tree: _Object) -> dict[str, npt.NDArray[Any]]:
    nodes = tree.take("nodes", list)
    where = tree.place("nodes")
    has_gains = bool(nodes) and isinstance(nodes[0], dict) and "gain" in nodes[0]
    columns = [name for name in _NODE_COLUMNS if has_gains or name != "gain"]
    for i, node in enumerate(nodes):
        if not isinstance(node, dict) or node.keys() != set(columns):
            keys = f"an object with the keys {', '.join(columns)}"
            raise _mismatch(f"{where}[{i}]", keys, node)
    arrays = {
        name: _array([node[name] for node in nodes if name in node], dtype, f"{where}.{name}")
        for name, dtype in _NODE_COLUMNS.items()
        if name != "threshold"
    }
    arrays["threshold"] = _thresholds([node["threshold"] for node in nodes], f"{where}.threshold")
    arrays["leaf"] = _array(tree.take("leaves", list), np.float32, tree.place("leaves"))
    if tree.has("documents"):
        place = tree.place("documents")
        arrays["count"] = _array(tree.take("documents", list), np.uint32, place)
    tree.require_end()
    return arrays
