"""Compare LambdaMART with directions of features with LambdaMART without, here and in LightGBM.

FOLDS holds Fold1 to Fold5 of MQ2008 or MQ2007, each with train.txt and test.txt. The features of
BM25 (21 to 25) and of language models (26 to 40) are to be increasing. Each fold trains all, in
turns, several times; seconds are the least of processor time. p is two-sided, by the randomisation
test over the queries of all folds, against the same system without directions.

Then every test document is swept through our models: each of those features takes, one after the
other, a value from every gap between the thresholds that the model knows of it, which is all that
can change a score. A violation is a score that falls.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import lightgbm
import numpy as np
import numpy.typing as npt
from packages import version_of

import rankforest as rf
from rankforest import _core

METRIC = "ndcg@10"
INCREASING = range(21, 41)
RATE, LEAVES, IN_LEAF = 0.1, 31, 20

Train = Callable[[rf.Dataset, int], tuple[rf.Model, float]]  # the model, seconds


def _ours(**settings: Any) -> Train:
    def train(data: rf.Dataset, rounds: int) -> tuple[rf.Model, float]:
        ranker = rf.LambdaMART(
            n_estimators=rounds, learning_rate=RATE, max_leaf_nodes=LEAVES,
            min_samples_leaf=IN_LEAF, n_jobs=1, random_state=0, **settings,
        )  # fmt: skip
        begin = time.process_time()
        ranker.fit(data)
        return ranker.model_, time.process_time() - begin

    return train


def _lightgbm(method: str | None) -> Train:
    def train(data: rf.Dataset, rounds: int) -> tuple[rf.Model, float]:
        settings = {
            "objective": "lambdarank", "learning_rate": RATE, "num_leaves": LEAVES,
            "min_data_in_leaf": IN_LEAF, "num_threads": 1, "verbose": -1,
        }  # fmt: skip
        if method is not None:
            directions = [int(j + 1 in INCREASING) for j in range(data.n_features)]
            settings |= {"monotone_constraints": directions, "monotone_constraints_method": method}
        group = np.bincount(data.query_codes)  # the documents of a query are neighbours
        begin = time.process_time()
        booster = lightgbm.train(settings, lightgbm.Dataset(data.X, data.y, group=group), rounds)
        seconds = time.process_time() - begin
        with tempfile.TemporaryDirectory() as folder:
            booster.save_model(Path(folder, "m.txt"))
            return rf.load(Path(folder, "m.txt")), seconds

    return train


@dataclass
class System:
    """A way to train, and what came of it."""

    train: Train
    free: str  # the same without directions
    is_swept: bool = False
    seconds: float = 0.0
    values: list[npt.NDArray[np.float64]] = field(default_factory=list)  # of queries, by fold
    steps: int = 0
    violations: int = 0


def systems() -> dict[str, System]:
    """Return what is compared."""
    directions = {f"{number}": 1 for number in INCREASING}
    free, theirs = "rankforest", "LightGBM"
    return {
        free: System(_ours(), free, is_swept=True),
        "rankforest, increasing": System(_ours(monotonic_cst=directions), free, is_swept=True),
        theirs: System(_lightgbm(None), theirs),
        "LightGBM, increasing, basic": System(_lightgbm("basic"), theirs),
        "LightGBM, increasing, intermediate": System(_lightgbm("intermediate"), theirs),
    }


def thresholds_of(model: rf.Model, feature: int) -> npt.NDArray[np.float32]:
    """Return the different thresholds of a feature."""
    found: set[float] = set()
    for member in model._ensemble.to_arrays()["members"]:
        for group in member["groups"]:
            for tree in group["trees"]:
                found.update(tree["threshold"][tree["feature"] == feature].tolist())
    return np.array(list(found), dtype=np.float32)


def sweep(model: rf.Model, test: rf.Dataset) -> tuple[int, int]:
    """Return how many steps of a sweep there are, and how many of them lower a score."""
    steps = violations = 0
    ends = np.array([-np.inf, np.inf], dtype=np.float32)
    for number in INCREASING:
        before = None
        X = test.X.copy()
        for value in np.sort(np.append(thresholds_of(model, number - 1), ends)):
            X[:, number - 1] = value
            scores = model.predict(X)
            if before is not None:
                violations += int((scores < before).sum())
                steps += len(scores)
            before = scores
    return steps, violations


def run_fold(compared: dict[str, System], folder: Path, rounds: int, repeats: int) -> None:
    """Train and measure on one fold."""
    train, test = (rf.read_letor(folder / f"{part}.txt", n_jobs=1) for part in ("train", "test"))
    train._core  # noqa: B018  # prepared once, for all
    runs = [
        {name: system.train(train, rounds) for name, system in compared.items()}
        for _ in range(repeats)
    ]
    for name, system in compared.items():
        model = runs[0][name][0]
        system.seconds += min(run[name][1] for run in runs)
        frame = rf.evaluate(test, model.predict(test.X), [METRIC], per_query="pandas")
        system.values.append(frame[METRIC].to_numpy())
        if system.is_swept:
            steps, violations = sweep(model, test)
            system.steps += steps
            system.violations += violations


def p_value(system: System, free: System) -> str:
    """Return how likely a difference as large is by chance."""
    if system is free:
        return ""
    difference = np.concatenate(system.values) - np.concatenate(free.values)
    counted = np.ascontiguousarray(difference[~np.isnan(difference)])
    return f"{_core.randomisation_test(counted, 100_000, 0, 1).p_value:.3f}"


@click.command(help=__doc__)
@click.argument("folds", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", default=100, show_default=True)
@click.option("--repeats", default=3, show_default=True)
def main(folds: Path, rounds: int, repeats: int) -> None:
    compared = systems()
    for fold in range(1, 6):
        run_fold(compared, folds / f"Fold{fold}", rounds, repeats)
        click.echo(f"fold {fold} of 5", err=True)
    click.echo(f"LightGBM {version_of('lightgbm', 'lightgbm')}")
    click.echo(f"| LambdaMART | {METRIC} | p | processor s | ratio | steps | violations |")
    click.echo("|---|---:|---:|---:|---:|---:|---:|")
    for name, system in compared.items():
        free = compared[system.free]
        swept = f"{system.steps:,} | {system.violations:,}" if system.is_swept else " | "
        mean = np.nanmean([np.nanmean(values) for values in system.values])
        click.echo(
            f"| {name} | {mean:.4f} | {p_value(system, free)} | {system.seconds:.2f} | "
            f"{system.seconds / free.seconds:.2f} | {swept} |"
        )


if __name__ == "__main__":
    main()
