"""What `ltr-train` can be told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import click

from rankforest._parameters import RULES
from rankforest.cli.commands import Check, Command, Option, version_option
from rankforest.cli.config import config_option
from rankforest.cli.letor_options import data_option, n_jobs_option, reading_options
from rankforest.cli.metric_type import GRAMMAR, METRIC
from rankforest.cli.parameter_option import CHOSEN_ALGORITHM, ParameterOption
from rankforest.cli.parameters import ALGORITHMS, all_parameters
from rankforest.cli.values import Value

_SECTION = "Data and output"

_HELP = """Train an ensemble of trees on LETOR files.

The parameters of the algorithms are those of the Python estimators, with dashes. A table of the
data and the progress go to stderr, the table of metrics at the end to stdout."""

_EPILOG = """\b
Examples:
  ltr-train --algorithm lambdamart --help
  ltr-train --algorithm lambdamart --train train.txt --valid vali.txt \\
      --n-estimators 1000 --early-stopping-rounds 100 --model m.rf
  ltr-train --config run.toml --random-state 2 --model seed2.rf

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. Files are written at the end, each whole or not at all."""


class _TrainCommand(Command):
    """Knows the algorithm before it shows the help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the algorithm, then parse as any command."""
        chosen = _algorithm_in(args)
        if chosen in ALGORITHMS:
            ctx.meta[CHOSEN_ALGORITHM] = chosen
        return super().parse_args(ctx, args)


def _algorithm_in(args: Sequence[str]) -> str | None:
    for i, argument in enumerate(args):
        if argument.startswith("--algorithm="):
            return argument.partition("=")[2]
        if argument == "--algorithm" and i + 1 < len(args):
            return args[i + 1]
    return None


_RANDOM_STATE = replace(RULES["random_state"], expectation="none or an integer in [0, 2**64)")


def train_command(callback: Callable[..., None], check: Check) -> click.Command:
    """Declare `ltr-train`; `callback` gets the value of every option by name."""
    return _TrainCommand(
        "ltr-train",
        callback=callback,
        check=check,
        help=_HELP,
        epilog=_EPILOG,
        params=[
            Option(
                "--algorithm",
                section=_SECTION,
                type=click.Choice(list(ALGORITHMS)),
                required=True,
                help="What to train. With --help: show the parameters of this algorithm alone.",
            ),
            data_option(
                "train",
                "LETOR text to train on, also .gz, .bz2 or .xz, or Parquet or CSV.",
                section=_SECTION,
                required=True,
            ),
            data_option(
                "valid",
                "LETOR text to measure after each round, for early stopping.",
                section=_SECTION,
            ),
            data_option("test", "LETOR text to measure once, at the end.", section=_SECTION),
            Option(
                "--model",
                section=_SECTION,
                type=click.Path(),
                required=True,
                metavar="FILE",
                help="Where to write the model.",
            ),
            Option(
                "--history",
                section=_SECTION,
                type=click.Path(),
                metavar="FILE",
                help="Where to write the metrics on the validation data after each round, as CSV.",
            ),
            Option(
                "--metric",
                section="Run",
                type=METRIC,
                multiple=True,
                help=f"What to measure. {GRAMMAR} May be given several times; early stopping follows "
                "the first, and lambdamart trains for it.  [default: ndcg@10; the table at the end "
                "shows more]",
            ),
            Option(
                "--random-state",
                section="Run",
                type=Value(_RANDOM_STATE, "INT|none"),
                help="Equal seeds give equal models, bit for bit; none draws one.  [default: 0]",
            ),
            n_jobs_option(),
            config_option(),
            Option("--quiet", section="Run", is_flag=True, help="Show errors and warnings only."),
            *reading_options(
                zero_based="false", absent="0", n_features="the highest index in the training data"
            ),
            *map(ParameterOption, all_parameters()),
            version_option(),
        ],
    )
