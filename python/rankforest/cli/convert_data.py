"""Data from one form into another, for `ltr-convert`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rankforest
from rankforest.cli import files
from rankforest.cli.commands import GivenOptions
from rankforest.cli.letor_options import Reading
from rankforest.cli.table_options import is_table, note_table_problems
from rankforest.tables import write_table

#: Forms of data, by the name that --to gives them.
DATA_FORMS = ("letor", "parquet", "csv")


def convert_data(data: Sequence[str], to: str, output: str, given: Mapping[str, Any]) -> None:
    """Read data files and write them as one file of the form `to`.

    A table has the columns label, query_id, weight, document_id and position, where the data has
    them, then the features, which are called by their numbers where they come from text.
    """
    write_data(Reading.of(given).read(data), to, output, given.get("n_jobs"))


def write_data(documents: rankforest.Dataset, to: str, output: str, n_jobs: int | None) -> None:
    """Write a data set as one file of a form out of `DATA_FORMS`."""
    if to == "letor":
        _write_letor(output, documents, n_jobs)
        return
    with files.text_output(output) as file:
        write_table(file.buffer, documents, "parquet" if to == "parquet" else "csv")


def _write_letor(output: str, documents: rankforest.Dataset, n_jobs: int | None) -> None:
    """Write text to a file or, once all of it is known to be good, to stdout."""
    if output != files.DASH:
        rankforest.write_letor(output, documents, n_jobs=n_jobs)
        return
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "data.txt")
        rankforest.write_letor(whole, documents, n_jobs=n_jobs)
        with whole.open("rb") as text:
            shutil.copyfileobj(text, sys.stdout.buffer)


def note_data_problems(given: GivenOptions, problems: list[str]) -> None:
    """Note what is wrong with the options together where data is converted."""
    to = given.get("to")
    if given.has("model"):
        problems.append("--model and --data: one of them says what to convert, not both")
    if to is not None and to not in DATA_FORMS:
        problems.append(f"--to {to} is for models; data is written as {', '.join(DATA_FORMS)}")
    if to == "parquet" and given.get("output") == files.DASH:
        problems.append("--output: Parquet is not text, and not for stdout; name a file")
    data = given.get("data", ())
    if to == "letor" and data and not any(map(is_table, data)):
        problems.append("--to letor: the data is LETOR text already")
    note_table_problems(given, problems, ["data"])
