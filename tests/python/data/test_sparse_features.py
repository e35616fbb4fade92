"""Sparse matrices, whose indices anybody can write."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rankforest._data.features import as_features
from rankforest._data.sparse_features import is_sparse

CSR = [sparse.csr_matrix, sparse.csr_array]
CSC = [sparse.csc_matrix, sparse.csc_array]
COO = [sparse.coo_matrix, sparse.coo_array]
MAKERS = [*CSR, *CSC, *COO, sparse.lil_array, sparse.dok_array, sparse.bsr_array, sparse.dia_array]


def values_of(X):
    return as_features(X)[0]


def good(make):
    """Return a matrix of three documents and four features."""
    return make(np.array([[0.0, 1, 0, 2], [3, 0, 0, 0], [0, 0, 4, 5]]))


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@given(seed=st.integers(0, 99))
def test_every_format_gives_the_dense_values(make, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(-2, 3, size=rng.integers(1, 6, size=2)).astype(float)
    np.testing.assert_array_equal(values_of(make(table)), table)


def test_duplicates_add_up_and_the_caller_keeps_them():
    X = sparse.csr_matrix((np.array([1.0, 2.0, 4.0]), np.array([1, 1, 0]), np.array([0, 3])))
    np.testing.assert_array_equal(values_of(X), [[4, 3]])
    assert X.nnz == 3
    X = sparse.coo_array((np.array([1.0, 2.0]), (np.array([0, 0]), np.array([1, 1]))), (1, 2))
    np.testing.assert_array_equal(values_of(X), [[0, 3]])


def test_duplicates_made_after_scipy_looked_add_up():
    X = sparse.csr_array(np.array([[0.0, 1, 2]]))
    assert X.has_canonical_format
    X.indices[:] = [2, 2]
    np.testing.assert_array_equal(values_of(X), [[0, 0, 3]])


def test_unsorted_indices_are_taken():
    X = sparse.csr_array((np.array([1.0, 2.0]), np.array([2, 0]), np.array([0, 2])), (1, 3))
    np.testing.assert_array_equal(values_of(X), [[2, 0, 1]])


@pytest.mark.parametrize("make", CSR)
@pytest.mark.parametrize("column", [-1, 4, 2**31 - 1])
def test_a_column_that_does_not_exist_is_refused_with_its_row(make, column):
    X = good(make)
    X.indices[3] = column
    with pytest.raises(
        ValueError, match=rf"indices in \[0, 4\); row 2 \(counted from 0\) has column {column}"
    ):
        as_features(X)


@pytest.mark.parametrize("make", CSC)
@pytest.mark.parametrize("row", [-1, 3])
def test_a_row_that_does_not_exist_is_refused_with_its_column(make, row):
    X = good(make)
    X.indices[2] = row
    with pytest.raises(ValueError, match=rf"\[0, 3\); column 2 \(counted from 0\) has row {row}"):
        as_features(X)


@pytest.mark.parametrize("make", COO)
def test_coordinates_that_do_not_exist_are_refused(make):
    X = good(make)
    X.col[2] = -1
    with pytest.raises(ValueError, match=r"\[0, 4\); row 1 \(counted from 0\) has column -1"):
        as_features(X)
    X = good(make)
    X.row[2] = 3
    with pytest.raises(ValueError, match=r"\[0, 3\); entry 2 \(counted from 0\) has row 3"):
        as_features(X)


def test_a_block_that_does_not_exist_is_refused():
    X = sparse.bsr_array(np.ones((2, 4)), blocksize=(1, 2))
    X.indices[1] = 2
    with pytest.raises(ValueError, match=r"row of blocks 0 .* has column of blocks 2"):
        as_features(X)


@pytest.mark.parametrize("make", [*CSR, *CSC])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: 1}, "must begin with 0; it does with 1"),
        ({1: 9}, r"must not fall; at .* 1 \(counted from 0\) it falls from 9"),
        ({-1: 9}, r"it ends at 9, and there are 5: .* is the first that lacks some"),
    ],
)
def test_row_ends_that_do_not_fit_are_refused(make, change, message):
    X = good(make)
    for place, value in change.items():
        X.indptr[place] = value
    with pytest.raises(ValueError, match=message):
        as_features(X)


def test_row_ends_of_another_number_of_rows_are_refused():
    X = good(sparse.csr_array)
    X.indptr = X.indptr[:-1]
    with pytest.raises(ValueError, match="must have 4 values, one more than its 3 rows; it has 3"):
        as_features(X)


def test_all_indices_off_by_one_are_refused():
    """What a writer makes that counts features from 1."""
    X = good(sparse.csr_array)
    X.indices += 1
    with pytest.raises(ValueError, match=r"row 0 \(counted from 0\) has column 4"):
        as_features(X)


def test_arrays_of_other_than_two_dimensions_are_refused():
    with pytest.raises(ValueError, match=r"two-dimensional.* its shape is \(3,\)"):
        as_features(sparse.coo_array(np.ones(3)))


def test_other_objects_are_no_sparse_matrices():
    assert not is_sparse(np.ones((2, 2)))
