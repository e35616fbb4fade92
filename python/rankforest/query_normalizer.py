"""A transformer of scikit-learn that brings the features of each query to one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags

from rankforest import _core
from rankforest._data.features import as_features
from rankforest._data.queries import query_codes
from rankforest._settings.parameters import RULES, thread_count

if TYPE_CHECKING:
    from typing_extensions import Self

_KINDS = ("sum", "minmax", "zscore")


class QueryNormalizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # no types there
    """Replaces each feature by what it is among the documents of the query.

    The linear rankers do the same by themselves (`query_normalization`), and their models remember
    it; this is for other estimators, in pipelines. Nothing is learned from the training data.

    Parameters
    ----------
    kind : {"sum", "minmax", "zscore"}, default="minmax"
        The share of a value in the sum of absolute values ("sum"), its place between the smallest
        and the largest ("minmax"), or the number of standard deviations above the mean ("zscore"). A
        feature that is the same all over a query becomes 0. NaN stays NaN, and an infinity counts as
        the largest float32 of its sign.
    n_jobs : int or None, default=None
        Threads; None for every core that the process may use. Never changes a result.

    Attributes
    ----------
    n_features_in_ : int
        Columns of the data that `fit` got.

    Examples
    --------
    >>> import rankforest as rf
    >>> X = [[1.0], [3.0], [10.0], [30.0]]
    >>> rf.QueryNormalizer().fit(X).transform(X, qid=[7, 7, 8, 8]).ravel().tolist()
    [0.0, 1.0, 0.0, 1.0]
    """

    def __init__(self, kind: str = "minmax", n_jobs: int | None = None) -> None:
        self.kind = kind
        self.n_jobs = n_jobs

    def fit(self, X: object, y: object = None) -> Self:
        """Take note of the number of features.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_documents, n_features)
            Features.
        y : object, optional
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data is unusable.
        """
        if self.kind not in _KINDS:
            raise ValueError(
                f'QueryNormalizer: kind must be "sum" or "minmax" or "zscore", got {self.kind!r}'
            )
        RULES["n_jobs"].check("n_jobs", self.n_jobs)
        self.n_features_in_ = as_features(X)[0].shape[1]
        return self

    def transform(self, X: object, qid: npt.ArrayLike | None = None) -> npt.NDArray[np.float32]:
        """Normalise features.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_documents, n_features)
            As many features as `fit` got.
        qid : array_like of shape (n_documents,), optional
            The query of each document. None: all are of one query. Pipelines pass it on after
            ``set_transform_request(qid=True)``, and `fit_transform` takes it, too.

        Returns
        -------
        ndarray of float32, shape (n_documents, n_features)

        Raises
        ------
        ValueError
            If the shapes do not fit.
        """
        features, _ = as_features(X)
        if features.shape[1] != self.n_features_in_:
            raise ValueError(
                f"QueryNormalizer: X has {features.shape[1]} features, expected the "
                f"{self.n_features_in_} that fit got"
            )
        codes = np.zeros(len(features), np.uint32) if qid is None else query_codes(qid)[0]
        if len(codes) != len(features):
            raise ValueError(
                f"QueryNormalizer: qid must name the query of each of the {len(features)} rows of X; "
                f"it has {len(codes)}"
            )
        return _core.normalized_in_queries(self.kind, features, codes, thread_count(self.n_jobs))

    def fit_transform(
        self, X: object, y: object = None, qid: npt.ArrayLike | None = None, **_params: Any
    ) -> npt.NDArray[np.float32]:
        """Fit and transform at once; arguments as of `fit` and `transform`."""
        return self.fit(X, y).transform(X, qid)

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what the transformer takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags
