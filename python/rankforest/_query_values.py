"""The values that systems have on single queries, checked to belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._judgements import Judged
from rankforest._metric_arguments import MetricLike, named_metrics
from rankforest._run_values import RunValues, query_ids_of, run_values
from rankforest._scoring import Model
from rankforest.data import Dataset
from rankforest.metrics import Judgements, evaluate
from rankforest.trec import Qrels, Run

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
    data: Dataset | Judgements | Qrels,
    systems: Mapping[str, npt.ArrayLike | Model | Run],
    metrics: MetricLike | Sequence[MetricLike],
    *,
    complete: bool = False,
    **options: Any,
) -> list[QueryValues]:
    """Evaluate the scores of all systems, or their runs, on each query, by each metric.

    The options are those of `evaluate`, and `complete` that of `rankforest.trec.evaluate`.

    Raises
    ------
    ValueError
        For what `evaluate` refuses; if one system has a value and another has none; if a value is
        infinite; if fewer than two queries count.
    """
    if isinstance(data, Qrels):
        query_ids, found = _of_runs(data, systems, metrics, complete, options)
        weights = np.ones(len(query_ids))
    else:
        of_scores = {n: _evaluate(n, data, it, metrics, options) for n, it in systems.items()}
        query_ids = next(iter(of_scores.values()))["qid"]
        found, weights = of_scores, _query_weights(data)
    return [
        _that_count(
            spelling,
            maximize,
            {name: np.asarray(f[spelling]) for name, f in found.items()},
            weights,
            query_ids,
        )
        for spelling, maximize in _directions(metrics).items()
    ]


def _of_runs(
    qrels: Qrels,
    systems: Mapping[str, Any],
    metrics: MetricLike | Sequence[MetricLike],
    complete: bool,
    options: Mapping[str, Any],
) -> tuple[npt.NDArray[Any], dict[str, Mapping[str, Floats]]]:
    """Return the queries, and the values of each run on those that every run has."""
    for option in ("judgements", "document_ids"):
        if options.get(option) is not None:
            raise ValueError(f"{option} must be None: runs and qrels bring their own")
    found: dict[str, RunValues] = {}
    for name, run in systems.items():
        if not isinstance(run, Run):
            what = type(run).__name__
            raise ValueError(f"system {name!r} must be a Run, as the data is Qrels; got {what}")  # noqa: TRY004
        found[name] = run_values(
            run, qrels, metrics, complete=complete, n_jobs=options.get("n_jobs")
        )
    in_all = np.all([values.is_ranked for values in found.values()], axis=0)
    return query_ids_of(qrels), {
        name: {m: np.where(in_all, v, np.nan) for m, v in values.by_metric.items()}
        for name, values in found.items()
    }


def _evaluate(
    name: str,
    data: Dataset | Judgements,
    system: npt.ArrayLike | Model | Run,
    metrics: MetricLike | Sequence[MetricLike],
    options: Mapping[str, Any],
) -> Mapping[str, npt.NDArray[Any]]:
    if isinstance(system, Run):
        raise ValueError(f"system {name!r} is a Run: pass Qrels as the data to compare runs")  # noqa: TRY004
    try:
        return evaluate(data, system, metrics, per_query=True, **options)
    except ValueError as error:
        if "score" not in str(error):
            raise
        raise ValueError(f"system {name!r}: {error}") from error


def _directions(metrics: MetricLike | Sequence[MetricLike]) -> dict[str, bool]:
    """Return whether more is better, by what the metric is called in results."""
    return {
        name: bool(getattr(metric, "maximize", True))
        for name, metric in named_metrics(metrics).items()
    }


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
