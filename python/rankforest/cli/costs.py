"""What scoring costs, on the command line: files of costs, and rows of a report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

import rankforest
from rankforest._settings.parameters import NON_NEGATIVE
from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.files import InputFile
from rankforest.cli.values import Value
from rankforest.feature_costs import FeatureCosts, read_feature_costs

_SECTION = "Costs and early exits"
_OPTIONS = ("cost", "tree_cost", "lazy", "early_exit")

#: What a file of costs may be, for the help of options.
COST_FILE = (
    "CSV with the columns feature, cost and, for features that are paid together, group; or one "
    "number for each feature of the model, separated by white space."
)


class EveryAndFraction(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """EVERY:FRACTION, such as 100:0.2."""

    name = "early exit"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return how the help shows the value; click before 8.2 passes no context."""
        return "EVERY:FRACTION"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> rankforest.EarlyExit:
        """Return the exits."""
        if isinstance(value, rankforest.EarlyExit):
            return value
        every, _, fraction = str(value).partition(":")
        try:
            return rankforest.EarlyExit(int(every), float(fraction))
        except ValueError:
            self.fail(
                "must be EVERY:FRACTION, a number of rounds >= 1 and a share in [0, 1), such as "
                f"100:0.2; got {value!r}",
                param,
                ctx,
            )


def cost_options() -> list[click.Option]:
    """Make the options of `ltr-eval` that say what scoring costs and when it ends."""
    return [
        Option(
            "--cost",
            section=_SECTION,
            type=InputFile(),
            metavar="FILE",
            help="Also report what documents and queries cost, by the costs of features in FILE: "
            f"{COST_FILE} Features that it leaves out are free.",
        ),
        Option(
            "--tree-cost",
            section=_SECTION,
            type=Value(NON_NEGATIVE, "FLOAT"),
            help="Also report costs, with this cost of evaluating one tree for one document, >= 0."
            "  [default: 1]",
        ),
        Option(
            "--lazy",
            section=_SECTION,
            is_flag=True,
            default=None,
            help="Take features to be computed once a tree asks for them on the path of a document; "
            "otherwise all features of a tree are.",
        ),
        Option(
            "--early-exit",
            section=_SECTION,
            type=EveryAndFraction(),
            help="Measure models whose lowest documents of each query, this share of those still "
            "being scored, stop being scored after every so many rounds. Metrics are those of the "
            "scores that documents have by then.  [default: as saved with the model]",
        ),
    ]


def note_cost_problems(given: GivenOptions, problems: list[str]) -> None:
    """Add what is unusable about these options together to a list of problems."""
    asked = [f"--{name.replace('_', '-')}" for name in _OPTIONS if given.has(name)]
    if not asked:
        return
    if given.get("compare"):
        problems.append(f"{asked[0]} does not go with --compare")
    elif given.get("run"):
        problems.append(f"{asked[0]} is for models: a TREC run does not say what it took")
    if given.has("lazy") and not (given.has("cost") or given.has("tree_cost")):
        problems.append("--lazy needs --cost or --tree-cost")


def costs_in(path: str, tree_cost: float | None = None) -> FeatureCosts:
    """Read costs of features from a file.

    Raises
    ------
    ValueError
        If the file holds something else; the message has the line.
    """
    first = 1.0 if tree_cost is None else tree_cost
    text = Path(path).read_bytes()
    if b"," in text or text.startswith(_COMPRESSED):
        return read_feature_costs(path, tree_cost=first)
    lines = enumerate(text.decode(errors="replace").splitlines(), start=1)
    costs = [_number(word, f"{path}:{number}") for number, line in lines for word in line.split()]
    return FeatureCosts(costs, tree_cost=first)


def given_costs(given: Mapping[str, Any]) -> FeatureCosts | None:
    """Return what `--cost` and `--tree-cost` say together; None where neither was given."""
    if "cost" in given:
        return costs_in(given["cost"], given.get("tree_cost"))
    return FeatureCosts({}, tree_cost=given["tree_cost"]) if "tree_cost" in given else None


def costs_of_models(
    data: rankforest.Dataset, models: Mapping[str, rankforest.Model], given: Mapping[str, Any]
) -> dict[str, dict[str, float]] | None:
    """Return what each model costs, by what reports call it; None where nobody asked.

    Parameters
    ----------
    data : Dataset
        The documents.
    models : mapping of str to Model
        Models by the names of their systems.
    given : mapping of str to object
        The options that were given.
    """
    costs = given_costs(given)
    if costs is None:
        return None
    found = {}
    for name, model in models.items():
        cost = rankforest.scoring_cost(
            model,
            data,
            (),
            costs=costs,
            early_exit=given.get("early_exit"),
            lazy=bool(given.get("lazy")),
            n_jobs=given.get("n_jobs"),
        )
        found[name] = cost.values()
    return found


#: How files of gzip, bzip2 and xz begin.
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")


def _number(word: str, place: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"{place}: expected a number, got {word!r}") from None
