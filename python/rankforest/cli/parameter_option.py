"""One estimator parameter as an option of `ltr-train`."""

from __future__ import annotations

from collections.abc import Mapping

import click

from rankforest._settings.parameters import FLAG
from rankforest.cli.commands import Option
from rankforest.cli.files import InputFile
from rankforest.cli.parameters import ALGORITHMS, Documented, Parameter
from rankforest.cli.values import Value

# Key of a context's `meta`: the algorithm that the command line names, where it names one.
CHOSEN_ALGORITHM = "rankforest.algorithm"


class ParameterOption(Option):
    """The option of a parameter. Its value is None where it is not given, else a `Given`."""

    def __init__(self, parameter: Parameter) -> None:
        rule = parameter.rule
        if rule is FLAG:
            super().__init__(f"{parameter.flag}/--no-{parameter.flag[2:]}", default=None)
        elif parameter.name == "feature_costs":
            super().__init__(parameter.flag, type=InputFile(), metavar="FILE", default=None)
        else:
            super().__init__(
                parameter.flag, parameter.key, type=Value(rule, rule.metavar), default=None
            )
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
        """Explain the parameter of the chosen algorithm, or say in short what it is in all."""
        documents = self.parameter.by_algorithm
        if self.parameter.owner and CHOSEN_ALGORITHM not in ctx.meta:
            return None  # a second copy of the parameters of another algorithm
        if CHOSEN_ALGORITHM in ctx.meta:
            chosen = ctx.meta[CHOSEN_ALGORITHM]
            if chosen not in documents:
                return None
            documents = {chosen: documents[chosen]}
            text = " ".join(documents[chosen].sentences)
        else:
            text = _in_short(documents)
        self.help = f"{text}  [{_defaults(documents)}]".lstrip()
        return super().get_help_record(ctx)


def _in_short(documents: Mapping[str, Documented]) -> str:
    """Return the first sentence about the parameter; where algorithms differ, of each."""
    owners: dict[str, list[str]] = {}
    for algorithm, documented in documents.items():
        owners.setdefault("".join(documented.sentences[:1]), []).append(algorithm)
    if len(owners) == 1:
        return next(iter(owners))
    return " ".join(f"{', '.join(names)}: {sentence}" for sentence, names in owners.items())


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
