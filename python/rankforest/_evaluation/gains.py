"""Whether the gains of grades are too far apart for all of them to be seen."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from rankforest._core import Metric
from rankforest._support.warnings import warn

Grades = npt.NDArray[np.float64]

#: Under exp2, grades that differ by more have gains a million times apart.
_WIDEST = 20

#: Under exp2, the core refuses grades above.
_HIGHEST = 1023


def warn_of_steep_gains(owner: str, metrics: Iterable[object], grades: Grades) -> bool:
    """Warn if exponential gains leave nothing of the lower grades beside the highest.

    Parameters
    ----------
    owner : str
        Who measures, for the message.
    metrics : iterable
        Those of the core are looked at; the first one with such gains is named.
    grades : ndarray of float64
        As they are measured.

    Returns
    -------
    bool
        Whether it warned.
    """
    steep = [metric for metric in metrics if isinstance(metric, Metric) and metric.has_exp2_gain]
    if not steep:
        return False
    return warn_of_steep_grades(
        owner,
        f"the gain of {steep[0]}",
        grades,
        f"Use '{steep[0](gain='linear')}', or a table of gains such as 'ndcg@10(gain=0;1;3;7)' "
        "for grades 0, 1, 2, 3",
    )


def warn_of_steep_grades(owner: str, what: str, grades: Grades, remedy: str) -> bool:
    """Warn if 2^grade - 1 leaves nothing of the lower grades beside the highest.

    Parameters
    ----------
    owner : str
        Who uses it, for the message.
    what : str
        What it is used for, such as "the gain of ndcg".
    grades : ndarray of float64
        The grades.
    remedy : str
        A sentence without its full stop.

    Returns
    -------
    bool
        Whether it warned.
    """
    highest = grades.max()
    if not _WIDEST < highest <= _HIGHEST:
        return False
    lowest = grades[grades > 0.0].min()
    if highest - lowest <= _WIDEST:
        return False
    warn(
        f"{owner}: {what} is 2^grade - 1: a document of grade {highest:g} counts "
        f"2^{highest - lowest:g} times as much as one of grade {lowest:g}, and next to it the "
        f"latter do not count at all. {remedy}"
    )
    return True
