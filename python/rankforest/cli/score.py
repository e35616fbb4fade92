"""`ltr-score`: score documents with a model."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import click
import numpy as np

import rankforest
from rankforest import Dataset, Model, trec
from rankforest.cli import files, limits
from rankforest.cli.commands import Command, GivenOptions, Option, overwrite_option, version_option
from rankforest.cli.letor_options import data_option, n_jobs_option, reading_options, unwrapped
from rankforest.cli.models import BY_MODEL, model_option, output_option, read_for
from rankforest.cli.run import run
from rankforest.cli.table_options import note_table_problems

_SECTION = "Data and output"

_HELP = """Score the documents of LETOR text, Parquet or CSV with a trained model.

Writes one score per line, in the order of the data; the highest score ranks first. Scores have all
digits that are needed to read the same float64 back.

A model of ltr-exits stops scoring documents as it says. With --exit-every or --budget, documents may stop being scored before the last tree; they keep the
scores they have by then. A line on stderr says how many trees were evaluated, and at what cost."""

_EPILOG = """\b
Examples:
  ltr-score --model m.rf --data test.txt > scores.txt
  zcat logs.gz | ltr-score --model m.rf --data - --output scores.txt
  ltr-score --model m.rf --data test.txt --trec-run lambdamart --output run.txt
  ltr-score --model m.rf --data test.txt --explain 10032 > why.csv
  ltr-score --model m.rf --data test.txt --exit-every 100 --exit-fraction 0.2 > scores.txt

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. The output file appears whole or not at all."""


def _score(
    *,
    model: str,
    data: Sequence[str],
    output: str,
    trec_run: str | None,
    proba: bool,
    explain: str | None,
    **options: Any,
) -> None:
    """Read, score and write."""
    given = unwrapped(options)
    trained = rankforest.load(model)
    documents = read_for(trained, data, given)
    if proba:
        _write_probabilities(trained, documents, output, given.get("n_jobs"))
        return
    if explain is not None:
        _write_explanation(trained, documents, explain, output, given.get("n_jobs"))
        return
    limited = limits.limits_of(given)
    if limited or trained.exits is not None:
        within = trained.predict_within(documents, n_jobs=given.get("n_jobs"), **limited)
        click.echo(f"ltr-score: {limits.report(within, trained.n_trees)}", err=True)
        scores = within.scores
    else:
        scores = trained.predict(documents, n_jobs=given.get("n_jobs"))
    lines = (
        map(repr, scores.tolist())
        if trec_run is None
        else trec.run_lines(trec.Run.of(documents, scores, name=trec_run))
    )
    with files.text_output(output) as file:
        file.writelines(f"{line}\n" for line in lines)


def _write_probabilities(model: Model, documents: Dataset, output: str, n_jobs: int | None) -> None:
    """Write a line for each document, and say on stderr which grades the columns are of."""
    shares = model.predict_proba(documents, n_jobs=n_jobs)
    grades = " ".join(map(repr, model.grades or ()))
    click.echo(f"ltr-score: the columns are the grades {grades}", err=True)
    with files.text_output(output) as file:
        file.writelines(" ".join(map(repr, row)) + "\n" for row in shares.tolist())


def _write_explanation(
    model: Model, documents: Dataset, query: str, output: str, n_jobs: int | None
) -> None:
    """Write CSV with a line for each document of a query, the best first."""
    names = {str(each): each for each in documents.query_ids.tolist()}
    if query not in names:
        raise ValueError(f"--explain: the data has no query {query!r}")
    chosen = documents.take([names[query]])
    labels = model._labels_for(documents.feature_names)
    features = np.ascontiguousarray(model._rows(documents)[documents.qid == names[query]])
    explained = model._explained(features, labels, None, n_jobs)
    scores = model.predict(chosen, n_jobs=n_jobs)
    documents_by_name = trec.document_names(chosen)
    with files.text_output(output) as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["document", "score", "expected", *explained.feature_names])
        for row in np.argsort(-scores, kind="stable"):
            numbers = [scores[row], explained.base_values[row], *explained.values[row]]
            rows.writerow([documents_by_name[row], *(repr(float(number)) for number in numbers)])


def _check(given: GivenOptions, problems: list[str]) -> None:
    if given.has("proba"):
        problems.extend(
            f"--proba does not go with --{name.replace('_', '-')}"
            for name in ("trec_run", "exit_every", "budget")
            if given.has(name)
        )
    if given.has("explain"):
        problems.extend(
            f"--explain does not go with --{name.replace('_', '-')}"
            for name in ("proba", "trec_run", "exit_every", "budget")
            if given.has(name)
        )
    if len(given.get("trec_run", "one").split()) != 1:
        problems.append(f"--trec-run: must be one word, got {given['trec_run']!r}")
    limits.note_problems(given, problems)
    note_table_problems(given, problems, ["data"], required=())


command = Command(
    "ltr-score",
    callback=_score,
    check=_check,
    help=_HELP,
    epilog=_EPILOG,
    params=[
        model_option(section=_SECTION),
        data_option(
            "data", "LETOR text, Parquet or CSV to score.", section=_SECTION, required=True
        ),
        output_option(section=_SECTION),
        Option(
            "--trec-run",
            section=_SECTION,
            metavar="NAME",
            help="Write a TREC run with this name for the system, instead of bare scores. The name "
            "of a document is what follows 'docid =' in the comment of its line, else the comment "
            "itself if it is one word, else the number of the line's document, from 1 on.",
        ),
        Option(
            "--proba",
            section=_SECTION,
            is_flag=True,
            default=False,
            help="Write the probability of each grade instead of scores, for a model that was "
            "trained with --ordinal. A line has one number for each grade, ascending.",
        ),
        Option(
            "--explain",
            section=_SECTION,
            metavar="QUERY",
            help="Say why the documents of one query score as they do: CSV with a line for each of "
            "them, the best first, of its name, its score, the score that is expected of any "
            "document, and what each feature adds to it (Shapley values).",
        ),
        *limits.limit_options(),
        *reading_options(**BY_MODEL),
        overwrite_option(),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-score` on the process's arguments."""
    return run(command)
