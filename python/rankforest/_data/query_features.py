"""Features that say where a document stands among the others of its query."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from rankforest._data.frame_columns import listed

Features = npt.NDArray[np.float32]
_Block = npt.NDArray[np.float64]

_LARGEST = float(np.finfo(np.float32).max)


def query_features(
    X: Features, query_codes: npt.NDArray[np.uint32], kinds: Sequence[str]
) -> Features:
    """Return the features of each kind, those of the first kind first.

    Parameters
    ----------
    X : ndarray of float32, shape (n_documents, n_features)
        Infinity counts as the largest number of its sign. NaN stays NaN, and is no value of its
        query.
    query_codes : ndarray of uint32, shape (n_documents,)
        The same number for documents of the same query.
    kinds : sequence of {"zscore", "minmax", "rank"}
        Kinds out of `KINDS`.

    Returns
    -------
    ndarray of float32, shape (n_documents, n_features * len(kinds))
        The order of the rows changes no bit.
    """
    n_features = X.shape[1]
    made = np.empty((len(X), n_features * len(kinds)), dtype=np.float32)
    by_query = np.argsort(query_codes, kind="stable")
    starts = np.flatnonzero(np.diff(query_codes[by_query])) + 1
    for rows in np.split(by_query, starts):
        block = np.clip(X[rows].astype(np.float64), -_LARGEST, _LARGEST)
        for place, kind in enumerate(kinds):
            made[rows, place * n_features : (place + 1) * n_features] = KINDS[kind](block)
    return made


def _zscore(block: _Block) -> _Block:
    """Subtract the mean and divide by the standard deviation; 0 where all values are equal."""
    ascending = np.sort(block, axis=0)  # so that sums do not depend on the order of the rows
    count = np.sum(~np.isnan(ascending), axis=0)
    mean = np.nansum(ascending, axis=0) / np.maximum(count, 1)
    variance = np.nansum((ascending - mean) ** 2, axis=0) / np.maximum(count, 1)
    return _divided(block, block - mean, np.sqrt(variance))


def _minmax(block: _Block) -> _Block:
    """Scale the smallest value to 0 and the largest to 1; 0 where all values are equal."""
    low = np.fmin.reduce(block, axis=0)
    return _divided(block, block - low, np.fmax.reduce(block, axis=0) - low)


def _rank(block: _Block) -> _Block:
    """Return the share of the values that are smaller, plus half of those that are as large."""
    from scipy.stats import rankdata  # noqa: PLC0415  # slow to import, and only needed here

    is_missing = np.isnan(block)
    ranks = rankdata(np.where(is_missing, np.inf, block), axis=0)  # from 1; ties have their mean
    ranks = (ranks - 0.5) / np.maximum(np.sum(~is_missing, axis=0), 1)
    return np.where(is_missing, np.nan, ranks)


def _divided(block: _Block, numerator: _Block, denominator: _Block) -> _Block:
    """Return the quotient, and 0 for values that are all equal."""
    is_constant = np.fmin.reduce(block, axis=0) == np.fmax.reduce(block, axis=0)
    quotient = numerator / np.where(is_constant | ~(denominator > 0), 1.0, denominator)
    return np.where(is_constant & ~np.isnan(block), 0.0, quotient)


#: What can be made of the values that a feature has in a query, a column each.
KINDS: dict[str, Callable[[_Block], _Block]] = {
    "zscore": _zscore,
    "minmax": _minmax,
    "rank": _rank,
}


def checked_kinds(kinds: Sequence[object]) -> tuple[str, ...]:
    """Return different kinds out of `KINDS`, at least one, or raise a ValueError."""
    if not kinds:
        raise ValueError(f"kinds must be out of {listed(list(KINDS))}, got none")
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"kinds must be out of {listed(list(KINDS))}, got {kind!r}")
        if kinds.count(kind) > 1:
            raise ValueError(f"kinds must be different, got {kind!r} twice")
    return tuple(map(str, kinds))
