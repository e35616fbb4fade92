"""Models of YDF (Yggdrasil Decision Forests): gradient boosted trees and forests on numbers.

A number takes the positive branch if it is at least the threshold, in float32; a condition says
where a missing value goes. The columns are the input features, in YDF's order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankforest.exchange.forest import BLANK, Forest, Row, TreeTable, checked, leaf_row, table_of

_TASKS = ("REGRESSION", "RANKING")


def forest_of_ydf(model: Any) -> Forest:
    """Return the trees of a model.

    Raises
    ------
    ValueError
        If it is for classification, or a condition is on anything but one number.
    """
    if model.task().name not in _TASKS:
        raise ValueError(
            f"the YDF model is for {model.task().name}, expected {' or '.join(_TASKS)}"
        )
    kind = type(model).__name__
    if kind not in {"GradientBoostedTreesModel", "RandomForestModel"}:
        raise ValueError(f"a {kind} of YDF is none of gradient boosted trees and random forest")
    columns = {feature.column_idx: i for i, feature in enumerate(model.input_features())}
    trees = [_tree(tree, columns, f"tree {i}") for i, tree in enumerate(model.iter_trees())]
    is_boosted = kind == "GradientBoostedTreesModel"
    first = np.ravel(model.initial_predictions()) if is_boosted else np.zeros(1)
    if len(first) != 1:
        raise ValueError(f"the YDF model has {len(first)} outputs, expected one")
    return Forest(
        tuple(checked(tree, f"tree {i}", len(columns)) for i, tree in enumerate(trees)),
        len(columns),
        base=float(first[0]),
        test="<",
        total=np.float32,
        reduction="sum" if is_boosted else "mean",
        feature_names=tuple(model.input_feature_names()),
        algorithm=f"ydf {'gradient boosted trees' if is_boosted else 'random forest'}",
    )


def _tree(tree: Any, columns: dict[int, int], where: str) -> TreeTable:
    rows: list[Row] = [BLANK]
    waiting = [(tree.root, 0)]
    while waiting:
        node, row = waiting.pop()
        if not hasattr(node, "condition"):
            rows[row] = leaf_row(float(node.value.value))
            continue
        condition = node.condition
        kind = type(condition).__name__
        if kind != "NumericalHigherThanCondition":
            raise ValueError(f"{where}: a {kind}, which cannot be read: only tests of one number")
        first = len(rows)
        rows += [BLANK] * 2
        missing = first + 1 if condition.missing else first
        limit = float(np.float32(condition.threshold))
        column = columns[condition.attribute]
        rows[row] = (column, limit, first, first + 1, missing, 0.0)
        waiting += [(node.pos_child, first + 1), (node.neg_child, first)]
    return table_of(rows)
