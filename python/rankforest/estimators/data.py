"""The data that `fit` gets: as data sets, and whether anything can be learned from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rankforest._data.categorical_columns import categorized
from rankforest._data.columns import own_columns
from rankforest._data.levels import ColumnsLike, parse_columns
from rankforest._data.merged_values import MergedValues
from rankforest._data.odd_queries import OF_FEATURES, refuse_fractions, warn_of_odd_queries
from rankforest._evaluation.gains import warn_of_steep_grades
from rankforest._support.warnings import warn
from rankforest._support.wording import described
from rankforest.data import Dataset
from rankforest.estimators.documents import Documents, FrameColumns, refuse_besides_dataset
from rankforest.model import Model


def training_data(
    owner: str,
    documents: Documents,
    *,
    why_queries: str | None,
    categorical_features: ColumnsLike = None,
    n_jobs: int,
) -> Dataset:
    """Return what `fit` got as a data set.

    Parameters
    ----------
    owner : str
        The estimator, for messages.
    documents : Documents
        Without columns of a data frame that are no features.
    why_queries : str or None
        Why queries must be given; None if documents without any are one query.
    categorical_features : str or array_like, optional
        As for `Dataset`.
    n_jobs : int
        Threads.
    """
    if isinstance(documents.X, Dataset):
        beside = {name: getattr(documents, name) for name in ("y", "qid", "group", "sample_weight")}
        refuse_besides_dataset(f"{owner}.fit", beside)
        return documents.X
    if documents.y is None:  # in the words of scikit-learn
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    if documents.has_queries:
        return documents.to_dataset(n_jobs, categorical_features=categorical_features)
    if why_queries is not None:
        raise ValueError(
            f"{owner}: {why_queries}: pass qid, the query of each document or the name of the "
            "column that has it, or group, the number of consecutive documents of each query"
        )
    merged = MergedValues()
    columns = parse_columns(categorical_features)
    features, names, levels = categorized(documents.X, columns, merged=merged)
    one_query = np.zeros(len(features), dtype=np.uint32)
    features_of_one = replace(documents, X=features, qid=one_query)
    return features_of_one.to_dataset(n_jobs, names)._with(_merged=merged, _levels=levels)


def as_dataset(
    owner: str,
    each: object,
    n_jobs: int,
    columns: FrameColumns | None = None,
    model: Model | None = None,
) -> Dataset:
    """Return documents as a data set: one, or a tuple (X, y, qid) or (X, y, qid, weight).

    Of a data frame X, only the columns are taken that the model was trained on, if it is given.

    Parameters
    ----------
    owner : str
        The function, which the user called, for messages.
    each : object
        As the function got it.
    n_jobs : int
        Threads.
    columns : FrameColumns or None
        The columns of a data frame that are no features of the model.
    model : Model or None
        What was trained on the features.
    """
    if isinstance(each, Dataset):
        return each
    if not isinstance(each, tuple) or len(each) not in (3, 4):
        what = f"a tuple of {len(each)}" if isinstance(each, tuple) else described(each)
        raise ValueError(
            "data must be a Dataset or a tuple (X, y, qid) or (X, y, qid, weight), got " + what
        )
    X, y, qid, *weight = each
    documents = Documents(X, y, qid, None, *weight).without_columns(columns)
    if model is not None:
        own = own_columns(documents.X, model.algorithm, model.feature_names)
        documents = replace(documents, X=own)
    refuse_fractions(documents.qid, OF_FEATURES)
    categorical = None if model is None else [each.feature for each in model.categories]
    data = documents.to_dataset(n_jobs, categorical_features=categorical)
    form = None if weight else OF_FEATURES
    warn_of_odd_queries(owner, documents.qid, data.n_documents, data.n_queries, form)
    return data


def require_pairs(owner: str, data: Dataset) -> None:
    """Raise a ValueError, with counts, if no two documents of a query differ in grade."""
    summary = data.summary()
    if summary.n_comparable == 0:
        raise ValueError(
            f"{owner} learns from pairs of documents, and no two documents of a query have "
            f"different grades: of {summary.n_queries} queries, {summary.n_single} have a single "
            f"document and {summary.n_one_grade} have one grade throughout"
        )


def warn_of_relevance(
    owner: str, data: Dataset, settings: Mapping[str, Any], prefix: str = ""
) -> None:
    """Warn if the trees of a forest cannot tell the grades apart that they learn from.

    Parameters
    ----------
    owner : str
        The estimator, for messages.
    data : Dataset
        What it is trained on.
    settings : mapping
        Those of the forest.
    prefix : str
        What stands before the forest's parameters in those of the estimator.
    """
    if settings["relevance"] == "grade":
        warn_of_coarse_grades(owner, data)
    uses = {
        "relevance": ("exp2", 'relevance="grade"'),
        "criterion": ("listwise", 'criterion="pairwise"'),
    }
    for name, (steep, other) in uses.items():
        if settings[name] == steep and warn_of_steep_grades(
            owner,
            f'what {prefix}{name}="{steep}" counts',
            data._core.grades,
            f"Use {prefix}{other}, or smaller grades, such as 0, 1, 2, 3",
        ):
            return


def warn_of_coarse_grades(owner: str, data: Dataset) -> None:
    """Warn if float32, which leaf values are, cannot tell means of the grades apart."""
    grades = data._core.grades
    lowest, highest = float(grades.min()), float(grades.max())
    if lowest == highest or highest > float(np.finfo(np.float32).max):
        return  # the core refuses what is beyond
    steps = (highest - lowest) / float(np.spacing(np.float32(highest)))
    if steps >= 1024:
        return
    warn(
        f"{owner}: leaf values are float32, which has {math.floor(steps)} steps between the "
        f"grades {lowest:.17g} and {highest:.17g}: subtract {lowest:.17g} from all grades",
    )


def why_constant(data: Dataset, settings: Mapping[str, Any]) -> str:
    """Say what kept every tree from splitting."""
    grades = data._core.grades
    if grades.min() == grades.max():
        return f"every document has grade {grades[0]:g}"
    weights = data._core.weights
    if weights is not None:
        weighty = grades[weights > 0.0]
        if weighty.min() == weighty.max():
            return f"every document whose weight is not 0 has grade {weighty[0]:g}"
    lowest, highest = np.fmin.reduce(data.X), np.fmax.reduce(data.X)
    if not (lowest < highest).any():
        return f"none of the {data.n_features} features has two different values"
    fewest = settings["min_samples_leaf"]
    if isinstance(fewest, int) and 2 * fewest > data.n_documents:
        return f"min_samples_leaf={fewest} is too large for {data.n_documents} documents"
    limits = {
        "cost_weight": 0.0 if settings.get("feature_costs") is None else settings["cost_weight"],
        "min_gain": settings.get("min_gain", 0.0),
        "min_samples_leaf": fewest if isinstance(fewest, float) else fewest - 1,
        "min_hessian": settings.get("min_hessian", 0.0),
    }
    at_work = [name for name, value in limits.items() if value > 0]
    return "no split gained enough" + ("; lower " + " or ".join(at_work) if at_work else "")
