"""What models measured, averaged over folds and seeds."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """What a metric says of one model."""

    mean: float
    queries: Sequence[float]  #: the value of each query, in the order of the fold's files


@dataclass(frozen=True)
class Estimate:
    """A mean over folds and seeds."""

    mean: float
    error: float | None  #: standard error of the mean over the seeds; None for one seed
    queries: Sequence[float] = ()  #: each query's mean over the seeds, fold after fold
    #: Of a fold's value over the seeds, averaged over the folds; None for one seed.
    variance: float | None = None

    @classmethod
    def of(cls, by_seed: Mapping[int, Sequence[Measured]]) -> Estimate:
        """Average the folds of each seed, then the seeds; every seed has the same folds."""
        means = [statistics.fmean(fold.mean for fold in folds) for folds in by_seed.values()]
        error = statistics.stdev(means) / len(means) ** 0.5 if len(means) > 1 else None
        of_seeds = [
            [value for fold in folds for value in fold.queries] for folds in by_seed.values()
        ]
        queries = [statistics.fmean(values) for values in zip(*of_seeds, strict=True)]
        folds = zip(*by_seed.values(), strict=True)
        variances = [statistics.variance([m.mean for m in of]) for of in folds if len(of) > 1]
        variance = statistics.fmean(variances) if variances else None
        return cls(statistics.fmean(means), error, queries, variance)

    def __str__(self) -> str:
        return f"{self.mean:.4f}" + self._error()

    def against(self, published: float) -> str:
        """Return the difference from the paper's value, which is taken as exact."""
        return f"{self.mean - published:+.4f}" + self._error()

    def _error(self) -> str:
        return "" if self.error is None else f" ± {self.error:.4f}"


#: By data set, algorithm and measure.
Estimates = Mapping[tuple[str, str, str], Estimate]
