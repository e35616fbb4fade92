"""A trained model, apart from the estimator that made it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import isnan, nan
from numbers import Integral
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._columns import check_columns
from rankforest._features import Matrix, as_features
from rankforest._parameters import thread_count
from rankforest._queries import query_codes
from rankforest.data import Dataset
from rankforest.limits import EarlyExit, LazyScores, LimitedScores, TopDocuments, make_limits
from rankforest.model_file import read_model, write_model, write_model_cpp, write_model_json
from rankforest.model_json import canonical_json

#: Documents that take less time on one thread than it takes to count and wake the others.
_FEW = 256


class Model:
    """A trained ensemble of trees: what `load` returns and an estimator's `model_` is.

    It does not change. Two models are equal if their files are, byte for byte, and a pickle holds
    these bytes.

    Attributes
    ----------
    algorithm : str
        What made it, such as "lambdamart".
    parameters : dict
        The parameters that it was made with, as far as they affect it.
    data_summary : dict
        The size of the training data.
    n_features : int
        Columns of the training data.
    feature_names : tuple of str or None
        Their names, where the training data had them.
    n_rounds : int
        Rounds of boosting, trees of a forest; the longest prefix.
    n_trees : int
        Number of trees.
    zero_based : bool
        Whether the training data was LETOR text that counts features from 0.
    absent : float
        What features that such text does not mention are: 0 or NaN.
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
    ) -> Model:
        """Put what a trainer made together with how it was made."""
        return cls(
            ensemble,
            _core.ModelInfo(
                feature_names=list(feature_names or ()),
                absent_is_nan=data._text is not None and isnan(data._text.absent),
                index_base=0 if data._text is not None and data._text.zero_based else 1,
                algorithm=algorithm,
                parameters_json=canonical_json(parameters),
                summary_json=canonical_json(_summary(data)),
            ),
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """Read a model from the bytes of its file.

        Parameters
        ----------
        data : bytes
            As `to_bytes` returns them; or LightGBM's text, ``booster.model_to_string().encode()``,
            of which `load` says more.

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

        The form is documented in `rankforest.model_json`. It is several times as large as the
        file that `save` writes and slower to load, and holds the same model to the bit.

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

        Its ``Score(features)`` gives the bits of `predict` for one document (with NaN where a value
        is missing: it does not know the number `missing`), by a plain walk
        through the trees; its ``SelfTest()`` says whether it does, on documents that the header
        holds. `CompiledScorer` of the C++ library scores many documents many times as fast.

        Parameters
        ----------
        path : str or path-like
            Replaced if it exists, once the new file is complete.
        namespace : str, default="ranker"
            What the header puts its names in, such as ``"my_model"`` or ``"a::b"``.

        Raises
        ------
        ValueError
            If `namespace` is none of C++, or the model combines its members within queries.
        OSError
            If the file cannot be written.
        """
        write_model_cpp(path, self._ensemble, self._info, namespace)

    @property
    def algorithm(self) -> str:
        """What made the model."""
        return self._info.algorithm

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that it was made with."""
        return _parse(self._info.parameters_json, "parameters")

    @property
    def data_summary(self) -> dict[str, Any]:
        """The size of the training data."""
        return _parse(self._info.summary_json, "data summary")

    @property
    def n_features(self) -> int:
        """Columns of the training data."""
        return self._ensemble.n_features

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of these columns, if they had any."""
        return tuple(self._info.feature_names) or None

    @property
    def zero_based(self) -> bool:
        """Whether LETOR text counts the features from 0: `zero_based` of `read_letor`."""
        return self._info.index_base == 0

    @property
    def absent(self) -> float:
        """What LETOR text leaves out, 0 or NaN: `absent` of `read_letor`."""
        return nan if self._info.absent_is_nan else 0.0

    @cached_property
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
        """Rounds of boosting, trees of a forest."""
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
            Features, as many as in training and, where both name them, of the same names in the
            same order; data read from LETOR text may have fewer. NaN and infinities are allowed;
            the number `missing`, if there is one, is taken as missing.
        qid : array_like of shape (n_documents,), optional
            The query of each document; only a model whose members are combined per query needs
            it. A Dataset brings its own.
        n_jobs : int, optional
            Threads: -1 is every core that the process may use, -2 is one fewer. None is one for up
            to 256 documents, which would not be worth finding the others, and -1 for more.

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
        """Score documents, and end before the last tree where limits say so.

        A document costs `tree_cost` for each tree that is evaluated for it and, for each feature of
        these trees, that feature's cost once. Without limits the scores are those of `predict`,
        and the report is of the whole model.

        Parameters
        ----------
        X
            As for `predict`.
        qid : array_like of shape (n_documents,), optional
            The query of each document; None: all are of one query. A Dataset brings its own.
        early_exit : EarlyExit, optional
            When the lowest documents stop being scored.
        budget : float, optional
            What each query may cost, >= 0: a round that would bring the cost of its documents in
            play above it does not begin, and they keep the scores that they have.
        tree_cost : float, default=1
            Finite, >= 0.
        feature_costs : array_like of shape (n_features,), optional
            Finite, >= 0. None: features cost nothing.
        should_stop : callable, optional
            Called without arguments before every 16th round at the latest; what is true ends
            scoring, and documents keep the scores that they have. It may look at a clock, which
            nothing else here does: no two such runs need end alike. Runs on one thread.
        n_jobs : int, optional
            As for `predict`. Each thread takes some queries; with scope "set", one takes all.

        Returns
        -------
        LimitedScores
            (scores, rounds, n_evaluations, cost).

        Raises
        ------
        ValueError
            If the features do not match those of the training data, a limit is out of its range, or
            the model combines scores within queries: of such a model no document has a score before
            its last tree.
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
        """Score the documents of one query with features that are computed when trees need them.

        Trees are evaluated one after the other. Documents wait where they meet a feature that has
        not been asked for; the cheapest feature that any waits for is asked for first, for all
        documents that wait for it. Scores are those of `predict` on the same values.

        Parameters
        ----------
        n_documents : int
            Number of documents.
        provider : callable
            ``provider(feature, documents)`` returns the values of a feature, as many as there are
            documents: ascending numbers, none asked for twice. NaN is a missing value.
        early_exit, tree_cost, feature_costs, should_stop
            As for `predict_within`; `should_stop` is called before every round.
        budget : float, optional
            What the query may cost: the trees of finished rounds and the values asked for. Scoring
            ends before the tree or the request that cannot be paid, and documents keep the scores
            of the last round that was finished.

        Returns
        -------
        LazyScores
            (scores, rounds, n_evaluations, cost, n_requests, n_fetched).

        Raises
        ------
        ValueError
            As for `predict_within`, or if the provider returns what are not as many numbers.
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

        Rows and scores are those that sorting the scores of `predict` gives, to the bit, the first
        row first where scores are equal. Documents that can no longer be among the best, by the
        largest and smallest values of the trees to come, are not scored to the end.

        Parameters
        ----------
        X
            As for `predict`.
        k : int
            How many of each query, >= 1.
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
            If the features do not match those of the training data, k is less than 1, or the model
            combines scores within queries.

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

    @cached_property
    def _scorer(self) -> _core.CompiledScorer:
        """What scores: made when it is first needed, in a fraction of a second."""
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
            The sum of the gains of a feature's splits, or their number.

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
            raise TypeError(f"a model has prefixes only, model[:k]; got model[{rounds!r}]")
        first, end, step = rounds.indices(self.n_rounds)
        if first != 0 or step != 1:
            raise ValueError(f"a model has prefixes only, model[:k]; got {rounds}")
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
    """Read a model that `save` or `save_json` wrote, or one of LightGBM.

    Parameters
    ----------
    path : str or path-like
        A model file (.rf), its JSON form or LightGBM's text (``save_model``; versions v2 to v4),
        told apart by their content.

    Returns
    -------
    Model
        It scores, stages and slices like the estimator that made it, and says which one that was
        (`Model.algorithm`) and with what `Model.parameters`; it cannot be fitted.

    Raises
    ------
    ValueError
        If the file is damaged or none of these, or a model of LightGBM with categorical splits,
        linear trees or several classes; for text, the message names the line.
    OSError
        If it cannot be read.

    Notes
    -----
    A model of LightGBM gives its raw scores (a forest their mean), which for ranking are its scores.
    Leaf values are rounded to float32, so a score differs by at most 2^-24 times the sum of the
    sizes of the leaf values that it adds up. Every float32 value goes the way that LightGBM's
    ``predict`` sends it in dense rows. Missing values: a node of missing type None takes NaN as 0,
    one of type NaN sends it to its default side, both as in LightGBM; a node of type Zero
    (``zero_as_missing``) is read if its zeros go where the numbers just above or just below them
    go, and refused otherwise. Infinite values of features go where LightGBM sends them, and a
    threshold may be infinity or beyond float32: only NaN can then go right. One below every finite
    float32, with -infinity alone on its left, is refused.

    Features count from 0 there. LETOR text that LightGBM itself read keeps the numbers of that
    text, so that for text that counts from 1 column 0 is unused: read such text with
    ``zero_based=True``.

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
    """Return an object out of JSON; a file may hold anything."""
    if not text:
        return {}
    try:
        values = json.loads(text)
    except ValueError as error:
        raise ValueError(f"the model's {what} are no JSON: {error}") from error
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
