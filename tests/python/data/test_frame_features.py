"""Features in data frames: one conversion for plain numbers, care for the rest."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankforest as rf
from rankforest._data import frame_features
from rankforest._data.features import as_features

PANDAS_TYPES = [
    "bool", "int8", "uint16", "int32", "int64", "uint64", "float16", "float32", "float64",
    "Int64", "boolean", "Float32", "Float64", "int64[pyarrow]", "double[pyarrow]",
    "Sparse[float64]", "Sparse[int64]",
]  # fmt: skip
POLARS_TYPES = [
    pl.Boolean, pl.Int8, pl.UInt16, pl.Int32, pl.Int64, pl.UInt64, pl.Float32, pl.Float64,
    pl.Decimal(10, 2),
]  # fmt: skip


def values_of(X, **options):
    return as_features(X, **options)[0]


@given(
    types=st.lists(st.sampled_from(PANDAS_TYPES), min_size=1, max_size=5), seed=st.integers(0, 99)
)
def test_columns_of_any_types_of_pandas_give_their_numbers(types, seed):
    table = np.random.default_rng(seed).integers(0, 2, size=(4, len(types)))
    frame = pd.DataFrame(table).astype(dict(enumerate(types)))
    np.testing.assert_array_equal(values_of(frame), table)


@given(
    types=st.lists(st.sampled_from(POLARS_TYPES), min_size=1, max_size=5), seed=st.integers(0, 99)
)
def test_columns_of_any_types_of_polars_and_arrow_give_their_numbers(types, seed):
    table = np.random.default_rng(seed).integers(0, 2, size=(4, len(types)))
    frame = pl.DataFrame(
        [pl.Series(f"f{j}", table[:, j]).cast(kind) for j, kind in enumerate(types)]
    )
    np.testing.assert_array_equal(values_of(frame), table)
    np.testing.assert_array_equal(values_of(frame.to_arrow()), table)


@pytest.mark.parametrize("kind", ["Int64", "Float32", "boolean", "int8[pyarrow]", "Sparse[float]"])
def test_nulls_of_pandas_are_missing(kind):
    frame = pd.DataFrame({"a": pd.array([1, None, 0], dtype=kind), "b": [1, 2, 3]})
    np.testing.assert_array_equal(values_of(frame), [[1, 1], [np.nan, 2], [0, 3]])
    np.testing.assert_array_equal(values_of(frame[["a"]]), [[1], [np.nan], [0]])


@pytest.mark.parametrize("kind", [pl.Int8, pl.Int64, pl.Float32, pl.Float64, pl.Boolean])
def test_nulls_of_polars_and_arrow_are_missing(kind):
    column = pl.Series("a", [1, None, 0]).cast(kind)
    for frame in (pl.DataFrame([column]), pl.DataFrame([column, pl.Series("b", [1.5, 2, 3])])):
        expected = np.array([[1, 1.5], [np.nan, 2], [0, 3]])[:, : frame.width]
        np.testing.assert_array_equal(values_of(frame), expected)
        np.testing.assert_array_equal(values_of(frame.to_arrow()), expected)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [1.5, 2], "b": [None, None]}),
        pd.DataFrame({"a": [1.5, 2], "b": pd.Series([None, None], dtype="str")}),
        pd.DataFrame({"a": [1.5, 2], "b": pd.Series([None, None], dtype=object)}),
        pl.DataFrame({"a": [1.5, 2], "b": [None, None]}),
        pl.DataFrame({"a": [1.5, 2], "b": pl.Series([None, None], dtype=pl.String)}),
        pa.table({"a": [1.5, 2], "b": pa.nulls(2)}),
    ],
    ids=["pandas", "pandas-str", "pandas-object", "polars-null", "polars-text", "arrow-null"],
)
def test_a_column_of_nulls_only_is_all_missing(frame):
    np.testing.assert_array_equal(values_of(frame), [[1.5, np.nan], [2, np.nan]])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([pd.NaT, pd.NaT]),
        pd.Series([pd.NaT, pd.NaT], dtype="datetime64[ns, UTC]"),
        pd.Series([pd.NaT, pd.NaT], dtype="timedelta64[ns]"),
        pd.Series([None, None], dtype="category"),
        pd.Series([None, None], dtype="string"),
        pd.Series([None, None], dtype="period[D]"),
        pd.Series([None, None], dtype="date32[pyarrow]"),
        pd.Series([pd.NA, np.nan], dtype=object),
    ],
    ids=lambda column: str(column.dtype),
)
def test_what_type_a_column_of_nulls_only_has_does_not_matter(column):
    frame = pd.DataFrame({"a": [1.5, 2], "b": column, "c": [3, 4]})
    np.testing.assert_array_equal(values_of(frame), [[1.5, np.nan, 3], [2, np.nan, 4]])
    np.testing.assert_array_equal(values_of(frame[["b"]]), [[np.nan], [np.nan]])


def test_record_batches_and_streams_of_arrow_are_taken():
    table = pa.table({"a": [1.5, 2], "b": [3, None]})
    expected = [[1.5, 3], [2, np.nan]]
    [batch] = table.to_batches()
    for X in (batch, table.to_reader()):
        features, names = as_features(X)
        np.testing.assert_array_equal(features, expected)
        assert names == ["a", "b"]


def test_types_are_named_as_their_library_names_them():
    frame = pd.DataFrame({"n": [1], "t": [{"a": 1}], "c": pd.Categorical([3])})
    with pytest.raises(ValueError, match="numeric columns only") as refusal:
        as_features(frame)
    assert "Unknown" not in str(refusal.value)
    assert "'t' (object), 'c' (Categorical)" in str(refusal.value)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_missing_is_found_to_the_precision_of_each_column(library):
    table = {"a": np.array([0.1, 1], np.float32), "b": np.array([0.1, 1]), "c": np.array([0, 1])}
    make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}[library]
    expected = [[np.nan, np.nan, 0], [1, 1, 1]]
    np.testing.assert_array_equal(values_of(make(table), missing=0.1), expected)
    for name, wanted in (("a", np.nan), ("b", np.nan), ("c", 0)):
        single = make({name: table[name]})
        np.testing.assert_array_equal(values_of(single, missing=0.1), [[wanted], [1]])


def test_missing_is_found_in_columns_of_float16():
    half = np.array([0.1, 1], np.float16)
    for X in (
        pd.DataFrame({"a": half}),
        pd.DataFrame({"a": half, "b": half}),
        pa.table({"a": pa.array(half)}),
    ):
        assert np.isnan(values_of(X, missing=0.1)[0]).all()
    mixed = pd.DataFrame({"a": half, "b": [0.1, 2]})
    np.testing.assert_array_equal(values_of(mixed, missing=0.1), [[np.nan, np.nan], [1, 2]])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [1.0, 2]}),
        pd.DataFrame({"a": [1.0, 2], "b": pd.array([1, None], dtype="Int64"), "c": [True, False]}),
        pl.DataFrame({"a": [1.0, 2], "b": [1, None], "c": [True, False]}),
        pa.table({"a": [1.0, 2], "b": [1, None], "c": [True, False]}),
        pd.DataFrame([{"a": 1.5, "b": None}]),
        pl.DataFrame([{"a": 1.5, "b": None}]),
        pa.table({"a": [1.5], "b": [None]}),
    ],
    ids=["pandas", "pandas-mixed", "polars", "arrow", "pandas-null", "polars-null", "arrow-null"],
)
def test_frames_of_plain_numbers_are_converted_at_once(frame, monkeypatch):
    def one_by_one(*_):
        raise AssertionError

    monkeypatch.setattr(frame_features, "_column_by_column", one_by_one)
    values_of(frame)
    values_of(frame, missing=-1)


def test_every_library_names_the_place_of_a_number_beyond_float32():
    columns = {"a": [1.0, 2.0, 3.0], "b": [1, 2, 3], "c": [1.0, 2.0, 1e39]}
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        with pytest.raises(ValueError, match=r"row 2, column 2 \(counted from 0\) is 1e\+39"):
            as_features(make(columns))


def test_names_that_occur_twice_are_refused():
    table = pa.Table.from_arrays([pa.array([1.0]), pa.array([2.0])], names=["a", "a"])
    for X in (table, pd.DataFrame([[1, 2]], columns=["a", "a"])):
        with pytest.raises(ValueError, match="different names: 'a' occurs twice"):
            as_features(X)


def test_rows_of_a_frame_may_be_none():
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        assert values_of(make({"a": np.array([], dtype=float)})).shape == (0, 1)


def test_names_that_would_be_lost_are_refused_with_what_makes_them_strings():
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=[0, "a"])
    message = r"only supported if all input features have string names, .* \['int', 'str'\]"
    with pytest.raises(TypeError, match=message):
        as_features(frame)
    with pytest.raises(TypeError, match=message):  # column by column
        as_features(frame.assign(**{"0": None, "b": pd.array(["1"] * 2).astype("Int64")}))
    frame.columns = frame.columns.astype(str)
    assert as_features(frame)[1] == ["0", "a"]
    frame.columns = pd.MultiIndex.from_tuples([("bm25", 1), ("bm25", 2)])
    with pytest.raises(TypeError, match=r"got \('bm25', 1\) of a MultiIndex"):
        as_features(frame)
    frame.columns = ["_".join(map(str, name)) for name in frame.columns]
    assert as_features(frame)[1] == ["bm25_1", "bm25_2"]


def test_columns_that_are_counted_have_no_names():
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]]).assign(y=[0, 1])
    assert as_features(frame[[0, 1]])[1] is None
    assert rf.Dataset.from_frame(frame, label="y", group=[2]).feature_names is None
