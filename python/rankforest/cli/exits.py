"""`ltr-exits`: choose when documents stop being scored, and save that with the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import click

import rankforest
from rankforest._settings.parameters import FLAG, NON_NEGATIVE, integer
from rankforest.choosing_exits import ExitRule
from rankforest.cli.commands import Command, GivenOptions, Option, overwrite_option, version_option
from rankforest.cli.costs import COST_FILE, given_costs
from rankforest.cli.files import InputFile
from rankforest.cli.letor_options import n_jobs_option, reading_options, unwrapped
from rankforest.cli.models import (
    BY_MODEL,
    held_out_options,
    model_option,
    model_output_option,
    reading_for,
)
from rankforest.cli.run import run
from rankforest.cli.table_options import note_table_problems
from rankforest.cli.values import Value

_SECTION = "What to make faster"
_HOW = "How to choose"
_RULES = get_args(ExitRule)

_HELP = """Find when the lowest documents of a query should stop being scored, so that scoring costs
least, and save that with the model.

Schedules of exits are tried on validation data. Of those whose metric is lower by no more than
--max-loss than that of all trees for all documents, the cheapest is chosen. The model that is
written stops scoring documents as it says, in ltr-score, Python, C++ and C.

Prints the schedules than which no other costs less and loses no more. They are measured on the data
that they were chosen on, so the loss on new data is likely to be higher; ltr-eval --cost measures
it."""

_EPILOG = """\b
Examples:
  ltr-exits --model m.rf --valid vali.txt --max-loss 0.001 --output m-exits.rf
  ltr-exits --model m.rf --valid vali.txt --cost costs.csv --rule margin --output m-exits.rf
  ltr-eval --data test.txt m.rf m-exits.rf --cost costs.csv

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. The model file appears whole or not at all."""


def _choose(
    *,
    model: str,
    valid: Sequence[str],
    output: str,
    metric: str,
    rule: Sequence[ExitRule],
    **options: Any,
) -> None:
    """Read, search and write."""
    given = unwrapped(options)
    whole = rankforest.load(model)
    names = ("max_loss", "k", "reorder", "lazy", "max_trials", "n_jobs")
    found = rankforest.choose_exits(
        whole,
        reading_for(whole, given).read(valid),
        metric,
        costs=given_costs(given),
        rules=rule or _RULES,
        **{name: given[name] for name in names if name in given},
    )
    found.model.save(output)
    click.echo(str(found))


def _check(given: GivenOptions, problems: list[str]) -> None:
    note_table_problems(given, problems, ["valid"])


command = Command(
    "ltr-exits",
    callback=_choose,
    check=_check,
    help=_HELP,
    epilog=_EPILOG,
    params=[
        model_option(section=_SECTION),
        *held_out_options(section=_SECTION, how=_HOW),
        model_output_option(section=_SECTION),
        Option(
            "--max-loss",
            section=_HOW,
            type=Value(NON_NEGATIVE, "LOSS"),
            help="By how much the metric may fall on the validation data, >= 0.  [default: 0.001]",
        ),
        Option(
            "--cost",
            section=_HOW,
            type=InputFile(),
            metavar="FILE",
            help=f"Costs of features: {COST_FILE} Features that it leaves out are free.  [default: "
            "those that the model was trained with]",
        ),
        Option(
            "--tree-cost",
            section=_HOW,
            type=Value(NON_NEGATIVE, "FLOAT"),
            help="Cost of evaluating one tree for one document, >= 0.  [default: 1]",
        ),
        Option(
            "--lazy",
            section=_HOW,
            type=Value(FLAG, "true|false"),
            help="Whether features are computed once a tree asks for them on the path of a "
            "document; otherwise all features of a tree are.  [default: false]",
        ),
        Option(
            "--rule",
            section=_HOW,
            type=click.Choice(_RULES),
            multiple=True,
            help="By what documents exit: a share of them, what is so far below the best, or all "
            "but the best. May be given several times.  [default: all three are tried]",
        ),
        Option(
            "--k",
            section=_HOW,
            type=Value(integer(1), "INT"),
            help="Margins are measured from the score of the k-th best document.  [default: the "
            "cutoff of the metric, else 10]",
        ),
        Option(
            "--reorder",
            section=_HOW,
            type=Value(FLAG, "true|false"),
            help="Whether to try also another order of trees, those first that change scores most "
            "for what they and their features cost. It changes the last digits of scores.  "
            "[default: false]",
        ),
        Option(
            "--max-trials",
            section=_HOW,
            type=Value(integer(1), "INT"),
            help="The most schedules to try for each rule.  [default: 300]",
        ),
        *reading_options(**BY_MODEL),
        overwrite_option(),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-exits` on the process's arguments."""
    return run(command)
