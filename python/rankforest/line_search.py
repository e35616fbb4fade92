"""How weights are searched that maximise a metric."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from numbers import Real

from rankforest import _core
from rankforest._evaluation.metric_arguments import MetricLike, as_core_metric
from rankforest._settings.parameters import (
    NON_NEGATIVE,
    POSITIVE,
    UP_TO_ONE,
    Problems,
    Rule,
    integer,
)
from rankforest.data import Dataset
from rankforest.metrics import Metric


def _parse_bound(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError
    if not float(value) < math.inf:  # nor NaN
        raise ValueError
    return float(value)


#: What the settings may be.
SEARCH_RULES: Mapping[str, Rule] = {
    "max_iterations": integer(1),
    "n_points": integer(2),
    "window": POSITIVE,
    "shrink": UP_TO_ONE,
    "tolerance": NON_NEGATIVE,
    "min_gain": NON_NEGATIVE,
    "lowest": Rule("a number below infinity", _parse_bound, "FLOAT"),
}


@dataclass(frozen=True)
class LineSearch:
    """Settings of a search that changes one weight at a time.

    A pass goes through all weights in turn. For each, it tries weights at equal distances around the
    present one, and takes the best if it is better. After each pass the window shrinks.

    Parameters
    ----------
    max_iterations : int, default=10
        Number of passes at most.
    n_points : int, default=10
        Number of weights tried on each line, >= 2.
    window : float, default=1.0
        In the first pass, weights from w - window to w + window are tried. Weights start at 1.
    shrink : float, default=0.7
        What the window is multiplied by after each pass, in (0, 1].
    tolerance : float, default=0.0001
        A pass that improves the metric by less is the last one.
    min_gain : float, default=0.0
        A weight stays as it is unless changing it improves the metric by more than this.
    lowest : float, default=0.0
        No weight is moved below this. ``-math.inf`` is no bound: a tree may then be subtracted.
        Blends have no negative weights.

    References
    ----------
    .. [1] D. Metzler and W. B. Croft, "Linear feature-based models for information retrieval",
       Information Retrieval 10(3), 2007, section 5.
    .. [2] C. Lucchese et al., "Post-learning optimization of tree ensembles for efficient ranking",
       SIGIR 2016.

    Examples
    --------
    >>> import rankforest as rf
    >>> rf.LineSearch(max_iterations=1, n_points=20).window
    1.0
    """

    max_iterations: int = 10
    n_points: int = 10
    window: float = 1.0
    shrink: float = 0.7
    tolerance: float = 1e-4
    min_gain: float = 0.0
    lowest: float = 0.0

    def _checked(self) -> _core.LineSearch:
        problems = Problems("LineSearch")
        values = {}
        for name, value in asdict(self).items():
            with problems.collected():
                values[name] = SEARCH_RULES[name].check(name, value)
        problems.raise_if_any()
        return _core.LineSearch(**values)


def ranking_metric(metric: MetricLike) -> Metric:
    """Return a metric whose value a line search can maximise.

    Raises
    ------
    ValueError
        If it is a function in Python, has less as better, or needs ids of documents.
    """
    known = as_core_metric(metric)
    if known is None or not known.maximize or known.needs_document_ids:
        raise ValueError(
            "metric must be a metric of rankings of which more is better, such as 'ndcg@10'; got "
            f"{str(metric) if known is not None else metric!r}"
        )
    return known


def require_dataset(data: object) -> Dataset:
    """Return a data set with grades.

    Raises
    ------
    TypeError
        If it is none.
    ValueError
        If it has no grades.
    """
    if not isinstance(data, Dataset):
        raise TypeError(f"data must be a Dataset, got {type(data).__name__}")
    if data.y is None:
        raise ValueError("data must have the grades of its documents (y)")
    return data
