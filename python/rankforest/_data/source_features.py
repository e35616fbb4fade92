"""What a model of another set of documents says, as features."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from rankforest._data.features import as_features
from rankforest._data.shared_features import Columns, places_in, taken
from rankforest._settings.parameters import thread_count
from rankforest.data import Dataset
from rankforest.model import Model, model_of

Features = npt.NDArray[np.float32]

_KINDS = "QPC"


class SourceFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Adds what a model of a source set says of documents as features.

    With H the model, the features of a document x are

    ====  ==================================================================================
    Q     H(x), the score
    P     the probability that its grade is c, for each grade c of the source
    C     the probability that its grade is at most c, for each grade c but the highest
    ====  ==================================================================================

    Parameters
    ----------
    model : Model, fitted estimator, str or path-like
        What was trained on the source, or the path of its file. P and C need one that was trained
        with `ordinal=True`.
    kinds : str, default="Q"
        Different letters out of "QPC", such as "QC".
    prefix : str, default="source"
        What the names of the features begin with: "source:Q", "source:P0", "source:C0" and so on,
        with the grades.
    n_jobs : int, optional
        Threads that score. None and -1 are every core that the process may use. Never changes a
        result.

    Attributes
    ----------
    model_ : Model
        The model that scores.
    shared_features_ : tuple of str
        Those features of the model that the documents have.
    n_features_in_ : int
        Columns that `fit` saw.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Only where they have names.

    Raises
    ------
    TypeError
        If `model` is none of these.
    ValueError
        If a kind is unknown or given twice, the model has no probabilities, or it shares no
        feature with the documents.

    See Also
    --------
    select_source : Adds documents of the source instead.

    Notes
    -----
    Features are matched by name, those of LETOR text by number, and those of a model and an array
    that both have no names by position. A feature of the model that the documents lack is missing
    (NaN) to it; a model that is to do without should be trained without, on
    ``with_features(source, shared_features(source, target))``.

    `fit` learns nothing but the columns: it may see any documents, and needs no grades. A
    transformer is saved as a pickle, which holds the source's model. The file of a model that is
    trained on its features holds the names of these, and not how they are made: whatever scores by
    it must be given them. Add them before `Dataset.with_query_features`, not after.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", Washington University in St. Louis, 2010,
       chapter 5.

    Examples
    --------
    >>> import rankforest as rf
    >>> source = rf.datasets.make_ranking(n_queries=200, random_state=0)
    >>> target = rf.datasets.make_ranking(n_queries=20, random_state=1)
    >>> model = rf.RandomForest(n_estimators=20).fit(source)
    >>> added = rf.transfer.SourceFeatures(model, "Q").fit(target)
    >>> train = added.transform(target)
    >>> train.feature_names[-1], train.n_features - target.n_features
    ('source:Q', 1)
    """

    def __init__(
        self, model: object, kinds: str = "Q", *, prefix: str = "source", n_jobs: int | None = None
    ) -> None:
        self.model = model
        self.kinds = kinds
        self.prefix = prefix
        self.n_jobs = n_jobs

    def __sklearn_clone__(self) -> SourceFeatures:
        """Keep the model, which is trained on other data than that of the search or fold."""
        return type(self)(self.model, self.kinds, prefix=self.prefix, n_jobs=self.n_jobs)

    def fit(self, X: object, y: object = None) -> SourceFeatures:
        """Find the columns of the model among those of the documents.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Documents.
        y : object, optional
            Ignored.

        Returns
        -------
        self
        """
        kinds = _checked_kinds(self.kinds)
        if not isinstance(self.prefix, str) or not self.prefix:
            raise ValueError(f"prefix must be a string that is not empty, got {self.prefix!r}")
        thread_count(self.n_jobs)
        model = model_of("model", self.model)
        if model.query_features:
            raise ValueError(
                "the source's model was trained with query features, which need the whole queries of "
                "its own features; train it without"
            )
        made = [f"{self.prefix}:{name}" for name in _names(model, kinds)]
        data = _as_dataset(X)
        self._places = _places(data, model)
        self._check_new(data, made)
        self.model_, self._kinds, self._made = model, kinds, tuple(made)
        self.n_features_in_ = data.n_features
        self._names = data.feature_names
        if data.feature_names is not None:
            self.feature_names_in_ = np.array(data.feature_names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        labels = Columns.of_model("model", model)
        names = labels.names or tuple(model._feature_labels)
        self.shared_features_ = tuple(np.array(names, dtype=object)[self._places >= 0])
        return self

    def transform(self, X: object) -> Any:
        """Return documents with the features of the model behind their own.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            The columns that `fit` saw.

        Returns
        -------
        Dataset or ndarray of float32, shape (n_documents, n_features + n_added)
            A Dataset of a Dataset, whose features then have names, the numbers of LETOR text among
            them; else an array.

        Raises
        ------
        ValueError
            If the columns are not those that `fit` saw.
        """
        check_is_fitted(self, "model_")
        given = _as_dataset(X)
        given._refuse_levels("SourceFeatures takes numbers only; leave them out")
        data = given._widened(self.n_features_in_)
        if data.feature_names != self._names or data.n_features != self.n_features_in_:
            raise ValueError(
                f"X must have the {self.n_features_in_} columns that fit saw, under the same names and "
                f"in their order; it has {data.n_features}"
            )
        added = self._added(data)
        if not isinstance(X, Dataset):
            return np.hstack([data.X, added])
        names = [*data.feature_labels, *self._made]
        return data._with(
            X=np.hstack([data.X, added]), feature_names=tuple(names), _text=None, query_features=()
        )

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Name the columns of the result.

        Parameters
        ----------
        input_features : array_like of str, optional
            What the columns that `fit` saw are called; by default their names, or x0, x1, ...

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self, "model_")
        own = input_features if input_features is not None else self._names
        if own is None:
            own = [f"x{j}" for j in range(self.n_features_in_)]
        names = np.asarray(own, dtype=object)
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"input_features must name {self.n_features_in_} columns, got {len(names)}"
            )
        return np.concatenate([names, np.array(self._made, dtype=object)])

    def _added(self, data: Dataset) -> Features:
        X = taken(data.X, self._places)
        model: Any = self.model_
        documents = data._with(
            X=X, feature_names=model.feature_names, _text=None, query_features=()
        )
        columns: list[npt.NDArray[Any]] = []
        probabilities: Any = None
        if set(self._kinds) & set("PC"):
            probabilities = model.predict_proba(documents, n_jobs=self.n_jobs)
        for kind in self._kinds:
            if kind == "Q":
                columns.append(model.predict(documents, n_jobs=self.n_jobs)[:, None])
            elif kind == "P":
                columns.append(probabilities)
            else:
                columns.append(np.cumsum(probabilities, axis=1)[:, :-1])
        return np.hstack(columns).astype(np.float32)

    def _check_new(self, data: Dataset, made: list[str]) -> None:
        if data.query_features:
            raise ValueError(
                "the documents have query features already: add those of the source's model first"
            )
        for name in made:
            if name in (data.feature_names or ()):
                raise ValueError(f"the documents have a feature {name!r} already; choose a prefix")


def _checked_kinds(kinds: object) -> str:
    if not isinstance(kinds, str) or not kinds or set(kinds) - set(_KINDS):
        raise ValueError(f'kinds must be letters out of "{_KINDS}", such as "QC"; got {kinds!r}')
    if len(set(kinds)) < len(kinds):
        raise ValueError(f"kinds must be different letters, got {kinds!r}")
    return kinds


def _names(model: Model, kinds: str) -> list[str]:
    """Name the features of each kind."""
    if kinds == "Q":
        return ["Q"]
    grades = getattr(model, "grades", None)
    if grades is None:
        wanted = " and ".join(kind for kind in kinds if kind != "Q")
        raise ValueError(
            f"kinds: {wanted} are probabilities of grades, which only a model has that was trained "
            'with ordinal=True; kinds="Q" needs none'
        )
    texts = [f"{grade:g}" for grade in grades]
    of_kind = {"Q": ["Q"], "P": [f"P{c}" for c in texts], "C": [f"C{c}" for c in texts[:-1]]}
    return [name for kind in kinds for name in of_kind[kind]]


def _as_dataset(X: object) -> Dataset:
    """Return documents as they are, or as one query."""
    if isinstance(X, Dataset):
        return X
    features, names = as_features(X)
    return Dataset(features, group=[len(features)], feature_names=names)


def _places(data: Dataset, model: Model) -> npt.NDArray[np.intp]:
    places = places_in(
        Columns.of_data("the documents", data), Columns.of_model("the source's model", model)
    )
    if (places < 0).all():
        raise ValueError(
            f"the documents have none of the features of the source's model, such as "
            f"{model._feature_labels[0]!r}; they have {data.feature_labels[0]!r} and so on"
        )
    return places
