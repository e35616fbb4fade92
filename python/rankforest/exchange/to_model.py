"""A model of ours out of a `Forest` that another system's file or object holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest.exchange.forest import LEAF, Forest, TreeTable
from rankforest.exchange.thresholds import at_most

Rows = npt.NDArray[np.integer[Any]]

_LOWEST = np.finfo(np.float32).min


def model_parts(forest: Forest) -> tuple[_core.Ensemble, _core.ModelInfo]:
    """Return the ensemble and its information.

    Every float32 takes the path that it takes in the system, and NaN, too; leaf values are rounded
    to float32.

    Raises
    ------
    ValueError
        If the trees are such as ours cannot be; the message names the tree.
    """
    trees = [_arrays(tree, forest, f"tree {i}") for i, tree in enumerate(forest.trees)]
    group = {"weight": 1.0, "reduction": forest.reduction, "trees_per_round": 1, "trees": trees}
    base = forest.base / len(trees) if forest.reduction == "mean" and trees else forest.base
    member = {"base": float(base), "groups": [group] if trees else []}
    ensemble = _core.Ensemble.from_arrays(
        {"combine": "sum", "n_features": forest.n_features, "members": [member]}
    )
    info = _core.ModelInfo(
        feature_names=list(forest.feature_names),
        absent_is_nan=forest.absent_is_nan,
        index_base=0 if forest.zero_based else 1,
        algorithm=forest.algorithm,
    )
    # Through the bytes of a model file, whose checks are all there are.
    return _core.Ensemble.from_bytes(ensemble.to_bytes(info))


def _arrays(tree: TreeTable, forest: Forest, where: str) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a tree, numbered in the order node, left, right, missing."""
    thresholds = at_most(tree.threshold, forest.test, forest.compare)
    _refuse_minus_infinity(tree, forest, thresholds, where)
    none_left = thresholds < _LOWEST  # then left and right change places
    left = np.where(none_left, tree.right, tree.left)
    right = np.where(none_left, tree.left, tree.right)
    order, leaves, number = _preorder(tree.feature, left, right, tree.missing)
    return {
        "feature": tree.feature[order].astype(np.uint32),
        "threshold": np.where(none_left, np.float32(np.inf), thresholds)[order],
        "left": number[left[order]],
        "right": number[right[order]],
        "missing": number[tree.missing[order]],
        "gain": np.empty(0, dtype=np.float32),
        "leaf": tree.value[leaves].astype(np.float32),
    }


def _preorder(feature: Rows, left: Rows, right: Rows, missing: Rows) -> tuple[Rows, Rows, Rows]:
    """Return the rows of nodes and of leaves in order, and the number of each row; not recursive."""
    tests = list(
        zip(
            (feature != LEAF).tolist(), left.tolist(), right.tolist(), missing.tolist(), strict=True
        )
    )
    order: list[int] = []
    leaves: list[int] = []
    number = [0] * len(tests)
    waiting = [0]
    while waiting:
        row = waiting.pop()
        is_node, to_left, to_right, if_missing = tests[row]
        if not is_node:
            number[row] = ~len(leaves)
            leaves.append(row)
            continue
        number[row] = len(order)
        order.append(row)
        if if_missing not in {to_left, to_right}:
            waiting.append(if_missing)
        waiting += [to_right, to_left]
    return (
        np.array(order, dtype=np.int64),
        np.array(leaves, dtype=np.int64),
        np.array(number, dtype=np.int32),
    )


def _refuse_minus_infinity(
    tree: TreeTable, forest: Forest, thresholds: npt.NDArray[np.float32], where: str
) -> None:
    """Raise a ValueError for a node that sends -inf left and every other number right."""
    alone = (tree.feature != LEAF) & (thresholds < _LOWEST)
    if forest.test == "<":
        alone &= tree.threshold > -np.inf
    for row in np.flatnonzero(alone):
        raise ValueError(
            f"{where}: node {row} has the threshold {tree.threshold[row]}, which sends -inf alone "
            "to the left; expected one that is not below every finite float32"
        )
