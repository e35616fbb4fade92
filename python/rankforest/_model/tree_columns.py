"""The trees of a model as columns of a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Columns = dict[str, npt.NDArray[Any]]


def tree_columns(model: dict[str, Any], labels: Sequence[str]) -> Columns:
    """Return one row for each node and leaf.

    Parameters
    ----------
    model : dict
        As of ``_core.Ensemble.to_arrays``.
    labels : sequence of str
        What the features are called.
    """
    parts = [
        _columns_of(member, number, tree, weight, labels)
        for number, (member, tree, weight) in enumerate(_trees(model))
    ]
    parts = parts or [_columns_of(0, 0, _EMPTY, 1.0, labels)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


_EMPTY: Columns = {
    **{name: np.zeros(0, np.int32) for name in ("feature", "left", "right", "missing")},
    **{name: np.zeros(0, np.float32) for name in ("threshold", "gain", "leaf")},
}


def _trees(model: dict[str, Any]) -> Iterator[tuple[int, Columns, float]]:
    """Give each tree with its member and what its leaf values are multiplied by."""
    for m, member in enumerate(model["members"]):
        for group in member["groups"]:
            is_mean = group["reduction"] == "mean"
            weight = group["weight"] / len(group["trees"]) if is_mean else group["weight"]
            for tree in group["trees"]:
                yield m, tree, weight


def _columns_of(
    member: int, number: int, tree: Columns, weight: float, labels: Sequence[str]
) -> Columns:
    n_nodes, n_leaves = len(tree["feature"]), len(tree["leaf"])
    nothing = np.full(n_leaves, np.nan)
    # float32(weight x value), as a score adds it.
    values = (weight * tree["leaf"].astype(np.float64)).astype(np.float32).astype(np.float64)
    gains = tree["gain"] if len(tree["gain"]) else np.full(n_nodes, np.nan)
    children = {
        side: _texts(map(_name, tree[side].tolist()), n_leaves)
        for side in ("left", "right", "missing")
    }
    names = [*map(str, range(n_nodes)), *(f"leaf {leaf}" for leaf in range(n_leaves))]
    return {
        "member": np.full(n_nodes + n_leaves, member),
        "tree": np.full(n_nodes + n_leaves, number),
        "node": np.array(names, dtype=object),
        "feature": _texts((labels[f] for f in tree["feature"].tolist()), n_leaves),
        "threshold": np.concatenate([tree["threshold"].astype(np.float64), nothing]),
        **children,
        "gain": np.concatenate([np.asarray(gains, dtype=np.float64), nothing]),
        "value": np.concatenate([np.full(n_nodes, np.nan), values]),
        "documents": _documents(tree),
    }


def _name(child: int) -> str:
    return str(child) if child >= 0 else f"leaf {-1 - child}"


def _texts(texts: Any, n_leaves: int) -> npt.NDArray[np.object_]:
    """Return texts of nodes, and None for each leaf."""
    return np.array([*texts, *[None] * n_leaves], dtype=object)


def _documents(tree: Columns) -> npt.NDArray[np.float64]:
    """Return the documents of nodes and leaves; NaN where the model does not know them."""
    n_nodes, n_leaves = len(tree["feature"]), len(tree["leaf"])
    if "count" not in tree:
        return np.full(n_nodes + n_leaves, np.nan)
    counts = np.concatenate([np.zeros(n_nodes), tree["count"].astype(np.float64)])
    for node in reversed(range(n_nodes)):
        for child in {int(tree[side][node]) for side in ("left", "right", "missing")}:
            counts[node] += counts[child if child >= 0 else n_nodes - 1 - child]
    return counts
