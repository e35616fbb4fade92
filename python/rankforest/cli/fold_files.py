"""Folds as their publishers lay them out: Fold1/train.txt, Fold1/vali.txt, Fold1/test.txt, ..."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_FOLD = re.compile(r"(?i)fold[ _-]?(\d+)")
#: What the name of a file of each part starts with.
_PARTS = {"train": ("train",), "valid": ("vali", "valid"), "test": ("test",)}
_EXPECTED = "folders Fold1, Fold2, ..., each with a file train.*, vali.* and perhaps test.*"


@dataclass(frozen=True)
class FoldFiles:
    """The files of one fold."""

    name: str  #: of its folder
    parts: dict[str, list[str]]  #: "train", "valid" and, where there is one, "test"


def find_folds(folder: str) -> list[FoldFiles]:
    """Return the folds in a folder, by their number.

    Raises
    ------
    ValueError
        If there are none, or one of them lacks a file or has two for one part.
    """
    numbered = {
        int(match[1]): path
        for path in Path(folder).iterdir()
        if (match := _FOLD.fullmatch(path.name)) and path.is_dir()
    }
    if not numbered:
        raise ValueError(f"--folds: {folder} must hold {_EXPECTED}")
    return [_files_of(numbered[number]) for number in sorted(numbered)]


def _files_of(folder: Path) -> FoldFiles:
    parts = {}
    for part, names in _PARTS.items():
        found = sorted(
            str(path)
            for path in folder.iterdir()
            if path.is_file() and path.name.partition(".")[0].lower() in names
        )
        if len(found) > 1:
            raise ValueError(
                f"--folds: {' and '.join(found)} are both for {part}; keep one of them"
            )
        if not found and part != "test":
            raise ValueError(
                f"--folds: {folder} has no file {' or '.join(f'{n}.*' for n in names)}"
            )
        if found:
            parts[part] = found
    return FoldFiles(folder.name, parts)
