"""Time scoring of data frames here and in LightGBM: 1, 100 and 1,000 rows of 10, 50, 200 columns.

Both train a model of the same size on the same random documents, which is not timed, and score
frames of pandas, polars and pyarrow whose columns are all float64, float32 or int64, with the
names of the training data, on one thread. The table has microseconds of processor time of a call,
medians of calls that take turns, and the ratio of the two.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import click
import lightgbm as lgb
import numpy as np
import pandas as pd
import polars as pl
from packages import version_of

import rankforest as rf

LIBRARIES = ("pandas", "polars", "pyarrow")
TYPES = ("float64", "float32", "int64")
ROWS = (1, 100, 1000)
COLUMNS = (10, 50, 200)
QUERY = 20  # documents
N_DOCUMENTS = 2000


def microseconds(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median processor time of each call; calls take turns."""
    times: dict[str, list[int]] = {name: [] for name in calls}
    for turn in range(repeats + 1):
        for name, call in calls.items():
            start = time.process_time_ns()
            call()
            if turn > 0:  # the first one makes what later ones use
                times[name].append(time.process_time_ns() - start)
    return {name: statistics.median(values) / 1e3 for name, values in times.items()}


def models(n_columns: int, trees: int, leaves: int) -> tuple[rf.Model, lgb.Booster]:
    """Train both systems on a frame of random numbers."""
    rng = np.random.default_rng(n_columns)
    frame = pd.DataFrame(
        rng.normal(size=(N_DOCUMENTS, n_columns)), columns=[f"f{j}" for j in range(n_columns)]
    )
    y = rng.integers(0, 5, size=N_DOCUMENTS)
    sizes = [QUERY] * (N_DOCUMENTS // QUERY)
    ours = rf.LambdaMART(n_estimators=trees, max_leaf_nodes=leaves).fit(frame, y, group=sizes)
    settings = {"objective": "lambdarank", "num_leaves": leaves, "verbose": -1, "num_threads": 1}
    return ours.model_, lgb.train(settings, lgb.Dataset(frame, y, group=sizes), trees)


def frame_of(library: str, kind: str, n_rows: int, n_columns: int) -> Any:
    """Return a frame of random numbers."""
    values = np.random.default_rng(n_rows).normal(scale=100, size=(n_rows, n_columns)).astype(kind)
    frame = pd.DataFrame(values, columns=[f"f{j}" for j in range(n_columns)])
    if library == "pandas":
        return frame
    return pl.from_pandas(frame) if library == "polars" else pl.from_pandas(frame).to_arrow()


def compared(ours: rf.Model, theirs: lgb.Booster, frame: Any, repeats: int) -> tuple[float, float]:
    """Return the microseconds that both take for a frame."""
    found = microseconds(
        {
            "ours": lambda: ours.predict(frame, n_jobs=1),
            "theirs": lambda: theirs.predict(frame, num_threads=1),
        },
        repeats,
    )
    return found["ours"], found["theirs"]


@click.command(help=__doc__)
@click.option("--trees", type=click.IntRange(1), default=100, show_default=True)
@click.option("--leaves", type=click.IntRange(2), default=31, show_default=True)
@click.option("--repeats", type=click.IntRange(3), default=101, show_default=True)
def main(trees: int, leaves: int, repeats: int) -> None:
    heads = (f"{n:,} row{'s' * (n > 1)}: ours / LightGBM (ratio)" for n in ROWS)
    click.echo(f"| frame | type | columns | {' | '.join(heads)} |")
    click.echo("|---|---|---:|" + "---:|" * len(ROWS))
    ratios = []
    for n_columns in COLUMNS:
        both = models(n_columns, trees, leaves)
        for library, kind in product(LIBRARIES, TYPES):
            cells = []
            for n_rows in ROWS:
                frame = frame_of(library, kind, n_rows, n_columns)
                ours, theirs = compared(*both, frame, repeats)
                ratios.append(theirs / ours)
                cells.append(f"{ours:,.0f} / {theirs:,.0f} ({ratios[-1]:.1f})")
            click.echo(f"| {library} | {kind} | {n_columns} | {' | '.join(cells)} |")
    versions = ", ".join(
        f"{name} {version_of(name, name)}" for name in ("lightgbm", "pandas", "polars", "pyarrow")
    )
    click.echo(
        f"\n{trees} trees of {leaves} leaves; microseconds of processor time of a call, medians of "
        f"{repeats}; LightGBM takes {min(ratios):.1f} to {max(ratios):.1f} times as long. {versions}"
    )


if __name__ == "__main__":
    main()
