"""The objectives of `LambdaMART` that have a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Each with the parameters that it alone, or with few others, depends on.
OPTIONS: Mapping[str, frozenset[str]] = {
    "lambdarank": frozenset(),
    "yetirank": frozenset({"n_permutations", "noise", "decay"}),
    "yetiloss": frozenset({"n_permutations", "noise"}),
    "xe_ndcg": frozenset(),
    "ndcg_loss2++": frozenset({"mu"}),
}

#: Those to which the metric says what a pair of documents weighs.
WEIGHED_BY_METRIC = frozenset({"lambdarank", "yetiloss", "ndcg_loss2++"})

_DEFAULT = "lambdarank"


def name_of(objective: object) -> str | None:
    """Return the name of an objective; None of a function."""
    if callable(objective):
        return None
    return _DEFAULT if objective is None else str(objective)


def only_used(settings: dict[str, Any], objective: str | None) -> dict[str, Any]:
    """Return the settings that a model on this objective depends on.

    The default objective is left out like the options of others, so that a model that uses
    nothing else is recorded as ever.
    """
    unused = frozenset().union(*OPTIONS.values()) - OPTIONS.get(objective or "", frozenset())
    used = {name: value for name, value in settings.items() if name not in unused}
    return used if objective in (None, _DEFAULT) else {**used, "objective": objective}
