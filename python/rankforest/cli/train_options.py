"""What `ltr-train` can be told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from rankforest._data.query_features import KINDS
from rankforest.cli.commands import (
    Check,
    Command,
    GivenOptions,
    Option,
    overwrite_option,
    version_option,
)
from rankforest.cli.config import config_option
from rankforest.cli.files import OutputFile
from rankforest.cli.interruption import interruption_options
from rankforest.cli.letor_options import data_option, n_jobs_option, reading_options
from rankforest.cli.metric_type import GRAMMAR, METRIC
from rankforest.cli.parameter_option import CHOSEN_ALGORITHM, ParameterOption
from rankforest.cli.parameters import ALGORITHMS, all_parameters
from rankforest.cli.positions import position_file_option
from rankforest.cli.starting import starting_options
from rankforest.cli.values import RANDOM_STATE

_SECTION = "Data and output"

_HELP = """Train an ensemble of trees to rank the documents of each query.

Data is LETOR text, Parquet or CSV; text may be compressed as .gz, .bz2 or .xz.

This page says in short what each parameter is; `ltr-train --algorithm NAME --help` explains those of
one algorithm. The forest that igbrt starts from has the parameters of random_forest, with the
prefix --forest-.

Progress goes to stderr, the table of metrics at the end to stdout."""

_EPILOG = """\b
Examples:
  ltr-train --algorithm lambdamart --help
  ltr-train --algorithm lambdamart --train train.txt --valid vali.txt \\
      --n-estimators 1000 --early-stopping-rounds 100 --model m.rf
  ltr-train --config run.toml --random-state 2 --model seed2.rf

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. Files are written at the end, each whole or not at all. No file that is read is
written over, but for --checkpoint."""


class AlgorithmCommand(Command):
    """A command that trains: it knows the algorithm before it shows the help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the algorithm, then parse as any command."""
        chosen = _algorithm_in(args)
        if chosen in ALGORITHMS:
            ctx.meta[CHOSEN_ALGORITHM] = chosen
        return super().parse_args(ctx, args)

    def flags_in(self, ctx: click.Context) -> dict[str, str]:
        """Call evaluation sets --valid, and a parameter by the option that was given for it.

        The forest of igbrt has parameters that igbrt has, too.
        """
        flags = super().flags_in(ctx) | {"eval_set": "--valid"}
        for parameter in all_parameters():
            is_given = ctx.params.get(parameter.key) is not None
            if parameter.owner and is_given:
                own = [flags[parameter.name]] if ctx.params.get(parameter.name) is not None else []
                flags[parameter.name] = " or ".join([*own, parameter.flag])
        return flags


def _algorithm_in(args: Sequence[str]) -> str | None:
    for i, argument in enumerate(args):
        if argument.startswith("--algorithm="):
            return argument.partition("=")[2]
        if argument == "--algorithm" and i + 1 < len(args):
            return args[i + 1]
    return None


def algorithm_option(section: str) -> click.Option:
    """Make the option of what to train."""
    return Option(
        "--algorithm",
        section=section,
        type=click.Choice(list(ALGORITHMS)),
        required=True,
        help="What to train. With --help: explain the parameters of this algorithm alone.",
    )


def note_foreign_parameters(given: GivenOptions, problems: list[str]) -> None:
    """Add to `problems` each parameter that the algorithm does not have."""
    algorithm = given.get("algorithm")
    for parameter in all_parameters():
        if algorithm and parameter.key in given and algorithm not in parameter.by_algorithm:
            owners = ", ".join(parameter.by_algorithm)
            problems.append(f"{parameter.flag} is a parameter of {owners}, not of {algorithm}")


def train_command(callback: Callable[..., None], check: Check) -> click.Command:
    """Declare `ltr-train`; `callback` gets the value of every option by name."""
    return AlgorithmCommand(
        "ltr-train",
        callback=callback,
        check=check,
        help=_HELP,
        epilog=_EPILOG,
        params=[
            algorithm_option(_SECTION),
            data_option(
                "train",
                "Data to train on: LETOR text, Parquet or CSV.",
                section=_SECTION,
                required=True,
            ),
            data_option(
                "valid",
                "Data to measure the model on after each round, for early stopping.",
                section=_SECTION,
            ),
            data_option("test", "Data to measure the model on at the end.", section=_SECTION),
            position_file_option(_SECTION),
            Option(
                "--model",
                section=_SECTION,
                type=OutputFile(),
                required=True,
                metavar="FILE",
                help="Where to write the model.",
            ),
            Option(
                "--history",
                section=_SECTION,
                type=OutputFile(),
                metavar="FILE",
                help="Where to write the metrics on --valid after each round, as CSV.",
            ),
            *starting_options(),
            *interruption_options(),
            Option(
                "--metric",
                section="Run",
                type=METRIC,
                multiple=True,
                help=f"What to measure. {GRAMMAR} May be given several times. The first decides early "
                "stopping, and lambdamart and its kin train for it.  [default: ndcg@10; the table at the end "
                "shows more]",
            ),
            Option(
                "--query-features",
                section="Run",
                type=click.Choice(list(KINDS)),
                multiple=True,
                metavar="KIND",
                help="Add features that say where a document stands among the others of its query, "
                "one for each feature: zscore, minmax or rank. May be given several times. The "
                "model remembers them, and scoring adds them to the data.",
            ),
            Option(
                "--random-state",
                section="Run",
                type=RANDOM_STATE,
                help="The seed. Equal seeds give equal models, bit for bit; none draws one.  "
                "[default: 0]",
            ),
            overwrite_option(),
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
