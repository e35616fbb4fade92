"""What users may hand to a trainer: metrics, objectives and callbacks of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
RowNumbers = npt.NDArray[np.uint32]

#: (grades, scores, offsets) -> value; see `CustomMetric`.
MetricFunction = Callable[[Floats, Floats, RowNumbers], float]
#: (scores, grades, offsets, rows) -> (gradients, hessians); see `LambdaMART`.
Objective = Callable[[Floats, Floats, RowNumbers, RowNumbers], tuple[npt.ArrayLike, npt.ArrayLike]]
#: Called after each round with its report; training ends where it returns True.
Callback = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class CustomMetric:
    """A measure written in Python, for `metric=` of the estimators.

    Parameters
    ----------
    name : str
        What it is called in `history_` and in reports.
    function : callable
        (grades, scores, offsets) -> float, for a whole data set: grades and scores are float64,
        and query i holds the documents [offsets[i], offsets[i + 1]). Their order does not depend
        on how the data was sorted. The value must be finite.
    maximize : bool, default=True
        Whether more is better.

    Examples
    --------
    >>> import numpy as np
    >>> from rankforest import MART, CustomMetric
    >>> from rankforest.datasets import make_ranking
    >>> train, valid = make_ranking(n_queries=40, random_state=0).train_test_split(0.5)
    >>> mae = CustomMetric("mae", lambda y, s, offsets: np.abs(y - s).mean(), maximize=False)
    >>> model = MART(n_estimators=30, metric=mae, early_stopping_rounds=5)
    >>> values = model.fit(train, eval_set=valid).history_["valid"]["mae"]
    >>> min(values, key=values.get) == model.best_iteration_
    True
    """

    name: str
    function: MetricFunction
    maximize: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ValueError(f"name must be a non-empty string, got {self.name!r}")
        if not callable(self.function):
            raise TypeError(f"function must be callable, got {self.function!r}")

    def __str__(self) -> str:
        return self.name

    def __call__(self, grades: Floats, scores: Floats, offsets: RowNumbers) -> float:
        """Evaluate, refusing what is not a finite number."""
        value = np.asarray(self.function(grades, scores, offsets))
        if value.shape != () or value.dtype.kind not in "biuf" or not np.isfinite(value):
            raise ValueError(
                f"metric {self.name!r} must return a finite number, got {value.tolist()!r}"
            )
        return float(value)


def in_pairs(
    objective: Objective,
) -> Callable[[Floats, Floats, RowNumbers, RowNumbers], tuple[Floats, Floats]]:
    """Return `objective` with its answer as two vectors; the core checks what is in them."""

    def gradients(
        scores: Floats, grades: Floats, offsets: RowNumbers, rows: RowNumbers
    ) -> tuple[Floats, Floats]:
        answer = objective(scores, grades, offsets, rows)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise ValueError(f"objective must return (gradients, hessians), got {answer!r}")
        return _vector("gradients", answer[0], rows), _vector("hessians", answer[1], rows)

    return gradients


def _vector(what: str, values: npt.ArrayLike, rows: RowNumbers) -> Floats:
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"objective must return numbers as {what}, got {values!r}") from None
    if array.shape != rows.shape:
        raise ValueError(
            f"objective must return {what} of shape {rows.shape}, one for each document it got; "
            f"the shape is {array.shape}"
        )
    return array
