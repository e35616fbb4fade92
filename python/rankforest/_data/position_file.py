"""Text files of positions: where each document was shown."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankforest._data.arguments import LAST_POSITION
from rankforest._support.files import lines_of
from rankforest.letor import TextSource


def read_positions(source: TextSource, name: str, n_documents: int) -> npt.NDArray[np.uint32]:
    """Read the position of each document, one on each line of text, compressed or not.

    A byte order mark and blank lines at the end are left out.

    Parameters
    ----------
    source : path or binary stream
        The text.
    name : str
        What messages call it.
    n_documents : int
        How many there must be.

    Raises
    ------
    ValueError
        If a line is anything else; the message has file and line. If there are more or fewer.
    OSError
        If the file cannot be read.
    """
    positions: list[int] = []
    blank = 0  # the first of the blank lines that nothing has followed yet
    for number, line in lines_of(source):
        text = line.strip()
        if not text:
            blank = blank or number
            continue
        is_whole = text.isascii() and text.isdigit() and 1 <= int(text[:20]) <= LAST_POSITION
        if blank or not is_whole:
            place, found = (blank, "a blank line") if blank else (number, repr(text))
            raise ValueError(
                f"{name}:{place}: must be a position, a whole number from 1 to {LAST_POSITION}, got "
                f"{found}"
            )
        positions.append(int(text))
    if len(positions) != n_documents:
        raise ValueError(
            f"{name}: must have a position for each of the {n_documents} documents; it has "
            f"{len(positions)}"
        )
    return np.array(positions, dtype=np.uint32)
