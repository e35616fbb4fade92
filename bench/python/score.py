"""Time scoring here and in other libraries: in bulk, one query at a time, one document.

TRAIN and TEST are .npz files with arrays X, y, qid and ptr, as for `train.py`. Every system trains
a model of the same size on the first queries of TRAIN (which is not timed) and scores documents of
TEST, float32 rows, in calls of its Python interface. The table has

- microseconds per document for all documents at once, on one thread and on several: the median of
  some repeats
- microseconds for a query of 120 documents on one thread: median and 99th percentile of many calls
- microseconds for one document likewise
- ratios of medians to the work's first system: in bulk on one thread, and for a query
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from packages import version_of
from score_systems import SETTINGS, SYSTEMS, Matrix, Score, Size, names
from train_systems import Arrays

QUERY = 120  # documents
SECONDS = 3.0  # at most, for the calls of one figure
COLUMNS = (
    "work",
    "system",
    "version",
    "bulk 1 thread",
    "bulk {} threads",
    "query median",
    "query p99",
    "document median",
    "bulk ratio",
    "query ratio",
)


@dataclass(frozen=True)
class Result:
    """Microseconds: per document in bulk, per call otherwise."""

    bulk: float
    bulk_threads: float
    query: float
    query_p99: float
    document: float


def seconds_of(calls: Sequence[Callable[[], object]], most: int) -> list[float]:
    """Time calls in turns, at least three and no more than `SECONDS` allow."""
    times: list[float] = []
    while len(times) < most and (len(times) < 3 or sum(times) < SECONDS):
        call = calls[len(times) % len(calls)]
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def measure(score: Score, X: Matrix, threads: int, repeats: int) -> Result:
    """Time a model on documents."""

    def calls(size: int, n_threads: int) -> list[Callable[[], object]]:
        parts = [X[i : i + size] for i in range(0, len(X) - size + 1, size)]
        return [lambda part=part: score(part, n_threads) for part in parts]

    def microseconds(size: int, n_threads: int, most: int) -> list[float]:
        timed = calls(size, n_threads)
        timed[0]()  # but not what is made at the first call
        return [1e6 * s for s in seconds_of(timed, most)]

    bulk = statistics.median(microseconds(len(X), 1, repeats)) / len(X)
    several = statistics.median(microseconds(len(X), threads, repeats)) / len(X)
    query = microseconds(QUERY, 1, 500)
    document = microseconds(1, 1, 500)
    return Result(
        bulk,
        several,
        statistics.median(query),
        float(np.percentile(query, 99)),
        statistics.median(document),
    )


def table(results: Mapping[tuple[str, str], Result], threads: int) -> str:
    """Return the results as a table in Markdown."""
    heads = [name.format(threads) for name in COLUMNS]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|---|" + "---:|" * (len(heads) - 3)]
    for (work, name), result in results.items():
        system = SYSTEMS[work][name]
        first = next(r for (w, _), r in results.items() if w == work)
        cells = [
            work,
            system.label,
            version_of(system.distribution, system.package),
            f"{result.bulk:.2f}",
            f"{result.bulk_threads:.2f}",
            f"{result.query:,.0f}",
            f"{result.query_p99:,.0f}",
            f"{result.document:,.0f}",
            f"{result.bulk / first.bulk:.1f}",
            f"{result.query / first.query:.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def first_queries(path: Path, n_queries: int | None) -> Arrays:
    """Read the documents of the first queries; of all, for None."""
    data = Arrays.load(path)
    n = len(data.y) if n_queries is None else int(data.sizes[:n_queries].sum())
    return Arrays(data.X[:n], data.y[:n], data.qid[:n], data.sizes[:n_queries])


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_COUNT = click.IntRange(1)


@click.command(help=__doc__)
@click.argument("train", type=_FILE)
@click.argument("test", type=_FILE)
@click.option("--only", help="Works, or works/systems, with commas between them.")
@click.option("--queries", type=_COUNT, help="Of TRAIN, to train on.  [default: all]")
@click.option("--documents", type=_COUNT, default=20000, show_default=True, help="Of TEST.")
@click.option("--trees", type=_COUNT, default=1000, show_default=True, help="Boosted.")
@click.option("--leaves", type=_COUNT, default=64, show_default=True, help="Of boosted trees.")
@click.option("--forest-trees", type=_COUNT, default=500, show_default=True)
@click.option("--threads", type=_COUNT, default=2, show_default=True)
@click.option("--repeats", type=_COUNT, default=5, show_default=True, help="In bulk.")
def main(  # noqa: PLR0917  # click calls it by name
    train: Path,
    test: Path,
    only: str | None,
    queries: int | None,
    documents: int,
    trees: int,
    leaves: int,
    forest_trees: int,
    threads: int,
    repeats: int,
) -> None:
    wanted = only.split(",") if only else list(SYSTEMS)
    data = first_queries(train, queries)
    X = np.ascontiguousarray(Arrays.load(test).X[:documents])
    size = Size(trees, leaves, forest_trees)
    results = {}
    for work, name in names():
        system = SYSTEMS[work][name]
        if work not in wanted and f"{work}/{name}" not in wanted:
            continue
        if importlib.util.find_spec(system.package) is None:
            click.echo(f"{system.distribution} is not installed: it is left out", err=True)
            continue
        start = time.perf_counter()
        score = system.make(data, size)
        click.echo(f"{work}/{name} trained in {time.perf_counter() - start:.0f} s", err=True)
        results[work, name] = measure(score, X, threads, repeats)
    click.echo(table(results, threads))
    click.echo(
        f"\n{trees} trees of {leaves} leaves, {forest_trees} trees in forests, trained on "
        f"{len(data.y):,} documents of {X.shape[1]} features; {len(X):,} documents scored, times "
        f"in microseconds. {SETTINGS}"
    )


if __name__ == "__main__":
    main()
