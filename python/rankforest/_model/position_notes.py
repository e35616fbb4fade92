"""What a model remembers, among its parameters, of effects of positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: The effect of each position after the last round of the model.
EFFECTS = "position_bias"
#: That by which they were learned; there wherever trees were grown beside effects.
REGULARIZATION = "position_bias_regularization"


def without_effects(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a model of fewer trees, the effects after which nobody knows."""
    return {name: value for name, value in parameters.items() if name != EFFECTS}
