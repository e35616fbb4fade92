"""What learning by classification (`ordinal`) does not go with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankforest._settings.parameters import Problems

#: Values of `ordinal_scoring` that fit weights to an evaluation set.
FITTED_ON_SET = ("ols_valid", "ols_both")


def is_ordinal(settings: Mapping[str, Any]) -> bool:
    """Say whether settings ask for classification."""
    return bool(settings.get("ordinal"))


def scoring_that_needs_a_set(settings: Mapping[str, Any]) -> str | None:
    """Return the `ordinal_scoring` that is fitted to an evaluation set, if it is."""
    scoring = settings.get("ordinal_scoring")
    return scoring if is_ordinal(settings) and scoring in FITTED_ON_SET else None


def check_ordinal(settings: Mapping[str, Any], problems: Problems, prefix: str = "") -> None:
    """Note what `ordinal=True` does not go with.

    Parameters
    ----------
    settings : mapping
        Parameters in plain form, `ordinal` of the whole run among them.
    problems : Problems
        Gets what is found.
    prefix : str
        Before the name of each other parameter in messages.
    """
    if not is_ordinal(settings):
        return
    criterion = settings.get("criterion", "squared_error")
    if criterion in ("pairwise", "listwise"):
        problems.add(
            f'ordinal=True needs {prefix}criterion="squared_error", "entropy" or "random", got '
            f'"{criterion}": that ranks by grades, and trees learn whether a grade is at most '
            "another"
        )
    if settings.get("relevance", "grade") != "grade":
        problems.add(
            f'ordinal=True needs {prefix}relevance="grade", got "{settings["relevance"]}": trees '
            'predict probabilities; ordinal_scoring="exp2" lets a grade count 2^grade'
        )
    if settings.get("tree_weights", "equal") != "equal":
        problems.add(
            f'ordinal=True needs {prefix}tree_weights="equal", got "{settings["tree_weights"]}": a '
            "tree of one of its problems ranks nothing alone"
        )
