"""Compare LambdaMART with directions of features with LambdaMART without.

FOLDS holds Fold1 to Fold5 of MQ2008 or MQ2007, each with train.txt and test.txt. The features of
BM25 (21 to 25) and of language models (26 to 40) are to be increasing. Each fold trains both, in
turns, several times; seconds are the least of processor time. Then every test document is swept: each
of those features takes, one after the other, a value from every gap between the thresholds that the
model knows of it, which is all that can change a score. A violation is a score that falls.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest as rf

METRIC = "ndcg@10"
INCREASING = range(21, 41)
KINDS: dict[str, dict[str, Any]] = {
    "free": {},
    "increasing": {"monotonic_cst": {f"{number}": 1 for number in INCREASING}},
}


@dataclass
class Found:
    """What came of one kind, over the folds."""

    seconds: float = 0.0
    quality: list[float] = field(default_factory=list)
    steps: int = 0
    violations: int = 0


def trained(train: rf.Dataset, rounds: int, **settings: Any) -> tuple[rf.Model, float]:
    """Return a model and the processor time of its training."""
    ranker = rf.LambdaMART(n_estimators=rounds, n_jobs=1, random_state=0, **settings)
    begin = time.process_time()
    ranker.fit(train)
    return ranker.model_, time.process_time() - begin


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


def run_fold(folder: Path, rounds: int, repeats: int, found: dict[str, Found]) -> None:
    """Train and measure on one fold."""
    train, test = (rf.read_letor(folder / f"{part}.txt", n_jobs=1) for part in ("train", "test"))
    train._core  # noqa: B018  # prepared once, for both
    runs = [
        {kind: trained(train, rounds, **settings) for kind, settings in KINDS.items()}
        for _ in range(repeats)
    ]
    for kind, of_kind in found.items():
        model = runs[0][kind][0]
        of_kind.seconds += min(run[kind][1] for run in runs)
        of_kind.quality.append(rf.evaluate(test, model.predict(test), [METRIC])[METRIC])
        steps, violations = sweep(model, test)
        of_kind.steps += steps
        of_kind.violations += violations


@click.command(help=__doc__)
@click.argument("folds", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", default=100, show_default=True)
@click.option("--repeats", default=3, show_default=True)
def main(folds: Path, rounds: int, repeats: int) -> None:
    found = {kind: Found() for kind in KINDS}
    for fold in range(1, 6):
        run_fold(folds / f"Fold{fold}", rounds, repeats, found)
        click.echo(f"fold {fold} of 5", err=True)
    click.echo(f"| LambdaMART | {METRIC} | processor s | ratio | steps | violations |")
    click.echo("|---|---:|---:|---:|---:|---:|")
    for kind, each in found.items():
        click.echo(
            f"| {kind} | {np.mean(each.quality):.4f} | {each.seconds:.2f} | "
            f"{each.seconds / found['free'].seconds:.2f} | {each.steps:,} | {each.violations:,} |"
        )


if __name__ == "__main__":
    main()
