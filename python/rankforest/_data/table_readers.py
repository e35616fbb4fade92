"""Columns of Parquet and CSV files, by whichever library is there."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TextIO

from rankforest._data.compression import opened
from rankforest._support.wording import first_of

if TYPE_CHECKING:
    from rankforest.data import Dataset

#: What stands for a missing value in a CSV file.
NULLS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None")

#: Columns that pandas writes for the index of a frame.
_INDEX = re.compile(r"__index_level_\d+__")
_MOST_SHOWN = 5

#: What chooses the columns to read, of those that a file has.
Choose = Callable[[Sequence[str]], list[str]]


class Reader(Protocol):
    """What reads tables."""

    def parquet(self, path: str, choose: Choose) -> Any:
        """Return columns of a file as a data frame."""

    def csv(self, path: str, columns: list[str], texts: Collection[str], separator: str) -> Any:
        """Return columns: `texts` as text, all others as float64.

        Raises a ValueError for a field that is no number.
        """

    def write(self, file: BinaryIO, data: Dataset, form: str) -> None:
        """Write a data set as Parquet or CSV."""


class _PyArrow:
    def parquet(self, path: str, choose: Choose) -> Any:
        from pyarrow import parquet  # noqa: PLC0415  # optional

        with parquet.ParquetFile(path) as file:
            return file.read(columns=choose(_without_index(file.schema_arrow.names)))

    def csv(self, path: str, columns: list[str], texts: Collection[str], separator: str) -> Any:
        import pyarrow as pa  # noqa: PLC0415  # optional
        from pyarrow import csv as arrow_csv  # noqa: PLC0415

        kinds = {name: pa.string() if name in texts else pa.float64() for name in columns}
        return arrow_csv.read_csv(
            path,
            parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=columns,
                column_types=kinds,
                null_values=list(NULLS),
                strings_can_be_null=True,
            ),
        )

    def write(self, file: BinaryIO, data: Dataset, form: str) -> None:
        from pyarrow import csv as arrow_csv  # noqa: PLC0415  # optional
        from pyarrow import parquet  # noqa: PLC0415

        write = parquet.write_table if form == "parquet" else arrow_csv.write_csv
        write(data.to_frame("pyarrow"), file)


class _Polars:
    def parquet(self, path: str, choose: Choose) -> Any:
        import polars as pl  # noqa: PLC0415  # optional

        names = choose(_without_index(list(pl.read_parquet_schema(path))))
        return pl.read_parquet(path, columns=names).select(names)

    def csv(self, path: str, columns: list[str], texts: Collection[str], separator: str) -> Any:
        import polars as pl  # noqa: PLC0415  # optional

        try:
            return pl.read_csv(
                path,
                columns=columns,
                separator=separator,
                schema_overrides={n: pl.String if n in texts else pl.Float64 for n in columns},
                null_values=list(NULLS),
            ).select(columns)
        except pl.exceptions.ComputeError as error:
            raise ValueError(str(error)) from error

    def write(self, file: BinaryIO, data: Dataset, form: str) -> None:
        frame = data.to_frame("polars")
        (frame.write_parquet if form == "parquet" else frame.write_csv)(file)


class _Pandas:
    def parquet(self, path: str, choose: Choose) -> Any:
        import pandas as pd  # noqa: PLC0415  # optional

        frame = pd.read_parquet(path)
        return frame[choose(list(frame.columns))]

    def csv(self, path: str, columns: list[str], texts: Collection[str], separator: str) -> Any:
        import pandas as pd  # noqa: PLC0415  # optional

        # Pandas 3 rounds right by default and deprecates the argument.
        exact: dict[str, Any] = {}
        if int(pd.__version__.partition(".")[0]) < 3:
            exact = {"float_precision": "round_trip"}
        return pd.read_csv(
            path,
            sep=separator,
            usecols=columns,
            dtype={name: "str" if name in texts else "float64" for name in columns},
            na_values=list(NULLS),
            keep_default_na=False,
            **exact,
        )[columns]

    def write(self, file: BinaryIO, data: Dataset, form: str) -> None:
        frame = data.to_frame("pandas")
        (frame.to_parquet if form == "parquet" else frame.to_csv)(file, index=False)


#: The first choice first.
READERS: dict[str, type[Reader]] = {"pyarrow": _PyArrow, "polars": _Polars, "pandas": _Pandas}


def reader(what: str) -> Reader:
    """Return what reads tables with the first library that is installed."""
    for library, kind in READERS.items():
        if find_spec(library) is not None:
            return kind()
    raise ImportError(
        f"{what} files need pyarrow, polars or pandas: pip install pyarrow, or all of them with "
        "'rankforest[dataframes]'"
    )


def header_of(path: str, separator: str) -> list[str]:
    """Return the names in the first line of a CSV file."""
    with _text_of(path) as file:
        names = next(csv.reader(file, delimiter=separator), [])
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise ValueError(f"{path}: column {twice[0]!r} occurs twice in the first line")
    if not names:
        raise ValueError(f"{path}: the first line must name the columns; it is empty")
    return names


def bad_fields(path: str, numbers: Collection[str], separator: str) -> dict[str, str]:
    """Describe the first field that is no number of each column that has any."""
    found: dict[str, str] = {}
    with _text_of(path) as file:
        lines = csv.DictReader(file, delimiter=separator)
        for fields in lines:
            for name in numbers:
                if name not in found and not _is_number(fields.get(name)):
                    found[name] = f"{name!r} (line {lines.line_num}: {fields[name]!r})"
    return found


def said_of(bad: Mapping[str, str]) -> str:
    """Return a message about what `bad_fields` found; "" if that is nothing."""
    if not bad:
        return ""
    shown = first_of(list(bad.values()), _MOST_SHOWN)
    return (
        f"these columns hold fields that are no numbers: {shown}; drop= leaves columns out, "
        'categorical_features="from_dtype" takes them as categories'
    )


def _is_number(field: str | None) -> bool:
    if field is None or field in NULLS:
        return True
    try:
        float(field)
    except ValueError:
        return False
    return True


@contextmanager
def _text_of(path: str) -> Iterator[TextIO]:
    """Open a text file that may be compressed."""
    with io.TextIOWrapper(opened(path), encoding="utf-8-sig", newline="") as file:
        try:
            yield file
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: a CSV file must be UTF-8 text; {error}") from None


def _without_index(names: Sequence[str]) -> list[str]:
    return [name for name in names if not _INDEX.fullmatch(name)]
