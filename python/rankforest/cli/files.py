"""Output files that appear whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rankforest import _files
from rankforest._files import ESCAPE

__all__ = ["ESCAPE", "STDOUT", "check_writable", "note_unwritable", "text_output"]

STDOUT = "-"


def check_writable(path: str) -> None:
    """Make sure before the work that a file can be written to `path` after it.

    Raises
    ------
    OSError
        If the path is a folder, or its folder is missing or takes no new files.
    """
    if path != STDOUT:
        _files.check_writable(path)


def note_unwritable(problems: list[str], flag: str, path: str | None) -> None:
    """Add a line to `problems` if `path`, which option `flag` names, cannot be written to."""
    if path is None:
        return
    try:
        check_writable(path)
    except OSError as error:
        problems.append(f"{flag} {path} cannot be written: {error.strerror or error}")


@contextmanager
def text_output(path: str) -> Iterator[TextIO]:
    """Open a text stream whose content gets the name `path` at the end of the block.

    Parameters
    ----------
    path : str
        Where the file will be, as `rankforest._files.whole_file` writes it; "-" is stdout.

    Yields
    ------
    file
        What to write to.
    """
    if path == STDOUT:
        yield sys.stdout
    else:
        with _files.whole_file(path) as file:
            yield file
