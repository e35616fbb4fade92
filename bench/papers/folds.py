"""Where the folds of a data set lie, as their publishers lay them out."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.papers.declare import DataSet

#: Folders this far below a given one are looked at: LETOR 3.0's folds are three below its own.
_DEPTH = 4
_FOLD = re.compile(r"(?i)fold[ _-]?(\d+)")
_HIDDEN_OR_FOLD = re.compile(r"\.|(?i:fold)[ _-]?\d")
#: What a folder with folds holds.
FOLDS = "Fold1/{train,vali,test}.txt and so on, or one such set of files"
_NAMES = {
    "train": ("train.txt", "set1.train.txt"),
    "valid": ("vali.txt", "valid.txt", "set1.valid.txt"),
    "test": ("test.txt", "set1.test.txt"),
}


@dataclass(frozen=True)
class Fold:
    """The files of one fold; those of a set follow each other."""

    number: int
    train: tuple[Path, ...]
    valid: tuple[Path, ...]
    test: tuple[Path, ...]

    def digest(self) -> str:
        """Return a fingerprint of what the files hold, wherever they lie and are cut."""
        of_sets = hashlib.sha256()
        for paths in (self.train, self.valid, self.test):
            of_set = hashlib.sha256()
            for path in paths:
                with path.open("rb") as file:
                    while block := file.read(1 << 20):
                        of_set.update(block)
            of_sets.update(of_set.digest())
        return of_sets.hexdigest()[:16]


def find_below(root: Path, data: Mapping[str, DataSet]) -> dict[str, list[Fold]]:
    """Find the data sets that lie in or below a folder, in folders of their names.

    Raises
    ------
    ValueError
        If there is no such folder, a fold lacks a file, or a data set lies there twice.
    """
    _require_folder(root)
    found: dict[str, dict[Path, list[Fold]]] = {key: {} for key in data}
    for place in _folders(root):
        key = _named(root, place, data)
        if key and (folds := _folds_in(place, data[key])):
            found[key][place] = folds
    for key, places in found.items():
        if len(places) > 1:
            listed = " and in ".join(map(str, places))
            raise ValueError(f"{key} lies in {listed}; choose one: --data {key}=FOLDER")
    return {key: folds for key, places in found.items() for folds in places.values()}


def find_at(place: Path, key: str, data_set: DataSet) -> list[Fold]:
    """Find the folds of a data set in a folder, whatever its name.

    Raises
    ------
    ValueError
        If there is no such folder, or no complete fold in it.
    """
    _require_folder(place)
    folds = _folds_in(place, data_set)
    if not folds:
        raise ValueError(f"{key}: {place} must hold {_expectation(data_set)}")
    return folds


def _expectation(data_set: DataSet) -> str:
    parts = (
        f", or {data_set.parts.pattern.format('1')} to {data_set.parts.pattern.format('5')}"
        if data_set.parts
        else ""
    )
    return f"{FOLDS}{parts}"


def _require_folder(path: Path) -> None:
    if not path.is_dir():
        raise ValueError(f"{path}: no such folder")


def _folders(root: Path) -> Iterator[Path]:
    """Give a folder and those below it, but none inside a fold."""
    for name, below, _files in os.walk(root):
        folder = Path(name)
        yield folder
        deepest = len(folder.relative_to(root).parts) == _DEPTH
        below[:] = [] if deepest else sorted(b for b in below if not _HIDDEN_OR_FOLD.match(b))


def _named(root: Path, place: Path, data: Mapping[str, DataSet]) -> str | None:
    """Return the data set that the innermost telling name on the way to a folder stands for."""
    keys = {_plain(name): key for key, each in data.items() for name in (key, *each.folders)}
    parts = (root.resolve().name, *place.relative_to(root).parts)
    return next((keys[plain] for part in reversed(parts) if (plain := _plain(part)) in keys), None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _folds_in(folder: Path, data_set: DataSet) -> list[Fold]:
    numbered = {
        int(match[1]): path
        for path in folder.iterdir()
        if (match := _FOLD.fullmatch(path.name)) and path.is_dir()
    }
    if numbered:
        return [_complete(numbered[number], number, data_set) for number in sorted(numbered)]
    if all(_file(folder, part, data_set) for part in _NAMES):
        itself = _FOLD.fullmatch(folder.resolve().name)
        return [_complete(folder, int(itself[1]) if itself else 1, data_set)]
    parts = data_set.parts
    if parts and all((folder / parts.pattern.format(part)).is_file() for part in range(1, 6)):
        return [
            Fold(
                number,
                tuple(folder / name for name in train),
                (folder / valid,),
                (folder / test,),
            )
            for number in range(1, 6)
            for train, valid, test in [parts.of_fold(number)]
        ]
    return []


def _complete(folder: Path, number: int, data_set: DataSet) -> Fold:
    files = {part: _file(folder, part, data_set) for part in _NAMES}
    for part, path in files.items():
        if path is None:
            raise ValueError(f"{folder} has no {' or '.join(_names(part, data_set))}")
    return Fold(number, *((path,) for path in files.values() if path))


def _file(folder: Path, part: str, data_set: DataSet) -> Path | None:
    names = _names(part, data_set)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _names(part: str, data_set: DataSet) -> tuple[str, ...]:
    """Return what a file may be called; a set with a prefix takes no other set's."""
    if not data_set.prefix:
        return _NAMES[part]
    plain = tuple(name for name in _NAMES[part] if not name.startswith("set"))
    return (*(data_set.prefix + name for name in plain), *plain)
