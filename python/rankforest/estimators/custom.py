"""What users may hand to a trainer: metrics, objectives and callbacks of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
RowNumbers = npt.NDArray[np.uint32]

#: (grades, scores, offsets) -> value; see `CustomMetric`.
MetricFunction = Callable[[Floats, Floats, RowNumbers], float]
#: (grades, scores, offsets, rows) -> (gradients, hessians); see `LambdaMART`.
Objective = Callable[[Floats, Floats, RowNumbers, RowNumbers], tuple[npt.ArrayLike, npt.ArrayLike]]
#: (grades_better, grades_worse, rows_better, rows_worse) -> weights; see `LambdaMART`.
PairWeighting = Callable[[Floats, Floats, RowNumbers, RowNumbers], npt.ArrayLike]
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
    >>> model.best_score_ == min(values) == values[model.best_iteration_ - 1]
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
        check_signature("function", self.function, "(grades, scores, offsets)")

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


#: What people call the first two arguments when they mean scores and grades.
_NAMES_OF_SCORES = frozenset(
    {
        "s",
        "f",
        "score",
        "scores",
        "y_score",
        "y_pred",
        "pred",
        "preds",
        "predt",
        "margin",
        "margins",
    }
)
_NAMES_OF_GRADES = frozenset(
    {"g", "y", "grade", "grades", "label", "labels", "y_true", "target", "targets", "relevance"}
)


#: How an objective, a function that weighs pairs, a callback and a part of BROOF are called.
SCORED = "(grades, scores, offsets, rows)"
PAIR_WEIGHTING = "(grades_better, grades_worse, rows_better, rows_worse)"
REPORT = "(report)"
ITERATION = "(iteration)"


def check_signature(argument: str, function: Callable[..., object], order: str) -> None:
    """Raise an error if a function cannot be called as it will be, or expects another order.

    Parameters
    ----------
    argument : str
        What messages call the function.
    function : callable
        Where its signature is unknown, or the names say nothing, it passes.
    order : str
        How it is called.

    Raises
    ------
    TypeError
        If it does not take as many arguments.
    ValueError
        If the names of its parameters put scores before grades.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    names = list(signature.parameters)
    first, second = [*map(str.lower, names), "", ""][:2]
    if first in _NAMES_OF_SCORES and second in _NAMES_OF_GRADES:
        raise ValueError(
            f"{argument} is called with {order}, grades first as y_true in scikit-learn; its "
            f"parameters are ({', '.join(names)})"
        )
    try:
        signature.bind(*order.split(","))
    except TypeError:
        raise TypeError(
            f"{argument} is called with {order}; its parameters are {signature}"
        ) from None


def in_pairs(
    objective: Objective, rows_of_caller: RowNumbers | None = None
) -> Callable[[Floats, Floats, RowNumbers, RowNumbers], tuple[Floats, Floats]]:
    """Return `objective` with its answer as two vectors; the core checks what is in them.

    Parameters
    ----------
    objective : callable
        Of the user.
    rows_of_caller : ndarray of uint32, optional
        The user's number of each row that is trained on; None where they are the same.
    """

    def gradients(
        grades: Floats, scores: Floats, offsets: RowNumbers, rows: RowNumbers
    ) -> tuple[Floats, Floats]:
        named = rows if rows_of_caller is None else rows_of_caller[rows]
        answer = objective(grades, scores, offsets, named)
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise ValueError(f"objective must return (gradients, hessians), got {answer!r}")
        return _vector("gradients", answer[0], rows), _vector("hessians", answer[1], rows)

    return gradients


def in_weights(
    pair_weighting: PairWeighting, rows_of_caller: RowNumbers | None = None
) -> Callable[[Floats, Floats, RowNumbers, RowNumbers], Floats]:
    """Return `pair_weighting` with its answer as a vector; the core checks what is in it.

    Parameters
    ----------
    pair_weighting : callable
        Of the user.
    rows_of_caller : ndarray of uint32, optional
        The user's number of each row that is trained on; None where they are the same.
    """

    def weights(
        grades_better: Floats, grades_worse: Floats, better: RowNumbers, worse: RowNumbers
    ) -> Floats:
        named = (
            (better, worse)
            if rows_of_caller is None
            else (rows_of_caller[better], rows_of_caller[worse])
        )
        answer = pair_weighting(grades_better, grades_worse, *named)
        return _vector("weights", answer, better, "pair_weighting", "pair")

    return weights


def _vector(
    what: str,
    values: npt.ArrayLike,
    rows: RowNumbers,
    owner: str = "objective",
    unit: str = "document",
) -> Floats:
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{owner} must return numbers as {what}, got {values!r}") from None
    if array.shape != rows.shape:
        raise ValueError(
            f"{owner} must return {what} of shape {rows.shape}, one for each {unit} it got; "
            f"the shape is {array.shape}"
        )
    return array
