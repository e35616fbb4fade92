"""A model remembers which number meant missing in its training data."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankforest as rf
from rankforest.model import Model


def rows_with_gaps(gap, seed=0):
    X = np.random.default_rng(seed).integers(0, 9, size=(200, 3)).astype(float)
    X[np.random.default_rng(seed + 1).random(X.shape) < 0.3] = gap
    return X


y = np.random.default_rng(7).integers(0, 3, size=200)
qid = np.repeat(np.arange(20), 10)
X, with_nan = rows_with_gaps(-1.0), rows_with_gaps(np.nan)


@pytest.fixture(scope="module")
def model():
    return rf.MART(n_estimators=20).fit(rf.Dataset(X, y, qid=qid, missing=-1)).model_


@pytest.fixture(scope="module")
def plain():
    return rf.MART(n_estimators=20).fit(with_nan, y, qid=qid).model_


def test_it_is_kept_in_the_file_and_only_where_it_was_given(model, plain):
    assert model.missing == -1.0
    assert Model.from_bytes(model.to_bytes()).missing == -1.0
    assert model.data_summary["missing"] == -1.0
    assert plain.missing is None
    assert "missing" not in plain.data_summary


def test_every_form_is_scored_with_the_number_as_missing(model, plain):
    expected = plain.predict(with_nan)
    names = ["a", "b", "c"]
    for rows in (X, X.astype(np.float32), X.tolist(), X.astype(int), pl.DataFrame(X, schema=names)):
        np.testing.assert_array_equal(model.predict(rows), expected)
    np.testing.assert_array_equal(model.predict(pd.DataFrame(X, columns=names)), expected)
    np.testing.assert_array_equal(model.predict(with_nan), expected)
    for row in range(5):
        assert model.predict(X[[row]]) == expected[row]


def test_data_sets_are_scored_alike_whether_they_say_so_or_not(model, plain):
    expected = plain.predict(with_nan)
    said, unsaid = rf.Dataset(X, qid=qid, missing=-1), rf.Dataset(X, qid=qid)
    np.testing.assert_array_equal(model.predict(said), expected)
    np.testing.assert_array_equal(model.predict(unsaid), expected)
    other = rf.Dataset(np.where(np.isnan(with_nan), 7.5, with_nan), qid=qid, missing=7.5)
    np.testing.assert_array_equal(model.predict(other), expected)


def test_other_ways_to_score_take_it_too(model, plain):
    expected = plain.predict(with_nan)
    np.testing.assert_array_equal(model.predict_within(X).scores, expected)
    np.testing.assert_array_equal(list(model.staged_predict(X))[-1], expected)
    np.testing.assert_array_equal(model.top_k(X, 3, qid).rows, plain.top_k(with_nan, 3, qid).rows)
    lazy = model.predict_lazily(len(X), lambda feature, documents: X[documents, feature])
    np.testing.assert_array_equal(lazy.scores, expected)


def test_evaluation_sets_take_it_too():
    train = rf.Dataset(X, y, qid=qid, missing=-1)
    histories = [
        rf.MART(n_estimators=5).fit(train, eval_set=each).history_
        for each in ((X, y, qid), (with_nan, y, qid), rf.Dataset(X, y, qid=qid))
    ]
    assert histories[0] == histories[1] == histories[2]


def test_parts_of_a_data_set_keep_it():
    data = rf.Dataset(X, y, qid=qid, missing=-1)
    assert data.missing == -1.0
    assert data.take([3]).missing == -1.0
    assert {part.missing for part in data.train_test_split()} == {-1.0}
    assert rf.Dataset(X, y, qid=qid, missing=np.nan).missing is None


def test_training_that_goes_on_from_a_model_takes_it_too(model, plain):
    for start, rows in ((model, X), (plain, with_nan)):
        refitted = start.refit_leaves(rows, y, qid=qid, decay=0.5)
        further = rf.MART(n_estimators=30).fit(rows, y, qid=qid, init_model=start).model_
        assert (refitted.missing, further.missing) == (start.missing, start.missing)
        scores = [each.predict(rows).tolist() for each in (refitted, further)]
        if start is model:
            expected = scores
    assert scores == expected


def test_drift_takes_it_too(model, plain):
    found = [rf.drift(each, rows) for each, rows in ((model, X), (plain, with_nan))]
    assert found[0].missing_now.tolist() == found[1].missing_now.tolist()
    assert found[0].missing_now.min() > 0.2
