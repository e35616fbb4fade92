"""`ltr-eval`: metrics of models, of scores and of TREC runs, and comparisons of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest
from rankforest import trec
from rankforest._settings.parameters import thread_count
from rankforest.cli.commands import Command, GivenOptions, Option, overwrite_option, version_option
from rankforest.cli.comparing import (
    check_comparison,
    comparison_options,
    print_comparison,
    procedure_of,
    style_of,
)
from rankforest.cli.costs import cost_options, costs_of_models, note_cost_problems
from rankforest.cli.letor_options import data_option, n_jobs_option, reading_options, unwrapped
from rankforest.cli.metric_type import GRAMMAR, METRIC, REPORTED
from rankforest.cli.models import BY_MODEL
from rankforest.cli.report import FORMATS, Report
from rankforest.cli.run import run as run_command
from rankforest.cli.systems import NamedFile, names_of, read_systems, system_parameters
from rankforest.cli.table_options import note_table_problems
from rankforest.cli.trec_files import (
    check_trec_files,
    read_runs,
    report_of_runs,
    trec_options,
    write_trec_files,
)
from rankforest.comparison import Comparison

_SECTION = "What to evaluate"
_REPORT = "Report"

# What a comparison is by where no metric is asked for: each metric more is one more chance to err.
_COMPARED = ("ndcg@10",)

_HELP = """Measure how well models, scores or TREC runs rank the documents of each query.

Data is LETOR text, Parquet or CSV.

Each FILE is a model, or has one score per line; its content tells which. Reports call it NAME, or by
its path where no name is given. Several are shown side by side, and --compare tests whether they
differ. Text shows four digits; json, csv and tsv have all digits of the float64."""

_EPILOG = """\b
Examples:
  ltr-eval --data test.txt m.rf
  ltr-eval --data test.txt --model a.rf --model b.rf --scores other.txt --metric map
  ltr-eval --data test.txt m.rf --cost costs.csv --early-exit 100:0.2
  ltr-eval --data test.txt --scores scores.txt --per-query --format csv > queries.csv
  ltr-eval --compare a.scores b.scores --data test.txt --metric ndcg@10
  ltr-eval --compare new=a.rf old=b.rf --baseline old --data test.txt --format latex
  ltr-eval --run a.run --run b.run --qrels qrels --metric 'ndcg@10(preset=trec_eval)'
  ltr-eval --compare --run a.run --run b.run --qrels qrels
  ltr-eval --data test.txt m.rf --write-run m.run --write-qrels qrels
  ltr-score --model m.rf --data test.txt | ltr-eval --data test.txt -

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input."""


def _evaluate(
    *,
    data: Sequence[str],
    files: Sequence[NamedFile],
    model: Sequence[NamedFile],
    scores: Sequence[NamedFile],
    metric: Sequence[str],
    per_query: bool,
    compare: bool,
    form: str,
    run: Sequence[NamedFile],
    qrels: str | None,
    write_run: str | None,
    write_qrels: str | None,
    run_scores: str,
    complete: bool,
    **options: Any,
) -> None:
    """Read, score, measure and report."""
    given = unwrapped(options)
    n_jobs = thread_count(given.get("n_jobs"))
    metrics = list(dict.fromkeys(metric)) or list(_COMPARED if compare else REPORTED)
    how: dict[str, Any] = {"per_query": per_query, "n_jobs": n_jobs}
    tested = {**procedure_of(given), "n_jobs": n_jobs}
    found: Comparison | Report
    if not data and qrels is not None:
        if compare:
            judgements, runs = read_runs(run, qrels, complete=complete)
            found = rankforest.compare(judgements, runs, metrics, complete=complete, **tested)
        else:
            found = report_of_runs(run, qrels, metrics, complete=complete, **how)
    else:
        judged, systems, models = read_systems(data, files, model, scores, given)
        if compare:
            tested["document_ids"] = _document_ids(judged, metrics)
            found = rankforest.compare(judged, systems, metrics, **tested)
        else:
            costs = costs_of_models(judged, models, given)
            found = replace(report_of(judged, systems, metrics, **how), costs=costs)
        write_trec_files(judged, systems, run=write_run, qrels=write_qrels, run_scores=run_scores)
    if isinstance(found, Comparison):
        print_comparison(found, form, style_of(given))
    else:
        found.print(form)


def _check(given: GivenOptions, problems: list[str]) -> None:
    note_table_problems(given, problems, ["data"])
    names = names_of(given, problems)
    scored = names_of(given | {"run": ()}, [])
    if given.get("data") and not scored and not problems:
        problems.append("a FILE, --model or --scores must say what to evaluate")
    check_trec_files(given, scored, problems)
    check_comparison(given, names, problems)
    note_cost_problems(given, problems)


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
    document_ids = _document_ids(data, metrics)
    means = {
        system: rankforest.evaluate(data, scores, metrics, document_ids=document_ids, n_jobs=n_jobs)
        for system, scores in systems.items()
    }
    values = None
    if per_query:
        values = {}
        for system, scores in systems.items():
            found = rankforest.evaluate(
                data, scores, metrics, document_ids=document_ids, per_query=True, n_jobs=n_jobs
            )
            values[system] = {metric: found[metric] for metric in metrics}
    return Report(data.n_queries, data.summary().n_empty, means, data.query_ids, values)


def _document_ids(data: rankforest.Dataset, metrics: Sequence[str]) -> list[str] | None:
    """Return the names of documents where a metric breaks ties by them."""
    by_document = any(rankforest.Metric(metric).needs_document_ids for metric in metrics)
    return trec.document_names(data) if by_document else None


command = Command(
    "ltr-eval",
    callback=_evaluate,
    check=_check,
    help=_HELP,
    epilog=_EPILOG,
    params=[
        data_option("data", "LETOR text, Parquet or CSV with the grades.", section=_SECTION),
        *system_parameters(_SECTION),
        Option(
            "--metric",
            section=_REPORT,
            type=METRIC,
            multiple=True,
            help=f"{GRAMMAR} May be given several times.  [default: {', '.join(REPORTED)}; "
            f"with --compare {', '.join(_COMPARED)}]",
        ),
        Option(
            "--per-query",
            section=_REPORT,
            is_flag=True,
            help="Also show the value of each query. A query that a metric skips, such as one "
            "without a relevant document, has none.",
        ),
        Option(
            "--format",
            "form",
            section=_REPORT,
            type=click.Choice(FORMATS),
            default="text",
            help="The form of the report. csv and tsv have one row for each system and metric; with "
            "--per-query, one for each system, metric and query; with --compare, one for each "
            "metric and pair. latex needs the packages booktabs and, for triangles, amssymb.  "
            "[default: text]",
        ),
        *comparison_options(),
        *cost_options(),
        *trec_options(),
        *reading_options(**BY_MODEL),
        overwrite_option(),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-eval` on the process's arguments."""
    return run_command(command)
