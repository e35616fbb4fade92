"""What a table may measure of a model: a metric, also of its first trees; its training time; and more.

A measure is spelled as

- a metric of the library, such as "ndcg@10";
- "pooled: METRIC", the metric of all documents as one list;
- "150 trees: METRIC", the metric of the first 150 trees, or of all where there are fewer;
- "cpu seconds", the processor time of training, evaluation sets included;
- "cpu seconds a round", the same divided by the rounds that were trained, kept or not;
- "rounds", the number of rounds that are kept;
- "weight 0" and so on, the weight that each problem of a `PointWise` model by classification has in the
  score, then the constant; NaN where there are fewer;
- "documents", the number of documents of each query that is measured on;
- "selected within K", the share of the negatives selected in all rounds of SelGB that are among the
  first K documents of their query by feature 1.

Of `CostAware` models only, METRIC may be pooled in the last two:

- "150 trees: cost", the mean cost of a document by the first 150 trees;
- "best: METRIC", the metric of as many first trees as are best on the validation set;
- "cost at best: METRIC", what these cost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import rankforest
from bench.papers.estimate import Measured
from bench.papers.selections import share_within
from rankforest import Dataset

_TREES = re.compile(r"(\d+) trees: (.+)")
_SELECTED = re.compile(r"selected within (\d+)")
_WEIGHT = re.compile(r"weight (\d+)")
_BEST = re.compile(r"(cost at )?best: (.+)")
_POOLED = "pooled: "
#: Measures that nothing in is a metric.
_ALONE = ("cpu seconds", "cpu seconds a round", "rounds", "documents")


def metric_of(spelling: str) -> str | None:
    """Return the metric that a measure is made of, if it is one."""
    if spelling in _ALONE or _SELECTED.fullmatch(spelling) or _WEIGHT.fullmatch(spelling):
        return None
    match = _TREES.fullmatch(spelling) or _BEST.fullmatch(spelling)
    metric = match[2] if match else spelling
    return None if metric == "cost" else metric.removeprefix(_POOLED)


def meaning(spelling: str) -> str:
    """Return a measure with the metric in it spelled out."""
    metric = metric_of(spelling)
    return spelling if metric is None else spelling.replace(metric, str(rankforest.Metric(metric)))


def measure(spelling: str, model: Any, data: Mapping[str, Dataset], cpu_seconds: float) -> Measured:
    """Measure a fitted estimator on data["measured"]; it was trained on data["train"]."""
    measured = data["measured"]
    if metric_of(spelling) is None and not spelling.endswith("cost"):
        return _without_metric(spelling, model, data, cpu_seconds)
    if best := _BEST.fullmatch(spelling):
        first = model.first(measured, _best_size(model, data["valid"], best[2]))
        if best[1]:
            return Measured(first.cost, [])
        return evaluated(measured, first.scores, best[2])
    trees = _TREES.fullmatch(spelling)
    if trees and trees[2] == "cost":
        return Measured(model.first(measured, int(trees[1])).cost, [])
    scores = _scores(model, measured, int(trees[1]) if trees else None)
    return evaluated(measured, scores, trees[2] if trees else spelling)


def _without_metric(
    spelling: str, model: Any, data: Mapping[str, Dataset], cpu_seconds: float
) -> Measured:
    """Measure what is no metric: the training, the data, or what the model is made of."""
    if spelling == "documents":
        sizes = np.bincount(data["measured"].query_codes).astype(float)
        return Measured(float(sizes.mean()), sizes.tolist())
    if selected := _SELECTED.fullmatch(spelling):
        return Measured(share_within(model, data["train"], int(selected[1])), [])
    if weight := _WEIGHT.fullmatch(spelling):
        weights = model.weights_
        place = int(weight[1])
        return Measured(float(weights[place]) if place < len(weights) else math.nan, [])
    alone: dict[str, Callable[[], float]] = {
        "cpu seconds": lambda: cpu_seconds,
        "cpu seconds a round": lambda: cpu_seconds / model.history_rounds_[-1],
        "rounds": lambda: float(model.best_iteration_),
    }
    return Measured(alone[spelling](), [])


def evaluated(data: Dataset, scores: npt.NDArray[np.float64], spelling: str) -> Measured:
    """Measure scores by a metric, which may be pooled and has no values of queries then."""
    metric = spelling.removeprefix(_POOLED)
    if metric == spelling:
        mean = rankforest.evaluate(data, scores, [metric], n_jobs=1)[metric]
        queries = rankforest.evaluate(data, scores, [metric], per_query=True, n_jobs=1)[metric]
        return Measured(mean, queries.tolist())
    grades = data._required_grades()
    whole = (grades, np.zeros(len(grades), dtype=np.int64))
    return Measured(rankforest.evaluate(whole, scores, [metric], n_jobs=1)[metric], [])


def _best_size(model: Any, valid: Dataset, metric: str) -> int:
    """Return the number of first trees that is best on validation data; the smallest of equals."""
    sizes: list[int] = model.sizes
    values = [evaluated(valid, model.first(valid, size).scores, metric).mean for size in sizes]
    return sizes[int(np.argmax(values))]


def _scores(model: Any, measured: Dataset, trees: int | None) -> npt.NDArray[np.float64]:
    """Return the scores of a model, or of its first trees."""
    if trees is not None and hasattr(model, "first"):
        of_exits: npt.NDArray[np.float64] = model.first(measured, trees).scores
        return of_exits
    if trees is None or not hasattr(model, "model_"):
        scores: npt.NDArray[np.float64] = model.predict(measured)
        return scores
    inputs = model.inputs(measured) if hasattr(model, "inputs") else measured
    before: int = getattr(model, "rounds_before_", 0)
    of_first: npt.NDArray[np.float64] = model.model_[: before + trees].predict(inputs)
    return of_first
