"""Constraints on features in training: what does not go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy.typing as npt

from rankforest._settings.constraints import PARAMETERS
from rankforest._settings.parameters import Problems

#: What a user may give as a number for each feature.
PerFeature: TypeAlias = Mapping[str, float] | npt.ArrayLike | None
#: What a user may give as sets of features.
FeatureSets: TypeAlias = str | Sequence[Sequence[str | int]] | None


def check_constraints(settings: dict[str, Any], problems: Problems) -> None:
    """Note constraints that other parameters contradict, or that do nothing.

    Parameters
    ----------
    settings : dict
        Parameters in plain form, with those of a forest in "forest"; those that are unusable by
        themselves are left out.
    problems : Problems
        Gets what is found.
    """
    forest = settings.get("forest", {})
    for name in PARAMETERS:
        if forest.get(name) is not None:
            problems.add(
                f"forest.{name}: the forest and what boosts it keep to the same constraints; give "
                f"{name} beside forest"
            )
    if settings.get("ordinal"):
        for name in ("monotonic_cst", "max_features_used"):
            if settings.get(name) is not None:
                problems.add(
                    f"{name} does not go with ordinal=True, whose trees predict several "
                    "probabilities"
                )
    if settings.get("feature_weights") is None:
        return
    if settings.get("max_features") is None and forest.get("max_features") is None:
        problems.add(
            "feature_weights weigh what max_features draws, and it draws nothing: set both"
        )
    if settings.get("criterion") == "random":
        problems.add('feature_weights: criterion="random" draws all features alike')
