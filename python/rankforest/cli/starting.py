"""What `ltr-train` starts from, and what it adds to the model: options, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest
from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.files import InputFile
from rankforest.cli.letor_options import Reading
from rankforest.cli.models import reading_for
from rankforest.cli.systems import read_scores

_SETS = ("train", "valid", "test")
_START = "Start"
_SAVING = "Model file"
#: Algorithms whose rounds correct scores.
_BOOSTING = {
    "init_model": ("mart", "lambdamart", "selgb", "dart"),
    "init_score": ("mart", "lambdamart", "selgb", "dart", "xdart"),
}


class _KeyValue(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """KEY=VALUE; the key ends at the first equals sign."""

    name = "key=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return key and value."""
        if isinstance(value, tuple):
            return value
        key, equals, text = str(value).partition("=")
        if not equals or not key:
            self.fail(f"must be KEY=VALUE, got {value!r}", param, ctx)
        return key, text


def starting_options() -> list[click.Option]:
    """Make the options of `ltr-train` that this module knows."""
    file = InputFile()
    scores = [
        Option(
            _flag(name),
            section=_START,
            type=file,
            metavar="FILE",
            help=f"The same for --{name}."
            if name != "train"
            else "Scores that boosting starts from, one per line in the order of --train. The model "
            "does not contain them: add them to what ltr-score gives. Tables show the sum.",
        )
        for name in _SETS
    ]
    return [
        Option(
            "--init-model",
            section=_START,
            type=file,
            metavar="FILE",
            help="A model that boosting goes on from, on data with the same features: its rounds "
            "come first, then up to --n-estimators new ones. Its metadata is kept. Also LightGBM's "
            "text.",
        ),
        *scores,
        Option(
            "--metadata",
            section=_SAVING,
            type=_KeyValue(),
            multiple=True,
            metavar="KEY=VALUE",
            help="A text of your own to keep in the model file, in place of the text that --init-model "
            "has for KEY. May be given several times.",
        ),
        Option(
            "--profile/--no-profile",
            section=_SAVING,
            default=True,
            help="Whether the model file tells the least and largest value, the deciles and the "
            "share of missing values of each feature, for rankforest.drift.  [default: --profile]",
        ),
    ]


def note_start_problems(given: GivenOptions, problems: list[str]) -> None:
    """Add to `problems` what is wrong with where training is to start."""
    algorithm = given.get("algorithm")
    for name, boosting in _BOOSTING.items():
        if name in given and algorithm and algorithm not in boosting:
            flag = "--" + name.replace("_", "-")
            *others, last = boosting
            problems.append(f"{flag} is for {', '.join(others)} and {last}, not for {algorithm}")
    for name in ("valid", "test"):
        has_scores = given.has(_key(name))
        if has_scores and not given.has("init_score"):
            problems.append(f"{_flag(name)} needs --init-score")
        if has_scores and not given.has(name):
            problems.append(f"{_flag(name)} needs --{name}")
        if given.has(name) and given.has("init_score") and not has_scores:
            problems.append(f"--init-score needs {_flag(name)}, too: --{name} is measured with it")
    keys = [key for key, _ in given.get("metadata", ())]
    problems.extend(
        f"--metadata gives {key!r} twice" for key in dict.fromkeys(keys) if keys.count(key) > 1
    )


@dataclass(frozen=True)
class Start:
    """Where training starts, and what becomes of the model."""

    model: rankforest.Model | None
    scores: Mapping[str, npt.NDArray[np.float64]]  #: by "train", "valid" and "test"
    metadata: Mapping[str, str]
    keeps_profile: bool

    @classmethod
    def of(cls, options: dict[str, Any]) -> Start:
        """Take the options of this module out of those of the command, and read the files."""
        path = options.pop("init_model", None)
        scores = {name: options.pop(_key(name), None) for name in _SETS}
        return cls(
            None if path is None else rankforest.load(path),
            {name: read_scores(file) for name, file in scores.items() if file is not None},
            dict(options.pop("metadata", ())),
            options.pop("profile", True),
        )

    def reading(self, given: Mapping[str, Any]) -> Reading:
        """Read as the data of the earlier model was read, except for what the user gave."""
        return Reading.of(given) if self.model is None else reading_for(self.model, given)

    def arguments(self, sets: Sequence[str]) -> dict[str, Any]:
        """Return the arguments of `fit` for where it starts, with the sets that it measures."""
        arguments: dict[str, Any] = {} if self.model is None else {"init_model": self.model}
        if self.scores:
            arguments["init_score"] = self.scores["train"]
        if self.scores and sets:
            arguments["eval_init_score"] = {name: self.scores[name] for name in sets}
        return arguments

    def finished(self, model: rankforest.Model) -> rankforest.Model:
        """Return the model as the file is to hold it."""
        earlier = {} if self.model is None else self.model.metadata
        if metadata := {**earlier, **self.metadata}:
            model = model.with_metadata(metadata)
        return model if self.keeps_profile else model.without_profile()

    def added(self, name: str, scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return scores of a set together with those that training started from."""
        return scores + self.scores[name] if name in self.scores else scores


def _key(name: str) -> str:
    return "init_score" if name == "train" else f"{name}_init_score"


def _flag(name: str) -> str:
    return "--" + _key(name).replace("_", "-")
