"""Random query sets, one thousand for each case in which metrics of different systems part ways."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

N_SETS = 1000


@dataclass(frozen=True)
class QuerySet:
    """A few queries; the documents of each stand together.

    Grades, scores and weights are exact in float32, so that no system rounds two of them into one.
    """

    grades: Floats
    scores: Floats
    sizes: npt.NDArray[np.int64]  #: documents of each query
    document_ids: list[str]  #: different within a query, in no order
    weights: Floats | None  #: of each query

    @property
    def qid(self) -> npt.NDArray[np.int64]:
        """The query of each document, counted from 0."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def queries(self) -> list[tuple[Floats, Floats]]:
        """The grades and the scores of each query."""
        ends = np.cumsum(self.sizes)[:-1]
        return list(zip(np.split(self.grades, ends), np.split(self.scores, ends), strict=True))

    @property
    def ids(self) -> list[list[str]]:
        """The document ids of each query."""
        ends = np.cumsum(self.sizes).tolist()
        return [self.document_ids[e - n : e] for e, n in zip(ends, self.sizes, strict=True)]

    def judgements(self) -> tuple[npt.NDArray[np.generic], ...]:
        """What `rankforest.evaluate` takes."""
        if self.weights is None:
            return self.grades, self.qid
        return self.grades, self.qid, np.repeat(self.weights, self.sizes)


@dataclass(frozen=True)
class Case:
    """How query sets are drawn."""

    sizes: tuple[int, int] = (2, 30)  #: fewest and most documents of a query
    grades: tuple[float, ...] = (0, 0, 1, 2, 3, 4)
    n_scores: int | None = None  #: how many different scores there are; None: no ties
    share_empty: float = 0
    weighted: bool = False

    def draw(self, rng: np.random.Generator) -> QuerySet:
        sizes = rng.integers(*self.sizes, size=rng.integers(2, 4), endpoint=True)
        grades = np.concatenate([self._grades(rng, size) for size in sizes])
        pool = sizes.sum() if self.n_scores is None else self.n_scores
        drawn = rng.choice(pool, size=sizes.sum(), replace=self.n_scores is not None)
        weights = rng.choice([0.5, 1, 2, 3.25], size=len(sizes)) if self.weighted else None
        ids = [f"d{i}" for size in sizes for i in rng.permutation(size)]
        return QuerySet(grades, drawn / 8 - 1, sizes, ids, weights)

    def _grades(self, rng: np.random.Generator, size: int) -> Floats:
        if rng.random() < self.share_empty:
            return np.zeros(size)
        while True:
            grades = rng.choice(np.array(self.grades, dtype=float), size=size)
            if grades.any():
                return grades


CASES = {
    "distinct scores": Case(),
    "ties": Case(n_scores=4),
    "empty queries": Case(share_empty=0.4),
    "single documents": Case(sizes=(1, 1), share_empty=0.3),
    "k > n": Case(sizes=(2, 4)),
    "real grades": Case(grades=(0, 0, 0.25, 0.5, 1.625, 3.5)),
    "large grades": Case(grades=(0, 1, 7, 20, 30)),
    "grades above 31": Case(grades=(0, 1, 12, 40)),
    "weighted queries": Case(share_empty=0.2, weighted=True),
}


@cache
def query_sets(case: str) -> tuple[QuerySet, ...]:
    """Return the query sets of a case; the same in every run."""
    rng = np.random.default_rng(crc32(case.encode()))
    return tuple(CASES[case].draw(rng) for _ in range(N_SETS))
