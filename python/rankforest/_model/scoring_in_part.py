"""Scores that do without some trees, features or documents: limits, lazy features, the best k."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral

import numpy as np
import numpy.typing as npt

from rankforest._data.features import as_features
from rankforest._model.scoring import FEW, Scoring
from rankforest._settings.parameters import thread_count
from rankforest.exits import EarlyExit, ExitSchedule
from rankforest.feature_costs import FeatureCosts
from rankforest.limits import LazyScores, LimitedScores, TopDocuments, make_limits

#: What says what features cost.
Costs = FeatureCosts | Mapping[str | int, float] | npt.ArrayLike | None


class ScoringInPart(Scoring):
    """The part of a `Model` that scores with less work than all trees for all documents take."""

    def predict_within(
        self,
        X: object,
        qid: npt.ArrayLike | None = None,
        *,
        early_exit: EarlyExit | ExitSchedule | None = None,
        budget: float | None = None,
        tree_cost: float | None = None,
        feature_costs: Costs = None,
        should_stop: Callable[[], object] | None = None,
        n_jobs: int | None = None,
    ) -> LimitedScores:
        """Score documents, but stop before the last tree where a limit is reached.

        A document costs `tree_cost` for each tree that is evaluated for it, plus the cost of each
        feature that these trees look at, once. Without limits, the scores are those of `predict`.
        Documents exit as the model says (`exits`), unless `early_exit` says otherwise.

        Parameters
        ----------
        X
            As for `predict`.
        qid : array_like of shape (n_documents,), optional
            The query of each document; None: all are of one query. A Dataset brings its own.
        early_exit : EarlyExit or ExitSchedule, optional
            When the documents with the lowest scores stop being scored; ``ExitSchedule([])`` for
            never. None: as the model says.
        budget : float, optional
            The most that the documents of each query may cost together, >= 0. A round that would
            cost more is not started, and the documents keep the scores they have.
        tree_cost : float, optional
            Cost of evaluating one tree for one document, finite, >= 0. None: that of `feature_costs`
            if these are FeatureCosts, else 1.
        feature_costs : FeatureCosts, mapping or array_like of shape (n_features,), optional
            Cost of computing each feature for one document, finite, >= 0; a mapping names features.
            FeatureCosts may have groups of features that are paid together. None: features are free.
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
        limits = make_limits(
            early_exit,
            budget,
            tree_cost,
            feature_costs,
            should_stop,
            feature_names=() if feature_costs is None else self._feature_labels,
        )
        if feature_costs is None:
            scorer, features, codes = self._to_score(X, qid, needs_queries=True)
        else:  # which are of all features
            scorer = self._scorer
            features, codes = self._inputs(X, qid, needs_queries=True)
        one_thread = should_stop is not None or (n_jobs is None and len(features) <= FEW)
        return LimitedScores(
            *scorer.predict_within(
                features, codes, 1 if one_thread else thread_count(n_jobs), limits
            )
        )

    def predict_lazily(
        self,
        n_documents: int,
        provider: Callable[[int, npt.NDArray[np.int64]], npt.ArrayLike],
        *,
        early_exit: EarlyExit | ExitSchedule | None = None,
        budget: float | None = None,
        tree_cost: float | None = None,
        feature_costs: Costs = None,
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
        limits = make_limits(
            early_exit,
            budget,
            tree_cost,
            feature_costs,
            should_stop,
            feature_names=self._feature_labels,
        )
        if not isinstance(n_documents, Integral) or n_documents < 0:
            raise ValueError(f"n_documents must be an integer >= 0, got {n_documents!r}")

        def ask(feature: int, documents: npt.NDArray[np.uint64]) -> npt.NDArray[np.float32]:
            found = provider(feature, documents.astype(np.int64))
            encoder = self._encoder
            has_levels = encoder is not None and feature in encoder.places
            if encoder is not None and has_levels:
                found = encoder.of_column(feature, found)
            values = np.asarray(found, dtype=np.float32)
            if values.shape != documents.shape:
                raise ValueError(
                    f"the provider must return {len(documents)} values of feature {feature}; it "
                    f"returned an array of shape {values.shape}"
                )
            if self.missing is not None and not has_levels:
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
        document is dropped as soon as the remaining trees cannot lift it among the best; not where
        the model has `exits`.

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
        few = n_jobs is None and len(features) <= FEW
        rows, scores, offsets, n_evaluations = self._scorer.top(
            features, int(k), codes, 1 if few else thread_count(n_jobs)
        )
        return TopDocuments(rows.astype(np.int64), scores, offsets.astype(np.int64), n_evaluations)
