"""What the text of an option may say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

import click

from rankforest._settings.parameters import RULES


@dataclass(frozen=True)
class Given:
    """A value that the user gave, so that a given None differs from nothing given."""

    value: Any


class Rule(Protocol):
    """What a value must be: `rankforest._settings.parameters.Rule`."""

    @property
    def expectation(self) -> str:
        """What an error message says the value must be."""

    @property
    def parse(self) -> Callable[[object], object]:
        """The value in its plain form; TypeError or ValueError where it does not fit."""


class Value(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """A number, a word, true, false or none, as long as it fits a rule.

    Parameters
    ----------
    rule : Rule
        What the value must be.
    metavar : str
        How the help shows the value.
    """

    name = "value"

    def __init__(self, rule: Rule, metavar: str) -> None:
        self._rule = rule
        self._metavar = metavar

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return how the help shows the value; click before 8.2 passes no context."""
        return self._metavar

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Given:
        """Return the value in its plain form, wrapped in `Given`."""
        if isinstance(value, Given):
            return value
        for meant in _meanings(value):
            with suppress(TypeError, ValueError):
                return Given(self._rule.parse(meant))
        expectation = self._rule.expectation
        for word in ("None", "True", "False"):
            expectation = expectation.replace(word, word.lower())
        return self.fail(f"must be {expectation}, got {value!r}", param, ctx)


#: A seed: of the kinds that Python takes, those that are text.
RANDOM_STATE = Value(
    replace(RULES["random_state"], expectation="none or an integer in [0, 2**64)"), "INT|none"
)


def _meanings(value: object) -> Iterator[object]:
    """List what a text may stand for, the likeliest first; "none" may also be just a word."""
    if isinstance(value, str):
        words = {"none": None, "true": True, "false": False}
        if value.lower() in words:
            yield words[value.lower()]
        with suppress(ValueError):
            yield int(value)
        with suppress(ValueError):
            yield float(value)
    yield value
