"""What the linear rankers share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rankforest import _core
from rankforest._settings.parameters import Problems, seed_of
from rankforest._support.warnings import warn
from rankforest.data import Dataset
from rankforest.estimators.base import Ranker
from rankforest.estimators.data import require_pairs
from rankforest.estimators.watches import Metrics

if TYPE_CHECKING:
    from typing_extensions import Self


class LinearRanker(Ranker):
    """Base of the estimators whose model is a weighted sum of features."""

    warm_start = False

    _rounds_kept: int

    @property
    def best_iteration_(self) -> int:
        """Number of the round whose weights are kept."""
        self._require_fitted("best_iteration_")
        return self._rounds_kept

    @property
    def coef_(self) -> npt.NDArray[np.float32]:
        """The weight of each feature, or of what `query_normalization` makes of it."""
        self._require_fitted("coef_")
        coef = self.model_.coef
        return np.zeros(self.model_.n_features, np.float32) if coef is None else coef[0]

    def feature_importances(self, kind: str = "gain") -> npt.NDArray[np.float64]:
        """Raise a ValueError: a linear model has weights, `coef_`."""
        check_is_fitted(self)
        raise ValueError(self._why_no_importances)

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Raise an AttributeError: a linear model has weights, `coef_`."""
        self._require_fitted("feature_importances_")
        raise AttributeError(self._why_no_importances)

    def staged_predict(
        self, X: object, qid: npt.ArrayLike | None = None
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Raise a ValueError: the weights after k rounds are no part of the last ones."""
        check_is_fitted(self)
        raise ValueError(self._why_no_stages("staged_predict"))

    def __getitem__(self, rounds: slice) -> Self:
        """Raise a ValueError: the weights after k rounds are no part of the last ones."""
        check_is_fitted(self)
        raise ValueError(self._why_no_stages("[:k]"))

    __iter__ = None

    @property
    def _why_no_importances(self) -> str:
        return (
            f"{self._name} is linear: it has weights, coef_, in place of the gains of splits. "
            "rankforest.permutation_importance measures what features contribute to a metric"
        )

    def _why_no_stages(self, asked: str) -> str:
        return (
            f"{self._name} has no {asked}: it is linear, and keeps the weights of one round alone"
        )

    def _settings(self, problems: Problems, prefix: str = "") -> dict[str, Any]:
        settings = super()._settings(problems, prefix)
        if "query_normalization" in settings:
            settings["query_normalization"] = settings["query_normalization"] or "none"
        return settings

    def _add_metric(self, settings: dict[str, Any], metrics: Metrics, problems: Problems) -> None:
        """Add the metric that training maximises to the settings."""
        of_core = [metric for metric in metrics.metrics if isinstance(metric, _core.Metric)]
        if of_core and not of_core[0].maximize:
            problems.add(f"metric must be one of which more is better, got '{of_core[0]}'")
        elif of_core:
            settings["metric"] = str(of_core[0])
        elif metrics.metrics:
            problems.add(
                "metric must name one that training can maximise, beside each CustomMetric"
            )

    def _seed(self, plain: dict[str, Any]) -> int:
        return seed_of(plain["random_state"])

    def _check_data(self, data: Dataset) -> None:
        require_pairs(self._name, data)

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        return "it learns from the documents of a query together"

    def _warn_if_constant(self, data: Dataset, settings: dict[str, Any]) -> None:
        if not self.coef_.any():
            warn(f"{self._name}: the model is constant, all weights are 0")
