"""The parameters of each trial: a function of the seed, its number and the trials before it.

Nothing here lives longer than a trial. A search that was killed goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.pruners import BasePruner, NopPruner
from optuna.samplers import BaseSampler, RandomSampler, TPESampler
from optuna.trial import FrozenTrial, Trial

from rankforest._support.wording import nearest
from rankforest.tuning.pruning import MedianOrQuarter
from rankforest.tuning.spaces import Distributions

#: The samplers that have a name.
SAMPLERS = ("tpe", "random", "grid")
PRUNERS = ("auto", "median", "none")

#: An Optuna sampler, or what makes one of a seed.
SamplerLike = str | BaseSampler | Callable[[int], BaseSampler]

#: Most points of a grid.
_LARGEST_GRID = 10_000_000


def check_sampler(sampler: object) -> None:
    """Raise an error unless it is one that `tune` takes."""
    _check("sampler", sampler, SAMPLERS, BaseSampler, "a function of a seed that makes one")


def parse_pruner(pruner: object, sampler: object) -> BasePruner | None:
    """Return the pruner that `tune` is to use; None for none."""
    if pruner is None:
        return None
    _check("pruner", pruner, PRUNERS, BasePruner, "None")
    if isinstance(pruner, BasePruner):
        return None if isinstance(pruner, NopPruner) else pruner
    return (
        None if pruner == "none" or (pruner == "auto" and sampler == "grid") else MedianOrQuarter()
    )


def _check(what: str, given: object, names: tuple[str, ...], of_optuna: type, other: str) -> None:
    makes_one = what == "sampler" and callable(given)
    if (isinstance(given, str) and given in names) or isinstance(given, of_optuna) or makes_one:
        return
    near = nearest(given, names) if isinstance(given, str) else None
    hint = "" if near is None else f"; did you mean {near!r}?"
    listed = ", ".join(map(repr, names))
    raise ValueError(
        f"{what} must be one of {listed}, a {what} of Optuna or {other}, got {given!r}{hint}"
    )


def name_of(part: object) -> str:
    """Return what a study remembers of a sampler or pruner."""
    if isinstance(part, str):
        return part
    if part is None:
        return "none"
    return f"{part.__name__}()" if hasattr(part, "__name__") else type(part).__name__


@dataclass(frozen=True)
class Proposer:
    """Makes trials.

    Parameters
    ----------
    space : mapping of str to BaseDistribution
        Sorted by name.
    sampler, pruner : SamplerLike, BasePruner or None
        Checked.
    maximize : bool
        Whether more is better.
    seed : int
        Of the search.
    """

    space: Distributions
    sampler: SamplerLike
    pruner: BasePruner | None
    maximize: bool
    seed: int

    @property
    def has_memory(self) -> bool:
        """Whether a trial depends on those before it."""
        return self.sampler not in ("random", "grid") or self.pruner is not None

    @property
    def n_points(self) -> int | None:
        """The size of the grid; None where there is none to be searched."""
        return prod(len(axis) for axis in grid_of(self.space)) if self.sampler == "grid" else None

    def trial(
        self, number: int, before: Mapping[int, FrozenTrial], given: Mapping[str, Any] | None
    ) -> Trial:
        """Return a trial that knows its parameters and judges reports.

        Parameters
        ----------
        number : int
            Counted from 0.
        before : mapping of int to FrozenTrial
            All trials of lower numbers, finished or not.
        given : mapping or None
            The parameters, where they are known.
        """
        past = optuna.create_study(
            direction="maximize" if self.maximize else "minimize",
            sampler=self._sampler_of(number),
            pruner=self.pruner or NopPruner(),
        )
        if self.has_memory:
            past.add_trials([before[i] for i in range(number)])
        if given is None and self.sampler == "grid":
            given = self._grid_point(number)
        if given is not None:
            past.enqueue_trial(dict(given))
        return past.ask(dict(self.space))

    def _sampler_of(self, number: int) -> BaseSampler:
        if isinstance(self.sampler, BaseSampler):
            return self.sampler
        seed = int(np.random.SeedSequence([self.seed, number]).generate_state(1)[0])
        if not isinstance(self.sampler, str):
            return self.sampler(seed)
        return TPESampler(seed=seed) if self.sampler == "tpe" else RandomSampler(seed=seed)

    def _grid_point(self, number: int) -> dict[str, Any]:
        """Return the point of the grid that stands at a place of an order drawn by the seed."""
        axes = grid_of(self.space)
        # PCG64's raw bits are the part of NumPy's generators that no version changes.
        lots = np.random.PCG64(self.seed).random_raw(prod(map(len, axes)))
        place = int(np.argsort(lots, kind="stable")[number])
        point = {}
        for name, axis in zip(self.space, axes, strict=True):
            place, i = divmod(place, len(axis))
            point[name] = axis[i]
        return point


def grid_of(space: Distributions) -> list[list[Any]]:
    """Return the values of each parameter.

    Raises
    ------
    ValueError
        If there are endlessly many, or too many points.
    """
    axes = [_values_of(name, distribution) for name, distribution in space.items()]
    size = prod(map(len, axes))
    if size > _LARGEST_GRID:
        raise ValueError(f"space has {size:,} points; a grid may have {_LARGEST_GRID:,}")
    return axes


def _values_of(name: str, distribution: object) -> list[Any]:
    if isinstance(distribution, CategoricalDistribution):
        return list(distribution.choices)
    if isinstance(distribution, IntDistribution) and not distribution.log:
        return list(range(distribution.low, distribution.high + 1, distribution.step))
    if isinstance(distribution, FloatDistribution) and distribution.step is not None:
        n_steps = round((distribution.high - distribution.low) / distribution.step)
        return [distribution.low + i * distribution.step for i in range(n_steps + 1)]
    assert isinstance(distribution, (IntDistribution, FloatDistribution))
    raise ValueError(
        f"a grid needs choices: space[{name!r}] is the range from {distribution.low} to "
        f"{distribution.high}; give a list"
    )
