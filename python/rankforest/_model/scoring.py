"""Scores of all documents by all trees: the part of a model that ranks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.columns import as_in_training, check_columns, own_columns
from rankforest._data.features import Matrix, as_features
from rankforest._data.frame_columns import names_in
from rankforest._data.queries import query_codes
from rankforest._model.facts import Facts
from rankforest._model.narrow_scoring import NarrowScorer, is_narrow_text
from rankforest._model.notes import replaced
from rankforest._settings.parameters import thread_count
from rankforest._support.lazy import lazy
from rankforest.categories import Encoder
from rankforest.data import Dataset
from rankforest.model_json import canonical_json

if TYPE_CHECKING:
    from rankforest.model import Model

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
        is_plain = is_plain and not self.categories
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
    def _encoder(self) -> Encoder | None:
        """What puts numbers in place of levels; None where no feature is categorical."""
        return Encoder(self.categories, self.missing) if self.categories else None

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

    def _features_of(self, X: object) -> tuple[Matrix, list[str] | None]:
        """Return features in any form but a data set as the trees see them, and their names."""
        if self._encoder is None:
            return as_features(X, missing=self.missing)
        names = names_in(X)
        if names is not None and all(isinstance(name, str) for name in names):
            check_columns("Model", len(names), names, self.n_features, self.feature_names)
        return self._encoder.of_features(X)

    def encode(self, X: object) -> npt.NDArray[np.float32]:
        """Return features as the trees see them: numbers in place of levels, NaN where missing.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            As for `predict`.

        Returns
        -------
        ndarray of float32, shape (n_documents, n_features)
            What the model of `without_categories` scores as this one scores `X`.

        Raises
        ------
        ValueError
            If the features do not match those of the training data.
        """
        return np.array(self._rows(X), dtype=np.float32, order="C")

    def without_categories(self) -> Model:
        """Return the model of the numbers that `encode` gives, for scorers that know no levels.

        The C++ and C libraries, `save_cpp` and `export` take it; whoever serves it looks levels up
        in `categories`. The model of a training without categorical features stays as it is.

        Returns
        -------
        Model
        """
        from rankforest.model import Model  # noqa: PLC0415  # it is made of this

        if not self.categories:
            return Model(self._ensemble, self._info)
        summary = {k: v for k, v in self.data_summary.items() if k != "missing"}
        parameters = {k: v for k, v in self.parameters.items() if k != "categorical_features"}
        info = replaced(
            self._info,
            categories=[],
            summary_json=canonical_json(summary),
            parameters_json=canonical_json(parameters),
        )
        return Model(self._ensemble, info)

    def _of_numbers(self, data: Dataset) -> tuple[Model, Dataset]:
        """Return a model without categorical features, and data as wide as it, with its numbers."""
        from rankforest.model import Model  # noqa: PLC0415  # it is made of this

        data = data._widened(self.n_features, self.missing, self.query_features, self.feature_names)
        if self._encoder is None:
            data._refuse_levels("the model takes numbers only")
            return Model(self._ensemble, self._info), data
        return self.without_categories(), self._encoder.of_dataset(data)

    def _rows(self, X: object, *, selects: bool = True) -> Matrix:
        """Return features as the trees see them; `selects` as for `_inputs`."""
        if isinstance(X, Dataset):
            widened = X._widened(
                self.n_features, self.missing, self.query_features, self.feature_names
            )
            if self._encoder is not None:
                widened = self._encoder.of_dataset(widened)
            else:
                widened._refuse_levels("the model takes numbers only")
            features, given = widened.X, widened.feature_names
        else:
            if selects:
                X = own_columns(X, self.algorithm, self.feature_names)
            features, names = self._features_of(X)
            given = None if names is None else tuple(names)
        if given is not None:
            given = as_in_training(self.algorithm, given, self.feature_names)
        check_columns("Model", features.shape[1], given, self.n_features, self.feature_names)
        return features
