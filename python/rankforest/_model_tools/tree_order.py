"""Another order of trees: those first that matter most for what they and their features cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._model_tools.priced_models import PricedModel
from rankforest.limits import costs_of_columns
from rankforest.model import Model

Floats = npt.NDArray[np.float64]


def reordered(priced: PricedModel) -> Model:
    """Return the same trees in the order in which documents should be scored with them.

    The next tree is always the one whose contributions to the scores vary most, for its cost and
    that of its features which no tree before it has paid for: trees that share features come one
    after the other. Scores of all trees are the same but for the rounding of sums.

    Raises
    ------
    ValueError
        If the model is not one sum or mean of trees, one a round.
    """
    arrays = priced.model._ensemble.to_arrays()
    group = _only_group(priced.model, arrays)
    order = _order(_spread_of_trees(priced, arrays, group), _units_of_trees(priced, group), priced)
    group["trees"] = [group["trees"][tree] for tree in order]
    arrays.pop("exits", None)
    return Model(_core.Ensemble.from_arrays(arrays), priced.model._info)


def _only_group(model: Model, arrays: dict[str, Any]) -> dict[str, Any]:
    groups = [group for member in arrays["members"] for group in member["groups"]]
    if len(arrays["members"]) != 1 or len(groups) != 1 or groups[0]["trees_per_round"] != 1:
        raise ValueError(
            f"reorder: only trees of one sum or mean, one a round, have an order that can change; "
            f"{model!r} has others"
        )
    only: dict[str, Any] = groups[0]
    return only


def _spread_of_trees(priced: PricedModel, arrays: dict[str, Any], group: dict[str, Any]) -> Floats:
    """Return the standard deviation of what each tree gives the documents."""
    as_sum = {**arrays, "members": [{"base": 0.0, "groups": [{**group, "reduction": "sum"}]}]}
    as_sum.pop("exits", None)
    before: Floats = np.zeros(priced.data.n_documents)
    spreads = []
    for scores in _core.Ensemble.from_arrays(as_sum).staged(priced.features, None, 1):
        ascending = np.sort(scores - before)  # so that the order of the rows changes no bit
        spreads.append(float(ascending.std()))
        before = scores
    return np.array(spreads)


def _units_of_trees(priced: PricedModel, group: dict[str, Any]) -> npt.NDArray[np.bool_]:
    """Return whether each tree asks for each unit of features."""
    _, units = costs_of_columns(priced.costs, priced.model._feature_labels)
    n_features = priced.model.n_features
    unit_of = np.array(units) if units else np.arange(n_features)
    asks = np.zeros((len(group["trees"]), n_features), dtype=bool)
    for tree, of_tree in enumerate(group["trees"]):
        asks[tree, unit_of[of_tree["feature"]]] = True
    return asks


def _order(spreads: Floats, asks: npt.NDArray[np.bool_], priced: PricedModel) -> list[int]:
    costs, units = costs_of_columns(priced.costs, priced.model._feature_labels)
    unpaid = np.zeros(asks.shape[1])
    unpaid[units or slice(None)] = costs or 0.0
    left = np.ones(len(spreads), dtype=bool)
    order = []
    for _ in spreads:
        price = priced.costs.tree_cost + asks @ unpaid
        merit = np.where(left, spreads / np.maximum(price, 1e-300), -1.0)
        best = int(merit.argmax())
        order.append(best)
        left[best] = False
        unpaid[asks[best]] = 0.0
    return order
