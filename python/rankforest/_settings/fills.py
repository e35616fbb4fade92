"""Values that stand for missing ones: the parameter `missing`, where it names a fill."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankforest import _core

if TYPE_CHECKING:
    from rankforest.data import Dataset

Values = npt.NDArray[np.float32]

#: The ways that need no value: documents without one find their own way through the trees.
WAYS = ("learn", "third")
#: The fills that the training data decides.
OF_DATA = ("mean", "median")

_MOST = float(np.finfo(np.float32).max)
#: In training an infinity counts as the largest number of its sign.
_INFINITIES = {"inf": _MOST, "-inf": -_MOST}


def parse_missing(value: object) -> str | float:
    """Return the plain form of the parameter; an infinity is a word, for JSON has none.

    Raises
    ------
    TypeError, ValueError
        If it is none.
    """
    if isinstance(value, str):
        if value not in (*WAYS, *OF_DATA, *_INFINITIES):
            raise ValueError
        return str(value)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError
    number = float(value) + 0.0  # no -0.0, which 0.0 equals
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if not -_MOST <= number <= _MOST:  # NaN, too
        raise ValueError
    return number


def is_fill(missing: object) -> bool:
    """Whether the plain form of the parameter says what stands for missing values."""
    return missing not in WAYS


def given_values(missing: str | float, n_features: int) -> Values:
    """Return what stands for the missing values of each feature, where the parameter says it all.

    Parameters
    ----------
    missing : str or float
        A number, "inf" or "-inf".
    n_features : int
        How many there are.
    """
    number = _INFINITIES[missing] if isinstance(missing, str) else missing
    return np.full(n_features, number, dtype=np.float32)


def values_for(missing: str | float, data: Dataset, n_jobs: int) -> Values:
    """Return what stands for the missing values of each feature.

    Parameters
    ----------
    missing : str or float
        A fill.
    data : Dataset
        What is trained on.
    n_jobs : int
        Threads.
    """
    if missing in OF_DATA:
        return _core.fill_values(data.X, str(missing), n_jobs)
    return given_values(missing, data.n_features)


def checked_values(given: object, n_features: int) -> Values:
    """Return the values that a model file holds.

    Raises
    ------
    ValueError
        If they are no finite numbers of float32, one for each feature.
    """
    listed = given if isinstance(given, list) else []
    are_numbers = all(type(x) in (int, float) and abs(x) <= _MOST for x in listed)
    if len(listed) != n_features or not are_numbers:
        raise ValueError("the model's fill values are not one number for each of its features")
    return np.array(listed, dtype=np.float32)
