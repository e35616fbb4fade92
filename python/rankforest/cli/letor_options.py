"""How the commands read data: LETOR text, and tables with the rules of `table_options`."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal, TextIO

import click

import rankforest
from rankforest._data.levels import FROM_DTYPE
from rankforest._settings.parameters import FLAG, RULES, Rule, choice, integer
from rankforest._support.warnings import warn
from rankforest.cli.commands import Option
from rankforest.cli.files import DASH, InputFile
from rankforest.cli.table_options import COLUMN_OPTIONS, is_table, read_table, table_options
from rankforest.cli.values import Given, Value
from rankforest.letor import ByteStream, _read_arrays

_SECTION = "Reading LETOR text"
_ZERO_BASED = (
    "Whether feature numbers start at 0 rather than 1. auto: they do if a 0 occurs in any of the "
    "files."
)
_ABSENT = "The value of a feature that a line leaves out: 0, or nan for a missing value."
_N_FEATURES = "The number of features."


@dataclass(frozen=True)
class Reading:
    """The rules by which text and tables become features."""

    zero_based: bool | Literal["auto"] = False
    absent: Literal["nan"] | int = 0
    n_features: int | None = None
    n_jobs: int | None = None
    label: str | None = None
    query: str | None = None
    weight: str | None = None
    id: str | None = None
    position: str | None = None
    drop: tuple[str, ...] = ()
    #: The columns of a table that a model wants; text is told apart by position.
    features: tuple[str, ...] | None = None
    #: The columns of a table that are categorical: names, or "from_dtype".
    categories: tuple[str | int | bool, ...] | str | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Reading:
        """Make the rules out of options by name; others do not matter."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in given.items() if name in names})

    def with_categories(self, columns: object) -> Reading:
        """Return the rules with what the parameter `categorical_features` says."""
        if isinstance(columns, list):
            return replace(self, categories=tuple(columns))
        return self if columns is None else replace(self, categories=str(columns))

    def settled(self, paths: Sequence[str]) -> Reading:
        """Decide an index base of "auto" by all the files together, and say so in a warning."""
        if self.zero_based != "auto" or any(map(is_table, paths)):
            return self
        data = _read_arrays(list(map(source, paths)), zero_based="auto", n_jobs=self.n_jobs)
        found, first = ("occurs", 0) if data.zero_based else ("does not occur", 1)
        warn(
            f"--zero-based auto: index 0 {found}, so the first feature has index {first}",
        )
        return replace(self, zero_based=data.zero_based)

    def read(self, paths: Sequence[str]) -> rankforest.Dataset:
        """Read the files, in order, as one data set."""
        if any(map(is_table, paths)):
            columns = {name: getattr(self, name) for name in (*COLUMN_OPTIONS, "features")}
            if self.categories is not None:
                columns["categorical_features"] = self.categories
            return read_table(paths, columns, self.n_jobs)
        return rankforest.read_letor(
            list(map(source, paths)),
            zero_based=self.zero_based,
            absent=self.absent,
            n_features=self.n_features,
            n_jobs=self.n_jobs,
        )


def read_together(
    reading: Reading, files: Mapping[str, Sequence[str]]
) -> dict[str, rankforest.Dataset]:
    """Read several data sets by the same rules, all as wide as the first.

    Parameters
    ----------
    reading : Reading
        The rules; index base "auto" is decided once, by all files.
    files : mapping of str to sequence of str
        The files of each data set by name; those without files are left out.
    """
    everything = [path for paths in files.values() for path in paths]
    sets: dict[str, rankforest.Dataset] = {}
    rules = reading.settled(everything)
    for name, paths in files.items():
        if paths:
            sets[name] = rules.read(paths)
            rules = replace(rules, n_features=sets[name].n_features)
            if rules.categories == FROM_DTYPE:  # those of the first, whatever the others look like
                rules = replace(rules, categories=tuple(sets[name].levels) or None)
    return sets


def data_option(name: str, what: str, *, section: str, required: bool = False) -> Option:
    """Make the option that names the files of one data set."""
    return Option(
        f"--{name}",
        section=section,
        type=InputFile(stdin=True),
        multiple=True,
        required=required,
        metavar="FILE",
        help=f"{what} May be given several times; the files together are one data set. - is stdin.",
    )


def reading_options(*, zero_based: str, absent: str, n_features: str) -> list[click.Option]:
    """Make the options of how to read LETOR text and tables.

    Parameters
    ----------
    zero_based, absent, n_features : str
        What holds where the option is not given, for the help.
    """
    rules = (
        (
            "--zero-based",
            Value(FLAG | choice("auto"), "true|false|auto"),
            f"{_ZERO_BASED}  [default: {zero_based}]",
        ),
        (
            "--absent",
            Value(Rule("0 or nan", _parse_absent), "0|nan"),
            f"{_ABSENT}  [default: {absent}]",
        ),
        (
            "--n-features",
            Value(integer(1), "INT"),
            f"{_N_FEATURES}  [default: {n_features}]",
        ),
    )
    options = [Option(flag, section=_SECTION, type=value, help=text) for flag, value, text in rules]
    return [*options, *table_options()]


def n_jobs_option() -> click.Option:
    """Make the option of how many threads to use."""
    return Option(
        "--n-jobs",
        section="Run",
        type=Value(RULES["n_jobs"], "INT"),
        help="Number of threads; -1 for every core that the process may use, -2 for all but one. "
        "Never changes a result.  [default: -1]",
    )


def unwrapped(options: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the options that were given, without the wrapping."""
    return {
        name: value.value if isinstance(value, Given) else value
        for name, value in options.items()
        if value is not None
    }


def source(path: str) -> str | ByteStream:
    """Return what to read for a path of the command line, in which - stands for stdin."""
    return _StandardInput() if path == DASH else path


class _StandardInput:
    """Stdin, which may be read several times, as models with other rules for reading need it."""

    name = "stdin"

    def read(self) -> bytes:
        """Return everything, from memory where it was read before."""
        return _content(sys.stdin)


@lru_cache(maxsize=1)
def _content(stdin: TextIO) -> bytes:
    return stdin.buffer.read()


def _parse_absent(value: object) -> Literal["nan"] | int:
    if value == "nan" or (isinstance(value, float) and math.isnan(value)):
        return "nan"
    if value == 0 and not isinstance(value, bool):
        return 0
    raise ValueError
