"""Scoring that ends before the last tree: arguments and results of `Model.predict_within`.

Limits count rounds. A document that exits after r rounds keeps the score of ``model[:r]``. It is
exactly that score, except in a forest, where the mean of the trees so far may be rounded otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from numbers import Integral, Real
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._tables import Cell, Table, html_of
from rankforest._vectors import as_numbers

# Rows of a table in a notebook.
_SHOWN = 20


@dataclass(frozen=True)
class EarlyExit:
    """When the documents with the lowest scores stop being scored [1]_, [2]_.

    After every `every` rounds, the ``floor(fraction * n)`` lowest of the n documents that are still
    being scored exit. Those that tie with the lowest document that stays do not exit either.

    Parameters
    ----------
    every : int
        Rounds from one exit to the next, in [1, 2**32).
    fraction : float
        Share of the documents that exit, in [0, 1).
    scope : {"query", "set"}, default="query"
        Whether the lowest documents of each query exit, or the lowest of all documents together,
        as in the thesis [1]_.
    demote : bool, default=False
        Whether documents that exit are ranked below the others of their query. Their scores are
        then replaced: those that exited last come first, in the order of their scores, each 1
        below the document before it. Without it they keep their scores, which may be higher than
        those of documents that stayed.

    Raises
    ------
    ValueError
        If a parameter is out of its range.

    References
    ----------
    .. [1] A. Mohan, "An empirical analysis on point-wise machine learning techniques using
       regression trees for web-search ranking", 2010, section 6.1.
    .. [2] B. B. Cambazoglu et al., "Early exit optimizations for additive machine learned ranking
       systems", WSDM 2010.

    Examples
    --------
    >>> import rankforest as rf
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> model = rf.MART(n_estimators=100).fit(data).model_
    >>> within = model.predict_within(data, early_exit=rf.EarlyExit(20, 0.3))
    >>> sorted(set(within.rounds.tolist()))
    [20, 40, 60, 80, 100]
    >>> within.n_evaluations < len(within.scores) * 100
    True
    """

    every: int
    fraction: float
    scope: Literal["query", "set"] = "query"
    demote: bool = False

    def __post_init__(self) -> None:
        is_count = isinstance(self.every, Integral) and not isinstance(self.every, bool)
        if not (is_count and 1 <= self.every < 2**32):
            raise ValueError(f"every must be an integer in [1, 2**32), got {self.every!r}")
        if not isinstance(self.fraction, Real) or not 0 <= self.fraction < 1:
            raise ValueError(f"fraction must be in [0, 1), got {self.fraction!r}")
        if self.scope not in {"query", "set"}:
            raise ValueError(f'scope must be "query" or "set", got {self.scope!r}')


class LimitedScores(NamedTuple):
    """What `Model.predict_within` returns."""

    #: float64, one for each row, in the order of the rows.
    scores: npt.NDArray[np.float64]
    #: uint32: the number of rounds that each document was scored with.
    rounds: npt.NDArray[np.uint32]
    #: How many times a tree was evaluated for a document.
    n_evaluations: int
    #: Cost of all documents together: of their trees, and of the features of these, each once.
    cost: float

    def __repr__(self) -> str:
        return f"LimitedScores({_described(self)})"


class LazyScores(NamedTuple):
    """What `Model.predict_lazily` returns."""

    #: float64, one for each document.
    scores: npt.NDArray[np.float64]
    #: uint32: the number of rounds that each document was scored with.
    rounds: npt.NDArray[np.uint32]
    #: How many times a tree of these rounds was evaluated for a document.
    n_evaluations: int
    #: Cost of these trees and of the values requested.
    cost: float
    #: How often the provider was called.
    n_requests: int
    #: int64: for each feature, the number of documents whose value was requested.
    n_fetched: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return (
            f"LazyScores({_described(self)}, {self.n_fetched.sum():,} values fetched in "
            f"{self.n_requests:,} requests)"
        )


class TopDocuments(NamedTuple):
    """What `Model.top_k` returns: the best documents of each query, one query after the other."""

    #: int64: row numbers of the documents; within a query the best document comes first.
    rows: npt.NDArray[np.int64]
    #: float64: the scores of these documents.
    scores: npt.NDArray[np.float64]
    #: int64: query i has ``rows[offsets[i]:offsets[i + 1]]``. Queries are in the order of their
    #: first documents.
    offsets: npt.NDArray[np.int64]
    #: How many times a tree was evaluated for a document.
    n_evaluations: int

    def __repr__(self) -> str:
        return (
            f"TopDocuments({len(self.rows):,} documents of {len(self.offsets) - 1:,} queries, "
            f"{self.n_evaluations:,} evaluations of trees)"
        )

    def _repr_html_(self) -> str:
        ranked = [
            (str(query), str(rank), str(row), f"{score:.6g}")
            for query, (first, end) in enumerate(pairwise(self.offsets[: _SHOWN + 1].tolist()))
            for rank, (row, score) in enumerate(
                zip(self.rows[first:end], self.scores[first:end], strict=True), start=1
            )
        ]
        table = Table(
            ("query", "rank", "row", "score"),
            tuple(tuple(map(Cell, line)) for line in ranked[:_SHOWN]),
        )
        return html_of([table], [repr(self)])


def _described(scored: LimitedScores | LazyScores) -> str:
    """Say of how many documents these are the scores, and what they took."""
    rounds = "no"
    if len(scored.rounds):
        least, most = scored.rounds.min(), scored.rounds.max()
        rounds = f"{least}" if least == most else f"{least} to {most}"
    return (
        f"{len(scored.scores):,} documents scored with {rounds} rounds, "
        f"{scored.n_evaluations:,} evaluations of trees, cost {scored.cost:g}"
    )


def make_limits(
    early_exit: EarlyExit | None,
    budget: float | None,
    tree_cost: float,
    feature_costs: npt.ArrayLike | None,
    should_stop: Callable[[], object] | None,
) -> _core.ScoreLimits:
    """Return limits as the compiled core takes them; ValueError for what is out of its range."""
    if early_exit is not None and not isinstance(early_exit, EarlyExit):
        raise ValueError(f"early_exit must be an EarlyExit or None, got {early_exit!r}")
    if should_stop is not None and not callable(should_stop):
        raise ValueError(f"should_stop must be a function or None, got {should_stop!r}")
    if not isinstance(tree_cost, Real) or not (isfinite(tree_cost) and tree_cost >= 0):
        raise ValueError(f"tree_cost must be finite and >= 0, got {tree_cost!r}")
    if budget is not None and not (isinstance(budget, Real) and budget >= 0):
        raise ValueError(f"budget must be >= 0 or None, got {budget!r}")
    exits = None
    if early_exit is not None:
        scope, demote = early_exit.scope, bool(early_exit.demote)
        exits = (int(early_exit.every), float(early_exit.fraction), scope, demote)
    costs = [] if feature_costs is None else as_numbers("feature_costs", feature_costs).tolist()
    return _core.ScoreLimits(
        early_exit=exits,
        budget=None if budget is None else float(budget),
        tree_cost=float(tree_cost),
        feature_costs=costs,
        should_stop=should_stop,
    )
