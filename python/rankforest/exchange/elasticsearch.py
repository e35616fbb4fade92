"""Models for the learning to rank plugin of Elasticsearch and OpenSearch, in its two forms of trees.

What is written is the body of the request that creates a model. ``model/ranklib`` knows features by
their position in the feature set, ``model/xgboost+json`` by name; the latter ignores base scores,
so the base becomes trees.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankforest.exchange.forest import LARGEST, LEAF, Forest, constant
from rankforest.exchange.from_model import with_base_in_trees, with_tests_of_missing
from rankforest.exchange.places import Place, parsed
from rankforest.exchange.ranklib import ranklib_text, read_ranklib
from rankforest.exchange.xgboost_dump import dump_text, forest_of_dump
from rankforest.exchange.xgboost_model import with_strict_tests

_RANKLIB, _XGBOOST = "model/ranklib", "model/xgboost+json"


def for_dump(forest: Forest) -> Forest:
    """Return the forest as a dump of XGBoost holds it: strict tests, and no base."""
    whole = with_tests_of_missing(with_base_in_trees(forest))
    trees = tuple(with_strict_tests(tree, all_from=LARGEST) for tree in whole.trees)
    return replace(whole, trees=trees, test="<", total=np.float32)


def shifted(forest: Forest) -> tuple[Forest, float]:
    """Add a constant tree so that no score is negative, and return what it adds.

    Lucene refuses negative scores. The bound is the sum of the lowest leaves, in double, raised a
    little for the rounding of float32 sums.
    """
    lows = [float(tree.value[tree.feature == LEAF].min()) for tree in forest.trees]
    low = forest.base + sum(lows)
    size = abs(forest.base) + sum(map(abs, lows))
    rounding = size * (len(lows) + 2) * 2.0**-23
    if low - rounding >= 0:
        return forest, 0.0
    shift = float(np.nextafter(np.float32(rounding - low), np.float32(np.inf)))
    return replace(forest, trees=(constant(shift), *forest.trees)), shift


def check_feature_set(
    names: Sequence[str] | None, feature_set: Sequence[str], *, by_position: bool, n_features: int
) -> None:
    """Raise a ValueError unless a feature set has the model's columns, in order where that counts.

    Parameters
    ----------
    names : sequence of str or None
        Of the model's columns, where they are known.
    feature_set : sequence of str
        The names of the features of the set, in its order.
    by_position : bool
        Whether the form knows features by position.
    n_features : int
        Columns of the model.
    """
    if len(set(feature_set)) < len(feature_set):
        raise ValueError("feature_set: a name stands in it twice")
    if by_position:
        if len(feature_set) < n_features:
            raise ValueError(
                f"feature_set has {len(feature_set)} features, but the model has {n_features} columns"
            )
        for i, (name, other) in enumerate(zip(names or (), feature_set, strict=False), start=1):
            if name != other:
                raise ValueError(
                    f"feature_set: feature {i} is {other!r}, but column {i} of the model is "
                    f"{name!r}; model/ranklib knows features by position"
                )
        return
    for name in names or ():
        if name not in feature_set:
            raise ValueError(f"feature_set lacks {name!r}, a feature of the model")


def ranklib_body(forest: Forest, name: str) -> str:
    """Give the body for a forest of `rankforest.exchange.ranklib.for_ranklib`."""
    return _body(name, _RANKLIB, ranklib_text(forest))


def xgboost_body(forest: Forest, names: Sequence[str], name: str) -> str:
    """Give the body for a forest of `for_dump`."""
    return _body(name, _XGBOOST, dump_text(forest.trees, names))


def _body(name: str, kind: str, definition: str) -> str:
    model = {"name": name, "model": {"type": kind, "definition": definition}}
    return json.dumps({"model": model}) + "\n"


def read_body(content: bytes, names: Sequence[str]) -> Forest:
    """Read a body of either form, to check what was written."""
    model = Place(parsed(content))["model"]["model"]
    definition = model["definition"].text()
    if model["type"].text() == _RANKLIB:
        return read_ranklib(definition)
    place = Place(parsed(definition), f"{model.where}.definition")
    return forest_of_dump(place, names)
