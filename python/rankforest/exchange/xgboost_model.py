"""XGBoost's models as ``save_model`` writes them, JSON or UBJSON: read and written.

A number goes left if it is below the threshold, in float32; a node says where NaN goes. A score is
a sum in float32 that starts with the base score. Boosters ``gbtree`` and ``dart`` are read.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from rankforest.exchange.forest import LEAF, Forest, TreeTable, checked, table
from rankforest.exchange.from_model import with_base_in_trees, with_tests_of_missing
from rankforest.exchange.places import Place, parsed
from rankforest.exchange.thresholds import next_up, shortest32
from rankforest.exchange.ubjson import read_ubjson, write_ubjson

_NO_PARENT = 2**31 - 1
#: Base scores of these are probabilities or means; margins are their logits and logarithms.
_LOGISTIC = ("binary:logistic", "reg:logistic")
_LOGARITHMIC = ("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft")


def for_xgboost(forest: Forest) -> Forest:
    """Return the forest as XGBoost holds it: a base of float32 and strict tests."""
    prepared = with_tests_of_missing(with_base_in_trees(forest, kept=True))
    trees = tuple(with_neighbours(with_strict_tests(tree)) for tree in prepared.trees)
    return replace(prepared, trees=trees, test="<", total=np.float32)


def with_strict_tests(tree: TreeTable, *, all_from: float = np.inf) -> TreeTable:
    """Return a tree of tests ``x < t`` that sends every number and NaN where ``x <= t`` did.

    A test that every number passes becomes ``x < -inf`` with its children exchanged, which none
    does.

    Parameters
    ----------
    tree : TreeTable
        Of tests ``x <= t``.
    all_from : float
        The least threshold that every number passes.
    """
    is_all = (tree.feature != LEAF) & (tree.threshold >= all_from)
    limits = np.where(tree.feature == LEAF, np.float32(0), next_up(tree.threshold))
    return replace(
        tree,
        threshold=np.where(is_all, -np.inf, limits.astype(np.float64)),
        left=np.where(is_all, tree.right, tree.left),
        right=np.where(is_all, tree.left, tree.right),
    )


def with_neighbours(tree: TreeTable) -> TreeTable:
    """Return a tree whose right children follow the left ones: XGBoost's scorer counts on that."""
    old = [0]
    left = np.zeros(len(tree), dtype=np.int64)
    for new, row in enumerate(old):  # grows while it is read
        if tree.feature[row] != LEAF:
            left[new] = len(old)
            old += [int(tree.left[row]), int(tree.right[row])]
    rows = np.array(old)
    is_leaf = tree.feature[rows] == LEAF
    right = np.where(is_leaf, 0, left + 1)
    missing = np.where(tree.missing[rows] == tree.left[rows], left, right)
    documents = None if tree.documents is None else tree.documents[rows]
    return TreeTable(
        tree.feature[rows], tree.threshold[rows], left, right, missing, tree.value[rows], documents
    )


def xgboost_json(forest: Forest, names: tuple[str, ...]) -> str:
    """Give the JSON of a forest of `for_xgboost`; numbers are the shortest of their float32."""
    document = _document(forest, names)
    return json.dumps(document, default=_listed).replace('"\\u0000', "").replace('\\u0000"', "")


def xgboost_ubjson(forest: Forest, names: tuple[str, ...]) -> bytes:
    """Give the UBJSON of a forest of `for_xgboost`."""
    return write_ubjson(_document(forest, names))


def _listed(array: Any) -> list[Any]:
    """List an array; float32 as marked texts, for `json` would spell the double of it."""
    if array.dtype != np.float32:
        return [int(x) for x in array]
    return [f"\0{_number_text(x)}\0" for x in array]


def _number_text(value: np.float32) -> str:
    return shortest32(value) if np.isfinite(value) else ("-" if value < 0 else "") + "Infinity"


def _document(forest: Forest, names: tuple[str, ...]) -> dict[str, Any]:
    n_features = str(max(forest.n_features, 1))
    model = {
        "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(forest.trees))},
        "iteration_indptr": list(range(len(forest.trees) + 1)),
        "tree_info": [0] * len(forest.trees),
        "trees": [_tree_document(i, tree, n_features) for i, tree in enumerate(forest.trees)],
    }
    learner = {
        "attributes": {},
        "feature_names": list(names),
        "feature_types": ["float"] * len(names),
        "gradient_booster": {"model": model, "name": "gbtree"},
        "learner_model_param": {
            "base_score": shortest32(forest.base),
            "boost_from_average": "0",
            "num_class": "0",
            "num_feature": n_features,
            "num_target": "1",
        },
        "objective": {"name": "reg:squarederror", "reg_loss_param": {"scale_pos_weight": "1"}},
    }
    return {"learner": learner, "version": [2, 1, 0]}


def _tree_document(number: int, tree: TreeTable, n_features: str) -> dict[str, Any]:
    n = len(tree)
    is_leaf = tree.feature == LEAF
    parents = np.full(n, _NO_PARENT, dtype=np.int32)
    for side in (tree.left, tree.right):
        parents[side[~is_leaf]] = np.flatnonzero(~is_leaf)
    parents[0] = _NO_PARENT
    values = np.where(is_leaf, tree.value, 0.0).astype(np.float32)
    documents = np.zeros(n) if tree.documents is None else tree.documents
    return {
        "base_weights": values,
        "categories": np.empty(0, dtype=np.int32),
        "categories_nodes": np.empty(0, dtype=np.int32),
        "categories_segments": np.empty(0, dtype=np.int64),
        "categories_sizes": np.empty(0, dtype=np.int64),
        "default_left": (~is_leaf & (tree.missing == tree.left)).astype(np.uint8),
        "id": number,
        "left_children": np.where(is_leaf, -1, tree.left).astype(np.int32),
        "loss_changes": np.zeros(n, dtype=np.float32),
        "parents": parents,
        "right_children": np.where(is_leaf, -1, tree.right).astype(np.int32),
        "split_conditions": np.where(is_leaf, values, tree.threshold.astype(np.float32)),
        "split_indices": np.where(is_leaf, 0, tree.feature).astype(np.int32),
        "split_type": np.zeros(n, dtype=np.uint8),
        "sum_hessian": documents.astype(np.float32),
        "tree_param": {
            "num_deleted": "0",
            "num_feature": n_features,
            "num_nodes": str(n),
            "size_leaf_vector": "1",
        },
    }


def read_xgboost(content: bytes) -> Forest:
    """Read a model, JSON or UBJSON.

    Returns
    -------
    Forest
        Of margins: what ``predict(output_margin=True)`` gives.

    Raises
    ------
    ValueError
        If it is not valid, has several outputs, categorical splits or no trees; the message has
        the place.
    """
    is_json = content.lstrip()[1:].lstrip()[:1] in {b'"', b"}"}
    learner = Place(parsed(content) if is_json else read_ubjson(content))["learner"]
    param = learner["learner_model_param"]
    for key in ("num_class", "num_target"):
        if param.has(key):
            count = param[key].whole()
            param[key].require(count <= 1, "0 or 1: one score for a document")
    booster, weights = _booster(learner["gradient_booster"])
    n_features = param["num_feature"].whole(1)
    trees = [_tree(place, n_features) for place in booster["trees"].items()]
    if booster.has("gbtree_model_param"):
        said = booster["gbtree_model_param"]["num_trees"]
        said.require(said.whole() == len(trees), f"{len(trees)}, the number of trees there are")
    objective = learner["objective"]["name"].text()
    return Forest(
        tuple(_weighted(trees, weights)),
        n_features,
        base=_base(param["base_score"], objective),
        test="<",
        total=np.float32,
        feature_names=_names(learner, n_features),
        algorithm=f"xgboost {objective}",
        absent_is_nan=True,
    )


def _booster(booster: Place) -> tuple[Place, Place | None]:
    """Return the model of the trees, and the weights that dart gives them."""
    name = booster["name"].text()
    if name == "gbtree":
        model = booster["model"]
        has = model.has("weight_drop") and len(model["weight_drop"]) > 0
        return model, model["weight_drop"] if has else None
    if name == "dart" and booster.has("gbtree"):
        return booster["gbtree"]["model"], booster["weight_drop"]
    if name == "dart":
        return booster["model"], booster["weight_drop"]
    raise ValueError(
        f"{booster.where}.name: the booster is {name!r}, expected gbtree or dart, which have trees"
    )


def _weighted(trees: list[TreeTable], weights: Place | None) -> list[TreeTable]:
    if weights is None:
        return trees
    numbers = weights.numbers(len(trees)).astype(np.float32)
    return [
        replace(tree, value=(weight * tree.value.astype(np.float32)).astype(np.float64))
        for tree, weight in zip(trees, numbers, strict=True)
    ]


def _base(place: Place, objective: str) -> float:
    """Read a base score, which from 3.1 on is an array in a string, as a margin."""
    text = place.value
    if isinstance(text, str) and text.startswith("["):
        values = Place(parsed(text), place.where)
        values.require(isinstance(values.value, list) and len(values) == 1, "one base score")
        place = Place(values.value[0], place.where)
    base = np.float32(place.number())
    place.require(bool(np.isfinite(base)), "a finite float32")
    if objective in _LOGISTIC:
        place.require(bool(0 < base < 1), "a probability between 0 and 1")
        return float(np.float32(-np.log(1.0 / np.float64(base) - 1.0)))
    if objective in _LOGARITHMIC:
        place.require(bool(base > 0), "a number above 0")
        return float(np.float32(np.log(np.float64(base))))
    return float(base)


def _names(learner: Place, n_features: int) -> tuple[str, ...]:
    if not learner.has("feature_names") or len(learner["feature_names"]) == 0:
        return ()
    names = [place.text() for place in learner["feature_names"].items()]
    if len(names) != n_features:
        raise ValueError(f"learner.feature_names: has {len(names)} names, expected {n_features}")
    return tuple(names)


def _tree(place: Place, n_features: int) -> TreeTable:
    left = place["left_children"].wholes()
    n = len(left)
    right = place["right_children"].wholes(n)
    conditions = place["split_conditions"].numbers(n).astype(np.float32).astype(np.float64)
    default_left = place["default_left"].numbers(n) != 0
    features = place["split_indices"].wholes(n)
    _refuse_other_kinds(place)
    is_leaf = (left == -1) & (right == -1)
    for key, side in (("left_children", left), ("right_children", right)):
        for row in np.flatnonzero(~is_leaf & ((side <= 0) | (side >= n))):
            raise ValueError(
                f"{place.where}.{key}[{row}]: expected a node from 1 to {n - 1}, got {side[row]}"
            )
    for row in np.flatnonzero(~is_leaf & (features < 0)):
        raise ValueError(
            f"{place.where}.split_indices[{row}]: expected a feature of 0 or more, got {features[row]}"
        )
    missing = np.where(default_left, left, right)
    whole = table(np.where(is_leaf, LEAF, features), conditions, left, right, missing, conditions)
    return checked(_reached(whole), place.where, n_features)


def _refuse_other_kinds(place: Place) -> None:
    if place.has("split_type") and np.any(place["split_type"].numbers() != 0):
        raise ValueError(f"{place.where}: has categorical splits, which cannot be read")
    param = place["tree_param"]
    if param.has("size_leaf_vector"):
        size = param["size_leaf_vector"]
        size.require(size.whole() <= 1, "0 or 1: one value in a leaf")
    nodes = param["num_nodes"]
    nodes.require(nodes.whole() == len(place["left_children"]), "the length of left_children")


def _reached(tree: TreeTable) -> TreeTable:
    """Leave out the nodes that pruning deleted, which no node has for a child."""
    n = len(tree)
    is_child = np.zeros(n, dtype=np.bool_)
    waiting = [0] if n else []
    while waiting:
        node = waiting.pop()
        if is_child[node]:
            return tree  # a circle, or two parents: who checks the tree says so
        is_child[node] = True
        if tree.feature[node] != LEAF:
            waiting += [int(tree.left[node]), int(tree.right[node])]
    if is_child.all():
        return tree
    number = np.cumsum(is_child) - 1
    keep = np.flatnonzero(is_child)
    left, right, missing = (number[side[keep]] for side in (tree.left, tree.right, tree.missing))
    return table(tree.feature[keep], tree.threshold[keep], left, right, missing, tree.value[keep])
