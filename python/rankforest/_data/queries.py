"""Which query each document belongs to, out of query ids or group sizes."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from rankforest._support.vectors import as_vector
from rankforest._support.warnings import warn

Codes = npt.NDArray[np.uint32]

#: Integers as Python writes them, so that str() gives the text back.
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,999}")


def query_codes(qid: object, name: str = "qid") -> tuple[Codes, npt.NDArray[Any]]:
    """Give numbers to queries in the order in which they first appear.

    Parameters
    ----------
    qid : array_like of int or str, shape (n_documents,)
        The query of each document, in any order: strings, integers of any width, UUIDs. Floats
        are taken where they are whole.
    name : str
        What messages call the argument.

    Returns
    -------
    codes : ndarray of uint32, shape (n_documents,)
        The number of each document's query, 0, 1, 2, ...
    ids : ndarray, shape (n_queries,)
        The id of each number.

    Raises
    ------
    ValueError
        If an id is missing or of another kind than these, or two kinds occur.
    """
    vector = _as_ids(name, qid)
    if vector.dtype.kind == "O":
        return _codes_of_objects(name, vector)
    # Runs of equal ids first: data sorted by query has few, and sorting is what takes time.
    is_start = np.ones(len(vector), dtype=bool)
    np.not_equal(vector[1:], vector[:-1], out=is_start[1:])
    starts = np.flatnonzero(is_start)
    _, first, inverse = np.unique(vector[starts], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    lengths = np.diff(starts, append=len(vector))
    return np.repeat(rank[inverse], lengths), vector[starts[first[order]]]


def _as_ids(name: str, qid: object) -> npt.NDArray[Any]:
    """Return ids as an array of integers, fixed-width strings or objects."""
    vector = as_vector(name, qid)
    kind = vector.dtype.kind
    if not hasattr(qid, "dtype") and kind not in "iu" and isinstance(qid, (list, tuple)):
        # NumPy would have turned the integers of a mixed list into strings or floats.
        objects = np.empty(len(qid), dtype=object)
        objects[:] = qid
        return objects
    if kind == "f":
        return _whole(name, vector)
    if kind in "iuUSO":
        return vector
    if kind == "T":  # NumPy's strings of variable width
        return vector.astype(object)
    raise ValueError(f"{name} must hold integers, strings or UUIDs; its dtype is {vector.dtype}")


def _whole(name: str, vector: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return floats that are exact integers as such."""
    bad = ~((vector == np.floor(vector)) & (np.abs(vector) <= 2.0**53))
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(
            f"{name} must hold integers, strings or UUIDs; that of row {row} (counted from 0) is "
            f"{vector[row]}"
        )
    return vector.astype(np.int64)


def _codes_of_objects(name: str, vector: npt.NDArray[np.object_]) -> tuple[Codes, npt.NDArray[Any]]:
    """Give numbers to Python objects by a dictionary."""
    values = vector.tolist()
    kind_of_type = {each: _kind_of(each) for each in set(map(type, values))}
    if float in kind_of_type.values():
        values = [_as_whole(value) for value in values]
        kind_of_type = {each: _kind_of(each) for each in set(map(type, values))}
    kinds = set(kind_of_type.values())
    if None in kinds or float in kinds or len(kinds) > 1:
        raise _odd_id(name, values, [kind_of_type[type(value)] for value in values])
    numbers: dict[Hashable, int] = {}
    each_number = (numbers.setdefault(value, len(numbers)) for value in values)
    codes = np.fromiter(each_number, dtype=np.uint32, count=len(values))
    ids = np.empty(len(numbers), dtype=object)
    ids[:] = list(numbers)
    return codes, ids


def _kind_of(type_of_id: type) -> type | None:
    """Return the kind of ids of a type, None where they are none."""
    if issubclass(type_of_id, (bool, np.bool_)):
        return None
    kinds = ((str, str), (bytes, bytes), (UUID, UUID), (Integral, Integral), (Real, float))
    return next((kind for base, kind in kinds if issubclass(type_of_id, base)), None)


def _as_whole(value: Any) -> Any:
    """Return a float that is exactly an integer as such, everything else as it is."""
    is_float = _kind_of(type(value)) is float
    return int(value) if is_float and abs(value) <= 2.0**53 and value == int(value) else value


def _odd_id(name: str, values: list[Any], kinds: list[type | None]) -> ValueError:
    """Return the error about the first value that is no id or not of the kind of the first."""
    bad = [kind in (None, float) for kind in kinds]
    if any(bad):
        row = bad.index(True)
        expectation = "integers, strings or UUIDs"
    else:
        row = next(i for i, kind in enumerate(kinds) if kind is not kinds[0])
        expectation = f"ids of one kind, such as that of row 0, {values[0]!r}"
    return ValueError(
        f"{name} must hold {expectation}; that of row {row} (counted from 0) is {values[row]!r}"
    )


def as_integers(ids: list[str]) -> npt.NDArray[Any]:
    """Return ids that are texts as integers if that loses nothing, else as they are."""
    if all(isinstance(each, str) and _INTEGER.fullmatch(each) for each in ids):
        numbers = [int(each) for each in ids]
        if min(numbers) >= -(2**63) and max(numbers) < 2**63:
            return np.array(numbers, dtype=np.int64)
        return np.array(numbers, dtype=object)
    return np.array(ids, dtype=object)


@dataclass(frozen=True)
class Queries:
    """The query of each document."""

    codes: Codes  #: of each document, in order of first appearance
    ids: npt.NDArray[Any]  #: of each query; for group sizes their positions
    #: How many sizes `group` had, the zeros included; None for query ids.
    n_groups: int | None = None


def resolve_queries(qid: object, group: object, n_documents: int) -> Queries:
    """Return the query of each document from `qid` or `group`, whichever is given.

    Raises
    ------
    ValueError
        If both or neither are given, if they do not fit the number of documents, or if one looks
        like the other.
    """
    if (qid is None) == (group is None):
        got = "neither" if qid is None else "both"
        raise ValueError(
            "queries must be given by qid (the query of each row) or by group (how many "
            f"consecutive rows each query has), got {got}"
        )
    if qid is not None:
        _require_ids(qid, n_documents)
        return Queries(*query_codes(qid))
    sizes = _as_sizes(group, n_documents)
    kept = np.flatnonzero(sizes)
    if len(kept) < len(sizes):
        n_empty = len(sizes) - len(kept)
        message = f"group: dropped {n_empty} of {len(sizes)} queries, which have 0 documents"
        warn(message)
    codes = np.repeat(np.arange(len(kept), dtype=np.uint32), sizes[kept])
    return Queries(codes, kept, len(sizes))


def _require_ids(qid: object, n_documents: int) -> None:
    """Check that there is one id for each document, and recognise group sizes."""
    ids = as_vector("qid", qid)
    if len(ids) == n_documents:
        return
    message = f"qid must name the query of each of the {n_documents} rows of X; it has {len(ids)}"
    if ids.dtype.kind in "iu" and ids.sum() == n_documents:
        message += " values, which add up to the rows: if they are group sizes, pass them as group="
    raise ValueError(message)


def _as_sizes(group: object, n_documents: int) -> npt.NDArray[np.int64]:
    """Return group sizes, checked, and recognise query ids."""
    sizes = as_vector("group", group)
    if sizes.dtype.kind == "f":
        sizes = _whole("group", sizes)
    looks_like_ids = len(sizes) == n_documents > 1
    if looks_like_ids or sizes.dtype.kind not in "iu":
        what = "one value for each row of X" if looks_like_ids else f"dtype {sizes.dtype}"
        raise ValueError(
            f"group must hold the number of rows of each query, but has {what}: if these are query "
            "ids, pass them as qid="
        )
    if (sizes < 0).any():
        place = int((sizes < 0).argmax())
        raise ValueError(
            f"group must hold sizes >= 0; number {place} (counted from 0) is {sizes[place]}"
        )
    total = sum(sizes.tolist())  # of any size, without overflow
    if total != n_documents:
        raise ValueError(
            f"group must add up to the {n_documents} rows of X; its {len(sizes)} sizes add up to "
            f"{total}"
        )
    return sizes.astype(np.int64)
