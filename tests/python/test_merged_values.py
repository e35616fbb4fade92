"""Values that float32 does not tell apart."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import rankforest as rf
from rankforest._features import as_features

DATES = np.array([20180131, 20180132, 20180133])
TINY = np.array([1e-49, 2e-49, 3e-49])


def warning_of(X):
    with pytest.warns(UserWarning, match="equal as float32") as caught:
        as_features(X, warn_merged=True)
    [message] = [str(each.message) for each in caught]
    return message


def is_quiet(X, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        as_features(X, **options)
    return True


def test_dates_as_integers_are_named_with_what_keeps_them_apart():
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        message = warning_of(make({"size": [1.0, 2.0, 3.0], "date": DATES}))
        assert "'date': 3 values become 1 (subtract the least value, 20180131)" in message
        assert "size" not in message
    frame = pd.DataFrame({"date": pd.array(DATES, dtype="Int64"), "text": [None] * 3})
    assert "'date': 3 values become 1" in warning_of(frame)


def test_the_remedy_works():
    assert is_quiet((DATES - 20180131)[:, None], warn_merged=True)
    assert is_quiet((TINY / 3e-49)[:, None], warn_merged=True)


def test_tiny_numbers_are_to_be_divided():
    message = warning_of(TINY[:, None])
    assert "column 0 (counted from 0): 3 values become 1 (divide by the largest size" in message


def test_arrays_and_sparse_matrices_are_looked_at_too():
    table = np.column_stack([[1.0, 2, 3], DATES])
    for X in (table, sparse.csr_array(table), table.tolist()):
        assert "column 1 (counted from 0): 3 values become 1" in warning_of(X)


def test_filler_values_hide_nothing():
    column = np.concatenate([np.zeros(50), np.arange(20180101, 20180131), [np.nan, -np.inf]])
    assert "32 values become 18" in warning_of(column[:, None])


def test_columns_beyond_the_first_five_are_counted():
    message = warning_of(pl.DataFrame({f"c{j}": DATES for j in range(7)}))
    assert "'c4'" in message
    assert "'c5'" not in message
    assert message.endswith("and 2 more columns")


@pytest.mark.parametrize(
    "column",
    [
        np.random.default_rng(0).normal(size=20_000),
        np.random.default_rng(0).uniform(1e6, 2e6, size=20_000),
        np.random.default_rng(0).integers(0, 2**40, size=20_000),
        np.arange(20_000),
        np.full(100, 0.1),
        np.full(100, np.nan),
        np.array([np.inf, 1.0]),
    ],
    ids=["normal", "uniform", "ids", "counts", "constant", "missing", "infinite"],
)
def test_ordinary_rounding_is_no_harm(column):
    assert is_quiet(column[:, None], warn_merged=True)
    assert is_quiet(pl.DataFrame({"a": column}), warn_merged=True)


def test_only_training_looks():
    assert is_quiet(DATES[:, None])
    frame = pd.DataFrame({"date": DATES, "other": [0.5, 1.0, 1.5]})
    with pytest.warns(UserWarning, match="'date': 3 values become 1"):
        data = rf.Dataset(frame, [0, 1, 2], qid=[1, 1, 1])
    with pytest.warns(UserWarning, match="'date': 3 values become 1"):
        estimator = rf.MART(n_estimators=2).fit(frame, [0, 1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimator.predict(frame)
        estimator.fit(data)
        rf.Dataset(frame, qid=[1, 1, 1])
