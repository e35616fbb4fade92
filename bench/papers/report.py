"""Ours beside the paper's, as Markdown."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import rankforest
from bench.papers.declare import Table
from bench.papers.runs import QUICK_TREES, Measured, Task


@dataclass(frozen=True)
class Estimate:
    """A mean over folds and seeds."""

    mean: float
    error: float | None  #: standard error of the mean over the seeds; None for one seed

    @classmethod
    def of(cls, by_seed: Mapping[int, Sequence[float]]) -> Estimate:
        """Average the values of the folds for each seed, then the seeds."""
        means = [statistics.fmean(values) for values in by_seed.values()]
        error = statistics.stdev(means) / len(means) ** 0.5 if len(means) > 1 else None
        return cls(statistics.fmean(means), error)

    def __str__(self) -> str:
        return f"{self.mean:.4f}" + self._error()

    def against(self, published: float) -> str:
        """Return the difference from the paper's value, which is taken as exact."""
        return f"{self.mean - published:+.4f}" + self._error()

    def _error(self) -> str:
        return "" if self.error is None else f" ± {self.error:.4f}"


def markdown(
    table: Table,
    wanted: Sequence[Task],
    results: Mapping[str, Measured],
    *,
    quick: bool = False,
) -> str:
    """Lay out the whole table, with all that is needed to judge it."""
    sections = [
        f"### {table.title}",
        f"**A quick run: the first fold, one seed, at most {QUICK_TREES} trees. It is no measurement.**"
        if quick
        else "",
        _rows(table, wanted, results),
        _how(table, wanted),
        table.notes,
        table.paper.notes,
    ]
    return "\n\n".join(filter(None, sections))


def _rows(table: Table, wanted: Sequence[Task], results: Mapping[str, Measured]) -> str:
    lines = [
        "| data | measure | algorithm | ours | paper | difference |",
        "|---|---|---|---|---|---|",
    ]
    for data in dict.fromkeys(task.data for task in wanted):
        data_set = table.data[data]
        for measure, metric in data_set.measures.items():
            for name in table.published[data]:
                ours = _estimate(wanted, results, data, name, metric)
                paper = table.value(data, name, measure)
                cells = [
                    data_set.title,
                    _heading(measure),
                    name,
                    "-" if ours is None else str(ours),
                    "-" if paper is None else f"{paper:.4f}",
                    "-" if ours is None or paper is None else ours.against(paper),
                ]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _estimate(
    wanted: Sequence[Task], results: Mapping[str, Measured], data: str, name: str, metric: str
) -> Estimate | None:
    by_seed = defaultdict(list)
    for task in wanted:
        if (task.data, task.algorithm) == (data, name):
            by_seed[task.seed].append(results[task.key][metric])
    return Estimate.of(by_seed) if by_seed else None


def _how(table: Table, wanted: Sequence[Task]) -> str:
    """Say what was averaged, what is missing and why, and what each measure means."""
    at_hand = _data(wanted)
    measured = {task.algorithm for task in wanted}
    seeds = max(task.seed for task in wanted)
    sentences = [
        "Means over the folds and seeds; "
        + (
            f"± is the standard error of our mean over {seeds} seeds, and the paper's value is taken "
            "as exact."
            if seeds > 1
            else "one seed, so there is no error over seeds."
        ),
        f"rankforest {rankforest.__version__}.",
    ]
    if fixed := [name for name in table.algorithms if not table.algorithms[name].random]:
        sentences.append(f"Nothing is drawn at random in {', '.join(fixed)}: one seed is all.")
    if absent := [each.title for key, each in table.data.items() if key not in at_hand]:
        sentences.append(f"Not at hand: {', '.join(absent)}.")
    published = dict.fromkeys(name for key in at_hand for name in table.published[key])
    if missing := [name for name in published if name not in measured]:
        sentences.append(f"rankforest does not have {', '.join(missing)} yet.")
    return "\n\n".join([" ".join(sentences), "\n".join(_about(table, wanted))])


def _about(table: Table, wanted: Sequence[Task]) -> Iterator[str]:
    """Give a line on each data set: its folds and the meaning of its measures."""
    for data in _data(wanted):
        data_set = table.data[data]
        folds = sorted({task.fold.number for task in wanted if task.data == data})
        count = f"{len(folds)} folds" if len(folds) > 1 else f"fold {folds[0]} alone"
        measures = ", ".join(
            f"{_heading(measure)} is `{rankforest.Metric(spelling)}`"
            for measure, spelling in data_set.measures.items()
        )
        yield f"- {data_set.title}: {count}; {measures}"


def _data(wanted: Sequence[Task]) -> list[str]:
    return list(dict.fromkeys(task.data for task in wanted))


def _heading(measure: str) -> str:
    return measure.upper()
