"""The search for exits that cost least while a metric falls by no more than a bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, prod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rankforest._core import Metric
from rankforest._evaluation.judgements import Judged
from rankforest._model_tools.priced_models import Floats, PricedModel
from rankforest.exits import Exit, ExitSchedule

#: Shares of the documents in play that may exit, for fractions and margins.
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
#: Documents that may be kept, as multiples of k.
MULTIPLES = (10, 7, 5, 3, 2, 1.5, 1)
#: Rounds at which documents may exit, as shares of all.
PLACES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7)

#: For each of the exits, which of its levels it has; 0: it is not there.
State = tuple[int, ...]


@dataclass(frozen=True)
class ExitTrial:
    """A schedule that was tried.

    Attributes
    ----------
    schedule : ExitSchedule
        The exits.
    reordered : bool
        Whether trees had another order.
    cost : float
        Mean cost of a document.
    value, loss : float
        The metric, and how much lower it is than with all trees for all documents.
    """

    schedule: ExitSchedule
    reordered: bool
    cost: float
    value: float
    loss: float


class _TrialOf(Protocol):
    """What gives the trial of a state, or None where there were too many."""

    def __call__(self, state: State, /) -> ExitTrial | None:
        """Return it."""


class ExitSearch:
    """Tries exits of one kind at fixed rounds of a model.

    Parameters
    ----------
    priced : PricedModel
        The model on validation data.
    metric : Metric
        What must not fall: more of it is better.
    whole : float
        Its value with all trees for all documents.
    max_loss : float
        By how much it may fall.
    reordered : bool
        What trials say of the model's trees.

    Attributes
    ----------
    none : ExitTrial
        The trial without exits.
    trials : list of ExitTrial
        All trials, in this order; that one is the first.
    """

    def __init__(
        self, priced: PricedModel, metric: Metric, whole: float, max_loss: float, *, reordered: bool
    ) -> None:
        self._priced = priced
        self._judged = Judged.of(priced.data)
        self._metric = metric
        self._whole = whole
        self._max_loss = max_loss
        self._reordered = reordered
        self.trials: list[ExitTrial] = []
        self.none = self.tried(ExitSchedule([]))

    def tried(self, schedule: ExitSchedule) -> ExitTrial:
        """Measure a schedule."""
        scores, rounds = self._priced.scored(schedule)
        (costs,) = self._priced.query_costs(rounds, [self._priced.model.n_rounds])
        value = self._priced.metrics(self._judged, scores, {"": self._metric})[""]
        trial = ExitTrial(
            schedule,
            self._reordered,
            float(costs.sum()) / self._priced.data.n_documents,
            value,
            self._whole - value,
        )
        self.trials.append(trial)
        return trial

    def allows(self, trial: ExitTrial) -> bool:
        """Say whether a trial keeps the bound."""
        return trial.loss <= self._max_loss

    def run(self, grid: Sequence[Sequence[Exit]], k: int, max_trials: int) -> None:
        """Try exits out of a grid: all combinations if they are so few, else those on a way.

        The way raises one exit at a time, to its next level that saves something, as long as the
        bound holds: to what saves most for what it loses, and again to what costs least. Then it
        lowers one exit and raises another where that saves something.

        Parameters
        ----------
        grid : sequence of sequence of Exit
            The levels of each exit, from mild to harsh.
        k : int
            As for `ExitSchedule`.
        max_trials : int
            The most trials.
        """
        known: dict[State, ExitTrial] = {(0,) * len(grid): self.none}
        before = len(self.trials)

        def trial_of(state: State) -> ExitTrial | None:
            if state not in known:
                if len(self.trials) - before >= max_trials:
                    return None
                exits = [levels[i - 1] for levels, i in zip(grid, state, strict=True) if i]
                known[state] = self.tried(ExitSchedule(exits, k=k))
            return known[state]

        sizes = [len(levels) + 1 for levels in grid]
        if prod(sizes) <= max_trials:
            for each in product(*map(range, sizes)):
                trial_of(each)
            return
        for greed in (False, True):
            state: State = (0,) * len(grid)
            while better := self._step(state, _raised(state, sizes), trial_of, greed=greed):
                state = better
            while better := self._step(state, _moved(state, sizes), trial_of, greed=True):
                state = better

    def _step(
        self,
        state: State,
        others: Iterator[list[State]],
        trial_of: _TrialOf,
        *,
        greed: bool,
    ) -> State | None:
        """Return the best of other states that cost less and keep the bound; None without one.

        Of each list, the first state is looked at that saves something.
        """
        here = trial_of(state)
        best, best_merit = None, -np.inf
        for states in others:
            trials = ((other, trial_of(other)) for other in states)
            saving = (
                (other, there)
                for other, there in trials
                if here is not None and there is not None and there.cost < here.cost
            )
            other, there = next(saving, (state, None))
            if here is None or there is None or not self.allows(there):
                continue
            saved, lost = here.cost - there.cost, max(there.loss - here.loss, 0.0)
            merit = saved if greed else saved / (lost + 1e-3 * self._max_loss + 1e-9)
            if merit > best_merit:
                best, best_merit = other, merit
        return best


def _raised(state: State, sizes: Sequence[int]) -> Iterator[list[State]]:
    for i, level in enumerate(state):
        yield [(*state[:i], higher, *state[i + 1 :]) for higher in range(level + 1, sizes[i])]


def _moved(state: State, sizes: Sequence[int]) -> Iterator[list[State]]:
    for i, level in enumerate(state):
        if level == 0:
            continue
        lower = (*state[:i], level - 1, *state[i + 1 :])
        for j, other in enumerate(lower):
            for up in (1, 2):
                if j != i and other + up < sizes[j]:
                    yield [(*lower[:j], other + up, *lower[j + 1 :])]


def grids_of(
    priced: PricedModel, rounds: Sequence[int], rules: Sequence[str], k: int
) -> Mapping[str, list[list[Exit]]]:
    """Return the levels of exits of each rule at each round, from mild to harsh.

    Margins are quantiles of what documents are below the k-th best of their query, so that the same
    shares exit as by fractions.
    """
    grids: dict[str, list[list[Exit]]] = {rule: [] for rule in rules}
    for round_, (scores, _) in zip(rounds, priced.staged(rounds, ExitSchedule([])), strict=True):
        if "fraction" in grids:
            grids["fraction"].append([Exit(round_, share) for share in SHARES])
        if "margin" in grids:
            below = _below_best(scores, priced.codes, k)
            margins = np.unique(np.quantile(below, [1 - share for share in SHARES]))[::-1]
            grids["margin"].append([Exit(round_, margin=float(m)) for m in margins if m >= 0])
        if "keep" in grids:
            kept = dict.fromkeys(ceil(multiple * k) for multiple in MULTIPLES)
            largest = np.bincount(priced.codes).max()
            grids["keep"].append([Exit(round_, keep=n) for n in kept if n < largest])
    return grids


def _below_best(scores: Floats, codes: npt.NDArray[np.uint32], k: int) -> Floats:
    """Return how far each document is below the k-th best of its query, or the last of fewer."""
    order = np.lexsort((-scores, codes))
    starts = np.flatnonzero(np.diff(codes[order], prepend=np.uint32(codes[order[0]] + 1)))
    sizes = np.diff(np.append(starts, len(order)))
    best = scores[order[starts + np.minimum(k, sizes) - 1]]
    return np.repeat(best, sizes) - scores[order]


def front_of(trials: Sequence[ExitTrial]) -> list[ExitTrial]:
    """Return the trials than which none costs less and loses no more, the cheapest first."""
    front: list[ExitTrial] = []
    for trial in sorted(trials, key=lambda each: (each.cost, each.loss)):
        if not front or trial.loss < front[-1].loss:
            front.append(trial)
    return front
