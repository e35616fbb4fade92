"""Warnings of features that are the grades or the query ids themselves."""

import warnings

import numpy as np
import pandas as pd
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

import rankforest as rf
from rankforest.estimators.leaks import _columns_equal_to

NAMES = list("abcde")


def make_frame():
    X, y, qid = make_data()
    return pd.DataFrame(X, columns=NAMES).assign(y=y, query_id=qid)


def warnings_of(*args, **arguments):
    """Return what a call of fit warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rf.MART(n_estimators=2).fit(*args, **arguments)
    assert all(each.filename == __file__ for each in caught)
    return [str(each.message) for each in caught]


def test_grades_that_stay_a_column_are_named_with_the_remedy():
    frame = make_frame()
    [message] = warnings_of(frame, frame.y, qid="query_id")
    assert message == (
        "column 'y' holds the grades and is trained on; leave it out, or say what it is: "
        'fit(X, y="y")'
    )
    assert warnings_of(frame, "y", qid="query_id") == []


def test_query_ids_that_stay_a_column_are_named_with_the_remedy():
    frame = make_frame()
    [message] = warnings_of(frame, "y", qid=frame.query_id)
    assert message == (
        "column 'query_id' holds the query ids and is trained on; leave it out, or say what it "
        'is: fit(X, y, qid="query_id")'
    )
    assert len(warnings_of(frame, frame.y, qid=frame.query_id)) == 2


def test_a_column_called_qid_is_warned_of_once():
    frame = make_frame().rename(columns={"query_id": "qid"})
    [message] = warnings_of(frame, "y", qid=frame.qid)
    assert "a column 'qid', which is trained on" in message
    features = frame.drop(columns="y")
    [message] = warnings_of(rf.Dataset(features, frame.y, qid=frame.qid))
    assert message.startswith("column 'qid' holds the query ids")


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_names_columns_of_arrays_by_number(name):
    X, y, qid = make_data()
    X = np.column_stack([X[:, :2], y, X[:, 2:]])
    message = r"^column 2 \(counted from 0\) holds the grades and is trained on; leave it out$"
    with pytest.warns(UserWarning, match=message):
        clone(ESTIMATORS[name]).fit(X, y, qid=qid)


def test_features_of_text_are_named_by_the_numbers_of_the_text(tmp_path):
    X, y, qid = make_data()
    path = tmp_path / "a.txt"
    rf.write_letor(path, rf.Dataset(np.column_stack([X, y, qid]), y, qid=qid))
    messages = warnings_of(rf.read_letor(path))
    assert [each.split(" and ")[0] for each in messages] == [
        "feature 6 holds the grades", "feature 7 holds the query ids",
    ]  # fmt: skip


def test_a_few_documents_may_agree_by_chance():
    y = np.arange(16) % 2
    X = np.column_stack([y, np.arange(16) % 3])
    assert warnings_of(X[:15], y[:15], group=[15]) == []
    assert len(warnings_of(X, y, group=[16])) == 1


def test_the_index_of_a_frame_that_was_written_is_named(tmp_path):
    make_frame().to_csv(tmp_path / "a.csv")
    frame = pd.read_csv(tmp_path / "a.csv")
    [message] = warnings_of(frame, "y", qid="query_id")
    assert message.startswith("column 'Unnamed: 0', which is trained on, has no name of its own")
    assert "X.drop(columns='Unnamed: 0')" in message
    assert warnings_of(frame.drop(columns="Unnamed: 0"), "y", qid="query_id") == []


def test_a_column_that_differs_in_one_row_is_a_feature():
    X, y, qid = make_data(n_queries=40)
    for row in (0, 1, len(y) - 1):
        column = y.copy()
        column[row] += 1
        assert warnings_of(np.column_stack([X, column]), y, qid=qid) == []


def test_columns_are_compared_as_float32_and_values_that_are_all_the_same_say_nothing():
    rng = np.random.default_rng(0)
    for n in (1, 5, 63, 64, 65, 1000):
        values = rng.random(n)
        X = np.where(rng.random((n, 6)) < 0.3, rng.random((n, 6)), values[:, None])
        X[:, 4] = values
        X = X.astype(np.float32)
        expected = [j for j in range(6) if n > 1 and X[:, j].tolist() == X[:, 4].tolist()]
        assert _columns_equal_to(X, values) == expected
    assert _columns_equal_to(np.ones((9, 2), dtype=np.float32), np.ones(9)) == []
    large = 2**60 + np.arange(9, dtype=np.int64)  # one value as float32
    assert _columns_equal_to(large[:, None].astype(np.float32), large) == []
