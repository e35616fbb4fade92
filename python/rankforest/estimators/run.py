"""One call of the trainer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankforest import _core
from rankforest.data import Dataset
from rankforest.estimators.custom import Callback, Objective, in_pairs
from rankforest.estimators.data import watched_data
from rankforest.estimators.watches import Metrics
from rankforest.model import Model


@dataclass(frozen=True)
class Run:
    """What `fit` is asked to do, checked as far as possible without the data."""

    estimator: str  #: its name, for messages
    settings: dict[str, Any]  #: as the trainer takes them
    metrics: Metrics
    sets: dict[str, object]  #: of `eval_set`, by name
    callbacks: Sequence[Callback]
    objective: Objective | None
    seed: int
    n_jobs: int

    @property
    def parameters(self) -> dict[str, Any]:
        """What the model depends on besides the data."""
        custom = {} if self.objective is None else {"objective": "custom"}
        return {**self.settings, "random_state": self.seed, **custom}

    def train(self, algorithm: str, data: Dataset, trained: Model | None = None) -> dict[str, Any]:
        """Train, or go on from a trained model; returns the core's ensemble and history."""
        watched = {
            name: watched_data(self.estimator, name, each, train=data, n_jobs=self.n_jobs)
            for name, each in self.sets.items()
        }
        return _core.train(
            algorithm,
            data._core,
            self.settings,
            seed=self.seed,
            n_jobs=self.n_jobs,
            watches=[(name, each._core, self.metrics.for_core()) for name, each in watched.items()],
            observer=self.metrics.observer(self.callbacks),
            objective=None if self.objective is None else in_pairs(self.objective),
            **({} if trained is None else {"trained": trained._ensemble}),
        )
