"""Ours beside the paper's, as Markdown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import rankforest
from bench.papers.declare import Table
from bench.papers.estimate import Estimate, Estimates, Measured
from bench.papers.measures import meaning
from bench.papers.runs import QUICK_TREES, OfModel, Task


def markdown(
    table: Table,
    wanted: Sequence[Task],
    results: Mapping[str, OfModel],
    *,
    quick: bool = False,
) -> str:
    """Lay out the whole table, with all that is needed to judge it."""
    sections = [
        f"### {table.title}",
        f"**A quick run: the first fold, one seed, at most {QUICK_TREES} trees. It is no measurement.**"
        if quick
        else "",
        (table.layout or _rows)(table, estimates(table, wanted, results)),
        _how(table, wanted),
        table.notes,
        table.paper.notes,
    ]
    return "\n\n".join(filter(None, sections))


def estimates(
    table: Table, wanted: Sequence[Task], results: Mapping[str, OfModel]
) -> dict[tuple[str, str, str], Estimate]:
    """Return the estimate of each data set, algorithm and measure that was measured."""
    values: dict[tuple[str, str, str], dict[int, list[Measured]]] = {}
    for task in wanted:
        for measure, metric in table.data[task.data].measures.items():
            of_seeds = values.setdefault((task.data, task.algorithm, measure), defaultdict(list))
            of_seeds[task.seed].append(results[task.key][metric])
    return {what: Estimate.of(by_seed) for what, by_seed in values.items()}


def _rows(table: Table, measured: Estimates) -> str:
    lines = [
        "| data | measure | algorithm | ours | paper | difference |",
        "|---|---|---|---|---|---|",
    ]
    for data in dict.fromkeys(data for data, _, _ in measured):
        data_set = table.data[data]
        for measure in data_set.measures:
            for name in table.published[data]:
                ours = measured.get((data, name, measure))
                paper = table.value(data, name, measure)
                cells = [
                    data_set.title,
                    heading(measure),
                    name,
                    "-" if ours is None else str(ours),
                    "-" if paper is None else f"{paper:.4f}",
                    "-" if ours is None or paper is None else ours.against(paper),
                ]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _how(table: Table, wanted: Sequence[Task]) -> str:
    """Say what was averaged, what is missing and why, and what each measure means."""
    at_hand = _data(wanted)
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
    sentences += _fewer_seeds(table, wanted, seeds)
    if table.measured_on != "test":
        which = {"valid": "validation", "train": "training"}[table.measured_on]
        sentences.append(f"Measured on the {which} sets.")
    if fixed := [name for name in table.algorithms if not table.algorithms[name].random]:
        sentences.append(f"Nothing is drawn at random in {', '.join(fixed)}: one seed is all.")
    if absent := [table.data[key].title for key in table.published if key not in at_hand]:
        sentences.append(f"Not at hand: {', '.join(absent)}.")
    published = dict.fromkeys(name for key in at_hand for name in table.published[key])
    if missing := [name for name in published if name not in table.algorithms]:
        sentences.append(f"rankforest does not have {', '.join(missing)} yet.")
    return "\n\n".join([" ".join(sentences), "\n".join(_about(table, wanted))])


def _fewer_seeds(table: Table, wanted: Sequence[Task], seeds: int) -> Iterator[str]:
    """Name what has fewer seeds than others, in a run that has not ended."""
    counts: dict[tuple[int, str], dict[str, None]] = {}
    of_seeds = Counter((data, name) for data, name, _ in {task.of_seed for task in wanted})
    for data, name in dict.fromkeys((task.data, task.algorithm) for task in wanted):
        if table.algorithms[name].random and of_seeds[data, name] < seeds:
            counts.setdefault((of_seeds[data, name], table.data[data].title), {})[name] = None
    for (count, title), names in counts.items():
        yield f"Only {count} seed{'s' * (count > 1)} for {', '.join(names)} on {title}."


def _about(table: Table, wanted: Sequence[Task]) -> Iterator[str]:
    """Give a line on each data set: its folds and the meaning of its measures."""
    for data in _data(wanted):
        data_set = table.data[data]
        folds = sorted({task.fold.number for task in wanted if task.data == data})
        count = f"{len(folds)} folds" if len(folds) > 1 else f"fold {folds[0]} alone"
        measures = ", ".join(
            f"{heading(measure)} is `{meaning(spelling)}`"
            for measure, spelling in data_set.measures.items()
        )
        yield f"- {data_set.title}: {count}; {measures}"


def _data(wanted: Sequence[Task]) -> list[str]:
    return list(dict.fromkeys(task.data for task in wanted))


def heading(measure: str) -> str:
    """Return a measure as tables name it."""
    return measure.upper()
