"""What a trained estimator offers: scores, figures about the model, and its first rounds."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rankforest._data.odd_queries import warn_of_odd_queries
from rankforest._evaluation.gains import warn_of_steep_gains
from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import ranks_documents
from rankforest._settings.parameters import Problems, thread_count
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.paths import StrPath
from rankforest.data import Dataset
from rankforest.estimators.documents import Documents, FrameColumns, refuse_besides_dataset
from rankforest.estimators.hints import hint_at_model
from rankforest.estimators.history import History
from rankforest.estimators.watches import MetricLike, Metrics
from rankforest.metrics import measured
from rankforest.model import Model

if TYPE_CHECKING:
    from typing_extensions import Self


class FittedRanker(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """What follows from `model_`, once `fit` has set it."""

    metric: MetricLike | Sequence[MetricLike]
    n_jobs: int | None

    model_: Model
    history_: dict[str, dict[str, list[float]]]
    history_rounds_: list[int]
    deciding_set_: str | None
    frame_columns_: FrameColumns | None

    def predict(self, X: object, qid: npt.ArrayLike | None = None) -> npt.NDArray[np.float64]:
        """Score documents; those of a query, sorted by score, descending, are ranked.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Features, as many as in training and, where both name them, of the same names in the
            same order; data read from LETOR text may have fewer. NaN and infinities are allowed.
            The columns of a data frame that were no features in training are none here.
        qid : array_like of shape (n_documents,), optional
            The query of each document. Bags need it where `combine` is not "mean" and X is no
            Dataset; no other model does.

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
        return self.model_._scores(self._features_of(X), qid, self.n_jobs, selects=False)

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
        return self.model_._staged(self._features_of(X), qid, self.n_jobs, selects=False)

    def score(
        self,
        X: object,
        y: npt.ArrayLike | str | None = None,
        qid: npt.ArrayLike | str | None = None,
        sample_weight: npt.ArrayLike | str | None = None,
    ) -> float:
        """Measure how well documents are ranked, by the first metric of `metric`; more is better.

        The value of a metric where less is better, such as "rmse", comes with the opposite sign,
        so that scikit-learn's searches find the best model. It is what training reports of the
        same documents; `oob_score_` of forests is another figure, textbook NDCG@10.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Features. A Dataset brings its own y, queries and weights. A data frame may have the
            columns with grades, queries and weights that it had in `fit`.
        y : array_like of shape (n_documents,) or str, optional
            Grades, or the name of a column.
        qid : array_like of shape (n_documents,) or str, optional
            The query of each document, or the name of a column. In cross-validation of arrays,
            metadata routing passes it on after `set_score_request(qid=True)`.
        sample_weight : array_like of shape (n_documents,) or (n_queries,) or str, optional
            Weights of documents or queries, or the name of a column; a query has the mean weight
            of its documents.

        Returns
        -------
        float
            The mean over queries; NaN where none can be evaluated.

        Raises
        ------
        ValueError
            If y or qid is missing, or the features do not match those of the training data.

        Warns
        -----
        UserWarning
            If each document is a query of its own, or for grades far apart, as `evaluate` warns.
        """
        check_is_fitted(self)
        problems = Problems(self._name)
        metric = Metrics(self.metric, problems)
        problems.raise_if_any()
        data = self._judged_documents(Documents(X, y, qid, None, sample_weight))
        scores = self.model_.predict(data, n_jobs=self.n_jobs)
        judged, first = Judged.of(data), metric.first
        (name, *_) = metric.by_spelling
        n_threads = thread_count(self.n_jobs)
        (found,) = measured(judged, scores, {name: first}, n_threads=n_threads).values()
        owner = f"{self._name}.score"
        if not isinstance(X, Dataset) and ranks_documents(first):
            warn_of_odd_queries(owner, qid, data.n_documents, data.n_queries, None)
        warn_of_steep_gains(owner, [first], judged.y)
        return found.mean if first.maximize else -found.mean

    def _judged_documents(self, documents: Documents) -> Dataset:
        """Return what `score` got as a data set."""
        owner = f"{self._name}.score"
        if isinstance(documents.X, Dataset):
            beside = {name: getattr(documents, name) for name in ("y", "qid", "sample_weight")}
            refuse_besides_dataset(owner, beside)
            return documents.X
        documents = documents.without_columns(vars(self).get("frame_columns_"))
        if documents.y is None or documents.qid is None:
            raise ValueError(
                f"{owner} ranks the documents of each query: it needs y and qid. "
                "Cross-validation passes on the columns of a data frame, where qid_column names "
                "that of the queries; beside an array it passes qid after "
                "sklearn.set_config(enable_metadata_routing=True) and "
                "estimator.set_score_request(qid=True)."
            )
        places = [each.feature for each in self.model_.categories]
        names = self.model_.feature_names
        columns = [names[place] for place in places] if names else places
        return documents.to_dataset(thread_count(self.n_jobs), categorical_features=columns or None)

    def _features_of(self, X: object) -> object:
        """Return a data frame without the columns that were no features in training."""
        columns: FrameColumns | None = vars(self).get("frame_columns_")
        return X if columns is None else columns.features_of(X)

    def history_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return what was measured during training as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.

        Returns
        -------
        data frame
            Columns "round", "set", "metric" and "value", one row for each value.
        """
        check_is_fitted(self)
        return to_frame(History(self.history_rounds_, self.history_).columns(), library)

    def save(self, path: StrPath) -> None:
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
            The sum of the gains of a feature's splits, or their number; more in
            `Model.feature_importances`.

        Returns
        -------
        ndarray of float64, shape (n_features,)
        """
        check_is_fitted(self)
        return self.model_.feature_importances(kind)

    @property
    def best_iteration_(self) -> int:
        """Number of rounds kept, those of `init_model` among them."""
        self._require_fitted("best_iteration_")
        return self.model_.n_rounds

    @property
    def best_score_(self) -> float:
        """Value of the first metric on the set that decides, after the rounds that are kept."""
        self._require_fitted("best_score_")
        if self.deciding_set_ is None:
            raise AttributeError("fit had no evaluation set")
        if self.best_iteration_ not in self.history_rounds_:
            raise AttributeError(f"nothing was measured after round {self.best_iteration_}")
        values = next(iter(self.history_[self.deciding_set_].values()))
        return values[self.history_rounds_.index(self.best_iteration_)]

    @property
    def evals_result_(self) -> dict[str, dict[str, list[float]]]:
        """`history_` under the name that it has in LightGBM."""
        self._require_fitted("evals_result_")
        return self.history_

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Share of each feature in the total gain; all 0 where no tree has a split."""
        self._require_fitted("feature_importances_")
        gains = self.model_.feature_importances("gain")
        total = gains.sum()
        return gains / total if total > 0.0 else gains

    @property
    def charged_features_(self) -> npt.NDArray[np.bool_]:
        """Whether any split uses a feature, so that whoever computes a score pays for it."""
        self._require_fitted("charged_features_")
        return self.model_.feature_importances("split") > 0.0

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

    if not TYPE_CHECKING:  # for which it would be a promise to have every attribute

        def __getattr__(self, name: str) -> Any:
            """Raise an AttributeError, which says what `model_` has."""
            hint = None if hasattr(type(self), name) else hint_at_model(self, name)
            if hint is not None:
                raise AttributeError(hint)
            return self.__getattribute__(name)  # for its message

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
