"""What `ltr-train` does about interruptions: checkpoints, and Ctrl-C that keeps the rounds so far."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.files import ResumedFile
from rankforest.cli.run import EXIT_INTERRUPTED
from rankforest.estimators import StopOnInterrupt

_SECTION = "Interruption"


def interruption_options() -> list[click.Option]:
    """Make the options of `ltr-train` that this module knows."""
    return [
        Option(
            "--checkpoint",
            section=_SECTION,
            type=ResumedFile(),
            metavar="FILE",
            help="Where to save how far training has come. If the file is there, training goes on from "
            "it and ends in the very model of a run that was never interrupted; data and parameters "
            "must be the same. Removed once the model is written.",
        ),
        Option(
            "--checkpoint-every",
            section=_SECTION,
            type=click.IntRange(min=1),
            metavar="N",
            help="Rounds from one save to the next; bags save each member.  [default: 10]",
        ),
        Option(
            "--keep-on-interrupt",
            section=_SECTION,
            is_flag=True,
            help="Let Ctrl-C end training after the round at work and write the model of the rounds so "
            "far. A second one ends the command at once.",
        ),
    ]


def note_interruption_problems(given: GivenOptions, problems: list[str]) -> None:
    """Add to `problems` what is wrong with these options together."""
    if given.has("checkpoint_every") and not given.has("checkpoint"):
        problems.append("--checkpoint-every needs --checkpoint, which names the file")


@dataclass
class Interruption:
    """What to do about interruptions."""

    checkpoint: str | None
    every: int | None
    stop: StopOnInterrupt | None  #: where Ctrl-C keeps the rounds so far

    @classmethod
    def of(cls, options: dict[str, Any]) -> Interruption:
        """Take the options of this module out of those of the command."""
        checkpoint = options.pop("checkpoint", None)
        every = options.pop("checkpoint_every", None)
        keeps = options.pop("keep_on_interrupt", False)
        return cls(checkpoint, every, StopOnInterrupt() if keeps else None)

    def arguments(self, console: Console) -> dict[str, Any]:
        """Return the arguments of `fit`; say whether there is something to go on from."""
        if self.checkpoint is None:
            return {}
        if Path(self.checkpoint).exists():
            console.print(f"goes on from {self.checkpoint}", markup=False, highlight=False)
        every = {} if self.every is None else {"checkpoint_every": self.every}
        return {"checkpoint": self.checkpoint, **every}

    @contextmanager
    def callbacks(self, reporter: Any) -> Iterator[list[Any]]:
        """Yield the callbacks of the training in the block."""
        if self.stop is None:
            yield [reporter]
            return
        with self.stop:
            yield [reporter, self.stop]

    def finished(self) -> None:
        """Remove the checkpoint of a training whose model is written, unless Ctrl-C ended it.

        Raises
        ------
        click.exceptions.Exit
            In that case, with the status of an interrupted command.
        """
        if self.stop is not None and self.stop.was_asked:
            raise click.exceptions.Exit(EXIT_INTERRUPTED)
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)
