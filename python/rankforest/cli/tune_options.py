"""What `ltr-tune` can be told."""

from __future__ import annotations

from collections.abc import Callable

import click

from rankforest._settings.parameters import POSITIVE, choice, integer
from rankforest.cli.commands import Check, Option, overwrite_option, version_option
from rankforest.cli.config import config_option
from rankforest.cli.files import OutputFile
from rankforest.cli.letor_options import data_option, n_jobs_option, reading_options
from rankforest.cli.metric_type import GRAMMAR, METRIC
from rankforest.cli.parameter_option import ParameterOption
from rankforest.cli.parameters import all_parameters
from rankforest.cli.space_option import SpaceType
from rankforest.cli.train_options import AlgorithmCommand, algorithm_option
from rankforest.cli.values import Value

_DATA = "Data and output"
_SEARCH = "Search"

_HELP = """Search for the parameters with which an algorithm ranks new queries best.

Each trial takes parameters out of --space, trains a model for every fold and seed, and is as good as
the mean of the first --metric on the validation parts. With --early-stopping-rounds, the same parts
decide how many rounds a model keeps. Parameters that are not searched are options of the same name
as in ltr-train, and hold for all trials; `ltr-tune --algorithm NAME --help` explains those of one
algorithm.

Data is one of: --train with --valid, and --test to see how the choice does on other queries; --train
alone, which is split into --n-folds parts of whole queries; or --folds, a folder of folds.

With --storage, a search that was interrupted or killed goes on where it was when the same command is
given again, and ends as if it had run in one go. Progress goes to stderr, the table of the best trials
to stdout. Needs Optuna: pip install 'rankforest[tune]'"""

_EPILOG = """\b
Examples:
  ltr-tune --algorithm lambdamart --train train.txt --valid vali.txt --test test.txt \\
      --n-estimators 1000 --early-stopping-rounds 100 --n-trials 50 --storage s.db --out best.toml
  ltr-train --config best.toml --train train.txt --valid vali.txt --model m.rf
  ltr-tune --algorithm lambdamart --folds MQ2008 --space blmart --sampler grid \\
      --n-trials 100 --metric ndcg@3 --history trials.csv --plot overfitting.png

\b
A space of your own, in a TOML file:
  max_leaf_nodes = [7, 15, 31]
  learning_rate = { low = 0.02, high = 0.3, log = true }

\b
Exit status: 0; 1 for a failed run; 2 for unusable arguments or input; 130 after
Ctrl-C. Files are written at the end, each whole or not at all; --storage after
each trial."""

_MODEL_HELP = """Where to write a model of the best parameters, trained on --train: that of the best trial
where --valid is given; else one of all of the data, for as many rounds as the models of the best
trial kept on average. Not with --folds."""


def tune_command(callback: Callable[..., None], check: Check) -> click.Command:
    """Declare `ltr-tune`; `callback` gets the value of every option by name."""
    return AlgorithmCommand(
        "ltr-tune",
        callback=callback,
        check=check,
        help=_HELP,
        epilog=_EPILOG,
        params=[
            algorithm_option(_DATA),
            *_data_options(),
            *_search_options(),
            Option(
                "--metric",
                section="Run",
                type=METRIC,
                multiple=True,
                help=f"What to measure. {GRAMMAR} May be given several times. The first decides what is "
                "best and early stopping, and lambdamart trains for it.  [default: ndcg@10]",
            ),
            Option(
                "--random-state",
                section="Run",
                type=Value(integer(0), "INT"),
                help="The seed of the search, of the folds and of the first model of each fold. Equal "
                "seeds give equal results.  [default: 0]",
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


def _data_options() -> list[click.Option]:
    outputs = (
        ("--out", "Where to write the best parameters, for ltr-train --config."),
        ("--history", "Where to write all trials, as CSV."),
        (
            "--plot",
            "Where to draw how good the best of 1, 2, 3, ... trials is on the validation and test parts.",
        ),
        (
            "--model",
            _MODEL_HELP,
        ),
    )
    return [
        data_option("train", "Data to train on: LETOR text, Parquet or CSV.", section=_DATA),
        data_option("valid", "Data that trials are compared on.", section=_DATA),
        data_option(
            "test", "Data that is measured in each trial and decides nothing.", section=_DATA
        ),
        Option(
            "--folds",
            section=_DATA,
            type=click.Path(exists=True, file_okay=False),
            metavar="DIR",
            help="A folder with Fold1, Fold2, ..., each of which has train.txt, vali.txt and perhaps "
            "test.txt, as LETOR's data sets do.",
        ),
        Option(
            "--n-folds",
            section=_DATA,
            type=Value(integer(2), "INT"),
            help="Into how many parts to split --train where there is no --valid.  [default: 5]",
        ),
        data_option(
            "holdout",
            "A second held-out set, on which the search ends: see --patience.",
            section=_DATA,
        ),
        *(
            Option(flag, section=_DATA, type=OutputFile(), metavar="FILE", help=text)
            for flag, text in outputs
        ),
    ]


def _search_options() -> list[click.Option]:
    return [
        Option(
            "--space",
            section=_SEARCH,
            type=SpaceType(),
            default="default",
            metavar="NAME|FILE",
            help="What to search: default, which depends on the algorithm and leaves out what is given as an "
            "option; blmart or blmart_large, the "
            "grids of BL-MART (SIGIR 2011, table 2); or a TOML file with a list of choices or a range "
            "for each parameter.  [default: default]",
        ),
        Option(
            "--n-trials",
            section=_SEARCH,
            type=Value(integer(1), "INT"),
            help="How many trials there are to be, with those that --storage has.  [default: 50; the "
            "whole grid with --sampler grid]",
        ),
        Option(
            "--sampler",
            section=_SEARCH,
            type=Value(choice("tpe", "random", "grid"), "tpe|random|grid"),
            help="How parameters are chosen: by a model of the trials before, at random, or all points "
            "of a grid in random order.  [default: tpe]",
        ),
        Option(
            "--pruner",
            section=_SEARCH,
            type=Value(choice("auto", "median", "none"), "auto|median|none"),
            help="Whether trials end early that are below the median of the others after a model, or in "
            "the worst quarter within one. auto: not in a grid.  [default: auto]",
        ),
        Option(
            "--seeds",
            section=_SEARCH,
            type=Value(integer(1), "INT"),
            help="How many models to train on each fold, with seeds from --random-state on.  "
            "[default: 1]",
        ),
        Option(
            "--n-parallel",
            section=_SEARCH,
            type=Value(integer(1), "INT"),
            help="Trials side by side, which share --n-jobs. Those side by side do not know of each "
            "other, so it changes what tpe and pruning choose.  [default: 1]",
        ),
        Option(
            "--timeout",
            section=_SEARCH,
            type=Value(POSITIVE, "SECONDS"),
            help="Begin no trial after so many seconds.",
        ),
        Option(
            "--patience",
            section=_SEARCH,
            type=Value(integer(1), "INT"),
            help="End the search once the best trial's value on --holdout has not risen for so many "
            "trials. The best trial of that time wins.",
        ),
        Option(
            "--storage",
            section=_SEARCH,
            metavar="FILE|URL",
            help="Where the study is kept: an SQLite file, which is made if there is none, a journal "
            "file if it ends in .log, or a URL of Optuna. Of the same command, it is gone on with.",
        ),
        Option(
            "--study-name",
            section=_SEARCH,
            metavar="NAME",
            help="Which of several studies in --storage.  [default: rankforest]",
        ),
    ]
