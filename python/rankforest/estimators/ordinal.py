"""What estimators share that can learn by classification (`ordinal`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankforest._parameters import Problems
from rankforest.estimators.base import Ranker
from rankforest.estimators.classification import check_ordinal


def _knows_probabilities(estimator: Any) -> bool:
    if "model_" in vars(estimator):
        knows = estimator.model_.grades is not None
    else:
        knows = estimator._asks_for_probabilities
    if not knows:
        raise AttributeError(
            f"{type(estimator).__name__} has predict_proba only with ordinal=True, which learns "
            "the probabilities of grades"
        )
    return True


class OrdinalRanker(Ranker):
    """A ranker that can learn by classification."""

    ordinal: bool

    @available_if(_knows_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: object) -> npt.NDArray[np.float64]:
        """Give the probability of each grade; only with ``ordinal=True``.

        Parameters
        ----------
        X : Dataset, array, sparse matrix or data frame of shape (n_documents, n_features)
            As for `predict`.

        Returns
        -------
        ndarray of float64, shape (n_documents, n_grades)
            A column for each of `classes_`: see `Model.predict_proba`.
        """
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
