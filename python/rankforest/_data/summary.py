"""What a data set looks like to a ranker, in a few numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankforest._support.tables import Cell, Table

_ROWS_AT_A_TIME = 4096


@dataclass(frozen=True)
class DatasetSummary:
    """Counts of one data set.

    Attributes
    ----------
    n_documents, n_queries, n_features : int
        The shape.
    n_missing : int
        Values that are NaN.
    lowest_grade, highest_grade : float
        Of any document.
    n_empty : int
        Queries without a relevant document: no grade above 0.
    n_single : int
        Queries of one document.
    n_one_grade : int
        Queries of several documents, all of the same grade.
    """

    n_documents: int
    n_queries: int
    n_features: int
    n_missing: int
    lowest_grade: float
    highest_grade: float
    n_empty: int
    n_single: int
    n_one_grade: int

    @property
    def n_comparable(self) -> int:
        """Queries with documents of different grades: all that a ranking can be learned from."""
        return self.n_queries - self.n_single - self.n_one_grade

    def _repr_html_(self) -> str:
        counts = {
            "documents": self.n_documents,
            "queries": self.n_queries,
            "features": self.n_features,
            "missing values": self.n_missing,
            "queries without a relevant document": self.n_empty,
            "queries of one document": self.n_single,
            "queries of several documents of one grade": self.n_one_grade,
        }
        rows = [(Cell(name), Cell(f"{count:,}")) for name, count in counts.items()]
        grades = f"{self.lowest_grade:g} to {self.highest_grade:g}"
        return Table(("data set", ""), (*rows, (Cell("grades"), Cell(grades)))).to_html()

    def __str__(self) -> str:
        return (
            f"{self.n_documents:,} documents in {self.n_queries:,} queries, "
            f"{self.n_features:,} features, {self.n_missing:,} missing values\n"
            f"grades {self.lowest_grade:g} to {self.highest_grade:g}\n"
            f"{self.n_comparable:,} queries with different grades, {self.n_one_grade:,} with one, "
            f"{self.n_single:,} of one document\n"
            f"{self.n_empty:,} queries without a relevant document"
        )


def summarise(
    features: npt.NDArray[np.float32],
    grades: npt.NDArray[np.float64],
    codes: npt.NDArray[np.uint32],
) -> DatasetSummary:
    """Count what matters to ranking."""
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    by_query = grades[np.argsort(codes, kind="stable")]
    lowest = np.minimum.reduceat(by_query, starts)
    highest = np.maximum.reduceat(by_query, starts)
    n_documents, n_features = features.shape
    return DatasetSummary(
        n_documents=n_documents,
        n_queries=len(sizes),
        n_features=n_features,
        n_missing=sum(
            int(np.isnan(features[row : row + _ROWS_AT_A_TIME]).sum())
            for row in range(0, n_documents, _ROWS_AT_A_TIME)
        ),
        lowest_grade=float(lowest.min()) + 0.0,  # no -0.0, which 0.0 equals
        highest_grade=float(highest.max()) + 0.0,
        n_empty=int((highest == 0).sum()),
        n_single=int((sizes == 1).sum()),
        n_one_grade=int(((lowest == highest) & (sizes > 1)).sum()),
    )
