"""Random numbers for made-up data."""

from __future__ import annotations

from numbers import Integral

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]


class Draw:
    """Random numbers with the same bits everywhere.

    Only PCG64's raw bits, which no version of NumPy changes, and exactly rounded operations are used.
    """

    def __init__(self, seed: int | None) -> None:
        self._bits = np.random.PCG64(seed)

    def uniform(self, n: int) -> Values:
        """Multiples of 2^-53 in [0, 1)."""
        high = self._bits.random_raw(n) >> np.uint64(11)
        return high.astype(np.float64) * 2.0**-53

    def normal(self, n: int) -> Values:
        """Mean 0, standard deviation 1, nearly normal: the sum of four uniform 16-bit numbers."""
        raw = self._bits.random_raw(n)
        total = sum((raw >> np.uint64(shift)) & np.uint64(0xFFFF) for shift in (0, 16, 32, 48))
        return (np.asarray(total, dtype=np.float64) - 131070.0) / 37837.22758


def require_count(name: str, value: object, fewest: int) -> None:
    """Raise a ValueError unless the value is an integer >= fewest."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < fewest:
        raise ValueError(f"{name} must be an integer >= {fewest}, got {value!r}")
