"""Scoring that ends before the last tree: arguments and results of `Model.predict_within`.

Limits count rounds. A document that exits after r rounds keeps the score of ``model[:r]``. It is
exactly that score, except in a forest, where the mean of the trees so far may be rounded otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from numbers import Real
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._support.tables import Cell, Table, html_of
from rankforest._support.vectors import as_numbers
from rankforest.exits import EarlyExit, ExitSchedule, checked_exits
from rankforest.feature_costs import FeatureCosts

# Rows of a table in a notebook.
_SHOWN = 20


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
    early_exit: EarlyExit | ExitSchedule | None,
    budget: float | None,
    tree_cost: float | None,
    feature_costs: object,
    should_stop: Callable[[], object] | None,
    *,
    feature_names: Sequence[str] = (),
) -> _core.ScoreLimits:
    """Return limits as the compiled core takes them; ValueError for what is out of its range.

    `feature_names` is what costs may call the features.
    """
    early_exit = checked_exits(early_exit)
    if should_stop is not None and not callable(should_stop):
        raise ValueError(f"should_stop must be a function or None, got {should_stop!r}")
    if tree_cost is None:
        tree_cost = feature_costs.tree_cost if isinstance(feature_costs, FeatureCosts) else 1.0
    if not isinstance(tree_cost, Real) or not (isfinite(tree_cost) and tree_cost >= 0):
        raise ValueError(f"tree_cost must be finite and >= 0, got {tree_cost!r}")
    if budget is not None and not (isinstance(budget, Real) and budget >= 0):
        raise ValueError(f"budget must be >= 0 or None, got {budget!r}")
    regular = None
    if isinstance(early_exit, EarlyExit):
        scope, demote = early_exit.scope, bool(early_exit.demote)
        regular = (int(early_exit.every), float(early_exit.fraction), scope, demote)
    costs, groups = costs_of_columns(feature_costs, feature_names)
    return _core.ScoreLimits(
        early_exit=regular,
        exits=early_exit.to_dict() if isinstance(early_exit, ExitSchedule) else None,
        budget=None if budget is None else float(budget),
        tree_cost=float(tree_cost),
        feature_costs=costs,
        groups=groups,
        should_stop=should_stop,
    )


def costs_of_columns(
    feature_costs: object, feature_names: Sequence[str]
) -> tuple[list[float], list[int]]:
    """Return the cost of each column, and the number of its group, as the compiled core takes them.

    No costs where all features are free, no groups where each is paid by itself.
    """
    if feature_costs is None:
        return [], []
    if isinstance(feature_costs, Mapping):
        feature_costs = FeatureCosts.of(feature_costs)
    if not isinstance(feature_costs, FeatureCosts):
        return as_numbers("feature_costs", feature_costs).tolist(), []
    resolved = feature_costs.resolve(len(feature_names), feature_names)
    costs = resolved.costs[resolved.units].tolist()
    return costs, resolved.units.tolist() if feature_costs.groups else []
