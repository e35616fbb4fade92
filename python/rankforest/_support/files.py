"""Text files: writing them whole or not at all, reading them by lines."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from rankforest import _core
from rankforest.letor import TextSource, _source

# Bytes of ids that are no UTF-8 leave as they came.
ESCAPE = "surrogateescape"


def check_writable(path: str) -> None:
    """Make sure before the work that a file can be written to `path` after it.

    Raises
    ------
    OSError
        If the path is a folder, or its folder is missing or takes no new files.
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    if target.is_file() or not target.exists():  # a pipe would wait for who reads it
        _core.AtomicFile(os.fsencode(path)).discard()


@contextmanager
def whole_file(path: str) -> Iterator[TextIO]:
    """Open a text stream whose content gets the name `path` at the end of the block.

    It is on the disk before it gets its name. Where the block raises, nothing of it is left, and
    what stood at `path` stays. A device or a pipe is written to directly, and a symbolic link keeps
    pointing to its target.

    Parameters
    ----------
    path : str
        Where the file will be.

    Yields
    ------
    file
        What to write to.
    """
    raw = _Bytes(path)
    try:
        buffer = io.BufferedWriter(raw)
        stream = io.TextIOWrapper(buffer, encoding="utf-8", errors=ESCAPE, newline="\n")
        yield stream
        stream.flush()
        raw.commit()
    finally:
        raw.discard()


class _Bytes(io.RawIOBase):
    """The bytes of a file that gets its name when it is whole."""

    def __init__(self, path: str) -> None:
        self._file = _core.AtomicFile(os.fsencode(path))
        self._is_open = True

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        """Write all of the bytes; once they are unwanted, nothing."""
        if self._is_open:
            self._file.write(data)
        return len(memoryview(data).cast("B"))

    def commit(self) -> None:
        self._file.commit()

    def discard(self) -> None:
        self._file.discard()
        self._is_open = False


def lines_of(source: TextSource) -> Iterator[tuple[int, str]]:
    """Read a text file or stream, compressed or not, as lines with their numbers, from 1 on.

    A byte order mark is left out.

    Raises
    ------
    ValueError
        Behind the last whole line of a compressed file that is damaged.
    OSError
        If the file cannot be read.
    """
    name, plain, text, damage = _source(source)
    content = Path(os.fsdecode(plain)).read_bytes() if plain is not None else bytes(text or b"")
    lines = content.removeprefix(b"\xef\xbb\xbf").decode(errors=ESCAPE).split("\n")
    if damage or not lines[-1]:
        lines.pop()
    yield from enumerate(lines, start=1)
    if damage:
        raise ValueError(f"{name}:{len(lines) + 1}: {damage}")
