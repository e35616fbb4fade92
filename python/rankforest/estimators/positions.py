"""Effects of the positions at which documents were shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._dataset_arguments import positions_of_rows
from rankforest.data import Dataset


def with_positions(
    estimator: str, data: Dataset, position: npt.ArrayLike | None, *, are_learned: bool
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


def positions_for_core(
    estimator: str, data: Dataset, regularization: float | None, hindrances: dict[str, bool]
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
    hindrances : dict of str to bool
        Whether training is asked for what does not go with effects of positions, by name.
    """
    if data.position is None or regularization is None:
        return {}
    asked = [name for name, is_asked in hindrances.items() if is_asked]
    if asked:
        raise ValueError(
            f"{estimator}: {asked[0]} does not go with effects of positions, which start anew in "
            "each training of a single model; position_bias_regularization=None leaves positions "
            "out"
        )
    return {"positions": (np.ascontiguousarray(data.position), regularization)}


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
    return {
        "position_bias": effects.tolist(),
        "position_bias_regularization": regularization,
    }
