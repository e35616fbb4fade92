"""Whether parameters that shape trees fit together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankforest._settings.parameters import Problems

#: Levels of the largest oblivious trees.
_MOST_LEVELS = 16


def check_growth(settings: Mapping[str, Any], problems: Problems, prefix: str = "") -> None:
    """Note what `grow_policy="oblivious"` does not go with.

    Parameters
    ----------
    settings : mapping
        Parameters in plain form; those that are unusable by themselves are left out.
    problems : Problems
        Gets what is found.
    prefix : str
        Before the name of each parameter in messages.
    """
    if settings.get("grow_policy") != "oblivious":
        return
    policy = f'{prefix}grow_policy="oblivious"'
    leaves = settings.get("max_leaf_nodes")
    if leaves is not None and (leaves & (leaves - 1) or leaves > 2**_MOST_LEVELS):
        problems.add(
            f"{prefix}max_leaf_nodes must be None or a power of two up to {2**_MOST_LEVELS} with "
            f"{policy}, whose trees of depth d have 2^d leaves, got {leaves}"
        )
    depth = settings.get("max_depth")
    if depth is not None and depth > _MOST_LEVELS:
        problems.add(f"{prefix}max_depth must be <= {_MOST_LEVELS} with {policy}, got {depth}")
    if settings.get("missing") == "third":
        problems.add(
            f'{prefix}missing="third" does not go with {policy}, whose nodes have two children'
        )
    criterion = settings.get("criterion", "squared_error")
    if criterion != "squared_error":
        problems.add(
            f'{policy} needs {prefix}criterion="squared_error", got "{criterion}": the others look '
            "at one node at a time"
        )
