"""Compare the model file of a forest with scikit-learn's pickle: size, and time to load.

TRAIN is LETOR text; several files follow each other. Both forests have the same number of unpruned
trees on bootstrap samples, with the same number of features for each split. Every loading happens
in a process of its own, with the file in the page cache, and the two take turns, so that a busy
moment hits both. The time is from the name of the file to an object that can predict; beside it
stands the processor time of all threads, which other work on the machine disturbs less.
"""

from __future__ import annotations

import multiprocessing
import pickle
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
from packages import version_of

import rankforest

SEED = 1
COLUMNS = ("forest", "version", "splits", "MB", "of", "median ms", "of", "processor ms", "of")


@dataclass(frozen=True)
class Saved:
    """A forest in a file."""

    label: str
    distribution: str
    path: Path
    splits: int  # of all trees
    load: Callable[[Path], object]


@dataclass(frozen=True)
class Loading:
    """One loading."""

    seconds: float
    processor_seconds: float


def save_ours(train: rankforest.Dataset, trees: int, threads: int, folder: Path) -> Saved:
    forest = rankforest.RandomForest(n_estimators=trees, random_state=SEED, n_jobs=threads)
    model = forest.fit(train).model_
    path = folder / "forest.rf"
    model.save(path)
    splits = int(model.feature_importances("split").sum())
    return Saved("rankforest RandomForest, model file", "rankforest", path, splits, rankforest.load)


def save_sklearn(train: rankforest.Dataset, trees: int, threads: int, folder: Path) -> Saved:
    from sklearn.ensemble import RandomForestRegressor

    forest = RandomForestRegressor(
        trees,
        max_features=train.X.shape[1].bit_length(),  # floor(log2 M) + 1, as ours
        random_state=SEED,
        n_jobs=threads,
    )
    forest.fit(train.X, train.y)
    path = folder / "forest.pickle"
    path.write_bytes(pickle.dumps(forest, protocol=pickle.HIGHEST_PROTOCOL))
    splits = sum(tree.get_n_leaves() - 1 for tree in forest.estimators_)
    label = "scikit-learn RandomForestRegressor, pickle"
    return Saved(label, "scikit-learn", path, splits, load_pickle)


def load_pickle(path: Path) -> object:
    with path.open("rb") as file:
        return pickle.load(file)  # we wrote it


def measure(load: Callable[[Path], object], path: Path) -> Loading:
    """Load once, in this process."""
    import sklearn.ensemble  # noqa: F401  # not part of the time

    path.read_bytes()
    processor, start = time.process_time(), time.perf_counter()
    model = load(path)
    loading = Loading(time.perf_counter() - start, time.process_time() - processor)
    del model
    return loading


def measure_apart(saved: Saved) -> Loading:
    """Load once, in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(partial(measure, saved.load, saved.path)).result()


def table(forests: list[Saved], loadings: dict[str, list[Loading]]) -> str:
    """Return the sizes and medians as a table in Markdown, each beside its part of scikit-learn's."""

    def figures(saved: Saved) -> tuple[float, ...]:
        runs = loadings[saved.label]
        return (
            saved.path.stat().st_size / 1e6,
            1000 * statistics.median(run.seconds for run in runs),
            1000 * statistics.median(run.processor_seconds for run in runs),
        )

    base = figures(forests[-1])
    lines = [f"| {' | '.join(COLUMNS)} |", "|---|---|" + "---:|" * (len(COLUMNS) - 2)]
    for saved in forests:
        cells = [saved.label, version_of(saved.distribution, saved.distribution)]
        cells.append(f"{saved.splits:,}")
        for figure, of in zip(figures(saved), base, strict=True):
            cells += [f"{figure:.1f}", f"{figure / of:.3f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command(help=__doc__)
@click.argument(
    "train", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--trees", type=click.IntRange(1), default=500, show_default=True)
@click.option("--repeats", type=click.IntRange(1), default=5, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True, help="To train.")
def main(train: tuple[Path, ...], trees: int, repeats: int, threads: int) -> None:
    data = rankforest.read_letor(train)
    with tempfile.TemporaryDirectory() as folder:
        forests = [save(data, trees, threads, Path(folder)) for save in (save_ours, save_sklearn)]
        loadings: dict[str, list[Loading]] = {saved.label: [] for saved in forests}
        for _ in range(repeats):
            for saved in forests:
                loadings[saved.label].append(measure_apart(saved))
        click.echo(table(forests, loadings))
    click.echo(f"\n{len(data.y):,} documents, {trees} trees, {repeats} loadings of each.")


if __name__ == "__main__":
    main()
