"""scikit-learn's trees: forests, gradient boosting and histogram gradient boosting.

A number goes left if it is up to the threshold, which is a double; forests and gradient boosting
make float32 of documents first, and histogram boosting gets float32 ones here. Classifiers of two
classes give what ranks documents: the probability of the second class, or its decision function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest.exchange.forest import LEAF, Forest, TreeTable, checked, table

Leaves = Callable[[Any], npt.NDArray[np.float64]]


def forest_of_sklearn(estimator: Any) -> Forest | None:
    """Return the trees of a fitted estimator, or None for one of no known kind.

    Raises
    ------
    ValueError
        If it has several outputs, or splits on categories.
    """
    for names, convert in (
        (_FORESTS, _forest),
        (_SINGLE, _single),
        (_BOOSTED, _boosted),
        (_HISTOGRAM, _histogram),
    ):
        if {cls.__name__ for cls in type(estimator).__mro__} & names:
            return convert(estimator)
    return None


_SINGLE = {"DecisionTreeRegressor", "DecisionTreeClassifier"}
_FORESTS = {
    "RandomForestRegressor",
    "RandomForestClassifier",
    "ExtraTreesRegressor",
    "ExtraTreesClassifier",
}
_BOOSTED = {"GradientBoostingRegressor", "GradientBoostingClassifier"}
_HISTOGRAM = {"HistGradientBoostingRegressor", "HistGradientBoostingClassifier"}


def _forest(estimator: Any) -> Forest:
    trees = [_tree(each.tree_, _leaves_of(estimator)) for each in estimator.estimators_]
    return _made(estimator, trees, reduction="mean")


def _single(estimator: Any) -> Forest:
    return _made(estimator, [_tree(estimator.tree_, _leaves_of(estimator))])


def _leaves_of(estimator: Any) -> Leaves:
    """Say what a leaf is worth: its mean, or the share of the second class."""
    if getattr(estimator, "n_outputs_", 1) != 1:
        raise ValueError(f"{_name(estimator)} has {estimator.n_outputs_} outputs, expected one")
    if not hasattr(estimator, "classes_"):
        return lambda tree: tree.value[:, 0, 0]
    _require_two_classes(estimator)
    return lambda tree: tree.value[:, 0, 1] / tree.value[:, 0, :].sum(axis=1)


def _require_two_classes(estimator: Any) -> None:
    if len(estimator.classes_) != 2:
        raise ValueError(
            f"{_name(estimator)} has {len(estimator.classes_)} classes, and a score is one number: "
            "expected two classes, or a regressor"
        )


def _boosted(estimator: Any) -> Forest:
    if hasattr(estimator, "classes_"):
        _require_two_classes(estimator)
    rate = float(estimator.learning_rate)
    trees = [
        _tree(each.tree_, lambda t: rate * t.value[:, 0, 0]) for each in estimator.estimators_[:, 0]
    ]
    # The first prediction is a constant, but for an `init` of the user's own.
    X = np.zeros((1, estimator.n_features_in_), dtype=np.float32)
    if estimator.init_ != "zero" and type(estimator.init_).__name__ not in {
        "DummyRegressor",
        "DummyClassifier",
    }:
        raise ValueError(
            f"{_name(estimator)} starts from a {type(estimator.init_).__name__}, expected the "
            "constant that it starts from by default"
        )
    return _made(estimator, trees, base=float(np.ravel(estimator._raw_predict_init(X))[0]))


def _histogram(estimator: Any) -> Forest:
    if estimator.n_trees_per_iteration_ != 1:
        raise ValueError(
            f"{_name(estimator)} has {estimator.n_trees_per_iteration_} trees in an iteration, and a "
            "score is one number: expected two classes, or a regressor"
        )
    if getattr(estimator, "_preprocessor", None) is not None:
        raise ValueError(f"{_name(estimator)} has categorical features, which cannot be read")
    trees = [_histogram_tree(each[0].nodes, _name(estimator)) for each in estimator._predictors]
    base = float(np.ravel(estimator._baseline_prediction)[0])
    return _made(estimator, trees, base=base)


def _histogram_tree(nodes: npt.NDArray[Any], name: str) -> TreeTable:
    if np.any(nodes["is_categorical"] & ~nodes["is_leaf"].astype(bool)):
        raise ValueError(f"{name} has splits on categories, which cannot be read")
    is_leaf = nodes["is_leaf"].astype(np.bool_)
    left, right = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64)
    missing = np.where(nodes["missing_go_to_left"], left, right)
    feature = np.where(is_leaf, LEAF, nodes["feature_idx"])
    return table(feature, nodes["num_threshold"], left, right, missing, nodes["value"])


def _tree(tree: Any, leaves: Leaves) -> TreeTable:
    is_leaf = tree.children_left == -1
    left, right = tree.children_left, tree.children_right
    goes_left = getattr(tree, "missing_go_to_left", np.zeros(len(left), dtype=np.uint8))
    missing = np.where(goes_left, left, right)
    feature = np.where(is_leaf, LEAF, tree.feature)
    return table(feature, tree.threshold, left, right, missing, leaves(tree))


def _made(
    estimator: Any, trees: list[TreeTable], *, base: float = 0.0, reduction: Any = "sum"
) -> Forest:
    n_features = int(estimator.n_features_in_)
    names = getattr(estimator, "feature_names_in_", None)
    return Forest(
        tuple(checked(tree, f"tree {i}", n_features) for i, tree in enumerate(trees)),
        n_features,
        base=base,
        compare=np.float64,
        reduction=reduction,
        feature_names=() if names is None else tuple(map(str, names)),
        algorithm=f"scikit-learn {_name(estimator)}",
    )


def _name(estimator: Any) -> str:
    return type(estimator).__name__
