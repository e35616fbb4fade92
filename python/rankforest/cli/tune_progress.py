"""What a person sees while parameters are searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import TaskID

from rankforest.cli.progress import progress_bar


@contextmanager
def tuning_progress(console: Console, metric: str) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Show the trials of the block: a bar on a terminal, elsewhere a line for each.

    Parameters
    ----------
    console : rich.console.Console
        On stderr.
    metric : str
        What trials are compared by.

    Yields
    ------
    callable
        For `callbacks` of `rankforest.tune`.
    """
    from rankforest.tuning.request import described_trial  # noqa: PLC0415  # needs Optuna

    if not console.is_terminal:
        yield lambda report: console.print(
            described_trial(report, metric).replace("=None", "=none"), soft_wrap=True
        )
        return
    with progress_bar(console, "trial") as bar:
        tasks: list[TaskID] = []

        def show(report: Mapping[str, Any]) -> None:
            best = report["best_value"]
            text = "" if best is None else f"best {metric} {best:.4f}, trial {report['best_trial']}"
            if not tasks:
                tasks.append(bar.add_task("", total=report["n_trials"]))
            bar.update(tasks[0], completed=report["trial"] + 1, description=text)

        yield show
