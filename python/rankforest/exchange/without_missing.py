"""What becomes of missing values where a format has none: a feature that is not there is 0."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankforest.exchange.forest import LEAF, Forest, TreeTable

if TYPE_CHECKING:
    from rankforest.model import Model


def without_missing(forest: Forest, model: Model, target: str) -> tuple[Forest, list[str]]:
    """Return the forest without directions of missing values, and notes on what that means.

    A missing value that goes where 0 goes, in every test of its feature, can be written as 0. Else
    the feature must have had no missing value in training, as far as the model knows that.

    Raises
    ------
    ValueError
        If the direction of missing values matters; the message names a feature.
    """
    labels = model._feature_labels
    for number, tree in enumerate(forest.trees):
        if tree.has_third_child:
            own = (tree.missing != tree.left) & (tree.missing != tree.right)
            row = int(np.flatnonzero(own & (tree.feature != LEAF))[0])
            raise ValueError(
                f"{target}: tree {number} has a third child, for missing values of feature "
                f"{labels[tree.feature[row]]}, and the format knows no missing values"
            )
    as_zero = missing_goes_as_zero(forest)
    other = np.flatnonzero(~as_zero)
    counts = _missing_counts(model)
    notes = ["a missing value has to be given as 0, for the format knows no missing values"]
    if counts is not None:
        for feature in other[counts[other] > 0]:
            raise ValueError(
                f"{target}: feature {labels[feature]} was missing in {counts[feature]} documents of "
                "the training data, which the trees do not send where 0 goes, and the format knows "
                "no missing values; train with missing=0 or another value that stands for them"
            )
    if other.size:
        known = (
            "the model does not know whether its training data had any"
            if counts is None
            else "its training data had none"
        )
        notes.append(
            f"the trees send missing values of {other.size} features not always where 0 goes, and "
            f"{known}: documents that lack them may get other scores"
        )
    trees = tuple(_missing_as_zero(tree) for tree in forest.trees)
    return replace(forest, trees=trees), notes


def missing_goes_as_zero(forest: Forest) -> npt.NDArray[np.bool_]:
    """Say of each feature whether every test sends its missing values where it sends 0."""
    same = np.ones(forest.n_features, dtype=np.bool_)
    for tree in forest.trees:
        nodes = tree.nodes
        wrong = tree.missing[nodes] != _side_of_zero(tree)[nodes]
        same[tree.feature[nodes[wrong]]] = False
    return same


def _side_of_zero(tree: TreeTable) -> npt.NDArray[np.int64]:
    return np.where(tree.threshold >= 0, tree.left, tree.right)


def _missing_as_zero(tree: TreeTable) -> TreeTable:
    return replace(tree, missing=np.where(tree.feature == LEAF, 0, _side_of_zero(tree)))


def _missing_counts(model: Model) -> npt.NDArray[np.int64] | None:
    """Return how many training documents lacked each feature, if the model knows."""
    profile = model._info.profile
    if profile is None or len(profile.features) != model.n_features:
        return None
    return np.array([feature[0] for feature in profile.features], dtype=np.int64)
