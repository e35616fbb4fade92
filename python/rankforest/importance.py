"""What features are worth to a model: how much worse it ranks once their values are permuted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rankforest import _core
from rankforest._frames import FrameLibrary, to_frame
from rankforest._judgements import Judged
from rankforest._parameters import (
    RULES,
    Problems,
    choice,
    integer,
    seed_of,
    thread_count,
)
from rankforest.data import Dataset
from rankforest.estimators.base import TEXTBOOK, Ranker
from rankforest.estimators.data import as_dataset
from rankforest.estimators.warm_start import Fingerprint
from rankforest.model import Model

Floats = npt.NDArray[np.float64]

__all__ = ["PermutationImportance", "out_of_bag_importance", "permutation_importance"]

_FORESTS = ("random_forest", "extra_trees")


@dataclass(frozen=True, eq=False)
class PermutationImportance:
    """How much worse a model ranks without what a feature knows.

    Attributes
    ----------
    metric : str
        What the loss is measured in. It is positive where the permuted feature makes the metric
        worse, whether the metric is to be large or small.
    permute : {"query", "data"}
        Among which documents values were permuted.
    importances : ndarray of float64, shape (n_features, n_repeats)
        The loss of each repetition; of `out_of_bag_importance`, of each tree.
    importances_mean : ndarray of float64, shape (n_features,)
        Their mean. NaN of trees without documents of their own is left out.
    importances_std : ndarray of float64, shape (n_features,)
        Their standard deviation, as scikit-learn's: with the number of repetitions as the divisor.
    baseline : float or None
        The metric's value before anything is permuted; None of `out_of_bag_importance`.
    query_losses : ndarray of float64, shape (n_features, n_queries), or None
        The mean loss of each query, in the order of `Dataset.query_ids`; NaN where the metric
        skips it. None of `out_of_bag_importance`.
    feature_names : tuple of str
        `Dataset.feature_labels` of the data: its names, else the numbers of features.
    """

    metric: str
    permute: str
    importances: Floats
    baseline: float | None
    query_losses: Floats | None
    feature_names: tuple[str, ...]

    @property
    def importances_mean(self) -> Floats:
        """The mean loss of each feature."""
        return _over(np.nanmean, self.importances)

    @property
    def importances_std(self) -> Floats:
        """The standard deviation of the losses of each feature."""
        return _over(np.nanstd, self.importances)

    def to_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return a data frame of feature, mean and std, the largest mean first.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            Whose data frame.
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
    data: Dataset | tuple[Any, Any, Any],
    *,
    metric: str | _core.Metric = TEXTBOOK,
    permute: str = "query",
    n_repeats: int = 5,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> PermutationImportance:
    """Measure how much worse a model ranks once the values of one feature are permuted.

    Best on documents that the model was not trained on. Features that stand for each other share
    their importance, or lose it: a model that has both needs neither.

    Parameters
    ----------
    model : Model, estimator or object with ``predict``
        A fitted estimator or a model of rankforest, or anything whose ``predict(X)`` gives a score
        for each row of a float32 array.
    data : Dataset or tuple of (X, y, qid)
        The documents to rank, with grades.
    metric : str or Metric, default="ndcg@10(empty=0)"
        What is measured; the default is textbook NDCG@10.
    permute : {"query", "data"}, default="query"
        "query": values change places among the documents of a query, so that each query keeps its
        own. That takes away what the feature says about the order of its documents, which is all
        that a ranking metric sees; a feature that is constant within queries, such as the length
        of the query, has importance 0. "data": they change places among all documents, as in
        scikit-learn. That takes away what the feature says about the query, too, but makes
        documents that no query would have.
    n_repeats : int, default=5
        Permutations of each feature.
    random_state : int, RandomState or None, default=0
        Decides the permutations, together with the data: neither the order of rows nor names of
        queries change what is permuted.
    n_jobs : int or None, default=None
        Threads of a model of rankforest. Changes no bit.

    Returns
    -------
    PermutationImportance

    Raises
    ------
    ValueError
        If an argument is unusable, or the features do not match those of the model.

    See Also
    --------
    out_of_bag_importance : Needs no other documents than those a forest was trained on.
    RandomForest.feature_importances_ : What the splits gained in training.

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
    documents = as_dataset(data, n_threads)
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
        str(parsed), permute, losses, whole.mean, query_losses, _names(documents)
    )


def out_of_bag_importance(
    forest: Any,
    data: Dataset | tuple[Any, Any, Any],
    *,
    metric: str | _core.Metric = TEXTBOOK,
    permute: str = "query",
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> PermutationImportance:
    """Measure how much worse the trees of a forest rank their out-of-bag documents.

    Each tree ranks the training documents that it did not draw, alone, before and after the values
    of a feature are permuted among them; the importance is the mean loss over the trees [1]_. So
    no documents need to be held out. Where trees draw documents rather than queries, a tree ranks
    parts of queries.

    Parameters
    ----------
    forest : RandomForest, ExtraTrees or Model
        Fitted, or loaded; its trees must not see all documents.
    data : Dataset or tuple of (X, y, qid)
        The training data, all of it, with the weights that it was trained with.
    metric : str or Metric, default="ndcg@10(empty=0)"
        What is measured for each tree; documents of equal scores share their ranks by default.
    permute : {"query", "data"}, default="query"
        As for `permutation_importance`, among a tree's out-of-bag documents.
    random_state : int, RandomState or None, default=0
        Decides the permutations.
    n_jobs : int or None, default=None
        Threads; None for every core that the process may use. Changes no bit.

    Returns
    -------
    PermutationImportance
        With a column of `importances` for each tree.

    Raises
    ------
    ValueError
        If an argument is unusable, the model is no forest, its trees see all documents, or the
        data is not what it was trained on.

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
        what = type(forest).__name__ if model is None else f"a model of {model.algorithm!r}"
        raise ValueError(f"out_of_bag_importance needs a RandomForest or ExtraTrees, got {what}")
    settings = model.parameters
    if settings["subsample"] == 1.0 and not (
        settings["bootstrap"] and settings["subsample_unit"] == "document"
    ):
        raise ValueError(
            "out_of_bag_importance needs trees that do not see all documents: bootstrap, or "
            "subsample below 1"
        )
    documents = as_dataset(data, n_threads)
    _require_training_data(forest, model, documents)
    losses = _core.out_of_bag_losses(
        documents._core,
        {name: value for name, value in settings.items() if name != "random_state"},
        seed=settings["random_state"],
        forest=model._ensemble,
        metric=parsed,
        scope=permute,
        permutation_seed=seed,
        n_jobs=n_threads,
    )
    return PermutationImportance(
        str(parsed), permute, np.ascontiguousarray(losses.T), None, None, _names(documents)
    )


def _checked(
    problems: Problems,
    metric: str | _core.Metric,
    permute: str,
    random_state: int | np.random.RandomState | None,
    n_jobs: int | None,
) -> tuple[_core.Metric, int, int]:
    """Return metric, seed and threads, or raise one error that lists all that is wrong."""
    parsed = _core.Metric(TEXTBOOK)
    with problems.collected():
        if not isinstance(metric, (str, _core.Metric)):
            raise TypeError(
                f"metric must be a spelling such as 'ndcg@10' or a Metric, got {metric!r}"
            )
        parsed = _core.Metric(metric) if isinstance(metric, str) else metric
        if parsed.needs_document_ids:
            raise ValueError(f"metric must not rank by document ids, got {metric!r}")
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


def _predictor(
    model: Any, documents: Dataset, n_threads: int
) -> tuple[Callable[[npt.NDArray[np.float32]], Any], Dataset, list[int]]:
    """Return what scores features, the documents with its columns, and what it asks for."""
    ours = _model_of(model)
    if ours is None:
        if not hasattr(model, "predict"):
            raise ValueError(f"model must have a method predict, got {type(model).__name__}")
        return model.predict, documents, list(range(documents.n_features))
    documents = documents._widened(ours.n_features, ours.missing)
    ours.predict(documents, n_jobs=n_threads)  # complains where columns do not match
    codes = None if ours._ensemble.combine == "sum" else documents.query_codes
    asked = np.flatnonzero(ours.feature_importances("split")).tolist()
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
    if not is_same:
        raise ValueError(
            "out_of_bag_importance needs the data that the forest was trained on, all of it; "
            f"it was trained on {model.data_summary['n_documents']} documents of "
            f"{model.data_summary['n_queries']} queries, and this data has "
            f"{documents.n_documents} of {documents.n_queries}, or other features, grades or weights"
        )


def _names(documents: Dataset) -> tuple[str, ...]:
    return documents.feature_labels


def _over(function: Callable[..., Floats], importances: Floats) -> Floats:
    """Reduce columns that are not NaN throughout; NaN where there are none."""
    counted = ~np.isnan(importances).all(axis=0)
    if not counted.any():
        return np.full(len(importances), np.nan)
    return function(importances[:, counted], axis=1)
