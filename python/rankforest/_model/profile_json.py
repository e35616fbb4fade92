"""A data profile in the JSON form of a model."""

from __future__ import annotations

from math import isnan, nan
from typing import Any

import numpy as np

from rankforest import _core

_KEYS = {"missing", "least", "largest", "edges", "counts"}


def profile_to_json(profile: _core.DataProfile) -> dict[str, Any]:
    """Return a profile as JSON values; numbers of float32 are the shortest that read back."""
    return {
        "n_documents": profile.n_documents,
        "features": [
            {
                "missing": missing,
                "least": _shortest(least),
                "largest": _shortest(largest),
                "edges": [_shortest(edge) for edge in edges],
                "counts": counts,
            }
            for missing, least, largest, edges, counts in profile.features
        ],
    }


def profile_from_json(values: Any) -> _core.DataProfile:
    """Return the profile of JSON values.

    Raises
    ------
    ValueError
        If they are of another form, or no data set can have such a profile.
    """
    if not isinstance(values, dict) or values.keys() != {"n_documents", "features"}:
        raise ValueError("data_profile: expected an object with n_documents and features")
    if type(values["features"]) is not list:
        raise ValueError("data_profile.features: expected list")
    features = [
        _feature(value, f"data_profile.features[{i}]") for i, value in enumerate(values["features"])
    ]
    n_documents = _count(values["n_documents"], "data_profile.n_documents")
    return _core.DataProfile(n_documents, features)


def _shortest(value: float) -> float | None:
    return None if isnan(value) else float(str(np.float32(value)))


def _feature(value: Any, where: str) -> tuple[int, float, float, list[float], list[int]]:
    if not isinstance(value, dict) or value.keys() != _KEYS:
        raise ValueError(f"{where}: expected an object with the keys {', '.join(sorted(_KEYS))}")
    for name in ("edges", "counts"):
        if type(value[name]) is not list:
            raise ValueError(f"{where}.{name}: expected list")
    return (
        _count(value["missing"], f"{where}.missing"),
        _float32(value["least"], f"{where}.least", may_lack=True),
        _float32(value["largest"], f"{where}.largest", may_lack=True),
        [_float32(edge, f"{where}.edges") for edge in value["edges"]],
        [_count(count, f"{where}.counts") for count in value["counts"]],
    )


def _count(value: Any, where: str) -> int:
    if type(value) is not int or not 0 <= value < 2**64:
        raise ValueError(f"{where}: expected a number in [0, 2^64), got {value!r}")
    return value


def _float32(value: Any, where: str, *, may_lack: bool = False) -> float:
    if value is None and may_lack:
        return nan
    if type(value) not in {int, float}:
        raise ValueError(f"{where}: expected a number, got {value!r}")
    with np.errstate(over="ignore"):
        return float(np.float32(value))
