"""Columns whose values float32 does not tell apart, such as dates written as 20180131."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

#: Documents that are looked at: enough to see values merge, few beside the time of training.
_SAMPLE = 4096
#: Rounding merges one value in some thousands of a sample of continuous features; this is harm.
_MOST_LOST = 0.05
_MOST_SHOWN = 5


class MergedValues:
    """What was found in a sample of the documents.

    Trees compare float32. Of columns that hold integers above 2^24, or numbers below 1e-38, many
    different values may become one, and no split can separate them.
    """

    def __init__(self) -> None:
        self._found: dict[int, str] = {}

    @staticmethod
    def step(n_rows: int) -> int:
        """Return the distance between the rows of the sample."""
        return max(1, n_rows // _SAMPLE)

    def look(self, sample: npt.NDArray[Any], *, column: int = 0) -> None:
        """Look at some rows of columns, the first of which has number `column`."""
        if sample.dtype.kind == "b" or sample.dtype.itemsize < 4 or sample.dtype == np.float32:
            return
        values = np.sort(np.asfortranarray(sample, dtype=np.float64), axis=0)
        with np.errstate(over="ignore"):
            rounded = values.astype(np.float32)
        is_changed = (rounded != values) & ~np.isnan(values)
        for j in np.flatnonzero(is_changed.any(axis=0)).tolist():
            n_before, n_after = _n_different(values[:, j]), _n_different(rounded[:, j])
            if n_after < (1 - _MOST_LOST) * n_before:
                finite = values[np.isfinite(values[:, j]), j]
                self._found[column + j] = f"{n_before} values become {n_after}{_remedy(finite)}"

    def reordered(self, places: Sequence[int]) -> MergedValues:
        """Return the same of the columns in another order: the places that they had."""
        other = MergedValues()
        other._found = {j: self._found[at] for j, at in enumerate(places) if at in self._found}
        return other

    def message(self, labels: Sequence[str] | None) -> str | None:
        """Return a warning of all columns that were found; None if there are none.

        `labels` are what the caller calls the columns; None if it counts them from 0.
        """
        if not self._found:
            return None
        shown = [
            f"{f'column {j} (counted from 0)' if labels is None else labels[j]}: {what}"
            for j, what in list(self._found.items())[:_MOST_SHOWN]
        ]
        if len(self._found) > _MOST_SHOWN:
            shown.append(f"and {len(self._found) - _MOST_SHOWN} more columns")
        return (
            "X has different values that are equal as float32, which trees compare; of a sample, "
            + "; ".join(shown)
        )


def _n_different(ascending: npt.NDArray[Any]) -> int:
    """Count the different numbers; NaN, which comes last, is none."""
    if np.isnan(ascending[0]):
        return 0
    return 1 + int((ascending[1:] > ascending[:-1]).sum())


def _remedy(finite: Floats) -> str:
    """Return what keeps the values apart, tried on them."""
    n_different = _n_different(finite)
    largest = np.abs(finite).max()
    with np.errstate(over="ignore"):
        for remedy, kept in (
            (f"subtract the least value, {finite[0]:.17g}", finite - finite[0]),
            (f"divide by the largest size, {largest:.3g}", finite / largest),
        ):
            if _n_different(kept.astype(np.float32)) >= (1 - _MOST_LOST) * n_different:
                return f" ({remedy})"
    return ""
