"""The probabilities of grades: the part of a model that was trained by classification."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._model.narrow_scoring import is_narrow_text
from rankforest._model.notes import replaced
from rankforest._model.scoring import FEW, Scoring
from rankforest._settings.parameters import thread_count
from rankforest._support.lazy import lazy


class Classifying(Scoring):
    """The part of a `Model` that knows how likely each grade is."""

    @property
    def grades(self) -> tuple[float, ...] | None:
        """The grades that an ordinal model tells apart, ascending; None for any other model.

        A blend of models, and one whose trees were pruned, no longer tell grades apart.
        """
        ordinal = self._info.ordinal
        return None if ordinal is None else tuple(ordinal.grades)

    def predict_proba(self, X: object, *, n_jobs: int | None = None) -> npt.NDArray[np.float64]:
        """Give the probability of each grade: of models that were trained with ``ordinal=True``.

        The trees of each problem estimate how likely a document's grade is at most a certain one.
        What they say of a document is corrected to the nearest values, by squared difference, that
        do not descend from one grade to the next and are in [0, 1]; a grade has what they rise by.
        Scores are made of the values before the correction, so the expected grade by these
        probabilities may differ from the score a little.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            As for `predict`.
        n_jobs : int, optional
            As for `predict`.

        Returns
        -------
        ndarray of float64, shape (n_documents, n_grades)
            A column for each of `grades`. Each number is in [0, 1]; those of a document add up to
            1, but for rounding.

        Raises
        ------
        ValueError
            If the model knows no probabilities, or the features do not match those of the training
            data.
        """
        return self._probabilities(X, n_jobs)

    def _probabilities(
        self, X: object, n_jobs: int | None, *, selects: bool = True
    ) -> npt.NDArray[np.float64]:
        """Give the probability of each grade; `selects` as for `_inputs`."""
        if self.grades is None:
            raise ValueError(
                f"a model of {self.algorithm or 'unknown origin'} that was not trained with "
                "ordinal=True, or was blended or pruned, has no probabilities of grades"
            )
        problems = self._problems
        if is_narrow_text(X, self):
            return _core.class_probabilities([p.predict(X, n_jobs=n_jobs) for p in problems])
        features, _ = problems[0]._inputs(X, None, selects=selects)
        n_threads = 1 if n_jobs is None and len(features) <= FEW else thread_count(n_jobs)
        return _core.class_probabilities(
            [problem._scorer.predict(features, None, n_threads) for problem in problems]
        )

    @lazy
    def _problems(self) -> list[Scoring]:
        """A model for each problem, whose scores are its cumulative probabilities."""
        from rankforest.model import Model  # noqa: PLC0415  # it is made of this

        ordinal = self._info.ordinal
        assert ordinal is not None
        info = replaced(self._info, ordinal=None, profile=None)
        return [
            Model(_core.problem_of(self._ensemble, ordinal, c), info)
            for c in range(len(ordinal.grades) - 1)
        ]
