"""What the estimators share: from scikit-learn's conventions to one call of the trainer."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rankforest._parameters import Problems, parse_parameters, seed_of, thread_count
from rankforest.data import Dataset
from rankforest.estimators.custom import Callback
from rankforest.estimators.data import refuse_besides_dataset, training_data, why_constant
from rankforest.estimators.run import Run
from rankforest.estimators.warm_start import Fingerprint, check_continues
from rankforest.estimators.watches import MetricLike, Metrics, merged, named_sets
from rankforest.metrics import evaluate
from rankforest.model import Model

if TYPE_CHECKING:
    from typing_extensions import Self

#: Parameters that are no settings of the model, or reach the trainer beside these.
OF_THE_RUN = frozenset(
    {
        "callbacks",
        "metric",
        "n_jobs",
        "objective",
        "oob_score",
        "random_state",
        "warm_start",
    }
)

TEXTBOOK = "ndcg@10(empty=0)"


class Ranker(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Base of the estimators: `fit`, `predict` and what follows from a trained model."""

    #: The core's name of the algorithm.
    _algorithm: ClassVar[str]
    #: Parameters that are estimators themselves.
    _nested: ClassVar[frozenset[str]] = frozenset()

    metric: MetricLike | Sequence[MetricLike]
    callbacks: Callback | Sequence[Callback]
    random_state: int | np.random.RandomState | None
    n_jobs: int | None
    warm_start: bool

    #: Of the data that `model_` was trained on.
    _trained_on: Fingerprint

    model_: Model
    history_: dict[str, dict[str, dict[int, float]]]
    random_state_: int

    def fit(
        self,
        X: object,
        y: npt.ArrayLike | None = None,
        *,
        qid: npt.ArrayLike | None = None,
        group: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
        eval_set: object = None,
    ) -> Self:
        """Train on graded documents.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Features; NaN is a missing value, infinities are refused. float32 with contiguous
            rows is used in place, everything else is copied once. A Dataset brings its own y,
            queries and weights.
        y : array_like of shape (n_documents,), optional
            Grades, >= 0; more is better.
        qid : array_like of shape (n_documents,), optional
            The query of each document: integers or strings, in any order. `LambdaMART` needs
            `qid` or `group`; the other estimators take documents without either as one query.
        group : array_like of int, optional
            In place of `qid`: how many consecutive documents each query has.
        sample_weight : array_like of shape (n_documents,) or (n_queries,), optional
            Weights >= 0 of the documents or queries.
        eval_set : Dataset, tuple, dict or list, optional
            Sets to measure during training: a Dataset or a tuple (X, y, qid), called "valid"; a
            dict of them by name; or a list of them, called "valid_0", "valid_1", ... Measuring
            never changes the model, unless `early_stopping_rounds` is set: then the first set
            decides.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data is unusable; all unusable parameters are named at once. With
            `warm_start`, also if `n_estimators` is smaller than the number of rounds that the
            model has, or another parameter or the data changed since it was trained.
        """
        run = self._checked_run(eval_set)
        data = training_data(
            self._name,
            X,
            y,
            queries={"qid": qid, "group": group},
            sample_weight=sample_weight,
            why_queries=self._why_queries(run.settings),
            n_jobs=run.n_jobs,
        )
        self._check_data(data)
        fingerprint = Fingerprint.of(data)
        goes_on = self.warm_start and "model_" in vars(self)
        if goes_on:
            check_continues(self._name, self.model_, run.parameters, self._trained_on, fingerprint)
        trained = run.train(self._algorithm, data, self.model_ if goes_on else None)
        history = run.metrics.history(trained["history"])
        self.history_ = merged(self.history_, history) if goes_on else history
        self._trained_on = fingerprint
        self.model_ = Model._trained(trained["ensemble"], self._algorithm, run.parameters, data)
        self.random_state_ = run.seed
        self._after_fit(data, run)
        self._warn_if_constant(data, run.settings)
        return self

    def predict(self, X: object, qid: npt.ArrayLike | None = None) -> npt.NDArray[np.float64]:
        """Score documents; those of a query, sorted by score, descending, are ranked.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Features, as many as in training and, where both name them, of the same names in the
            same order; data read from LETOR text may have fewer. NaN and infinities are allowed.
        qid : array_like of shape (n_documents,), optional
            The query of each document. No model of these estimators needs it.

        Returns
        -------
        ndarray of float64, shape (n_documents,)
            Scores in the order of the rows.

        Raises
        ------
        ValueError
            If the features do not match those of the training data.
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        if "model_" not in vars(self):  # asking scikit-learn takes longer than to score a document
            check_is_fitted(self)
        return self.model_.predict(X, qid, n_jobs=self.n_jobs)

    def staged_predict(
        self, X: object, qid: npt.ArrayLike | None = None
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Score documents with the first 1, 2, ... rounds of the model.

        Parameters
        ----------
        X, qid
            As for `predict`.

        Yields
        ------
        ndarray of float64, shape (n_documents,)
            The scores of `model[:1]`, `model[:2]`, ...; the last are those of `predict`.
        """
        check_is_fitted(self)
        return self.model_.staged_predict(X, qid, n_jobs=self.n_jobs)

    def score(
        self,
        X: object,
        y: npt.ArrayLike | None = None,
        qid: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> float:
        """Measure textbook NDCG@10: exp2 gain, log2 discount, queries without relevance count 0.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Features. A Dataset brings its own y, queries and weights.
        y : array_like of shape (n_documents,), optional
            Grades.
        qid : array_like of shape (n_documents,), optional
            The query of each document. In cross-validation, metadata routing passes it on after
            `set_score_request(qid=True)`.
        sample_weight : array_like of shape (n_documents,), optional
            Weights of the documents; a query has the mean weight of its documents.

        Returns
        -------
        float
            The mean over queries, in [0, 1].

        Raises
        ------
        ValueError
            If y or qid is missing, or the features do not match those of the training data.
        """
        scores = self.predict(X)
        if isinstance(X, Dataset):
            refuse_besides_dataset(
                f"{self._name}.score", {"y": y, "qid": qid, "sample_weight": sample_weight}
            )
            return evaluate(X, scores, TEXTBOOK, n_jobs=self.n_jobs)[TEXTBOOK]
        if y is None or qid is None:
            raise ValueError(
                f"{self._name}.score ranks the documents of each query: it needs y and qid. "
                "Cross-validation passes qid on after "
                "sklearn.set_config(enable_metadata_routing=True) and "
                "estimator.set_score_request(qid=True)."
            )
        judged = (y, qid, sample_weight)
        return evaluate(judged, scores, TEXTBOOK, n_jobs=self.n_jobs)[TEXTBOOK]

    def save(self, path: str | PathLike[str]) -> None:
        """Write the trained model to a file; `rankforest.load` reads it.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists.
        """
        check_is_fitted(self)
        self.model_.save(path)

    def feature_importances(self, kind: str = "gain") -> npt.NDArray[np.float64]:
        """Measure what each feature contributes to the trees.

        Parameters
        ----------
        kind : {"gain", "split"}, default="gain"
            The sum of the gains of a feature's splits, or their number.

        Returns
        -------
        ndarray of float64, shape (n_features,)
        """
        check_is_fitted(self)
        return self.model_.feature_importances(kind)

    @property
    def best_iteration_(self) -> int:
        """Number of rounds kept."""
        self._require_fitted("best_iteration_")
        return self.model_.n_rounds

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in the total gain; all 0 where no tree has a split."""
        self._require_fitted("feature_importances_")
        gains = self.model_.feature_importances("gain")
        total = gains.sum()
        return gains / total if total > 0.0 else gains

    @property
    def n_features_in_(self) -> int:
        """Columns of the training data."""
        self._require_fitted("n_features_in_")
        return self.model_.n_features

    @property
    def feature_names_in_(self) -> npt.NDArray[np.object_]:
        """Names of the columns of the training data, where it had them."""
        self._require_fitted("feature_names_in_")
        if self.model_.feature_names is None:
            raise AttributeError("the training data had no feature names")
        return np.asarray(self.model_.feature_names, dtype=object)

    def __getitem__(self, rounds: slice) -> Self:
        """Return a fitted copy that keeps the first rounds only: `estimator[:k]`."""
        check_is_fitted(self)
        prefix = copy.copy(self)
        prefix.model_ = self.model_[rounds]
        return prefix

    #: Without this, iterating would go through __getitem__ and fail obscurely.
    __iter__ = None

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what the estimator takes."""
        tags = super().__sklearn_tags__()
        tags.estimator_type = "ranker"
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        tags.target_tags.positive_only = True
        return tags

    @property
    def _name(self) -> str:
        return type(self).__name__

    def _require_fitted(self, attribute: str) -> None:
        """Let an attribute of a trained model be absent before `fit`, as scikit-learn expects."""
        if "model_" not in vars(self):
            raise AttributeError(f"{self._name} has {attribute} only after fit")

    def _checked_run(self, eval_set: object) -> Run:
        """Return what `fit` is asked to do, or raise one error that lists all that is wrong."""
        problems = Problems(self._name)
        values = self.get_params(deep=False)
        settings = self._settings(problems)
        plain = parse_parameters(
            {name: values[name] for name in OF_THE_RUN - {"metric"} if name in values}, problems
        )
        metrics = Metrics(self.metric, problems)
        sets: dict[str, object] = {}
        with problems.collected():
            sets = named_sets(eval_set)
        if settings.get("early_stopping_rounds") is not None and not sets:
            problems.add("early_stopping_rounds needs an eval_set, and fit got none")
        if settings.get("tree_weights") == "expected_ndcg" and not sets:
            problems.add('tree_weights="expected_ndcg" needs an eval_set, and fit got none')
        self._check_together(settings, metrics, problems)
        problems.raise_if_any()
        return Run(
            estimator=self._name,
            settings=settings,
            metrics=metrics,
            sets=sets,
            callbacks=plain["callbacks"],
            objective=plain.get("objective"),
            seed=self._seed(plain),
            n_jobs=thread_count(plain["n_jobs"]),
        )

    def _seed(self, plain: dict[str, Any]) -> int:
        """Return the seed of `random_state`; the model's own where training goes on from it."""
        is_drawn = not isinstance(plain["random_state"], int)
        if plain["warm_start"] and is_drawn and "model_" in vars(self):
            return self.random_state_
        return seed_of(plain["random_state"])

    def _settings(self, problems: Problems, prefix: str = "") -> dict[str, Any]:
        """Return the parameters that the model depends on, checked, in plain form."""
        values = self.get_params(deep=False)
        own = {k: v for k, v in values.items() if k not in OF_THE_RUN | self._nested}
        return parse_parameters(own, problems, prefix)

    def _check_together(
        self, settings: dict[str, Any], metrics: Metrics, problems: Problems
    ) -> None:
        """Note parameters that do not fit together, and add settings that follow from others."""

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        """Return why queries must be given; None where documents without any are one query."""
        if settings["subsample_unit"] == "query" and settings["subsample"] < 1.0:
            return 'subsample_unit="query" draws queries'
        return None

    def _after_fit(self, data: Dataset, run: Run) -> None:
        """Measure what only the training data can tell."""

    def _check_data(self, data: Dataset) -> None:
        """Refuse data that the algorithm cannot learn from."""

    def _warn_if_constant(self, data: Dataset, settings: dict[str, Any]) -> None:
        """Warn, with the reason, if every tree is a single leaf."""
        if not self.model_.feature_importances("split").any():
            warnings.warn(
                f"{self._name}: the model is constant, no tree has a split: "
                f"{why_constant(data, settings)}",
                UserWarning,
                stacklevel=3,
            )
