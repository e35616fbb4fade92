"""The systems that `ltr-eval` sets side by side: models and files of scores, with names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

import rankforest
from rankforest._support.files import lines_of
from rankforest.cli.commands import Argument, Option
from rankforest.cli.files import InputFile
from rankforest.cli.letor_options import Reading, source
from rankforest.cli.models import read_for
from rankforest.model_file import is_model

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class NamedFile:
    """A file and what reports call it."""

    name: str
    path: str


class NamedFileType(click.ParamType):  # type: ignore[type-arg]  # older click has no argument
    """FILE or NAME=FILE; a file whose own name has an equals sign comes first."""

    name = "named file"
    _path = InputFile(stdin=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> NamedFile:
        """Return the file with its name, which is the path where no name is given."""
        if isinstance(value, NamedFile):
            return value
        name, equals, path = str(value).partition("=")
        if not equals or Path(value).exists():
            return NamedFile(str(value), self._path.convert(value, param, ctx))
        if not name.strip() or not name.isprintable():
            self.fail(f"a name must be printable text, got {name!r} in {value!r}", param, ctx)
        return NamedFile(name, self._path.convert(path, param, ctx))


METAVAR = "[NAME=]FILE"


def system_parameters(section: str) -> list[click.Parameter]:
    """Make the parameters that name systems: arguments, --model and --scores."""
    return [
        Argument(["files"], type=NamedFileType(), nargs=-1, metavar=f"[{METAVAR}]..."),
        Option(
            "--model",
            section=section,
            type=NamedFileType(),
            multiple=True,
            metavar=METAVAR,
            help="A model: a file of ltr-train or of Python's save(), or LightGBM's text. May be "
            "given several times.",
        ),
        Option(
            "--scores",
            section=section,
            type=NamedFileType(),
            multiple=True,
            metavar=METAVAR,
            help="One score per line, in the order of the data, also .gz, .bz2 or .xz. May be given "
            "several times. - is stdin.",
        ),
    ]


def names_of(given: Mapping[str, Any], problems: list[str]) -> list[str]:
    """Return the names of all systems, runs or others; add to `problems` those that occur twice."""
    files: dict[str, str] = {}
    for key in ("files", "model", "scores", "run"):
        for file in given.get(key, ()):
            if file.name in files:
                problems.append(
                    f"two systems are called {file.name}: {files[file.name]} and {file.path}; "
                    "NAME=FILE names one"
                )
            files[file.name] = file.path
    return list(files)


def read_systems(
    data: Sequence[str],
    files: Sequence[NamedFile],
    model: Sequence[NamedFile],
    scores: Sequence[NamedFile],
    options: Mapping[str, Any],
) -> tuple[rankforest.Dataset, dict[str, Scores], dict[str, rankforest.Model]]:
    """Read the data and the scores of every system on it.

    Parameters
    ----------
    data : sequence of str
        Files of text or tables, one data set together.
    files, model, scores : sequence of NamedFile
        Files told apart by their content, models, and scores.
    options : mapping of str to object
        How to read; a model's own rules hold for what is not among them. "early_exit" says when
        documents stop being scored.

    Returns
    -------
    judged, scores, models
        The data, the scores of all systems and those of these that are models, by name.
    """
    ordered = [*files, *model, *scores]
    models = {file for file in files if is_model(file.path)}.union(model)
    found: dict[str, Scores] = {}
    trained_of: dict[str, rankforest.Model] = {}
    judged: rankforest.Dataset | None = None
    for file in ordered:
        if file in models:
            trained = rankforest.load(file.path)
            judged = read_for(trained, data, options, _read)
            trained_of[file.name] = trained
            found[file.name] = _scores_by(trained, judged, options)
    if judged is None:
        judged = Reading.of(options).read(data)
    for file in ordered:
        if file not in models:
            found[file.name] = read_scores(file.path)
            if len(found[file.name]) != judged.n_documents:
                raise ValueError(
                    f"{file.path} has {len(found[file.name])} scores, but there are "
                    f"{judged.n_documents} documents in {' '.join(data)}"
                )
    models_in_order = {f.name: trained_of[f.name] for f in ordered if f in models}
    return judged, {file.name: found[file.name] for file in ordered}, models_in_order


def _scores_by(
    model: rankforest.Model, data: rankforest.Dataset, options: Mapping[str, Any]
) -> Scores:
    """Return the scores of a model, under early exits where they are asked for."""
    n_jobs = options.get("n_jobs")
    if "early_exit" in options:
        return model.predict_within(data, early_exit=options["early_exit"], n_jobs=n_jobs).scores
    return model.predict(data, n_jobs=n_jobs)


# Models that read the data alike share it; one set at a time stays in memory.
_read = lru_cache(maxsize=1)(Reading.read)


def read_scores(path: str) -> Scores:
    """Read one score per line of a text file, compressed or not; - is stdin.

    A byte order mark and blank lines at the end are left out.

    Raises
    ------
    ValueError
        If a line is anything else; the message has file and line.
    """
    scores = []
    blank = 0  # the first of the blank lines that nothing has followed yet
    for number, line in lines_of(source(path)):
        if not line.strip():
            blank = blank or number
            continue
        if blank:
            raise ValueError(f"{path}:{blank}: must be one number, got a blank line")
        try:
            score = float(line)
        except ValueError:
            score = math.nan
        if math.isnan(score):
            raise ValueError(f"{path}:{number}: must be one number, got {line!r}")
        scores.append(score)
    return np.array(scores, dtype=np.float64)
