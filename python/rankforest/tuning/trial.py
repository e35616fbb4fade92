"""The training and measurement of one configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from threading import Event
from typing import Any

import numpy as np

from rankforest.data import Dataset
from rankforest.tuning.folds import Fold
from rankforest.tuning.outcome import STEPS_PER_MODEL, Outcome, mean, step_of
from rankforest.tuning.spaces import with_inner_estimators

VALID = "valid"

#: After how many rounds a model is compared first; then after twice as many, and so on.
FIRST_CHECK = 50

#: (step, value) -> whether the trial is hopeless.
Judge = Callable[[int, float], bool]


class AbandonedError(Exception):
    """The search ends, and this trial with it."""


@dataclass(frozen=True)
class Plan:
    """What every trial trains and measures, whatever its parameters."""

    estimator: Any
    folds: Sequence[Fold]
    seeds: Sequence[int]  #: of the models on each fold
    metric: str  #: the first of the estimator's, as it spells it
    maximize: bool
    holdout: Dataset | None

    @property
    def n_models(self) -> int:
        """Models of a trial."""
        return len(self.folds) * len(self.seeds)

    def made(self, params: Mapping[str, Any], seed: int, n_jobs: int) -> Any:
        """Return the unfitted estimator of a trial."""
        estimator = with_inner_estimators(self.estimator, list(params))
        return estimator.set_params(**params, random_state=seed, n_jobs=n_jobs)

    def run(
        self, params: Mapping[str, Any], n_jobs: int, judge: Judge | None, stop: Event
    ) -> Outcome:
        """Train on each fold with each seed until all are done or the trial is hopeless.

        Raises
        ------
        AbandonedError
            Once `stop` is set.
        """
        done, reports = Outcome(), dict[int, float]()
        for number in range(self.n_models):
            fold = self.folds[number // len(self.seeds)]
            model = self.made(params, self.seeds[number % len(self.seeds)], n_jobs)
            watch = _Watch(self, number, done.valid, reports, judge, stop)
            model.set_params(callbacks=[*_as_list(model.callbacks), watch])
            model.fit(fold.train, eval_set={VALID: fold.valid})
            if stop.is_set():
                raise AbandonedError
            if watch.is_hopeless:
                return replace(done, reports=reports, is_pruned=True)
            self._measure(model, fold, done)
            step = step_of(number)
            reports[step] = mean(done.valid)
            is_last = number + 1 == self.n_models
            if judge is not None and not is_last and judge(step, reports[step]):
                return replace(done, reports=reports, is_pruned=True)
        return replace(done, reports=reports)

    def _measure(self, model: Any, fold: Fold, done: Outcome) -> None:
        """Add the measures of a model to those of the models before it."""
        value = model.best_score_
        if isnan(value):
            raise ValueError(
                f"{self.metric} of the validation part of fold {1 + self.folds.index(fold)} is NaN: "
                "no query of it counts"
            )
        done.valid.append(value)
        sign = 1.0 if self.maximize else -1.0  # `score` is of the kind where more is better
        if fold.test is not None:
            done.test.append(sign * model.score(fold.test))
        if self.holdout is not None:
            done.holdout.append(sign * model.score(self.holdout))
        kept = round(float(np.mean(model.best_iteration_)))  # of a bag: on average of its members
        done.rounds.append(kept - _n_trees_before(model))


@dataclass
class _Watch:
    """Callback that reports the best value so far after 50, 100, 200, ... rounds."""

    plan: Plan
    model: int  #: its number in the trial
    before: Sequence[float]  #: the values of the models before it
    reports: dict[int, float]
    judge: Judge | None
    stop: Event
    is_hopeless: bool = False
    _best: float | None = None
    _part: int = 0

    def __call__(self, report: Mapping[str, Any]) -> bool:
        """Take note of a round; True where training is to end."""
        if self.stop.is_set():
            return True
        value = report["values"].get(VALID, {}).get(self.plan.metric)
        if value is None or isnan(value) or self.judge is None:
            return False
        better = max if self.plan.maximize else min
        self._best = value if self._best is None else better(self._best, value)
        is_due = FIRST_CHECK << self._part <= report["round"] < report["n_rounds"]
        if is_due and self._part < STEPS_PER_MODEL - 1:
            step = step_of(self.model, self._part)
            self._part += 1
            self.reports[step] = mean([*self.before, self._best])
            self.is_hopeless = self.judge(step, self.reports[step])
        return self.is_hopeless


def _n_trees_before(model: Any) -> int:
    """Return how many of the rounds of a model are trees of the forest that it starts from."""
    forest = model.model_.parameters.get("forest")
    return int(forest["n_estimators"]) if isinstance(forest, dict) else 0


def _as_list(callbacks: object) -> list[Any]:
    return [callbacks] if callable(callbacks) else list(callbacks)  # type: ignore[call-overload]
