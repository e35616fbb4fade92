"""Features in sparse matrices of SciPy, whose indices anybody can write."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.narrowing import Matrix, blocks, narrow, too_large


def is_sparse(X: object) -> bool:
    """Whether `X` is a sparse matrix of SciPy; without SciPy imported, nothing is."""
    if "scipy.sparse" not in sys.modules:
        return False
    from scipy.sparse import issparse  # noqa: PLC0415  # slow to import where nobody did

    return bool(issparse(X))


def from_sparse(X: Any, missing: float | None) -> Matrix:
    """Return a sparse matrix as float32 rows; its gaps are zeros, which `missing` may mean.

    Duplicate entries add up, as they do in SciPy.

    Raises
    ------
    ValueError
        If it is not two-dimensional or not numeric, for the first entry that its shape has no
        place for, and for the first finite value that float32 cannot hold.
    """
    matrix = _checked_csr(X)
    n_rows, n_columns = matrix.shape
    features = np.full((n_rows, n_columns), np.nan if missing == 0 else 0, dtype=np.float32)
    for rows in blocks(n_rows, n_columns):
        begin, end = matrix.indptr[rows.start], matrix.indptr[rows.stop]
        of_row = np.repeat(
            np.arange(rows.start, rows.stop), np.diff(matrix.indptr[rows.start : rows.stop + 1])
        )
        columns = matrix.indices[begin:end]
        values = np.empty((1, end - begin), dtype=np.float32)
        lost = narrow(matrix.data[None, begin:end], values, missing)
        if lost is not None:
            k = lost[1]
            raise too_large(int(of_row[k]), int(columns[k]), matrix.data[begin + k])
        features[of_row, columns] = values[0]
    return features


def sample_of(X: Any, step: int) -> npt.NDArray[Any]:
    """Return every `step`-th row, dense."""
    dense: npt.NDArray[Any] = X.tocsr()[::step].toarray()
    return dense


def _checked_csr(X: Any) -> Any:
    """Return the matrix by rows, without duplicates, once its indices are known to be good.

    SciPy trusts indices that are set by hand: converting bad ones reads and writes beyond arrays.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415

    if X.ndim != 2:
        raise ValueError(
            f"X must be two-dimensional, (n_documents, n_features); its shape is {X.shape}"
        )
    if X.dtype.kind not in "biuf":
        raise ValueError(f"X must hold numbers; its dtype is {X.dtype}")
    _check_indices(X)
    matrix = X.tocsr()
    if matrix is not X:
        _check_indices(matrix)
    # A new object, for SciPy remembers what it once found about indices that may have changed.
    matrix = csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def _check_indices(X: Any) -> None:
    """Raise a ValueError for entries outside the shape; formats without index arrays pass."""
    n_rows, n_columns = X.shape
    if X.format == "csr":
        _check_compressed(X, "row", "column", n_rows, n_columns)
    elif X.format == "csc":
        _check_compressed(X, "column", "row", n_columns, n_rows)
    elif X.format == "bsr":
        height, width = X.blocksize
        _check_compressed(
            X, "row of blocks", "column of blocks", n_rows // height, n_columns // width
        )
    elif X.format == "coo":
        if not len(X.row) == len(X.col) == len(X.data):
            raise ValueError(
                f"X: a sparse matrix must have a row and a column for each value; it has "
                f"{len(X.row)} rows, {len(X.col)} columns and {len(X.data)} values"
            )
        _check_range(X.row, n_rows, "row", lambda k: f"entry {k}")
        _check_range(X.col, n_columns, "column", lambda k: f"row {X.row[k]}")


def _check_compressed(X: Any, outer: str, inner: str, n_outer: int, n_inner: int) -> None:
    """Check the arrays of CSR, CSC and BSR."""
    indptr, indices = X.indptr, X.indices
    if indptr.shape != (n_outer + 1,):
        raise ValueError(
            f"X: indptr of a sparse matrix must have {n_outer + 1} values, one more than its "
            f"{n_outer} {outer}s; it has {indptr.size}"
        )
    if indptr[0] != 0:
        raise ValueError(
            f"X: indptr of a sparse matrix must begin with 0; it does with {indptr[0]}"
        )
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if len(falls):
        k = int(falls[0])
        raise ValueError(
            f"X: indptr of a sparse matrix must not fall; at {outer} {k} (counted from 0) it falls "
            f"from {indptr[k]} to {indptr[k + 1]}"
        )
    n_held = min(len(indices), len(X.data))
    if indptr[-1] > n_held:
        k = int(np.searchsorted(indptr, n_held, side="right")) - 1
        raise ValueError(
            f"X: indptr of a sparse matrix must end at its number of entries; it ends at "
            f"{indptr[-1]}, and there are {n_held}: {outer} {k} (counted from 0) is the first "
            "that lacks some"
        )
    used = indices[: indptr[-1]]
    _check_range(
        used, n_inner, inner, lambda k: f"{outer} {np.searchsorted(indptr, k, side='right') - 1}"
    )


def _check_range(indices: npt.NDArray[Any], n: int, what: str, where: Any) -> None:
    """Check that indices are in [0, n); `where` says where number k is."""
    if indices.dtype.kind not in "iu":
        raise ValueError(
            f"X: indices of a sparse matrix must be integers; their dtype is {indices.dtype}"
        )
    if len(indices) == 0 or (indices.min() >= 0 and indices.max() < n):
        return
    k = int(((indices < 0) | (indices >= n)).argmax())
    raise ValueError(
        f"X: a sparse matrix of {n} {what}s must have {what} indices in [0, {n}); {where(k)} "
        f"(counted from 0) has {what} {indices[k]}"
    )
