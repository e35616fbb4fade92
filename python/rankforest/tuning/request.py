"""What `tune` is asked for, checked, and how it is done."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from optuna.distributions import BaseDistribution
from optuna.pruners import BasePruner
from sklearn.base import clone

from rankforest._settings.parameters import (
    FLAG,
    NONE,
    POSITIVE,
    RULES,
    Problems,
    Rule,
    integer,
    thread_count,
)
from rankforest._support.wording import described
from rankforest.estimators.base import Ranker
from rankforest.estimators.watches import Metrics
from rankforest.tuning.folds import Material, fingerprint, graded_set
from rankforest.tuning.ledger import Ledger
from rankforest.tuning.outcome import Outcome, mean
from rankforest.tuning.proposals import (
    Proposer,
    check_sampler,
    grid_of,
    name_of,
    parse_pruner,
)
from rankforest.tuning.purpose import Purpose, plain_parameters
from rankforest.tuning.result import TrialResult, TuningResult
from rankforest.tuning.search import Limits, Search, Standing, TrialCallback, Workers
from rankforest.tuning.spaces import as_record, parse_space
from rankforest.tuning.trial import VALID, Plan

#: Trials of a search that is not over a grid, where the user names no number.
DEFAULT_TRIALS = 50

#: Of the arguments that are checked one by one.
_RULES: dict[str, Rule] = {
    "folds": integer(2),
    "seeds": integer(1),
    "n_trials": integer(1) | NONE,
    "timeout": POSITIVE | NONE,
    "n_parallel": integer(1),
    "n_jobs": RULES["n_jobs"],
    "study_name": Rule("a name", RULES["early_stopping_set"].parse),
    "patience": integer(1) | NONE,
    "refit": FLAG,
    "callbacks": RULES["callbacks"],
    "verbose": RULES["verbose"],
    "random_state": Rule("an integer in [0, 2**64)", integer(0).parse),
}


@dataclass(frozen=True)
class Request:
    """A search that can be done."""

    material: Material
    plan: Plan
    proposer: Proposer
    workers: Workers
    limits: Limits
    purpose: Purpose
    study_name: str
    refit: bool
    callbacks: Sequence[TrialCallback]

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> Request:
        """Make a search of the arguments of `tune`.

        Raises
        ------
        ValueError
            That lists everything that is wrong.
        """
        problems = Problems("tune")
        plain: dict[str, Any] = {}
        for name, rule in _RULES.items():
            with problems.collected():
                plain[name] = rule.check(name, given[name])
        metrics = _check_estimator(given["estimator"], problems)
        space: dict[str, BaseDistribution] = {}
        if metrics is not None:
            space = parse_space(given["estimator"], given["space"], problems)
        with problems.collected():
            check_sampler(given["sampler"])
            if given["sampler"] == "grid":
                grid_of(space)
        pruner: BasePruner | None = None
        with problems.collected():
            pruner = parse_pruner(given["pruner"], given["sampler"])
        if (given["holdout"] is None) != (given["patience"] is None):
            problems.add("holdout and patience go together: give both, or none")
        problems.raise_if_any()
        assert metrics is not None
        return cls._made(given, plain, metrics, space, pruner)

    @classmethod
    def _made(
        cls,
        given: Mapping[str, Any],
        plain: Mapping[str, Any],
        metrics: Metrics,
        space: dict[str, BaseDistribution],
        pruner: BasePruner | None,
    ) -> Request:
        """Make a search of arguments that are fine one by one."""
        estimator, seed = given["estimator"], plain["random_state"]
        n_jobs = thread_count(plain["n_jobs"])
        material = Material.of(given["data"], plain["folds"], seed, n_jobs)
        holdout = None
        if given["holdout"] is not None:
            holdout = graded_set("holdout", given["holdout"], n_jobs)
        if material.whole is not None and plain["refit"]:
            _check_refit(estimator)
        plan = Plan(
            estimator,
            material.folds,
            [estimator.random_state + i for i in range(plain["seeds"])],
            next(iter(metrics.by_spelling)),
            metrics.first.maximize,
            holdout,
        )
        proposer = Proposer(space, given["sampler"], pruner, plan.maximize, seed)
        shown = [_printer(plain["verbose"], plan.metric)] if plain["verbose"] else []
        return cls(
            material,
            plan,
            proposer,
            Workers(plain["n_parallel"], n_jobs),
            _limits(plain, proposer),
            _purpose(material, plan, proposer, given, plain),
            plain["study_name"],
            plain["refit"],
            [*plain["callbacks"], *shown],
        )

    def run(self, storage: Any) -> TuningResult:
        """Search, with the study in a storage, and return what was found."""
        with Ledger.opened(storage, self.study_name, self.purpose) as ledger:
            with _constant_models_allowed():
                standing = Search(
                    self.plan, self.proposer, ledger, self.workers, self.limits, self.callbacks
                ).run()
            if standing.chosen is None:
                raise ValueError(f"tune: {self._why_none(standing)}")
            return self._result(ledger, standing, standing.chosen)

    def _why_none(self, standing: Standing) -> str:
        """Say why there is no best trial."""
        if standing.n > 0:
            return f"every trial was pruned, all {standing.n} of them; the pruner is too strict"
        return f"no trial was finished within timeout={self.limits.timeout:g} seconds"

    def _result(self, ledger: Ledger, standing: Standing, best: int) -> TuningResult:
        trials = tuple(
            TrialResult.of(number, ledger.trials[number].params, ledger.outcome(number))
            for number in range(standing.n)
        )
        tuned = self._tuned(trials[best].params, ledger.outcome(best))
        return TuningResult(
            metric=self.plan.metric,
            maximize=self.plan.maximize,
            trials=trials,
            best=best,
            tuned=tuned,
            best_estimator=self._trained(tuned) if self.refit else None,
            study=ledger.study,
        )

    def _tuned(self, params: Mapping[str, Any], outcome: Outcome) -> Any:
        """Return the unfitted estimator of the best trial, as it is to be trained on all data."""
        original = self.plan.estimator
        tuned = self.plan.made(params, self.plan.seeds[0], original.n_jobs)
        is_early = getattr(tuned, "early_stopping_rounds", None) is not None
        if self.material.whole is not None and is_early:
            rounds = max(1, round(mean([float(n) for n in outcome.rounds])))
            name = "max_iter" if "max_iter" in tuned.get_params() else "n_estimators"
            tuned.set_params(**{name: rounds}, early_stopping_rounds=None)
        return tuned

    def _trained(self, tuned: Any) -> Any:
        """Return the estimator trained; None where there is nothing that it should be trained on."""
        estimator = clone(tuned)
        if self.material.whole is not None:
            return estimator.fit(self.material.whole)
        if len(self.material.folds) > 1:
            return None
        (fold,) = self.material.folds
        return estimator.fit(fold.train, eval_set={VALID: fold.valid})


@contextmanager
def _constant_models_allowed() -> Iterator[None]:
    """Let parameters with which no tree has a split be one more trial, not worth a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"\w+: the model is constant", UserWarning)
        yield


def _check_estimator(estimator: Any, problems: Problems) -> Metrics | None:
    """Return the metrics of the estimator; None where it is none. Notes what is wrong with it."""
    if not isinstance(estimator, Ranker):
        problems.add(
            "estimator must be one of rankforest's, such as LambdaMART(n_estimators=1000), got "
            + described(estimator)
        )
        return None
    estimator._settings(problems)
    metrics = Metrics(estimator.metric, problems)
    if isinstance(estimator.random_state, bool) or not isinstance(estimator.random_state, int):
        problems.add(
            "estimator.random_state must be an integer, so that a trial can be repeated, got "
            f"{estimator.random_state!r}"
        )
    if estimator.warm_start:
        problems.add("estimator.warm_start must be False: each trial trains anew")
    wanted = getattr(estimator, "early_stopping_set", None)
    if wanted not in (None, VALID):
        problems.add(
            f"estimator.early_stopping_set must be None or {VALID!r}, the validation part of a fold, "
            f"got {wanted!r}"
        )
    return metrics if metrics.metrics else None


def _check_refit(estimator: Any) -> None:
    """Raise a ValueError if the estimator cannot be trained on all the data without a part for validation."""
    if getattr(estimator, "tree_weights", None) == "expected_ndcg":
        raise ValueError(
            'tune: tree_weights="expected_ndcg" needs a validation part, and refit trains on all '
            "data: use refit=False, or give folds (train, valid)"
        )


def _limits(plain: Mapping[str, Any], proposer: Proposer) -> Limits:
    wanted, size = plain["n_trials"], proposer.n_points
    if size is not None:
        n_trials = size if wanted is None else min(wanted, size)
    else:
        n_trials = DEFAULT_TRIALS if wanted is None else wanted
    return Limits(n_trials, plain["timeout"], plain["patience"])


def _purpose(
    material: Material,
    plan: Plan,
    proposer: Proposer,
    given: Mapping[str, Any],
    plain: Mapping[str, Any],
) -> Purpose:
    parameters = plain_parameters(plan.estimator)
    record = {
        "estimator": type(plan.estimator).__name__,
        "metric": parameters.pop("metric"),
        "parameters": {k: v for k, v in parameters.items() if k not in proposer.space},
        "space": as_record(proposer.space),
        "data": material.fingerprint(),
        "folds": plain["folds"] if material.whole is not None else len(material.folds),
        "seeds": plain["seeds"],
        "holdout": [] if plan.holdout is None else [[fingerprint(plan.holdout)]],
        "sampler": name_of(given["sampler"]),
        "pruner": name_of(proposer.pruner),
        "n_parallel": plain["n_parallel"] if proposer.has_memory else 1,
        "random_state": plain["random_state"],
    }
    return Purpose(record, plan.maximize)


def _printer(every: int, metric: str) -> TrialCallback:
    """Return a callback that prints a line each time that `every` more trials are done."""

    def show(report: Mapping[str, Any]) -> None:
        if (report["trial"] + 1) % every == 0:
            print(described_trial(report, metric))

    return show


def described_trial(report: Mapping[str, Any], metric: str) -> str:
    """Return one line about a trial, for people."""
    value = f"{metric} {report['value']:.6g}{' (pruned)' if report['is_pruned'] else ''}"
    best = report["best_value"]
    so_far = "" if best is None else f", best {best:.6g} in trial {report['best_trial']}"
    params = ", ".join(f"{name}={_short(value)}" for name, value in report["params"].items())
    done = f"trial {report['trial']}, {report['trial'] + 1} of {report['n_trials']}"
    return f"{done}: {value}{so_far}; {params}"


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
