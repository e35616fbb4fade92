"""Data sets that share only part of their features: which these are, and one with the columns of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankforest._support.wording import described, first_of, names_of
from rankforest.data import Dataset
from rankforest.model import Model

Places = npt.NDArray[np.intp]

_MOST_SHOWN = 5


@dataclass(frozen=True)
class Columns:
    """What the columns of data or of a model are called."""

    what: str  #: in messages
    count: int
    names: tuple[str, ...] | None
    first_number: int | None  #: of LETOR text: 0 or 1

    @classmethod
    def of_data(cls, what: str, data: Dataset) -> Columns:
        """Describe the columns of a data set."""
        first = None if data._text is None else int(not data._text.zero_based)
        return cls(what, data.n_features, data.feature_names, first)

    @classmethod
    def of_model(cls, what: str, model: Model) -> Columns:
        """Describe the columns of a model's training data."""
        is_text = model.data_summary.get("from_text") is True
        first = int(not model.zero_based) if is_text else None
        return cls(what, model.n_features, model.feature_names, first)

    @property
    def _labels(self) -> tuple[str, ...] | None:
        """Names, or the numbers of text in their place."""
        if self.names is not None or self.first_number is None:
            return self.names
        return tuple(str(self.first_number + j) for j in range(self.count))


def places_in(given: Columns, wanted: Columns) -> Places:
    """Return for each of the wanted columns where it stands among the given ones, or -1.

    Columns are matched by name. Those of LETOR text are called by their numbers; of two arrays
    without names by position.

    Raises
    ------
    ValueError
        If one has names, and the other neither names nor numbers.
    """
    if given.names is None and wanted.names is None:
        shift = 0
        if given.first_number is not None and wanted.first_number is not None:
            shift = wanted.first_number - given.first_number
        places = np.arange(wanted.count, dtype=np.intp) + shift
        return np.where((places >= 0) & (places < given.count), places, -1)
    of_given, of_wanted = given._labels, wanted._labels
    if of_given is None or of_wanted is None:
        without = given if of_given is None else wanted
        other = wanted if without is given else given
        raise ValueError(
            f"features are matched by name, but {without.what} has no feature names, and "
            f"{other.what} has: give feature_names to both, or to neither"
        )
    place_of = {name: place for place, name in enumerate(of_given)}
    return np.array([place_of.get(name, -1) for name in of_wanted], dtype=np.intp)


def has_values(data: Dataset) -> npt.NDArray[np.bool_]:
    """Say which features some document has: not NaN, nor what text leaves out.

    Two texts may number the features of both sets through, and so be as wide; the features of the
    other set are then those that no line mentions.
    """
    absent = np.nan if data._text is None else data._text.absent
    return np.array(
        [bool((~(np.isnan(column) | (column == absent))).any()) for column in data.X.T], dtype=bool
    )


def required_dataset(argument: str, value: object) -> Dataset:
    """Return a Dataset, or raise a TypeError."""
    if not isinstance(value, Dataset):
        raise TypeError(f"{argument} must be a Dataset, got {described(value)}")
    value._refuse_levels(f"{argument} must have numbers only; leave them out")
    return value


def shared_columns(source: Dataset, target: Dataset) -> Places:
    """Return for each column of the target where it stands in the source, or -1.

    A column in which one of the sets has no value at all is not shared.

    Raises
    ------
    ValueError
        If no feature is shared.
    """
    of_source, of_target = Columns.of_data("source", source), Columns.of_data("target", target)
    places = places_in(of_source, of_target)
    has = has_values(source)
    places = np.where(has_values(target) & (places >= 0) & has[places], places, -1)
    if (places < 0).all():
        raise ValueError(
            "source and target share no feature: source has "
            f"{first_of(source.feature_labels, _MOST_SHOWN)}; target has "
            f"{first_of(target.feature_labels, _MOST_SHOWN)}"
        )
    return places


def taken(
    X: npt.NDArray[np.float32], places: Places, absent: float = np.nan
) -> npt.NDArray[np.float32]:
    """Return columns of X, and `absent` throughout for those at -1."""
    columns = X[:, np.maximum(places, 0)]
    columns[:, places < 0] = absent
    return np.ascontiguousarray(columns)


def shared_features(source: Dataset, target: Dataset) -> tuple[str, ...]:
    """Name the features that two data sets share.

    Parameters
    ----------
    source, target : Dataset
        Features are matched by name; those of LETOR text are called by their numbers, and those of
        two arrays without names by their positions. A feature that has no value in one of the sets
        is not shared: all NaN, or in text never mentioned.

    Returns
    -------
    tuple of str
        In the order of the target; what `with_features` takes.

    Raises
    ------
    TypeError
        If one is no Dataset.
    ValueError
        If none is shared, or only one of the sets names its features.

    Examples
    --------
    >>> import rankforest as rf
    >>> web = rf.Dataset([[1, 2, 3]], qid=[1], feature_names=["bm25", "clicks", "length"])
    >>> shop = rf.Dataset([[4, 5]], qid=[1], feature_names=["length", "bm25"])
    >>> rf.transfer.shared_features(web, shop)
    ('length', 'bm25')
    """
    source, target = required_dataset("source", source), required_dataset("target", target)
    is_shared = shared_columns(source, target) >= 0
    return tuple(np.array(target.feature_labels, dtype=object)[is_shared])


def with_features(data: Dataset, features: str | Sequence[str]) -> Dataset:
    """Return a data set with some features, in an order.

    Parameters
    ----------
    data : Dataset
        What else it has stays as it is.
    features : str or sequence of str
        Different names out of `Dataset.feature_labels`; those of LETOR text are numbers. A feature
        that the data does not have is NaN; one that text may have and does not mention has the
        value that it was read with for these.

    Returns
    -------
    Dataset
        With these feature names.

    Raises
    ------
    TypeError
        If `data` is no Dataset, or a feature no string.
    ValueError
        If it has none of the features, or one is named twice.

    Examples
    --------
    >>> import rankforest as rf
    >>> web = rf.Dataset([[1, 2, 3]], qid=[1], feature_names=["bm25", "clicks", "length"])
    >>> rf.transfer.with_features(web, ["length", "price"]).X
    array([[ 3., nan]], dtype=float32)
    """
    data = required_dataset("data", data)
    wanted = names_of(features)
    for name in wanted:
        if not isinstance(name, str):
            raise TypeError(f"features must be names, got {name!r}")
        if wanted.count(name) > 1:
            raise ValueError(f"features must be different, got {name!r} twice")
    place_of = {name: place for place, name in enumerate(data.feature_labels)}
    places = np.array([place_of.get(name, -1) for name in wanted], dtype=np.intp)
    if (places < 0).all():
        raise ValueError(
            f"data has none of the features {first_of(wanted, _MOST_SHOWN)}; it has "
            f"{first_of(data.feature_labels, _MOST_SHOWN)}"
        )
    X = taken(data.X, places)
    if data._text is not None and data.feature_names is None:
        is_number = np.array([name.isdecimal() for name in wanted])
        X[:, is_number & (places < 0)] = data._text.absent
    merged = data._merged
    if merged is not None:
        merged = merged.reordered(places.tolist())
    return data._with(
        X=X, feature_names=tuple(wanted), _merged=merged, _text=None, query_features=()
    )
