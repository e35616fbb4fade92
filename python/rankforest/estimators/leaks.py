"""Features that are none: the grades or query ids themselves, the index of a data frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.frame_columns import unnamed
from rankforest._support.warnings import warn
from rankforest.data import Dataset
from rankforest.estimators.documents import USUAL_QUERY_COLUMN

#: In fewer rows a feature of few values may well agree with the grades by chance.
_FEWEST_ROWS = 16
#: Rows that are compared first. They tell nearly all columns apart.
_FIRST_ROWS = 64

#: How `fit` is told which column it is, for messages.
_REMEDIES = {"grades": 'fit(X, y="{}")', "query ids": 'fit(X, y, qid="{}")'}


def warn_of_leaks(data: Dataset, *, has_warned_of_qid: bool = False) -> None:
    """Warn, for training, of features whose values are the grades or query ids of all documents.

    Parameters
    ----------
    data : Dataset
        What is trained on.
    has_warned_of_qid : bool
        Whether the user has been told of the column "qid".
    """
    if data.n_documents < _FEWEST_ROWS:
        return
    values: dict[str, npt.NDArray[Any] | None] = {"grades": data.y, "query ids": None}
    if data.query_ids.dtype.kind in "iuf":
        values["query ids"] = data.qid
    for what, each in values.items():
        for column in [] if each is None else _columns_equal_to(data.X, each):
            name = None if data.feature_names is None else data.feature_names[column]
            if has_warned_of_qid and what == "query ids" and name == USUAL_QUERY_COLUMN:
                continue
            remedy = "leave it out"
            if name is not None:
                remedy += f", or say what it is: {_REMEDIES[what].format(name)}"
            warn(f"{_described(data, column)} holds the {what} and is trained on; {remedy}")


def warn_of_index(data: Dataset) -> None:
    """Warn, for training, of features that are called what an index is called in a file."""
    for name in unnamed(data.feature_names or ()):
        warn(
            f"column {name!r}, which is trained on, has no name of its own, as the index of a data "
            f"frame that was written to a file: leave it out, X.drop(columns={name!r}), or write "
            "the file without it, to_csv(index=False)"
        )


def _columns_equal_to(X: npt.NDArray[np.float32], values: npt.NDArray[Any]) -> list[int]:
    """Return the columns that are `values` in each row; none if all values are the same."""
    with np.errstate(over="ignore"):
        rounded = values.astype(np.float32)
    if (rounded == rounded[0]).all():
        return []
    some = slice(None, None, max(1, len(X) // _FIRST_ROWS))
    near = np.flatnonzero((X[some] == rounded[some, None]).all(axis=0))
    return [j for j in near.tolist() if (X[:, j] == rounded).all()]


def _described(data: Dataset, column: int) -> str:
    """Return what the user calls a feature."""
    if data.feature_names is not None:
        return f"column {data.feature_names[column]!r}"
    if data._text is not None:
        return f"feature {data.feature_labels[column]}"
    return f"column {column} (counted from 0)"
