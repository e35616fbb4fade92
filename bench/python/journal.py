"""Work in several processes that goes on where it was stopped: results as lines of JSON."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

Task = TypeVar("Task")
Result = TypeVar("Result")


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Give what earlier work has written; a line that was cut off does not count."""
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(record, dict):
            yield record


def complete(
    tasks: Sequence[Task],
    execute: Callable[[Task], Mapping[str, object]],
    path: Path,
    jobs: int,
) -> None:
    """Execute tasks and append each result to the file as soon as it is there.

    More than one job are processes that are started afresh, so that `execute` must then be a
    function of a module, or a `functools.partial` of one.
    """
    if not tasks:
        return
    text = path.read_text() if path.exists() else ""
    cut_off = bool(text) and not text.endswith("\n")
    with path.open("a") as file, closing(_outcomes(tasks, execute, jobs)) as outcomes:
        if cut_off:
            file.write("\n")
        for done, (task, outcome) in enumerate(outcomes, start=1):
            try:
                result = outcome()
            except Exception:
                click.echo(f"failed: {task}", err=True)
                raise
            file.write(json.dumps(result) + "\n")
            file.flush()
            click.echo(f"{done}/{len(tasks)} {task}", err=True)


def _outcomes(
    tasks: Sequence[Task], execute: Callable[[Task], Result], jobs: int
) -> Generator[tuple[Task, Callable[[], Result]], None, None]:
    """Give each task with a function that returns what became of it, as they are done."""
    if jobs == 1:
        for task in tasks:
            yield task, partial(execute, task)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
    try:
        futures = {pool.submit(execute, task): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], future.result
    finally:
        pool.shutdown(cancel_futures=True)
