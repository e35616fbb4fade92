"""Whether the gains of grades are too far apart for a metric to see all of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from rankforest._core import Metric

#: Under exp2, grades that differ by more have gains a million times apart.
_WIDEST = 20

#: Under exp2, the core refuses grades above.
_HIGHEST = 1023


def warn_of_steep_gains(
    owner: str, metrics: Iterable[object], grades: npt.NDArray[np.float64], stacklevel: int
) -> None:
    """Warn if exponential gains leave nothing of the lower grades beside the highest.

    Parameters
    ----------
    owner : str
        Who measures, for the message.
    metrics : iterable
        Those of the core are looked at; the first one with such gains is named.
    grades : ndarray of float64
        As they are measured.
    stacklevel : int
        As for `warnings.warn`, seen from the caller.
    """
    steep = [metric for metric in metrics if isinstance(metric, Metric) and metric.has_exp2_gain]
    highest = grades.max()
    if not steep or not _WIDEST < highest <= _HIGHEST:
        return
    lowest = grades[grades > 0.0].min()
    if highest - lowest <= _WIDEST:
        return
    warnings.warn(
        f"{owner}: the gain of {steep[0]} is 2^grade - 1: a document of grade {highest:g} counts "
        f"2^{highest - lowest:g} times as much as one of grade {lowest:g}, and next to it the "
        f"latter do not count at all. Use '{steep[0](gain='linear')}', or a table of gains such as "
        "'ndcg@10(gain=0;1;3;7)' for grades 0, 1, 2, 3",
        UserWarning,
        stacklevel=stacklevel + 1,
    )
