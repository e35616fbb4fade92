"""TREC runs and qrels of `ltr-eval`: beside --data it writes them, without it reads them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest
from rankforest import trec
from rankforest.cli import files
from rankforest.cli.commands import Option
from rankforest.cli.report import Report

_SECTION = "TREC files"


def trec_options() -> list[click.Option]:
    """Make the options about TREC files."""
    return [
        Option(
            "--run",
            section=_SECTION,
            type=click.Path(dir_okay=False),
            multiple=True,
            metavar="FILE",
            help="With --data: write the one system's ranking as a TREC run. "
            "Without: a run to evaluate by --qrels; may be given several times.",
        ),
        Option(
            "--qrels",
            section=_SECTION,
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="With --data: write its grades as TREC qrels. Without: qrels to evaluate by. "
            "ltr-eval writes over no file that exists.",
        ),
        Option(
            "--run-scores",
            section=_SECTION,
            type=click.Choice(["exact", "rank"]),
            default="exact",
            help="rank writes whole numbers in place of scores, all different: trec_eval ranks by "
            "float32, and equal scores by the names of documents.  [default: exact]",
        ),
        Option(
            "--complete",
            section=_SECTION,
            is_flag=True,
            help="Count queries of the qrels that a run lacks, as if it had found nothing "
            "relevant, as trec_eval -c does. They are left out otherwise.",
        ),
    ]


def check_trec_files(given: Mapping[str, Any], names: Sequence[str], problems: list[str]) -> None:
    """Note what is wrong with the options about TREC files beside systems with these names."""
    runs, qrels = given.get("run") or (), given.get("qrels")
    if given.get("data"):
        if given.get("complete"):
            problems.append("--complete is about runs that are read, and with --data they are not")
        if len(runs) > 1 or (runs and len(names) > 1):
            problems.append("--run with --data writes the ranking of one system")
        for flag, path in (*(("--run", run) for run in runs), ("--qrels", qrels)):
            if path is not None and Path(path).is_file():
                problems.append(
                    f"{flag} {path} exists, and ltr-eval writes over no file; to read it, leave "
                    "out --data"
                )
            else:
                files.note_unwritable(problems, flag, path)
        return
    if names:
        problems.append(f"{names[0]} needs --data, the documents that it scores")
    if given.get("compare"):
        problems.append("--compare needs --data: it does not compare TREC runs")
    if not runs or qrels is None:
        problems.append("--data, or --run and --qrels, must say what to evaluate on")
    for flag, path in (*(("--run", run) for run in runs), ("--qrels", qrels)):
        if path is not None and not Path(path).exists():
            problems.append(f"{flag}: file {path!r} does not exist")


def write_trec_files(
    data: rankforest.Dataset,
    systems: Mapping[str, npt.NDArray[np.float64]],
    *,
    run: Sequence[str],
    qrels: str | None,
    run_scores: str,
) -> None:
    """Write the one system's run, and qrels, to the files that are given."""
    lines = {}  # all of them are known to be good before the first file is written
    for path in run:
        ((system, scores),) = systems.items()
        lines[path] = trec.run_lines(_run_of(data, system, scores, by_rank=run_scores == "rank"))
    if qrels is not None:
        lines[qrels] = trec.qrels_lines(trec.Qrels.of(data))
    for path, of_file in lines.items():
        with files.text_output(path) as file:
            file.writelines(f"{line}\n" for line in of_file)


def _run_of(
    data: rankforest.Dataset, system: str, scores: npt.NDArray[np.float64], *, by_rank: bool
) -> trec.Run:
    """Make a run, named after the system, or its file, where that is one word."""
    name = Path(system).stem if Path(system).exists() else system
    run = trec.Run.of(data, scores, name=name if len(name.split()) == 1 else "rankforest")
    if by_rank:
        return run.by_rank()
    if run.n_float32_ties:
        warnings.warn(
            f"--run: {run.n_float32_ties} documents have a score that is another's in float32, by "
            "which trec_eval ranks; --run-scores rank makes all different",
            UserWarning,
            stacklevel=2,
        )
    return run


def report_of_runs(
    run: Sequence[str],
    qrels: str,
    metrics: Sequence[str],
    *,
    complete: bool,
    per_query: bool,
    n_jobs: int,
) -> Report:
    """Measure runs by qrels; queries are those of the qrels."""
    judged = trec.read_qrels(qrels)
    queries = list(dict.fromkeys(judged.qid))
    with_relevant = len(set(judged.qid[judged.grades > 0]))
    means, values = {}, {}
    for path in run:
        ranked = trec.read_run(path)
        _warn_of_queries(path, set(ranked.qid), set(queries), complete=complete)
        means[path] = trec.evaluate(ranked, judged, metrics, complete=complete, n_jobs=n_jobs)
        if per_query:
            found = trec.evaluate(
                ranked, judged, metrics, complete=complete, per_query=True, n_jobs=n_jobs
            )
            place = {query: i for i, query in enumerate(found["qid"])}
            rows = np.array([place.get(query, -1) for query in queries])
            values[path] = {
                metric: np.where(rows < 0, np.nan, found[metric][rows]) for metric in metrics
            }
    ids = np.array(queries, dtype=object)
    n_empty = len(queries) - with_relevant
    return Report(len(queries), n_empty, means, ids, values if per_query else None)


def _warn_of_queries(path: str, ranked: set[str], judged: set[str], *, complete: bool) -> None:
    """Say how many queries only the run has, or only the qrels."""
    if ranked - judged:
        warnings.warn(
            f"{path} has {len(ranked - judged)} queries that the qrels lack; they are left out",
            UserWarning,
            stacklevel=3,
        )
    if judged - ranked and not complete:
        warnings.warn(
            f"{path} lacks {len(judged - ranked)} of the {len(judged)} queries of the qrels; they "
            "are left out, and --complete counts them",
            UserWarning,
            stacklevel=3,
        )
