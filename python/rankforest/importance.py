"""Importance of features: how much worse a model ranks once the values of one are shuffled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rankforest import _core
from rankforest._data.columns import check_columns
from rankforest._evaluation.gains import warn_of_steep_gains
from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import IrMeasure, as_core_metric, refuse_ties_by_id
from rankforest._evaluation.scores import fitting, scores_of_features
from rankforest._settings.parameters import (
    RULES,
    Problems,
    choice,
    integer,
    seed_of,
    thread_count,
)
from rankforest._settings.trainer_settings import trainer_settings
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.tables import Cell, Table, html_of
from rankforest._support.wording import described
from rankforest.data import Dataset
from rankforest.estimators.base import TEXTBOOK, Ranker
from rankforest.estimators.data import as_dataset
from rankforest.estimators.documents import FrameColumns
from rankforest.estimators.encoding import as_trained
from rankforest.estimators.warm_start import Fingerprint
from rankforest.model import Model

Floats = npt.NDArray[np.float64]

__all__ = ["PermutationImportance", "out_of_bag_importance", "permutation_importance"]

# Features in a table that is printed.
_SHOWN = 20

_BY_ID = "there are none: pass a Dataset that has them (document_ids=, or id= of from_frame)"
_OF_PARTS = "out_of_bag_importance ranks without them"

_FORESTS = ("random_forest", "extra_trees")


@dataclass(frozen=True, eq=False)
class PermutationImportance:
    """How much worse a model ranks without the information of each feature; prints as a table.

    Attributes
    ----------
    metric : str
        The metric that the loss is measured in. A positive loss always means worse, also for
        metrics such as RMSE where less is better.
    permute : {"query", "data"}
        Whether values were permuted within queries or among all documents.
    importances : ndarray of float64, shape (n_features, n_repeats)
        The loss in each repetition; for `out_of_bag_importance`, the loss of each tree.
    importances_mean : ndarray of float64, shape (n_features,)
        Mean of these losses. Trees without out-of-bag documents, whose loss is NaN, do not count.
    importances_std : ndarray of float64, shape (n_features,)
        Standard deviation of these losses, with divisor n as in scikit-learn.
    baseline : float or None
        The metric before anything was permuted; None for `out_of_bag_importance`.
    query_losses : ndarray of float64, shape (n_features, n_queries), or None
        The mean loss on each query, in the order of `Dataset.query_ids`; NaN where the metric
        skips the query. None for `out_of_bag_importance`.
    feature_names : tuple of str
        Names of the features, or where they have none, their numbers, as in `Model.profile`: those
        of the LETOR text that the model was trained on, or counted from 0 for an array. For models
        of other libraries, `Dataset.feature_labels` of the data.
    """

    metric: str
    permute: str
    importances: Floats
    baseline: float | None
    query_losses: Floats | None
    feature_names: tuple[str, ...]

    def __repr__(self) -> str:
        n_features, n_losses = self.importances.shape
        return (
            f"PermutationImportance({n_features} features, {n_losses} losses each, in "
            f"{self.metric}; print it for the largest)"
        )

    def __str__(self) -> str:
        return "\n".join([*self._notes(), self._largest().to_text()])

    def _repr_html_(self) -> str:
        return html_of([self._largest()], self._notes())

    def _notes(self) -> list[str]:
        """Say what the table shows."""
        n_features = len(self.feature_names)
        shown = f", the largest {_SHOWN} of {n_features}" if n_features > _SHOWN else ""
        baseline = "" if self.baseline is None else f" of {self.baseline:.4f}"
        return [f"Loss in {self.metric}{baseline} without what a feature knows{shown}."]

    def _largest(self) -> Table:
        """Lay out the features with the largest mean loss."""
        mean, std = self.importances_mean, self.importances_std
        order = np.argsort(-mean, kind="stable")[:_SHOWN]
        rows = ((self.feature_names[i], f"{mean[i]:.4f}", f"{std[i]:.4f}") for i in order)
        return Table(("feature", "mean", "std"), tuple(tuple(map(Cell, row)) for row in rows))

    @property
    def importances_mean(self) -> Floats:
        """The mean loss for each feature."""
        return _over(np.nanmean, self.importances)

    @property
    def importances_std(self) -> Floats:
        """The standard deviation of the losses for each feature."""
        return _over(np.nanstd, self.importances)

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return a data frame of feature, mean and std, the largest mean first.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.
        """
        order = np.argsort(-self.importances_mean, kind="stable")
        columns = {
            "feature": np.array(self.feature_names, dtype=object)[order],
            "mean": self.importances_mean[order],
            "std": self.importances_std[order],
        }
        return to_frame(columns, library)


def permutation_importance(
    model: Any,
    data: Dataset | tuple[Any, Any, Any] | tuple[Any, Any, Any, Any],
    *,
    metric: str | _core.Metric | IrMeasure = TEXTBOOK,
    permute: str = "query",
    n_repeats: int = 5,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> PermutationImportance:
    """Measure how much worse a model ranks once the values of one feature are permuted [1]_, [2]_.

    Use documents that the model was not trained on. Features that carry the same information
    make each other look less important, since the model still has the other one.

    Parameters
    ----------
    model : Model, estimator or object with ``predict``
        A fitted estimator or model of rankforest, or any object whose ``predict(X)`` returns a
        score for each row of a float32 array, such as ``LGBMRanker``.
    data : Dataset or tuple of (X, y, qid) or (X, y, qid, weight)
        The documents to rank, with grades. Of a data frame X, models of rankforest take the columns
        that they were trained on, by name.
    metric : str, Metric or measure of ir_measures, default="ndcg@10(empty=0)"
        What to measure. In the default, queries without a relevant document count 0. Metrics
        with ``ties=docno``, as most measures of ir_measures have, need a Dataset with
        `document_ids`.
    permute : {"query", "data"}, default="query"
        "query": values change places among the documents of the same query. This removes what the
        feature says about the order of the documents, which is all that a ranking metric sees. A
        feature that is constant within queries, such as the length of the query, has importance 0.
        "data": values change places among all documents, as in scikit-learn. This also removes what
        the feature says about the query, but makes documents that could not occur.
    n_repeats : int, default=5
        Number of permutations of each feature, >= 1.
    random_state : int, RandomState or None, default=0
        Seed of the permutations. They also depend on the documents, but not on the order of the
        rows or the names of queries.
    n_jobs : int or None, default=None
        Number of threads, for models of rankforest. Never changes a result.

    Returns
    -------
    PermutationImportance

    Raises
    ------
    ValueError
        If an argument is unusable, or the data does not have the features of the model.

    Warns
    -----
    UserWarning
        If the queries of a tuple look like weights, or each document is a query of its own. If
        grades are so far apart that under ``gain=exp2`` only the highest ones count.

    See Also
    --------
    out_of_bag_importance : For forests, on the training data.
    RandomForest.feature_importances_ : The gain of the splits in training.

    References
    ----------
    .. [1] L. Breiman, "Random forests", Machine Learning 45, 2001, section 10.
    .. [2] A. Fisher, C. Rudin and F. Dominici, "All models are wrong, but many are useful", JMLR
       20, 2019.

    Examples
    --------
    >>> import rankforest as rf
    >>> train, test = rf.datasets.make_ranking(n_queries=60, random_state=0).train_test_split(0.5)
    >>> model = rf.LambdaMART(n_estimators=20).fit(train)
    >>> importance = rf.permutation_importance(model, test, n_repeats=3)
    >>> importance.importances.shape == (test.n_features, 3)
    True
    """
    problems = Problems("permutation_importance")
    with problems.collected():
        integer(1).check("n_repeats", n_repeats)
    parsed, seed, n_threads = _checked(problems, metric, permute, random_state, n_jobs)
    documents = as_dataset(
        "permutation_importance", data, n_threads, _columns_of(model), _model_of(model)
    )
    if documents.document_ids is None:
        refuse_ties_by_id({str(metric): parsed}, _BY_ID)
    predict, documents, asked = _predictor(model, documents, n_threads)
    judged = Judged.of(documents)

    def measure(X: npt.NDArray[np.float32]) -> _core.Evaluation:
        scores = judged.scores(predict(X))
        [found] = judged.measure(
            [parsed], scores, judgements=None, document_ids=None, n_threads=n_threads
        )
        return found

    X = np.array(documents.X, dtype=np.float32, order="C")
    whole = measure(X)
    judged.warn("permutation_importance", [parsed])
    sign = 1.0 if parsed.maximize else -1.0
    losses = np.zeros((documents.n_features, n_repeats))
    nothing_lost = np.where(np.isnan(whole.values), np.nan, 0.0)  # queries that the metric skips
    query_losses = np.tile(nothing_lost, (documents.n_features, 1))
    for feature in asked:
        values = X[:, feature].copy()
        for repeat in range(n_repeats):
            X[:, feature] = values[
                _core.permutation(
                    documents._core, permute, seed=seed, feature=feature, repeat=repeat
                )
            ]
            permuted = measure(X)
            losses[feature, repeat] = sign * (whole.mean - permuted.mean)
            query_losses[feature] += sign * (whole.values - permuted.values) / n_repeats
        X[:, feature] = values
    return PermutationImportance(
        str(parsed), permute, losses, whole.mean, query_losses, _names(model, documents)
    )


def out_of_bag_importance(
    forest: Any,
    data: Dataset | tuple[Any, Any, Any] | tuple[Any, Any, Any, Any],
    *,
    metric: str | _core.Metric | IrMeasure = TEXTBOOK,
    permute: str = "query",
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> PermutationImportance:
    """Measure how much worse the trees of a forest rank their out-of-bag documents.

    Each tree alone ranks the training documents that it did not draw, before and after the values
    of a feature are permuted among them. The importance is the mean loss over all trees [1]_. No
    documents need to be held out for this. Where trees draw documents rather than queries, each
    tree ranks only part of a query's documents.

    Parameters
    ----------
    forest : RandomForest, ExtraTrees or Model
        Fitted or loaded. Its trees must have been grown on samples of the documents.
    data : Dataset or tuple of (X, y, qid) or (X, y, qid, weight)
        The whole training data, with the weights of the training. X may be a data frame with more
        columns.
    metric : str, Metric or measure of ir_measures, default="ndcg@10(empty=0)"
        What to measure for each tree; not with ``ties=docno``.
    permute : {"query", "data"}, default="query"
        As for `permutation_importance`, among a tree's out-of-bag documents.
    random_state : int, RandomState or None, default=0
        Seed of the permutations.
    n_jobs : int or None, default=None
        Number of threads. None and -1 are every core that the process may use. Never changes a
        result.

    Returns
    -------
    PermutationImportance
        Its `importances` have one column for each tree.

    Raises
    ------
    ValueError
        If an argument is unusable, if the model is not a forest or its trees saw all documents, or
        if the data is not the training data.

    References
    ----------
    .. [1] L. Breiman, "Random forests", Machine Learning 45, 2001, section 10.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> forest = rf.RandomForest(n_estimators=20).fit(data)
    >>> rf.out_of_bag_importance(forest, data).importances.shape == (data.n_features, 20)
    True
    """
    problems = Problems("out_of_bag_importance")
    parsed, seed, n_threads = _checked(problems, metric, permute, random_state, n_jobs)
    model = _model_of(forest)
    if model is None or model.algorithm not in _FORESTS:
        what = described(forest) if model is None else f"a model of {model.algorithm!r}"
        raise ValueError(f"out_of_bag_importance needs a RandomForest or ExtraTrees, got {what}")
    if model.parameters.get("ordinal"):
        raise ValueError(
            "out_of_bag_importance asks each tree for a ranking, and a tree of a forest with "
            "ordinal=True knows one probability only; permutation_importance takes such forests"
        )
    settings = model.parameters
    if settings["subsample"] == 1.0 and not (
        settings["bootstrap"] and settings["subsample_unit"] == "document"
    ):
        raise ValueError(
            "out_of_bag_importance needs a forest whose trees do not see all documents: one trained "
            "with bootstrap=True, or with subsample below 1"
        )
    refuse_ties_by_id({str(metric): parsed}, _OF_PARTS)
    documents = as_dataset("out_of_bag_importance", data, n_threads, _columns_of(forest), model)
    if model.categories:
        documents = as_trained(model, documents)
    _require_training_data(forest, model, documents)
    warn_of_steep_gains("out_of_bag_importance", [parsed], documents._core.grades)
    filled = documents if model.fill_values is None else documents._filled(model.fill_values)
    losses = _core.out_of_bag_losses(
        filled._core,
        trainer_settings({k: v for k, v in settings.items() if k != "random_state"}),
        seed=settings["random_state"],
        forest=model._ensemble,
        metric=parsed,
        scope=permute,
        permutation_seed=seed,
        n_jobs=n_threads,
    )
    return PermutationImportance(
        str(parsed), permute, np.ascontiguousarray(losses.T), None, None, _names(model, documents)
    )


def _checked(
    problems: Problems,
    metric: str | _core.Metric | IrMeasure,
    permute: str,
    random_state: int | np.random.RandomState | None,
    n_jobs: int | None,
) -> tuple[_core.Metric, int, int]:
    """Return metric, seed and threads, or raise one error that lists all that is wrong."""
    parsed = _core.Metric(TEXTBOOK)
    with problems.collected():
        known = as_core_metric(metric)
        if known is None:
            raise TypeError(
                "metric must be a spelling such as 'ndcg@10', a Metric or a measure of ir_measures, "
                f"got {metric!r}"
            )
        parsed = known
    with problems.collected():
        choice("query", "data").check("permute", permute)
    for name, value in {"random_state": random_state, "n_jobs": n_jobs}.items():
        with problems.collected():
            RULES[name].check(name, value)
    problems.raise_if_any()
    return parsed, seed_of(random_state), thread_count(n_jobs)


def _model_of(model: Any) -> Model | None:
    """Return the model of rankforest that something is or has, if any."""
    if isinstance(model, Model):
        return model
    if isinstance(model, Ranker):
        check_is_fitted(model)
        return model.model_
    return None


def _columns_of(model: Any) -> FrameColumns | None:
    """Return the columns of data frames that were no features when `fit` had them."""
    return getattr(model, "frame_columns_", None) if isinstance(model, Ranker) else None


def _predictor(
    model: Any, documents: Dataset, n_threads: int
) -> tuple[Callable[[npt.NDArray[np.float32]], Any], Dataset, list[int]]:
    """Return what scores features, the documents with its columns, and what it asks for."""
    ours = _model_of(model)
    if ours is None:
        if not hasattr(model, "predict"):
            raise ValueError(f"model must have a method predict, got {described(model)}")
        documents = fitting(model, documents)
        every = list(range(documents.n_features))
        return (lambda X: scores_of_features(model, X)), documents, every
    ours, documents = ours._of_numbers(documents)
    ours.predict(documents, n_jobs=n_threads)  # complains where columns do not match
    codes = documents.query_codes if ours._ensemble.needs_queries else None
    asked = np.flatnonzero(ours._features_asked()).tolist()
    return (lambda X: ours.predict(X, codes, n_jobs=n_threads)), documents, asked


def _require_training_data(forest: Any, model: Model, documents: Dataset) -> None:
    """Raise a ValueError where data is known to be other than what a forest was trained on."""
    if isinstance(forest, Ranker):
        is_same = forest._trained_on == Fingerprint.of(documents)
    else:
        known = model.data_summary
        is_same = (known["n_documents"], known["n_queries"], model.n_features) == (
            documents.n_documents,
            documents.n_queries,
            documents.n_features,
        )
    check_columns(
        "out_of_bag_importance",
        documents.n_features,
        documents.feature_names,
        model.n_features,
        model.feature_names,
    )
    if not is_same:
        raise ValueError(
            "out_of_bag_importance needs the data that the forest was trained on, all of it. It was "
            f"trained on {model.data_summary['n_documents']} documents of "
            f"{model.data_summary['n_queries']} queries. This data has {documents.n_documents} of "
            f"{documents.n_queries}, or other values of features, grades or weights"
        )


def _names(model: Any, documents: Dataset) -> tuple[str, ...]:
    ours = _model_of(model)
    return documents.feature_labels if ours is None else ours._labels_for(documents.feature_names)


def _over(function: Callable[..., Floats], importances: Floats) -> Floats:
    """Reduce columns that are not NaN throughout; NaN where there are none."""
    counted = ~np.isnan(importances).all(axis=0)
    if not counted.any():
        return np.full(len(importances), np.nan)
    return function(importances[:, counted], axis=1)
