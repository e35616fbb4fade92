"""Compare bags and blends with single models on the folds of MQ2008 or OHSUMED.

Every model trains on each fold with each seed. The table has the means of three measures on the
validation sets, by which one chooses, and on the test sets, with standard errors over the seeds.
With --refit the models that are measured on the test sets are trained anew, on the queries of the
training and validation sets, with nothing chosen anew. p is two-sided, by the randomisation test
over the queries of all folds, whose values are averaged over the seeds, against the single
LambdaMART on the features of the data alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
from quality import MEASURES

import rankforest as rf
from rankforest import _core

_Values = npt.NDArray[np.float64]

BASELINE = "LambdaMART"
#: Of every LambdaMART of `models_of`.
SETTINGS: dict[str, Any] = {"n_estimators": 50, "max_leaf_nodes": 7, "max_features": 0.3}
#: Of the bags of `slower_models_of`.
SLOWER: dict[str, Any] = {
    **SETTINGS,
    "n_bags": 20,
    "n_estimators": 100,
    "learning_rate": 0.05,
    "min_samples_leaf": 50,
}


def models_of(train: rf.Dataset, seed: int) -> dict[str, Any]:
    """Train everything on one fold."""
    added = train.with_query_features("rank", "zscore")
    of_map = {"metric": "map", "truncation": None}
    bag = rf.BaggedLambdaMART(n_bags=20, random_state=seed, **SETTINGS)
    forest = rf.RandomForest(
        n_estimators=1000,
        subsample=0.04,
        subsample_unit="query",
        bootstrap=False,
        random_state=seed,
    )
    models = {
        BASELINE: rf.LambdaMART(random_state=seed, **SETTINGS).fit(train),
        "bag": rf.BaggedLambdaMART(n_bags=20, random_state=seed, **SETTINGS).fit(train),
        "LambdaMART, query features": rf.LambdaMART(random_state=seed, **SETTINGS).fit(added),
        "bag, query features": bag.fit(added),
        "bag on MAP, query features": rf.BaggedLambdaMART(
            n_bags=20, random_state=seed, **SETTINGS, **of_map
        ).fit(added),
        "forest on 4 % of the queries, query features": forest.fit(added),
    }
    _, _, _, *parts = models.values()
    models["blend of the last two bags"] = rf.blend(parts[:2])
    models["blend of the last three"] = rf.blend(parts)
    both = [models["bag"], parts[2]]
    models["z-score blend of the bag and the forest"] = rf.blend(both, combine="zscore")
    return models


def slower_models_of(train: rf.Dataset, seed: int) -> dict[str, Any]:
    """Train bags of half the learning rate and large leaves, and what they are blended with."""
    added = train.with_query_features("rank", "zscore")
    small: dict[str, Any] = {**SLOWER, "max_leaf_nodes": 4, "n_estimators": 160}
    yeti: dict[str, Any] = {**SLOWER, "objective": "yetirank"}
    models: dict[str, Any] = {
        "slower bag": rf.BaggedLambdaMART(random_state=seed, **SLOWER).fit(train),
        "slower bag, query features": rf.BaggedLambdaMART(random_state=seed, **SLOWER).fit(added),
        "its trees with 4 leaves": rf.BaggedLambdaMART(random_state=seed, **small).fit(added),
        "its objective YetiRank": rf.BaggedLambdaMART(random_state=seed, **yeti).fit(added),
        "RankSVM": rf.RankSVM(C=0.001, random_state=seed).fit(train),
    }
    bag, _, small_bag, yeti_bag, svm = models.values()
    for name, parts in {
        "4 leaves and YetiRank": [small_bag, yeti_bag],
        "the slower bag, YetiRank and RankSVM": [bag, yeti_bag, svm],
    }.items():
        models[f"z-score blend of {name}"] = rf.blend(parts, combine="zscore")
    return models


def trained(data: str, train: rf.Dataset, seed: int) -> dict[str, Any]:
    """Train what a data set is compared on."""
    models = models_of(train, seed)
    if data == "mq2008":  # where they were looked for
        models |= slower_models_of(train, seed)
    return models


def measure(
    folder: Path, data: str, seeds: int, *, refit: bool
) -> tuple[dict[str, _Values], dict[str, _Values]]:
    """Train and measure.

    Returns
    -------
    means : dict of ndarray, shape (n_seeds, 6)
        By model: the validation values, then the test values, each the mean over the folds.
    by_query : dict of ndarray, shape (n_queries,)
        By model: the first test value of each query of all folds, averaged over the seeds.
    """
    first, *_ = names = list(MEASURES[data])
    means: dict[str, list[_Values]] = {}
    by_query: dict[str, list[_Values]] = {}
    for seed in range(1, seeds + 1):
        rows: dict[str, list[list[float]]] = {}
        of_seed: dict[str, list[_Values]] = {}
        for fold in range(1, 6):
            train, valid, test = (
                rf.read_letor(folder / data / f"Fold{fold}" / f"{part}.txt")
                for part in ("train", "vali", "test")
            )
            models = trained(data, train, seed)
            chosen_by = {name: rf.evaluate(valid, model, names) for name, model in models.items()}
            if refit:
                models = trained(data, rf.concat([train, valid]), seed)
            for name, model in models.items():
                scores = model.predict(test)
                values = rf.evaluate(test, scores, names)
                rows.setdefault(name, []).append(
                    [found[each] for found in (chosen_by[name], values) for each in names]
                )
                frame = rf.evaluate(test, scores, [first], per_query="pandas")
                of_seed.setdefault(name, []).append(frame[first].to_numpy())
        for name, each in rows.items():
            means.setdefault(name, []).append(np.mean(each, axis=0))
            by_query.setdefault(name, []).append(np.concatenate(of_seed[name]))
        click.echo(f"seed {seed} of {seeds}", err=True)
    return (
        {name: np.array(each) for name, each in means.items()},
        {name: np.mean(each, axis=0) for name, each in by_query.items()},
    )


def table(data: str, means: Mapping[str, _Values], by_query: Mapping[str, _Values]) -> str:
    """Lay out what was measured, as Markdown."""
    heads = [
        "model",
        *(f"validation {each}" for each in MEASURES[data]),
        *MEASURES[data],
        "p",
        "variance of its test value",
    ]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, values in means.items():
        errors = values.std(axis=0, ddof=1) / len(values) ** 0.5
        cells = [
            f"{mean:.4f} ± {error:.4f}" for mean, error in zip(values.mean(0), errors, strict=True)
        ]
        p = (
            ""
            if name == BASELINE
            else f"{_core.randomisation_test(by_query[name] - by_query[BASELINE], 100_000, 0, 1).p_value:.3f}"
        )
        of_test = values[:, len(MEASURES[data])]
        lines.append(f"| {name} | {' | '.join(cells)} | {p} | {of_test.var(ddof=1):.1e} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--data", type=click.Choice(list(MEASURES)), multiple=True, help="All by default.")
@click.option("--seeds", type=click.IntRange(2), default=5, show_default=True, help="How many.")
@click.option("--refit", is_flag=True, help="Test models of training and validation queries.")
def main(folder: Path, data: tuple[str, ...], seeds: int, *, refit: bool) -> None:
    for name in data or MEASURES:
        found = measure(folder, name, seeds, refit=refit)
        click.echo(f"{name}\n\n{table(name, *found)}\n")


if __name__ == "__main__":
    main()
