"""Checks of what a data set is made of and asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from numbers import Integral, Real
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rankforest._data.queries import Queries
from rankforest._support.vectors import as_numbers, as_vector, check_length
from rankforest._support.wording import names_of

_Sized = TypeVar("_Sized", bound=Sized)

#: The core's bound: training multiplies several sums of weights.
_LARGEST_WEIGHT = 1e30

#: Effects of positions are kept for each position up to the last, after every round.
LAST_POSITION = 10_000


def per_row(name: str, values: _Sized, n_documents: int) -> _Sized:
    """Return values, checked to be as many as there are documents."""
    check_length(name, values, n_documents, "rows of X")
    return values


def weight_of_rows(weight: object, queries: Queries) -> npt.NDArray[np.float64]:
    """Return the weight of each document, out of those of documents or queries."""
    weights = as_numbers("weight", weight)
    n_documents, n_queries = len(queries.codes), len(queries.ids)
    if not weights.any():
        raise ValueError("weight must not be zero everywhere")
    if weights.max() > _LARGEST_WEIGHT:
        row = int(weights.argmax())
        raise ValueError(
            f"weight must be from 0 to 1e30; that of row {row} (counted from 0) is {weights[row]}"
        )
    if len(weights) == n_documents:
        return weights
    if len(weights) == n_queries:
        return weights.take(queries.codes)
    if len(weights) == queries.n_groups:  # group sizes of 0 have a weight too
        return weights.take(queries.ids.take(queries.codes))
    raise ValueError(
        f"weight must have one value for each of the {n_documents} documents or {n_queries} "
        f"queries; it has {len(weights)}"
    )


def positions_of_rows(position: object, n_documents: int) -> npt.NDArray[np.uint32]:
    """Return where each document was shown, checked."""
    positions = per_row("position", as_numbers("position", position, check=False), n_documents)
    good = (positions >= 1) & (positions <= LAST_POSITION) & (positions == np.floor(positions))
    bad = ~good
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"position must be whole numbers from 1 to {LAST_POSITION}; that of row {row} (counted "
            f"from 0) is {positions[row]:g}"
        )
    return positions.astype(np.uint32)


def column_names(names: Sequence[str] | None, n_features: int) -> tuple[str, ...] | None:
    """Return the names of features, checked."""
    if names is None:
        return None
    names = names_of(names)
    if not all(isinstance(name, str) for name in names):
        odd = next(name for name in names if not isinstance(name, str))
        raise ValueError(f"feature_names must be strings, got {odd!r}")
    if len(names) != n_features:
        raise ValueError(
            f"feature_names must name each of the {n_features} columns of X; there are {len(names)}"
        )
    if len(set(names)) < n_features:
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"feature_names must be different; {twice!r} occurs twice")
    return tuple(str(name) for name in names)


def as_objects(values: Iterable[object], n: int) -> npt.NDArray[np.object_]:
    """Return the ids of documents, one for each row."""
    if isinstance(values, (str, bytes)):
        raise ValueError(  # noqa: TRY004 - as for every other argument
            f"document_ids must be one id for each row, got the string {values!r}"
        )
    objects = np.empty(n, dtype=object)
    objects[:] = per_row("document_ids", list(values), n)
    return objects


def selected_rows(rows: object, n_documents: int) -> slice | npt.NDArray[np.intp]:
    """Return what selects the rows: a slice, which copies nothing, where they are consecutive."""
    vector = as_vector("rows", rows)
    if vector.dtype == bool:
        selected = np.flatnonzero(per_row("rows", vector, n_documents))
    elif vector.dtype.kind in "iu" or len(vector) == 0:
        bad = (vector < 0) | (vector >= n_documents)
        if bad.any():
            raise ValueError(f"rows must be in [0, {n_documents}); {vector[bad.argmax()]} is not")
        selected = vector.astype(np.intp)
    else:
        raise ValueError(f"rows must be row numbers or a mask; the dtype is {vector.dtype}")
    if len(selected) == 0:
        raise ValueError("a data set must have at least one document; none is selected")
    if (np.diff(selected) == 1).all():
        return slice(int(selected[0]), int(selected[-1]) + 1)
    return selected


def n_test_queries(test_size: float, n_queries: int) -> int:
    """Return how many queries a share or a count of them is."""
    is_count = isinstance(test_size, Integral) and not isinstance(test_size, bool)
    if not is_count and not (isinstance(test_size, Real) and 0 < test_size < 1):
        raise ValueError(f"test_size must be a share in (0, 1) or a count, got {test_size!r}")
    count = int(test_size)
    if not is_count:
        count = min(max(round(test_size * n_queries), 1), n_queries - 1)
    if not 0 < count < n_queries:
        raise ValueError(
            f"test_size={test_size!r} leaves no query on one side: the data set has {n_queries}"
        )
    return count


def fold_bounds(k: int, n_queries: int) -> npt.NDArray[np.intp]:
    """Return where each of k folds of about the same size begins, and the number of queries."""
    if not isinstance(k, Integral) or isinstance(k, bool) or not 2 <= k <= n_queries:
        raise ValueError(
            f"k must be a number of folds in [2, {n_queries}], for there are {n_queries} queries; "
            f"got {k!r}"
        )
    return np.arange(int(k) + 1) * n_queries // int(k)
