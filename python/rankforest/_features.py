"""Features in every form that users hold them, as float32 rows."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]

#: Values that are converted at a time: large enough to be fast, small beside the whole.
_BLOCK = 1 << 20


def as_features(X: object, *, missing: float | None = None) -> tuple[Matrix, list[str] | None]:
    """Return features as float32 rows, and the names of their columns.

    Parameters
    ----------
    X : array_like, sparse matrix or data frame of shape (n_documents, n_features)
        Numbers of any kind; NaN, None or a data frame's null is a missing value, and the gaps of
        a sparse matrix are zeros. float32 with contiguous rows is borrowed, everything else is
        copied once, wider numbers by way of float64. pandas, polars and arrow frames need
        narwhals (the extra ``dataframes``).
    missing : float, optional
        A number that means missing.

    Returns
    -------
    features : ndarray of float32, shape (n_documents, n_features)
        The values of a row are contiguous; the rows may be apart.
    names : list of str or None
        Those of a data frame whose columns are named by strings.

    Raises
    ------
    ValueError
        If X is not two-dimensional, for columns that are not numeric (all of them are named), and
        for the first finite value that float32 cannot hold.
    ImportError
        If X is a data frame and narwhals is missing.
    """
    if missing is not None:
        missing = _checked_missing(missing)
    if _is_sparse(X):
        return _from_sparse(X, missing), None
    frame = _as_frame(X)
    if frame is not None:
        return _from_frame(frame, missing)
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    return _from_array(_as_array(X), missing), None


def _is_sparse(X: object) -> bool:
    """Whether `X` is a sparse matrix of SciPy; without SciPy imported, nothing is."""
    if "scipy.sparse" not in sys.modules:
        return False
    from scipy.sparse import issparse  # noqa: PLC0415  # slow to import where nobody did

    return bool(issparse(X))


def _checked_missing(missing: object) -> float | None:
    """Return the number that means missing; None for NaN, which does so anyway."""
    if isinstance(missing, bool) or not isinstance(missing, Real) or math.isinf(missing):
        raise ValueError(f"missing must be a finite number or None, got {missing!r}")
    return None if math.isnan(missing) else float(missing)


def _as_array(X: object) -> npt.NDArray[Any]:
    """Return `X` as a two-dimensional array of numbers."""
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise ValueError(f"X must have rows of the same length ({error})") from None
    if array.ndim != 2:
        raise ValueError(
            f"X must be two-dimensional, (n_documents, n_features); its shape is {array.shape}. "
            "Reshape your data: X.reshape(1, -1) is one document, X.reshape(-1, 1) one feature."
        )
    if array.dtype.kind == "O":
        return _from_objects(array)
    if array.dtype.kind not in "biuf":
        complex_ = "Complex data not supported: " if array.dtype.kind == "c" else ""
        raise ValueError(f"{complex_}X must hold numbers; its dtype is {array.dtype}")
    return array


def _from_objects(array: npt.NDArray[np.object_]) -> npt.NDArray[np.float64]:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        for (row, column), value in np.ndenumerate(array):
            if isinstance(value, str) or not _is_number(value):
                raise ValueError(
                    f"X must hold numbers; {_place(row, column)} is {value!r}"
                ) from None
        raise


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return value is None
    return True


def _place(row: int, column: int) -> str:
    return f"row {row}, column {column} (counted from 0)"


def _from_array(array: npt.NDArray[Any], missing: float | None) -> Matrix:
    if missing is None and _can_borrow(array):
        return array
    n_rows, n_columns = array.shape
    features = np.empty((n_rows, n_columns), dtype=np.float32)
    for rows in _blocks(n_rows, n_columns):
        lost = _narrow(array[rows], features[rows], missing)
        if lost is not None:
            raise _too_large(rows.start + lost[0], lost[1], array[rows][lost])
    return features


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


def _blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    step = max(1, _BLOCK // max(1, n_columns))
    for begin in range(0, n_rows, step):
        yield slice(begin, min(n_rows, begin + step))


def _narrow(
    source: npt.NDArray[Any], target: Matrix, missing: float | None
) -> tuple[int, int] | None:
    """Write numbers into float32, NaN for `missing`.

    Returns the position of the first finite number that does not fit, or None.
    """
    # Wide integers take the way of text, through float64, so that both give the same bits.
    is_wide = source.dtype.kind != "b" and source.dtype.itemsize > 4
    with np.errstate(over="ignore"):
        values = source.astype(np.float64 if is_wide else np.float32)
        if missing is not None:
            values[source == missing] = np.nan
        target[...] = values
    lost = np.isinf(target)
    if not lost.any():
        return None
    lost &= np.isfinite(source)
    if not lost.any():
        return None
    row, column = np.unravel_index(int(lost.argmax()), lost.shape)
    return int(row), int(column)


def _too_large(row: int, column: int, value: object) -> ValueError:
    return ValueError(f"X must fit into float32, up to 3.4e38; {_place(row, column)} is {value}")


def _from_sparse(X: Any, missing: float | None) -> Matrix:
    matrix = X.tocsr()
    if matrix.ndim != 2:
        raise ValueError(
            f"X must be two-dimensional, (n_documents, n_features); its shape is {matrix.shape}"
        )
    if matrix.dtype.kind not in "biuf":
        raise ValueError(f"X must hold numbers; its dtype is {matrix.dtype}")
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    n_rows, n_columns = matrix.shape
    features = np.full((n_rows, n_columns), np.nan if missing == 0 else 0, dtype=np.float32)
    for rows in _blocks(n_rows, n_columns):
        begin, end = matrix.indptr[rows.start], matrix.indptr[rows.stop]
        of_row = np.repeat(
            np.arange(rows.start, rows.stop), np.diff(matrix.indptr[rows.start : rows.stop + 1])
        )
        columns = matrix.indices[begin:end]
        values = np.empty((1, end - begin), dtype=np.float32)
        lost = _narrow(matrix.data[None, begin:end], values, missing)
        if lost is not None:
            k = lost[1]
            raise _too_large(int(of_row[k]), int(columns[k]), matrix.data[begin + k])
        features[of_row, columns] = values[0]
    return features


def _as_frame(X: object) -> Any:
    """Return a narwhals view of a data frame; None where `X` is none."""
    if isinstance(X, (np.ndarray, list, tuple)) or not any(
        hasattr(type(X), name) for name in ("__dataframe__", "__arrow_c_stream__", "columns")
    ):
        return None
    try:
        import narwhals as nw  # noqa: PLC0415  # optional
    except ImportError:
        raise ImportError(
            "data frames need narwhals: pip install 'rankforest[dataframes]'"
        ) from None
    try:
        return nw.from_native(X, eager_only=True)
    except TypeError:
        kind = f"{type(X).__module__.partition('.')[0]} {type(X).__name__}"
        raise ValueError(
            f"X must be an array, a sparse matrix or a data frame in memory, got a {kind}"
        ) from None
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"X must have columns of different names: {error}") from None


def _from_frame(frame: Any, missing: float | None) -> tuple[Matrix, list[str] | None]:
    import narwhals as nw  # noqa: PLC0415  # optional

    schema = frame.schema
    unusable = [
        f"{name!r} ({dtype})"
        for name, dtype in schema.items()
        if not (dtype.is_numeric() or dtype == nw.Boolean)
    ]
    if unusable:
        raise ValueError(f"X must have numeric columns only; these are not: {', '.join(unusable)}")
    columns = list(frame.columns)
    names = columns if all(isinstance(name, str) for name in columns) else None
    if all(dtype == nw.Float32 for dtype in schema.values()):
        array = np.asarray(frame.to_numpy())
        if array.dtype == np.float32:  # pandas' nullable floats become objects
            return _from_array(array, missing), names

    features = np.empty(frame.shape, dtype=np.float32)
    for j, column in enumerate(frame.iter_columns()):
        numbers = column.cast(nw.Float64).fill_null(0.0).to_numpy()
        values = np.where(column.is_null().to_numpy(), np.nan, numbers)[:, None]
        lost = _narrow(values, features[:, j : j + 1], missing)
        if lost is not None:
            raise _too_large(lost[0], j, values[lost])
    return features, names
