"""What features cost in training: the parameters that say it, and what the trainer gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rankforest._settings.parameters import Problems
from rankforest.feature_costs import FeatureCosts

#: What a user may give as costs of features.
Costs: TypeAlias = FeatureCosts | Mapping[Any, float] | npt.ArrayLike | None
#: As the core takes them: the cost of each group, and the group of each feature.
ArraysOfCosts: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32]]

#: The parameters about costs.
PARAMETERS = ("feature_costs", "cost_weight", "cost_normalization", "tree_cost", "cost_stage")
#: Those that a forest and what boosts it have in common.
_GIVEN_ONCE = ("feature_costs", "tree_cost")


def check_costs(settings: dict[str, Any], problems: Problems) -> None:
    """Note parameters about costs that contradict each other, and settle what a tree costs.

    Parameters
    ----------
    settings : dict
        Parameters in plain form, with those of a forest in "forest"; those that are unusable by
        themselves are left out. "tree_cost" and that of "feature_costs" become one.
    problems : Problems
        Gets what is found.
    """
    forest = settings.get("forest", {})
    if forest.get("feature_costs") is not None:
        problems.add(
            "forest.feature_costs: the forest and what boosts it pay together; give feature_costs "
            "beside forest"
        )
    if "feature_costs" not in settings:  # unusable
        return
    costs = settings["feature_costs"]
    for prefix, of in {"": settings, "forest.": forest}.items():
        if costs is None and of.get("cost_weight", 0.0) > 0.0:
            problems.add(
                f"{prefix}cost_weight={of['cost_weight']:g} weighs feature_costs, and there are "
                "none: give both, or neither"
            )
    if costs is None or "tree_cost" not in settings:
        return
    given = {cost for cost in (settings["tree_cost"], costs.tree_cost) if cost != 1.0}
    if len(given) > 1:
        problems.add(
            f"tree_cost={settings['tree_cost']:g} is not that of feature_costs, "
            f"{costs.tree_cost:g}: give one of them"
        )
        return
    settings["tree_cost"] = given.pop() if given else 1.0
    settings["feature_costs"] = FeatureCosts.of(costs, settings["tree_cost"])


def noted(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a model remembers them: without those that say nothing of it.

    Costs are what JSON can hold. Of a model without costs there is nothing but its trees' cost,
    where it is not 1.
    """
    kept = dict(settings)
    if "forest" in kept:
        forest = {k: v for k, v in kept["forest"].items() if k not in _GIVEN_ONCE}
        weighs = forest.get("cost_weight", 0.0) > 0.0
        kept["forest"] = forest if weighs else _without_costs(forest)
    costs = kept.get("feature_costs")
    if costs is not None:
        return {**kept, "feature_costs": costs.to_dict()}
    has_tree_cost = kept.get("tree_cost", 1.0) != 1.0
    return _without_costs(kept) | ({"tree_cost": kept["tree_cost"]} if has_tree_cost else {})


def costs_of_columns(
    settings: Mapping[str, Any], n_features: int, names: Sequence[str]
) -> ArraysOfCosts | None:
    """Return the costs of columns with these names as the core takes them; None: there are none.

    Raises
    ------
    ValueError
        If the costs in `settings` are of other features.
    """
    costs = settings.get("feature_costs")
    if costs is None:
        return None
    try:
        found = costs.resolve(n_features, names)
    except ValueError as error:
        raise ValueError(f"feature_costs: {error}") from error
    return found.costs, found.units


def _without_costs(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in PARAMETERS}
