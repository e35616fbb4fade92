"""Numbers of any type into float32, with what is missing and what does not fit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]

#: Values that are converted at a time: large enough to be fast, small beside the whole.
_BLOCK = 1 << 20


def checked_missing(missing: object) -> float | None:
    """Return the number that means missing; None for NaN, which does so anyway."""
    if missing is None:
        return None
    if isinstance(missing, bool) or not isinstance(missing, Real) or math.isinf(missing):
        raise ValueError(f"missing must be a finite number or None, got {missing!r}")
    return None if math.isnan(missing) else float(missing)


def from_array(array: npt.NDArray[Any], missing: float | None) -> Matrix:
    """Return two-dimensional numbers as float32 rows; the array itself if it is that already.

    Raises
    ------
    ValueError
        For the first finite value that float32 cannot hold.
    """
    if missing is None and _can_borrow(array):
        return array
    features = np.empty(array.shape, dtype=np.float32)
    for rows in blocks(*array.shape):
        fill(features, array[rows], missing, row=rows.start)
    return features


def blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Cut rows into parts of a size that fits caches."""
    step = max(1, _BLOCK // max(1, n_columns))
    for begin in range(0, n_rows, step):
        yield slice(begin, min(n_rows, begin + step))


def fill(
    features: Matrix, source: npt.NDArray[Any], missing: float | None, *, row: int, column: int = 0
) -> None:
    """Write a block of numbers into features, from `row` and `column` on.

    Raises
    ------
    ValueError
        For the first finite value that float32 cannot hold.
    """
    n_rows, n_columns = source.shape
    target = features[row : row + n_rows, column : column + n_columns]
    lost = narrow(source, target, missing)
    if lost is not None:
        raise too_large(row + lost[0], column + lost[1], source[lost])


def narrow(
    source: npt.NDArray[Any], target: Matrix, missing: float | None
) -> tuple[int, int] | None:
    """Write numbers into float32, NaN for `missing`.

    Returns the position of the first finite number that does not fit, or None.
    """
    # Wide integers take the way of text, through float64, so that both give the same bits.
    is_wide = source.dtype.kind != "b" and source.dtype.itemsize > 4
    with np.errstate(over="ignore"):
        target[...] = source.astype(np.float64, copy=False) if is_wide else source
    if missing is not None:
        target[_means_missing(source, missing)] = np.nan
    lost = np.isinf(target)
    if not lost.any():
        return None
    lost &= np.isfinite(source)
    if not lost.any():
        return None
    row, column = np.unravel_index(int(lost.argmax()), lost.shape)
    return int(row), int(column)


def rounded_to(missing: float | None, dtype: np.dtype[Any]) -> float | None:
    """Return `missing` as a floating-point type holds it; None where it cannot."""
    if missing is None:
        return None
    with np.errstate(over="ignore"):
        rounded = float(dtype.type(missing))
    return None if math.isinf(rounded) else rounded


def too_large(row: int, column: int, value: object) -> ValueError:
    """Return the error about a number beyond float32."""
    return ValueError(f"X must fit into float32, up to 3.4e38; {place(row, column)} is {value}")


def place(row: int, column: int) -> str:
    """Say where a value is."""
    return f"row {row}, column {column} (counted from 0)"


def _means_missing(source: npt.NDArray[Any], missing: float) -> npt.NDArray[np.bool_]:
    """Mark the numbers that mean missing, to the precision of their type: 0.1 is float16's 0.1."""
    kind = source.dtype.kind
    number: Any = missing
    if kind == "f":
        number = rounded_to(missing, source.dtype)
    elif kind in "iu":
        limits = np.iinfo(source.dtype)
        can_be = missing.is_integer() and limits.min <= missing <= limits.max
        number = int(missing) if can_be else None
    if number is None:
        return np.zeros(source.shape, dtype=bool)
    return np.asarray(source == number)


def _can_borrow(array: npt.NDArray[Any]) -> bool:
    """Whether the core can read the array where it is."""
    row_stride, stride = array.strides
    return (
        array.dtype == np.float32
        and array.dtype.isnative
        and array.flags.aligned
        and (array.shape[1] == 1 or stride == array.itemsize)
        and (array.shape[0] == 1 or row_stride >= array.shape[1] * array.itemsize)
    )
