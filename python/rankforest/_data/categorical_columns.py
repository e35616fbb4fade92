"""Features some of whose columns are categorical: texts and ids become positions of levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.features import as_features
from rankforest._data.frame_columns import as_frame, is_frame, is_of
from rankforest._data.levels import Columns, Levels, coded, places_of
from rankforest._data.merged_values import MergedValues
from rankforest._data.narrowing import Matrix, checked_missing
from rankforest._data.sparse_features import is_sparse

_Codes = Mapping[int, npt.NDArray[np.float32]]


def categorized(
    X: Any,
    columns: Columns,
    *,
    missing: float | None = None,
    merged: MergedValues | None = None,
) -> tuple[Matrix, list[str] | None, dict[int, Levels]]:
    """Return features as float32 rows, names of columns, and the levels of categorical ones.

    Parameters
    ----------
    X : array_like, sparse matrix or data frame of shape (n_documents, n_features)
        As for `as_features`, but for the columns that are categorical.
    columns : Columns
        Which ones these are, in plain form; None: none is.
    missing, merged
        As for `as_features`.

    Raises
    ------
    ValueError
        If there is no such column, for values that are no levels, and as `as_features` does.
    """
    missing = checked_missing(missing)
    if columns is None or is_sparse(X):
        features, names = as_features(X, missing=missing, merged=merged)
        return features, names, _plain_levels(features, columns)
    codes: dict[int, npt.NDArray[np.float32]]
    coding = _coded_frame if is_frame(X) else _coded_array
    rest, codes, levels = coding(X, columns, missing)
    features, names = as_features(rest, missing=missing, merged=merged)
    if missing is not None and codes:  # a position is no number that could mean missing
        features = features.copy()
        for place, found in codes.items():
            features[:, place] = found
    return features, names, levels


def _plain_levels(features: Matrix, columns: Columns) -> dict[int, Levels]:
    """Refuse columns that a sparse matrix does not have; their numbers are levels as they are."""
    if columns is not None:
        n_features = features.shape[1]
        places_of(columns, n_features, [str(place) for place in range(n_features)], [])
    return {}


def _coded_frame(
    X: Any, columns: Columns, missing: float | None
) -> tuple[Any, dict[int, npt.NDArray[np.float32]], dict[int, Levels]]:
    """Put positions of levels in place of columns of a data frame."""
    frame = as_frame(X)
    labels = [str(name) for name in frame.columns]
    places = places_of(columns, len(labels), labels, _of_dtype(frame))
    codes: dict[int, npt.NDArray[np.float32]] = {}
    levels: dict[int, Levels] = {}
    series = list(frame.iter_columns())
    for place in places:
        values = _values(series[place])
        codes[place], levels[place] = coded(f"column {labels[place]!r}", values, missing)
    return _with_columns(X, frame, codes), codes, levels


def _of_dtype(frame: Any) -> list[int]:
    """Return the numbers of the columns that hold categories or texts."""
    import narwhals as nw  # noqa: PLC0415  # slow to import where nobody has a frame

    kinds = (nw.Categorical, nw.Enum, nw.String, nw.Object)
    dtypes = frame.schema.dtypes()
    return [place for place, dtype in enumerate(dtypes) if isinstance(dtype, kinds)]


def _values(series: Any) -> npt.NDArray[Any] | list[Any]:
    """Return the values of a column, None for what is missing."""
    if series.dtype.is_numeric() and not series.is_null().any():
        return np.asarray(series.to_numpy())
    return [*series.to_list()]


def _with_columns(X: Any, frame: Any, codes: _Codes) -> Any:
    if not codes:
        return X
    if is_of(X, "pandas", "DataFrame"):  # whose columns may have any names
        changed = X.copy(deep=False)
        for place, found in codes.items():
            changed.isetitem(place, found)
        return changed
    import narwhals as nw  # noqa: PLC0415

    backend = nw.get_native_namespace(frame)
    names = frame.columns
    added = [
        nw.new_series(names[place], found, nw.Float32, backend=backend)
        for place, found in codes.items()
    ]
    return frame.with_columns(*added).to_native()


def _coded_array(
    X: Any, columns: Columns, missing: float | None
) -> tuple[Any, dict[int, npt.NDArray[np.float32]], dict[int, Levels]]:
    """Put positions of levels in place of columns of an array."""
    array = _two_dimensional(X)
    if array is None:
        return X, {}, {}
    n_features = array.shape[1]
    places = places_of(columns, n_features, [str(place) for place in range(n_features)], [])
    if not places:
        return X, {}, {}
    codes: dict[int, npt.NDArray[np.float32]] = {}
    levels: dict[int, Levels] = {}
    for place in places:
        codes[place], levels[place] = coded(f"column {place}", array[:, place], missing)
    wide = np.dtype(np.float64) if array.dtype.kind in "biu" else array.dtype
    changed = array.astype(wide)
    for place, found in codes.items():
        changed[:, place] = found
    return changed, codes, levels


def _two_dimensional(X: Any) -> npt.NDArray[Any] | None:
    """Return an array whose cells are as the caller wrote them; None for what as_features refuses."""
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    try:
        array = np.asarray(X)
    except ValueError:
        return None
    if array.ndim != 2:
        return None
    if array.dtype.kind in "USTO":
        # NumPy would have turned the numbers of a list with one string into strings.
        array = np.array(X, dtype=object).reshape(array.shape)
    return array
