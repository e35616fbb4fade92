"""Trained models on the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import rankforest
from rankforest._model.narrow_scoring import WIDE
from rankforest._support.warnings import warn
from rankforest.cli import files
from rankforest.cli.commands import Option
from rankforest.cli.letor_options import Reading, data_option
from rankforest.cli.metric_type import GRAMMAR, METRIC

# What the help says where the model decides how data is read.
BY_MODEL: Mapping[str, str] = dict.fromkeys(
    ("zero_based", "absent", "n_features"), "as in the model's training"
)


def model_option(*, section: str, required: bool = True) -> Option:
    """Make the option that names the model file."""
    return Option(
        "--model",
        section=section,
        type=files.InputFile(),
        required=required,
        metavar="FILE",
        help="A model: a file of ltr-train or of Python's save(), or another system's, such as "
        "LightGBM's text.",
    )


def model_output_option(*, section: str) -> Option:
    """Make the option that names the model file to write."""
    return Option(
        "--output",
        section=section,
        type=files.OutputFile(),
        required=True,
        metavar="FILE",
        help="The model file to write.",
    )


def held_out_options(*, section: str, how: str) -> list[Option]:
    """Make the options of a command that changes a model by what data says that it was not trained on.

    Parameters
    ----------
    section : str
        Of the help, for the data.
    how : str
        Of the help, for the metric.
    """
    return [
        data_option(
            "valid",
            "Validation data, not the training data: LETOR text, Parquet or CSV.",
            section=section,
            required=True,
        ),
        Option(
            "--metric",
            section=how,
            type=METRIC,
            default="ndcg@10",
            metavar="METRIC",
            help=f"What must not fall. {GRAMMAR}  [default: ndcg@10]",
        ),
    ]


def output_option(*, section: str, note: str = "") -> Option:
    """Make the option that names the file to write; `note` is one more sentence of its help."""
    return Option(
        "--output",
        section=section,
        type=files.OutputFile(stdout=True),
        default=files.DASH,
        metavar="FILE",
        help=f"Where to write.{note}  [default: stdout]",
    )


def read_for(
    model: rankforest.Model,
    paths: Sequence[str],
    given: Mapping[str, Any],
    read: Callable[[Reading, tuple[str, ...]], rankforest.Dataset] = Reading.read,
) -> rankforest.Dataset:
    """Read data to score, and warn of text that mentions fewer features than the model has.

    Parameters
    ----------
    model : Model
        Whose rules hold for what the user did not give.
    paths : sequence of str
        Files of text or tables, one data set together.
    given : mapping of str to object
        Options; who gives the number of features knows it.
    read : callable, optional
        What reads, of rules and paths.
    """
    reading = reading_for(model, given)
    n_features = reading.n_features
    if n_features is not None and n_features >= WIDE and "n_features" not in given:
        # What it mentions will do; memory for all that a model names might not be there.
        data = read(replace(reading, n_features=None), tuple(paths))
        _refuse_unknown(data, paths, n_features)
    else:
        data = read(reading, tuple(paths))
    text = data._text
    if text is None or n_features is None or "n_features" in given:
        return data
    if text.n_mentioned < n_features:
        warn(
            f"{' '.join(paths)} mentions no feature above the first {text.n_mentioned} of the "
            f"model's {n_features}; the others are {text.absent:g} in every document"
        )
    return data


def _refuse_unknown(data: rankforest.Dataset, paths: Sequence[str], n_features: int) -> None:
    """Raise a ValueError if text mentions a feature that a model does not have."""
    if data._text is not None and data.n_features > n_features:
        raise ValueError(
            f"{' '.join(paths)} mentions {data.n_features} features; the model has {n_features}"
        )


def reading_for(model: rankforest.Model, given: Mapping[str, Any]) -> Reading:
    """Read as the model's training data was read, except for what the user gave."""
    n_own = model.n_features // (1 + len(model.query_features))  # the others follow from these
    names = model.feature_names
    rules = {
        "zero_based": model.zero_based,
        "absent": model.absent,
        "n_features": n_own,
        "features": None if names is None else names[:n_own],
        "categories": tuple(each.name for each in model.categories) or None,
    }
    return Reading.of(rules | dict(given))
