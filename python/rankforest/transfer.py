"""Transfer learning: what a larger set of documents can teach about a smaller one.

`select_source` chooses the documents of a source set that look most like those of the target, to
train on both. `SourceFeatures` gives the target's documents what a model of the source says of them
as further features. The sets need to share only some of their features.

A. Mohan, "An empirical analysis on point-wise machine learning techniques using regression trees for
web-search ranking", Washington University in St. Louis, 2010, chapter 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import clone, is_classifier

from rankforest._data.shared_features import (
    required_dataset,
    shared_columns,
    shared_features,
    taken,
    with_features,
)
from rankforest._data.source_features import SourceFeatures
from rankforest._settings.parameters import (
    UP_TO_ONE,
    Problems,
    choice,
    integer,
    seed_of,
    thread_count,
)
from rankforest.data import Dataset
from rankforest.estimators import RandomForest

__all__ = ["SourceFeatures", "SourceSelection", "select_source", "shared_features", "with_features"]

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]

#: What is selected: documents, or whole queries.
Unit = Literal["document", "query"]

_UNIT = choice("document", "query")


@dataclass(frozen=True, eq=False, repr=False)
class SourceSelection:
    """The documents of a source set that look most like those of a target: see `select_source`.

    Attributes
    ----------
    data : Dataset
        What is selected, in the order of the source's rows, with the features of the target: NaN
        where the source lacks one. Its `rows` are those of the source.
    probabilities : ndarray of float64, shape (n_documents,)
        For each document of the source, that it is one of the target, as the classifier says that
        was not trained on its query.
    features : tuple of str
        The features that both sets have, which the classifier went by.
    fraction : float
        The share that was asked for.
    unit : {"document", "query"}
        What it is a share of.
    """

    data: Dataset
    probabilities: Floats
    features: tuple[str, ...]
    fraction: float
    unit: Unit
    _source: Dataset = field(repr=False)  # the whole of it, with the features of the target

    def at(self, fraction: float, *, unit: Unit | None = None) -> SourceSelection:
        """Return another share of the same source, without training classifiers again.

        Parameters
        ----------
        fraction : float
            In (0, 1].
        unit : {"document", "query"}, optional
            As before by default.

        Returns
        -------
        SourceSelection
        """
        unit = _UNIT.check("unit", self.unit if unit is None else unit)
        fraction = UP_TO_ONE.check("fraction", fraction)
        rows = _likeliest(self._source, self.probabilities, fraction, unit)
        return SourceSelection(
            self._source.take_rows(rows),
            self.probabilities,
            self.features,
            fraction,
            unit,
            self._source,
        )

    def __repr__(self) -> str:
        return (
            f"SourceSelection({self.data.n_documents} of {len(self.probabilities)} documents, "
            f"{self.data.n_queries} of {self._source.n_queries} queries, "
            f"{len(self.features)} shared features)"
        )


def select_source(
    source: Dataset,
    target: Dataset,
    fraction: float,
    *,
    unit: Unit = "document",
    estimator: Any = None,
    n_folds: int = 5,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> SourceSelection:
    """Select the documents of a source set that look most like those of a target.

    The queries of the source are split into folds. For each fold, a classifier learns to tell the
    documents of the other folds (0) from those of the target (1), by the features that both sets
    have, and says how probably each document of the fold is one of the target.

    Parameters
    ----------
    source : Dataset
        The larger set, which documents are taken from.
    target : Dataset
        Training data of the set that a model is wanted for. Features are matched by name, as
        `shared_features` does.
    fraction : float
        The share of the source's documents or queries to select, in (0, 1], rounded; at least one
        is.
    unit : {"document", "query"}, default="document"
        "document": those of the largest probability, which may leave a query few documents.
        "query": all documents of the queries with the largest mean probability, which pairwise and
        listwise objectives ask for.
    estimator : estimator, optional
        What classifies: anything with scikit-learn's `fit` and `predict_proba`, or, where it is no
        classifier, `predict`. It is cloned for each fold, and must take NaN where features are
        missing. By default a `RandomForest` of 100 trees, whose mean of 0s and 1s is the
        probability.
    n_folds : int, default=5
        From 2 to the number of the source's queries.
    random_state : int, RandomState or None, default=0
        Draws the folds, and is the seed of the default estimator. None draws a seed.
    n_jobs : int, optional
        Threads of the default estimator. None and -1 are every core that the process may use. Never
        changes a result.

    Returns
    -------
    SourceSelection
        Its `data` goes with the target's: ``rf.concat([target, selection.data],
        queries="rename")``.

    Raises
    ------
    TypeError
        If `source` or `target` is no Dataset.
    ValueError
        If a parameter is unusable, or the sets share no feature.

    Notes
    -----
    With the default estimator neither the order of the rows nor the ids of the queries change what
    is selected. Documents of equal probability are taken in an order that depends on their values.

    Grades must mean the same in both sets. More data helps where it is of the same kind: Mohan
    found that even the likeliest documents of Yahoo's set 1 made models of set 2 worse [1]_.
    Compare with the target alone, on its validation data.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", Washington University in St. Louis, 2010,
       table 5.1.

    Examples
    --------
    >>> import rankforest as rf
    >>> source = rf.datasets.make_ranking(n_queries=200, random_state=0)
    >>> target = rf.datasets.make_ranking(n_queries=20, random_state=1)
    >>> selection = rf.transfer.select_source(source, target, 0.1)
    >>> selection.data.n_documents
    479
    >>> train = rf.concat([target, selection.data], queries="rename")
    >>> selection.at(0.5, unit="query").data.n_queries
    100
    """
    required_dataset("source", source)
    required_dataset("target", target)
    problems = Problems("select_source")
    with problems.collected():
        fraction = UP_TO_ONE.check("fraction", fraction)
    with problems.collected():
        unit = _UNIT.check("unit", unit)
    with problems.collected():
        n_folds = _folds_of(n_folds, source)
    with problems.collected():
        thread_count(n_jobs)
    problems.raise_if_any()
    if (source.y is None) != (target.y is None):
        which = "source" if source.y is None else "target"
        raise ValueError(f"{which} has no grades, unlike the other: they cannot be put together")
    seed = seed_of(random_state)
    if estimator is None:
        estimator = RandomForest(n_estimators=100, random_state=seed, n_jobs=n_jobs)
    places = shared_columns(source, target)
    is_shared = places >= 0
    of_both = source.X[:, places[is_shared]], target.X[:, is_shared]
    folds = source.fold_rows(n_folds, random_state=seed)
    probabilities = _probabilities(*of_both, folds, estimator)
    features = tuple(np.array(target.feature_labels, dtype=object)[is_shared])
    whole = _like_target(source, target, places)
    return SourceSelection(whole, probabilities, features, 1.0, unit, whole).at(fraction)


def _folds_of(n_folds: object, source: Dataset) -> int:
    """Return a number of folds, of which each has a query."""
    count: int = integer(2).check("n_folds", n_folds)
    if count > source.n_queries:
        raise ValueError(
            f"n_folds must be at most {source.n_queries}, the number of queries of the source; "
            f"got {count}"
        )
    return count


def _probabilities(
    source: npt.NDArray[np.float32],
    target: npt.NDArray[np.float32],
    folds: Sequence[tuple[Rows, Rows]],
    estimator: Any,
) -> Floats:
    """Return for each document of the source that it is one of the target."""
    found = np.empty(len(source))
    for others, fold in folds:
        X = np.concatenate([source[others], target])
        is_target = np.repeat([0.0, 1.0], [len(others), len(target)])
        found[fold] = _chances(clone(estimator).fit(X, is_target), source[fold])
    if not np.isfinite(found).all():
        raise ValueError(
            f"estimator must give a finite probability for each document; {type(estimator).__name__} "
            "gave NaN or infinity"
        )
    return found


def _chances(fitted: Any, X: npt.NDArray[np.float32]) -> npt.NDArray[Any]:
    if is_classifier(fitted):
        return np.asarray(fitted.predict_proba(X))[:, 1]
    return np.asarray(fitted.predict(X)).reshape(len(X))


def _like_target(source: Dataset, target: Dataset, places: Rows) -> Dataset:
    """Return the source with the features of the target, so that the two go together."""
    merged = source._merged
    return source._with(
        X=taken(source.X, places),
        feature_names=target.feature_names,
        missing=target.missing,
        query_features=target.query_features,
        _merged=None if merged is None else merged.reordered(places.tolist()),
        _text=target._text,
    )


def _likeliest(
    source: Dataset, probabilities: Floats, fraction: float, unit: Unit
) -> npt.NDArray[np.bool_]:
    """Mark the rows of the largest probability; ties go by the canonical order."""
    core = source._core_of(np.zeros(source.n_documents)) if source.y is None else source._core
    order = core.order
    codes, chances = source.query_codes[order], probabilities[order]
    if unit == "query":
        sizes = np.bincount(codes, minlength=source.n_queries)
        means = np.bincount(codes, weights=chances, minlength=source.n_queries) / sizes
        _, first = np.unique(codes, return_index=True)  # of each query, in the canonical order
        queries = np.lexsort((first, -means))[: _count(fraction, source.n_queries)]
        return source._rows_of(queries.astype(np.uint32))
    wanted = order[np.argsort(-chances, kind="stable")[: _count(fraction, source.n_documents)]]
    is_wanted = np.zeros(source.n_documents, dtype=bool)
    is_wanted[wanted] = True
    return is_wanted


def _count(fraction: float, total: int) -> int:
    return max(1, round(fraction * total))
