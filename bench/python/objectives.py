"""Compare the objectives of LambdaMART with each other and with CatBoost's YetiRank.

FOLDER holds S_train.npz, vali.npz and test.npz, with arrays X, y, qid and ptr, the documents of
query i being rows ptr[i] to ptr[i + 1]. Every system trains once for each seed, in turns, so that a
busy moment hits all of them. The table has the mean NDCG@10 on both held-out sets and its standard
deviation over the seeds, and the median processor time from the arrays in memory to the model, with
its ratio to CatBoost's.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
from packages import version_of
from train_systems import BINS, DOCUMENTS_IN_LEAF, LEARNING_RATE, LEAVES, ROUNDS, Arrays

METRIC = "ndcg@10(empty=0)"
REFERENCE = "catboost"

Predict = Callable[[Arrays], npt.NDArray[np.floating]]
Train = Callable[[Arrays, int, int], Predict]  # of (data, seed, threads)


@dataclass(frozen=True)
class System:
    """A system under test."""

    label: str  # in the table
    package: str
    train: Train


@dataclass(frozen=True)
class Result:
    """What one training came to."""

    seconds: float  # of processor time
    valid: float
    test: float


def _ours(**given: Any) -> Train:
    settings = _COMMON | given

    def train(data: Arrays, seed: int, threads: int) -> Predict:
        import rankforest

        train = rankforest.Dataset(data.X, data.y, qid=data.qid, n_jobs=threads)
        model = rankforest.LambdaMART(random_state=seed, n_jobs=threads, **settings)
        model.fit(train)
        return lambda test: model.predict(test.X)

    return train


def _catboost(data: Arrays, seed: int, threads: int) -> Predict:
    import catboost

    model = catboost.CatBoost(
        {
            "loss_function": "YetiRank",
            "iterations": ROUNDS,
            "learning_rate": LEARNING_RATE,
            "depth": 6,
            "border_count": BINS - 1,
            "thread_count": threads,
            "random_seed": seed,
            "allow_writing_files": False,
            "logging_level": "Silent",
        }
    )
    model.fit(catboost.Pool(data.X, data.y, group_id=data.qid, thread_count=threads))
    return lambda test: np.asarray(model.predict(test.X))


_COMMON: dict[str, Any] = {
    "n_estimators": ROUNDS,
    "learning_rate": LEARNING_RATE,
    "tree_method": "hist",
}
# As in train.py, and trees that were chosen on the validation set.
_LARGE: dict[str, Any] = {"max_leaf_nodes": LEAVES, "min_samples_leaf": DOCUMENTS_IN_LEAF}
_SMALL: dict[str, Any] = {"max_leaf_nodes": None, "max_depth": 5, "min_samples_leaf": 300}
_EVERY_RANK: dict[str, Any] = {"truncation": None}
_PAIRS: dict[str, Any] = {"metric": "ndcg(gain=linear)", "lambda_norm": "gap", **_EVERY_RANK}
_YETIRANK: dict[str, Any] = {
    "objective": "yetirank",
    "decay": 1.0,
    "n_permutations": 3,
    **_EVERY_RANK,
}

SYSTEMS: Mapping[str, System] = {
    REFERENCE: System("CatBoost YetiRank, depth 6", "catboost", _catboost),
    "lambdarank": System("lambdarank, 64 leaves", "rankforest", _ours(**_LARGE)),
    "lambdarank-pairs": System(
        "lambdarank, linear gains by gap, depth 5",
        "rankforest",
        _ours(l2_regularization=10.0, **_PAIRS, **_SMALL),
    ),
    "yetirank-default": System(
        "yetirank, 64 leaves", "rankforest", _ours(objective="yetirank", **_LARGE)
    ),
    "yetirank": System(
        "yetirank, decay 1, depth 5",
        "rankforest",
        _ours(l2_regularization=30.0, **_YETIRANK, **_SMALL),
    ),
}


def execute(system: System, data: Mapping[str, Arrays], seed: int, threads: int) -> Result:
    """Train once and measure."""
    import rankforest

    start = time.process_time()
    predict = system.train(data["S_train"], seed, threads)
    seconds = time.process_time() - start

    def measured(name: str) -> float:
        judged = (data[name].y, data[name].qid)
        scores = np.asarray(predict(data[name]), dtype=np.float64)
        return float(rankforest.evaluate(judged, scores, METRIC)[METRIC])

    return Result(seconds, measured("vali"), measured("test"))


def table(results: Mapping[str, list[Result]]) -> str:
    """Return the results as a table in Markdown."""
    lines = [
        "| system | version | validation NDCG@10 | test NDCG@10 | processor s | of CatBoost's |",
        "|---|---|---:|---:|---:|---:|",
    ]
    medians = {name: statistics.median(r.seconds for r in runs) for name, runs in results.items()}
    for name, runs in results.items():
        system = SYSTEMS[name]
        version = version_of(system.package, system.package)
        ratio = f"{medians[name] / medians[REFERENCE]:.2f}" if REFERENCE in medians else "-"
        valid, test = [r.valid for r in runs], [r.test for r in runs]
        lines.append(
            f"| {system.label} | {version} | {_spread(valid)} | {_spread(test)} "
            f"| {medians[name]:.1f} | {ratio} |"
        )
    return "\n".join(lines)


def _spread(values: list[float]) -> str:
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.4f} ± {deviation:.4f}"


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--seeds", default=5, show_default=True, help="Trainings of each system.")
@click.option("--threads", default=1, show_default=True, help="Threads of each training.")
@click.option("--only", help="Systems, separated by commas; all by default.")
def main(folder: Path, seeds: int, threads: int, only: str | None) -> None:
    """Let the systems take turns."""
    chosen = only.split(",") if only else list(SYSTEMS)
    if unknown := [name for name in chosen if name not in SYSTEMS]:
        raise click.BadParameter(f"nothing is {unknown[0]!r}; there are {', '.join(SYSTEMS)}")
    there = [name for name in chosen if importlib.util.find_spec(SYSTEMS[name].package)]
    for name in set(chosen) - set(there):
        click.echo(f"{SYSTEMS[name].package} is not installed: {name} is left out", err=True)
    data = {name: Arrays.load(folder / f"{name}.npz") for name in ("S_train", "vali", "test")}
    results: dict[str, list[Result]] = {name: [] for name in there}
    for seed in range(1, seeds + 1):
        for name in there:
            result = execute(SYSTEMS[name], data, seed, threads)
            results[name].append(result)
            click.echo(
                f"{seed}/{seeds} {name}: {result.valid:.4f} {result.test:.4f}, "
                f"{result.seconds:.1f} s",
                err=True,
            )
    click.echo(table(results))


if __name__ == "__main__":
    main()
