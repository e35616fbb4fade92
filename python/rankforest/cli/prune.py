"""`ltr-prune`: drop trees of a model and weigh the others anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import click

import rankforest
from rankforest._settings.parameters import BELOW_ONE, FLAG, NON_NEGATIVE, choice, integer
from rankforest.cli.commands import Command, GivenOptions, Option, overwrite_option, version_option
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
from rankforest.cli.values import RANDOM_STATE, Value
from rankforest.pruning import PruneMethod

_SECTION = "What to prune"
_HOW = "How to prune"
_METHODS = get_args(PruneMethod)
_GOALS = ("n_trees", "fraction", "max_loss")

_HELP = """Drop trees of a trained model that it hardly needs, and weigh the others anew, so that it
scores in less time.

Prints how the metric falls as trees are dropped. Every query is judged by trees and weights that
were chosen on the other half of the queries, so the figures are those to expect on new data.

Without --n-trees, --fraction and --max-loss, the fewest trees are kept whose loss is not significant:
its p-value is above 0.05 by the randomisation test."""

_EPILOG = """\b
Examples:
  ltr-prune --model m.rf --valid vali.txt --output pruned.rf
  ltr-prune --model m.rf --valid vali.txt --max-loss 0.001 --output pruned.rf
  ltr-prune --model m.rf --valid vali.txt --fraction 0.5 --method last --output half.rf

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. The model file appears whole or not at all."""


def _prune(*, model: str, valid: Sequence[str], output: str, metric: str, **options: Any) -> None:
    """Read, prune and write."""
    given = unwrapped(options)
    whole = rankforest.load(model)
    names = (*_GOALS, "method", "line_search", "random_state", "n_jobs")
    pruned = rankforest.prune(
        whole,
        reading_for(whole, given).read(valid),
        metric=metric,
        **{name: given[name] for name in names if name in given},
    )
    pruned.model.save(output)
    click.echo(str(pruned))


def _check(given: GivenOptions, problems: list[str]) -> None:
    goals = [name for name in _GOALS if name in given]
    if len(goals) > 1:
        flags = [f"--{name.replace('_', '-')}" for name in goals]
        problems.append(f"{' and '.join(flags)}: only one can say how much to prune")
    note_table_problems(given, problems, ["valid"])


command = Command(
    "ltr-prune",
    callback=_prune,
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
            help="Keep the fewest trees with which the metric falls by no more than this.",
        ),
        Option("--n-trees", section=_HOW, type=Value(integer(1), "INT"), help="Keep so many."),
        Option(
            "--fraction",
            section=_HOW,
            type=Value(BELOW_ONE, "FRACTION"),
            help="Drop this share of the trees, in (0, 1).",
        ),
        Option(
            "--method",
            section=_HOW,
            type=Value(choice(*_METHODS), "|".join(_METHODS)),
            help="Which trees go first: those whose loss costs least of the metric, those that make "
            "the smallest share of the scores, those of the smallest weights, the last, all but "
            "some at equal distances, or any.  [default: score_loss]",
        ),
        Option(
            "--line-search",
            section=_HOW,
            type=Value(FLAG, "true|false"),
            help="Whether the trees that are left get new weights.  [default: true]",
        ),
        Option(
            "--random-state",
            section=_HOW,
            type=RANDOM_STATE,
            help="The seed of --method random and of the tests.  [default: 0]",
        ),
        *reading_options(**BY_MODEL),
        overwrite_option(),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-prune` on the process's arguments."""
    return run(command)
