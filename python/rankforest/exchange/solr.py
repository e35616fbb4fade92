"""Solr's MultipleAdditiveTreesModel: written, and read to check what was written.

A number goes left if it is up to the threshold plus 1e-6, which is added in float32; a score is a
sum in float32 of products in float32. A feature that a document lacks is 0, and there is no missing
value. Features are known by name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankforest.exchange.forest import (
    BLANK,
    LEAF,
    Forest,
    Row,
    TreeTable,
    checked,
    leaf_row,
    table_of,
)
from rankforest.exchange.from_model import with_base_in_trees
from rankforest.exchange.nested_text import nested_text
from rankforest.exchange.places import Place, parsed
from rankforest.exchange.thresholds import SOLR_SLACK, for_solr, shortest32

_CLASS = "org.apache.solr.ltr.model.MultipleAdditiveTreesModel"


def sayable_by_solr(forest: Forest) -> tuple[Forest, list[str]]:
    """Return the forest with thresholds that Solr's sums of float32 can be, and what changed."""
    changed = 0
    trees = []
    for tree in forest.trees:
        limits, exact = for_solr(tree.threshold)
        changed += int((~exact & (tree.feature != LEAF)).sum())
        trees.append(replace(tree, threshold=np.where(exact, tree.threshold, limits + SOLR_SLACK)))
    if not changed:
        return forest, []
    note = (
        f"Solr adds 1e-6 to thresholds in float32, and {changed} of them are no such sum: the next "
        "lower one stands for each, less than 1e-6 below"
    )
    return replace(forest, trees=tuple(trees)), [note]


def prepared_for_solr(forest: Forest) -> Forest:
    """Return the forest as Solr holds it, before it adds its slack."""
    whole = with_base_in_trees(forest)
    trees = [
        replace(tree, threshold=for_solr(tree.threshold)[0].astype(np.float64))
        for tree in whole.trees
    ]
    return replace(whole, trees=tuple(trees), total=np.float32)


def solr_json(forest: Forest, names: Sequence[str], name: str, store: str | None) -> str:
    """Give the JSON that is uploaded to Solr's model store.

    Parameters
    ----------
    forest : Forest
        Of `prepared_for_solr`, of one that is `sayable_by_solr`.
    names : sequence of str
        Of all columns, as the features of the feature store are called.
    name : str
        Of the model.
    store : str or None
        The feature store; None for Solr's default.
    """
    used = sorted({int(f) for tree in forest.trees for f in tree.feature} - {LEAF})
    head = {"class": _CLASS, "name": name, **({} if store is None else {"store": store})}
    features = [{"name": names[i]} for i in used]
    trees = ",\n".join(
        f'{{"weight": "1", "root": {_tree_text(tree, names)}}}' for tree in forest.trees
    )
    return (
        f'{json.dumps(head)[:-1]}, "features": {json.dumps(features)},\n'
        f'"params": {{"trees": [\n{trees}]}}}}\n'
    )


def _tree_text(tree: TreeTable, names: Sequence[str]) -> str:
    """Write a tree. Numbers are strings, which every version takes."""

    def leaf(row: int) -> str:
        return f'{{"value": "{shortest32(tree.value[row])}"}}'

    def node(row: int) -> tuple[str, str, str]:
        limit = tree.threshold[row]
        text = shortest32(limit) if np.isfinite(limit) else "Infinity"
        name = json.dumps(names[tree.feature[row]])
        return f'{{"feature": {name}, "threshold": "{text}", "left": ', ', "right": ', "}"

    return nested_text(tree, leaf, node)


def read_solr(content: bytes, names: Sequence[str]) -> Forest:
    """Read a model with Solr's rules: thresholds with their slack, weights of trees in float32.

    Parameters
    ----------
    content : bytes
        JSON.
    names : sequence of str
        Of all columns.
    """
    model = Place(parsed(content))
    kind = model["class"]
    kind.require(kind.text() == _CLASS, _CLASS)
    columns = {name: i for i, name in enumerate(names)}
    known = {place["name"].text() for place in model["features"].items()}
    trees = [
        _table(place["root"], np.float32(place["weight"].number()), columns, known)
        for place in model["params"]["trees"].items()
    ]
    width = len(names)
    checked_trees = tuple(checked(tree, f"tree {i}", width) for i, tree in enumerate(trees))
    return Forest(
        checked_trees, width, total=np.float32, feature_names=tuple(names), algorithm="solr"
    )


def _table(root: Place, weight: np.float32, columns: dict[str, int], known: set[str]) -> TreeTable:
    rows: list[Row] = [BLANK]
    waiting = [(root, 0)]
    while waiting:
        place, row = waiting.pop()
        if not place.has("feature"):
            value = weight * np.float32(place["value"].number())
            rows[row] = leaf_row(float(value))
            continue
        feature = place["feature"]
        feature.require(feature.text() in known and feature.text() in columns, "a listed feature")
        limit = np.float32(place["threshold"].number()) + SOLR_SLACK
        first = len(rows)
        rows += [BLANK] * 2
        side = first if limit >= 0 else first + 1
        column = columns[feature.text()]
        rows[row] = (column, float(limit), first, first + 1, side, 0.0)
        waiting += [(place["right"], first + 1), (place["left"], first)]
    return table_of(rows)
