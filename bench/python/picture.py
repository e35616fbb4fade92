"""Draw the picture at the top of the README: how good a model is, by the seconds of its training.

TRAIN and TEST are .npz files with arrays X, y, qid and ptr, as for `train.py`, whose settings these
are. Each system trains LambdaMART in a process of its own, one after the other, and notes when each
round ended; the clock starts with the arrays in memory, so binning counts. Afterwards the models of
the first rounds are measured on TEST: NDCG@10, queries without a relevant document counted 0.
"""

from __future__ import annotations

import importlib
import itertools
import multiprocessing
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
from packages import version_of
from train_systems import (
    LIGHTGBM_RANKER,
    OUR_RANKER,
    ROUNDS,
    SEED,
    XGBOOST_RANKER,
    Arrays,
    lightgbm_settings,
    xgboost_settings,
)

METRIC = "ndcg@10(empty=0)"
WIDTH, HEIGHT, DPI = 7.2, 3.4, 150  # inches, and dots for each

Scores = npt.NDArray[np.floating]
#: What a training returns: scores of a data set after the first k rounds.
PredictFirst = Callable[[Arrays, int], Scores]
#: (data, rounds, threads, called after each round) -> PredictFirst
Train = Callable[[Arrays, int, int, Callable[[], None]], PredictFirst]


@dataclass(frozen=True)
class Curve:
    """A system's way to its model."""

    label: str
    seconds: Sequence[float]
    ndcg: Sequence[float]


def train_ours(data: Arrays, rounds: int, threads: int, tick: Callable[[], None]) -> PredictFirst:
    import rankforest

    train = rankforest.Dataset(data.X, data.y, qid=data.qid, n_jobs=threads)
    model = rankforest.LambdaMART(
        n_estimators=rounds,
        tree_method="hist",
        random_state=SEED,
        n_jobs=threads,
        callbacks=lambda _: tick(),
        **OUR_RANKER,
    ).fit(train)
    return lambda test, k: model[:k].predict(test.X)


def train_lightgbm(
    data: Arrays, rounds: int, threads: int, tick: Callable[[], None]
) -> PredictFirst:
    import lightgbm

    settings = lightgbm_settings("lambdarank", threads) | LIGHTGBM_RANKER | {"force_row_wise": True}
    train = lightgbm.Dataset(data.X, data.y, group=data.sizes)
    model = lightgbm.train(settings, train, rounds, callbacks=[lambda _: tick()])
    return lambda test, k: np.asarray(model.predict(test.X, num_iteration=k))


def train_xgboost(
    data: Arrays, rounds: int, threads: int, tick: Callable[[], None]
) -> PredictFirst:
    import xgboost

    class Tick(xgboost.callback.TrainingCallback):
        def after_iteration(self, *_: Any) -> bool:
            tick()
            return False

    settings = xgboost_settings("rank:ndcg", "hist", threads)
    train = xgboost.QuantileDMatrix(
        data.X, data.y, qid=data.qid, nthread=threads, max_bin=settings["max_bin"]
    )
    model = xgboost.train(settings | XGBOOST_RANKER, train, rounds, callbacks=[Tick()])
    return lambda test, k: model.inplace_predict(test.X, iteration_range=(0, k))


#: Label, module to import before the clock starts, training; the first is drawn on top.
SYSTEMS: Mapping[str, tuple[str, Train]] = {
    "rankforest LambdaMART": ("rankforest.estimators", train_ours),
    "LightGBM lambdarank": ("lightgbm", train_lightgbm),
    "XGBoost rank:ndcg": ("xgboost", train_xgboost),
}
COLOURS = ("#c1272d", "#2b6ca3", "#6b6b6b")


def execute(label: str, train: Path, test: Path, rounds: int, threads: int) -> Curve:
    """Train once in this process and measure the first rounds."""
    import rankforest

    module, fit = SYSTEMS[label]
    importlib.import_module(module)
    data = Arrays.load(train)
    ends: list[float] = []
    start = time.perf_counter()
    predict = fit(data, rounds, threads, lambda: ends.append(time.perf_counter()))
    held_out = Arrays.load(test)
    kept = sorted({1, 2, 5, *range(10, rounds + 1, 10), rounds})
    judged = (held_out.y, held_out.qid)
    ndcg = [rankforest.evaluate(judged, predict(held_out, k), METRIC)[METRIC] for k in kept]
    package = module.partition(".")[0]
    name = f"{label} {version_of(package, package)}"
    return Curve(name, [ends[k - 1] - start for k in kept], ndcg)


def execute_apart(*job: Any) -> Curve:
    """Do the same in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(execute, *job).result()


def draw(curves: Sequence[Curve], title: str, path: Path) -> None:
    """Draw the curves with their names beside their ends."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    for curve, colour in zip(curves, itertools.cycle(COLOURS), strict=False):
        axes.plot(curve.seconds, curve.ndcg, color=colour, marker="o", markersize=3, linewidth=1.6)
        axes.annotate(
            f"{curve.label}\n{curve.seconds[-1]:.0f} s, {curve.ndcg[-1]:.3f}",
            (curve.seconds[-1], curve.ndcg[-1]),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=8,
        )
    axes.set_xlim(0, 1.28 * max(curve.seconds[-1] for curve in curves))
    axes.set_xlabel("seconds of training")
    axes.set_ylabel("NDCG@10 on other queries")
    axes.set_title(title, fontsize=9, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.6)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DPI)


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(help=__doc__)
@click.argument("train", type=_FILE)
@click.argument("test", type=_FILE)
@click.argument("picture", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(1), default=ROUNDS, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
def main(train: Path, test: Path, picture: Path, rounds: int, threads: int) -> None:
    os.environ["OMP_NUM_THREADS"] = str(threads)
    curves = [execute_apart(label, train, test, rounds, threads) for label in SYSTEMS]
    with np.load(train) as file:
        n_documents, n_features = file["X"].shape
    title = (
        f"{n_documents:,} documents of {n_features} features, {rounds} trees of "
        f"{OUR_RANKER['max_leaf_nodes']} leaves, {threads} threads"
    )
    draw(curves, title, picture)
    for curve in curves:
        click.echo(f"{curve.label}: {curve.seconds[-1]:.2f} s, NDCG@10 {curve.ndcg[-1]:.4f}")


if __name__ == "__main__":
    main()
