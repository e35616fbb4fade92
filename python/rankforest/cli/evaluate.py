"""`ltr-eval`: metrics of models and of scores on LETOR files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest
from rankforest._parameters import thread_count
from rankforest.cli.commands import Command, Option, version_option
from rankforest.cli.letor_options import (
    Reading,
    data_option,
    n_jobs_option,
    reading_options,
    unwrapped,
)
from rankforest.cli.metric_type import GRAMMAR, METRIC, REPORTED
from rankforest.cli.models import BY_MODEL, model_option, reading_for
from rankforest.cli.report import FORMATS, Report
from rankforest.cli.run import run

_SECTION = "What to evaluate"
_REPORT = "Report"

_HELP = """Measure how well models or scores rank the documents of LETOR files.

Several models and score files stand side by side. The text shows four digits; json, csv and tsv
have as many as it takes to read the same float64 back."""

_EPILOG = """\b
Examples:
  ltr-eval --data test.txt --model m.rf
  ltr-eval --data test.txt --model a.rf --model b.rf --scores other.txt --metric map
  ltr-eval --data test.txt --scores scores.txt --per-query --format csv > queries.csv

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input."""


def _evaluate(
    *,
    data: Sequence[str],
    model: Sequence[str],
    scores: Sequence[str],
    metric: Sequence[str],
    per_query: bool,
    form: str,
    **options: Any,
) -> None:
    """Read, score, measure and report."""
    given = unwrapped(options)
    metrics = list(dict.fromkeys(metric)) or list(REPORTED)
    n_jobs = thread_count(given.get("n_jobs"))

    systems: dict[str, npt.NDArray[np.float64]] = {}
    judged: rankforest.Dataset | None = None
    for path in model:
        trained = rankforest.load(path)
        judged = _read(reading_for(trained, given), tuple(data))
        systems[path] = trained.predict(judged, n_jobs=n_jobs)
    if judged is None:
        judged = Reading.of(given).read(data)
    for path in scores:
        systems[path] = read_scores(path)
        if len(systems[path]) != judged.n_documents:
            raise ValueError(
                f"{path} has {len(systems[path])} scores, but there are {judged.n_documents} "
                f"documents in {' '.join(data)}"
            )
    report_of(judged, systems, metrics, per_query=per_query, n_jobs=n_jobs).print(form)


def _check(given: Mapping[str, Any], problems: list[str]) -> None:
    if not given.get("model") and not given.get("scores"):
        problems.append("--model or --scores must say what to evaluate")


# Models that read the data alike share it; one set at a time stays in memory.
_read = lru_cache(maxsize=1)(Reading.read)


def report_of(
    data: rankforest.Dataset,
    systems: Mapping[str, npt.NDArray[np.float64]],
    metrics: Sequence[str],
    *,
    per_query: bool,
    n_jobs: int,
) -> Report:
    """Measure the scores of every system.

    Parameters
    ----------
    data : Dataset
        The documents with their grades.
    systems : mapping of str to ndarray of float64, shape (n_documents,)
        Scores by system, in the order of the data.
    metrics : sequence of str
        What to measure, by spelling.
    per_query : bool
        Whether to keep the values of single queries.
    n_jobs : int
        Threads.
    """
    means = {
        system: rankforest.evaluate(data, scores, metrics, n_jobs=n_jobs)
        for system, scores in systems.items()
    }
    values = None
    if per_query:
        values = {}
        for system, scores in systems.items():
            found = rankforest.evaluate(data, scores, metrics, per_query=True, n_jobs=n_jobs)
            values[system] = {metric: found[metric] for metric in metrics}
    return Report(data.n_queries, data.summary().n_empty, means, data.query_ids, values)


def read_scores(path: str) -> npt.NDArray[np.float64]:
    """Read one score per line.

    Raises
    ------
    ValueError
        If a line is anything else; the message has file and line.
    """
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    scores = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            score = float(line)
        except ValueError:
            score = math.nan
        if math.isnan(score):
            raise ValueError(f"{path}:{number}: must be one number, got {line!r}")
        scores.append(score)
    return np.array(scores, dtype=np.float64)


command = Command(
    "ltr-eval",
    callback=_evaluate,
    check=_check,
    help=_HELP,
    epilog=_EPILOG,
    params=[
        data_option("data", "LETOR text with the grades.", section=_SECTION, required=True),
        model_option(section=_SECTION, multiple=True),
        Option(
            "--scores",
            section=_SECTION,
            type=click.Path(exists=True, dir_okay=False, readable=True),
            multiple=True,
            metavar="FILE",
            help="One score per line, in the order of the data. May be given several times.",
        ),
        Option(
            "--metric",
            section=_REPORT,
            type=METRIC,
            multiple=True,
            help=f"{GRAMMAR} May be given several times.  [default: {', '.join(REPORTED)}]",
        ),
        Option(
            "--per-query",
            section=_REPORT,
            is_flag=True,
            help="Show the value of each query, too. A query that a metric leaves out, such as one "
            "without a relevant document, has none.",
        ),
        Option(
            "--format",
            "form",
            section=_REPORT,
            type=click.Choice(FORMATS),
            default="text",
            help="csv and tsv have one row for each system and metric, or with --per-query one for "
            "each system, metric and query.  [default: text]",
        ),
        *reading_options(**BY_MODEL),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-eval` on the process's arguments."""
    return run(command)
