"""Show how the time of training grows with documents, features, trees and threads.

TRAIN is a .npz file with arrays X, y, qid and ptr, as for `train.py`, whose settings these are. The
base is all of it; each row differs from the base in one thing:

documents  the first queries
features   every second, fourth, ... column
trees      fewer or more
threads    one
sample     1 % of the documents, or of the queries, drawn anew for each round
busy       another process keeps one of the cores of this one busy

Every training happens in a process of its own, and the rows take turns. Times are medians: of
seconds from arrays to model, binning included, and of milliseconds between rounds. Beside each is
its ratio to the base.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
from train_systems import OUR_MART, OUR_RANKER, ROUNDS, SEED, SETTINGS, Arrays

ALGORITHMS: Mapping[str, Mapping[str, Any]] = {"LambdaMART": OUR_RANKER, "MART": OUR_MART}
SAMPLE = 0.01


@dataclass(frozen=True)
class Row:
    """A row of the table: how the base is changed."""

    curve: str
    label: str
    documents: float = 1.0  # which part of the base's queries
    every_column: int = 1
    trees: float = 1.0  # times those of the base
    threads: int = 2
    settings: tuple[tuple[str, Any], ...] = ()
    is_busy: bool = False


def _sample(unit: str) -> tuple[tuple[str, Any], ...]:
    return (("subsample", SAMPLE), ("subsample_unit", unit))


BASE = Row("base", "")
ROWS = (
    *(Row("documents", f"{part:.0%}", documents=part) for part in (0.1, 0.25, 0.5)),
    *(Row("features", f"one in {step}", every_column=step) for step in (8, 4, 2)),
    *(Row("trees", f"x {times}", trees=times) for times in (0.25, 0.5, 2)),
    Row("threads", "1", threads=1),
    *(
        Row("sample", f"{SAMPLE:.0%}, {unit}", settings=_sample(unit))
        for unit in ("document", "query")
    ),
    Row("busy", "one core", is_busy=True),
)


@dataclass(frozen=True)
class Base:
    """What all rows have in common."""

    train: Path
    documents: float
    rounds: int


@dataclass(frozen=True)
class Times:
    """One training."""

    n_documents: int
    n_features: int
    seconds: float
    ms_of_round: float


def load(base: Base, row: Row) -> Arrays:
    """Read the part of the data that a row trains on."""
    data = Arrays.load(base.train)
    n_queries = max(1, round(len(data.sizes) * base.documents * row.documents))
    n = int(data.sizes[:n_queries].sum())
    X = data.X[:n, :: row.every_column].copy()
    return Arrays(X, data.y[:n], data.qid[:n], data.sizes[:n_queries])


def execute(base: Base, row: Row, algorithm: str) -> Times:
    """Train once, in this process."""
    import rankforest

    data = load(base, row)
    ends: list[float] = []
    settings = {**ALGORITHMS[algorithm], **dict(row.settings)}
    model = getattr(rankforest, algorithm)(
        n_estimators=max(2, round(base.rounds * row.trees)),
        tree_method="hist",
        random_state=SEED,
        n_jobs=row.threads,
        callbacks=lambda _: ends.append(time.perf_counter()),
        **settings,
    )
    with ExitStack() as stack:
        if row.is_busy:
            stack.enter_context(busy_core())
        start = time.perf_counter()
        model.fit(rankforest.Dataset(data.X, data.y, qid=data.qid, n_jobs=row.threads))
        seconds = time.perf_counter() - start
    of_rounds = [after - before for before, after in itertools.pairwise(ends)]
    return Times(*data.X.shape, seconds, 1e3 * statistics.median(of_rounds))


@contextmanager
def busy_core() -> Iterator[None]:
    """Let another process work without end on one of the cores that this one may use."""
    core = min(os.sched_getaffinity(0))
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as spinning:
        try:
            os.sched_setaffinity(spinning.pid, {core})
            yield
        finally:
            spinning.kill()


def run(base: Base, rows: Sequence[Row], repeats: int) -> dict[tuple[Row, str], list[Times]]:
    """Let the rows take turns."""
    results: dict[tuple[Row, str], list[Times]] = {}
    for turn in range(1, repeats + 1):
        for row in rows:
            for algorithm in ALGORITHMS:
                with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
                    times = pool.submit(partial(execute, base, row, algorithm)).result()
                results.setdefault((row, algorithm), []).append(times)
                label = f"{turn}/{repeats} {algorithm} {row.curve} {row.label}"
                click.echo(f"{label} {times.seconds:.2f} s", err=True)
    return results


def table(rows: Sequence[Row], results: Mapping[tuple[Row, str], Sequence[Times]]) -> str:
    """Lay out the medians and their ratios to the base."""
    heads = "".join(f" {name} s | ratio | ms a round | ratio |" for name in ALGORITHMS)
    lines = ["| what | how much |" + heads, "|---|---|" + "---:|" * (4 * len(ALGORITHMS))]
    for row in rows:
        cells = []
        for algorithm in ALGORITHMS:
            of_base = results[BASE, algorithm]
            for name, digits in (("seconds", 2), ("ms_of_round", 1)):
                median = statistics.median(getattr(t, name) for t in results[row, algorithm])
                ratio = median / statistics.median(getattr(t, name) for t in of_base)
                cells += [f"{median:,.{digits}f}", f"{ratio:.2f}"]
        lines.append(f"| {row.curve} | {row.label} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _curves(_ctx: click.Context, _option: click.Parameter, text: str | None) -> list[str]:
    names = list(dict.fromkeys(row.curve for row in ROWS))
    chosen = text.split(",") if text else names
    unknown = [name for name in chosen if name not in names]
    if unknown:
        raise click.BadParameter(f"unknown {', '.join(unknown)}; there are {', '.join(names)}")
    return chosen


@click.command(help=__doc__)
@click.argument("train", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--only", "curves", callback=_curves, help="Curves, with commas between them.")
@click.option("--rounds", type=click.IntRange(8), default=ROUNDS, show_default=True, help="Trees.")
@click.option("--repeats", type=click.IntRange(1), default=3, show_default=True)
@click.option(
    "--part",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Of the queries of TRAIN that the base has: small ones try the program out.",
)
def main(train: Path, curves: list[str], rounds: int, repeats: int, part: float) -> None:
    rows = [BASE, *(row for row in ROWS if row.curve in curves)]
    results = run(Base(train, part, rounds), rows, repeats)
    click.echo(table(rows, results))
    base = results[BASE, "MART"][0]
    click.echo(
        f"\nBase: {base.n_documents:,} documents of {base.n_features} features, {rounds} trees, "
        f"{BASE.threads} threads; {repeats} trainings of each. {SETTINGS}"
    )


if __name__ == "__main__":
    main()
