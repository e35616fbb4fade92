"""Which negatives SelGB selected: found again from the model, whose prefixes made the selections."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import Dataset, SelGB

Counts = npt.NDArray[np.int64]


def share_within(model: Any, train: Dataset, rank: int) -> float:
    """Return the share of all selected negatives that feature 1 ranks among the first `rank`.

    Parameters
    ----------
    model : estimator
        Fitted. NaN is returned for what is no SelGB with ``selection="top"``, or selected nothing.
    train : Dataset
        What it was trained on.
    rank : int
        How many of the first documents of a query count, positives included; >= 1.
    """
    if not isinstance(model, SelGB) or model.selection != "top":
        return float("nan")
    counts = _times_by_rank(_Pair(model, train))
    return float(counts[:rank].sum() / counts.sum()) if counts.any() else float("nan")


class _Pair:
    """A model and its training data, which are the same only as objects."""

    def __init__(self, model: SelGB, train: Dataset) -> None:
        self.model, self.train = model, train

    def __hash__(self) -> int:
        return hash((id(self.model), id(self.train)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Pair) and self.model is other.model and self.train is other.train


@lru_cache(maxsize=1)
def _times_by_rank(pair: _Pair) -> Counts:
    """Count how many negatives were selected of each rank by feature 1, over all selections."""
    model, train = pair.model, pair.train
    codes = train.query_codes.astype(np.int64)
    sizes = np.bincount(codes)
    base_rank = _ranks(codes, sizes, train.X[:, 0].astype(np.float64))
    negatives = np.flatnonzero(np.asarray(train.y) <= 0)
    of_negatives = np.bincount(codes[negatives], minlength=len(sizes))
    kept = np.ceil(np.round(model.negative_fraction * of_negatives, 9)).astype(np.int64)
    counts = np.zeros(sizes.max(), dtype=np.int64)
    for done, scores in enumerate(model.model_.staged_predict(train, n_jobs=1), 1):
        if (done + 1) % model.reselect_every or done == model.best_iteration_:
            continue
        of_query = codes[negatives]
        rank = _ranks(of_query, of_negatives, scores[negatives])
        selected = negatives[rank < kept[of_query]]
        counts += np.bincount(base_rank[selected], minlength=len(counts))
    return counts


def _ranks(codes: Counts, sizes: Counts, values: npt.NDArray[np.float64]) -> Counts:
    """Return the rank of each document in its query, from 0 for the largest value."""
    order = np.lexsort((-values, codes))
    ranks = np.empty(len(codes), dtype=np.int64)
    ranks[order] = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ranks
