"""One-dimensional arguments: one value for each document, query or group."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


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
        raise ValueError(f"{name} must be one-dimensional; its shape is {vector.shape}")
    return vector


def as_numbers(name: str, values: object, *, check: bool = True) -> npt.NDArray[np.float64]:
    """Return the argument `name` as contiguous float64, a new array unless it is that already.

    Checks that numbers are finite and >= 0 unless `check` is False, where the core does.

    Raises
    ------
    ValueError
        If it is not one-dimensional, or for the first value that is no number >= 0.
    """
    vector = as_vector(name, values)
    if vector.dtype.kind not in "biufO":
        raise ValueError(f"{name} must hold numbers; its dtype is {vector.dtype}")
    try:
        numbers = np.ascontiguousarray(vector, dtype=np.float64)
    except (TypeError, ValueError):
        row = next(i for i, value in enumerate(vector) if not _is_number(value))
        raise ValueError(
            f"{name} must hold numbers; that of row {row} (counted from 0) is {vector[row]!r}"
        ) from None
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
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True
