"""What a table may measure of a model: a metric, also of its first trees; its training time; and more.

A measure is spelled as

- a metric of the library, such as "ndcg@10";
- "150 trees: METRIC", the metric of the first 150 trees, or of all where there are fewer;
- "cpu seconds", the processor time of training, evaluation sets included;
- "cpu seconds a round", the same divided by the rounds that were trained, kept or not;
- "rounds", the number of rounds that are kept;
- "documents", the number of documents of each query that is measured on;
- "selected within K", the share of the negatives selected in all rounds of SelGB that are among the
  first K documents of their query by feature 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import rankforest
from bench.papers.estimate import Measured
from bench.papers.selections import share_within
from rankforest import Dataset

_TREES = re.compile(r"(\d+) trees: (.+)")
_SELECTED = re.compile(r"selected within (\d+)")


def metric_of(spelling: str) -> str | None:
    """Return the metric that a measure is made of, if it is one."""
    if spelling in (
        "cpu seconds",
        "cpu seconds a round",
        "rounds",
        "documents",
    ) or _SELECTED.fullmatch(spelling):
        return None
    match = _TREES.fullmatch(spelling)
    return match[2] if match else spelling


def meaning(spelling: str) -> str:
    """Return a measure with the metric in it spelled out."""
    metric = metric_of(spelling)
    return spelling if metric is None else spelling.replace(metric, str(rankforest.Metric(metric)))


def measure(spelling: str, model: Any, data: Mapping[str, Dataset], cpu_seconds: float) -> Measured:
    """Measure a fitted estimator on data["measured"]; it was trained on data["train"]."""
    measured = data["measured"]
    alone: dict[str, Callable[[], float]] = {
        "cpu seconds": lambda: cpu_seconds,
        "cpu seconds a round": lambda: cpu_seconds / model.history_rounds_[-1],
        "rounds": lambda: float(model.best_iteration_),
    }
    if spelling in alone:
        return Measured(alone[spelling](), [])
    if spelling == "documents":
        sizes = np.bincount(measured.query_codes).astype(float)
        return Measured(float(sizes.mean()), sizes.tolist())
    if selected := _SELECTED.fullmatch(spelling):
        return Measured(share_within(model, data["train"], int(selected[1])), [])
    first = _TREES.fullmatch(spelling)
    metric = first[2] if first else spelling
    scorer = model.model_[: int(first[1])] if first and hasattr(model, "model_") else model
    scores = scorer.predict(measured)
    mean = rankforest.evaluate(measured, scores, [metric], n_jobs=1)[metric]
    queries = rankforest.evaluate(measured, scores, [metric], per_query=True, n_jobs=1)[metric]
    return Measured(mean, queries.tolist())
