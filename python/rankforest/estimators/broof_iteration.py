"""What functions that replace parts of BROOF are called with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest.estimators.custom import Floats, RowNumbers

#: The extension points of BROOF: parameters that are a name, or a function of the iteration.
POINTS = (
    "initial_weights",
    "examples",
    "validation_set",
    "errors",
    "learner_weight",
    "example_weights",
)


@dataclass(frozen=True)
class BroofIteration:
    """An iteration of `BROOF`, as the functions that are its extension points see it.

    Entry i of each array is of the same document; the order does not depend on how the data was
    sorted. Arrays are of shape (n_documents,) and copies; those that are not known yet are empty: a
    point sees what stands before its own.

    Parameters
    ----------
    number : int
        Of the iteration, from 0.
    learning_rate : float
        The parameter of `BROOF`.
    grades : ndarray of float64
        What the documents were judged.
    offsets : ndarray of uint32, shape (n_queries + 1,)
        Query i holds the documents [offsets[i], offsets[i + 1]).
    rows : ndarray of uint32
        The row of each document in the data that `fit` got.
    weights : ndarray of float64
        What the draws of the forest's trees go by; the sum is 1.
    targets : ndarray of float64
        What the forest learnt.
    out_of_bag : ndarray of float64
        The mean of the trees that did not draw a document; NaN where all did.
    of_all_trees : ndarray of float64
        The mean of all trees.
    predictions : ndarray of float64
        What `validation_set` gave; NaN where a document is left out.
    errors : ndarray of float64
        What `errors` gave, by `error_normalization`; NaN where there is no prediction.
    error : float
        The mean of the errors by weights.
    beta : float
        What the weights of documents are updated by.
    learner_weight : float
        What the forest counts in the model.

    Examples
    --------
    >>> from rankforest import BROOF, BroofIteration
    >>> from rankforest.datasets import make_ranking
    >>> def squares(now: BroofIteration):
    ...     return (now.targets - now.predictions) ** 2
    >>> ranker = BROOF(variant="absolute", n_estimators=5, max_iter=2, errors=squares)
    >>> ranker.fit(make_ranking(n_queries=20, random_state=0)).model_.parameters["errors"]
    'custom'
    """

    number: int
    learning_rate: float
    grades: Floats
    offsets: RowNumbers
    rows: RowNumbers
    weights: Floats
    targets: Floats
    out_of_bag: Floats
    of_all_trees: Floats
    predictions: Floats
    errors: Floats
    error: float
    beta: float
    learner_weight: float


#: A function of the iteration that gives a number for each document.
Part = Callable[[BroofIteration], npt.ArrayLike]
#: A function of the iteration that gives what its forest counts.
Weighing = Callable[[BroofIteration], float]


def functions_of(
    settings: Mapping[str, Any], rows_of_caller: RowNumbers | None
) -> dict[str, Callable[[dict[str, Any]], object]]:
    """Return the extension points that are functions, as the core calls them.

    Parameters
    ----------
    settings : mapping
        Of any estimator.
    rows_of_caller : ndarray of uint32 or None
        The user's number of each row that is trained on; None where they are the same.
    """
    return {
        name: _called_with_iteration(name, settings[name], rows_of_caller)
        for name in POINTS
        if callable(settings.get(name))
    }


def _called_with_iteration(
    name: str, function: Callable[[BroofIteration], object], rows_of_caller: RowNumbers | None
) -> Callable[[dict[str, Any]], object]:
    def called(fields: dict[str, Any]) -> object:
        rows = fields["rows"]
        named = rows if rows_of_caller is None else rows_of_caller[rows]
        answer = function(BroofIteration(**{**fields, "rows": named}))
        return _number(answer) if name == "learner_weight" else _numbers(name, answer)

    return called


def _number(answer: object) -> float:
    value = np.asarray(answer)
    if value.shape != () or value.dtype.kind not in "biuf":
        raise ValueError(f"learner_weight must return a number, got {answer!r}")
    return float(value)


def _numbers(name: str, answer: object) -> Floats:
    try:
        values = np.ascontiguousarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must return numbers, got {answer!r}") from None
    if values.ndim != 1:
        raise ValueError(
            f"{name} must return a number for each document, got an array of shape {values.shape}"
        )
    return values
