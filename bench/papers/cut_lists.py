"""LambdaMART on lists that are cut at a rank by a feature, as a first stage would hand on fewer."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import Dataset, LambdaMART


class CutLambdaMART(LambdaMART):
    """Trains and validates on the first documents of each query, and on all its positives.

    Parameters
    ----------
    cut : int
        How many documents of a query there are after the cut, unless it has more positives, >= 1.
    column : int
        The feature that ranks them, highest first, counted from 1 as in LETOR text.
    **parameters
        LambdaMART's.
    """

    def __init__(self, *, cut: int = 500, column: int = 1, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.cut = cut
        self.column = column

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return sorted([*LambdaMART._get_param_names(), "cut", "column"])

    def fit(self, data: Dataset, *, eval_set: Dataset) -> CutLambdaMART:  # type: ignore[override]
        """Train on the cut lists."""
        of_lambdamart = {name: getattr(self, name) for name in LambdaMART._get_param_names()}
        inner = LambdaMART(**of_lambdamart)
        inner.fit(
            data.take_rows(first_rows(data, self.cut, self.column)),
            eval_set=eval_set.take_rows(first_rows(eval_set, self.cut, self.column)),
        )
        self.__dict__.update({k: v for k, v in vars(inner).items() if k not in of_lambdamart})
        return self


def first_rows(data: Dataset, cut: int, column: int) -> npt.NDArray[np.bool_]:
    """Mark the positives, and the best negatives that fill each query up to `cut` documents."""
    codes = data.query_codes.astype(np.int64)
    values = data.X[:, column - 1].astype(np.float64)
    is_positive = np.asarray(data.y) > 0
    order = np.lexsort((-values, ~is_positive, codes))  # positives first
    sizes = np.bincount(codes)
    place = np.empty(len(codes), dtype=np.int64)
    place[order] = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    marked: npt.NDArray[np.bool_] = (place < cut) | is_positive
    return marked
