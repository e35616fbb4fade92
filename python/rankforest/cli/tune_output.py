"""What `ltr-tune` writes and shows of a search."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

import rankforest
from rankforest._support.tables import Cell, Table
from rankforest.cli import files
from rankforest.cli.letor_options import Reading

if TYPE_CHECKING:
    from rankforest.tuning.result import TuningResult

#: How many of the best trials are shown.
_SHOWN = 5


def write_found(
    found: TuningResult,
    given: Mapping[str, Any],
    console: Console,
    *,
    out: str | None,
    history: str | None,
    plot: str | None,
    model: str | None,
) -> None:
    """Write each of the files that are wanted, and say so."""
    best = found.best_trial_
    console.print(
        f"best: trial {best.number} of {found.n_trials_}, {found.metric_} {best.value:.4f} on the "
        "validation parts",
        soft_wrap=True,
    )
    if out is not None:
        with files.text_output(out) as file:
            file.write(found.to_toml() + _reading_rules(given))
    if history is not None:
        with files.text_output(history) as file:
            _write_history(file, found)
    if plot is not None:
        found.plot(plot)
    if model is not None:
        found.best_estimator_.model_.save(model)
    written = [path for path in (out, history, plot, model) if path is not None]
    if written:
        console.print(f"wrote {', '.join(written)}", soft_wrap=True)


def _reading_rules(given: Mapping[str, Any]) -> str:
    """Return how the data was read, as far as the user said, for the same data again."""
    rules = {name: given.get(name) for name in Reading.__dataclass_fields__ if name != "n_jobs"}
    # JSON's text, lists, numbers and truth values are TOML's.
    lines = [f"{name} = {json.dumps(v)}\n" for name, v in rules.items() if v not in (None, ())]
    return "".join(lines)


def _write_history(file: Any, found: TuningResult) -> None:
    """Write one row for each trial."""
    columns = found.columns()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        writer.writerow(["" if each != each else each for each in row])  # noqa: PLR0124  # NaN


def best_trials(found: TuningResult) -> Table:
    """Lay out the best trials, as table 3 of the paper of BL-MART does."""
    whole = [trial for trial in found.trials if not trial.is_pruned]
    sign = -1.0 if rankforest.Metric(found.metric_).maximize else 1.0
    best = sorted(whole, key=lambda trial: sign * trial.value)[:_SHOWN]
    measures = [name for name in ("value", "test", "holdout") if not np.isnan(_of(best[0], name))]
    params = list(best[0].params)
    rows = tuple(
        tuple(
            Cell(text)
            for text in (
                str(trial.number),
                *(f"{_of(trial, name):.4f}" for name in measures),
                *(_short(trial.params[name]) for name in params),
            )
        )
        for trial in best
    )
    titles = {"value": f"validation {found.metric_}"}
    headings = ("trial", *(titles.get(name, name) for name in measures))
    return Table((*headings, *params), rows)


def _of(trial: Any, name: str) -> float:
    return float(getattr(trial, name))


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "none" if value is None else str(value)
