"""Categorical features of a model: which numbers stand for which levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rankforest._data.categorical_columns import categorized
from rankforest._data.levels import Levels, coded, kind_of
from rankforest.data import Dataset

__all__ = ["CategoricalFeature"]

#: A feature as the core has it: its number, its levels, their values, those of unseen and missing.
Table: TypeAlias = "tuple[int, Sequence[int] | Sequence[str], Sequence[float], float, float]"


@dataclass(frozen=True)
class CategoricalFeature:
    """What the trees of a model see in place of the levels of a feature.

    Attributes
    ----------
    feature : int
        The number of the feature, from 0.
    name : str
        What reports call it.
    levels : tuple of int or tuple of str
        The levels of the training data, ascending.
    values : ndarray of float32, shape (n_levels,)
        What stands for each level: the mean of the grades of its documents, drawn towards the mean
        of all as its documents are few.
    unseen : float
        What stands for every other level: the mean of all grades.
    missing : float
        What stands for a missing value: as for a level where training saw any, else as unseen.

    Examples
    --------
    >>> import rankforest as rf
    >>> X = [["a"], ["a"], ["b"], ["b"], ["b"], ["a"]]
    >>> data = rf.Dataset(X, [0, 1, 2, 3, 1, 0], qid=[1, 1, 2, 2, 3, 3], categorical_features=[0])
    >>> model = rf.MART(n_estimators=2, categorical_features="from_dtype").fit(data).model_
    >>> site = model.categories[0]
    >>> site.levels
    ('a', 'b')
    >>> bool(site.values[0] < site.unseen < site.values[1])
    True
    """

    feature: int
    name: str
    levels: Levels
    values: npt.NDArray[np.float32]
    unseen: float
    missing: float


class Encoder:
    """What puts numbers in place of the levels of categorical features.

    Parameters
    ----------
    features : sequence of CategoricalFeature
        The features of the model that are categorical.
    missing : float or None
        The number that means missing to the model.
    """

    def __init__(
        self, features: Sequence[CategoricalFeature], missing: float | None = None
    ) -> None:
        self._features = features
        self._missing = missing
        self._value_of: dict[int, dict[Any, np.float32]] = {
            each.feature: dict(zip(each.levels, each.values, strict=True)) for each in features
        }

    @property
    def places(self) -> list[int]:
        """The numbers of the features."""
        return [each.feature for each in self._features]

    def of_dataset(self, data: Dataset) -> Dataset:
        """Return the same documents with numbers in place of levels.

        Raises
        ------
        ValueError
            For levels of another kind than those of training, and for categorical columns that the
            model takes as numbers.
        """
        others = [place for place in data._levels if place not in self._value_of]
        if others:
            raise _of_numbers(data.feature_labels[others[0]])
        if max(self.places, default=-1) >= data.n_features:
            return data  # whose width is refused
        return data._with(X=self._encoded(data.X, data._levels), _levels={})

    def of_features(self, X: object) -> tuple[npt.NDArray[np.float32], list[str] | None]:
        """Return features of any form with numbers in place of levels, and names of columns.

        Raises
        ------
        ValueError
            As `of_dataset` does, and for what `Dataset` refuses.
        """
        columns: list[str | int] = [*self.places]
        if max(self.places) >= _width(X):
            columns = []  # for a message about the width
        features, names, levels = categorized(X, columns, missing=self._missing)
        if not columns:
            return features, names
        return self._encoded(features, levels), names

    def of_column(self, feature: int, values: npt.ArrayLike) -> npt.ArrayLike:
        """Return what stands for levels of one of the features."""
        [each] = [each for each in self._features if each.feature == feature]
        column: Any = values if isinstance(values, np.ndarray) else list(values)  # type: ignore[arg-type]
        codes, levels = coded(f"feature {each.name!r}", column, self._missing)
        return self._looked_up(each, codes, levels)

    def _encoded(
        self, features: npt.NDArray[np.float32], levels: Mapping[int, Levels]
    ) -> npt.NDArray[np.float32]:
        encoded = np.array(features, dtype=np.float32, order="C")
        for each in self._features:
            codes = encoded[:, each.feature]
            of_column = levels.get(each.feature)
            if of_column is None:
                codes, of_column = coded(f"feature {each.name!r}", codes, self._missing)
            encoded[:, each.feature] = self._looked_up(each, codes, of_column)
        return encoded

    def _looked_up(
        self, each: CategoricalFeature, codes: npt.NDArray[np.float32], levels: Levels
    ) -> npt.NDArray[np.float32]:
        if levels and each.levels and kind_of(levels) != kind_of(each.levels):
            raise ValueError(
                f"feature {each.name!r} has {kind_of(levels)} as levels, such as {levels[0]!r}; the "
                f"model was trained with {kind_of(each.levels)}, such as {each.levels[0]!r}"
            )
        value_of = self._value_of[each.feature]
        missing = np.float32(each.missing)
        values = [
            missing if level == self._missing else value_of.get(level, each.unseen)
            for level in levels
        ]
        is_missing = np.isnan(codes)
        places = np.where(is_missing, len(levels), codes).astype(np.intp)
        looked_up: npt.NDArray[np.float32] = np.array([*values, missing], dtype=np.float32)[places]
        return looked_up


def features_of(tables: Sequence[Any], labels: Sequence[str]) -> tuple[CategoricalFeature, ...]:
    """Return categorical features out of what the core has."""
    return tuple(
        CategoricalFeature(
            feature,
            labels[feature],
            tuple(levels),
            np.array(values, dtype=np.float32),
            unseen,
            missing,
        )
        for feature, levels, values, unseen, missing in tables
    )


def table_of(each: CategoricalFeature) -> Table:
    """Return a categorical feature as the core takes it."""
    levels: Any = list(each.levels)
    return each.feature, levels, each.values.tolist(), each.unseen, each.missing


def _width(X: object) -> int:
    """Return the number of columns, as far as it can be told without a closer look."""
    shape: tuple[int, ...] | None = getattr(X, "shape", None)
    if shape is None and isinstance(X, (list, tuple)):
        rows: Any = X
        shape = np.shape(rows)
    return shape[1] if shape is not None and len(shape) == 2 else 1 << 32


def _of_numbers(label: str) -> ValueError:
    return ValueError(
        f"feature {label!r} is categorical in the data, and a number to the model, which was trained "
        "without it in categorical_features"
    )
