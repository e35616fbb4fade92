"""A model of ours out of a `Forest` that another system's file or object holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest.exchange.forest import LEAF, Forest, TreeTable
from rankforest.exchange.thresholds import at_most

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
    order: list[int] = []
    leaves: list[int] = []
    number = np.zeros(len(tree), dtype=np.int32)
    waiting = [0]
    while waiting:
        row = waiting.pop()
        if tree.feature[row] == LEAF:
            number[row] = ~len(leaves)
            leaves.append(row)
            continue
        number[row] = len(order)
        order.append(row)
        left, right, missing = _children(tree, row, thresholds)
        if missing not in {left, right}:
            waiting.append(missing)
        waiting += [right, left]
    nodes = np.array(order, dtype=np.int64)
    _refuse_minus_infinity(tree, forest, thresholds, where)
    sides = [_children(tree, row, thresholds) for row in order]
    children = np.array(sides, dtype=np.int64).reshape(-1, 3)
    limit = np.where(thresholds[nodes] < _LOWEST, np.float32(np.inf), thresholds[nodes])
    return {
        "feature": tree.feature[nodes].astype(np.uint32),
        "threshold": limit,
        "left": number[children[:, 0]],
        "right": number[children[:, 1]],
        "missing": number[children[:, 2]],
        "gain": np.empty(0, dtype=np.float32),
        "leaf": tree.value[np.array(leaves)].astype(np.float32),
    }


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


def _children(
    tree: TreeTable, row: int, thresholds: npt.NDArray[np.float32]
) -> tuple[int, int, int]:
    """Return left, right and missing; where no number goes left, the two first change places."""
    left, right, missing = int(tree.left[row]), int(tree.right[row]), int(tree.missing[row])
    return (left, right, missing) if thresholds[row] >= _LOWEST else (right, left, missing)
