"""What estimators share that can learn by classification (`ordinal`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rankforest._settings.parameters import Problems
from rankforest.estimators.base import Ranker
from rankforest.estimators.classification import check_ordinal


class OrdinalRanker(Ranker):
    """A ranker that can learn by classification."""

    ordinal: bool

    @property
    def predict_proba(self) -> Callable[[object], npt.NDArray[np.float64]]:
        """Give the probability of each grade, as `Model.predict_proba`; only with ``ordinal=True``.

        ``predict_proba(X)`` takes the features as `predict` does and returns an ndarray of float64,
        shape (n_documents, n_grades), with a column for each of `classes_`.
        """
        if "model_" not in vars(self):
            knows = self._asks_for_probabilities
        else:
            knows = self.model_.grades is not None
        if not knows:
            raise AttributeError(
                f"{self._name} has predict_proba only with ordinal=True, which learns the "
                "probabilities of grades"
            )
        return self._probabilities_of

    def _probabilities_of(self, X: object) -> npt.NDArray[np.float64]:
        check_is_fitted(self)
        return self.model_._probabilities(self._features_of(X), self.n_jobs, selects=False)

    @property
    def classes_(self) -> npt.NDArray[np.float64]:
        """The grades that are told apart, ascending; only with ``ordinal=True``."""
        self._require_fitted("classes_")
        grades = self.model_.grades
        if grades is None:
            raise AttributeError(f"{self._name} has classes_ only with ordinal=True")
        return np.array(grades)

    @property
    def _asks_for_probabilities(self) -> bool:
        """Whether the parameters ask for classification."""
        return bool(self.ordinal)

    def _settings(self, problems: Problems, prefix: str = "") -> dict[str, Any]:
        settings = super()._settings(problems, prefix)
        check_ordinal(settings, problems, prefix)
        return settings
