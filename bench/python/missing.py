"""Compare what becomes of missing values, on the folds of MQ2008 or OHSUMED, which have none.

Values are taken out of all documents in two ways: a share of all at random ("random"), or twice
that share of those that are not above the middle of their feature, so that absence says something
("low"). Each treatment trains on each fold and ranks its test documents, out of which values were
taken alike. p is two-sided, by the randomisation test over the queries of all folds, against
missing="learn". As table 2.1 of Mohan, "An empirical analysis on point-wise machine learning
techniques using regression trees for web-search ranking", 2010.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest as rf
from rankforest import _core

_Values = npt.NDArray[np.float64]

TREATMENTS = (0, 1, "inf", "mean", "median", "predict", "third", "learn")
RANKERS: Mapping[str, Callable[..., Any]] = {
    "forest": lambda **settings: rf.RandomForest(n_estimators=50, **settings),
    "lambdamart": lambda **settings: rf.LambdaMART(
        n_estimators=50, max_leaf_nodes=7, max_features=0.3, **settings
    ),
}
METRICS = ["ndcg@10", "err"]


def without(
    data: rf.Dataset, way: str, share: float, middle: npt.ArrayLike, seed: int
) -> rf.Dataset:
    """Take values out of a data set."""
    lots = np.random.default_rng(seed).random(data.X.shape)
    is_gone = lots < share if way == "random" else (lots < 2 * share) & (middle >= data.X)
    return rf.Dataset(np.where(is_gone, np.float32(np.nan), data.X), data.y, qid=data.qid)


def forms_of(train: rf.Dataset, test: rf.Dataset) -> dict[str | float, tuple[Any, ...]]:
    """Return what each treatment trains on, ranks, and tells the ranker."""
    filler = rf.MissingFiller(rf.RandomForest(n_estimators=10, min_samples_leaf=10), max_iter=2)
    forms = {treatment: (train, test, treatment) for treatment in TREATMENTS}
    return forms | {"predict": (filler.fit_transform(train), filler.transform(test), "learn")}


def measure(
    folder: Path, data: str, way: str, share: float
) -> dict[str, dict[str | float, dict[str, _Values]]]:
    """Return the values of each query of all folds, by ranker, treatment and metric."""
    found: dict[str, dict[str | float, dict[str, list[_Values]]]] = {
        ranker: {treatment: {metric: [] for metric in METRICS} for treatment in TREATMENTS}
        for ranker in RANKERS
    }
    for fold in range(1, 6):
        train, test = (
            rf.read_letor(folder / data / f"Fold{fold}" / f"{part}.txt")
            for part in ("train", "test")
        )
        middle = np.median(train.X, axis=0)
        train, test = (
            without(each, way, share, middle, 2 * fold + i) for i, each in enumerate((train, test))
        )
        for treatment, (trained_on, ranked, missing) in forms_of(train, test).items():
            for ranker, make in RANKERS.items():
                scores = make(missing=missing).fit(trained_on).predict(ranked)
                frame = rf.evaluate(test, scores, METRICS, per_query="pandas")
                for metric in METRICS:
                    found[ranker][treatment][metric].append(frame[metric].to_numpy())
        click.echo(f"{way}: fold {fold} of 5", err=True)
    return {
        ranker: {
            treatment: {metric: np.concatenate(values) for metric, values in each.items()}
            for treatment, each in by_treatment.items()
        }
        for ranker, by_treatment in found.items()
    }


def table(found: Mapping[str | float, Mapping[str, _Values]]) -> str:
    """Lay out what was measured, as Markdown."""
    lines = ["| missing | " + " | ".join(f"{m} | p" for m in METRICS) + " |"]
    lines.append("|---" * (1 + 2 * len(METRICS)) + "|")
    for treatment, values in found.items():
        cells = []
        for metric in METRICS:
            difference = values[metric] - found["learn"][metric]
            counted = np.ascontiguousarray(difference[~np.isnan(difference)])
            test = _core.randomisation_test(counted, 100_000, 0, 1)
            p = "" if treatment == "learn" else f"{test.p_value:.3f}"
            cells += [f"{np.nanmean(values[metric]):.4f}", p]
        lines.append(f"| {treatment} | {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--data", default="mq2008", show_default=True, help="A folder of folds in it.")
@click.option("--share", type=click.FloatRange(0, 0.5), default=0.3, show_default=True)
def main(folder: Path, data: str, share: float) -> None:
    for way in ("random", "low"):
        for ranker, found in measure(folder, data, way, share).items():
            click.echo(f"\n{data}, {way}, {ranker}\n\n{table(found)}")


if __name__ == "__main__":
    main()
