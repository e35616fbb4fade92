"""The files of a command: which it reads, which it writes, and how it writes them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import click

from rankforest._support import files
from rankforest._support.files import ESCAPE
from rankforest._support.paths import expanded

__all__ = [
    "DASH",
    "ESCAPE",
    "GivenFile",
    "InputFile",
    "OutputFile",
    "ResumedFile",
    "check_writable",
    "note_problems",
    "text_output",
]

#: Stands for stdin where a file is read and for stdout where one is written.
DASH = "-"


class InputFile(click.Path):
    """A file that the command reads.

    Parameters
    ----------
    stdin : bool, default=False
        Whether - may stand for stdin.
    """

    def __init__(self, *, stdin: bool = False) -> None:
        super().__init__(exists=True, dir_okay=False, readable=True, allow_dash=stdin)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the path with a leading ~ expanded."""
        return str(super().convert(expanded(value), param, ctx))


class OutputFile(click.Path):
    """A file that the command writes.

    Parameters
    ----------
    stdout : bool, default=False
        Whether - may stand for stdout.
    """

    def __init__(self, *, stdout: bool = False) -> None:
        super().__init__(dir_okay=True, readable=False, allow_dash=stdout)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the path with a leading ~ expanded."""
        if value == DASH and not self.allow_dash:
            self.fail("must be a file, not stdout", param, ctx)
        return str(super().convert(expanded(value), param, ctx))


class ResumedFile(OutputFile):
    """A file that the command goes on from where it is there, and replaces."""


@dataclass(frozen=True)
class GivenFile:
    """A file that the command line names."""

    #: The option, such as "--train".
    flag: str
    path: str
    is_output: bool
    #: Whether the command expects that it may exist, whatever --no-overwrite says.
    may_exist: bool = False


def note_problems(problems: list[str], given: Sequence[GivenFile], *, overwrite: bool) -> None:
    """Add a line to `problems` for each file that cannot serve, before any file is read.

    Nothing may be written over a file that the command reads, or to the same file twice, by
    whatever name or link; and an output must be writable and, without `overwrite`, new.
    """
    files = list(dict.fromkeys(given))
    on_stdin = [file.flag for file in given if file.path == DASH and not file.is_output]
    if len(on_stdin) > 1:
        problems.append(f"stdin can be read once; {' and '.join(on_stdin)} both name it")
    outputs = [file for file in files if file.is_output and file.path != DASH]
    for i, file in enumerate(outputs):
        problems += [
            f"{file.flag} would overwrite {other.flag}: both are {file.path}"
            for other in files
            if not other.is_output and _is_same(file.path, other.path)
        ]
        problems += [
            f"{file.flag} and {other.flag} are the same file, {file.path}"
            for other in outputs[i + 1 :]
            if _is_same(file.path, other.path)
        ]
        try:
            check_writable(file.path)
            if not overwrite and not file.may_exist and Path(file.path).is_file():
                problems.append(
                    f"{file.flag} {file.path} exists; without --no-overwrite it is replaced"
                )
        except OSError as error:
            problems.append(f"{file.flag} {file.path} cannot be written: {error.strerror or error}")


def _is_same(path: str, other: str) -> bool:
    """Say whether both name one file, perhaps one that does not exist yet; devices do not count."""
    if DASH in (path, other):
        return False
    try:
        if Path(path).exists() and not Path(path).is_file():
            return False
        # Hard links are the same file by another path.
        return os.path.realpath(path) == os.path.realpath(other) or Path(path).samefile(other)
    except OSError:  # one does not exist, or cannot: its name may be too long
        return False


def check_writable(path: str) -> None:
    """Make sure before the work that a file can be written to `path` after it.

    Raises
    ------
    OSError
        If the path is a folder, or its folder is missing or takes no new files.
    """
    if path != DASH:
        files.check_writable(path)


@contextmanager
def text_output(path: str) -> Iterator[TextIO]:
    """Open a text stream whose content gets the name `path` at the end of the block.

    Parameters
    ----------
    path : str
        Where the file will be, as `rankforest._support.files.whole_file` writes it; "-" is stdout.

    Yields
    ------
    file
        What to write to.
    """
    if path == DASH:
        yield sys.stdout
    else:
        with files.whole_file(path) as file:
            yield file
