"""Data frames of any library: which objects are one, and their columns by name."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._support.wording import first_of, names_of, nearest

#: What tells a data frame from other objects, on its type.
_ARROW_MARKS = ("__arrow_c_stream__", "__arrow_c_array__")
_MARKS = ("__dataframe__", *_ARROW_MARKS, "columns")
_MOST_COLUMNS_SHOWN = 10
#: What files and pandas call a column without a name, and what Arrow calls an index.
_UNNAMED = re.compile(r"|Unnamed: \d+|__index_level_\d+__")


def is_frame(X: object) -> bool:
    """Whether `X` is held to be a data frame, rather than an array."""
    if isinstance(X, (np.ndarray, list, tuple)):
        return False
    kind = type(X)
    return any(hasattr(kind, mark) for mark in _MARKS)


def as_frame(X: object) -> Any:
    """Return a narwhals view of a data frame; None where `X` is none.

    Takes the frames of pandas, polars, pyarrow and every library that narwhals knows, and whatever
    offers Arrow's or the data frame interchange protocol.

    Raises
    ------
    ValueError
        If `X` looks like a frame but its columns are not in memory or share a name.
    """
    if not is_frame(X):
        return None
    import narwhals as nw  # noqa: PLC0415  # slow to import where nobody has a frame

    check_different(_own_names(X) or [])
    try:
        return nw.from_native(X, eager_only=True)
    except TypeError:
        return nw.from_native(_converted(X), eager_only=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"X must have columns of different names: {error}") from None


def names_in(X: Any) -> list[Any] | None:
    """Return the names of the columns of a data frame; None where `X` is none.

    The frames that are at hand in every program are asked themselves, in a fraction of the time.
    """
    names = _own_names(X)
    if names is not None:
        return names
    frame = as_frame(X)
    return None if frame is None else list(frame.columns)


def _own_names(X: Any) -> list[Any] | None:
    if is_of(X, "pandas", "DataFrame") or is_of(X, "polars", "DataFrame"):
        return list(X.columns)
    return list(X.schema.names) if is_of(X, "pyarrow", "Table") else None


def check_different(names: Sequence[object]) -> None:
    """Raise a ValueError if two columns share a name."""
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"X must have columns of different names: {twice!r} occurs twice")


def feature_names(columns: Sequence[Any]) -> list[str] | None:
    """Return the names of columns that are strings; None where none is, as for arrays.

    Raises
    ------
    TypeError
        If some are strings and some are not, or if they are tuples, as pandas' MultiIndex has them.
    """
    if all(isinstance(name, str) for name in columns):
        return list(columns)
    if any(isinstance(name, tuple) for name in columns):
        raise TypeError(
            f"X must have columns that are named by strings, got {columns[0]!r} of a MultiIndex: "
            'X.columns = ["_".join(map(str, name)) for name in X.columns] makes one of each'
        )
    if any(isinstance(name, str) for name in columns):
        kinds = sorted({type(name).__name__ for name in columns})
        # In the words of scikit-learn.
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types: "
            "X.columns = X.columns.astype(str) makes all of them strings"
        )
    return None


def unnamed(columns: Sequence[object]) -> list[str]:
    """Return the columns that are called what an index is called in a file."""
    return [name for name in columns if isinstance(name, str) and _UNNAMED.fullmatch(name)]


def refuse_unnamed(columns: Sequence[object]) -> None:
    """Raise a ValueError if one of the features has no name of its own, as an index in a file."""
    for name in unnamed(columns):
        raise ValueError(
            f"column {name!r} has no name of its own, as the index of a data frame that was "
            f'written to a file: leave it out, drop="{name}", or write the file without it, '
            "to_csv(index=False)"
        )


def without(X: Any, names: Collection[str]) -> Any:
    """Return a data frame without some of its columns."""
    if is_of(X, "pandas", "DataFrame"):
        kept = [place for place, name in enumerate(X.columns) if name not in names]
        if kept and kept[-1] - kept[0] + 1 == len(kept):
            return X.iloc[:, kept[0] : kept[-1] + 1]  # copies nothing
        return X.take(kept, axis=1)
    if is_of(X, "polars", "DataFrame"):
        return X.drop(names)
    return as_frame(X).drop(*names).to_native()


def selected(X: Any, names: Sequence[Any]) -> Any:
    """Return the columns of a data frame that have these names, in this order."""
    if is_of(X, "pandas", "DataFrame"):
        return X[list(names)]
    if is_of(X, "polars", "DataFrame") or is_of(X, "pyarrow", "Table"):
        return X.select(list(names))
    return as_frame(X).select(*names).to_native()


def is_of(X: object, library: str, kind: str) -> bool:
    """Whether `X` is a frame of a library; without the library imported, nothing is."""
    module = sys.modules.get(library)
    return module is not None and isinstance(X, getattr(module, kind))


def split_columns(
    frame: object,
    roles: Mapping[str, str | None],
    *,
    drop: Sequence[str] = (),
    features: Sequence[str] | None = None,
) -> tuple[Any, dict[str, npt.NDArray[Any]]]:
    """Take columns that are no features out of a data frame, by name.

    Parameters
    ----------
    frame : data frame
        Of pandas, polars, pyarrow or another library.
    roles : mapping of str to str or None
        The name of a column for each role, such as ``{"qid": "query_id"}``. None: the role has no
        column. Messages call the columns by their roles.
    drop : str or sequence of str
        Columns that are left out.
    features : str or sequence of str, optional
        The columns that stay, in this order. By default all that have no role and are not dropped,
        in their own order.

    Returns
    -------
    rest : data frame
        With the columns that are left; of the library of `frame`. Their values are not copied
        where the library can share them.
    values : dict of str to ndarray
        The values of each role that has a column.

    Raises
    ------
    ValueError
        If `frame` is no data frame, a name is that of no column (all such names are listed, with
        those that are close), two roles share a column, or a value is null.
    """
    named = {role: name for role, name in roles.items() if name is not None}
    view = as_frame(frame)
    if view is None:
        asked = ", ".join(f"{role}={name!r}" for role, name in named.items())
        raise ValueError(
            f"{asked or 'columns'}: names of columns need a data frame, got "
            f"{type(frame).__name__}; of an array, pass the values themselves"
        )
    drop = names_of(drop)
    features = None if features is None else names_of(features)
    check_names(view.columns, named, drop, features)
    taken = {role: _values(role, view.get_column(name)) for role, name in named.items()}
    if features is not None:
        return view.select(*features).to_native(), taken
    gone = {*named.values(), *drop}
    return without(view.to_native(), gone) if gone else view.to_native(), taken


def check_names(
    columns: Sequence[str],
    roles: Mapping[str, str],
    drop: Sequence[str],
    features: Sequence[str] | None,
) -> None:
    """Raise a ValueError for names that no column has, and for a column of two uses."""
    asked = [*roles.items()]
    asked += [("drop", name) for name in drop]
    asked += [("features", name) for name in features or ()]
    missing = [(role, name) for role, name in asked if name not in columns]
    if missing:
        lines = [f"{role}={name!r} is no column{_hint(name, columns)}" for role, name in missing]
        raise ValueError("; ".join(lines) + f"; the columns are {listed(columns)}")
    use_of: dict[str, str] = {}
    for use, name in asked:
        if name in use_of:
            raise ValueError(f"column {name!r} cannot be both {use_of[name]} and {use}")
        use_of[name] = use


def _hint(name: object, columns: Sequence[str]) -> str:
    """Return a question about the name that was meant, if one is close."""
    near = nearest(str(name), columns)
    return "" if near is None else f" (did you mean {near!r}?)"


def listed(columns: Sequence[str]) -> str:
    """Return the names of columns for a message, the first of many."""
    return first_of(list(map(repr, columns)), _MOST_COLUMNS_SHOWN)


def _values(role: str, column: Any) -> npt.NDArray[Any]:
    nulls = column.is_null()
    if nulls.any():
        row = nulls.arg_true()[0]
        raise ValueError(
            f"{role}: column {column.name!r} must have a value in each row; row {row} (counted "
            "from 0) has none"
        )
    return np.asarray(column.to_numpy())


def _converted(X: object) -> Any:
    """Return what offers a protocol of data frames as a frame of pyarrow or polars."""
    import narwhals as nw  # noqa: PLC0415

    try:
        is_lazy = isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame)
        if not is_lazy and any(hasattr(X, mark) for mark in _ARROW_MARKS):
            return _from_arrow(X)
        if not is_lazy and hasattr(X, "__dataframe__"):
            from pyarrow.interchange import from_dataframe  # noqa: PLC0415

            return from_dataframe(X)
    except ImportError:
        raise ImportError(
            f"{_kind_of(X)} can be read with pyarrow alone: pip install pyarrow"
        ) from None
    except (TypeError, ValueError, NotImplementedError):
        pass
    hint = "; collect() it first" if hasattr(X, "collect") else ""
    raise ValueError(
        f"X must be an array, a sparse matrix or a data frame in memory, got a {_kind_of(X)}{hint}"
    )


def _from_arrow(X: Any) -> Any:
    try:
        import pyarrow as pa  # noqa: PLC0415  # optional
    except ImportError:
        import polars as pl  # noqa: PLC0415  # optional

        return pl.DataFrame(X)
    return pa.table(X)


def _kind_of(X: object) -> str:
    return f"{type(X).__module__.partition('.')[0]} {type(X).__name__}"
