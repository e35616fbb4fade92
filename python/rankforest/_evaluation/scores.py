"""Scores from any object with ``predict``: models of rankforest, and those of other libraries."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rankforest.data import Dataset

Features = npt.NDArray[np.float32]


class Model(Protocol):
    """Whatever scores documents: by a data set if it is of rankforest, else by their features."""

    def predict(self, X: Any, /) -> Any:
        """Return a score for each row."""


def takes_datasets(model: object) -> bool:
    """Say whether a model is one of rankforest, which gets more from a data set than features."""
    return bool(getattr(type(model), "_takes_datasets", False))


def scores_by(model: Model, documents: Dataset) -> npt.ArrayLike:
    """Return the scores of a model in the order of the rows.

    Raises
    ------
    ValueError
        If the model cannot score these features.
    """
    if takes_datasets(model):
        return model.predict(documents)  # type: ignore[no-any-return]
    return scores_of_features(model, fitting(model, documents).X)


def fitting(model: object, documents: Dataset) -> Dataset:
    """Return the documents with the columns that a model of another library was fitted on.

    LETOR text may have fewer columns, as its last features may be 0 throughout.

    Raises
    ------
    ValueError
        If both name the same columns, in another order.
    """
    n_features = getattr(model, "n_features_in_", None)
    if isinstance(n_features, (int, np.integer)):
        documents = documents._widened(int(n_features))
    expected = getattr(model, "feature_names_in_", None)
    if expected is None or documents.feature_names is None:
        return documents
    expected = [str(name) for name in expected]
    if expected != list(documents.feature_names) and set(expected) == set(documents.feature_names):
        raise ValueError(
            f"{type(model).__name__} was fitted on the columns {expected}; the data has them in "
            f"another order: {list(documents.feature_names)}"
        )
    return documents


def scores_of_features(model: Model, X: Features) -> npt.NDArray[Any]:
    """Return the scores that a model of another library gives to rows of features.

    Raises
    ------
    ValueError
        If its ``predict`` refuses the array or does not return one score a row.
    """
    name = type(model).__name__
    with warnings.catch_warnings():
        # Names were compared by `fitting`; an array cannot bring them.
        warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        try:
            scores = np.asarray(model.predict(X))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"scores: {name}.predict, called with a float32 array of shape {X.shape}, failed: "
                f"{error}"
            ) from error
    if scores.shape == (len(X), 1):
        scores = scores[:, 0]
    if scores.shape != (len(X),):
        raise ValueError(
            f"scores: {name}.predict must return one score for each of the {len(X)} documents; its "
            f"result has shape {scores.shape}"
        )
    return scores
