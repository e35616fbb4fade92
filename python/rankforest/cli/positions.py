"""Where documents were shown, for `ltr-train`: a column of tables, or a file beside the data."""

from __future__ import annotations

from typing import Any

import rankforest
from rankforest._data.position_file import read_positions
from rankforest.cli.commands import GivenOptions, Option
from rankforest.cli.files import InputFile

#: What learns effects of positions.
_LEARNING = "lambdamart"


def position_file_option(section: str) -> Option:
    """Make the option of positions in a file of their own."""
    return Option(
        "--position-file",
        section=section,
        type=InputFile(),
        metavar="FILE",
        help="Where each document of --train was shown when its clicks were seen, from 1, the top: one "
        "position per line in the order of --train. For lambdamart, which learns what positions do "
        "to clicks apart from the trees. Tables may have a column instead: --position.",
    )


def note_position_problems(given: GivenOptions, problems: list[str]) -> None:
    """Add to `problems` what is wrong with the options about positions."""
    algorithm = given.get("algorithm")
    if not given.has("position_file"):
        return
    if algorithm and algorithm != _LEARNING:
        problems.append(f"--position-file is for {_LEARNING}, not for {algorithm}")
    if given.has("position"):
        problems.append(
            "--position and --position-file both say where documents were shown: give one"
        )


def position_arguments(path: str | None, data: rankforest.Dataset) -> dict[str, Any]:
    """Return the argument of `fit` about positions, out of the file that was given."""
    return {} if path is None else {"position": read_positions(path, path, data.n_documents)}
