"""The lines of TREC's runs and qrels: words between blanks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._support.files import lines_of
from rankforest._support.paths import StrPath, expanded

Objects = npt.NDArray[np.object_]

WORD = re.compile(r"[^ \t\r\n\f\v]+")  # other kinds of blanks belong to ids

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


def rows_of(
    path: StrPath, fields: Sequence[str], value: str, parse: Callable[[str], float | int]
) -> tuple[Objects, Objects, list[float | int], str]:
    """Read queries, documents, values, and the last word of the first line."""
    place = fields.index(value)
    qid: list[str] = []
    documents: list[str] = []
    values: list[float | int] = []
    line_of: dict[tuple[str, str], int] = {}
    last_word = ""
    path = expanded(path)
    for number, line in lines_of(path):
        words = WORD.findall(line)
        if not words:
            continue
        where = f"{path}:{number}"
        if len(words) != len(fields):
            raise ValueError(
                f"{where}: must be {len(fields)} words, {' '.join(fields)}; got {len(words)}: "
                f"{line.strip()!r}"
            )
        try:
            values.append(parse(words[place]))
        except ValueError as error:
            raise ValueError(f"{where}: {value} {error}, got {words[place]!r}") from None
        key = (words[0], words[2])
        earlier = line_of.setdefault(key, number)
        if earlier != number:
            raise ValueError(
                f"{where}: document {key[1]!r} of query {key[0]!r} is in line {earlier} already"
            )
        qid.append(key[0])
        documents.append(key[1])
        last_word = last_word or words[-1]
    if not values:
        raise ValueError(f"{path}: must have at least one line, has none")
    return objects(qid), objects(documents), values, last_word


def score_of(word: str) -> float:
    """Return the score that a word is; a ValueError without the word where it is none."""
    try:
        # float() takes 1_0 and the digits of other scripts, too.
        score = float(word) if word.isascii() and "_" not in word else np.nan
    except ValueError:
        score = np.nan
    if np.isnan(score):
        raise ValueError("must be a number")
    return score


def grade_of(word: str) -> int:
    """Return the grade that a word is; a ValueError without the word where it is none."""
    if not _WHOLE.fullmatch(word):
        raise ValueError("must be a whole number")
    return int(word)


def objects(values: Sequence[Any]) -> Objects:
    """Return an array of objects, whatever they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
