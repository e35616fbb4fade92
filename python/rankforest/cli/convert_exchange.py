"""A model in the format of another system, for `ltr-convert`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import rankforest
from rankforest._support.warnings import warn
from rankforest.cli import files
from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.letor_options import data_option
from rankforest.cli.models import read_for

#: Formats of other systems, by the name that --to gives them: those of `rankforest.exchange`.
EXCHANGE_FORMS = (
    "lightgbm",
    "xgboost-json",
    "xgboost-ubj",
    "ranklib",
    "quickrank",
    "solr",
    "elasticsearch-ranklib",
    "elasticsearch-xgboost",
    "vespa-xgboost",
    "vespa-lightgbm",
    "onnx",
    "treelite",
    "solr-linear",
    "elasticsearch-linear",
)
_BINARY = {"xgboost-ubj", "onnx", "treelite"}
_SECTION = "For other systems"
_OWN = ("verify", "feature_names", "feature_set", "name", "store", "non_negative")


def exchange_options() -> list[Option]:
    """Make the options of what is written for other systems."""
    return [
        data_option(
            "verify",
            "Data to score with what is written, by the system itself where it is installed, before "
            "the file gets its name. Documents at every threshold are added.",
            section=_SECTION,
        ),
        Option(
            "--feature-names",
            section=_SECTION,
            type=files.InputFile(),
            metavar="FILE",
            help="What the system calls the features: a text of one name a line.  [default: as in "
            "the model]",
        ),
        Option(
            "--feature-set",
            section=_SECTION,
            type=files.InputFile(),
            metavar="FILE",
            help="The features of Elasticsearch's feature set, in its order, one name a line: "
            "checked against the model's.",
        ),
        Option(
            "--name",
            section=_SECTION,
            metavar="NAME",
            help="What Solr and Elasticsearch call the model.  [default: rankforest]",
        ),
        Option("--store", section=_SECTION, metavar="NAME", help="Solr's feature store."),
        Option(
            "--non-negative",
            section=_SECTION,
            is_flag=True,
            help="Whether a constant is added to all scores so that none is negative, which "
            "Elasticsearch refuses.",
        ),
    ]


def convert_for_system(
    model: rankforest.Model, to: str, output: str, options: Mapping[str, Any]
) -> None:
    """Write a model for another system; what it says of it goes to stderr.

    Parameters
    ----------
    model : Model
        What to write.
    to : str
        Out of `EXCHANGE_FORMS`.
    output : str
        Where to write; - is stdout.
    options : mapping of str to object
        Those of `exchange_options`, and how data is read.
    """
    paths = options.get("verify", ())
    reading = {name: value for name, value in options.items() if name not in _OWN}
    settings = {
        name: options[name] for name in ("name", "store", "non_negative") if options.get(name)
    }
    for name in ("feature_names", "feature_set"):
        if name in options:
            settings[name] = _names_in(options[name])
    verify = read_for(model, paths, reading) if paths else None
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "model")) if output == files.DASH else output
        report = model.export(path, to, verify=verify, **settings)
        if output == files.DASH:
            sys.stdout.write(Path(path).read_text(encoding="utf-8"))
    for note in report.notes:
        warn(note)
    if report.shift:
        warn(f"{report.shift!r} is added to every score")
    if report.parity is not None:
        click.echo(str(report.parity), err=True)


def note_exchange_problems(given: GivenOptions, problems: list[str]) -> None:
    """Note what is wrong with the options together."""
    to = given.get("to")
    if to in _BINARY and given.get("output") == files.DASH:
        problems.append(f"--output: --to {to} is not text, and not for stdout; name a file")
    if to is None or to in EXCHANGE_FORMS:
        return
    problems += [
        f"--{name.replace('_', '-')}: is for --to {', '.join(EXCHANGE_FORMS)}; got --to {to}"
        for name in _OWN
        if given.has(name)
    ]


def _names_in(path: str) -> list[str]:
    """Read one name a line."""
    text = Path(path).read_text(encoding="utf-8-sig")
    names: Sequence[str] = [line.strip() for line in text.splitlines()]
    return [name for name in names if name]
