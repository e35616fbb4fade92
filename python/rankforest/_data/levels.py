"""Levels of categorical columns: what a data set holds in place of texts and ids.

A categorical column of a data set holds the position of each row's level among the levels of the
column, as a number; NaN where the row has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rankforest._support.wording import first_of

#: The levels of a column, ascending: whole numbers, or texts by code points.
Levels: TypeAlias = "tuple[int, ...] | tuple[str, ...]"
#: The columns that a parameter names: by number, by name, or with a flag for each.
Columns: TypeAlias = "str | list[str | int] | list[bool] | None"
#: What a user may give as columns.
ColumnsLike: TypeAlias = "str | Sequence[str | int | bool] | npt.NDArray[Any] | None"

FROM_DTYPE = "from_dtype"
#: Positions of levels are float32, as all features.
MOST_LEVELS = 1 << 24
_INT64 = np.iinfo(np.int64)
_MOST_SHOWN = 3


def parse_columns(value: object) -> Columns:
    """Return columns in plain form; None where none is named.

    Raises
    ------
    TypeError, ValueError
        If they are in none of the forms.
    """
    if value is None or (isinstance(value, str) and value == FROM_DTYPE):
        return value
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, np.ndarray):
        if value.ndim != 1:
            raise ValueError
        value = value.tolist()
    if not isinstance(value, Iterable) or isinstance(value, (Mapping, bytes)):
        raise TypeError
    plain = [each.item() if isinstance(each, np.generic) else each for each in value]
    if all(isinstance(each, bool) for each in plain):
        return plain if any(plain) else None
    if not all(isinstance(each, (str, int)) and not isinstance(each, bool) for each in plain):
        raise TypeError
    if "" in plain:
        raise ValueError
    return plain


def places_of(
    columns: Columns, n_features: int, labels: Sequence[str], of_dtype: Sequence[int]
) -> list[int]:
    """Return the numbers of columns that a parameter names, ascending.

    Parameters
    ----------
    columns : Columns
        In plain form.
    n_features : int
        How many columns there are.
    labels : sequence of str
        What they are called.
    of_dtype : sequence of int
        Those whose type says that they are categorical.

    Raises
    ------
    ValueError
        If there is no such column.
    """
    if columns is None:
        return []
    if isinstance(columns, str):
        return sorted(of_dtype)
    if all(isinstance(each, bool) for each in columns):
        if len(columns) != n_features:
            raise ValueError(
                "categorical_features must say True or False of each of the "
                f"{n_features} features, got {len(columns)}"
            )
        return [place for place, flag in enumerate(columns) if flag]
    place_of = {label: place for place, label in enumerate(labels)}
    return sorted({_place(each, n_features, place_of) for each in columns})


def _place(column: str | int, n_features: int, place_of: Mapping[str, int]) -> int:
    if isinstance(column, str) and column in place_of:
        return place_of[column]
    if not isinstance(column, str) and 0 <= column < n_features:
        return column
    known = first_of(list(map(repr, place_of)), _MOST_SHOWN)
    raise ValueError(
        f"categorical_features names the feature {column!r}, which the data has not: its "
        f"{n_features} features are {known}"
    )


def coded(
    what: str, values: npt.NDArray[Any] | list[Any], missing: float | None = None
) -> tuple[npt.NDArray[np.float32], Levels]:
    """Return the position of each value's level, NaN where it is missing, and the levels.

    Parameters
    ----------
    what : str
        The column, for messages.
    values : ndarray or list
        Texts, or whole numbers of any type. None, NaN and the marks of pandas are missing.
    missing : float, optional
        A number that means missing, too.

    Raises
    ------
    ValueError
        For values that are neither, for texts and numbers in one column, for whole numbers that
        their type does not tell apart, and for more than 2^24 levels.
    """
    array = values if isinstance(values, np.ndarray) else _objects(values)
    levels: Levels
    if array.dtype.kind in "biuf":
        codes, levels = _coded_numbers(what, array, missing)
    else:
        codes, levels = _coded_objects(what, array.tolist(), missing)
    if len(levels) > MOST_LEVELS:
        raise ValueError(
            f"{what} has {len(levels)} levels; a categorical feature may have 2^24: leave it out"
        )
    return codes, levels


def _objects(values: list[Any]) -> npt.NDArray[np.object_]:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _coded_numbers(
    what: str, array: npt.NDArray[Any], missing: float | None
) -> tuple[npt.NDArray[np.float32], tuple[int, ...]]:
    is_missing = np.zeros(len(array), dtype=bool)
    if array.dtype.kind == "f":
        is_missing = np.isnan(array)
        _require_whole(what, array, is_missing)
        array = np.where(is_missing, 0, array)
    elif array.dtype.kind == "u" and array.size and int(array.max()) > _INT64.max:
        raise ValueError(f"{what} has the level {int(array.max())}; the largest is {_INT64.max}")
    numbers = array.astype(np.int64)
    if missing is not None:
        is_missing = is_missing | (numbers == missing)
    codes = np.full(len(numbers), np.nan, dtype=np.float32)
    levels, codes[~is_missing] = np.unique(numbers[~is_missing], return_inverse=True)
    return codes, tuple(levels.tolist())


def _require_whole(what: str, array: npt.NDArray[Any], is_missing: npt.NDArray[np.bool_]) -> None:
    """Raise a ValueError for the first number that is not whole, or may have been rounded."""
    with np.errstate(invalid="ignore"):
        bad = ~is_missing & ~((array == np.trunc(array)) & np.isfinite(array))
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"{what}: levels of a categorical feature must be texts or whole numbers; that of row "
            f"{row} (counted from 0) is {array[row]}"
        )
    bits = np.finfo(array.dtype).nmant + 1
    bad = ~is_missing & (np.abs(array) > 2.0**bits)
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"{what}: {array.dtype} does not tell whole numbers above 2^{bits} apart, and row {row} "
            f"(counted from 0) has {array[row]:.0f}: pass such ids as integers or texts"
        )


def _coded_objects(
    what: str, cells: list[Any], missing: float | None
) -> tuple[npt.NDArray[np.float32], Levels]:
    is_there = np.array([not _is_missing(cell) for cell in cells], dtype=bool)
    there = [cell for cell, known in zip(cells, is_there.tolist(), strict=True) if known]
    levels: Levels
    if all(issubclass(kind, str) for kind in set(map(type, there))):
        found, levels = _coded_texts(what, there)
    else:
        _refuse_others(what, cells)
        numbers = [int(cell) for cell in there]
        if not all(_INT64.min <= number <= _INT64.max for number in numbers):
            raise ValueError(f"{what} has the level {max(numbers, key=abs)}, beyond 64 bits")
        found, levels = _coded_numbers(what, np.array(numbers, dtype=np.int64), missing)
    codes = np.full(len(cells), np.nan, dtype=np.float32)
    codes[is_there] = found
    return codes, levels


def _coded_texts(what: str, texts: list[str]) -> tuple[npt.NDArray[np.float32], tuple[str, ...]]:
    levels = tuple(sorted({str(text) for text in texts}))
    try:
        "".join(levels).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{what} has a level that cannot be written as UTF-8: {error}") from None
    code_of = {level: code for code, level in enumerate(levels)}
    return np.array([code_of[text] for text in texts], dtype=np.float32), levels


def _is_missing(cell: object) -> bool:
    if isinstance(cell, (float, np.floating)):
        return bool(np.isnan(cell))
    return cell is None or type(cell).__name__ in {"NAType", "NaTType"}


def _refuse_others(what: str, cells: list[Any]) -> None:
    """Raise a ValueError for the first cell that is no level, or of another kind than the first."""
    first: tuple[int, Any] | None = None
    for row, cell in enumerate(cells):
        if _is_missing(cell):
            continue
        if not _is_level(cell):
            raise ValueError(
                f"{what}: levels of a categorical feature must be texts or whole numbers; that of "
                f"row {row} (counted from 0) is {cell!r}"
            )
        if first is None:
            first = row, cell
        elif isinstance(cell, str) != isinstance(first[1], str):
            raise ValueError(
                f"{what}: levels of a categorical feature must be all texts or all whole numbers; "
                f"that of row {first[0]} (counted from 0) is {first[1]!r}, that of row {row} {cell!r}"
            )


def _is_level(cell: object) -> bool:
    if isinstance(cell, (float, np.floating)):
        return bool(abs(float(cell)) <= 2.0**53 and cell == np.trunc(cell))
    return isinstance(cell, (str, int, np.integer, np.bool_))


def values_of(codes: npt.NDArray[np.float32], levels: Levels | None) -> npt.NDArray[Any]:
    """Return the levels at some positions, None where missing; without levels, numbers as they are."""
    if levels is None:
        return codes
    places = np.where(np.isnan(codes), len(levels), codes).astype(np.intp)
    return _objects([*levels, None])[places]


def kind_of(levels: Sequence[object]) -> str:
    """Return what levels are, in words."""
    return "texts" if levels and isinstance(levels[0], str) else "whole numbers"


def noted(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a model remembers them: without categorical features that there are not."""
    kept = {k: v for k, v in settings.items() if k != "categorical_features" or v is not None}
    if "forest" in kept:
        kept["forest"] = noted(kept["forest"])
    return kept
