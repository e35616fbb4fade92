"""What came of a trial."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

#: Steps of a trial's reports for each model that it trains: the last is for the whole model, those
#: before it are for parts of its rounds.
STEPS_PER_MODEL = 16


def step_of(model: int, part: int = STEPS_PER_MODEL - 1) -> int:
    """Return the step of a report: after the whole of a model, or a part of it."""
    return model * STEPS_PER_MODEL + part


@dataclass(frozen=True)
class Outcome:
    """The measures of each model of a trial, in the order of folds, then of seeds.

    A trial that was pruned has those of the models that it finished.
    """

    valid: list[float] = field(default_factory=list)
    test: list[float] = field(default_factory=list)  #: empty where folds have no test part
    holdout: list[float] = field(default_factory=list)  #: empty where there is no held-out set
    rounds: list[int] = field(default_factory=list)  #: that each model kept
    reports: Mapping[int, float] = field(default_factory=dict)  #: by step, the mean until then
    is_pruned: bool = False
    #: An earlier trial of the same parameters, whose measures these are.
    same_as: int | None = None

    @property
    def value(self) -> float:
        """The mean on the validation parts; what was reported last where the trial was pruned."""
        return self.reports[max(self.reports)] if self.is_pruned else mean(self.valid)

    @property
    def held_out(self) -> float | None:
        """The mean on the held-out set; None where there is none."""
        return mean(self.holdout) if self.holdout else None

    def record(self) -> dict[str, Any]:
        """Return what JSON holds of it, beside the reports."""
        record = asdict(self)
        del record["reports"]
        return record

    @classmethod
    def of_record(cls, record: Mapping[str, Any], reports: Mapping[int, float]) -> Outcome:
        """Return what `record` gave."""
        return cls(**record, reports=dict(reports))


def mean(values: list[float]) -> float:
    """Return the mean; NaN of nothing."""
    return float(np.mean(values)) if values else float("nan")
