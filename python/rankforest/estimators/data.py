"""The data that `fit` gets: as data sets, and whether anything can be learned from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankforest._columns import check_columns
from rankforest._features import as_features
from rankforest.data import Dataset


def training_data(
    owner: str,
    X: object,
    y: object,
    *,
    queries: Mapping[str, object],
    sample_weight: object,
    why_queries: str | None,
    n_jobs: int,
) -> Dataset:
    """Return what `fit` got as a data set.

    Parameters
    ----------
    owner : str
        The estimator, for messages.
    X, y, sample_weight
        As for `fit`.
    queries : mapping
        The arguments "qid" and "group"; both may be None.
    why_queries : str or None
        Why queries must be given; None if documents without any are one query.
    n_jobs : int
        Threads.
    """
    if isinstance(X, Dataset):
        given = {"y": y, **queries, "sample_weight": sample_weight}
        refuse_besides_dataset(f"{owner}.fit", given)
        return X
    if y is None:  # in the words of scikit-learn
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    features, names = as_features(X)
    if all(value is None for value in queries.values()):
        if why_queries is not None:
            raise ValueError(
                f"{owner}: {why_queries}: pass qid, the query of each document, or group, the "
                "number of consecutive documents of each query"
            )
        queries = {"qid": np.zeros(len(features), dtype=np.uint32)}
    return Dataset(
        features,
        y,
        qid=queries.get("qid"),
        group=queries.get("group"),
        weight=sample_weight,
        feature_names=names,
        n_jobs=n_jobs,
    )


def refuse_besides_dataset(owner: str, given: Mapping[str, object]) -> None:
    """Raise a ValueError if arguments are given that a Dataset holds."""
    extra = [name for name, value in given.items() if value is not None]
    if extra:
        raise ValueError(f"{owner}: a Dataset brings its own {', '.join(extra)}; leave them out")


def watched_data(owner: str, name: str, each: object, *, train: Dataset, n_jobs: int) -> Dataset:
    """Return the evaluation set `name`, which has the columns of the training data.

    Raises
    ------
    ValueError
        If it is neither a data set nor a tuple (X, y, qid), or for what is wrong in it, under
        its name.
    """
    try:
        data = as_dataset(each, n_jobs)._widened(train.n_features)
        check_columns(
            owner, data.n_features, data.feature_names, train.n_features, train.feature_names
        )
    except ValueError as error:
        raise ValueError(f"eval_set: {name!r}: {error}") from error
    return data


def as_dataset(each: object, n_jobs: int) -> Dataset:
    """Return documents as a data set: one, or a tuple (X, y, qid)."""
    if isinstance(each, Dataset):
        return each
    if not isinstance(each, tuple) or len(each) != 3:
        what = f"a tuple of {len(each)}" if isinstance(each, tuple) else type(each).__name__
        raise ValueError(f"a set must be a Dataset or a tuple (X, y, qid), got {what}")
    X, y, qid = each
    features, names = as_features(X)
    return Dataset(features, y, qid=qid, feature_names=names, n_jobs=n_jobs)


def require_pairs(owner: str, data: Dataset) -> None:
    """Raise a ValueError, with counts, if no two documents of a query differ in grade."""
    summary = data.summary()
    if summary.n_comparable == 0:
        raise ValueError(
            f"{owner} learns from pairs of documents, and no two documents of a query have "
            f"different grades: of {summary.n_queries} queries, {summary.n_single} have a single "
            f"document and {summary.n_one_grade} have one grade throughout"
        )


def why_constant(data: Dataset, settings: Mapping[str, Any]) -> str:
    """Say what kept every tree from splitting."""
    grades = data._core.grades
    if grades.min() == grades.max():
        return f"every document has grade {grades[0]:g}"
    lowest, highest = np.fmin.reduce(data.X), np.fmax.reduce(data.X)
    if not (lowest < highest).any():
        return f"none of the {data.n_features} features has two different values"
    fewest = settings["min_samples_leaf"]
    if isinstance(fewest, int) and 2 * fewest > data.n_documents:
        return f"min_samples_leaf={fewest} is too large for {data.n_documents} documents"
    return "no split gained enough; lower min_gain, min_samples_leaf or min_hessian"
