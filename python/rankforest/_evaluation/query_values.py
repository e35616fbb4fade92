"""The values that systems have on single queries, checked to belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._evaluation.gains import warn_of_steep_gains
from rankforest._evaluation.judgements import Judged
from rankforest._evaluation.metric_arguments import CustomMetricLike, MetricLike, named_metrics
from rankforest._evaluation.run_values import RunValues, query_ids_of, run_values
from rankforest._evaluation.scores import Model
from rankforest._support.wording import described
from rankforest.data import Dataset
from rankforest.metrics import Judgements, Metric, measured, require_ids
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
    complete: bool,
    judgements: object,
    document_ids: Iterable[object] | None,
    n_threads: int,
) -> list[QueryValues]:
    """Evaluate the scores of all systems, or their runs, on each query, by each metric.

    Warns in the name of `compare`, once for all systems.

    Parameters
    ----------
    data, systems, metrics, complete, judgements, document_ids
        As for `compare`.
    n_threads : int
        Threads.

    Raises
    ------
    ValueError
        For what `evaluate` refuses; if one system has a value and another has none; if a value is
        infinite; if fewer than two queries count.
    """
    spelled = named_metrics(metrics)
    if isinstance(data, Qrels):
        for option, value in {"judgements": judgements, "document_ids": document_ids}.items():
            if value is not None:
                raise ValueError(f"{option} must be None: runs and qrels bring their own")
        query_ids, found = _of_runs(data, systems, spelled, complete, n_threads)
        weights = np.ones(len(query_ids))
        grades = np.maximum(data.grades, 0).astype(np.float64)
        warn_of_steep_gains("compare", spelled.values(), grades)
    else:
        judged = Judged.of(data)
        require_ids(judged, spelled, document_ids)  # no system is to blame
        options = {"judgements": judgements, "document_ids": document_ids, "n_threads": n_threads}
        found = {
            name: _of_scores(name, judged, it, spelled, options) for name, it in systems.items()
        }
        query_ids, weights = judged.query_ids, _query_weights(judged)
        judged.warn("compare", spelled.values())
    return [
        _that_count(
            spelling,
            bool(getattr(metric, "maximize", True)),
            {name: values[spelling] for name, values in found.items()},
            weights,
            query_ids,
        )
        for spelling, metric in spelled.items()
    ]


def _of_runs(
    qrels: Qrels,
    systems: Mapping[str, Any],
    spelled: Mapping[str, Metric | CustomMetricLike],
    complete: bool,
    n_threads: int,
) -> tuple[npt.NDArray[Any], dict[str, Mapping[str, Floats]]]:
    """Return the queries, and the values of each run on those that every run has."""
    found: dict[str, RunValues] = {}
    for name, run in systems.items():
        if not isinstance(run, Run):
            what = described(run)
            raise ValueError(f"system {name!r} must be a Run, as the data is Qrels; got {what}")  # noqa: TRY004
        found[name] = run_values(run, qrels, spelled, complete=complete, n_jobs=n_threads)
    in_all = np.all([values.is_ranked for values in found.values()], axis=0)
    return query_ids_of(qrels), {
        name: {m: np.where(in_all, v, np.nan) for m, v in values.by_metric.items()}
        for name, values in found.items()
    }


def _of_scores(
    name: str,
    judged: Judged,
    system: npt.ArrayLike | Model | Run,
    spelled: Mapping[str, Metric | CustomMetricLike],
    options: Mapping[str, Any],
) -> Mapping[str, Floats]:
    if isinstance(system, Run):
        raise ValueError(f"system {name!r} is a Run: pass Qrels as the data to compare runs")  # noqa: TRY004
    try:
        found = measured(judged, judged.scores(system), spelled, per_query=True, **options)
    except ValueError as error:
        if "score" not in str(error):
            raise
        raise ValueError(f"system {name!r}: {error}") from error
    return {name: result.values for name, result in found.items()}


def _query_weights(judged: Judged) -> Floats:
    """Return the mean weight of the documents of each query; 1 without weights."""
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
