"""Features of LETOR text whose values float32 does not tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from rankforest._data.compression import opened
from rankforest._data.merged_values import MergedValues
from rankforest._data.narrowing import Matrix

#: Documents that are looked at, the first ones.
_SAMPLE = 4096
#: Numbers that are looked at together.
_MOST_AT_ONCE = 2**20
#: From here on float32 does not hold all integers.
_LARGE = float(2**24)


def merged_in_text(paths: Sequence[str], features: Matrix, first_index: int) -> MergedValues | None:
    """Look at features with large numbers, which the text has to more digits than float32.

    Parameters
    ----------
    paths : sequence of str
        The files, which were read without an error.
    features : ndarray of float32, shape (n_documents, n_features)
        What was read.
    first_index : int
        The index of the first feature.

    Returns
    -------
    MergedValues or None
        None where no number is large, which takes no look at the text.
    """
    columns = np.flatnonzero(_are_large(features[:_SAMPLE])).tolist()
    if not columns:
        return None
    place_of = {column + first_index: place for place, column in enumerate(columns)}
    merged = MergedValues()
    values = _values_of(paths, place_of)
    for place, column in enumerate(columns):
        merged.look(values[:, [place]], column=column)
    return merged


def _are_large(features: Matrix) -> npt.NDArray[np.bool_]:
    """Return whether each column has a large number, in little memory beside the features."""
    is_large = np.zeros(features.shape[1], dtype=np.bool_)
    step = max(1, _MOST_AT_ONCE // max(1, features.shape[1]))
    with np.errstate(invalid="ignore"):
        for row in range(0, len(features), step):
            is_large |= (np.abs(features[row : row + step]) >= _LARGE).any(axis=0)
    return is_large


def _values_of(paths: Sequence[str], place_of: dict[int, int]) -> npt.NDArray[np.float64]:
    """Return some features of the first documents, NaN where a line does not mention them."""
    values = np.full((_SAMPLE, len(place_of)), np.nan)
    for row, line in zip(range(_SAMPLE), _documents(paths), strict=False):
        for token in line.split()[1:]:
            index, _, value = token.partition(b":")
            place = place_of.get(int(index)) if index.isdigit() else None
            if place is not None and value.upper() != b"NULL":
                values[row, place] = float(value)
    return values


def _documents(paths: Sequence[str]) -> Iterator[bytes]:
    """Give the lines that are documents, without their comments."""
    for path in paths:
        with opened(path) as file:
            for line in file:
                document = line.removeprefix(b"\xef\xbb\xbf").partition(b"#")[0].strip()
                if document:
                    yield document
