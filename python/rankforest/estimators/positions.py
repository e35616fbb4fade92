"""Effects of the positions at which documents were shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.arguments import positions_of_rows
from rankforest._model.position_notes import EFFECTS, REGULARIZATION
from rankforest.data import Dataset
from rankforest.model import Model


def with_positions(
    estimator: str, data: Dataset, position: object, *, are_learned: bool
) -> Dataset:
    """Return the training data with the `position` that `fit` got, if it got one.

    Parameters
    ----------
    estimator : str
        Its name, for messages.
    data : Dataset
        What it trains on.
    position : array_like of shape (n_documents,) or None
        As `fit` got it.
    are_learned : bool
        Whether the estimator learns effects of positions.

    Raises
    ------
    ValueError
        If they cannot be used.
    """
    if position is None:
        return data
    if not are_learned:
        raise ValueError(
            f"{estimator}: position is for LambdaMART with a position_bias_regularization"
        )
    if data.position is not None:
        raise ValueError(f"{estimator}: position: the Dataset has its positions; give them once")
    return data._with(position=positions_of_rows(position, data.n_documents))


def learns_positions(data: Dataset, regularization: float | None) -> bool:
    """Whether training on the data learns effects of positions."""
    return data.position is not None and regularization is not None


def positions_for_core(
    estimator: str,
    data: Dataset,
    regularization: float | None,
    *,
    before: Model | None,
    is_bag: bool,
) -> dict[str, Any]:
    """Return the argument of the trainer about positions, if effects are to be learned.

    Parameters
    ----------
    estimator : str
        Its name, for messages.
    data : Dataset
        What it trains on.
    regularization : float or None
        None learns no effects.
    before : Model or None
        What training goes on from.
    is_bag : bool
        Whether a bag is trained.

    Raises
    ------
    ValueError
        If effects cannot be learned, or not go on from those of `before`.
    """
    if data.position is None or regularization is None:
        return {}
    if is_bag:
        raise ValueError(
            f"{estimator}: a bag does not go with effects of positions, which each member would "
            "learn for itself; position_bias_regularization=None leaves positions out"
        )
    effects = None
    if before is not None:
        parameters = before.parameters
        effects = parameters.get(EFFECTS)
        if effects is None and REGULARIZATION in parameters:
            raise ValueError(
                f"{estimator}: training cannot go on from a part of a model that was trained beside "
                "effects of positions: the effects of its rounds are not known. Go on from the "
                "whole model, or leave positions out with position_bias_regularization=None"
            )
    return {"positions": (np.ascontiguousarray(data.position), regularization, effects)}


def learned_positions(trained: dict[str, Any]) -> npt.NDArray[np.float64] | None:
    """Return the effect of each position, from 1 on, that training found, if it looked for any."""
    effects = trained["series"].get("position_bias")
    return None if effects is None else np.array(effects, dtype=np.float64)


def positions_noted(
    effects: npt.NDArray[np.float64] | None, regularization: float | None
) -> dict[str, Any]:
    """Return what a model remembers of positions among its parameters."""
    if effects is None:
        return {}
    return {EFFECTS: effects.tolist(), REGULARIZATION: regularization}
