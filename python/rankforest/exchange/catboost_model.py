"""CatBoost's models: its JSON, and its binary form through the `catboost` package.

A number goes right if it is above the border, in float32; each feature says where its NaN goes. A
score is ``scale * sum + bias``, in double.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from rankforest.exchange.extras import required
from rankforest.exchange.forest import BLANK, Forest, Row, TreeTable, checked, leaf_row, table_of
from rankforest.exchange.places import Place, parsed

_MOST_DEPTH = 16  # CatBoost's own limit of oblivious trees


def read_catboost(content: bytes) -> Forest:
    """Read JSON.

    Raises
    ------
    ValueError
        If it is not valid, or has several outputs or splits on anything but numbers; the message
        has the place.
    """
    model = Place(parsed(content))
    features = _Features(model["features_info"])
    scale, bias = _scale_and_bias(model["scale_and_bias"])
    if model.has("oblivious_trees"):
        trees = [_oblivious(place, features, scale) for place in model["oblivious_trees"].items()]
    else:
        trees = [_nested(place, features, scale) for place in model["trees"].items()]
    return Forest(
        tuple(checked(tree, f"tree {i}", features.count) for i, tree in enumerate(trees)),
        features.count,
        base=bias,
        feature_names=features.names,
        algorithm="catboost",
    )


def read_cbm(content: bytes) -> Forest:
    """Read the binary form.

    Raises
    ------
    ImportError
        If `catboost` is not installed.
    ValueError
        If CatBoost does not read it, or `read_catboost` not what it makes of it.
    """
    catboost = required("catboost")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.cbm")
        path.write_bytes(content)
        model = catboost.CatBoost()
        try:
            model.load_model(str(path))
        except catboost.CatBoostError as error:
            raise ValueError(f"CatBoost does not read it: {error}") from None
        return read_catboost(json_of(model))


def json_of(model: Any) -> bytes:
    """Return the JSON of a live model of CatBoost."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.json")
        model.save_model(str(path), format="json")
        return path.read_bytes()


class _Features:
    """The column of each float feature, and whether its NaN goes right."""

    def __init__(self, info: Place) -> None:
        info.require(
            not info.has("categorical_features") or len(info["categorical_features"]) == 0,
            "no categorical features, which cannot be read",
        )
        self.columns: dict[int, int] = {}
        self.nan_right: dict[int, bool] = {}
        names: dict[int, str] = {}
        for place in info["float_features"].items():
            number = place["feature_index"].whole()
            place["feature_index"].require(number not in self.columns, "an index of its own")
            column = place["flat_feature_index"].whole()
            self.columns[number] = column
            treatment = place["nan_value_treatment"]
            treatment.require(treatment.value in {"AsIs", "AsFalse", "AsTrue"}, "AsFalse or AsTrue")
            self.nan_right[number] = treatment.value == "AsTrue"
            names[column] = place["feature_id"].text() if place.has("feature_id") else ""
        self.count = max(self.columns.values(), default=0) + 1
        info.require(self.count <= len(self.columns) + 1_000_000, "columns near one another")
        given = tuple(names.get(i, "") for i in range(self.count))
        self.names = given if all(given) and len(set(given)) == len(given) else ()

    def test(self, split: Place) -> tuple[int, float, bool]:
        """Return column, border and whether NaN goes right."""
        if split.has("split_type"):
            kind = split["split_type"]
            kind.require(kind.value == "FloatFeature", "FloatFeature: numbers are all that is read")
        number = split["float_feature_index"]
        number.require(number.whole() in self.columns, "the index of a float feature")
        border = float(np.float32(split["border"].number()))
        return self.columns[number.value], border, self.nan_right[number.value]


def _scale_and_bias(place: Place) -> tuple[float, float]:
    items = list(place.items())
    place.require(len(items) == 2, "a scale and a list of biases")
    biases = items[1]
    if isinstance(biases.value, list):
        biases.require(len(biases) == 1, "one bias: one score for a document")
        biases = next(biases.items())
    bias = biases.number()
    biases.require(bool(np.isfinite(bias)), "a finite number")
    return items[0].number(), bias


def _oblivious(place: Place, features: _Features, scale: float) -> TreeTable:
    """Unfold a tree: bit i of a leaf's number says whether the value is above border i."""
    splits = [] if place["splits"].value is None else list(place["splits"].items())
    place["splits"].require(len(splits) <= _MOST_DEPTH, f"at most {_MOST_DEPTH} splits")
    tests = [features.test(split) for split in splits]
    values = place["leaf_values"].numbers(2 ** len(tests)) * scale
    depth = len(tests)
    rows: list[Row] = []
    for level in range(depth - 1, -1, -1):  # the last split is the root's: the highest bit
        column, border, nan_right = tests[level]
        first = 2 ** (depth - level) - 1
        for k in range(2 ** (depth - 1 - level)):
            left = first + 2 * k
            rows.append((column, border, left, left + 1, left + nan_right, 0.0))
    rows += [leaf_row(float(value)) for value in values]
    return table_of(rows)


def _nested(place: Place, features: _Features, scale: float) -> TreeTable:
    rows: list[Row] = [BLANK]
    waiting = [(place, 0)]
    while waiting:
        at, row = waiting.pop()
        if at.has("value"):
            rows[row] = leaf_row(scale * at["value"].number())
            continue
        column, border, nan_right = features.test(at["split"])
        first = len(rows)
        rows += [BLANK] * 2
        rows[row] = (column, border, first, first + 1, first + nan_right, 0.0)
        waiting += [(at["right"], first + 1), (at["left"], first)]
    return table_of(rows)
