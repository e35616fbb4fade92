"""What a search found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankforest._support.files import whole_file
from rankforest._support.frames import FrameLibrary, to_frame
from rankforest._support.paths import StrPath, expanded
from rankforest.tuning.curve import expected_of_best
from rankforest.tuning.outcome import Outcome, mean
from rankforest.tuning.toml import as_toml

if TYPE_CHECKING:
    import optuna

Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class TrialResult:
    """One trial.

    Attributes
    ----------
    number : int
        Counted from 0.
    params : dict
        The parameters that were searched.
    value : float
        Mean of the metric on the validation parts; where the trial was pruned, on those that were
        measured until then.
    test, holdout : float
        Means on the test parts and on the held-out set; NaN where there are none.
    n_models : int
        Models that were trained to the end: folds times seeds, unless the trial was pruned.
    rounds : float
        Mean number of rounds that these models kept.
    spread : float
        Standard deviation of the validation values of these models.
    is_pruned : bool
        Whether it ended early.
    """

    number: int
    params: dict[str, Any]
    value: float
    test: float
    holdout: float
    n_models: int
    rounds: float
    spread: float
    is_pruned: bool

    @classmethod
    def of(cls, number: int, params: Mapping[str, Any], outcome: Outcome) -> TrialResult:
        """Return the summary of what came of a trial."""
        spread = float(np.std(outcome.valid, ddof=1)) if len(outcome.valid) > 1 else nan
        return cls(
            number,
            dict(params),
            outcome.value,
            nan if outcome.is_pruned else mean(outcome.test),
            nan if outcome.is_pruned else mean(outcome.holdout),
            len(outcome.valid),
            mean([float(n) for n in outcome.rounds]),
            spread,
            outcome.is_pruned,
        )


class TuningResult:
    """What `rankforest.tune` found. `to_toml` gives it to ``ltr-train --config``.

    Attributes
    ----------
    best_params_ : dict
        The parameters that were searched, as the best trial has them.
    best_value_ : float
        The mean of the metric on its validation parts. It is the best of many, and so too good an
        estimate of what new queries will give; `best_trial_` has the test value, if there is one.
    best_trial_ : TrialResult
        The first trial of the best value; with a held-out set, of those until the held-out value
        of the best was best.
    best_estimator_ : estimator
        Trained anew with these parameters (`refit`): on all of the data where folds were made of
        it, for as many rounds as the best trial's models kept on average; on the fold's training
        part, with its validation part as evaluation set, where a single one was given.
    metric_ : str
        What trials were compared by.
    n_trials_ : int
        Number of trials.
    trials : tuple of TrialResult
        All of them, by number.
    study_ : optuna.Study
        The study, for Optuna's own plots and importances.
    """

    def __init__(
        self,
        *,
        metric: str,
        maximize: bool,
        trials: tuple[TrialResult, ...],
        best: int,
        tuned: Any,
        best_estimator: Any,
        study: optuna.Study,
    ) -> None:
        self.metric_ = metric
        self.trials = trials
        self.best_trial_ = trials[best]
        self.study_ = study
        self._maximize = maximize
        self._tuned = tuned
        self._best_estimator = best_estimator

    @property
    def best_params_(self) -> dict[str, Any]:
        """The searched parameters of the best trial."""
        return dict(self.best_trial_.params)

    @property
    def best_value_(self) -> float:
        """The validation value of the best trial."""
        return self.best_trial_.value

    @property
    def n_trials_(self) -> int:
        """Number of trials."""
        return len(self.trials)

    @property
    def best_estimator_(self) -> Any:
        """The estimator that was trained anew."""
        if self._best_estimator is None:
            raise AttributeError(
                "there is no best_estimator_: refit was False, or several folds were given, which "
                "have no training set in common; tuned_estimator() is the estimator to fit"
            )
        return self._best_estimator

    def tuned_estimator(self) -> Any:
        """Return an unfitted estimator with the parameters that `best_estimator_` is trained with."""
        from sklearn.base import clone  # noqa: PLC0415  # slow

        return clone(self._tuned)

    def __repr__(self) -> str:
        n_pruned = sum(trial.is_pruned for trial in self.trials)
        pruned = f", {n_pruned} of them pruned" if n_pruned else ""
        return (
            f"TuningResult({self.metric_} {self.best_value_:.4f} on validation, trial "
            f"{self.best_trial_.number} of {self.n_trials_}{pruned}: {self.best_params_})"
        )

    def columns(self) -> Columns:
        """Return one row for each trial, as columns by name."""
        trials = self.trials
        floats = ("value", "test", "holdout", "rounds", "spread")
        columns: Columns = {"trial": np.array([trial.number for trial in trials], dtype=np.int64)}
        for name in floats:
            columns[name] = np.array([getattr(trial, name) for trial in trials], dtype=np.float64)
        columns["n_models"] = np.array([trial.n_models for trial in trials], dtype=np.int64)
        columns["pruned"] = np.array([trial.is_pruned for trial in trials], dtype=object)
        for name in trials[0].params:
            columns[name] = _as_column([trial.params[name] for trial in trials])
        return columns

    def trials_frame(self, library: FrameLibrary = "pandas") -> Any:
        """Return the trials as a data frame, one row for each.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow", "arrow"}, default="pandas"
            As for `Dataset.to_frame`.

        Returns
        -------
        data frame
            Columns "trial", "value", "test", "holdout", "rounds", "spread", "n_models", "pruned"
            (see `TrialResult`), then one for each parameter.
        """
        return to_frame(self.columns(), library)

    def overfitting_curve(self) -> dict[str, npt.NDArray[np.float64]]:
        """Return how good the best of k trials is, on the validation parts and on the test parts.

        As more configurations are tried, the best validation value can only rise. Where the test
        value of the same configuration falls, the search has begun to fit the validation parts
        [1]_. The k trials are a random selection of all: every one that was not pruned counts, so
        for a fair picture give ``pruner=None`` and a random or grid search.

        Returns
        -------
        dict of str to ndarray of float64, shape (n_trials,)
            "n_trials": 1, 2, ..., k; and for each of "value", "test" and "holdout" that was measured
            the expected value of the trial that is best on the validation parts among k.

        References
        ----------
        .. [1] Y. Ganjisaffar, R. Caruana and C. V. Lopes, "Bagging gradient-boosted trees for high
           precision, low variance ranking models", SIGIR 2011, section 3.4.
        """
        whole = [trial for trial in self.trials if not trial.is_pruned]
        chooser = np.array([trial.value for trial in whole])
        curve = {"n_trials": np.arange(1, len(whole) + 1, dtype=np.float64)}
        for name in ("value", "test", "holdout"):
            values = np.array([getattr(trial, name) for trial in whole])
            if not np.isnan(values).any():
                curve[name] = expected_of_best(chooser, values, maximize=self._maximize)
        return curve

    def plot(self, path: StrPath | None = None) -> Any:
        """Draw `overfitting_curve`. Needs matplotlib.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write the picture; the suffix decides the format.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from rankforest.tuning.picture import draw  # noqa: PLC0415  # matplotlib is optional

        return draw(self.overfitting_curve(), self.metric_, path)

    def to_toml(self, path: StrPath | None = None) -> str:
        """Return the algorithm and its parameters, as ``ltr-train --config`` takes them.

        They are those of `tuned_estimator`, so the model of ``ltr-train`` on the same data is
        `best_estimator_`, bit for bit.

        Parameters
        ----------
        path : str or path-like, optional
            A file to write to as well.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If a parameter is a function, which text cannot hold.
        """
        text = (
            f"# {self.metric_} {self.best_value_:.4f} on validation, trial {self.best_trial_.number} of "
            f"{self.n_trials_}\n{as_toml(self._tuned)}"
        )
        if path is not None:
            with whole_file(expanded(path)) as file:
                file.write(text)
        return text


def _as_column(values: list[Any]) -> npt.NDArray[Any]:
    """Return the values of a parameter as numbers, if they are; else as text."""
    if all(type(value) is int for value in values):
        return np.array(values, dtype=np.int64)
    if all(type(value) in (int, float) for value in values):
        return np.array(values, dtype=np.float64)
    texts = np.empty(len(values), dtype=object)
    texts[:] = ["none" if value is None else str(value) for value in values]
    return texts
