"""TREC runs and qrels of `ltr-eval`, which it reads in place of data, or writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest
from rankforest import trec
from rankforest._evaluation.metric_arguments import named_metrics
from rankforest._evaluation.run_values import query_ids_of, run_values
from rankforest._support.warnings import warn
from rankforest.cli import files
from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.files import InputFile, OutputFile
from rankforest.cli.report import Report
from rankforest.cli.systems import METAVAR, NamedFile, NamedFileType

_SECTION = "TREC files"


def trec_options() -> list[click.Option]:
    """Make the options about TREC files."""
    return [
        Option(
            "--run",
            section=_SECTION,
            type=NamedFileType(),
            multiple=True,
            metavar=METAVAR,
            help="A TREC run to evaluate by --qrels, in place of --data. May be given several times.",
        ),
        Option(
            "--qrels",
            section=_SECTION,
            type=InputFile(),
            metavar="FILE",
            help="The TREC qrels to evaluate each --run by.",
        ),
        Option(
            "--write-run",
            section=_SECTION,
            type=OutputFile(),
            metavar="FILE",
            help="Write how the one system ranks --data, as a TREC run.",
        ),
        Option(
            "--write-qrels",
            section=_SECTION,
            type=OutputFile(),
            metavar="FILE",
            help="Write the grades of --data, as TREC qrels.",
        ),
        Option(
            "--run-scores",
            section=_SECTION,
            type=click.Choice(["exact", "rank"]),
            default="exact",
            help="What --write-run writes as scores: those of the system, or whole numbers that "
            "rank the same. trec_eval rounds scores to float32 and orders equal ones by the names "
            "of documents; under rank no two are equal.  [default: exact]",
        ),
        Option(
            "--complete",
            section=_SECTION,
            is_flag=True,
            help="Count queries of the qrels that a run lacks as if it had found nothing relevant, "
            "like trec_eval -c. Without it they are left out.",
        ),
    ]


def check_trec_files(given: GivenOptions, names: Sequence[str], problems: list[str]) -> None:
    """Note what is wrong with the options about TREC files beside systems with these names."""
    if given.has("data"):
        problems += [
            f"--{name} is read in place of --data; give one of them, or --write-{name} to write it"
            for name in ("run", "qrels")
            if given.has(name)
        ]
        if given.get("complete"):
            problems.append("--complete is about TREC runs, and with --data none are read")
        if "write_run" in given and len(names) > 1:
            problems.append(f"--write-run writes the ranking of one system, got {len(names)}")
        return
    problems += [
        f"--{name} needs --data" for name in ("write-run", "write-qrels") if given.has(_key(name))
    ]
    if names:
        problems.append(f"{names[0]} needs --data, the documents that it scores")
    if not problems and (not given.get("run") or "qrels" not in given):
        problems.append("--data, or --run and --qrels, must say what to evaluate on")


def _key(name: str) -> str:
    return name.replace("-", "_")


def write_trec_files(
    data: rankforest.Dataset,
    systems: Mapping[str, npt.NDArray[np.float64]],
    *,
    run: str | None,
    qrels: str | None,
    run_scores: str,
) -> None:
    """Write the one system's run, and qrels, to the files that are given."""
    lines = {}  # all of them are known to be good before the first file is written
    if run is not None:
        ((system, scores),) = systems.items()
        lines[run] = trec.run_lines(_run_of(data, system, scores, by_rank=run_scores == "rank"))
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
        warn(
            f"--write-run: {run.n_float32_ties} documents have a score that is another's in float32, by "
            "which trec_eval ranks; --run-scores rank makes all different",
        )
    return run


def report_of_runs(
    run: Sequence[NamedFile],
    qrels: str,
    metrics: Sequence[str],
    *,
    complete: bool,
    per_query: bool,
    n_jobs: int,
) -> Report:
    """Measure runs by qrels; queries are those of the qrels."""
    judged, runs = read_runs(run, qrels, complete=complete)
    queries = query_ids_of(judged)
    how: dict[str, Any] = {"complete": complete, "n_jobs": n_jobs}
    means = {name: trec.evaluate(run, judged, metrics, **how) for name, run in runs.items()}
    values = None
    if per_query:
        spelled = named_metrics(metrics)
        values = {
            name: run_values(run, judged, spelled, **how).by_metric for name, run in runs.items()
        }
    n_empty = len(queries) - len(set(judged.qid[judged.grades > 0]))
    return Report(len(queries), n_empty, means, queries, values)


def read_runs(
    run: Sequence[NamedFile], qrels: str, *, complete: bool
) -> tuple[trec.Qrels, dict[str, trec.Run]]:
    """Read qrels and runs by name; say which queries one side lacks."""
    judged = trec.read_qrels(qrels)
    runs = {file.name: trec.read_run(file.path) for file in run}
    for name, ranked in runs.items():
        _warn_of_queries(name, set(ranked.qid), set(judged.qid), complete=complete)
    return judged, runs


def _warn_of_queries(path: str, ranked: set[str], judged: set[str], *, complete: bool) -> None:
    """Say how many queries only the run has, or only the qrels."""
    if ranked - judged:
        warn(
            f"{path} has {len(ranked - judged)} queries that the qrels lack; they are left out",
        )
    if judged - ranked and not complete:
        warn(
            f"{path} lacks {len(judged - ranked)} of the {len(judged)} queries of the qrels; they "
            "are left out, and --complete counts them",
        )
