"""Text files: writing them whole or not at all, reading them by lines."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

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
    if not _is_special(Path(path)):
        _create_beside(Path(path).resolve()).unlink()


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
    if _is_special(Path(path)):  # by this name: a pipe behind /dev/stdout has no other
        with _open(Path(path)) as file:
            yield file
    else:
        target = Path(path).resolve()
        temporary = _create_beside(target)
        try:
            with _open(temporary) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _flush_to_disk(target.parent)


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


def _open(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", errors=ESCAPE, newline="\n")


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _create_beside(target: Path) -> Path:
    """Make an empty file in `target`'s folder, with the rights that `target` has or would have."""
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    rights = None
    # A short name of its own: the target's may be as long as the file system lets a name be.
    temporary = target.with_name(f".rankforest-{secrets.token_hex(8)}.tmp")
    with suppress(FileNotFoundError):  # any other error, such as a name too long, is for the caller
        rights = target.stat().st_mode & 0o777
    temporary.touch(exist_ok=False)
    if rights is not None:
        temporary.chmod(rights)
    return temporary


def _flush_to_disk(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
