"""Values out of JSON and UBJSON, each with its place in the whole for error messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

_LONGEST = 60  # characters of a value that a message shows


def parsed(text: str | bytes) -> Any:
    """Parse JSON.

    Raises
    ------
    ValueError
        If it is not JSON, or nested beyond what the parser takes.
    """
    try:
        return json.loads(text, object_pairs_hook=_without_repeats)
    except RecursionError:
        raise ValueError("not valid JSON: nested too deeply") from None
    except ValueError as error:  # of UnicodeDecodeError, too
        raise ValueError(f"not valid JSON: {error}") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in an object")
    return found


class Place:
    """A value, and where it stands.

    Parameters
    ----------
    value : object
        As `parsed` gives it; arrays may be lists or ndarrays.
    where : str
        Such as ``learner.gradient_booster``; empty for the whole.
    """

    def __init__(self, value: Any, where: str = "") -> None:
        self.value = value
        self.where = where or "the model"
        self._prefix = f"{where}." if where else ""
        self._bare = where

    def has(self, key: str) -> bool:
        """Say whether the value is an object with this key."""
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str) -> Place:
        """Return what an object has under a key that must be there."""
        self.require(isinstance(self.value, dict), "an object")
        if key not in self.value:
            raise ValueError(f"{self._prefix}{key}: missing")
        return Place(self.value[key], f"{self._prefix}{key}")

    def items(self) -> Iterator[Place]:
        """Give the items of a list."""
        self.require(isinstance(self.value, (list, np.ndarray)), "a list")
        for i, value in enumerate(self.value):
            yield Place(value, f"{self._bare}[{i}]")

    def __len__(self) -> int:
        self.require(isinstance(self.value, (list, np.ndarray)), "a list")
        return len(self.value)

    def require(self, condition: bool, expected: str) -> None:
        """Raise a ValueError unless the value is as it must be."""
        if not condition:
            raise ValueError(f"{self.where}: expected {expected}, got {_shown(self.value)}")

    def text(self) -> str:
        """Return a string."""
        self.require(isinstance(self.value, str), "a string")
        return str(self.value)

    def number(self) -> float:
        """Return a number, which a string may spell; not NaN."""
        is_number = isinstance(self.value, (int, float, str)) and not isinstance(self.value, bool)
        try:
            value = float(self.value) if is_number else np.nan
        except (ValueError, OverflowError):
            value = np.nan
        self.require(not np.isnan(value), "a number")
        return float(value)

    def whole(self, least: int = 0, most: int = 2**31 - 1) -> int:
        """Return a whole number within limits, which a string may spell."""
        try:
            value = int(self.value) if type(self.value) in {int, str} else least - 1
        except ValueError:
            value = least - 1
        self.require(least <= value <= most, f"a whole number from {least} to {most}")
        return value

    def numbers(self, size: int | None = None) -> npt.NDArray[np.float64]:
        """Return a list of numbers, of a length if one is given; booleans count as 0 and 1."""
        self._require_length(size)
        if isinstance(self.value, list):
            for item in self.items():
                item.require(type(item.value) in {int, float, bool}, "a number")
        try:
            return np.asarray(self.value, dtype=np.float64).reshape(len(self))
        except OverflowError:
            raise ValueError(f"{self.where}: a number does not fit a double") from None

    def wholes(self, size: int | None = None) -> npt.NDArray[np.int64]:
        """Return a list of whole numbers."""
        values = self.numbers(size)
        bad = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > 2**53))
        if bad.size:
            raise ValueError(
                f"{self._bare}[{bad[0]}]: expected a whole number, got {values[bad[0]]}"
            )
        return values.astype(np.int64)

    def _require_length(self, size: int | None) -> None:
        n = len(self)
        if size is not None and n != size:
            raise ValueError(f"{self.where}: has {n} values, expected {size}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
