"""Time training here and in other libraries, and show memory and quality beside it.

TRAIN and TEST are .npz files with arrays X, y, qid and ptr, the documents of query i being rows
ptr[i] to ptr[i + 1]. Every training happens in a process of its own, and the systems of a work take
turns, so that a busy moment hits all of them. Those that are not installed are left out, and those
that would take an hour are, too, unless --only names them.

The time is from the arrays in memory to the model, binning included. The table has its median, the
ratio of medians to the work's first system, the largest resident memory while training and what was
resident before, arrays included, and NDCG@10 on TEST with the difference from the first system's
and the p-value of a paired randomisation test over queries.
"""

from __future__ import annotations

import importlib
import importlib.util
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
from packages import version_of
from process_memory import bytes_of, reset_peak
from train_systems import ROUNDS, SETTINGS, SYSTEMS, Arrays, System

METRIC = "ndcg@10(empty=0)"
MIB = 2**20
COLUMNS = (
    "work",
    "system",
    "version",
    "median s",
    "ratio",
    "peak MiB",
    "before MiB",
    "NDCG@10",
    "difference",
    "p",
)
QUICK_QUERIES, QUICK_ROUNDS = 600, 3

Name = tuple[str, str]  # work, system


@dataclass(frozen=True)
class Job:
    """What to train on what."""

    name: Name
    train: Path
    test: Path
    rounds: int
    threads: int

    @property
    def system(self) -> System:
        return SYSTEMS[self.name[0]][self.name[1]]


@dataclass(frozen=True)
class Result:
    """One training, and how well its model ranks."""

    seconds: float
    bytes_before: int
    bytes_peak: int
    scores: npt.NDArray[np.float64]


def execute(job: Job) -> Result:
    """Train once, in this process."""
    system = job.system
    importlib.import_module(system.module)
    data = Arrays.load(job.train)
    reset_peak()
    before = bytes_of("VmRSS")
    start = time.perf_counter()
    predict = system.train(data, job.rounds, job.threads)
    seconds = time.perf_counter() - start
    peak = bytes_of("VmHWM")
    scores = predict(Arrays.load(job.test))
    return Result(seconds, before, peak, np.asarray(scores, dtype=np.float64))


def execute_apart(job: Job) -> Result:
    """Train once, in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(execute, job).result()


def run(jobs: Sequence[Job], repeats: int) -> dict[Name, list[Result]]:
    """Let the systems take turns; one that fails has no further turn and no result."""
    results: dict[Name, list[Result]] = {job.name: [] for job in jobs}
    for turn in range(1, repeats + 1):
        for job in jobs:
            if job.name not in results:
                continue
            label = f"{turn}/{repeats} {'/'.join(job.name)}"
            try:
                result = execute_apart(job)
            except Exception as error:  # noqa: BLE001  # whatever a peer raises
                click.echo(f"{label} failed: {error!r}", err=True)
                del results[job.name]
            else:
                click.echo(f"{label} {result.seconds:.2f} s", err=True)
                results[job.name].append(result)
    return results


def table(results: Mapping[Name, Sequence[Result]], test: Arrays) -> str:
    """Return the results as a table in Markdown."""
    lines = [
        "| " + " | ".join(COLUMNS) + " |",
        "|---|---|---|" + "---:|" * (len(COLUMNS) - 3),
    ]
    for work, systems in SYSTEMS.items():
        of_work = {name: results[work, name] for name in systems if results.get((work, name))}
        ours = next(iter(systems))
        medians = {
            name: statistics.median(r.seconds for r in runs) for name, runs in of_work.items()
        }
        quality = _quality({name: runs[0].scores for name, runs in of_work.items()}, ours, test)
        for name, runs in of_work.items():
            system = systems[name]
            ratio = f"{medians[name] / medians[ours]:.2f}" if ours in medians else "-"
            peak = max(r.bytes_peak for r in runs) / MIB
            before = max(r.bytes_before for r in runs) / MIB
            version = version_of(system.distribution, system.package)
            lines.append(
                f"| {work} | {system.label} | {version} | {medians[name]:.2f} | {ratio} "
                f"| {peak:,.0f} | {before:,.0f} | {' | '.join(quality[name])} |"
            )
    return "\n".join(lines)


def _quality(
    scores: Mapping[str, npt.NDArray[np.float64]], ours: str, test: Arrays
) -> dict[str, tuple[str, str, str]]:
    """Return the cells of each system: mean, difference from ours, p-value."""
    import rankforest

    cells = {}
    judged = (test.y, test.qid)
    for name, found in scores.items():
        cells[name] = (f"{rankforest.evaluate(judged, found, METRIC)[METRIC]:.4f}", "-", "-")
    if ours in scores and len(scores) > 1:
        comparison = rankforest.compare(judged, scores, METRIC, baseline=ours, n_resamples=1)
        for pair in comparison.metrics[0].pairs:
            other, sign = (pair.a, 1) if pair.b == ours else (pair.b, -1)
            difference = f"{sign * pair.difference:+.4f}"
            cells[other] = (cells[other][0], difference, f"{pair.randomisation.p_value:.4f}")
    return cells


def first_queries(path: Path, copy: Path) -> Path:
    """Write a small copy of a file."""
    with np.load(path) as file:
        ptr = file["ptr"][: QUICK_QUERIES + 1]
        rows = {name: file[name][: ptr[-1]] for name in ("X", "y", "qid")}
    np.savez(copy, ptr=ptr, **rows)
    return copy


def chosen(patterns: Sequence[str], n_documents: int) -> list[Name]:
    """Return the systems to run; what a pattern names in full is not too slow."""
    names = []
    for work, systems in SYSTEMS.items():
        for name, system in systems.items():
            full = f"{work}/{name}"
            fits = system.documents is None or n_documents <= system.documents
            wanted = not patterns or any(p == work or fnmatch(full, p) for p in patterns)
            if not wanted or not (fits or full in patterns):
                continue
            if importlib.util.find_spec(system.package) is None:
                click.echo(f"{system.distribution} is not installed: {full} is left out", err=True)
                continue
            names.append((work, name))
    return names


def _patterns(_ctx: click.Context, _option: click.Parameter, text: str | None) -> list[str]:
    patterns = text.split(",") if text else []
    names = [f"{work}/{name}" for work, systems in SYSTEMS.items() for name in systems]
    for pattern in patterns:
        if pattern not in SYSTEMS and not any(fnmatch(name, pattern) for name in names):
            raise click.BadParameter(f"nothing is {pattern!r}; there are {', '.join(names)}")
    return patterns


_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(help=__doc__)
@click.argument("train", type=_FILE)
@click.argument("test", type=_FILE)
@click.option(
    "--only",
    "patterns",
    callback=_patterns,
    help="Works, or works/systems (with * for any), with commas between them.",
)
@click.option("--rounds", type=click.IntRange(1), help=f"Trees.  [default: {ROUNDS}]")
@click.option("--repeats", type=click.IntRange(1), help="Trainings of each.  [default: 3]")
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
@click.option(
    "--quick",
    is_flag=True,
    help=f"The first {QUICK_QUERIES} queries, {QUICK_ROUNDS} trees, one training of each.",
)
def main(  # noqa: PLR0917  # click calls it by name
    train: Path,
    test: Path,
    patterns: list[str],
    rounds: int | None,
    repeats: int | None,
    threads: int,
    quick: bool,
) -> None:
    rounds = rounds or (QUICK_ROUNDS if quick else ROUNDS)
    repeats = repeats or (1 if quick else 3)
    # HistGradientBoosting goes by it, and no library is to have more threads than the others.
    os.environ["OMP_NUM_THREADS"] = str(threads)
    with tempfile.TemporaryDirectory() as folder:
        if quick:
            train = first_queries(train, Path(folder, "train.npz"))
            test = first_queries(test, Path(folder, "test.npz"))
        with np.load(train) as file:
            n_documents = len(file["y"])
        names = chosen(patterns, n_documents)
        jobs = [Job(name, train, test, rounds, threads) for name in names]
        results = run(jobs, repeats)
        click.echo(table(results, Arrays.load(test)))
    click.echo(
        f"\n{n_documents:,} documents, {rounds} trees, {threads} threads, {repeats} trainings of "
        f"each. {SETTINGS}"
    )
    if len(results) < len(jobs):
        sys.exit(1)


if __name__ == "__main__":
    main()
