"""Thresholds from one operator and width to another, so that no float32 changes its side.

All of it is done in the width of the target, for a step in double that is rounded to float32
afterwards moves nothing, or too much.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

_INF = np.float32(np.inf)
#: What Solr adds to every threshold that it reads.
SOLR_SLACK = np.float32(1e-6)

Floats = npt.NDArray[np.float32]


def next_up(values: npt.ArrayLike) -> Floats:
    """Return the next float32 above each: the ``x < t`` of an ``x <= t``."""
    with np.errstate(over="ignore"):
        result: Floats = np.nextafter(np.asarray(values, dtype=np.float32), _INF)
    return result


def next_down(values: npt.ArrayLike) -> Floats:
    """Return the next float32 below each: the ``x <= t`` of an ``x < t``."""
    with np.errstate(over="ignore"):
        result: Floats = np.nextafter(np.asarray(values, dtype=np.float32), -_INF)
    return result


def float32_at_most(values: npt.ArrayLike) -> Floats:
    """Return the largest float32 up to each double: a float32 is up to both or to neither."""
    exact = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore"):
        nearest = exact.astype(np.float32)
    return np.where(nearest.astype(np.float64) <= exact, nearest, next_down(nearest))


def at_most(
    values: npt.ArrayLike, test: Literal["<=", "<"], compare: type[np.floating[Any]]
) -> Floats:
    """Return the float32 t of each threshold, with ``x <= t`` for what the system sends left.

    Parameters
    ----------
    values : array_like of float64
        Thresholds of the system.
    test : {"<=", "<"}
        Its operator.
    compare : type
        Its width; a threshold that it reads as float32 is rounded to the nearest one.

    Returns
    -------
    ndarray of float32
        -inf where no finite number goes left; the system may still send -inf there.
    """
    exact = np.asarray(values, dtype=np.float64)
    if compare is np.float32:
        with np.errstate(over="ignore"):
            exact = exact.astype(np.float32).astype(np.float64)
    floor = float32_at_most(exact)
    if test == "<=":
        return floor
    return np.where(floor.astype(np.float64) < exact, floor, next_down(floor))


def between(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return doubles strictly between each float32 and the next: ``<`` and ``<=`` are then one."""
    low = np.asarray(values, dtype=np.float32)
    high = next_up(low).astype(np.float64)
    low64 = low.astype(np.float64)
    with np.errstate(invalid="ignore"):
        middle = (low64 + high) / 2
    return np.where(np.isfinite(middle), middle, low64)


def for_solr(values: npt.ArrayLike) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return thresholds that become these once Solr has added its slack, and which do so exactly.

    Where no sum with the slack is the threshold, the largest sum below it stands for it: numbers
    between the two go right.
    """
    wanted = np.asarray(values, dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        nearest = wanted - SOLR_SLACK
        step = np.spacing(np.maximum(np.abs(wanted), np.abs(nearest)))
        best, most = np.full_like(wanted, -np.inf), np.full_like(wanted, -np.inf)
        for k in range(-3, 4):
            tried = nearest + np.float32(k) * step
            total = tried + SOLR_SLACK
            better = (total <= wanted) & (total > most)
            best, most = np.where(better, tried, best), np.where(better, total, most)
        best = np.where(np.isinf(wanted), wanted, best)
        return best, best + SOLR_SLACK == wanted


def float32_parts(value: float) -> list[float]:
    """Split a double into float32 numbers that add up to it exactly, the largest first.

    There are at most three, but for a remainder below the smallest float32, which is dropped. An
    empty list is 0.
    """
    parts: list[float] = []
    rest = float(value)
    while rest != 0.0 and len(parts) < 3:
        part = float(np.float32(rest))
        if part == 0.0:
            break
        parts.append(part)
        rest -= part
    return parts


def shortest(value: float | np.floating[Any]) -> str:
    """Spell a number by the fewest digits that read back as the same double."""
    return repr(float(value))


def shortest32(value: float | np.floating[Any]) -> str:
    """Spell a number by the fewest digits that read back as the same float32."""
    return repr(float(str(np.float32(value))))
