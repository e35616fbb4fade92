"""The `Forest` of one of our models, and what is done to it for targets that can say less."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest.exchange.forest import (
    BLANK,
    LEAF,
    Forest,
    Row,
    TreeTable,
    constant,
    leaf_row,
    table_of,
    with_documents,
)
from rankforest.exchange.thresholds import float32_parts

if TYPE_CHECKING:
    from rankforest.model import Model


def forest_of(model: Model, target: str) -> Forest:
    """Return the trees of a model, each leaf with what it adds to a score.

    Parameters
    ----------
    model : Model
        Of any algorithm.
    target : str
        What messages call the format.

    Raises
    ------
    ValueError
        If a score is more than a sum over trees; the message says what it is.
    """
    if model.categories:
        names = ", ".join(repr(each.name) for each in model.categories)
        raise ValueError(
            f"{target} does not know the levels of the model's categorical features, {names}: export "
            "model.without_categories(), and give it the numbers of model.encode"
        )
    refuse_more_than_trees(model._ensemble, target)
    arrays = model._ensemble.to_arrays()
    trees: list[TreeTable] = []
    base = 0.0
    for number, member in enumerate(arrays["members"]):
        if number == 0:
            base = member["base"]
        else:  # our scorer adds whole members, so only the last bits of a double may differ
            base += member["base"]
        for group in member["groups"]:
            divisor = len(group["trees"]) if group["reduction"] == "mean" else 1
            trees += [_table(tree, group["weight"] / divisor) for tree in group["trees"]]
    return Forest(
        tuple(trees),
        model.n_features,
        base=base,
        feature_names=tuple(model.feature_names or ()),
        algorithm=model.algorithm,
        zero_based=model.zero_based,
        absent_is_nan=bool(np.isnan(model.absent)),
    )


def refuse_more_than_trees(ensemble: _core.Ensemble, target: str) -> None:
    """Raise a ValueError for a model whose score is more than a sum over trees."""
    if not ensemble.is_sum:
        raise ValueError(
            f"{target}: the model combines its members within queries ({ensemble.combine}), which "
            "no other system does; a bag with combine='mean' can be written"
        )
    if ensemble.has_linear:
        raise ValueError(
            f"{target}: the model has a linear part, and the format has trees only; solr-linear and "
            "elasticsearch-linear are for linear models"
        )
    if ensemble.exits is not None:
        raise ValueError(
            f"{target}: documents exit from the model early, which no other system does; "
            "with_exits(None) leaves the exits out"
        )


def _table(tree: dict[str, npt.NDArray[Any]], weight: float) -> TreeTable:
    """Make a table of a tree's arrays, with its leaves behind its nodes."""
    n_nodes, n_leaves = len(tree["feature"]), len(tree["leaf"])
    pad = np.zeros(n_leaves, dtype=np.int64)

    def children(name: str) -> npt.NDArray[np.int64]:
        numbers = tree[name].astype(np.int64)
        return np.concatenate([np.where(numbers >= 0, numbers, n_nodes - 1 - numbers), pad])

    with np.errstate(over="ignore"):
        leaves = (weight * tree["leaf"].astype(np.float64)).astype(np.float32)
    table = TreeTable(
        np.concatenate([tree["feature"].astype(np.int64), np.full(n_leaves, LEAF)]),
        np.concatenate([tree["threshold"].astype(np.float64), np.zeros(n_leaves)]),
        children("left"),
        children("right"),
        children("missing"),
        np.concatenate([np.zeros(n_nodes), leaves.astype(np.float64)]),
    )
    if "count" not in tree:
        return table
    of_nodes = np.zeros(n_nodes, dtype=np.int64)
    return with_documents(table, np.concatenate([of_nodes, tree["count"].astype(np.int64)]))


def with_base_in_trees(forest: Forest, *, kept: bool = False) -> Forest:
    """Move the base into constant trees of float32 leaves, before all others.

    They add up to the base exactly (up to 2^-149), so a sum in double has the same bits.

    Parameters
    ----------
    forest : Forest
        Of one of our models.
    kept : bool
        Whether the largest of these parts stays the base, for formats that hold one of float32.
    """
    parts = float32_parts(forest.base)
    base = parts.pop(0) if kept and parts else 0.0
    return replace(forest, base=base, trees=(*map(constant, parts), *forest.trees))


def with_tests_of_missing(forest: Forest) -> Forest:
    """Give NaN that has a child of its own a node of its own, above the one that had it.

    That node has the threshold inf: every number goes left, to the old test.
    """
    return replace(forest, trees=tuple(map(_with_tests_of_missing, forest.trees)))


def _with_tests_of_missing(tree: TreeTable) -> TreeTable:
    if not tree.has_third_child:
        return tree
    rows: list[Row] = [BLANK]
    places = [(0, 0)]  # of the old tree, of the new one
    waiting = places[:]
    while waiting:
        old, new = waiting.pop()
        places.append((old, new))
        feature, threshold = int(tree.feature[old]), float(tree.threshold[old])
        if feature == LEAF:
            rows[new] = leaf_row(float(tree.value[old]))
            continue
        left, right, missing = (int(c[old]) for c in (tree.left, tree.right, tree.missing))
        place = new
        if missing not in {left, right}:
            place = len(rows)
            rows += [BLANK] * 2
            rows[new] = (feature, np.inf, place, place + 1, place + 1, 0.0)
            waiting.append((missing, place + 1))
            missing = left
        first = len(rows)
        rows += [BLANK] * 2
        side = first if missing == left else first + 1
        rows[place] = (feature, threshold, first, first + 1, side, 0.0)
        waiting += [(right, first + 1), (left, first)]
    of_rows = None
    if tree.documents is not None:
        of_rows = np.zeros(len(rows), dtype=np.int64)
        of_rows[[new for _, new in places]] = tree.documents[[old for old, _ in places]]
    return with_documents(table_of(rows), of_rows)
