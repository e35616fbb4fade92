"""The values that a TREC run has on the queries of qrels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import trec
from rankforest._evaluation.metric_arguments import CustomMetricLike
from rankforest.metrics import Metric


@dataclass(frozen=True)
class RunValues:
    """What a run is worth on each query of the qrels, in the order of `query_ids_of`."""

    by_metric: Mapping[str, npt.NDArray[np.float64]]  #: NaN where a query has no value
    is_ranked: npt.NDArray[np.bool_]  #: whether the run has the query; True of all if complete


def query_ids_of(qrels: trec.Qrels) -> npt.NDArray[Any]:
    """Return the queries of the qrels in the order of their first judgement."""
    return np.array(list(dict.fromkeys(qrels.qid)), dtype=object)


def run_values(
    run: trec.Run,
    qrels: trec.Qrels,
    spelled: Mapping[str, Metric | CustomMetricLike],
    *,
    complete: bool,
    n_jobs: int | None,
) -> RunValues:
    """Evaluate a run on each query, without a warning.

    Parameters
    ----------
    run, qrels, complete, n_jobs
        As for `rankforest.trec.evaluate`.
    spelled : mapping of str to Metric or CustomMetric
        Metrics by what they are called in results.
    """
    judged, found = trec.measured(
        run, qrels, spelled, complete=complete, per_query=True, n_jobs=n_jobs
    )
    place = {query: i for i, query in enumerate(judged.query_ids.tolist())}
    rows = np.array([place.get(query, -1) for query in query_ids_of(qrels)])
    by_metric = {
        name: np.where(rows < 0, np.nan, result.values[rows]) for name, result in found.items()
    }
    return RunValues(by_metric, rows >= 0)
