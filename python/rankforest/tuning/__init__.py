"""The search for parameters: `rankforest.tune`."""

from rankforest.tuning.api import tune

__all__ = ["tune"]
