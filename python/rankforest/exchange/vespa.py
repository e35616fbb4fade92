"""Models for Vespa: XGBoost's JSON dump and LightGBM's JSON, whose features are rank features.

Vespa makes an expression of either, and evaluates it in double. Of XGBoost's form a number goes
left if it is below the threshold, which it rounds to float32. Of LightGBM's form, too, in the
releases at hand, where LightGBM itself goes left up to the threshold; so a threshold is written that
lies between two float32 numbers, with which both rules do the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankforest.exchange.forest import (
    BLANK,
    LARGEST,
    LEAF,
    Forest,
    Row,
    TreeTable,
    checked,
    leaf_row,
    table_of,
)
from rankforest.exchange.from_model import with_base_in_trees, with_tests_of_missing
from rankforest.exchange.nested_text import nested_text
from rankforest.exchange.places import Place, parsed
from rankforest.exchange.thresholds import between, shortest
from rankforest.exchange.xgboost_dump import read_dump


def for_vespa_lightgbm(forest: Forest) -> Forest:
    """Return the forest with thresholds that ``<`` and ``<=`` take alike, for every finite float32."""
    whole = with_tests_of_missing(with_base_in_trees(forest))
    trees = []
    for tree in whole.trees:
        limits = np.where(tree.threshold >= LARGEST, 1e300, between(tree.threshold))
        trees.append(replace(tree, threshold=np.where(tree.feature == LEAF, 0.0, limits)))
    return replace(whole, trees=tuple(trees), test="<", compare=np.float64)


def vespa_lightgbm_json(forest: Forest, names: Sequence[str]) -> str:
    """Give LightGBM's JSON for a forest of `for_vespa_lightgbm`."""
    head = {
        "name": "tree",
        "version": "v4",
        "num_class": 1,
        "num_tree_per_iteration": 1,
        "label_index": 0,
        "max_feature_idx": max(forest.n_features, 1) - 1,
        "objective": "lambdarank",
        "average_output": False,
        "feature_names": list(names),
        "monotone_constraints": [],
        "feature_infos": {},
        "pandas_categorical": [],
    }
    trees = ",\n".join(
        f'{{"tree_index": {i}, "num_leaves": {int((tree.feature == LEAF).sum())}, "num_cat": 0, '
        f'"shrinkage": 1, "tree_structure": {_tree_text(tree)}}}'
        for i, tree in enumerate(forest.trees)
    )
    return f'{json.dumps(head)[:-1]}, "tree_info": [\n{trees}]}}\n'


def _tree_text(tree: TreeTable) -> str:
    counts = np.zeros(len(tree), dtype=np.int64) if tree.documents is None else tree.documents

    def leaf(row: int) -> str:
        return f'{{"leaf_value": {shortest(tree.value[row])}, "leaf_count": {counts[row]}}}'

    def node(row: int) -> tuple[str, str, str]:
        left = "true" if tree.missing[row] == tree.left[row] else "false"
        before = (
            f'{{"split_feature": {tree.feature[row]}, "split_gain": 0, '
            f'"threshold": {shortest(tree.threshold[row])}, "decision_type": "<=", '
            f'"default_left": {left}, "missing_type": "NaN", "internal_count": {counts[row]}, '
            '"left_child": '
        )
        return before, ', "right_child": ', "}"

    return nested_text(tree, leaf, node)


def read_vespa_xgboost(content: bytes, names: Sequence[str]) -> Forest:
    """Read XGBoost's dump by Vespa's rules, to check what was written."""
    return replace(read_dump(content, names), compare=np.float64, total=np.float64)


def read_vespa_lightgbm(content: bytes) -> Forest:
    """Read LightGBM's JSON by Vespa's rules, to check what was written."""
    model = Place(parsed(content))
    width = len(model["feature_names"])
    model["pandas_categorical"].require(len(model["pandas_categorical"]) == 0, "an empty list")
    trees = [_table(place["tree_structure"]) for place in model["tree_info"].items()]
    return Forest(
        tuple(checked(tree, f"tree {i}", width) for i, tree in enumerate(trees)),
        width,
        test="<",
        compare=np.float64,
    )


def _table(root: Place) -> TreeTable:
    rows: list[Row] = [BLANK]
    waiting = [(root, 0)]
    while waiting:
        place, row = waiting.pop()
        if place.has("leaf_value"):
            rows[row] = leaf_row(place["leaf_value"].number())
            continue
        first = len(rows)
        rows += [BLANK] * 2
        side = first if place["default_left"].value is True else first + 1
        limit = place["threshold"].number()
        rows[row] = (place["split_feature"].whole(), limit, first, first + 1, side, 0.0)
        waiting += [(place["right_child"], first + 1), (place["left_child"], first)]
    return table_of(rows)
