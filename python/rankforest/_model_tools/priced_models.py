"""A model on data, with what its rounds and features cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import CustomMetricLike
from rankforest._settings.parameters import thread_count
from rankforest.data import Dataset
from rankforest.exits import EarlyExit, ExitSchedule, checked_exits
from rankforest.feature_costs import FeatureCosts
from rankforest.limits import costs_of_columns
from rankforest.metrics import measured
from rankforest.model import Model

Floats = npt.NDArray[np.float64]
Rounds = npt.NDArray[np.uint32]

#: What says when documents stop being scored.
Exits = EarlyExit | ExitSchedule | None


class PricedModel:
    """A model on data, with what its rounds and features cost."""

    def __init__(
        self, model: Model, data: Dataset, costs: object, *, lazy: bool, n_jobs: int | None
    ) -> None:
        self.model = model
        self.data = data
        self.features, _ = model._inputs(data, None, needs_queries=True)
        self.codes = np.ascontiguousarray(data.query_codes)
        self.costs = costs_for(model, costs)
        self._of_columns = costs_of_columns(self.costs, model._feature_labels)
        self._lazy = lazy
        self._n_threads = thread_count(n_jobs)
        self._of_rounds = _core.costs_of_rounds(
            model._ensemble, self.costs.tree_cost, *self._of_columns
        )

    def scored(self, early_exit: Exits) -> tuple[Floats, Rounds]:
        """Return scores, and the rounds that each document was scored with.

        Where nobody says when documents exit, the model does.
        """
        if early_exit is None and not self.model._ensemble.scores_in_part:
            scores = self.model.predict(self.data, n_jobs=self._n_threads)
            return scores, np.full(len(scores), self.model.n_rounds, np.uint32)
        within = self.model.predict_within(self.data, early_exit=early_exit, n_jobs=self._n_threads)
        return within.scores, within.rounds

    def query_costs(self, rounds: Rounds, stages: Sequence[int]) -> list[Floats]:
        """Return for each stage what the queries cost whose documents end at these rounds.

        A stage is a number of rounds that none goes beyond. The order of the rows changes no bit.
        """
        if self._lazy:
            return _core.lazy_costs_of_queries(
                self.model._ensemble,
                self.costs.tree_cost,
                *self._of_columns,
                features=self.features,
                query_codes=self.codes,
                scored_with=rounds,
                stages=list(stages),
                n_jobs=self._n_threads,
            )
        ends = np.unique(rounds)
        n_queries = self.data.n_queries
        counts = [np.bincount(self.codes[rounds == end], minlength=n_queries) for end in ends]
        return [
            sum(
                (
                    self._of_rounds[min(int(end), stage)] * count
                    for end, count in zip(ends, counts, strict=True)
                ),
                np.zeros(n_queries),
            )
            for stage in stages
        ]

    def metrics(
        self, judged: Judged, scores: Floats, spelled: Mapping[str, _core.Metric | CustomMetricLike]
    ) -> dict[str, float]:
        """Return the value of each metric."""
        found = measured(judged, scores, spelled, n_threads=self._n_threads)
        return {name: each.mean for name, each in found.items()}

    def staged(self, stages: Sequence[int], early_exit: Exits) -> Iterator[tuple[Floats, Rounds]]:
        """Return for each stage the scores of its rounds, and those that each document ended with.

        One pass through the trees. A document that exits before a stage has the score it exited
        with; documents that exited are demoted where the schedule says so.

        Parameters
        ----------
        stages : sequence of int
            Numbers of rounds, ascending.
        early_exit : EarlyExit, ExitSchedule or None
            None: as the model says.
        """
        schedule = self.model.exits if early_exit is None else checked_exits(early_exit)
        whole = self.model.with_exits(None) if self.model.exits is not None else self.model
        frozen, rounds, demotes = None, None, False
        if schedule is not None:
            demotes = schedule.demote
            within = whole.predict_within(
                self.data, early_exit=without_demotion(schedule), n_jobs=self._n_threads
            )
            frozen, rounds = within.scores, within.rounds
        for stage, scores in self._of_stages(whole, stages):
            ends = np.full(len(scores), stage, np.uint32)
            if rounds is not None and frozen is not None:
                ends = np.minimum(rounds, ends)
                scores = np.where(rounds < stage, frozen, scores)  # noqa: PLW2901
                if demotes:
                    scores = _core.demoted(scores, ends, self.codes)  # noqa: PLW2901
            yield scores, ends

    def _of_stages(self, whole: Model, stages: Sequence[int]) -> Iterator[tuple[int, Floats]]:
        """Score all documents with the rounds of each stage."""
        every = gcd(*stages)
        staged = whole._ensemble.staged(self.features, self.codes, self._n_threads, every)
        wanted = set(stages)
        for i, scores in enumerate(staged, start=1):
            stage = min(i * every, whole.n_rounds)
            if stage in wanted:
                yield stage, scores


def without_demotion(schedule: EarlyExit | ExitSchedule) -> EarlyExit | ExitSchedule:
    """Return the same exits whose documents keep their scores."""
    if isinstance(schedule, EarlyExit):
        return replace(schedule, demote=False)
    return ExitSchedule(schedule.exits, k=schedule.k, scope=schedule.scope)


def costs_for(model: Model, costs: object) -> FeatureCosts:
    """Return costs as a user gave them; None: those that the model was trained with, if any."""
    if costs is not None:
        return FeatureCosts.of(costs)
    parameters: dict[str, Any] = model.parameters
    tree_cost = parameters.get("tree_cost")
    return FeatureCosts.of(parameters.get("feature_costs"), tree_cost)
