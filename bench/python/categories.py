"""Compare what becomes of categorical features, on a made-up ranking task that needs them.

Documents have five numbers and five columns of levels: of 10, 1,000 and 50,000 levels that matter,
and of 1,000 and 50,000 that do not. Few levels are frequent and most are rare, as of shops, brands
and sites. The utility of a document adds up numbers, products of two, effects of levels and noise;
grades are by its quantiles. Each way trains a LambdaMART of the same settings with each seed, which
draws data, too. p is two-sided, by the randomisation test over the test queries of all seeds, against
target statistics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from time import process_time
from typing import Any

import click
import lightgbm as lgb
import numpy as np
import numpy.typing as npt
from sklearn.model_selection import KFold
from sklearn.preprocessing import OneHotEncoder, TargetEncoder

import rankforest as rf
from rankforest import _core

_Values = npt.NDArray[np.float64]
_Codes = npt.NDArray[np.int64]

BASELINE = "target statistics (`categorical_features`)"
#: Levels of each column, and the standard deviation of their effects.
COLUMNS = ((10, 0.5), (1_000, 0.8), (50_000, 0.8), (1_000, 0.0), (50_000, 0.0))
N_NUMBERS = 5
#: Documents of a query, and levels of a column that get a column of their own.
LENGTH, MOST_ONE_HOT = 40, 50
ROUNDS, LEAVES, RATE, FEWEST = 100, 31, 0.1, 20


class Part:
    """Documents of one seed: to train on, or to test."""

    def __init__(self, numbers: _Values, codes: _Codes, grades: _Values) -> None:
        self.numbers, self.codes, self.grades = numbers, codes, grades
        self.qid = np.arange(len(grades)) // LENGTH

    def dataset(self, *columns: npt.ArrayLike) -> rf.Dataset:
        """Return numbers beside some columns."""
        return rf.Dataset(np.column_stack([self.numbers, *columns]), self.grades, qid=self.qid)


def draw(seed: int, n_train: int, n_test: int) -> tuple[Part, Part]:
    """Make the documents of a seed."""
    lots = np.random.default_rng(seed)
    n = (n_train + n_test) * LENGTH
    numbers = lots.normal(size=(n, N_NUMBERS))
    utility = numbers[:, 0] + 0.5 * numbers[:, 1] * numbers[:, 2] + 0.8 * lots.normal(size=n)
    codes = np.empty((n, len(COLUMNS)), dtype=np.int64)
    for j, (n_levels, spread) in enumerate(COLUMNS):
        popularity = 1.0 / np.arange(3, n_levels + 3)  # Zipf's law, without the first two
        codes[:, j] = lots.permutation(n_levels)[
            lots.choice(n_levels, size=n, p=popularity / popularity.sum())
        ]
        utility += lots.normal(scale=spread, size=n_levels)[codes[:, j]]
    bounds = np.quantile(utility, [0.6, 0.8, 0.92, 0.98])
    grades = np.searchsorted(bounds, utility).astype(np.float64)
    end = n_train * LENGTH
    parts = slice(0, end), slice(end, n)
    return tuple(Part(numbers[p], codes[p], grades[p]) for p in parts)  # type: ignore[return-value]


def ours(seed: int, **settings: Any) -> rf.LambdaMART:
    """Make a LambdaMART."""
    return rf.LambdaMART(
        n_estimators=ROUNDS,
        max_leaf_nodes=LEAVES,
        learning_rate=RATE,
        min_samples_leaf=FEWEST,
        tree_method="hist",
        random_state=seed,
        n_jobs=1,
        **settings,
    )


def statistics(train: Part, test: Part, seed: int) -> _Values:
    """Let rankforest take the columns as categorical."""
    places = list(range(N_NUMBERS, N_NUMBERS + len(COLUMNS)))
    model = ours(seed, categorical_features=places).fit(train.dataset(train.codes))
    return model.predict(test.dataset(test.codes))


def sklearn_encoder(train: Part, test: Part, seed: int) -> _Values:
    """Encode by scikit-learn's TargetEncoder, crossed over documents, smoothed by each level alone."""
    encoder = TargetEncoder(target_type="continuous", cv=KFold(5, shuffle=True, random_state=seed))
    encoded = encoder.fit_transform(train.codes, train.grades)
    model = ours(seed).fit(train.dataset(encoded))
    return model.predict(test.dataset(encoder.transform(test.codes)))


def not_crossed(train: Part, test: Part, seed: int) -> _Values:
    """Let documents see their own grades in the statistics."""
    places = list(range(N_NUMBERS, N_NUMBERS + len(COLUMNS)))
    whole = train.dataset(train.codes)
    one_tree = rf.MART(n_estimators=1, n_jobs=1, categorical_features=places).fit(whole).model_
    seen = train.dataset(one_tree.encode(whole)[:, N_NUMBERS:])
    unseen = test.dataset(one_tree.encode(test.dataset(test.codes))[:, N_NUMBERS:])
    return ours(seed).fit(seen).predict(unseen)


def as_numbers(train: Part, test: Part, seed: int) -> _Values:
    """Take codes for numbers."""
    return ours(seed).fit(train.dataset(train.codes)).predict(test.dataset(test.codes))


def one_hot(train: Part, test: Part, seed: int) -> _Values:
    """Give the most frequent levels of each column columns of their own, the others one together."""
    encoder = OneHotEncoder(
        max_categories=MOST_ONE_HOT,
        handle_unknown="infrequent_if_exist",
        sparse_output=False,
        dtype=np.float32,
    )
    encoded = encoder.fit_transform(train.codes)
    return (
        ours(seed).fit(train.dataset(encoded)).predict(test.dataset(encoder.transform(test.codes)))
    )


def left_out(train: Part, test: Part, seed: int) -> _Values:
    """Rank by the numbers alone."""
    return ours(seed).fit(train.dataset()).predict(test.dataset())


def lightgbm(train: Part, test: Part, seed: int) -> _Values:
    """Train LightGBM, whose splits divide the levels of a column into two sets."""
    places = list(range(N_NUMBERS, N_NUMBERS + len(COLUMNS)))
    seen = np.column_stack([train.numbers, train.codes])
    unseen = np.column_stack([test.numbers, test.codes])
    ranker = lgb.LGBMRanker(
        n_estimators=ROUNDS,
        num_leaves=LEAVES,
        learning_rate=RATE,
        min_child_samples=FEWEST,
        lambdarank_truncation_level=30,
        random_state=seed,
        n_jobs=1,
        verbose=-1,
    )
    group = np.full(len(train.grades) // LENGTH, LENGTH)
    ranker.fit(seen, train.grades.astype(int), group=group, categorical_feature=places)
    return np.asarray(ranker.predict(unseen))


WAYS: Mapping[str, Callable[[Part, Part, int], _Values]] = {
    BASELINE: statistics,
    "the same, not crossed": not_crossed,
    "scikit-learn's `TargetEncoder`": sklearn_encoder,
    "codes as numbers": as_numbers,
    f"one-hot, {MOST_ONE_HOT} levels of each": one_hot,
    "left out": left_out,
    "LightGBM, splits on sets of levels": lightgbm,
}


def measure(seeds: int, n_train: int, n_test: int) -> dict[str, tuple[_Values, _Values, float]]:
    """Return NDCG@10 of each seed and of each query, and processor seconds, by way."""
    means: dict[str, list[float]] = {way: [] for way in WAYS}
    by_query: dict[str, list[_Values]] = {way: [] for way in WAYS}
    seconds = dict.fromkeys(WAYS, 0.0)
    for seed in range(1, seeds + 1):
        train, test = draw(seed, n_train, n_test)
        judged = test.dataset()
        for way, scores_of in WAYS.items():
            start = process_time()
            scores = scores_of(train, test, seed)
            seconds[way] += (process_time() - start) / seeds
            frame = rf.evaluate(judged, scores, ["ndcg@10"], per_query="pandas")
            by_query[way].append(frame["ndcg@10"].to_numpy())
            means[way].append(float(np.nanmean(by_query[way][-1])))
            click.echo(f"seed {seed} of {seeds}: {way}: {means[way][-1]:.4f}", err=True)
    return {
        way: (np.array(means[way]), np.concatenate(by_query[way]), seconds[way]) for way in WAYS
    }


def table(found: Mapping[str, tuple[_Values, _Values, float]]) -> str:
    """Lay out what was measured, as Markdown."""
    lines = ["| way | NDCG@10 | p | processor seconds |", "|---|---:|---:|---:|"]
    baseline = found[BASELINE][1]
    for way, (means, by_query, seconds) in found.items():
        error = means.std(ddof=1) / len(means) ** 0.5
        p = ""
        if way != BASELINE:
            differences = by_query - baseline
            differences = np.ascontiguousarray(differences[~np.isnan(differences)])
            p = f"{_core.randomisation_test(differences, 100_000, 0, 1).p_value:.5f}"
        lines.append(f"| {way} | {means.mean():.4f} ± {error:.4f} | {p} | {seconds:.1f} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.option("--seeds", type=click.IntRange(2), default=3, show_default=True, help="How many.")
@click.option("--train", "n_train", default=1000, show_default=True, help="Queries to train on.")
@click.option("--test", "n_test", default=400, show_default=True, help="Queries to test on.")
def main(seeds: int, n_train: int, n_test: int) -> None:
    systems = ", ".join(f"{name} {version(name)}" for name in ("lightgbm", "scikit-learn"))
    click.echo(f"{systems}\n\n{table(measure(seeds, n_train, n_test))}")


if __name__ == "__main__":
    main()
