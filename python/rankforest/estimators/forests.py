"""What forests share: means of trees that are grown independently of each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._evaluation.gains import warn_of_steep_gains
from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import named_metrics
from rankforest._settings.parameters import Problems, thread_count
from rankforest._settings.trainer_settings import trainer_settings
from rankforest.data import Dataset
from rankforest.estimators.base import TEXTBOOK
from rankforest.estimators.data import warn_of_relevance
from rankforest.estimators.ordinal import OrdinalRanker
from rankforest.estimators.run import Material, Run
from rankforest.estimators.watches import Metrics
from rankforest.metrics import measured


class Forest(OrdinalRanker):
    """A mean of trees."""

    oob_score: bool
    oob_prediction_: npt.NDArray[np.float64]
    oob_score_: float

    def _check_together(
        self, settings: dict[str, Any], metrics: Metrics, problems: Problems
    ) -> None:
        by_grades = settings.get("criterion", "squared_error") != "squared_error"
        if by_grades and settings.get("missing") == "third":
            problems.add(
                'missing="third" needs criterion="squared_error": the other criteria divide a '
                "node in two"
            )

        draws = settings.get("subsample", 1.0) < 1.0 or (
            settings.get("bootstrap") and settings.get("subsample_unit") == "document"
        )
        if self.oob_score and not draws:
            problems.add(
                "oob_score needs trees that do not see all documents: bootstrap, or subsample "
                "below 1"
            )

    def _after_fit(self, material: Material, run: Run) -> None:
        data = material.train
        for name in ("oob_prediction_", "oob_score_"):
            self.__dict__.pop(name, None)
        if not self.oob_score:
            return
        scores = _core.out_of_bag_scores(
            data._core,
            trainer_settings(run.settings),
            seed=run.seed,
            forest=self.model_._ensemble,
            n_jobs=run.n_jobs,
        )
        assert data.y is not None  # there is no training without grades
        has_score = ~np.isnan(scores)
        self.oob_prediction_ = material.by_row_of_caller(scores)
        judged = Judged.of((data.y[has_score], data.qid[has_score]))
        spelled = named_metrics(TEXTBOOK)
        (found,) = measured(
            judged, scores[has_score], spelled, n_threads=thread_count(self.n_jobs)
        ).values()
        self.oob_score_ = found.mean
        if not material.sets:  # else training has warned
            warn_of_steep_gains(self._name, spelled.values(), judged.y)

    def _check_data(self, data: Dataset) -> None:
        warn_of_relevance(self._name, data, self.get_params(deep=False))

    def _why_queries(self, settings: dict[str, Any]) -> str | None:
        criterion = settings["criterion"]
        if criterion in ("pairwise", "listwise"):
            return f'criterion="{criterion}" learns from the documents of a query together'
        return super()._why_queries(settings)
