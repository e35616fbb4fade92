"""Paired tests of the values that two systems have on the same queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankforest import _core

Floats = npt.NDArray[np.float64]

#: The tests, as the fields of `PairComparison` are called.
TESTS = ("t", "wilcoxon", "randomisation")

# Values that differ by less, relative to the larger, differ by the rounding of sums alone.
_ROUNDING = 1e-12

# Up to so many queries SciPy's Wilcoxon test counts all assignments of signs where there are ties.
_ENUMERATED = 13


@dataclass(frozen=True)
class Significance:
    """The result of one test of one pair of systems.

    Attributes
    ----------
    statistic : float
        Student's t, the smaller of Wilcoxon's two rank sums, or, for the randomisation test, the
        mean difference.
    p_value : float
        Two-sided p-value of this pair alone.
    p_holm : float
        The p-value after Holm's correction for the number of pairs compared by the same metric.
    """

    statistic: float
    p_value: float
    p_holm: float


@dataclass(frozen=True)
class PairComparison:
    """How system `a` differs from system `b` by one metric.

    Attributes
    ----------
    a, b : str
        The systems.
    difference : float
        The mean of a minus the mean of b.
    interval : tuple of (float, float)
        Bootstrap confidence interval of the difference.
    effect_size : float
        Cohen's d of paired samples (d_z): the mean of the differences over their standard deviation,
        with divisor n - 1. It is 0 if all differences are 0, and infinite if they are all equal
        otherwise.
    wins, ties, losses : int
        Queries on which a is better than b, equal to it, and worse.
    t, wilcoxon, randomisation : Significance
        Paired Student t test, Wilcoxon signed-rank test, Fisher's randomisation test.
    n_permutations : int
        Number of permutations that the randomisation test counted.
    exact : bool
        Whether these were all permutations, so that the p-value is exact.
    """

    a: str
    b: str
    difference: float
    interval: tuple[float, float]
    effect_size: float
    wins: int
    ties: int
    losses: int
    t: Significance
    wilcoxon: Significance
    randomisation: Significance
    n_permutations: int
    exact: bool

    def __repr__(self) -> str:
        p_values = ", ".join(f"{name} {self.test(name).p_holm:.4g}" for name in TESTS)
        low, high = self.interval
        return (
            f"PairComparison({self.a!r} - {self.b!r}: {self.difference:+.4g} "
            f"[{low:+.4g}, {high:+.4g}], p-values: {p_values})"
        )

    def test(self, name: str) -> Significance:
        """Return the result of a test by its name: t, wilcoxon or randomisation."""
        found: Significance = getattr(self, name)
        return found


@dataclass(frozen=True)
class Procedure:
    """How pairs are tested."""

    n_permutations: int
    n_resamples: int
    confidence_level: float
    seed: int
    n_threads: int


def compare_pair(
    a: str,
    b: str,
    values: tuple[Floats, Floats],
    weights: Floats,
    *,
    maximize: bool,
    procedure: Procedure,
) -> PairComparison:
    """Test the values of two systems on the same queries, at least two.

    The order of the queries changes no bit, and swapping the systems mirrors every bit.

    Parameters
    ----------
    a, b : str
        The systems.
    values : tuple of two ndarrays of float64, shape (n_queries,)
        Finite values of a and b.
    weights : ndarray of float64, shape (n_queries,)
        > 0. A difference counts times its weight over the mean weight, so that the mean of the
        differences is the difference of the weighted means.
    maximize : bool
        Whether more is better.
    procedure : Procedure
        Numbers of draws and the like.
    """
    with np.errstate(over="ignore"):  # refused right after
        differences = values[0] - values[1]
    if not np.isfinite(differences).all():
        raise ValueError(f"{a!r} and {b!r} differ by more than float64 can hold")
    differences[np.abs(differences) <= _ROUNDING * np.maximum(*np.abs(values))] = 0.0
    wins, losses = ((differences > 0).sum(), (differences < 0).sum())
    if not maximize:
        wins, losses = losses, wins
    if (weights != weights[0]).any():
        differences *= weights / weighted_mean(weights, np.ones(len(weights)))
    ordered, sign = _canonical(differences)
    # Powers of two change no digit, and keep squares and cubes within range.
    exponent = int(np.frexp(np.abs(ordered).max())[1])
    ordered = np.ldexp(ordered, -exponent)
    mean = math.fsum(ordered) / len(ordered)
    t, t_p_value, effect_size = _student(ordered, mean)
    wilcoxon = _wilcoxon(ordered, procedure.n_threads)
    drawn = _core.randomisation_test(
        ordered, procedure.n_permutations, procedure.seed, procedure.n_threads
    )
    low, high = _interval(ordered, mean, procedure)
    ends = (math.ldexp(low, exponent), math.ldexp(high, exponent))
    difference = sign * math.ldexp(mean, exponent)
    return PairComparison(
        a=a,
        b=b,
        difference=difference,
        interval=_oriented(ends, sign),
        effect_size=sign * effect_size,
        wins=int(wins),
        ties=int(len(differences) - wins - losses),
        losses=int(losses),
        t=Significance(sign * t, t_p_value, t_p_value),
        wilcoxon=Significance(*wilcoxon, wilcoxon[1]),
        randomisation=Significance(difference, drawn.p_value, drawn.p_value),
        n_permutations=drawn.n_permutations,
        exact=drawn.exact,
    )


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Return the mean, with one rounding of each sum: their order changes no bit."""
    exponent = int(np.frexp(np.abs(values).max())[1])  # a power of two keeps the sum within range
    total = math.fsum(np.ldexp(values, -exponent) * weights)
    return math.ldexp(total / math.fsum(weights), exponent)


def with_holm(pairs: Sequence[PairComparison]) -> tuple[PairComparison, ...]:
    """Correct the p-values of each test for the number of pairs."""
    corrected = list(pairs)
    for name in TESTS:
        p_values = holm([pair.test(name).p_value for pair in pairs])
        for i, p_value in enumerate(p_values):
            found = replace(pairs[i].test(name), p_holm=p_value)
            corrected[i] = replace(corrected[i], **{name: found})  # type: ignore[arg-type]
    return tuple(corrected)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number.

    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6, 1979.
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for n_smaller, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - n_smaller) * p_values[i]))
        corrected[i] = highest
    return corrected


def _canonical(differences: Floats) -> tuple[Floats, int]:
    """Return ascending differences, and -1 if they were negated for it; 0 if that is no change.

    What follows is computed on the same numbers in the same order, whatever the order of queries
    and whichever system comes first.
    """
    ascending = np.sort(differences) + 0.0  # no -0
    negated = np.sort(-differences) + 0.0
    unequal = np.flatnonzero(ascending != negated)
    if len(unequal) == 0:
        return ascending, 0
    first = unequal[0]
    return (ascending, 1) if ascending[first] > negated[first] else (negated, -1)


def _oriented(interval: tuple[float, float], sign: int) -> tuple[float, float]:
    """Return the interval of the differences that `_canonical` gave `sign` to."""
    low, high = interval
    if sign == 0:  # symmetric, as the differences are
        half = high / 2 - low / 2
        return 0.0 - half, half
    return (low, high) if sign > 0 else (-high, -low)


def _student(differences: Floats, mean: float) -> tuple[float, float, float]:
    """Return t, its two-sided p-value, and d_z."""
    from scipy.special import stdtr  # noqa: PLC0415  # slow to import, and only needed here

    if differences[0] == differences[-1]:  # ascending: all are equal
        return (0.0, 1.0, 0.0) if mean == 0.0 else (math.inf * mean, 0.0, math.inf * mean)
    n = len(differences)
    deviation = math.sqrt(math.fsum((differences - mean) ** 2) / (n - 1))
    t = mean / (deviation / math.sqrt(n))
    return t, 2.0 * float(stdtr(n - 1, -abs(t))), mean / deviation


def _wilcoxon(differences: Floats, n_threads: int) -> tuple[float, float]:
    """Return the smaller rank sum and its two-sided p-value; zeros are left out."""
    from scipy.stats import rankdata, wilcoxon  # noqa: PLC0415  # slow to import, only needed here

    if len(differences) > _ENUMERATED:
        if not differences.any():
            return 0.0, 1.0
        found = wilcoxon(differences)
        return float(found.statistic), float(found.pvalue)
    # SciPy's p-value with ties, too, but without its enumeration of 2^13 arrays in Python.
    nonzero = differences[differences != 0]
    ranks = np.asarray(rankdata(np.abs(nonzero)), dtype=np.float64)
    counted = _core.randomisation_test(
        np.copysign(ranks, nonzero), 2**_ENUMERATED, seed=0, n_jobs=n_threads
    )
    sums = (float(ranks[nonzero > 0].sum()), float(ranks[nonzero < 0].sum()))
    return min(sums), counted.p_value


def _interval(differences: Floats, mean: float, procedure: Procedure) -> tuple[float, float]:
    """Return the bias-corrected and accelerated bootstrap interval of the mean.

    B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, section 14.3. The
    acceleration, by the jackknife, has a closed form for a mean.
    """
    from scipy.special import ndtr, ndtri  # noqa: PLC0415  # slow to import, and only needed here

    if differences[0] == differences[-1]:  # ascending: all are equal
        return float(mean), float(mean)
    n = procedure.n_resamples
    means = _core.bootstrap_means(differences, n, procedure.seed, procedure.n_threads)
    below = ((means < mean).sum() + (means <= mean).sum()) / (2 * n)
    bias = ndtri(np.clip(below, 0.5 / n, 1 - 0.5 / n))
    deviations = differences - mean
    acceleration = math.fsum(deviations**3) / (6.0 * math.fsum(deviations**2) ** 1.5)
    tail = (1.0 - procedure.confidence_level) / 2.0
    shifted = bias + ndtri(np.array([tail, 1.0 - tail]))
    # The correction has a pole far outside the usual levels; its limit lies at the end of the draws.
    scale = np.maximum(1.0 - acceleration * shifted, 1e-9)
    low, high = np.quantile(means, ndtr(bias + shifted / scale))
    return float(low), float(high)
