"""Data from one form into another, for `ltr-convert`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import rankforest
from rankforest._files import whole_file
from rankforest.cli.letor_options import Reading
from rankforest.cli.table_options import is_table, note_table_problems
from rankforest.tables import write_table

#: Forms of data, by the name that --to gives them.
DATA_FORMS = ("letor", "parquet", "csv")


def convert_data(data: Sequence[str], to: str, output: str, given: Mapping[str, Any]) -> None:
    """Read data files and write them as one file of the form `to`.

    A table has the columns label, query_id, weight and document_id, where the data has them, then
    the features, which are called by their numbers where they come from text.
    """
    documents = Reading.of(given).read(data)
    if to == "letor":
        rankforest.write_letor(output, documents, n_jobs=given.get("n_jobs"))
        return
    with whole_file(output) as file:
        write_table(file.buffer, documents, "parquet" if to == "parquet" else "csv")


def note_data_problems(given: Mapping[str, Any], problems: list[str], stdout: str) -> None:
    """Note what is wrong with the options together where data is converted."""
    to = given.get("to")
    if given.get("model"):
        problems.append("--model and --data: one of them says what to convert, not both")
    if to is not None and to not in DATA_FORMS:
        problems.append(f"--to {to} is for models; data is written as {', '.join(DATA_FORMS)}")
    if given.get("output") == stdout:
        problems.append("--output: name the file to write; data does not go to stdout")
    is_text = not any(is_table(path) for path in given["data"])
    if to == "letor" and is_text:
        problems.append("--to letor: the data is LETOR text already")
    note_table_problems(given, problems, ["data"])
