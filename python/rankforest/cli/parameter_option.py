"""One estimator parameter as an option of `ltr-train`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

import click

from rankforest._parameters import RULES
from rankforest.cli.commands import Option
from rankforest.cli.parameters import ALGORITHMS, Documented, Parameter
from rankforest.cli.values import Value

# Key of a context's `meta`: the algorithm that the command line names, where it names one.
CHOSEN_ALGORITHM = "rankforest.algorithm"


class ParameterOption(Option):
    """The option of a parameter. Its value is None where it is not given, else a `Given`."""

    def __init__(self, parameter: Parameter) -> None:
        kind = next(iter(parameter.by_algorithm.values())).kind
        if kind == "bool":
            super().__init__(f"{parameter.flag}/--no-{parameter.flag[2:]}", default=None)
        else:
            value = Value(RULES[parameter.name], _metavar(kind))
            super().__init__(parameter.flag, type=value, default=None)
        self.parameter = parameter

    def section_in(self, ctx: click.Context) -> str:
        """Return a heading that says whose parameter this is."""
        owners = list(self.parameter.by_algorithm)
        if self.parameter.owner:
            return f"Parameters of the {self.parameter.owner} in {', '.join(owners)}"
        if CHOSEN_ALGORITHM in ctx.meta:
            return f"Parameters of {ctx.meta[CHOSEN_ALGORITHM]}"
        if len(owners) == len(ALGORITHMS):
            return "Parameters of every algorithm"
        return f"Parameters of {', '.join(owners)}"

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Show the parameter as the chosen algorithm has it, or as all have it."""
        documents = self.parameter.by_algorithm
        if CHOSEN_ALGORITHM in ctx.meta:
            chosen = ctx.meta[CHOSEN_ALGORITHM]
            if chosen not in documents:
                return None
            documents = {chosen: documents[chosen]}
        self.help = f"{_usual(d.text for d in documents.values())}  [{_defaults(documents)}]"
        return super().get_help_record(ctx)


def _metavar(kind: str) -> str:
    """Shorten the type of a docstring: 'int, {"sqrt"} or None' becomes INT|sqrt|none."""
    words = re.findall(r'"\w+"|\bint\b|\bfloat\b|\bNone\b', kind)
    plain = {"int": "INT", "float": "FLOAT", "None": "none"}
    return "|".join(plain.get(word, word.strip('"')) for word in words)


def _defaults(documents: Mapping[str, Documented]) -> str:
    """Name the usual default, then the algorithms that have another."""
    owners: dict[str, list[str]] = {}
    for algorithm, documented in documents.items():
        owners.setdefault(_as_option(documented.default), []).append(algorithm)
    usual = max(owners, key=lambda default: len(owners[default]))
    others = [f"; {', '.join(names)}: {x}" for x, names in owners.items() if x != usual]
    return f"default: {usual}{''.join(others)}"


def _as_option(value: object) -> str:
    words = {None: "none", True: "on", False: "off"}
    return words.get(value, str(value)) if value is None or isinstance(value, bool) else str(value)


def _usual(texts: Iterable[str]) -> str:
    return Counter(texts).most_common(1)[0][0]
