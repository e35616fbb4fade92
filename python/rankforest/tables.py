"""Data sets out of Parquet and CSV files.

The files are read with pyarrow where it is installed, else with polars, else with pandas. All three
give the same data set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal

from rankforest._data.file_kinds import refuse_unless_csv, refuse_unless_parquet
from rankforest._data.frame_columns import check_names, listed, refuse_unnamed
from rankforest._data.levels import ColumnsLike, places_of
from rankforest._data.queries import as_integers
from rankforest._data.table_readers import Reader, bad_fields, header_of, reader, said_of
from rankforest._settings.parameters import RULES
from rankforest._support.paths import StrPath, expanded
from rankforest._support.wording import names_of
from rankforest.concatenation import concat
from rankforest.data import Dataset

__all__ = ["read_csv", "read_parquet"]


def read_parquet(
    paths: StrPath | Sequence[StrPath],
    *,
    label: str | None = None,
    query: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    position: str | None = None,
    drop: Sequence[str] = (),
    features: Sequence[str] | None = None,
    missing: float | None = None,
    categorical_features: ColumnsLike = None,
    n_jobs: int | None = None,
) -> Dataset:
    """Read documents from Parquet files, by the names of columns.

    Parameters
    ----------
    paths : path or sequence of paths
        Files that make up one data set, in this order.
    label, query, weight, id, position, drop, features, missing, categorical_features, n_jobs
        As for `Dataset.from_frame`. Columns that are left out are not read.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        For names that no column has, for features that are not numbers, for files of other columns
        than the first, and for what `Dataset` refuses.
    ImportError
        If neither pyarrow nor polars nor pandas can read Parquet.
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rankforest as rf
    >>> path = pathlib.Path(tempfile.mkdtemp(), "train.parquet")
    >>> data = rf.datasets.make_ranking(n_queries=5, random_state=0)
    >>> data.to_frame("polars").write_parquet(path)
    >>> again = rf.read_parquet(path, label="label", query="query_id")
    >>> bool((again.X == data.X).all())
    True
    """
    roles = {"label": label, "query": query, "weight": weight, "id": id, "position": position}
    uses = _Uses(roles, drop, features, categorical_features)
    read = reader("Parquet")
    return uses.together(
        [
            uses.dataset(path, _parquet(read, path, uses), missing, n_jobs)
            for path in _as_paths(paths)
        ]
    )


def read_csv(
    paths: StrPath | Sequence[StrPath],
    *,
    label: str | None = None,
    query: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    position: str | None = None,
    drop: Sequence[str] = (),
    features: Sequence[str] | None = None,
    missing: float | None = None,
    categorical_features: ColumnsLike = None,
    separator: str = ",",
    n_jobs: int | None = None,
) -> Dataset:
    r"""Read documents from CSV files whose first line names the columns.

    Grades, weights, positions and features are read as numbers, whatever the first lines look like.
    Query ids are integers if all of them are written as such (``007`` is not), else strings. A
    field that is empty or says NA, N/A, NaN, NULL or None is a missing value. Categorical features
    are texts, also those that look like numbers; "from_dtype" is the features of which some field
    is no number.

    Parameters
    ----------
    paths : path or sequence of paths
        Files that make up one data set, in this order; ``.gz`` files are decompressed.
    label, query, weight, id, position, drop, features, missing, categorical_features, n_jobs
        As for `Dataset.from_frame`. Columns that are left out are not read.
    separator : str, default=","
        The character between fields, such as ``"\t"``.

    Returns
    -------
    Dataset

    Raises
    ------
    ValueError
        For names that no column has, for features that are not numbers, for files of other columns
        than the first, and for what `Dataset` refuses.
    ImportError
        If neither pyarrow nor polars nor pandas is installed.
    OSError
        If a file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import rankforest as rf
    >>> path = pathlib.Path(tempfile.mkdtemp(), "train.csv")
    >>> _ = path.write_text("q,bm25,url,grade\na,2.5,x,1\na,,y,0\nb,3,z,2\n")
    >>> data = rf.read_csv(path, label="grade", query="q", drop=["url"])
    >>> data.X.tolist()
    [[2.5], [nan], [3.0]]
    """
    if not isinstance(separator, str) or len(separator) != 1:
        raise ValueError(f"separator must be one character, got {separator!r}")
    roles = {"label": label, "query": query, "weight": weight, "id": id, "position": position}
    uses = _Uses(roles, drop, features, categorical_features)
    read = reader("CSV")
    data = uses.together(
        [
            uses.dataset(path, _csv(read, path, uses, separator), missing, n_jobs)
            for path in _as_paths(paths)
        ]
    )
    return data if query is None else data._with(query_ids=as_integers(data.query_ids.tolist()))


#: The kinds of tables, by the suffix of their names.
_KINDS: dict[str, Literal["parquet", "csv"]] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
}


def kind_of(path: StrPath) -> Literal["parquet", "csv"] | None:
    """Return what kind of table a file is, by its name; None if it is none."""
    return _KINDS.get(_suffix(path))


def separator_of(path: StrPath) -> str:
    """Return the character between the fields of a CSV file, by its name."""
    return "\t" if _suffix(path) == ".tsv" else ","


def _suffix(path: StrPath) -> str:
    """Return the suffix that tells what is in a file, in small letters."""
    return Path(expanded(path).lower().removesuffix(".gz")).suffix


def column_names(path: StrPath) -> list[str]:
    """Return the names of the columns of a Parquet or, by any other name, a CSV file."""
    path = expanded(path)
    if kind_of(path) != "parquet":
        return header_of(path, separator_of(path))
    found: list[str] = []

    def note(columns: Sequence[str]) -> list[str]:
        found.extend(columns)
        return list(columns[:1])

    reader("Parquet").parquet(path, note)
    return found


def write_table(file: BinaryIO, data: Dataset, form: Literal["parquet", "csv"]) -> None:
    """Write `Dataset.to_frame` as Parquet or CSV to an open file."""
    reader(form).write(file, data, form)


class _Uses:
    """What each column of a table is for."""

    def __init__(
        self,
        roles: dict[str, str | None],
        drop: Sequence[str],
        features: Sequence[str] | None,
        categorical: ColumnsLike,
    ) -> None:
        self.roles = {role: name for role, name in roles.items() if name is not None}
        self.drop = names_of(drop)
        self.features = None if features is None else names_of(features)
        self.categorical = RULES["categorical_features"].check("categorical_features", categorical)

    def choose(self, path: str) -> Callable[[Sequence[str]], list[str]]:
        """Return what chooses the columns to read of those that the file `path` has."""

        def of(columns: Sequence[str]) -> list[str]:
            try:
                check_names(columns, self.roles, self.drop, self.features)
                apart = {*self.roles.values(), *self.drop}
                features = self.features
                if features is None:
                    features = [name for name in columns if name not in apart]
                    refuse_unnamed(features)
                if "label" in self.roles and "query" not in self.roles:
                    raise ValueError(
                        "query= must name the column that says which query a document is of; the "
                        f"columns left are {listed(features)}"
                    )
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
            return [*self.roles.values(), *features]

        return of

    def text_columns(self, columns: Sequence[str]) -> set[str]:
        """Return which of the columns hold names, or levels that a parameter names."""
        names = {self.roles[role] for role in ("query", "id") if role in self.roles}
        if self.takes_texts:
            return names
        features = [name for name in columns if name not in self.roles.values()]
        places = places_of(self.categorical, len(features), features, [])
        return names | {features[place] for place in places}

    @property
    def takes_texts(self) -> bool:
        """Whether every column of texts is categorical."""
        return isinstance(self.categorical, str)

    def dataset(self, path: str, frame: Any, missing: float | None, n_jobs: int | None) -> Dataset:
        """Make a data set of the columns of one file."""
        try:
            return Dataset.from_frame(
                frame,
                **self.roles,
                features=self.features,
                missing=missing,
                categorical_features=self.categorical,
                n_jobs=n_jobs,
            )
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    @staticmethod
    def together(sets: Sequence[Dataset]) -> Dataset:
        """Make one data set of those of several files, in which an id is one query."""
        return sets[0] if len(sets) == 1 else concat(sets, queries="merge")


def _parquet(read: Reader, path: str, uses: _Uses) -> Any:
    """Read the columns that are used."""
    refuse_unless_parquet(path)
    return read.parquet(path, uses.choose(path))


def _csv(read: Reader, path: str, uses: _Uses, separator: str) -> Any:
    """Read the columns that are used: names as text, everything else as float64."""
    refuse_unless_csv(path)
    header = header_of(path, separator)
    columns = uses.choose(path)(header)
    try:
        texts = uses.text_columns(columns)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    try:
        return read.csv(path, columns, texts, separator)
    except ValueError as error:  # each library's own errors are of this type
        bad = bad_fields(path, [name for name in columns if name not in texts], separator)
        apart = uses.roles.values()
        if uses.takes_texts and bad and not bad.keys() & set(apart):
            return read.csv(path, columns, {*texts, *bad}, separator)
        raise ValueError(f"{path}: {said_of(bad) or error}") from None


def _as_paths(paths: StrPath | Sequence[StrPath]) -> list[str]:
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    if len(paths) == 0:
        raise ValueError("paths must name at least one file, got none")
    return [expanded(path) for path in paths]
