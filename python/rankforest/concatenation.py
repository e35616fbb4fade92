"""Several data sets as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankforest._data.levels import Levels, coded, values_of
from rankforest._data.queries import query_codes
from rankforest._settings.parameters import choice
from rankforest._support.wording import described
from rankforest.data import Dataset

__all__ = ["concat"]


def concat(
    datasets: Iterable[Dataset], *, queries: Literal["distinct", "merge", "rename"] = "distinct"
) -> Dataset:
    """Put the documents of several data sets together, one set after the other.

    Parameters
    ----------
    datasets : iterable of Dataset
        At least one. They have the same features, by name where they have names: the result has
        those of the first, in its order. All sets have grades or none has. Sets that were read from
        LETOR text by the same rules may differ in width: the narrower ones get the features that
        their text does not mention. A set without weights counts 1 for each document, one without
        document ids has "" for each.
    queries : {"distinct", "merge", "rename"}, default="distinct"
        What the same query id in several sets means. "distinct": it is an error, for it may be a
        mistake. "merge": one query, such as the shards of a log have them. "rename": as many
        queries, and all ids become "0/ID", "1/ID", ... by the place of their set.

    Returns
    -------
    Dataset
        Its `rows` count through all the sets.

    Raises
    ------
    ValueError
        If the sets do not fit together, with the first reason.
    TypeError
        If one is no Dataset.

    Examples
    --------
    >>> import rankforest as rf
    >>> monday = rf.Dataset([[1], [2]], [0, 1], qid=["a", "a"])
    >>> tuesday = rf.Dataset([[3], [4]], [1, 0], qid=["a", "b"])
    >>> rf.concat([monday, tuesday], queries="merge").query_ids.tolist()
    ['a', 'b']
    >>> rf.concat([monday, tuesday], queries="rename").query_ids.tolist()
    ['0/a', '1/a', '1/b']
    """
    choice("distinct", "merge", "rename").check("queries", queries)
    if isinstance(datasets, Dataset):
        raise TypeError("datasets must be a list of Datasets, got a Dataset: write concat([a, b])")
    sets = list(datasets)
    for place, each in enumerate(sets):
        if not isinstance(each, Dataset):
            raise TypeError(f"datasets must hold Datasets; number {place} is {described(each)}")
    if not sets:
        raise ValueError("datasets must hold at least one Dataset, got none")
    sets = [_in_order(each, sets[0].feature_names) for each in sets]
    for place, each in enumerate(sets):
        _check_alike(sets[0], each, place)
    width = max(each.n_features for each in sets)
    sets = [each._widened(width) for each in sets]
    codes, ids = query_codes(_ids(sets, queries), "qid")
    columns, levels = _merged_levels(sets)
    X = np.concatenate([each.X for each in sets])
    for column, positions in columns.items():
        X[:, column] = positions
    return Dataset._from_parts(
        X=X,
        y=None if sets[0].y is None else np.concatenate([each._required_grades() for each in sets]),
        query_codes=codes,
        query_ids=ids,
        weight=_weights(sets),
        feature_names=sets[0].feature_names,
        document_ids=_document_ids(sets),
        missing=sets[0].missing,
        n_jobs=sets[0]._n_jobs,
        text=sets[0]._text,
        query_features=sets[0].query_features,
        position=_positions(sets),
        levels=levels,
        merged=next((each._merged for each in sets if _has_merged(each)), None),
    )


def _in_order(data: Dataset, names: tuple[str, ...] | None) -> Dataset:
    """Return a data set with its features in the order of `names`, if it has just these."""
    own = data.feature_names
    if own is None or names is None or own == names or sorted(own) != sorted(names):
        return data
    place_of = {name: place for place, name in enumerate(own)}
    places = [place_of[name] for name in names]
    merged = None if data._merged is None else data._merged.reordered(places)
    levels = {new: data._levels[old] for new, old in enumerate(places) if old in data._levels}
    return data._with(X=data.X[:, places], feature_names=names, _merged=merged, _levels=levels)


def _has_merged(each: Dataset) -> bool:
    return each._merged is not None and each._merged.message(None) is not None


def _check_alike(first: Dataset, each: Dataset, place: int) -> None:
    """Raise a ValueError unless a set has what the first one has."""
    what = f"datasets: number {place} (counted from 0)"
    if each.feature_names != first.feature_names:
        raise ValueError(f"{what} {_name_difference(first, each)}")
    same_text = first._text is not None and repr(first._text) == repr(each._text)
    if repr(first._text) != repr(each._text):
        raise ValueError(
            f"{what} was read by other rules than the first: {_rule(each)}, not {_rule(first)}"
        )
    if each.n_features != first.n_features and not same_text:
        raise ValueError(f"{what} has {each.n_features} features, the first has {first.n_features}")
    if (each.y is None) != (first.y is None):
        raise ValueError(f"{what} has {'no ' * (each.y is None)}grades, unlike the first")
    if (each.position is None) != (first.position is None):
        raise ValueError(f"{what} has {'no ' * (each.position is None)}positions, unlike the first")
    if each._levels.keys() != first._levels.keys():
        odd = each.feature_labels[min(each._levels.keys() ^ first._levels.keys())]
        raise ValueError(f"{what} and the first differ in whether {odd!r} is categorical")
    if each.missing != first.missing:
        raise ValueError(
            f"{what} has missing={each.missing}, the first has missing={first.missing}"
        )


def _name_difference(first: Dataset, each: Dataset) -> str:
    if each.feature_names is None or first.feature_names is None:
        return f"has {'no ' * (each.feature_names is None)}feature names, unlike the first"
    odd = min(set(each.feature_names) ^ set(first.feature_names))
    owner = "has" if odd in each.feature_names else "lacks"
    return f"{owner} a feature {odd!r}, unlike the first"


def _rule(data: Dataset) -> str:
    if data._text is None:
        return "no text"
    return f"text with zero_based={data._text.zero_based} and absent={data._text.absent:g}"


def _ids(sets: Sequence[Dataset], queries: str) -> npt.NDArray[Any]:
    """Return the query id of each document, as objects."""
    if queries == "rename":
        columns = [
            np.array([f"{place}/{name}" for name in each.query_ids.tolist()], dtype=object)[
                each.query_codes
            ]
            for place, each in enumerate(sets)
        ]
        return np.concatenate(columns)
    owner: dict[Any, int] = {}
    for place, each in enumerate(sets):
        for name in each.query_ids.tolist():
            first = owner.setdefault(name, place)
            if first != place and queries == "distinct":
                raise ValueError(
                    f"datasets: query {name!r} is in number {first} and in number {place} (counted "
                    'from 0); queries="merge" makes them one query, queries="rename" keeps them '
                    "apart"
                )
    columns = [each.qid for each in sets]
    if len({column.dtype.kind for column in columns}) > 1:
        columns = [column.astype(object) for column in columns]
    return np.concatenate(columns)


def _merged_levels(
    sets: Sequence[Dataset],
) -> tuple[dict[int, npt.NDArray[np.float32]], dict[int, Levels]]:
    """Return the levels of all sets, and their positions in each categorical column."""
    columns, levels = {}, {}
    for place in sets[0]._levels:
        values = [values_of(each.X[:, place], each._levels[place]) for each in sets]
        what = f"datasets: feature {sets[0].feature_labels[place]!r}"
        columns[place], levels[place] = coded(what, np.concatenate(values))
    return columns, levels


def _weights(sets: Sequence[Dataset]) -> npt.NDArray[np.float64] | None:
    if all(each.weight is None for each in sets):
        return None
    return np.concatenate(
        [np.ones(each.n_documents) if each.weight is None else each.weight for each in sets]
    )


def _positions(sets: Sequence[Dataset]) -> npt.NDArray[np.uint32] | None:
    found = [each.position for each in sets if each.position is not None]
    return np.concatenate(found) if found else None


def _document_ids(sets: Sequence[Dataset]) -> npt.NDArray[np.object_] | None:
    if all(each.document_ids is None for each in sets):
        return None
    columns = [
        np.full(each.n_documents, "", dtype=object)
        if each.document_ids is None
        else each.document_ids
        for each in sets
    ]
    return np.concatenate(columns)
