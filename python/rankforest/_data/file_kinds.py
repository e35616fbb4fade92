"""Data files of another kind than the one that is read, by their first bytes."""

from __future__ import annotations

import re
from pathlib import Path

from rankforest import _core
from rankforest._data.compression import opened

#: As many bytes as the core looks at.
_HEAD = 4096
#: Kinds that are text. All others must look binary, for "PAR1" may be the name of a CSV column.
_TEXTS = ("LETOR text", "a web page", "a Git LFS pointer, not the file itself")
_REMEDIES = {"a Parquet file": "read_parquet reads it", "LETOR text": "read_letor reads it"}
_SUFFIXES = {"a gzip file": ".gz", "a bzip2 file": ".bz2", "an xz file": ".xz"}


def kind_in(start: bytes, *, has_name: bool = True) -> str | None:
    """Return what data starts like this, and what reads it; None if it is not known.

    Parameters
    ----------
    start : bytes
        The first bytes, at most 4096 of which matter.
    has_name : bool
        Whether it is a file that could be given a suffix.
    """
    message = _core.foreign_file(start[:_HEAD])
    match = re.match(r"this is (.+?), which rankforest does not read", message)
    if match is None:
        return None
    kind = match[1]
    if kind not in _TEXTS and not re.search(rb"[\x00-\x08\x80-\xff]", start[:_HEAD]):
        return None
    remedy = _REMEDIES.get(kind)
    if kind in _SUFFIXES:
        suffix = _SUFFIXES[kind]
        remedy = f"its name must end in {suffix}" if has_name else "unpack it first"
    return kind if remedy is None else f"{kind}: {remedy}"


def start_of(path: str) -> bytes:
    """Return the first bytes of a file, decompressed if its name says so; none of a pipe."""
    if not Path(path).is_file():
        return b""
    try:
        with opened(path) as file:
            return file.read(_HEAD)
    except (OSError, EOFError, ValueError):  # who reads all of it says what is wrong
        return b""


def refuse_unless_csv(path: str) -> None:
    """Raise a ValueError for a file that is known to be something else than CSV."""
    found = kind_in(start_of(path))
    if found is not None:
        raise ValueError(f"{path}: expected a CSV file, found {found}")


def refuse_unless_parquet(path: str) -> None:
    """Raise a ValueError for a file that does not start as Parquet does."""
    if not Path(path).is_file():
        return
    with Path(path).open("rb") as file:
        if file.read(4) in {b"PAR1", b"PARE"}:  # the latter is encrypted
            return
    start = start_of(path)
    found = kind_in(start)
    if found is None:
        is_text = start and b"\0" not in start
        found = "text, such as CSV: read_csv reads that" if is_text else "something else"
        found = found if Path(path).stat().st_size else "an empty file"
    raise ValueError(f"{path}: expected a Parquet file, found {found}")
