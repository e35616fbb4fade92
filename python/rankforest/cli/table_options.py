"""How the commands read tables: Parquet and CSV files, by the names of columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import click

import rankforest
from rankforest._data.frame_columns import listed
from rankforest.cli.commands import GivenOptions, Option
from rankforest.tables import column_names, kind_of, separator_of

_SECTION = "Reading Parquet and CSV"

#: The options that name columns, as Python calls them.
COLUMN_OPTIONS = ("label", "query", "weight", "id", "position", "drop")
#: The options that are for text alone.
_TEXT_OPTIONS = ("zero_based", "absent", "n_features")


def is_table(path: str) -> bool:
    """Whether a file is a table, by its name."""
    return kind_of(path) is not None


def table_options() -> list[click.Option]:
    """Make the options that say what the columns of a table are."""
    names = (
        ("--label", "Column of the grades."),
        ("--query", "Column that says which query a document is of."),
        ("--weight", "Column of weights of the documents."),
        ("--id", "Column of what the documents are called, for TREC runs."),
        ("--position", "Column of where the documents were shown when clicks were seen."),
    )
    options = [Option(flag, section=_SECTION, metavar="COLUMN", help=text) for flag, text in names]
    drop = Option(
        "--drop",
        section=_SECTION,
        metavar="COLUMN",
        multiple=True,
        help="Column to leave out. May be given several times. All columns that have no other use "
        "are features; a model that knows the names of its features takes those.",
    )
    return [*options, drop]


def read_table(
    paths: Sequence[str], columns: Mapping[str, Any], n_jobs: int | None
) -> rankforest.Dataset:
    """Read tables as one data set.

    Parameters
    ----------
    paths : sequence of str
        The files, each of a name that `is_table` knows.
    columns : mapping
        What `rankforest.read_parquet` takes.
    n_jobs : int or None
        Threads.
    """
    sets = []
    for path in paths:
        try:
            if kind_of(path) == "csv":
                separator = separator_of(path)
                data = rankforest.read_csv(path, **columns, separator=separator, n_jobs=n_jobs)
            else:
                data = rankforest.read_parquet(path, **columns, n_jobs=n_jobs)
        except ValueError as error:
            raise ValueError(_with_options(str(error))) from None
        except ImportError as error:
            raise click.UsageError(str(error)) from None
        sets.append(data)
    return sets[0] if len(sets) == 1 else rankforest.concat(sets, queries="merge")


def note_table_problems(
    given: GivenOptions,
    problems: list[str],
    data: Sequence[str],
    *,
    required: Sequence[str] = ("label", "query"),
) -> None:
    """Add a line to `problems` for each option that does not fit the kind of the data files.

    Parameters
    ----------
    given : GivenOptions
        The options by name.
    problems : list of str
        What is wrong so far.
    data : sequence of str
        The names of the options that name data files.
    required : sequence of str
        The options that tables need.
    """
    paths = [path for name in data for path in given.get(name) or ()]
    tables = [path for path in paths if is_table(path)]
    if not paths:
        return
    if tables and len(tables) < len(paths):
        text = next(path for path in paths if path not in tables)
        problems.append(f"data must be all tables or all text: {tables[0]} is a table, {text} not")
    elif tables:
        missing = [f"--{name}" for name in required if not given.has(name)]
        if missing:
            problems.append(f"{tables[0]} needs {' and '.join(missing)}{_columns_of(tables[0])}")
        problems += [
            f"--{name.replace('_', '-')} is for LETOR text, and {tables[0]} is a table"
            for name in _TEXT_OPTIONS
            if given.get(name) is not None
        ]
    else:
        problems += [
            f"--{name} is for Parquet and CSV files, and {paths[0]} is taken for LETOR text"
            for name in COLUMN_OPTIONS
            if given.get(name)
        ]


def _columns_of(path: str) -> str:
    """Return a hint at the columns that a table has; "" if it cannot be read."""
    try:
        return f"; its columns are {listed(column_names(path))}"
    except (ValueError, OSError, ImportError):
        return ""


def _with_options(message: str) -> str:
    """Return a message of the library with its arguments as options."""
    message = message.replace("drop= of Dataset.from_frame", "--drop")
    message = message.replace("read_parquet reads it", "its name must end in .parquet")
    message = message.replace("read_csv reads that", "the name of CSV must end in .csv or .tsv")
    message = message.replace("read_letor reads it", "its name must not be that of a table")
    message = message.replace(
        'categorical_features="from_dtype"', "--categorical-features from_dtype"
    )
    message = re.sub(r"\b(label|query|weight|id|position|drop)= ?", r"--\1 ", message)
    message = re.sub(r"\bfeatures=(?=')", "the model's feature ", message)
    twice = re.search(r"cannot be both (\w+) and (\w+)$", message)
    if twice is None:
        return message
    uses = ("a feature of the model" if use == "features" else f"--{use}" for use in twice.groups())
    return f"{message[: twice.start()]}cannot be both {' and '.join(uses)}"
