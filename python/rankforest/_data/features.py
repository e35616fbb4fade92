"""Features in every form that users hold them, as float32 rows."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.frame_features import from_frame
from rankforest._data.merged_values import MergedValues
from rankforest._data.narrowing import Matrix, checked_missing, from_array, place
from rankforest._data.sparse_features import from_sparse, is_sparse, sample_of

__all__ = ["Matrix", "as_features"]


def as_features(
    X: Any, *, missing: float | None = None, merged: MergedValues | None = None
) -> tuple[Matrix, list[str] | None]:
    """Return features as float32 rows, and the names of their columns.

    Parameters
    ----------
    X : array_like, sparse matrix or data frame of shape (n_documents, n_features)
        Numbers of any kind; NaN, None or a data frame's null is a missing value, and the gaps of
        a sparse matrix are zeros. float32 with contiguous rows is borrowed, everything else is
        copied once, wider numbers by way of float64.
    missing : float, optional
        A number that means missing, to the precision of the type that a column has.
    merged : MergedValues, optional
        What takes note of columns whose values float32 does not tell apart.

    Returns
    -------
    features : ndarray of float32, shape (n_documents, n_features)
        The values of a row are contiguous; the rows may be apart.
    names : list of str or None
        Those of a data frame whose columns are named by strings.

    Raises
    ------
    ValueError
        If X is not two-dimensional, for columns that are not numeric (all of them are named), for
        the first cell of an array that holds no number, for entries of a sparse matrix outside its
        shape, and for the first finite value that float32 cannot hold.
    """
    missing = checked_missing(missing)
    if is_sparse(X):
        features = from_sparse(X, missing)
        if merged is not None and features.size:
            merged.look(sample_of(X, merged.step(len(features))))
        return features, None
    framed = from_frame(X, missing, merged)
    if framed is not None:
        return framed
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    array = _as_array(X)
    if merged is not None and array.size:
        merged.look(array[:: merged.step(len(array))])
    return from_array(array, missing), None


def _as_array(X: Any) -> npt.NDArray[Any]:
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
    if array.dtype.kind in "USTO":
        # NumPy would have turned the numbers of a list with one string into strings.
        return _from_objects(np.array(X, dtype=object).reshape(array.shape))
    if array.dtype.kind not in "biuf":
        complex_ = "Complex data not supported: " if array.dtype.kind == "c" else ""
        raise ValueError(f"{complex_}X must hold numbers; its dtype is {array.dtype}")
    return array


def _from_objects(array: npt.NDArray[np.object_]) -> npt.NDArray[np.float64]:
    """Return objects as numbers, NaN for None; text is none, even where it reads like a number."""
    cells = array.ravel().tolist()
    is_number = {kind: _holds_numbers(kind) for kind in set(map(type, cells))}
    for k, cell in enumerate(cells):
        if not is_number[type(cell)]:
            if _is_null(cell):
                cells[k] = None
                continue
            where = place(*divmod(k, array.shape[1]))
            raise ValueError(f"X must hold numbers; {where} is {cell!r}{_hint(k, array)}")
    return np.array(cells, dtype=object).astype(np.float64).reshape(array.shape)


def _hint(k: int, array: npt.NDArray[np.object_]) -> str:
    """Say what to write where text is meant to be a level."""
    column = k % array.shape[1]
    is_text = isinstance(array.ravel()[k], str)
    return f"; categorical_features=[{column}] takes texts as categories" if is_text else ""


def _holds_numbers(kind: type) -> bool:
    if issubclass(kind, (np.generic, str, bytes)):
        return issubclass(kind, (Real, np.bool_))
    return kind is type(None) or hasattr(kind, "__float__") or hasattr(kind, "__index__")


def _is_null(cell: object) -> bool:
    """Whether a cell is pandas' mark of a missing value."""
    return type(cell).__name__ in {"NAType", "NaTType"}
