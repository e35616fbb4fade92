"""Scores of a `Forest` by the rules of its system: an evaluator that shares no code with our scorers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest.exchange.forest import LEAF, Forest, TreeTable


def evaluate(forest: Forest, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Score documents as the system does.

    Parameters
    ----------
    forest : Forest
        What its file says.
    X : array_like of float32, shape (n_documents, n_features)
        NaN is a missing value, and goes to the missing child.

    Returns
    -------
    ndarray of float64, shape (n_documents,)
        Sums in the width of the system.
    """
    values = np.asarray(X, dtype=np.float32).astype(forest.compare, copy=False)
    with np.errstate(over="ignore"):
        sums = np.full(len(values), forest.base, dtype=forest.total)
        for tree in forest.trees:
            leaves = tree.value[leaf_rows(tree, values, forest.test)]
            sums = (sums.astype(np.float64) + leaves).astype(forest.total)
    if forest.reduction == "mean" and forest.trees:
        sums = sums / forest.total(len(forest.trees))
    return sums.astype(np.float64)


def leaf_rows(
    tree: TreeTable, values: npt.NDArray[np.floating[Any]], test: str = "<="
) -> npt.NDArray[np.int64]:
    """Return the row of the leaf that each document reaches."""
    with np.errstate(over="ignore"):
        thresholds = tree.threshold.astype(values.dtype)
    at = np.zeros(len(values), dtype=np.int64)
    moving = np.arange(len(values)) if tree.feature[0] != LEAF else np.empty(0, dtype=np.int64)
    while moving.size:
        node = at[moving]
        value = values[moving, tree.feature[node]]
        limit = thresholds[node]
        left = value <= limit if test == "<=" else value < limit
        step = np.where(left, tree.left[node], tree.right[node])
        at[moving] = np.where(np.isnan(value), tree.missing[node], step)
        moving = moving[tree.feature[at[moving]] != LEAF]
    return at
