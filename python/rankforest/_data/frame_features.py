"""Features in data frames, as float32 rows.

A frame whose columns are numbers is converted at once, by its own library: work for each column
would take many times as long as scoring a few documents. Every other frame goes column by column,
through narwhals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.frame_columns import (
    as_frame,
    check_different,
    feature_names,
    is_frame,
    is_of,
    names_in,
)
from rankforest._data.merged_values import MergedValues
from rankforest._data.narrowing import Matrix, blocks, fill, from_array, rounded_to

#: Rows of a frame, or all, as numbers: the values of columns of numbers alone.
_Rows = Callable[[slice | None], npt.NDArray[Any]]


def from_frame(
    X: Any, missing: float | None, merged: MergedValues | None
) -> tuple[Matrix, list[str] | None] | None:
    """Return the features of a data frame and the names of its columns; None where `X` is none.

    Parameters
    ----------
    X : object
        Perhaps a data frame.
    missing : float or None
        A number that means missing.
    merged : MergedValues or None
        What looks for values that float32 does not tell apart.

    Raises
    ------
    ValueError
        For columns that are not numeric, all of them by name, and for the first finite value that
        float32 cannot hold.
    """
    if not is_frame(X):
        return None
    rows_of = _plain_rows(X, missing)
    if rows_of is None:
        return _column_by_column(as_frame(X), missing, merged)
    columns = names_in(X) or []
    check_different(columns)
    names = feature_names(columns)
    n_rows, n_columns = X.shape
    if n_rows * n_columns == 0:
        return np.empty((n_rows, n_columns), dtype=np.float32), names
    parts = list(blocks(n_rows, n_columns))
    if merged is not None:
        merged.look(rows_of(slice(0, n_rows, merged.step(n_rows))))
    if len(parts) == 1:
        return from_array(rows_of(None), missing), names
    features = np.empty((n_rows, n_columns), dtype=np.float32)
    for rows in parts:
        fill(features, rows_of(rows), missing, row=rows.start)
    return features, names


def _plain_rows(X: Any, missing: float | None) -> _Rows | None:
    """Return what gives the rows of a frame of numbers; None for a frame that needs care."""
    for library, kind, rows_of in (
        ("pandas", "DataFrame", _rows_of_pandas),
        ("polars", "DataFrame", _rows_of_polars),
        ("pyarrow", "Table", _rows_of_arrow),
    ):
        if is_of(X, library, kind):
            return rows_of(X, missing)
    return None


def _may_widen(missing: float | None) -> bool:
    """Whether `missing` is the same number in every type: then columns may become float64 first."""
    if missing is None:
        return True
    return rounded_to(missing, np.dtype(np.float16)) == missing


def _rows_of_pandas(X: Any, missing: float | None) -> _Rows | None:
    dtypes = X.dtypes.to_numpy().tolist()
    kinds = set(dtypes)
    # Those of extensions have a kind, too: Int64, boolean, double[pyarrow], Sparse[float64].
    odd = {dtype for dtype in kinds if getattr(dtype, "kind", "O") not in "biuf"}
    if len(kinds) == 1 and not odd and isinstance(dtypes[0], np.dtype):
        array = X.to_numpy()  # as it lies in memory
        return lambda rows: array if rows is None else array[rows]
    if not _may_widen(missing):
        return None
    if not odd:
        return lambda rows: _pandas_float64(X if rows is None else X.iloc[rows])
    is_odd = np.array([dtype in odd for dtype in dtypes])
    if not X.iloc[:, is_odd].isna().to_numpy().all():  # without any value, anything will do
        return None

    def rows_of(rows: slice | None) -> npt.NDArray[Any]:
        numbers = _pandas_float64(X.iloc[slice(None) if rows is None else rows, ~is_odd])
        values = np.full((len(numbers), len(is_odd)), np.nan)
        values[:, ~is_odd] = numbers
        return values

    return rows_of


def _pandas_float64(part: Any) -> npt.NDArray[np.float64]:
    numbers: npt.NDArray[np.float64] = part.to_numpy(dtype=np.float64, na_value=np.nan)
    return numbers


def _rows_of_polars(X: Any, missing: float | None) -> _Rows | None:
    import polars as pl  # noqa: PLC0415  # X is of it

    kinds = set(X.dtypes)
    plain = {pl.Float32, pl.Float64, pl.Int8, pl.Int16, pl.Int32, pl.Int64}
    plain |= {pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64}
    is_plain = len(kinds) == 1 and kinds <= plain
    if not is_plain and not (kinds <= plain | {pl.Boolean, pl.Null} and _may_widen(missing)):
        return None

    def rows_of(rows: slice | None) -> npt.NDArray[Any]:
        part = X if rows is None else X[rows]
        numbers: npt.NDArray[Any] = (part if is_plain else part.cast(pl.Float64)).to_numpy()
        return numbers  # NaN for nulls

    return rows_of


def _rows_of_arrow(X: Any, missing: float | None) -> _Rows | None:
    import pyarrow as pa  # noqa: PLC0415  # X is of it

    kinds = {kind.id for kind in X.schema.types}
    plain = {each.id for each in (pa.float32(), pa.float64(), pa.int8(), pa.int16(), pa.int32())}
    plain |= {each.id for each in (pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())}
    is_plain = len(kinds) == 1 and kinds <= plain
    if int(pa.__version__.partition(".")[0]) < 17:  # its batches become no tensors by rows
        return None
    may_be = plain | {pa.bool_().id, pa.null().id}
    if not is_plain and not (kinds <= may_be and _may_widen(missing)):
        return None

    def rows_of(rows: slice | None) -> npt.NDArray[Any]:
        part = X if rows is None else X.take(np.arange(*rows.indices(len(X))))
        if rows is not None and rows.step is None:
            part = X.slice(rows.start, rows.stop - rows.start)
        if not is_plain:
            wide = pa.schema([(name, pa.float64()) for name in X.column_names])
            part = part.cast(wide, safe=False)
        [batch] = part.combine_chunks().to_batches()
        tensor: npt.NDArray[Any] = batch.to_tensor(null_to_nan=True).to_numpy()
        return tensor

    return rows_of


def _column_by_column(
    frame: Any, missing: float | None, merged: MergedValues | None
) -> tuple[Matrix, list[str] | None]:
    """Convert columns of numbers and columns without any value."""
    import narwhals as nw  # noqa: PLC0415  # slow to import where nobody has a frame

    columns = list(frame.iter_columns())
    is_number = [each.dtype.is_numeric() or each.dtype == nw.Boolean for each in columns]
    is_number = [
        known or _kind(each) in _HALF for known, each in zip(is_number, columns, strict=True)
    ]
    is_empty = [
        not known and bool(each.is_null().all())
        for known, each in zip(is_number, columns, strict=True)
    ]
    unusable = [
        f"{each.name!r} ({_type_name(each)})"
        for each, known, empty in zip(columns, is_number, is_empty, strict=True)
        if not known and not empty
    ]
    if unusable:
        raise ValueError(
            f"X must have numeric columns only; these are not: {', '.join(unusable)}; leave "
            "them out (drop= of Dataset.from_frame), turn them into numbers, or take them as "
            'categories (categorical_features="from_dtype")'
        )
    features = np.empty(frame.shape, dtype=np.float32)
    for j, (column, empty) in enumerate(zip(columns, is_empty, strict=True)):
        if empty:
            features[:, j] = np.nan
            continue
        values = _as_float64(column)[:, None]
        if merged is not None:
            merged.look(values[:: merged.step(len(values))], column=j)
        kind = _FLOATS.get(_kind(column), np.dtype(np.float64))
        fill(features, values, rounded_to(missing, kind), row=0, column=j)
    return features, feature_names(frame.columns)


#: The floating-point types that are narrower than what columns are converted through, by name.
_HALF = frozenset({"float16", "halffloat", "halffloat[pyarrow]"})
_FLOATS: dict[str, np.dtype[Any]] = {
    **dict.fromkeys(_HALF, np.dtype(np.float16)),
    **dict.fromkeys(("float32", "float", "float[pyarrow]"), np.dtype(np.float32)),
}


def _kind(column: Any) -> str:
    """Return the column's type as its library writes it, in small letters."""
    native = column.to_native()
    return str(native.type if hasattr(native, "type") else native.dtype).lower()


def _type_name(column: Any) -> str:
    """Return the column's type for a message: narwhals' name, or else the library's own."""
    name = str(column.dtype)
    return _kind(column) if name in {"Unknown", "Object"} else name


def _as_float64(column: Any) -> npt.NDArray[np.float64]:
    """Return a column of numbers, NaN for nulls."""
    import narwhals as nw  # noqa: PLC0415

    if _kind(column) in _HALF:
        halves = column.to_native().to_numpy()
        return np.asarray(halves, dtype=np.float64)
    numbers = column.cast(nw.Float64).fill_null(0.0).to_numpy()
    return np.where(column.is_null().to_numpy(), np.nan, numbers)
