"""A trained model, apart from the estimator that made it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan, nan
from numbers import Integral
from os import PathLike
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._columns import as_in_training, check_columns
from rankforest._features import Matrix, as_features
from rankforest._lazy import lazy
from rankforest._model_notes import Notes
from rankforest._parameters import thread_count
from rankforest._queries import query_codes
from rankforest._refit import Refitting
from rankforest.data import Dataset
from rankforest.limits import EarlyExit, LazyScores, LimitedScores, TopDocuments, make_limits
from rankforest.model_file import read_model, write_model, write_model_cpp, write_model_json
from rankforest.model_json import canonical_json

#: Documents that take less time on one thread than it takes to count and wake the others.
_FEW = 256


class Model(Notes, Refitting):
    """A trained ensemble of trees: what `load` returns and an estimator's `model_` is.

    A model never changes. Two models are equal if their files are equal, byte for byte. A pickle
    holds the bytes of the file.

    Attributes
    ----------
    algorithm : str
        What trained it, such as "lambdamart".
    parameters : dict
        The parameters of its training, without those that never change a model, such as `n_jobs`.
    data_summary : dict
        The size of the training data.
    n_features : int
        Number of columns of the training data.
    feature_names : tuple of str or None
        Names of these columns; None if they had none.
    n_rounds : int
        Rounds of boosting, or trees of a forest: the largest k of ``model[:k]``.
    n_trees : int
        Number of trees.
    metadata : dict of str to str
        Texts of the user's own: see `with_metadata`.
    profile : DataProfile or None
        What the features of the training data were like, for `rankforest.drift`.
    zero_based : bool
        Whether the model was trained on LETOR text that numbers features from 0.
    absent : float
        The value of features that LETOR text leaves out: 0 or NaN.
    missing : float or None
        The number that meant missing in the training data, and does in what is scored.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=10).fit(data).model_
    >>> model
    Model(mart, 10 rounds, 10 trees, 20 features)
    >>> model.parameters["max_depth"]
    3
    >>> model[:3].n_rounds
    3
    """

    #: What `evaluate` and its kin call `predict` with.
    _takes_datasets: ClassVar[bool] = True

    def __init__(self, ensemble: _core.Ensemble, info: _core.ModelInfo) -> None:
        self._ensemble = ensemble
        self._info = info

    @classmethod
    def _trained(
        cls,
        ensemble: _core.Ensemble,
        algorithm: str,
        parameters: Mapping[str, object],
        data: Dataset,
        feature_names: Sequence[str] | None,
        *,
        metadata: Mapping[str, str] | None = None,
        n_jobs: int,
    ) -> Model:
        """Make a model of trees and of how they were trained."""
        return cls(
            ensemble,
            _core.ModelInfo(
                feature_names=list(feature_names or ()),
                absent_is_nan=data._text is not None and isnan(data._text.absent),
                index_base=0 if data._text is not None and data._text.zero_based else 1,
                algorithm=algorithm,
                parameters_json=canonical_json(parameters),
                summary_json=canonical_json(_summary(data)),
                metadata=dict(metadata or {}),
                profile=_core.DataProfile.of(data._core, n_jobs),
            ),
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """Read a model from the bytes of its file.

        Parameters
        ----------
        data : bytes
            What `to_bytes` returns, or LightGBM's text, ``booster.model_to_string().encode()``;
            `load` says which of LightGBM's models can be read.

        Returns
        -------
        Model

        Raises
        ------
        ValueError
            If they are damaged or not a model file.
        """
        return cls(*_core.Ensemble.from_bytes(data, thread_count(None)))

    def to_bytes(self) -> bytes:
        """Return the bytes of the model's file.

        They depend on the training data, the parameters and the seed alone.

        Returns
        -------
        bytes
        """
        return self._ensemble.to_bytes(self._info)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to a file; `load` reads it.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        write_model(path, self._ensemble, self._info)

    def save_json(self, path: str | PathLike[str]) -> None:
        """Write the model as JSON, for people and other programs; `load` reads it, too.

        The form is documented in `rankforest.model_json`. It holds exactly the same model as the
        file that `save` writes, but is several times as large and slower to load.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        write_model_json(path, self._ensemble, self._info)

    def save_cpp(self, path: str | PathLike[str], *, namespace: str = "ranker") -> None:
        """Write the model as a C++ header that needs C++17 and nothing else.

        Its ``Score(features)`` walks through the trees and returns exactly what `predict` returns
        for one document. A missing value must be NaN there: the header does not know the number
        `missing`. Its ``SelfTest()`` checks the scores, on documents stored in the header. To score
        many documents fast, use `CompiledScorer` of the C++ library instead.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete.
        namespace : str, default="ranker"
            What the header puts its names in, such as ``"my_model"`` or ``"a::b"``.

        Raises
        ------
        ValueError
            If `namespace` is not a C++ namespace, or the model's scores depend on whole queries.
        OSError
            If the file cannot be written.
        """
        write_model_cpp(path, self._ensemble, self._info, namespace)

    @property
    def algorithm(self) -> str:
        """What trained the model."""
        return self._info.algorithm

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of its training."""
        return _parse(self._info.parameters_json, "parameters")

    @property
    def data_summary(self) -> dict[str, Any]:
        """The size of the training data."""
        return _parse(self._info.summary_json, "data summary")

    @property
    def n_features(self) -> int:
        """Number of columns of the training data."""
        return self._ensemble.n_features

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the columns, or None."""
        return tuple(self._info.feature_names) or None

    @property
    def zero_based(self) -> bool:
        """How to read LETOR text for this model: `zero_based` of `read_letor`."""
        return self._info.index_base == 0

    @property
    def absent(self) -> float:
        """How to read LETOR text for this model: `absent` of `read_letor`."""
        return nan if self._info.absent_is_nan else 0.0

    @lazy
    def missing(self) -> float | None:
        """The number that means missing: `missing` of the training data's `Dataset`.

        All methods of a model that score take it as missing, also in arrays and frames; a Dataset
        that was itself made with a number of its own keeps that one. The scorers of the C++ and C
        libraries and the header of `save_cpp` do not know it: they need NaN in its place.
        """
        missing = self.data_summary.get("missing")
        return float(missing) if isinstance(missing, (int, float)) else None

    @property
    def n_rounds(self) -> int:
        """Rounds of boosting, or trees of a forest."""
        return self._ensemble.n_rounds

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return self._ensemble.n_trees

    def predict(
        self, X: object, qid: npt.ArrayLike | None = None, *, n_jobs: int | None = None
    ) -> npt.NDArray[np.float64]:
        """Score documents.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            The columns of the training data, in the same order; where both have names, these must
            be equal. Data read from LETOR text may have fewer columns. NaN and infinities are
            allowed. The number `missing`, if there is one, counts as missing.
        qid : array_like of shape (n_documents,), optional
            The query of each document. Only models whose scores depend on whole queries need it. A
            Dataset brings its own.
        n_jobs : int, optional
            Number of threads; -1 for every core that the process may use, -2 for one fewer. None:
            one thread for up to 256 documents, every core for more.

        Returns
        -------
        ndarray of float64, shape (n_documents,)
            Scores in the order of the rows; higher ranks first.

        Raises
        ------
        ValueError
            If the features do not match those of the training data.
        """
        n_threads = 1 if n_jobs is None else thread_count(n_jobs)
        # What is as it should be needs no closer look, which takes as long as scoring a document.
        is_plain = n_threads == 1 and self.missing is None
        scores = self._scorer.predict_few(X, _FEW) if is_plain else None
        if scores is not None:
            return scores
        features, codes = self._inputs(X, qid)
        if n_jobs is None and len(features) > _FEW:
            n_threads = thread_count(None)
        return self._scorer.predict(features, codes, n_threads)

    def predict_within(
        self,
        X: object,
        qid: npt.ArrayLike | None = None,
        *,
        early_exit: EarlyExit | None = None,
        budget: float | None = None,
        tree_cost: float = 1.0,
        feature_costs: npt.ArrayLike | None = None,
        should_stop: Callable[[], object] | None = None,
        n_jobs: int | None = None,
    ) -> LimitedScores:
        """Score documents, but stop before the last tree where a limit is reached.

        A document costs `tree_cost` for each tree that is evaluated for it, plus the cost of each
        feature that these trees look at, once. Without limits, the scores are those of `predict`.

        Parameters
        ----------
        X
            As for `predict`.
        qid : array_like of shape (n_documents,), optional
            The query of each document; None: all are of one query. A Dataset brings its own.
        early_exit : EarlyExit, optional
            When the documents with the lowest scores stop being scored.
        budget : float, optional
            The most that the documents of each query may cost together, >= 0. A round that would
            cost more is not started, and the documents keep the scores they have.
        tree_cost : float, default=1
            Cost of evaluating one tree for one document, finite, >= 0.
        feature_costs : array_like of shape (n_features,), optional
            Cost of computing each feature for one document, finite, >= 0. None: features are free.
        should_stop : callable, optional
            Called without arguments, at least once in 16 rounds. Scoring ends once it returns
            something true, and all documents keep the scores they have. It may read a clock, so two
            runs may end after different rounds. Scoring then uses one thread.
        n_jobs : int, optional
            As for `predict`. Threads share the queries among them, so an early exit with scope
            "set" uses one thread.

        Returns
        -------
        LimitedScores
            (scores, rounds, n_evaluations, cost).

        Raises
        ------
        ValueError
            If the features do not match those of the training data, if a limit is out of its range,
            or if the model's scores depend on whole queries: they exist only after the last tree.
        """
        limits = make_limits(early_exit, budget, tree_cost, feature_costs, should_stop)
        features, codes = self._inputs(X, qid, needs_queries=True)
        one_thread = should_stop is not None or (n_jobs is None and len(features) <= _FEW)
        return LimitedScores(
            *self._scorer.predict_within(
                features, codes, 1 if one_thread else thread_count(n_jobs), limits
            )
        )

    def predict_lazily(
        self,
        n_documents: int,
        provider: Callable[[int, npt.NDArray[np.int64]], npt.ArrayLike],
        *,
        early_exit: EarlyExit | None = None,
        budget: float | None = None,
        tree_cost: float = 1.0,
        feature_costs: npt.ArrayLike | None = None,
        should_stop: Callable[[], object] | None = None,
    ) -> LazyScores:
        """Score the documents of one query, computing features only when a tree needs them.

        Trees are evaluated one after the other. A document that reaches a split on an unknown
        feature waits there. Of the features that documents wait for, the cheapest is requested
        first, for all documents that wait for it. Scores are those of `predict` on the same values.

        Parameters
        ----------
        n_documents : int
            Number of documents.
        provider : callable
            ``provider(feature, documents)`` returns the value of the feature for each of these
            documents, which are given by number, in ascending order. No value is requested twice.
            NaN is a missing value.
        early_exit, tree_cost, feature_costs, should_stop
            As for `predict_within`; `should_stop` is called before every round.
        budget : float, optional
            The most that the query may cost: the trees of finished rounds and the values requested.
            Scoring ends before the first tree or request that would exceed it, and the documents
            keep the scores of the last finished round.

        Returns
        -------
        LazyScores
            (scores, rounds, n_evaluations, cost, n_requests, n_fetched).

        Raises
        ------
        ValueError
            As for `predict_within`, or if the provider does not return one number per document.
        """
        limits = make_limits(early_exit, budget, tree_cost, feature_costs, should_stop)
        if not isinstance(n_documents, Integral) or n_documents < 0:
            raise ValueError(f"n_documents must be an integer >= 0, got {n_documents!r}")

        def ask(feature: int, documents: npt.NDArray[np.uint64]) -> npt.NDArray[np.float32]:
            values = np.asarray(provider(feature, documents.astype(np.int64)), dtype=np.float32)
            if values.shape != documents.shape:
                raise ValueError(
                    f"the provider must return {len(documents)} values of feature {feature}; it "
                    f"returned an array of shape {values.shape}"
                )
            if self.missing is not None:
                values, _ = as_features(values[None, :], missing=self.missing)
                values = values[0]
            return np.ascontiguousarray(values)

        *others, n_fetched = self._scorer.predict_lazily(int(n_documents), ask, limits)
        return LazyScores(*others, n_fetched.astype(np.int64))

    def top_k(
        self,
        X: object,
        k: int,
        qid: npt.ArrayLike | None = None,
        *,
        n_jobs: int | None = None,
    ) -> TopDocuments:
        """Find the best documents of each query.

        The result is exact: the same rows and scores as sorting the scores of `predict`, where
        documents of equal scores keep the order of their rows. It takes less time, because a
        document is dropped as soon as the remaining trees cannot lift it among the best.

        Parameters
        ----------
        X
            As for `predict`.
        k : int
            How many documents of each query, >= 1. A query with fewer gives all it has.
        qid : array_like of shape (n_documents,), optional
            The query of each document; None: all are of one query. A Dataset brings its own.
        n_jobs : int, optional
            As for `predict`.

        Returns
        -------
        TopDocuments
            (rows, scores, offsets, n_evaluations).

        Raises
        ------
        ValueError
            If the features do not match those of the training data, if k is less than 1, or if the
            model's scores depend on whole queries.

        Examples
        --------
        >>> import rankforest as rf
        >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
        >>> model = rf.MART(n_estimators=10).fit(data).model_
        >>> best = model.top_k(data, 3)
        >>> len(best.rows)
        120
        >>> bool((best.scores == model.predict(data)[best.rows]).all())
        True
        """
        if not isinstance(k, Integral) or k < 1:
            raise ValueError(f"k must be an integer >= 1, got {k!r}")
        features, codes = self._inputs(X, qid, needs_queries=True)
        few = n_jobs is None and len(features) <= _FEW
        rows, scores, offsets, n_evaluations = self._scorer.top(
            features, int(k), codes, 1 if few else thread_count(n_jobs)
        )
        return TopDocuments(rows.astype(np.int64), scores, offsets.astype(np.int64), n_evaluations)

    @lazy
    def _scorer(self) -> _core.CompiledScorer:
        """The trees in the form that is fast to score with, made when it is first needed."""
        return _core.CompiledScorer(self._ensemble)

    def staged_predict(
        self, X: object, qid: npt.ArrayLike | None = None, *, n_jobs: int | None = None
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Score documents with the first 1, 2, ... rounds.

        Parameters
        ----------
        X, qid, n_jobs
            As for `predict`.

        Yields
        ------
        ndarray of float64, shape (n_documents,)
            The scores of ``model[:1]``, ``model[:2]``, ...
        """
        features, codes = self._inputs(X, qid)
        return iter(self._ensemble.staged(features, codes, thread_count(n_jobs)))

    def feature_importances(self, kind: str = "gain") -> npt.NDArray[np.float64]:
        """Measure what each feature contributes to the trees.

        Parameters
        ----------
        kind : {"gain", "split"}, default="gain"
            "gain": the sum of the gains of the feature's splits; "split": their number.

        Returns
        -------
        ndarray of float64, shape (n_features,)
        """
        if kind not in {"gain", "split"}:
            raise ValueError(f'kind must be "gain" or "split", got {kind!r}')
        return self._ensemble.importances(kind)

    def __getitem__(self, rounds: slice) -> Model:
        """Return the model of the first rounds: ``model[:k]``."""
        if not isinstance(rounds, slice):
            raise TypeError(
                f"a model can only be cut to its first k rounds, model[:k]; got model[{rounds!r}]"
            )
        first, end, step = rounds.indices(self.n_rounds)
        if first != 0 or step != 1:
            raise ValueError(
                f"a model can only be cut to its first k rounds, model[:k]; got {rounds}"
            )
        return Model(self._ensemble.prefix(end), self._info)

    #: Without this, iterating would go through __getitem__ and fail obscurely.
    __iter__ = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        name = self.algorithm or "unknown"
        return (
            f"Model({name}, {self.n_rounds} rounds, {self.n_trees} trees, "
            f"{self.n_features} features)"
        )

    def _inputs(
        self, X: object, qid: npt.ArrayLike | None, *, needs_queries: bool = False
    ) -> tuple[Matrix, npt.NDArray[np.uint32] | None]:
        """Return features and, where they are needed, codes of queries.

        Where it is only this call that `needs_queries`, not the model, and there is no qid, all
        documents are of one query, and codes are None.
        """
        if isinstance(X, Dataset):
            if qid is not None:
                raise ValueError("a Dataset brings its own qid; leave it out")
            widened = X._widened(self.n_features, self.missing)
            features, given = widened.X, widened.feature_names
        else:
            features, names = as_features(X, missing=self.missing)
            given = None if names is None else tuple(names)
        if given is not None:
            given = as_in_training(self.algorithm, given, self.feature_names)
        check_columns("Model", features.shape[1], given, self.n_features, self.feature_names)
        is_sum = self._ensemble.combine == "sum"
        if is_sum and not (needs_queries and (isinstance(X, Dataset) or qid is not None)):
            return features, None
        if isinstance(X, Dataset):
            return features, np.ascontiguousarray(X.query_codes)
        if qid is None:
            raise ValueError("the scores of this model depend on the whole query: it needs qid")
        codes, _ = query_codes(qid)
        if len(codes) != len(features):
            raise ValueError(
                f"qid must name the query of each of the {len(features)} rows of X; it has "
                f"{len(codes)}"
            )
        return features, codes


def load(path: str | PathLike[str]) -> Model:
    """Read a model from a file of `save`, `save_json` or LightGBM.

    Parameters
    ----------
    path : str or path-like
        A model file (.rf), its JSON form, or LightGBM's text (``save_model``, versions v2 to v4).
        The content tells which; the name does not matter.

    Returns
    -------
    Model
        It scores like the estimator that trained it, which `Model.algorithm` and
        `Model.parameters` describe. It cannot be fitted.

    Raises
    ------
    ValueError
        If the file is damaged or none of these. Also for LightGBM's models with categorical
        splits, linear trees or several classes; the message then names the line.
    OSError
        If it cannot be read.

    Notes
    -----
    A model of LightGBM gives the scores of ``predict(raw_score=True)``, which for ranking are the
    usual ones; a random forest gives their mean. Leaf values are rounded to float32. A score
    therefore differs from LightGBM's by at most 2^-24 times the sum of the absolute leaf values
    that it adds up.

    Every float32 value, infinities included, takes the path that LightGBM's ``predict`` takes for
    dense rows. So do missing values: NaN counts as 0 at nodes of missing type None, and goes to the
    default side at nodes of type NaN. A node of type Zero (``zero_as_missing``) is read if its
    zeros go the same way as the numbers just above or just below 0, and refused otherwise. A
    threshold beyond float32, or infinite, sends everything but NaN to the left. A threshold below
    every finite float32, which sends -infinity alone to the left, is refused.

    LightGBM writes a blank in a feature's name as an underscore. A data frame may have the names
    of either spelling.

    LightGBM numbers features from 0. Where it read LETOR text itself, it kept the numbers of that
    text, so column 0 is unused if the text counts from 1. Read such text with ``zero_based=True``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> estimator = rf.MART(n_estimators=10).fit(data)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "model.rf")
    >>> estimator.save(path)
    >>> model = rf.load(path)
    >>> bool((model.predict(data) == estimator.predict(data)).all())
    True
    """
    return Model(*read_model(path, thread_count(None)))


def _parse(text: str, what: str) -> dict[str, Any]:
    """Return the object that a JSON text holds; a file may hold any text."""
    if not text:
        return {}
    try:
        values = json.loads(text)
    except ValueError as error:
        raise ValueError(f"the model's {what} are not JSON: {error}") from error
    if isinstance(values, dict):
        return values
    raise ValueError(f"the model's {what} must be a JSON object, got {text!r}")


def _summary(data: Dataset) -> dict[str, object]:
    summary = data.summary()
    counts: dict[str, object] = {
        "n_documents": summary.n_documents,
        "n_queries": summary.n_queries,
        "lowest_grade": summary.lowest_grade,
        "highest_grade": summary.highest_grade,
    }
    return counts if data.missing is None else counts | {"missing": data.missing}
