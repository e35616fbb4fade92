"""Values that float32 does not tell apart."""

import bz2
import gzip
import lzma
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import rankforest as rf
from rankforest._data.features import as_features
from rankforest._data.merged_values import MergedValues

DATES = np.array([20180131, 20180132, 20180133])
TINY = np.array([1e-49, 2e-49, 3e-49])


def warning_of(X):
    merged = MergedValues()
    _, names = as_features(X, merged=merged)
    message = merged.message(None if names is None else [repr(name) for name in names])
    assert message.startswith("X has different values that are equal as float32")
    return message


def is_quiet(X):
    merged = MergedValues()
    as_features(X, merged=merged)
    return merged.message(None) is None


def test_dates_as_integers_are_named_with_what_keeps_them_apart():
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        message = warning_of(make({"size": [1.0, 2.0, 3.0], "date": DATES}))
        assert "'date': 3 values become 1 (subtract the least value, 20180131)" in message
        assert "size" not in message
    frame = pd.DataFrame({"date": pd.array(DATES, dtype="Int64"), "text": [None] * 3})
    assert "'date': 3 values become 1" in warning_of(frame)


def test_the_remedy_works():
    assert is_quiet((DATES - 20180131)[:, None])
    assert is_quiet((TINY / 3e-49)[:, None])


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
    assert is_quiet(column[:, None])
    assert is_quiet(pl.DataFrame({"a": column}))


def fit(*arguments, **named):
    return rf.MART(n_estimators=2).fit(*arguments, **named)


def test_training_warns_once_and_nothing_else_does():
    frame = pd.DataFrame({"date": DATES, "other": [0.5, 1.0, 1.5]})
    y = [0, 1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = rf.Dataset(frame, y, qid=[1, 1, 2])
        rf.Dataset(frame, qid=[1, 1, 2])
    whole = rf.concat([data, data], queries="merge")
    for arguments in ((data,), (data.take([1]),), (whole,), (frame, y)):
        with pytest.warns(UserWarning, match="'date': 3 values become 1") as caught:
            estimator = fit(*arguments)
        assert len(caught) == 1
        assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match=r"column 0 \(counted from 0\): 3 values become 1"):
        fit(frame.to_numpy(), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimator.predict(frame)
        estimator.predict(data)
        rf.evaluate(data, estimator, "ndcg")


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
@pytest.mark.parametrize("first", [0, 1])
def test_features_of_text_are_called_by_their_numbers(tmp_path, suffix, first):
    lines = [
        f"{i} qid:{i % 2} {first}:{i} {first + 2}:{date} # {date}" for i, date in enumerate(DATES)
    ]
    path = tmp_path / f"a.txt{suffix}"
    opener = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}.get(suffix, open)
    with opener(path, "wt", encoding="utf-8-sig") as file:
        file.write("# dates\n\n" + "\n".join(lines) + f"\n1 qid:1 {first + 2}:nan\n")
    data = rf.read_letor(path, zero_based=first == 0)
    with pytest.warns(UserWarning, match=f"feature {first + 2}: 3 values become 1 .subtract"):
        fit(data)


def test_text_without_large_numbers_is_not_read_again(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("1 qid:1 1:16777215 2:nan\n0 qid:1 1:-0.5\n")
    monkeypatch.setattr("rankforest._data.merged_text._documents", None)
    assert rf.read_letor(tmp_path / "a.txt").n_documents == 2
