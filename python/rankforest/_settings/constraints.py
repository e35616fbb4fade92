"""Constraints on features as parameters give them, and as the core takes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np

#: The parameters that constrain features.
PARAMETERS = ("monotonic_cst", "interaction_cst", "max_features_used", "feature_weights")

#: A number for each feature: by name, others have none; or for all, in order.
PerFeature: TypeAlias = "dict[str, Any] | list[Any] | None"
#: Sets of features by name or number, or a word that stands for such sets.
Sets: TypeAlias = "str | list[list[str | int]] | None"

_WORDS = ("pairwise", "no_interactions")


def parse_directions(value: object) -> PerFeature:
    """Return directions in plain form.

    Raises
    ------
    ValueError
        If one is not -1, 0 or 1.
    TypeError
        If it is none of the forms.
    """
    return _per_feature(value, _direction)


def parse_weights(value: object) -> PerFeature:
    """Return weights in plain form.

    Raises
    ------
    ValueError
        If one is not a finite number >= 0.
    TypeError
        If it is none of the forms.
    """
    return _per_feature(value, _weight)


def parse_interactions(value: object) -> Sets:
    """Return sets of features in plain form.

    Raises
    ------
    ValueError
        If a set is empty, or a word means nothing.
    TypeError
        If it is none of the forms.
    """
    if value is None or (isinstance(value, str) and value in _WORDS):
        return value
    if isinstance(value, str):
        value = [part.split(",") for part in value.split(";")]
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise TypeError
    sets = [_set(each) for each in value]
    if not sets:
        raise ValueError
    return sets


def constraints_of_columns(
    settings: Mapping[str, Any], n_features: int, names: Sequence[str]
) -> dict[str, Any] | None:
    """Return the constraints of columns with these names as the core takes them; None: there are none.

    Raises
    ------
    ValueError
        If those in `settings` are of other features.
    """
    given = {name: settings.get(name) for name in PARAMETERS}
    if all(value is None for value in given.values()):
        return None
    places = {name: place for place, name in enumerate(names)}
    found: dict[str, Any] = {}
    if given["monotonic_cst"] is not None:
        found["directions"] = _resolved(
            "monotonic_cst", given["monotonic_cst"], n_features, places, 0
        )
    if given["feature_weights"] is not None:
        found["weights"] = _resolved(
            "feature_weights", given["feature_weights"], n_features, places, 1.0
        )
    if given["interaction_cst"] is not None:
        found["interactions"] = _resolved_sets(given["interaction_cst"], n_features, places)
    if given["max_features_used"] is not None:
        found["most_features"] = given["max_features_used"]
    return found


def without_constraints(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings without the parameters that constrain features."""
    return {name: value for name, value in settings.items() if name not in PARAMETERS}


def noted(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a model remembers them: without constraints that there are not."""
    kept = {
        name: value
        for name, value in settings.items()
        if name not in PARAMETERS or value is not None
    }
    if "forest" in kept:
        kept["forest"] = without_constraints(kept["forest"])
    return kept


def _per_feature(value: object, parse: Any) -> PerFeature:
    if value is None:
        return None
    if isinstance(value, str):
        value = _from_text(value)
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise TypeError
        return {str(name): parse(each) for name, each in value.items()}
    values = np.asarray(value)
    if values.ndim != 1:
        raise ValueError
    return [parse(each) for each in values.tolist()]


def _from_text(text: str) -> dict[str, float] | list[float]:
    """Read ``name:number,...`` or ``number,...``."""
    parts = text.split(",")
    if all(":" not in part for part in parts):
        return [float(part) for part in parts]
    pairs = [part.rpartition(":") for part in parts]
    if any(not name for name, _, _ in pairs):
        raise ValueError
    return {name: float(number) for name, _, number in pairs}


def _direction(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value not in {-1, 0, 1}:
        raise ValueError
    return int(value)


def _weight(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError
    if not (math.isfinite(value) and value >= 0):
        raise ValueError
    return float(value)


def _set(features: object) -> list[str | int]:
    if isinstance(features, str) or not isinstance(features, Iterable):
        raise TypeError
    members: list[str | int] = []
    for feature in features:
        if isinstance(feature, bool) or not isinstance(feature, (str, Integral)):
            raise TypeError
        members.append(feature if isinstance(feature, str) else int(feature))
    if not members:
        raise ValueError
    # A set has no order of its own, and a model must not depend on one.
    return sorted(dict.fromkeys(members), key=lambda member: (isinstance(member, str), member))


def _resolved(
    name: str, given: Any, n_features: int, places: Mapping[str, int], free: float
) -> list[Any]:
    if isinstance(given, list):
        if len(given) != n_features:
            raise ValueError(
                f"{name} must have a value for each of the {n_features} features, got {len(given)}"
            )
        return given
    values = [free] * n_features
    for feature, value in given.items():
        values[_place(name, feature, n_features, places)] = value
    return values


def _resolved_sets(given: Any, n_features: int, places: Mapping[str, int]) -> list[list[int]]:
    if given == "no_interactions":
        return [[feature] for feature in range(n_features)]
    if given == "pairwise":
        pairs = [[a, b] for a in range(n_features) for b in range(a + 1, n_features)]
        return pairs or [[0]]
    sets = [
        [_place("interaction_cst", feature, n_features, places) for feature in features]
        for features in given
    ]
    others = sorted(set(range(n_features)).difference(*sets))
    return [*sets, others] if others else sets


def _place(name: str, feature: str | int, n_features: int, places: Mapping[str, int]) -> int:
    if isinstance(feature, str) and feature in places:
        return places[feature]
    if isinstance(feature, int) and 0 <= feature < n_features:
        return feature
    known = ", ".join(map(repr, list(places)[:3]))
    raise ValueError(
        f"{name} names the feature {feature!r}, which the data has not: its {n_features} features "
        f"are {known}{', ...' if n_features > 3 else ''}"
    )
