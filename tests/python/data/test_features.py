"""Features in every form that users hold them."""

import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from rankforest._data import narrowing
from rankforest._data.features import as_features

NUMBERS = st.floats(-1e30, 1e30) | st.sampled_from([0.0, -0.0, 1.0, np.nan])
TABLES = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2), elements=NUMBERS)


def values_of(X, **options):
    features, _ = as_features(X, **options)
    assert features.dtype == np.float32
    assert features.ndim == 2
    return features


def test_float32_rows_are_borrowed():
    X = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert values_of(X) is X
    part = X[1:, :2]
    assert values_of(part) is part


@pytest.mark.parametrize(
    "X",
    [
        np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4)),
        np.arange(24, dtype=np.float32).reshape(3, 8)[:, ::2],
        np.arange(12, dtype=np.float32).reshape(3, 4)[::-1],
        np.arange(12, dtype=np.float32).reshape(3, 4).astype(">f4"),
        np.broadcast_to(np.arange(4, dtype=np.float32), (3, 4)),
        np.frombuffer(b"\0" + np.arange(12, dtype=np.float32).tobytes(), np.uint8)[1:]
        .view(np.float32)
        .reshape(3, 4),
    ],
    ids=["columns", "gaps", "backwards", "big-endian", "one-row", "unaligned"],
)
def test_float32_that_the_core_cannot_read_in_place_is_copied(X):
    features = values_of(X)
    np.testing.assert_array_equal(features, X)
    assert features.flags.c_contiguous
    assert features.flags.aligned
    assert features.dtype.isnative


@pytest.mark.parametrize("dtype", [bool, "i1", "u2", "i4", "u8", "f2", "f8", ">i2", np.longdouble])
def test_numbers_of_every_type_are_taken(dtype):
    X = np.array([[0, 1], [1, 0]], dtype=dtype)
    np.testing.assert_array_equal(values_of(X), [[0, 1], [1, 0]])


def test_wide_integers_go_through_float64_as_text_does():
    # 2^60 + 2^36 + 1 is just above the middle of two float32; float64 makes it the middle.
    X = np.array([[2**60 + 2**36 + 1]])
    assert values_of(X)[0, 0] == np.float32(np.float64(2**60 + 2**36 + 1)) == 2.0**60


@given(TABLES)
def test_arrays_lists_sparse_matrices_and_frames_agree(table):
    expected = table.astype(np.float32)
    columns = [f"f{j}" for j in range(table.shape[1])]
    forms = [
        table,
        table.tolist(),
        np.asfortranarray(table),
        table.astype(object),
        sparse.csr_matrix(table),
        sparse.csc_array(table),
        sparse.coo_array(table),
        pd.DataFrame(table, columns=columns),
        pd.DataFrame(expected, columns=columns),
        pl.DataFrame(table, schema=columns),
        pa.table({name: table[:, j] for j, name in enumerate(columns)}),
    ]
    for X in forms:
        np.testing.assert_array_equal(values_of(X), expected)


def test_none_and_nulls_are_missing():
    expected = [[1.0, np.nan], [np.nan, 4.0]]
    pandas_nulls = pd.DataFrame(
        {"a": pd.array([1, None], dtype="Int64"), "b": pd.array([None, 4], dtype="Float32")}
    )
    for X in (
        [[1, None], [None, 4]],
        pandas_nulls,
        pandas_nulls.astype("Float32"),
        pd.DataFrame({"a": pd.array([1, None], dtype="int64[pyarrow]"), "b": [np.nan, 4]}),
        pl.DataFrame({"a": [1, None], "b": [None, 4.0]}),
        pa.table({"a": [1, None], "b": [None, 4.0]}),
        pa.table({"a": pa.array([1, None], pa.float32()), "b": pa.array([None, 4], pa.float32())}),
        np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [True, False]]),
        sparse.csr_array(np.array(expected)),
    ):
        np.testing.assert_array_equal(values_of(X), expected)


def test_names_are_those_of_a_frame_whose_columns_are_named_by_strings():
    assert as_features(pd.DataFrame({"b": [1], "a": [2.0]}))[1] == ["b", "a"]
    assert as_features(pl.DataFrame({"b": [1], "a": [2.0]}))[1] == ["b", "a"]
    assert as_features(pa.table({"b": [1], "a": [True]}))[1] == ["b", "a"]
    assert as_features(pd.DataFrame([[1, 2.0]]))[1] is None
    assert as_features([[1, 2.0]])[1] is None


def test_all_columns_that_are_not_numeric_are_named_at_once():
    texts = {"n": [1, 2], "s": ["x", "y"], "b": [True, False], "t": ["2020-01-01", "2021-01-01"]}
    frame = pd.DataFrame(texts).assign(t=lambda f: pd.to_datetime(f["t"]))
    for X in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        with pytest.raises(ValueError, match="numeric columns only") as refusal:
            as_features(X)
        assert "'s' (String), 't' (Datetime" in str(refusal.value)
        assert "'n'" not in str(refusal.value)
        assert "'b'" not in str(refusal.value)


TOO_LARGE = np.ones((5, 3))
TOO_LARGE[3, 1] = -3.5e38
TOO_LARGE[4, 0] = 1e300


@pytest.mark.parametrize(
    "X",
    [
        TOO_LARGE,
        TOO_LARGE.astype(np.longdouble),
        TOO_LARGE.tolist(),
        sparse.csr_array(TOO_LARGE),
        pl.DataFrame(TOO_LARGE[:4]),
    ],
    ids=["array", "longdouble", "list", "sparse", "frame"],
)
def test_a_number_beyond_float32_is_refused_with_its_place(X):
    with pytest.raises(
        ValueError, match=r"float32.*; row 3, column 1 \(counted from 0\) is -3.5e\+38"
    ):
        as_features(X)


def test_infinities_are_kept():
    X = np.array([[np.inf, -np.inf]])
    np.testing.assert_array_equal(values_of(X), X)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1, 2], r"two-dimensional, \(n_documents, n_features\); its shape is \(2,\)"),
        (np.zeros((2, 2, 2)), r"its shape is \(2, 2, 2\)"),
        (3.0, r"its shape is \(\)"),
        ([[1, 2], [3]], "rows of the same length"),
        ([["a", "b"]], r"must hold numbers; row 0, column 0 \(counted from 0\) is 'a'"),
        (np.array([[1, 2], [3, "x"]], dtype=object), r"row 1, column 1 .* is 'x'"),
        (np.zeros((1, 1), dtype=complex), "its dtype is complex128"),
        (np.zeros((1, 1), dtype="datetime64[s]"), "its dtype is datetime64"),
        (sparse.csr_array(np.ones((1, 1), dtype=complex)), "its dtype is complex128"),
        (pl.DataFrame({"a": [1]}).lazy(), "data frame in memory, got a polars LazyFrame"),
        (pd.Series([1, 2]), r"its shape is \(2,\)|got a pandas Series"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "different names"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_table_of_numbers_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        as_features(X)


@pytest.mark.parametrize("missing", [0, -1, 2.5])
@given(hnp.arrays(np.float64, (4, 5), elements=st.sampled_from([0.0, -0.0, -1.0, 2.5, 7.0])))
def test_a_number_that_means_missing_is_missing_in_every_form(missing, table):
    expected = np.where(table == missing, np.nan, table).astype(np.float32)
    for X in (table, table.astype(np.float32), sparse.csr_array(table), pl.DataFrame(table)):
        np.testing.assert_array_equal(values_of(X, missing=missing), expected)


@pytest.mark.parametrize(
    ("X", "place", "cell"),
    [
        ([[1.5, "x"], ["1.5", 2]], "row 0, column 1", "'x'"),
        ([["1.5", "2"]], "row 0, column 0", "'1.5'"),
        (np.array([["1.5"]]), "row 0, column 0", "'1.5'"),
        (np.array([[b"1"]]), "row 0, column 0", "b'1'"),
        (np.array([[1, 2], [3, "4.5"]], dtype=object), "row 1, column 1", "'4.5'"),
        (np.array([[1, 1j]], dtype=object), "row 0, column 1", "1j"),
        (np.array([[1], [[2]]], dtype=object)[:, :1], "row 1, column 0", r"\[2\]"),
    ],
)
def test_text_is_no_number_and_the_first_bad_cell_is_named(X, place, cell):
    with pytest.raises(ValueError, match=rf"{place} \(counted from 0\) is {cell}"):
        as_features(X)


def test_objects_that_are_numbers_are_taken():
    X = np.array([[Fraction(1, 2), Decimal("1.5")], [True, None], [np.float32(2), pd.NA]], object)
    np.testing.assert_array_equal(values_of(X), [[0.5, 1.5], [1, np.nan], [2, np.nan]])


def test_the_largest_double_can_mean_missing():
    X = np.array([[1.0, sys.float_info.max]])
    np.testing.assert_array_equal(values_of(X, missing=sys.float_info.max), [[1, np.nan]])


def test_replacing_the_missing_leaves_the_callers_array_alone():
    X = np.array([[0, 1]], dtype=np.float32)
    values_of(X, missing=0)
    np.testing.assert_array_equal(X, [[0, 1]])


def test_nan_means_missing_anyway():
    X = np.array([[np.nan, 1]], dtype=np.float32)
    assert values_of(X, missing=np.nan) is X


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_missing_is_found_to_the_precision_of_the_numbers(dtype):
    X = np.array([[0.1, 0.2]], dtype=dtype)
    np.testing.assert_array_equal(values_of(X, missing=0.1), [[np.nan, np.float32(X[0, 1])]])


@pytest.mark.parametrize(("dtype", "missing"), [("u1", -1), ("i1", 255), ("i4", 0.5), ("f2", 1e5)])
def test_a_number_that_the_type_cannot_hold_is_missing_nowhere(dtype, missing):
    X = np.array([[0, 1, 127, 255]]).astype(dtype)
    np.testing.assert_array_equal(values_of(X, missing=missing), X.astype(np.float32))


def test_missing_is_exact_for_large_integers():
    X = np.array([[2**53, 2**53 + 1]])
    np.testing.assert_array_equal(values_of(X, missing=2**53), [[np.nan, 2.0**53]])


@pytest.mark.parametrize("missing", [np.inf, "nan", True, [0]])
def test_what_cannot_mean_missing_is_refused(missing):
    with pytest.raises(ValueError, match="missing must be a finite number or None, got"):
        as_features([[1.0]], missing=missing)


def test_blocks_change_nothing(monkeypatch):
    table = np.random.default_rng(0).normal(size=(50, 7))
    table[table < -0.5] = 0
    whole = values_of(table)
    monkeypatch.setattr(narrowing, "_BLOCK", 20)
    np.testing.assert_array_equal(values_of(table), whole)
    columns = [f"f{j}" for j in range(7)]
    mixed = pd.DataFrame(table, columns=columns).astype({"f0": "Float64"})
    arrow = pa.table(
        {name: pa.chunked_array([table[:9, j], table[9:, j]]) for j, name in enumerate(columns)}
    )
    for X in (sparse.csr_array(table), mixed, pl.DataFrame(table), arrow):
        np.testing.assert_array_equal(values_of(X), whole)
    table[41, 2] = 1e39
    for X in (table, sparse.csr_array(table), pl.DataFrame(table)):
        with pytest.raises(ValueError, match="row 41, column 2"):
            as_features(X)
