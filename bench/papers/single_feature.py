"""One column as a ranking, as papers show BM25 beside what learned to rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from rankforest import Dataset


class SingleFeature(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """Scores documents by a feature.

    Parameters
    ----------
    column : int
        The feature, counted from 1 as in LETOR text.
    random_state, n_jobs, n_estimators
        Not used: there is nothing to train.
    """

    #: Rounds of training.
    best_iteration_ = 0

    def __init__(
        self,
        *,
        column: int = 1,
        n_estimators: int = 0,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.column = column
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, _data: Dataset, *, eval_set: Any = None) -> SingleFeature:
        """Learn nothing."""
        return self

    def predict(self, data: Dataset) -> npt.NDArray[np.float64]:
        """Return the feature."""
        return data.X[:, self.column - 1].astype(np.float64)
