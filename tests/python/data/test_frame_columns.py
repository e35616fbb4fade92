"""Columns of data frames by name."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankforest._data.frame_columns import as_frame, names_in, split_columns, without

COLUMNS = {"a": [1.0, 2.0], "b": [3, 4], "query_id": ["x", "y"], "grade": [0, 1]}
MAKERS = [pd.DataFrame, pl.DataFrame, pa.table, pa.RecordBatch.from_pydict]
each_library = pytest.mark.parametrize("make", MAKERS, ids=["pandas", "polars", "arrow", "batch"])


class ArrowStream:
    """A frame of a library that nobody has heard of."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def names_of(frame):
    return list(as_frame(frame).columns)


@each_library
def test_columns_with_roles_and_dropped_ones_leave_the_frame(make):
    rest, values = split_columns(
        make(COLUMNS), {"qid": "query_id", "y": "grade", "weight": None}, drop=["b"]
    )
    assert names_of(rest) == ["a"]
    assert list(values) == ["qid", "y"]
    assert values["qid"].tolist() == ["x", "y"]
    assert values["y"].tolist() == [0, 1]


@each_library
def test_features_are_taken_in_the_order_asked_for(make):
    rest, values = split_columns(make(COLUMNS), {}, features=["b", "a"])
    assert names_of(rest) == ["b", "a"]
    assert values == {}


@each_library
@pytest.mark.parametrize("gone", [["a"], ["b"], ["grade"], ["a", "query_id"], list(COLUMNS), []])
def test_columns_are_left_out_wherever_they_stand(make, gone):
    frame = make(COLUMNS)
    rest = without(frame, gone)
    kept = [name for name in COLUMNS if name not in gone]
    assert names_in(rest) == names_of(rest) == kept
    for name in kept:
        assert as_frame(rest).get_column(name).to_list() == COLUMNS[name]
    assert names_in(frame) == list(COLUMNS)
    assert names_in(np.ones((2, 2))) is None


def test_the_frame_is_of_the_same_library_and_shares_its_values():
    frame = pd.DataFrame(np.ones((5, 4)), columns=list("abcd"))
    rest, _ = split_columns(frame, {"qid": "a"})
    assert isinstance(rest, pd.DataFrame)
    assert np.shares_memory(rest.to_numpy(), frame.to_numpy())
    assert isinstance(split_columns(pl.DataFrame(COLUMNS), {"y": "grade"})[0], pl.DataFrame)


def test_all_unknown_names_are_listed_with_those_that_are_close():
    with pytest.raises(ValueError, match="no column") as refusal:
        split_columns(pl.DataFrame(COLUMNS), {"qid": "queryid", "y": "Grade"}, drop=["zzz"])
    assert str(refusal.value) == (
        "qid='queryid' is no column (did you mean 'query_id'?); y='Grade' is no column (did you "
        "mean 'grade'?); drop='zzz' is no column; the columns are 'a', 'b', 'query_id', 'grade'"
    )


def test_a_column_has_one_use():
    with pytest.raises(ValueError, match="'grade' cannot be both y and weight"):
        split_columns(pl.DataFrame(COLUMNS), {"y": "grade", "weight": "grade"})
    with pytest.raises(ValueError, match="'grade' cannot be both y and drop"):
        split_columns(pl.DataFrame(COLUMNS), {"y": "grade"}, drop=["grade"])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"q": pd.array([1, None], dtype="Int64")}),
        pd.DataFrame({"q": ["a", None]}),
        pl.DataFrame({"q": [1, None]}),
        pa.table({"q": [1, None]}),
    ],
    ids=["pandas", "pandas-text", "polars", "arrow"],
)
def test_a_role_has_a_value_in_each_row(frame):
    with pytest.raises(ValueError, match=r"qid: column 'q' must have a value .*; row 1 \("):
        split_columns(frame, {"qid": "q"})


def test_names_need_a_frame():
    with pytest.raises(ValueError, match=r"qid='q': names of columns need a data frame, got nd"):
        split_columns(np.ones((2, 2)), {"qid": "q"})


def test_what_speaks_arrow_is_a_frame():
    assert names_of(ArrowStream(pa.table(COLUMNS))) == list(COLUMNS)
    assert names_of(pa.table(COLUMNS).to_reader()) == list(COLUMNS)
    assert names_of(pa.RecordBatch.from_pydict(COLUMNS)) == list(COLUMNS)


@pytest.mark.parametrize(
    ("X", "kind"),
    [
        (pl.DataFrame(COLUMNS).lazy(), "polars LazyFrame"),
        (pl.Series([1]), "polars Series"),
        (pd.Series([1]), "pandas Series"),
        (pa.array([1]), "pyarrow Int64Array"),
    ],
)
def test_what_is_no_table_in_memory_is_refused(X, kind):
    with pytest.raises(ValueError, match=f"data frame in memory, got a {kind}"):
        as_frame(X)
