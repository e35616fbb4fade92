"""`ltr-blend`: make one model of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import click

import rankforest
from rankforest._settings.parameters import NON_NEGATIVE, Rule, choice
from rankforest.blending import Combination
from rankforest.cli import files
from rankforest.cli.commands import Command, GivenOptions, Option, overwrite_option, version_option
from rankforest.cli.letor_options import data_option, n_jobs_option, reading_options, unwrapped
from rankforest.cli.metric_type import GRAMMAR, METRIC
from rankforest.cli.models import BY_MODEL, model_output_option, reading_for
from rankforest.cli.run import run
from rankforest.cli.table_options import note_table_problems
from rankforest.cli.values import Value

_SECTION = "Models and weights"
_COMBINATIONS = get_args(Combination)

_HELP = """Make one model of several: their scores, brought to a common scale in each query and added
up by weights.

With --valid, a line search finds the weights that make --metric largest on that data; a model whose
weight falls to 0 is left out. Without it, the models have the weights of --model-weight, or equal
ones.

Prints the weights and, after a search, the metric before and after it."""

_EPILOG = """\b
Examples:
  ltr-blend --model a.rf --model b.rf --valid vali.txt --output blend.rf
  ltr-blend --model a.rf --model b.rf --model-weight 1 --model-weight 2 --output c.rf
  ltr-blend --model a.rf --model b.rf --combine zscore --output d.rf
  ltr-blend --model a.rf --model b.rf --valid vali.txt --metric map --output blend.rf

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. The model file appears whole or not at all."""


def _blend(
    *,
    model: Sequence[str],
    output: str,
    valid: Sequence[str],
    model_weight: Sequence[Any] | None,
    metric: str,
    combine: Any,
    **options: Any,
) -> None:
    """Read, search and write."""
    given = unwrapped(options)
    models = [rankforest.load(path) for path in model]
    widest = max(models, key=lambda each: each.n_features)
    blended = rankforest.blend(
        models,
        reading_for(widest, given).read(valid) if valid else None,
        weights=[each.value for each in model_weight or ()] or None,
        combine="minmax" if combine is None else combine.value,
        metric=metric,
        n_jobs=given.get("n_jobs"),
    )
    blended.save(output)
    for path, value in zip(model, blended.parameters["weights"], strict=True):
        click.echo(f"{value:<8.4g} {path}")
    if history := blended.parameters.get("history"):
        click.echo(f"{metric}: {history[0]:.4f} before the search, {history[-1]:.4f} after it")


def _check(given: GivenOptions, problems: list[str]) -> None:
    n_models, n_weights = len(given.get("model", ())), len(given.get("model_weight", ()))
    if n_weights not in {0, n_models} and not problems:
        problems.append(
            f"--model-weight: give one for each of the {n_models} models, got {n_weights}"
        )
    note_table_problems(given, problems, ["valid"])


command = Command(
    "ltr-blend",
    callback=_blend,
    check=_check,
    help=_HELP,
    epilog=_EPILOG,
    params=[
        Option(
            "--model",
            section=_SECTION,
            type=files.InputFile(),
            multiple=True,
            required=True,
            metavar="FILE",
            help="A model: a file of ltr-train or of Python's save(), or LightGBM's text. Give it "
            "once for each model.",
        ),
        model_output_option(section=_SECTION),
        data_option(
            "valid", "LETOR text, Parquet or CSV to search the weights on.", section=_SECTION
        ),
        Option(
            "--metric",
            section=_SECTION,
            type=METRIC,
            default="ndcg@10",
            metavar="METRIC",
            help=f"What the search maximises. {GRAMMAR}  [default: ndcg@10]",
        ),
        Option(
            "--combine",
            section=_SECTION,
            type=Value(choice(*_COMBINATIONS), "|".join(_COMBINATIONS)),
            help="The common scale of a query's scores: minmax from 0 to 1, borda the documents "
            "ranked below, zscore mean 0 and standard deviation 1, sum as they are.  "
            "[default: minmax]",
        ),
        Option(
            "--model-weight",
            section=_SECTION,
            type=Value(Rule(NON_NEGATIVE.expectation, NON_NEGATIVE.parse), "WEIGHT"),
            multiple=True,
            help="The weight of a model, >= 0: one for each, in their order. A search starts from "
            "them.  [default: 1 each]",
        ),
        *reading_options(**BY_MODEL),
        overwrite_option(),
        n_jobs_option(),
        version_option(),
    ],
)


def main() -> int:
    """Run `ltr-blend` on the process's arguments."""
    return run(command)
