"""Which evaluation set decides when training ends, and which documents are held out for it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rankforest._support.warnings import warn
from rankforest.data import Dataset


def deciding_set(sets: Mapping[str, Dataset], train: Dataset, wanted: str | None) -> str | None:
    """Return the name of the set that decides; None where there is no set.

    Parameters
    ----------
    sets : mapping of str to Dataset
        The evaluation sets, in order.
    train : Dataset
        The training data.
    wanted : str or None
        The name of one of the sets, where the user gave one. By default it is the last set that is
        not the training data, or the last where all of them are.
    """
    names = list(sets)
    if wanted is not None or len(names) < 2:
        return wanted or next(iter(names), None)
    held_out = (name for name in reversed(names) if not is_same_data(sets[name], train))
    return next(held_out, names[-1])


def warn_if_training_data(owner: str, what: str, name: str, data: Dataset, train: Dataset) -> None:
    """Warn where a decision is made on the training data.

    Parameters
    ----------
    owner : str
        The estimator.
    what : str
        What decides, such as "early stopping".
    name : str
        The set that decides it.
    data, train : Dataset
        That set, and the training data.
    """
    if is_same_data(data, train):
        warn(
            f"{owner}: {what} goes by {name!r}, which is the training data. It says nothing about "
            "new queries: give others as eval_set, or use validation_fraction",
        )


def is_same_data(a: Dataset, b: Dataset) -> bool:
    """Whether two data sets have the same graded documents, in whatever order their rows are."""
    if a is b:
        return True
    if a.y is None or b.y is None or a.X.shape != b.X.shape or a.n_queries != b.n_queries:
        return False
    if np.array_equal(a.y, b.y) and (_share_memory(a.X, b.X) or _are_equal(a.X, b.X)):
        return True
    of_a, of_b = a._core, b._core
    return np.array_equal(of_a.grades, of_b.grades) and _are_equal(a.X[of_a.order], b.X[of_b.order])


def _share_memory(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> bool:
    """Whether two arrays of one shape are the same values in memory."""
    place = a.__array_interface__["data"], a.strides
    return bool(place == (b.__array_interface__["data"], b.strides))


def _are_equal(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> bool:
    """Whether all values are the same, NaN included; ends at the first block that differs."""
    step = 4096
    return all(
        np.array_equal(a[i : i + step], b[i : i + step], equal_nan=True)
        for i in range(0, len(a), step)
    )
