"""The search: which trials run when, and when it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

from rankforest.tuning.ledger import Ledger
from rankforest.tuning.outcome import Outcome
from rankforest.tuning.proposals import Proposer
from rankforest.tuning.trial import Plan

#: Called after each trial with its report; the search ends where it returns True.
TrialCallback = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class Limits:
    """When a search ends.

    Attributes
    ----------
    n_trials : int
        Trials of the study, those of earlier calls included.
    timeout : float or None
        Seconds of this call after which no trial begins.
    patience : int or None
        Trials that the held-out value of the best may go without a new best.
    """

    n_trials: int
    timeout: float | None
    patience: int | None


@dataclass(frozen=True)
class Workers:
    """What runs side by side."""

    width: int  #: trials that do not know of each other; a result may depend on it
    n_threads: int  #: of all; never changes a result

    @property
    def n_trials(self) -> int:
        """Trials at a time: no more than there are threads."""
        return min(self.width, self.n_threads)

    @property
    def threads_each(self) -> int:
        """Threads of a trial."""
        return self.n_threads // self.n_trials


@dataclass
class Standing:
    """How a search stands after the trials [0, n), all of which are finished.

    Attributes
    ----------
    best : int or None
        The first trial with the best validation value of those that were not pruned.
    chosen : int or None
        The same, but where there is a held-out set, the best of the time when the held-out value
        of the best was best.
    """

    maximize: bool
    patience: int | None
    n: int = 0
    best: int | None = None
    chosen: int | None = None
    _best_value: float = field(default=float("nan"))
    _best_held_out: float = field(default=float("nan"))
    _improved_at: int = 0

    def add(self, outcome: Outcome, held_out: float | None) -> None:
        """Take note of the next trial; `held_out` is its value on the held-out set, if any."""
        number, self.n = self.n, self.n + 1
        if outcome.is_pruned or not self._is_better(outcome.value, self._best_value, self.best):
            return
        self.best, self._best_value = number, outcome.value
        if held_out is None:
            self.chosen = number
        elif self._is_better(held_out, self._best_held_out, self.chosen):
            self.chosen, self._best_held_out, self._improved_at = number, held_out, number

    @property
    def is_exhausted(self) -> bool:
        """Whether the held-out value has not improved for too long."""
        if self.patience is None or self.chosen is None:
            return False
        return self.n - 1 - self._improved_at >= self.patience

    def _is_better(self, value: float, best: float, holder: int | None) -> bool:
        return holder is None or (value > best if self.maximize else value < best)


@dataclass
class Search:
    """Trials of a study, until there are enough."""

    plan: Plan
    proposer: Proposer
    ledger: Ledger
    workers: Workers
    limits: Limits
    callbacks: Sequence[TrialCallback]

    def __post_init__(self) -> None:
        self._standing = Standing(self.plan.maximize, self.limits.patience)
        self._began = time.monotonic()
        self._stop = Event()
        self._is_over = False
        self._at_work: dict[int, Future[Outcome]] = {}
        self._new: set[int] = set()

    def run(self) -> Standing:
        """Run trials; return how the search stands at the end."""
        self._count()
        with self._pool() as pool:
            while True:
                while (number := self._next()) is not None:
                    self._at_work[number] = self._started(number, pool)
                if not self._at_work:
                    return self._standing
                wait(self._at_work.values(), return_when=FIRST_COMPLETED)
                for number in [n for n, future in self._at_work.items() if future.done()]:
                    self.ledger.finish(number, self._at_work.pop(number).result())
                    self._new.add(number)
                self._count()
                if self._is_over:
                    return self._standing

    @contextmanager
    def _pool(self) -> Iterator[ThreadPoolExecutor | None]:
        """Give threads for trials, none where one trial runs at a time; end those at work after it."""
        if self.workers.n_trials == 1:
            yield None
            return
        with ThreadPoolExecutor(self.workers.n_trials) as pool:
            try:
                yield pool
            finally:
                self._stop.set()
                for future in self._at_work.values():
                    future.cancel()

    def _next(self) -> int | None:
        """Return the number of a trial that may start now; None where none may."""
        if self._is_over or len(self._at_work) >= self.workers.n_trials or self._is_late():
            return None
        number = self._standing.n
        while number in self._at_work or self.ledger.is_finished(number):
            number += 1
        must_wait = self.proposer.has_memory and number - self._standing.n >= self.workers.width
        return None if must_wait or number >= self.limits.n_trials else number

    def _is_late(self) -> bool:
        timeout = self.limits.timeout
        return timeout is not None and time.monotonic() - self._began >= timeout

    def _started(self, number: int, pool: ThreadPoolExecutor | None) -> Future[Outcome]:
        """Begin a trial, or go on with one that was begun when the search was killed."""
        begun = self.ledger.trials.get(number)
        before = self.ledger.before(number, self.workers.width)
        trial = self.proposer.trial(number, before, None if begun is None else begun.params)
        if begun is None:
            self.ledger.begin(number, trial.params, self.proposer.space)
        same = self._same_before(number, trial.params)
        if same is not None:
            done: Future[Outcome] = Future()
            done.set_result(replace(self.ledger.outcome(same), same_as=same))
            return done

        def judge(step: int, value: float) -> bool:
            trial.report(value, step)
            return bool(trial.should_prune())

        arguments = (
            trial.params,
            self.workers.threads_each,
            judge if self.proposer.pruner is not None else None,
            self._stop,
        )
        if pool is not None:
            return pool.submit(self._run, number, *arguments)
        done = Future()
        done.set_result(self._run(number, *arguments))
        return done

    def _run(self, number: int, params: Mapping[str, Any], *arguments: Any) -> Outcome:
        """Train and measure; an error says with which parameters."""
        try:
            return self.plan.run(params, *arguments)
        except ValueError as error:
            shown = ", ".join(f"{name}={value!r}" for name, value in params.items())
            raise ValueError(f"trial {number} with {shown}: {error}") from error

    def _same_before(self, number: int, params: Mapping[str, Any]) -> int | None:
        """Return an earlier trial of these parameters that need not be trained again."""
        for each in range(number - self.workers.width + 1):
            trial = self.ledger.trials[each]
            is_same = self.ledger.is_finished(each) and trial.params == params
            if is_same and not self.ledger.outcome(each).is_pruned:
                return each
        return None

    def _count(self) -> None:
        """Take note, in order, of the trials that finished."""
        while not self._is_over and self.ledger.is_finished(self._standing.n):
            number = self._standing.n
            outcome = self.ledger.outcome(number)
            self._standing.add(outcome, outcome.held_out)
            self._is_over = self._standing.is_exhausted
            if number in self._new:
                report = self._report(number, outcome)
                answers = [callback(report) for callback in self.callbacks]
                self._is_over = self._is_over or any(map(bool, answers))

    def _report(self, number: int, outcome: Outcome) -> dict[str, Any]:
        best = self._standing.best
        return {
            "trial": number,
            "n_trials": self.limits.n_trials,
            "params": dict(self.ledger.trials[number].params),
            "value": outcome.value,
            "is_pruned": outcome.is_pruned,
            "best_trial": best,
            "best_value": None if best is None else self.ledger.outcome(best).value,
        }
