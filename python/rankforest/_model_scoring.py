"""Scores of all documents by all trees: the part of a model that ranks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._columns import as_in_training, check_columns, own_columns
from rankforest._features import Matrix, as_features
from rankforest._lazy import lazy
from rankforest._model_facts import Facts
from rankforest._narrow_scoring import NarrowScorer, is_narrow_text
from rankforest._parameters import thread_count
from rankforest._queries import query_codes
from rankforest.data import Dataset

#: Documents that take less time on one thread than it takes to count and wake the others.
FEW = 256

_BRINGS_QID = "a Dataset brings its own qid; leave it out"


class Scoring(Facts):
    """The part of a `Model` that scores documents."""

    def predict(
        self, X: object, qid: npt.ArrayLike | None = None, *, n_jobs: int | None = None
    ) -> npt.NDArray[np.float64]:
        """Score documents.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            The columns of the training data, in the same order. Where the model has
            `feature_names`, those of a data frame are found by name, in any order, and others are
            ignored; the names of a Dataset must be equal. Data read from LETOR text may have fewer
            columns. NaN and infinities are allowed. The number `missing`, if there is one, counts
            as missing.
        qid : array_like of shape (n_documents,), optional
            The query of each document. Only models whose scores depend on whole queries need it:
            those that combine members or normalise features within queries, and those with `exits`.
            A Dataset brings its own.
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
        return self._scores(X, qid, n_jobs)

    def _scores(
        self,
        X: object,
        qid: npt.ArrayLike | None,
        n_jobs: int | None,
        *,
        selects: bool = True,
    ) -> npt.NDArray[np.float64]:
        """Score documents; `selects` as for `_inputs`."""
        n_threads = 1 if n_jobs is None else thread_count(n_jobs)
        # What is as it should be needs no closer look, which takes as long as scoring a document.
        is_plain = n_threads == 1 and self.missing is None and not isinstance(X, Dataset)
        scores = self._scorer.predict_few(X, FEW) if is_plain else None
        if scores is not None:
            return scores
        scorer, features, codes = self._to_score(X, qid, selects=selects)
        if n_jobs is None and len(features) > FEW:
            n_threads = thread_count(None)
        return scorer.predict(features, codes, n_threads)

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
        return self._staged(X, qid, n_jobs)

    def _staged(
        self,
        X: object,
        qid: npt.ArrayLike | None,
        n_jobs: int | None,
        *,
        selects: bool = True,
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Score documents with the first rounds; `selects` as for `_inputs`."""
        features, codes = self._inputs(X, qid, selects=selects)
        n_threads = thread_count(n_jobs)
        if self._ensemble.exits is None:
            return iter(self._ensemble.staged(features, codes, n_threads))
        return (
            _core.CompiledScorer(self._ensemble.prefix(k)).predict(features, codes, n_threads)
            for k in range(1, self.n_rounds + 1)
        )

    @lazy
    def _scorer(self) -> _core.CompiledScorer:
        """The trees in the form that is fast to score with, made when it is first needed."""
        return _core.CompiledScorer(self._ensemble)

    @lazy
    def _narrow(self) -> NarrowScorer:
        """The same for the features alone that the model asks for."""
        return NarrowScorer(self._ensemble)

    def _to_score(
        self,
        X: object,
        qid: npt.ArrayLike | None,
        *,
        needs_queries: bool = False,
        selects: bool = True,
    ) -> tuple[_core.CompiledScorer, Matrix, npt.NDArray[np.uint32] | None]:
        """Return what scores and what it takes; the arguments are those of `_inputs`."""
        if not is_narrow_text(X, self):
            inputs = self._inputs(X, qid, needs_queries=needs_queries, selects=selects)
            return self._scorer, *inputs
        if qid is not None:
            raise ValueError(_BRINGS_QID)
        features = self._narrow.features_of(X, self.missing)
        takes_queries = needs_queries or self._ensemble.needs_queries
        codes = np.ascontiguousarray(X.query_codes) if takes_queries else None
        return self._narrow.scorer, features, codes

    def _inputs(
        self,
        X: object,
        qid: npt.ArrayLike | None,
        *,
        needs_queries: bool = False,
        selects: bool = True,
    ) -> tuple[Matrix, npt.NDArray[np.uint32] | None]:
        """Return features and, where they are needed, codes of queries.

        `selects` says whether the columns of a data frame are found by name among others, or must
        be those of the training data, as scikit-learn asks of estimators.

        Where it is only this call that `needs_queries`, not the model, and there is no qid, all
        documents are of one query, and codes are None.
        """
        if isinstance(X, Dataset) and qid is not None:
            raise ValueError(_BRINGS_QID)
        features = self._rows(X, selects=selects)
        if not needs_queries and not self._ensemble.needs_queries:
            return features, None
        if (
            needs_queries
            and self._ensemble.scores_in_part
            and not isinstance(X, Dataset)
            and qid is None
        ):
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

    def _rows(self, X: object, *, selects: bool = True) -> Matrix:
        """Return features as the trees see them; `selects` as for `_inputs`."""
        if isinstance(X, Dataset):
            widened = X._widened(
                self.n_features, self.missing, self.query_features, self.feature_names
            )
            features, given = widened.X, widened.feature_names
        else:
            if selects:
                X = own_columns(X, self.algorithm, self.feature_names)
            features, names = as_features(X, missing=self.missing)
            given = None if names is None else tuple(names)
        if given is not None:
            given = as_in_training(self.algorithm, given, self.feature_names)
        check_columns("Model", features.shape[1], given, self.n_features, self.feature_names)
        return features
