"""Ours beside the paper's, as Markdown."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
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
    heading = f"### {table.title}"
    if quick:
        trees = f"at most {QUICK_TREES} trees"
        heading += f"\n\n**A quick run: the first fold, one seed, {trees}. It is no measurement.**"
    return "\n\n".join(
        [heading, _rows(table, wanted, results), _how(table, wanted), *_notes(table)]
    )


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
    """Say what was averaged, and what each measure means."""
    seeds = max(task.seed for task in wanted)
    error = (
        f"± is the standard error of our mean over {seeds} seeds; the paper's value is taken as exact"
        if seeds > 1
        else "one seed, so there is no error over seeds"
    )
    lines = [f"Means over the folds and seeds; {error}. rankforest {rankforest.__version__}."]
    fixed = [name for name, each in table.algorithms.items() if not each.random]
    if fixed and seeds > 1:
        lines[0] += f" Nothing is drawn at random in {', '.join(fixed)}: every seed is the same."
    absent = [data_set.title for key, data_set in table.data.items() if key not in _data(wanted)]
    if absent:
        lines[0] += f" Not at hand: {', '.join(absent)}."
    others = {name for of_data in table.published.values() for name in of_data}
    if missing := sorted(others - set(table.algorithms)):
        lines[0] += f" rankforest does not have {', '.join(missing)} yet."
    for data in _data(wanted):
        data_set = table.data[data]
        folds = sorted({task.fold.number for task in wanted if task.data == data})
        count = f"{len(folds)} folds" if len(folds) > 1 else f"fold {folds[0]} alone"
        measures = ", ".join(
            f"{_heading(measure)} is `{rankforest.Metric(spelling)}`"
            for measure, spelling in data_set.measures.items()
        )
        lines.append(f"- {data_set.title}: {count}; {measures}")
    return lines[0] + "\n\n" + "\n".join(lines[1:])


def _data(wanted: Sequence[Task]) -> list[str]:
    return list(dict.fromkeys(task.data for task in wanted))


def _heading(measure: str) -> str:
    return measure.upper()


def _notes(table: Table) -> list[str]:
    return [note for note in (table.notes, table.paper.notes) if note]
