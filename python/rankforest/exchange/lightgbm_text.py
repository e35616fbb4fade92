"""LightGBM's text: written here, read by the C++ library (``io/lightgbm_text.hpp``).

A number goes left if it is up to the threshold, in double; a node says where NaN goes. Values up to
1e-35 in size are 0 to LightGBM. A score is a sum in double of double leaves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest.exchange.forest import LEAF, Forest, TreeTable
from rankforest.exchange.from_model import with_base_in_trees, with_tests_of_missing
from rankforest.exchange.thresholds import shortest

_NAN_RIGHT, _NAN_LEFT = 8, 10  # decision types
#: What LightGBM takes for infinity; its reader would do the same.
_HUGE = 1e308


def for_lightgbm(forest: Forest) -> Forest:
    """Return the forest as LightGBM holds it."""
    prepared = with_tests_of_missing(with_base_in_trees(forest))
    return replace(prepared, compare=np.float64)


def lightgbm_text(forest: Forest, names: tuple[str, ...]) -> str:
    """Give the text of a forest.

    Parameters
    ----------
    forest : Forest
        Of `for_lightgbm`.
    names : tuple of str
        Names of all columns, or none; blanks and characters of JSON, which LightGBM refuses, become
        underscores.

    Raises
    ------
    ValueError
        If two names become one.
    """
    blocks = [_tree_text(i, tree) for i, tree in enumerate(forest.trees)]
    head = [
        "tree",
        "version=v4",
        "num_class=1",
        "num_tree_per_iteration=1",
        "label_index=0",
        f"max_feature_idx={max(forest.n_features, 1) - 1}",
        "objective=lambdarank",
        f"feature_names={' '.join(_names(forest, names))}",
        f"feature_infos={' '.join(_infos(forest))}",
        f"tree_sizes={' '.join(str(len(block.encode())) for block in blocks)}",
    ]
    return (
        "\n".join(head)
        + "\n\n"
        + "".join(blocks)
        + "end of trees\n\nparameters:\nend of parameters\n"
    )


def _names(forest: Forest, names: tuple[str, ...]) -> list[str]:
    if not names:
        return [f"Column_{i}" for i in range(max(forest.n_features, 1))]
    given = [re.sub(r'[\s"\[\]{}:,=]', "_", name) or "_" for name in names]
    if len(set(given)) < len(given):
        twice = next(name for name in given if given.count(name) > 1)
        raise ValueError(
            f"lightgbm: two features would be called {twice!r}, for LightGBM has no blanks and no "
            "characters of JSON in names; give others as feature_names"
        )
    return given


def _infos(forest: Forest) -> Iterable[str]:
    """Say which features are used, which LightGBM's own reports ask for."""
    used = {int(f) for tree in forest.trees for f in tree.feature}
    return ["[-inf:inf]" if i in used else "none" for i in range(max(forest.n_features, 1))]


def _tree_text(number: int, tree: TreeTable) -> str:
    nodes, numbers = _numbering(tree)
    leaves = np.flatnonzero(tree.feature == LEAF)
    n = len(nodes)
    types = np.where(tree.missing[nodes] == tree.left[nodes], _NAN_LEFT, _NAN_RIGHT)
    limits = np.minimum(tree.threshold[nodes], _HUGE)
    zeros = [0] * n
    documents = np.zeros(len(tree), dtype=np.int64) if tree.documents is None else tree.documents
    fields: dict[str, Iterable[Any]] = {
        "split_feature": tree.feature[nodes],
        "split_gain": zeros,
        "threshold": map(shortest, limits),
        "decision_type": types,
        "left_child": numbers[tree.left[nodes]],
        "right_child": numbers[tree.right[nodes]],
        "leaf_value": map(shortest, tree.value[leaves]),
        "leaf_weight": documents[leaves],
        "leaf_count": documents[leaves],
        "internal_value": zeros,
        "internal_weight": documents[nodes],
        "internal_count": documents[nodes],
    }
    lines = [f"Tree={number}", f"num_leaves={n + 1}", "num_cat=0"]
    lines += [f"{key}={' '.join(map(str, values))}" for key, values in fields.items()]
    return "\n".join([*lines, "is_linear=0", "shrinkage=1", "", "", ""])


def _numbering(tree: TreeTable) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows of nodes, and LightGBM's number of each row: ~k for leaf k."""
    is_leaf = tree.feature == LEAF
    numbers = np.where(is_leaf, -np.cumsum(is_leaf), np.cumsum(~is_leaf) - 1)
    return np.flatnonzero(~is_leaf), numbers
