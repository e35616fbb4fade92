"""Queries out of ids and group sizes."""

from datetime import date
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankforest._data.queries import query_codes, resolve_queries

ANY_ID = st.integers(0, 5)


def naive_codes(qid):
    """Number ids by first appearance, the slow way."""
    ids = []
    for each in qid:
        if each not in ids:
            ids.append(each)
    return [ids.index(each) for each in qid], ids


@pytest.mark.parametrize(
    "qid",
    [
        [30, 10, 30, 20],
        (30, 10, 30, 20),
        np.array([30, 10, 30, 20], dtype=np.int8),
        np.array([30, 10, 30, 20], dtype=np.uint64) + np.uint64(2**63),
        np.array([-30, -10, -30, -20], dtype=">i4"),
        np.array([30.0, 10.0, 30.0, 20.0]),
        np.array([0, 30, 0, 10, 0, 30, 0, 20])[1::2],
        [2**80, -1, 2**80, 7],
        [2**63, -1, 2**63, 7],
        ["c", "a", "c", "b"],
        np.array(["c", "a", "c", "b"]),
        np.array([b"c", b"a", b"c", b"b"]),
        np.array(["c", "a", "c", "b"], dtype=object),
        np.array([30, 10, 30, 20], dtype=object),
        pd.Series([30, 10, 30, 20], index=[9, 8, 7, 6]),
        pd.Series([30, 10, 30, 20], dtype="Int64"),
        pd.Series(["c", "a", "c", "b"]),
        pd.Series(["c", "a", "c", "b"], dtype="category"),
        pl.Series([30, 10, 30, 20]),
        pl.Series(["c", "a", "c", "b"]),
        pa.array([30, 10, 30, 20]),
        pa.chunked_array([["c", "a"], ["c", "b"]]),
    ],
    ids=lambda qid: f"{type(qid).__module__.partition('.')[0]}-{getattr(qid, 'dtype', '')}",
)
def test_ids_of_every_kind_are_numbered_by_first_appearance(qid):
    codes, ids = query_codes(qid)
    assert codes.dtype == np.uint32
    assert codes.tolist() == [0, 1, 0, 2]
    expected = [each.as_py() if isinstance(each, pa.Scalar) else each for each in qid]
    assert ids.tolist() == [expected[0], expected[1], expected[3]]


@given(st.lists(ANY_ID, min_size=1, max_size=30))
def test_codes_are_those_of_a_naive_loop(qid):
    expected, expected_ids = naive_codes(qid)
    for form in (np.array(qid), np.array(qid).astype(str), [str(each) for each in qid]):
        codes, ids = query_codes(form)
        assert codes.tolist() == expected
        assert [int(each) for each in ids] == expected_ids


@given(st.lists(ANY_ID, min_size=1, max_size=30), st.integers(-(2**62), 2**62))
def test_new_names_change_no_code(qid, shift):
    renamed = [each * 3 + shift for each in qid]
    np.testing.assert_array_equal(query_codes(qid)[0], query_codes(renamed)[0])


@pytest.mark.parametrize(
    ("qid", "message"),
    [
        ([1, "a"], r"ids of one kind, such as that of row 0, 1; that of row 1 \(.* is 'a'"),
        (["a", "b", 1], r"that of row 0, 'a'; that of row 2 \(counted from 0\) is 1"),
        ([7, None], r"row 1 \(counted from 0\) is None"),
        ([1.0, 2.5], r"integers, strings or UUIDs; that of row 1 \(counted from 0\) is 2.5"),
        ([1.0, float("nan")], r"row 1 \(counted from 0\) is nan"),
        ([1.0, "a"], r"ids of one kind.* that of row 1 \(counted from 0\) is 'a'"),
        ([UUID(int=1), "a"], r"ids of one kind.* that of row 1 \(counted from 0\) is 'a'"),
        ([date(2020, 1, 1)], r"UUIDs; that of row 0 \(counted from 0\) is datetime.date"),
        (np.array([1.0, 2.5]), r"row 1 \(counted from 0\) is 2.5"),
        (np.array([1.0, np.nan]), r"row 1 \(counted from 0\) is nan"),
        (np.array([2.0**53 + 2]), "row 0"),
        (pd.Series([1, None], dtype="Int64"), r"row 1 \(counted from 0\) is"),
        (pd.Series(["a", None]), r"row 1 \(counted from 0\) is"),
        (pl.Series(["a", None]), r"row 1 \(counted from 0\) is None"),
        ([True, False], r"row 0 \(counted from 0\) is True"),
        (np.array([True, False]), "its dtype is bool"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "its dtype is datetime64"),
        ([[1], [2]], r"qid must be one-dimensional; its shape is \(2, 1\)"),
        ([[1], [2, 3]], "qid must be one-dimensional; it holds sequences"),
        (np.ma.array([1, 2], mask=[False, True]), "that of row 1 is masked"),
    ],
)
def test_ids_that_are_none_are_refused_with_their_row(qid, message):
    with pytest.raises(ValueError, match=message):
        query_codes(qid)


def test_group_sizes_become_consecutive_queries():
    queries = resolve_queries(None, [2, 1, 3], 6)
    assert queries.codes.tolist() == [0, 0, 1, 2, 2, 2]
    assert queries.ids.tolist() == [0, 1, 2]


def test_groups_of_zero_are_dropped_with_a_warning_and_leave_their_number():
    with pytest.warns(UserWarning, match="group: dropped 2 of 4 queries, which have 0 documents"):
        queries = resolve_queries(None, [2, 0, 3, 0], 5)
    assert queries.codes.tolist() == [0, 0, 1, 1, 1]
    assert queries.ids.tolist() == [0, 2]


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12).filter(lambda s: sum(s) > len(s)))
def test_sizes_and_ids_of_the_same_queries_agree(sizes):
    by_group = resolve_queries(None, np.array(sizes), sum(sizes))
    by_id = resolve_queries(np.repeat(np.arange(len(sizes)), sizes), None, sum(sizes))
    np.testing.assert_array_equal(by_group.codes, by_id.codes)
    np.testing.assert_array_equal(by_group.ids, by_id.ids)


@pytest.mark.parametrize(
    ("qid", "group", "message"),
    [
        (None, None, "got neither"),
        ([1, 1, 2, 2], [2, 2], "got both"),
        ([1, 2, 3], None, "each of the 4 rows of X; it has 3$"),
        ([1, 3], None, "it has 2 values, which add up to the rows: if they are group sizes, pass "),
        (None, [2, 3], "must add up to the 4 rows of X; its 2 sizes add up to 5"),
        (None, [2**62, 2**62, 4], "its 3 sizes add up to 9223372036854775812"),
        (None, [5, -1], r"sizes >= 0; number 1 \(counted from 0\) is -1"),
        (None, [7, 7, 8, 8], "one value for each row of X: if these are query ids, pass them as"),
        (None, [1, 1, 1, 1], "one value for each row of X: if these are query ids, pass them as"),
        (None, ["a", "b"], "if these are query ids, pass them as qid="),
        (None, [1.5, 2.5], r"row 0 \(counted from 0\) is 1.5"),
        (None, [[4]], "group must be one-dimensional"),
        (None, [], "its 0 sizes add up to 0"),
    ],
)
def test_what_fits_no_queries_is_refused_with_the_fix(qid, group, message):
    with pytest.raises(ValueError, match=message):
        resolve_queries(qid, group, 4)


def test_one_document_is_one_group_of_one():
    assert resolve_queries(None, [1], 1).codes.tolist() == [0]
