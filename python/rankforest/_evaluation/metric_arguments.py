"""Metrics as users give them: spellings, values, functions and measures of ir_measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rankforest._core import Metric
from rankforest._evaluation import ir_measures


class CustomMetricLike(Protocol):
    """A metric written in Python, such as `rankforest.CustomMetric`."""

    @property
    def name(self) -> str:
        """What it is called in results."""

    def __call__(
        self,
        grades: npt.NDArray[np.float64],
        scores: npt.NDArray[np.float64],
        offsets: npt.NDArray[np.uint32],
        /,
    ) -> float:
        """Evaluate queries; query i holds the documents [offsets[i], offsets[i + 1])."""


class IrMeasure(Protocol):
    """A measure of the package ir_measures, such as ``ir_measures.nDCG @ 10``."""

    NAME: str | None

    def __matmul__(self, cutoff: Any, /) -> Any:
        """Return the measure at a cutoff."""

    def iter_calc(self, qrels: Any, run: Any) -> Any:
        """Evaluate the measure, which nothing here asks for."""


MetricLike = str | Metric | CustomMetricLike | IrMeasure


def named_metrics(
    metrics: MetricLike | Sequence[MetricLike],
) -> dict[str, Metric | CustomMetricLike]:
    """Return metrics by what they are called in results: as they were spelled.

    Raises
    ------
    ValueError
        If there is none, or one is no metric.
    """
    is_one = isinstance(metrics, str) or not isinstance(metrics, Sequence)
    given: Sequence[Any] = [metrics] if is_one else metrics  # type: ignore[assignment]
    if not given:
        raise ValueError("metrics must name at least one metric, got none")
    return dict(map(_named, given))


def ranks_documents(metric: object) -> bool:
    """Say whether a metric is about the order of documents; those in Python may be about anything."""
    return isinstance(metric, Metric) and metric.name != "rmse"


def refuse_ties_by_id(
    metrics: Mapping[str, object],
    why: str = "there are none: pass document_ids=, or a Dataset that has them (id= of from_frame)",
) -> None:
    """Raise a ValueError if a metric orders equal scores by document ids, which are not there.

    Parameters
    ----------
    metrics : mapping of str to object
        Metrics by what they are called; those in Python are not looked at.
    why : str
        Why there are no ids, and what can be done about it.
    """
    for name, metric in metrics.items():
        if isinstance(metric, Metric) and metric.needs_document_ids:
            raise ValueError(
                f"{name} orders documents of equal scores by their ids (ties=docno), and {why}. "
                f"'{metric(ties='average')}' needs no ids: it takes the mean over all their orders"
            )


def as_core_metric(metric: object) -> Metric | None:
    """Return what a spelling, a Metric or a measure of ir_measures stands for, None of all else."""
    if isinstance(metric, str):
        return Metric(metric)
    if isinstance(metric, Metric):
        return metric
    return Metric(ir_measures.spelling_of(metric)) if ir_measures.is_measure(metric) else None


def _named(metric: Any) -> tuple[str, Metric | CustomMetricLike]:
    known = as_core_metric(metric)
    if known is not None:
        return str(metric), known
    if callable(metric) and isinstance(getattr(metric, "name", None), str):
        return metric.name, metric
    raise ValueError(
        "metrics must be spellings such as 'ndcg@10', Metrics, CustomMetrics or measures of "
        f"ir_measures, got {metric!r}"
    )
