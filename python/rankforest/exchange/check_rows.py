"""Documents that find out whether two systems send every value the same way.

For each node there is a document that reaches it and stands on its threshold, one on each side of
it, one ulp away, and one whose value is missing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rankforest.exchange.forest import LEAF, Forest, TreeTable
from rankforest.exchange.thresholds import next_down, next_up

#: Nodes that get documents of their own; of more, every so manieth.
MOST_NODES = 4_000
_DENORMAL = np.float32(1e-45)

Floats = npt.NDArray[np.float32]
_Bounds = dict[int, tuple[float, float]]


def rows_at_thresholds(forest: Forest, documents: Floats | None = None) -> Floats:
    """Make the documents for a forest of tests ``x <= t`` in float32.

    Parameters
    ----------
    forest : Forest
        Of one of our models.
    documents : ndarray of float32, shape (n_documents, n_features), optional
        Where the features that a path does not ask for come from; 0 by default.

    Returns
    -------
    ndarray of float32, shape (n_rows, n_features)
    """
    nodes = sum(len(tree.nodes) for tree in forest.trees)
    every = max(1, -(-nodes // MOST_NODES))
    paths = [
        path
        for number, tree in enumerate(forest.trees)
        for k, path in enumerate(_paths(tree))
        if (number + k) % every == 0
    ]
    rng = np.random.default_rng(len(paths))
    shape = (4 * len(paths), forest.n_features)
    if documents is None or not len(documents):
        rows = np.zeros(shape, dtype=np.float32)
    else:
        rows = documents[rng.integers(0, len(documents), shape[0])].astype(np.float32)
    for i, (feature, threshold, bounds) in enumerate(paths):
        block = rows[4 * i : 4 * i + 4]
        for other, (low, high) in bounds.items():
            block[:, other] = _value_within(low, high)
        on = np.float32(threshold)
        block[:, feature] = np.array([on, next_down(on), next_up(on), np.nan], dtype=np.float32)
    return np.concatenate([rows, _odd_rows(forest, rows)])


def _paths(tree: TreeTable) -> Iterator[tuple[int, float, _Bounds]]:
    """Give each node's test, and between which values its ancestors let documents pass."""
    waiting: list[tuple[int, _Bounds]] = [(0, {})]
    while waiting:
        row, bounds = waiting.pop()
        feature, threshold = int(tree.feature[row]), float(tree.threshold[row])
        if feature == LEAF:
            continue
        yield feature, threshold, bounds
        low, high = bounds.get(feature, (-np.inf, np.inf))
        left, right, missing = (int(c[row]) for c in (tree.left, tree.right, tree.missing))
        waiting.append((left, bounds | {feature: (low, min(high, threshold))}))
        if threshold < np.inf:
            waiting.append((right, bounds | {feature: (max(low, threshold), high)}))
        elif missing == right:
            waiting.append((right, bounds | {feature: (np.nan, np.nan)}))
        if missing not in {left, right}:
            waiting.append((missing, bounds | {feature: (np.nan, np.nan)}))


def _value_within(low: float, high: float) -> np.float32:
    """Return a number above `low` and up to `high`, or NaN for NaN."""
    if np.isnan(low):
        return np.float32(np.nan)
    if np.isfinite(high):
        return np.float32(high)
    return np.float32(next_up(low)) if np.isfinite(low) else np.float32(0)


def _odd_rows(forest: Forest, rows: Floats) -> Floats:
    """Make documents of one value throughout, and of two in turn."""
    values = [0.0, -0.0, _DENORMAL, -_DENORMAL, np.nan, np.inf, -np.inf, 1.0, -1.0]
    odd = np.repeat(np.array(values, dtype=np.float32)[:, None], forest.n_features, axis=1)
    mixed = rows[: len(values)].copy()
    mixed[:, ::2] = odd[: len(mixed), ::2]
    return np.concatenate([odd, mixed])
