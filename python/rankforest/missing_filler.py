"""Missing values, predicted by the other features: a transformer of scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.random import RandomState
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rankforest import _core
from rankforest._data.columns import check_columns
from rankforest._data.features import as_features
from rankforest._data.predicted_values import Matrix, Step, Trainer, passes, replayed
from rankforest._settings.fills import is_fill
from rankforest._settings.parameters import (
    NON_NEGATIVE,
    RULES,
    Problems,
    choice,
    integer,
    seed_of,
    thread_count,
)
from rankforest._settings.trainer_settings import trainer_settings
from rankforest.data import Dataset
from rankforest.estimators.extra_trees import ExtraTrees
from rankforest.estimators.forest import RandomForest

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["MissingFiller"]

_RULES = {
    "start": choice("complete", "all"),
    "max_iter": integer(1),
    "tol": NON_NEGATIVE,
    "random_state": RULES["random_state"],
    "n_jobs": RULES["n_jobs"],
}
#: Few, small trees on histograms: on MQ2008 they predict as well as thirty full ones, in an eighth
#: of their time.
_DEFAULT: dict[str, Any] = {
    "n_estimators": 10,
    "max_features": 0.3,
    "max_leaf_nodes": 64,
    "min_samples_leaf": 5,
    "tree_method": "hist",
}
#: What the forest must be like: values are no grades, and documents are in no queries here.
_OF_FOREST = {
    "criterion": "squared_error",
    "relevance": "grade",
    "tree_weights": "equal",
    "subsample_unit": "document",
}


class MissingFiller(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # no types there
    """Fills in missing values (NaN) that forests predict by the other features.

    A forest learns each feature from the documents that have it, and predicts it for the others,
    one feature after the other. Then all are predicted anew, with the predictions so far in place
    of what is missing, until they hardly change [1]_. New documents pass the same forests. Simpler
    fills need no transformer: see the parameter `missing` of the rankers, which models remember.

    In [1]_ this ranked worse than 0 in place of missing values, and takes longer: measure it.

    Models, scorers and headers of C and C++ know nothing of these forests, which are no part of a
    ranking model: they take the documents as `transform` returned them, and treat what is missing
    there as the ranker's own `missing` says. So keep the transformer with the ranker: in a pipeline,
    which pickle and joblib save whole, as in the example; or pickle it beside the model's file, and
    fill documents in before they are scored elsewhere. A ranker with another `missing` ("learn",
    "mean", ...) has all that its scorers need in its file.

    Parameters
    ----------
    forest : RandomForest, ExtraTrees or None, default=None
        What predicts a feature; None is ``RandomForest(n_estimators=10, max_features=0.3,
        max_leaf_nodes=64, min_samples_leaf=5, tree_method="hist")``. Each feature needs a forest in
        each pass, so large forests take long. Of the parameters count those that say how trees
        grow; `random_state` and `n_jobs` are those below.
    start : {"complete", "all"}, default="complete"
        What the first pass predicts by: the features that every document has, or has by now, of
        a prediction ("complete", as in [1]_); or all of them, as far as they are known ("all").
        A feature that nothing is there to predict by gets its mean.
    max_iter : int, default=5
        Most passes over the features, >= 1.
    tol : float, default=0.05
        The passes end once they change no feature by more than this, on average, as a share of the
        range of its known values; >= 0. Forests that see other features draw other documents, so
        changes of some percent are left: fewer, the more trees there are.
    random_state : int, RandomState or None, default=0
        Equal seeds give equal values, bit for bit, whatever the order of the documents. None draws
        a seed.
    n_jobs : int or None, default=None
        Threads; None for every core that the process may use, -1 likewise, -2 for all but one.
        Never changes a result.

    Attributes
    ----------
    n_iter_ : int
        Passes that were made.
    changes_ : ndarray of float64, shape (n_iter_,)
        How much each pass changed what it changed most, in units of `tol`; infinite for the first.
    mean_ : ndarray of float32, shape (n_features_in_,)
        The mean of the known values of each feature; 0 where there are none. It is what a feature
        gets that new documents lack, but no document of the training data did, or every one.
    random_state_ : int
        The seed that was used.
    n_features_in_ : int
        Columns of the training data.
    feature_names_in_ : ndarray of str, shape (n_features_in_,)
        Only where the training data names its columns.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", Washington University in St. Louis, 2010,
       section 2.2, algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=30, missing_fraction=0.2, random_state=0)
    >>> filler = rf.MissingFiller(rf.RandomForest(n_estimators=5), max_iter=2)
    >>> filled = filler.fit_transform(data)  # a Dataset, too
    >>> bool(np.isnan(filled.X).any())
    False
    >>> ranker = make_pipeline(filler, rf.LambdaMART(n_estimators=10))
    >>> scores = ranker.fit(data).predict(data)
    >>> import pickle  # or joblib, also to a file
    >>> bool((pickle.loads(pickle.dumps(ranker)).predict(data) == scores).all())
    True

    With arrays, queries are named for the ranker:

    >>> again = ranker.fit(data.X, data.y, lambdamart__qid=data.qid).predict(data.X)
    >>> bool((again == scores).all())
    True
    """

    def __init__(
        self,
        forest: RandomForest | ExtraTrees | None = None,
        *,
        start: str = "complete",
        max_iter: int = 5,
        tol: float = 0.05,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.forest = forest
        self.start = start
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: object, y: object = None) -> Self:
        """Learn how to predict missing values.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            Features; NaN is a missing value.
        y : ignored
            As scikit-learn's pipelines pass it.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If parameters are unusable, all of which are named at once, or there is no document.
        """
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: object, y: object = None, **_: object) -> Any:
        """Learn how to predict missing values, and fill them in: `fit`, then `transform`.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        Dataset or ndarray of float32, shape (n_documents, n_features)
            As of `transform`.
        """
        plain, trainer = self._checked()
        self._number = X.missing if isinstance(X, Dataset) else None
        features, names = _features_of(X)
        if features.size == 0:
            what = "sample" if len(features) == 0 else "feature"  # in the words of scikit-learn
            raise ValueError(
                f"X has 0 {what}(s) (shape={features.shape}) while a minimum of 1 is required."
            )
        self._take_columns(features, names)
        self.random_state_ = trainer.seed
        self.mean_ = _core.fill_values(features, "mean", trainer.n_threads)
        has_values: npt.NDArray[np.bool_] = np.asarray(~np.isnan(features).all(axis=0))
        filled, is_known = self._prepared(features, has_values)
        self._steps: list[Step] = []
        changes = []
        starts_complete = plain["start"] == "complete"
        for steps, change in passes(trainer, filled, is_known, starts_complete=starts_complete):
            self._steps += steps
            changes.append(change)
            if change <= plain["tol"] or len(changes) == plain["max_iter"] or not steps:
                break
        self.n_iter_ = len(changes)
        self.changes_ = np.array(changes)
        return X._with(X=filled, missing=None) if isinstance(X, Dataset) else filled

    def transform(self, X: object) -> Any:
        """Fill in the missing values of documents. Each is filled by what it has itself.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            The columns of the training data. If that was a Dataset in which a number meant missing,
            it does here, too.

        Returns
        -------
        Dataset or ndarray of float32, shape (n_documents, n_features)
            A Dataset for a Dataset, with the same documents. The training data becomes what
            `fit_transform` returned.

        Raises
        ------
        ValueError
            If the features do not match those of the training data.
        sklearn.exceptions.NotFittedError
            Before `fit`.
        """
        check_is_fitted(self)
        if isinstance(X, Dataset):
            X = X._widened(self.n_features_in_, self._number)
        features, names = _features_of(X, self._number)
        expected = getattr(self, "feature_names_in_", None)
        known = None if expected is None else tuple(expected)
        check_columns(type(self).__name__, features.shape[1], names, self.n_features_in_, known)
        predicted = np.zeros(self.n_features_in_, dtype=bool)
        predicted[[step.feature for step in self._steps]] = True
        filled, is_known = self._prepared(features, predicted)
        replayed(self._steps, filled, is_known, thread_count(self.n_jobs))
        return X._with(X=filled, missing=None) if isinstance(X, Dataset) else filled

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Return the names of the columns, which are those of the training data.

        Parameters
        ----------
        input_features : array_like of str, optional
            Names for data that had none, else the names that it had.

        Returns
        -------
        ndarray of str, shape (n_features_in_,)
            Without any names "x0", "x1", ...

        Raises
        ------
        ValueError
            If other names are given than the training data had, or not as many.
        """
        check_is_fitted(self)
        expected = getattr(self, "feature_names_in_", None)
        if input_features is None:
            numbered = [f"x{j}" for j in range(self.n_features_in_)]
            return np.asarray(numbered if expected is None else expected, dtype=object)
        given = np.asarray(input_features, dtype=object)
        if expected is not None and not np.array_equal(expected, given):
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(given) != self.n_features_in_:
            raise ValueError(
                "input_features should have length equal to number of features "
                f"({self.n_features_in_}), got {len(given)}"
            )
        return given

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what the transformer takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _checked(self) -> tuple[dict[str, Any], Trainer]:
        """Return the parameters in plain form, or raise one error that lists what is wrong."""
        problems = Problems(type(self).__name__)
        plain = {}
        for name, rule in _RULES.items():
            with problems.collected():
                plain[name] = rule.check(name, getattr(self, name))
        forest = self.forest
        if forest is None:
            forest = RandomForest(**_DEFAULT)
        settings = _settings_of(forest, problems)
        problems.raise_if_any()
        seed, n_threads = seed_of(plain["random_state"]), thread_count(plain["n_jobs"])
        return plain, Trainer(forest._algorithm, settings, seed, n_threads)

    def _take_columns(self, features: Matrix, names: tuple[str, ...] | None) -> None:
        self.n_features_in_ = features.shape[1]
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.asarray(names, dtype=object)

    def _prepared(
        self, features: Matrix, is_predicted: npt.NDArray[np.bool_]
    ) -> tuple[Matrix, npt.NDArray[np.bool_]]:
        """Return a copy with the mean of what is not predicted, and what needs no prediction."""
        is_missing = np.isnan(features)
        filled = np.where(is_missing & ~is_predicted, self.mean_, features)
        return filled, ~is_missing | ~is_predicted


def _features_of(X: object, missing: float | None = None) -> tuple[Matrix, tuple[str, ...] | None]:
    if isinstance(X, Dataset):
        X._refuse_levels("MissingFiller predicts numbers; leave them out")
        return X.X, X.feature_names
    features, names = as_features(X, missing=missing)
    return features, None if names is None else tuple(names)


def _settings_of(forest: object, problems: Problems) -> dict[str, Any]:
    """Return how a forest grows its trees, if it can predict values."""
    if not isinstance(forest, (RandomForest, ExtraTrees)):
        problems.add(f"forest must be a RandomForest, ExtraTrees or None, got {forest!r}")
        return {}
    settings = forest._settings(problems, "forest.")
    for name, needed in _OF_FOREST.items():
        if settings.get(name, needed) != needed:
            problems.add(f'forest.{name} must be "{needed}" here, got "{settings[name]}"')
    missing = settings.get("missing", "learn")
    if is_fill(missing):
        problems.add(f'forest.missing must be "learn" or "third" here, got {missing!r}')
    if settings.get("feature_costs") is not None or settings.get("cost_weight", 0.0) > 0.0:
        problems.add(
            "forest.feature_costs and forest.cost_weight must be None and 0 here: values are "
            "predicted by all other features, whatever these cost"
        )
    return trainer_settings(settings)
