"""`ltr-transfer`: add to a data set the documents of a larger one that look most like it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

import rankforest
from rankforest._settings.parameters import UP_TO_ONE, choice, integer
from rankforest.cli import files
from rankforest.cli.commands import Command, GivenOptions, Option, overwrite_option, version_option
from rankforest.cli.convert_data import DATA_FORMS, write_data
from rankforest.cli.letor_options import (
    Reading,
    data_option,
    n_jobs_option,
    reading_options,
    unwrapped,
)
from rankforest.cli.run import run
from rankforest.cli.table_options import note_table_problems
from rankforest.cli.values import RANDOM_STATE, Value

_SECTION = "What to add to what"
_SELECTION = "How to select"

_HELP = """Add to the training data of one set the documents of another, larger one that look most like
it, and write both as one file.

A forest learns to tell the documents of the target from those of the source, by the features that
both have: by name in tables, by number in LETOR text. Those of the source that it takes for the
target's, although it was not trained on their queries, are added. Features that the source lacks are
missing in them; queries are called 0/ID where they are the target's and 1/ID where they are the
source's.

Prints how many documents were added."""

_EPILOG = """\b
Examples:
  ltr-transfer --source large.txt --target train.txt --fraction 0.05 --output both.txt
  ltr-transfer --source web.parquet --target shop.parquet --fraction 0.1 --unit query \\
      --to parquet --output both.parquet

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. The file appears whole or not at all."""


def _transfer(
    *, source: Sequence[str], target: Sequence[str], to: Any, output: str, **options: Any
) -> None:
    """Read, select and write."""
    given = unwrapped(options)
    reading = Reading.of(given).settled([*source, *target])
    of_source, of_target = reading.read(source), reading.read(target)
    names = ("unit", "n_folds", "random_state", "n_jobs")
    chosen = rankforest.transfer.select_source(
        of_source,
        of_target,
        given["fraction"],
        **{name: given[name] for name in names if name in given},
    )
    both = rankforest.concat([of_target, chosen.data], queries="rename")
    write_data(both, "letor" if to is None else to.value, output, given.get("n_jobs"))
    n_added, n_source = chosen.data.n_documents, len(chosen.probabilities)
    click.echo(
        f"{n_added} of {n_source} documents added to {of_target.n_documents}, by "
        f"{len(chosen.features)} features that both have"
    )


def _check(given: GivenOptions, problems: list[str]) -> None:
    note_table_problems(given, problems, ["source", "target"])


command = Command(
    "ltr-transfer",
    callback=_transfer,
    check=_check,
    help=_HELP,
    epilog=_EPILOG,
    params=[
        data_option(
            "source",
            "The larger set: LETOR text, Parquet or CSV.",
            section=_SECTION,
            required=True,
        ),
        data_option(
            "target",
            "Training data of the set that a model is wanted for.",
            section=_SECTION,
            required=True,
        ),
        Option(
            "--fraction",
            section=_SECTION,
            type=Value(UP_TO_ONE, "FRACTION"),
            required=True,
            help="The share of the source to add, in (0, 1].",
        ),
        Option(
            "--output",
            section=_SECTION,
            type=files.OutputFile(),
            required=True,
            metavar="FILE",
            help="The data file to write.",
        ),
        Option(
            "--to",
            section=_SECTION,
            type=Value(choice(*DATA_FORMS), "|".join(DATA_FORMS)),
            help="What to write.  [default: letor]",
        ),
        Option(
            "--unit",
            section=_SELECTION,
            type=Value(choice("document", "query"), "document|query"),
            help="Whether documents are selected, or whole queries, by their mean.  "
            "[default: document]",
        ),
        Option(
            "--n-folds",
            section=_SELECTION,
            type=Value(integer(2), "INT"),
            help="Parts of the source's queries, each of which is judged by a forest that was "
            "trained on the others.  [default: 5]",
        ),
        Option(
            "--random-state",
            section=_SELECTION,
            type=RANDOM_STATE,
            help="Draws the folds and the samples of the forests.  [default: 0]",
        ),
        *reading_options(zero_based="false", absent="0", n_features="the highest index"),
        overwrite_option(),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-transfer` on the process's arguments."""
    return run(command)
