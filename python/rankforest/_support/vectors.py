"""One-dimensional arguments: one value for each document, query or group."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._support.warnings import warn


def as_vector(name: str, values: object) -> npt.NDArray[Any]:
    """Return the argument `name` as a one-dimensional array.

    Raises
    ------
    ValueError
        If it has another shape or masked values.
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        row = int(np.flatnonzero(np.ma.getmaskarray(values))[0])
        raise ValueError(f"{name} must have no masked values; that of row {row} is masked")
    try:
        vector = np.asarray(values)
    except ValueError:  # NumPy's message about lists of lists of different lengths
        raise ValueError(f"{name} must be one-dimensional; it holds sequences") from None
    if vector.ndim != 1:
        is_column = vector.ndim == 2 and vector.shape[1] == 1
        hint = f" (one column: pass np.ravel({name}))" if is_column else ""
        raise ValueError(f"{name} must be one-dimensional; its shape is {vector.shape}{hint}")
    return vector


def check_length(name: str, values: Sized, n_documents: int, what: str = "documents") -> None:
    """Raise a ValueError unless there is one value for each document, which the caller calls `what`."""
    if len(values) != n_documents:
        raise ValueError(
            f"{name} must have one value for each of the {n_documents} {what}; it has {len(values)}"
        )


def column_as_vector(y: object) -> object:
    """Return grades of shape (n_documents, 1) as a vector, with scikit-learn's warning."""
    if getattr(y, "ndim", 1) != 2 and not hasattr(y, "columns"):
        return y
    column = np.asarray(y)
    if column.ndim != 2 or column.shape[1] != 1:
        return y
    from sklearn.exceptions import DataConversionWarning  # noqa: PLC0415  # slow to import

    warn(
        f"y is a column of shape {column.shape}, taken as one-dimensional; np.ravel(y) is",
        DataConversionWarning,
    )
    return column.ravel()


def as_numbers(name: str, values: object, *, check: bool = True) -> npt.NDArray[np.float64]:
    """Return the argument `name` as contiguous float64, a new array unless it is that already.

    Checks that numbers are finite and >= 0 unless `check` is False, where the core does.

    Raises
    ------
    ValueError
        If it is not one-dimensional, or for the first value that is no number >= 0.
    """
    vector = as_vector(name, values)
    if vector.dtype.kind in "USTO":
        # NumPy would have turned the numbers of a list with one string into strings.
        objects = np.array(values, dtype=object)
        for row, value in enumerate(objects.tolist()):
            if not _is_number(value):
                raise ValueError(
                    f"{name} must hold numbers; that of row {row} (counted from 0) is {value!r}"
                )
        vector = objects
    elif vector.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold numbers; its dtype is {vector.dtype}")
    numbers = np.ascontiguousarray(vector, dtype=np.float64)
    if not check:
        return numbers
    bad = ~((numbers >= 0) & (numbers < np.inf))
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"{name} must be finite and >= 0; that of row {row} (counted from 0) is {vector[row]}"
        )
    return numbers


def _is_number(value: object) -> bool:
    """Whether a value is a number; text is none, even where it reads like one."""
    if isinstance(value, (str, bytes)):
        return False
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True
