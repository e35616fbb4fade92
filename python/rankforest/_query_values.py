"""The values that systems have on single queries, checked to belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._judgements import Judged
from rankforest.data import Dataset
from rankforest.metrics import Judgements, Metric, MetricLike, Model, evaluate

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class QueryValues:
    """The queries that count by one metric."""

    metric: str  #: as it was spelled
    maximize: bool  #: whether more is better
    by_system: Mapping[str, Floats]  #: system -> value of each query, finite
    weights: Floats  #: of each query, > 0
    n_skipped: int  #: queries that do not count


def query_values(
    data: Dataset | Judgements,
    systems: Mapping[str, npt.ArrayLike | Model],
    metrics: MetricLike | Sequence[MetricLike],
    **options: Any,
) -> list[QueryValues]:
    """Evaluate the scores of all systems on each query, by each metric.

    The options are those of `evaluate`.

    Raises
    ------
    ValueError
        For what `evaluate` refuses; if one system has a value and another has none; if a value is
        infinite; if fewer than two queries count.
    """
    found = {name: _evaluate(name, data, it, metrics, options) for name, it in systems.items()}
    weights = _query_weights(data)
    return [
        _that_count(
            spelling,
            maximize,
            {name: np.asarray(f[spelling]) for name, f in found.items()},
            weights,
            next(iter(found.values()))["qid"],
        )
        for spelling, maximize in _directions(metrics).items()
    ]


def _evaluate(
    name: str,
    data: Dataset | Judgements,
    system: npt.ArrayLike | Model,
    metrics: MetricLike | Sequence[MetricLike],
    options: Mapping[str, Any],
) -> Mapping[str, npt.NDArray[Any]]:
    try:
        return evaluate(data, system, metrics, per_query=True, **options)
    except ValueError as error:
        if "score" not in str(error):
            raise
        raise ValueError(f"system {name!r}: {error}") from error


def _directions(metrics: MetricLike | Sequence[MetricLike]) -> dict[str, bool]:
    """Return whether more is better, by spelling; `evaluate` has checked the metrics."""
    several = isinstance(metrics, Sequence) and not isinstance(metrics, str)
    directions = {}
    given: Any = metrics if several else [metrics]
    for metric in given:
        if isinstance(metric, str):
            directions[metric] = Metric(metric).maximize
        elif isinstance(metric, Metric):
            directions[str(metric)] = metric.maximize
        else:
            directions[metric.name] = getattr(metric, "maximize", True)
    return directions


def _query_weights(data: Dataset | Judgements) -> Floats:
    """Return the mean weight of the documents of each query; 1 without weights."""
    judged = Judged.of(data)
    codes, weight = judged.codes, judged.weight
    sizes = np.bincount(codes)
    if weight is None:
        return np.ones(len(sizes))
    # In an order of their own, so that the order of the rows changes no bit.
    order = np.lexsort((weight, codes))
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    lowest = np.minimum.reduceat(weight[order], starts)
    highest = np.maximum.reduceat(weight[order], starts)
    mean = np.add.reduceat(weight[order], starts) / sizes
    return np.where(lowest == highest, lowest, mean)


def _that_count(
    metric: str,
    maximize: bool,
    values: Mapping[str, Floats],
    weights: Floats,
    query_ids: npt.NDArray[Any],
) -> QueryValues:
    """Keep the queries that have a value and a weight."""
    (first, expected), *others = ((name, np.isnan(each)) for name, each in values.items())
    for name, is_nan in others:
        if (is_nan != expected).any():
            query = int((is_nan != expected).argmax())
            without, valued = (first, name) if expected[query] else (name, first)
            raise ValueError(
                f"{metric} must have a value of a query for all systems or for none; query "
                f"{query_ids[query]!s} has one for {valued!r}, none for {without!r}"
            )
    counts = ~expected & (weights > 0)
    for name, each in values.items():
        if not np.isfinite(each[counts]).all():
            query = int((np.isinf(each) & counts).argmax())
            raise ValueError(
                f"{metric} must be finite to be compared; system {name!r} has {each[query]} on "
                f"query {query_ids[query]!s}"
            )
    if counts.sum() < 2:
        raise ValueError(
            f"{metric}: a comparison needs at least 2 queries that count, got {counts.sum()} of "
            f"{len(counts)}"
        )
    return QueryValues(
        metric,
        maximize,
        {name: each[counts] for name, each in values.items()},
        weights[counts],
        int((~counts).sum()),
    )
