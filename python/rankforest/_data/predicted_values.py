"""Missing values of one feature, predicted by the other features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core

Matrix = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Trainer:
    """How forests are trained that predict values."""

    algorithm: str
    settings: dict[str, Any]  #: as the core takes them
    seed: int
    n_threads: int

    def trained(
        self, rows: Matrix, targets: npt.NDArray[np.float64], feature: int
    ) -> _core.Ensemble:
        """Return a forest for targets from 0 to 1; a feature's draws are the same in every pass."""
        named = f"{self.seed} {feature}".encode()
        of_one_query = np.zeros(len(rows), dtype=np.uint32)
        data = _core.Dataset(rows, targets, of_one_query, 1, None, self.n_threads)
        trained = _core.train(
            self.algorithm,
            data,
            self.settings,
            seed=int.from_bytes(blake2b(named, digest_size=7).digest(), "little"),
            n_jobs=self.n_threads,
            watches=[],
            observer=None,
            objective=None,
        )
        forest: _core.Ensemble = trained["ensemble"]
        return forest


@dataclass(frozen=True, eq=False)
class Step:
    """Predicts one feature by some others."""

    feature: int
    columns: npt.NDArray[np.intp]  #: the features that it is predicted by
    least: float  #: of the values that were known
    largest: float
    forest: _core.Ensemble | None  #: of values between these, from 0 to 1; None for `least` alone

    @classmethod
    def of(
        cls,
        trainer: Trainer,
        feature: int,
        columns: npt.NDArray[np.intp],
        filled: Matrix,
        is_known: Mask,
    ) -> Step:
        """Learn from the documents that have the feature.

        Parameters
        ----------
        trainer : Trainer
            Of the forest.
        feature : int
            What is to be predicted.
        columns : ndarray of int
            What it is predicted by.
        filled : ndarray of float32, shape (n_documents, n_features)
            What is known, and what stands for the rest so far.
        is_known : ndarray of bool, shape (n_documents,)
            Which documents have the feature.
        """
        values = finite(filled[is_known, feature])
        least, largest = float(values.min()), float(values.max())
        if least == largest:
            return cls(feature, columns, least, largest, None)
        if len(columns) == 0:  # then the mean is all that can be said
            (mean,) = _core.fill_values(values[:, None], "mean", 1).tolist()
            return cls(feature, columns, mean, mean, None)
        targets = (values.astype(np.float64) - least) / (largest - least)
        rows = np.ascontiguousarray(filled[is_known][:, columns])
        forest = trainer.trained(rows, targets, feature)
        return cls(feature, columns, least, largest, forest)

    def predict(self, filled: Matrix, n_threads: int) -> Matrix:
        """Return the feature of each document, within the values that were known."""
        if self.forest is None:
            return np.full(len(filled), self.least, dtype=np.float32)
        rows = np.ascontiguousarray(filled[:, self.columns])
        shares = _core.CompiledScorer(self.forest).predict(rows, None, n_threads)
        values = self.least + shares * (self.largest - self.least)
        return np.clip(values, self.least, self.largest).astype(np.float32)


def passes(
    trainer: Trainer, filled: Matrix, is_known: Mask, *, starts_complete: bool
) -> Iterator[tuple[list[Step], float]]:
    """Predict the missing values of all features, again and again: the steps of each pass.

    Mohan, "An empirical analysis on point-wise machine learning techniques using regression trees
    for web-search ranking", 2010, algorithm 2.

    Parameters
    ----------
    trainer : Trainer
        Of the forests.
    filled : ndarray of float32, shape (n_documents, n_features)
        Features, NaN where missing; predictions are written into it.
    is_known : ndarray of bool, shape (n_documents, n_features)
        Where they were not missing; every feature is known somewhere.
    starts_complete : bool
        Whether the first pass predicts by the features that are complete so far; otherwise by
        all, with what is missing.

    Yields
    ------
    steps : list of Step
        In their order.
    change : float
        How much the pass changed the feature that it changed most: the mean difference as a share
        of the range of its values; infinite after the first pass.
    """
    features = np.arange(filled.shape[1])
    complete: Mask = np.asarray(is_known.all(axis=0))
    wanting = np.flatnonzero(~complete)
    is_first = True
    while True:
        steps, changes = [], [0.0]
        for feature in wanting.tolist():
            may_use = complete if is_first and starts_complete else np.ones_like(complete)
            columns = features[may_use & (features != feature)]
            gaps = ~is_known[:, feature]
            step = Step.of(trainer, feature, columns, filled, ~gaps)
            before = filled[gaps, feature]
            filled[gaps, feature] = step.predict(filled[gaps], trainer.n_threads)
            changes.append(_change(before, filled[gaps, feature], step.largest - step.least))
            complete[feature] = True
            steps.append(step)
        yield steps, np.inf if is_first else max(changes)
        is_first = False


def replayed(steps: Sequence[Step], filled: Matrix, is_known: Mask, n_threads: int) -> None:
    """Predict the missing values of other documents as those of the training data were."""
    for step in steps:
        gaps = ~is_known[:, step.feature]
        if gaps.any():
            filled[gaps, step.feature] = step.predict(filled[gaps], n_threads)


def finite(values: Matrix) -> Matrix:
    """Return values with the largest number of its sign for an infinity, as in training."""
    most = np.finfo(np.float32).max
    return np.clip(values, -most, most)


def _change(before: Matrix, now: Matrix, span: float) -> float:
    """Return the mean change in units of `span`; it does not depend on the order of the rows."""
    if span == 0.0:
        return 0.0
    differences = (np.abs(now.astype(np.float64) - before) / span).astype(np.float32)
    (mean,) = _core.fill_values(differences[:, None], "mean", 1).tolist()
    return float(mean)
