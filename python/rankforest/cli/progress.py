"""What a person sees while an ensemble trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from rankforest import _core

# Lines of a whole run where there is no terminal to draw on.
_LINES = 20


def progress_bar(console: Console, what: str) -> Progress:
    """Make the bar that counts something, such as rounds, and describes what it is at."""
    columns = (
        TextColumn(f"{what} {{task.completed:.0f}} of {{task.total:.0f}}"),
        BarColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    return Progress(*columns, console=console, disable=console.quiet)


@contextmanager
def training_progress(console: Console, metrics: Iterable[str]) -> Iterator[TrainingReporter]:
    """Show the rounds of the block: a bar on a terminal, elsewhere about twenty lines in all.

    Parameters
    ----------
    console : rich.console.Console
        Where to report; nothing is shown where it is quiet.
    metrics : iterable of str
        What is measured after each round.

    Yields
    ------
    TrainingReporter
        The callback for the estimator.
    """
    maximize = {metric: _core.Metric.parse(metric).maximize for metric in metrics}
    if not console.is_terminal:
        yield TrainingReporter(console, maximize)
        return
    with progress_bar(console, "round") as bar:
        yield TrainingReporter(console, maximize, bar)


class TrainingReporter:
    """Callback of an estimator that shows each round on a bar, or every so many as a line."""

    def __init__(
        self, console: Console, maximize: Mapping[str, bool], bar: Progress | None = None
    ) -> None:
        self._console = console
        self._maximize = maximize
        self._best: dict[tuple[str, str], tuple[float, int]] = {}
        self._bar = bar
        self._task: TaskID | None = None
        self._now = 0

    @property
    def n_rounds(self) -> int:
        """Rounds so far."""
        return self._now

    def __call__(self, report: Mapping[str, Any]) -> None:
        """Take note of a round: "round" from 1 on, "n_rounds" and "values" by set and metric."""
        now, total = report["round"], report["n_rounds"]
        self._now = now
        text = ", ".join(
            self._describe(name, metric, value, now)
            for name, values in report["values"].items()
            for metric, value in values.items()
        )
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task("", total=total)
            self._bar.update(self._task, completed=now, description=text)
        elif now == total or now % max(1, total // _LINES) == 0:
            separator = ": " if text else ""
            self._console.print(f"round {now} of {total}{separator}{text}", soft_wrap=True)

    def _describe(self, name: str, metric: str, value: float, now: int) -> str:
        """Put one metric's value beside its first best so far."""
        best, at = self._best.get((name, metric), (value, now))
        if value > best if self._maximize[metric] else value < best:
            best, at = value, now
        self._best[name, metric] = best, at
        return f"{name} {metric} {value:.4f} (best {best:.4f} at {at})"
