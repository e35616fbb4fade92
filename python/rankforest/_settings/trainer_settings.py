"""Settings as the trainers of the core take them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankforest._settings.constraints import PARAMETERS
from rankforest._settings.fills import is_fill

#: Parameters that trainers never see: they get what these make of the data.
BESIDE = ("feature_costs", "categorical_features")


def trainer_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings, or what a model remembers of them, as the core takes them.

    Trainers never see values that are filled nor levels of categorical features, and get the costs
    of features and constraints on them beside their settings.

    Parameters
    ----------
    settings : mapping of str to object
        In plain form; those of a forest within it likewise.
    """
    plain = {
        name: trainer_settings(value) if isinstance(value, Mapping) else value
        for name, value in settings.items()
        if name not in BESIDE and name not in PARAMETERS
    }
    return {**plain, "missing": "learn"} if is_fill(plain.get("missing", "learn")) else plain
