"""Categorical features in the JSON form of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_LARGEST = float(np.finfo(np.float32).max)
_KEYS = ("feature", "levels", "values", "unseen", "missing")


def categories_to_json(categories: Sequence[Sequence[Any]]) -> list[dict[str, object]]:
    """Give the list of the JSON form that `rankforest.model_json` describes."""
    return [dict(zip(_KEYS, each, strict=True)) for each in categories]


def categories_from_json(values: list[Any]) -> list[Any]:
    """Read what `categories_to_json` gives; the core checks the rest.

    Raises
    ------
    ValueError
        If it is not of the form.
    """
    if not values:
        raise ValueError("categories: there must be one, or no such key")
    return [_category(i, each) for i, each in enumerate(values)]


def _category(i: int, each: Any) -> tuple[Any, ...]:
    if not isinstance(each, dict) or each.keys() != set(_KEYS):
        raise ValueError(f"categories[{i}]: expected an object with the keys {', '.join(_KEYS)}")
    feature, levels, values, unseen, missing = (each[key] for key in _KEYS)
    if type(feature) is not int or not 0 <= feature < 2**32:
        raise ValueError(
            f"categories[{i}].feature: expected a number in [0, 2^32), got {feature!r}"
        )
    is_texts = isinstance(levels, list) and all(type(level) is str for level in levels)
    is_whole = isinstance(levels, list) and all(
        type(level) is int and -(2**63) <= level < 2**63 for level in levels
    )
    if not is_texts and not is_whole:
        raise ValueError(f"categories[{i}].levels: expected all texts or all whole numbers")
    if not isinstance(values, list) or not all(map(_is_number, [*values, unseen, missing])):
        raise ValueError(f"categories[{i}]: values, unseen and missing must be float32 numbers")
    return feature, levels, values, unseen, missing


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and abs(value) <= _LARGEST  # type: ignore[arg-type]
