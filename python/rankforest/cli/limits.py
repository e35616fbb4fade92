"""Options of scoring that ends before the last tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from rankforest._settings.parameters import NON_NEGATIVE, integer, real
from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.costs import COST_FILE, costs_in
from rankforest.cli.files import InputFile
from rankforest.cli.values import Value
from rankforest.exits import EarlyExit
from rankforest.limits import LimitedScores

_SECTION = "Limits: scoring that ends before the last tree"
_EXIT = ("exit_every", "exit_fraction", "exit_scope", "demote")
_LIMITS = ("exit_every", "budget")
_COSTS = ("tree_cost", "feature_costs")


def limit_options() -> list[click.Option]:
    """Make the options of early exits and of a budget."""
    return [
        Option(
            "--exit-every",
            section=_SECTION,
            type=Value(integer(1), "INT"),
            help="Every so many rounds, the lowest documents of each query stop being scored.",
        ),
        Option(
            "--exit-fraction",
            section=_SECTION,
            type=Value(real("in [0, 1)", lambda x: 0.0 <= x < 1.0), "FLOAT"),
            help="The share in [0, 1) of the documents still being scored that stops each time. "
            "Documents that tie with one that goes on go on, too.",
        ),
        Option(
            "--exit-scope",
            section=_SECTION,
            type=click.Choice(["query", "set"]),
            help="Whether the lowest documents of each query stop, or the lowest of all.  "
            "[default: query]",
        ),
        Option(
            "--demote",
            section=_SECTION,
            is_flag=True,
            default=None,
            help="Rank documents that stopped below all others of their query.",
        ),
        Option(
            "--budget",
            section=_SECTION,
            type=Value(NON_NEGATIVE, "FLOAT"),
            help="The most that the documents of a query may cost together, >= 0. A round that would "
            "cost more is not started.",
        ),
        Option(
            "--tree-cost",
            section=_SECTION,
            type=Value(NON_NEGATIVE, "FLOAT"),
            help="Cost of evaluating one tree for one document, >= 0.  [default: 1]",
        ),
        Option(
            "--feature-costs",
            section=_SECTION,
            type=InputFile(),
            metavar="FILE",
            help="File with the cost of computing each feature for one document: "
            f"{COST_FILE}  [default: 0 for all]",
        ),
    ]


def note_problems(given: GivenOptions, problems: list[str]) -> None:
    """Add what is unusable about these options together to a list of problems."""
    if given.has("exit_every") != given.has("exit_fraction"):
        problems.append("--exit-every and --exit-fraction need each other")
    elif not given.has("exit_every"):
        problems.extend(
            f"--{name.replace('_', '-')} needs --exit-every" for name in _EXIT if given.has(name)
        )
    if not any(map(given.has, _LIMITS)):
        problems.extend(
            f"--{name.replace('_', '-')} needs --exit-every or --budget"
            for name in _COSTS
            if given.has(name)
        )


def limits_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Model.predict_within`; none where nothing limits scoring.

    Raises
    ------
    ValueError
        If the file of feature costs holds something else than numbers.
    """
    if not any(name in given for name in _LIMITS):
        return {}
    limits: dict[str, Any] = {
        name: given[name] for name in ("budget", "tree_cost") if name in given
    }
    if "exit_every" in given:
        limits["early_exit"] = EarlyExit(
            given["exit_every"],
            given["exit_fraction"],
            given.get("exit_scope", "query"),
            demote=given.get("demote", False),
        )
    if "feature_costs" in given:
        limits["feature_costs"] = costs_in(given["feature_costs"])
    return limits


def report(scored: LimitedScores, n_trees: int) -> str:
    """Say what limited scoring did."""
    whole = len(scored.scores) * n_trees
    return (
        f"evaluated a tree for a document {scored.n_evaluations:,} times instead of {whole:,}, at a "
        f"cost of {scored.cost:.17g}"
    )
