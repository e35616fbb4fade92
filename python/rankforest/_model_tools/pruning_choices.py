"""Which trees pruning keeps, and when it stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rankforest import _core

if TYPE_CHECKING:
    from rankforest.pruning import PrunedSize

Floats = npt.NDArray[np.float64]

#: A loss is significant if the randomisation test gives it a p-value of at most this.
_ALPHA = 0.05


@dataclass(frozen=True)
class PruningGoal:
    """When to stop dropping trees, and the sizes on the way."""

    sizes: Sequence[int]
    n_trees: int | None
    max_loss: float | None

    @classmethod
    def of(
        cls,
        whole: int,
        n_trees: int | None,
        fraction: float | None,
        max_loss: float | None,
        sizes: Sequence[int] | None,
    ) -> PruningGoal:
        if sum(each is not None for each in (n_trees, fraction, max_loss)) > 1:
            raise ValueError("of n_trees, fraction and max_loss only one can be given")
        if fraction is not None:
            if not 0 < fraction < 1:
                raise ValueError(f"fraction must be in (0, 1), got {fraction!r}")
            n_trees = max(1, whole - round(fraction * whole))
        if n_trees is not None and not 1 <= n_trees <= whole:
            raise ValueError(f"n_trees must be in [1, {whole}], got {n_trees!r}")
        if max_loss is not None and not max_loss >= 0:
            raise ValueError(f"max_loss must be >= 0, got {max_loss!r}")
        if sizes is not None:
            wrong = [size for size in sizes if not 1 <= size <= whole]
            if wrong:
                raise ValueError(f"sizes must be in [1, {whole}], got {wrong[0]!r}")
        elif n_trees is not None:
            sizes = [n_trees]
        else:
            sizes = [max(1, whole * twentieths // 20) for twentieths in range(1, 20)]
        return cls(sorted({whole, *sizes}, reverse=True), n_trees, max_loss)

    def allows(self, size: PrunedSize, whole: float) -> bool:
        loss = whole - size.metric_reweighted
        return loss <= 0 or (
            size.p_value > _ALPHA if self.max_loss is None else loss <= self.max_loss
        )


@dataclass(frozen=True)
class TreeOrder:
    """What there is to keep each tree for; None: distances alone decide."""

    importances: Floats | None
    weights: Floats

    def kept(self, n_trees: int) -> npt.NDArray[np.bool_]:
        """Say which of the trees are the `n_trees` best, the earlier where two are as good."""
        if self.importances is None:
            return np.array(_core.skipping_trees(len(self.weights), n_trees))
        best = np.argsort(-self.importances, kind="stable")[:n_trees]
        kept = np.zeros(len(self.weights), bool)
        kept[best] = True
        return kept
