"""What a data set holds, apart from how it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankforest._core import Dataset as CoreDataset
from rankforest._data.columns import refuse_to_pad
from rankforest._data.features import as_features
from rankforest._data.levels import Levels
from rankforest._data.merged_values import MergedValues
from rankforest._data.query_features import query_features
from rankforest._data.summary import DatasetSummary, summarise
from rankforest._settings.parameters import thread_count
from rankforest._support.lazy import lazy
from rankforest._support.warnings import warn
from rankforest._support.wording import first_of

if TYPE_CHECKING:
    from typing_extensions import Self

_MOST_SHOWN = 5


@dataclass(frozen=True)
class TextRule:
    """How LETOR text was read, for a model to remember."""

    zero_based: bool  #: whether the index of the first feature is 0
    absent: float  #: the value of a feature that a line does not mention: 0 or NaN
    #: How many features there are up to the last one that any line mentions. No part of the rule.
    n_mentioned: int = field(default=0, compare=False, repr=False)


class DatasetState:
    """The attributes of `Dataset`, and what follows from them."""

    X: npt.NDArray[np.float32]
    y: npt.NDArray[np.float64] | None
    weight: npt.NDArray[np.float64] | None
    query_ids: npt.NDArray[Any]
    query_codes: npt.NDArray[np.uint32]
    feature_names: tuple[str, ...] | None
    document_ids: npt.NDArray[np.object_] | None
    missing: float | None
    _n_jobs: int | None
    _text: TextRule | None  # None unless it was read from text
    _rows: npt.NDArray[np.intp] | None  # None while they are all of the caller's
    _merged: MergedValues | None  # what float32 does not tell apart, where somebody looked
    #: The kinds of features that `with_query_features` added.
    query_features: tuple[str, ...] = ()
    position: npt.NDArray[np.uint32] | None = None
    _levels: Mapping[int, Levels] = MappingProxyType({})  # of categorical columns, by number

    @classmethod
    def _from_parts(
        cls,
        *,
        X: npt.NDArray[np.float32],
        y: npt.NDArray[np.float64] | None,
        query_codes: npt.NDArray[np.uint32],
        query_ids: npt.NDArray[Any],
        weight: npt.NDArray[np.float64] | None = None,
        feature_names: tuple[str, ...] | None = None,
        document_ids: npt.NDArray[np.object_] | None = None,
        missing: float | None = None,
        n_jobs: int | None = None,
        text: TextRule | None = None,
        rows: npt.NDArray[np.intp] | None = None,
        merged: MergedValues | None = None,
        query_features: tuple[str, ...] = (),
        position: npt.NDArray[np.uint32] | None = None,
        levels: Mapping[int, Levels] = MappingProxyType({}),
    ) -> Self:
        """Make a data set of attributes that are known to be good."""
        data = cls.__new__(cls)
        data._set(
            X=X,
            y=y,
            weight=weight,
            query_ids=query_ids,
            query_codes=query_codes,
            feature_names=feature_names,
            document_ids=document_ids,
            missing=missing,
            n_jobs=n_jobs,
            _text=text,
            _rows=rows,
            _merged=merged,
            query_features=query_features,
            position=position,
            _levels=dict(levels),
        )
        return data

    def _set(self, *, n_jobs: int | None, **attributes: object) -> None:
        self.__dict__.update(attributes, _n_jobs=n_jobs)

    def _with(self, **changes: object) -> Self:
        """Return a data set with some attributes in place of this one's."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__getstate__() | changes)
        return other

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Dataset does not change; make a new one")

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without what is computed on demand."""
        return {k: v for k, v in self.__dict__.items() if k not in {"_core", "qid"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @property
    def n_documents(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def n_queries(self) -> int:
        """Number of queries, each with at least one document."""
        return len(self.query_ids)

    @lazy
    def qid(self) -> npt.NDArray[Any]:
        """The id of each document's query, shape (n_documents,)."""
        ids: npt.NDArray[Any] = self.query_ids[self.query_codes]
        return ids

    @property
    def rows(self) -> npt.NDArray[np.intp]:
        """Row numbers of the documents in what the data set was first made of, from 0.

        They stay the same through `take`, `take_rows` and splits, so that ``frame.iloc[part.rows]``
        are the documents of a part in the frame that the whole was made of.
        """
        return np.arange(self.n_documents) if self._rows is None else self._rows

    @property
    def feature_labels(self) -> tuple[str, ...]:
        """What reports call the features: their names, else their numbers.

        Features of LETOR text have the numbers of the text, which counts from 1 unless it was read
        with ``zero_based=True``; columns of an array count from 0.
        """
        if self.feature_names is not None:
            return self.feature_names
        first = 0 if self._text is None or self._text.zero_based else 1
        return tuple(str(first + j) for j in range(self.n_features))

    @property
    def levels(self) -> dict[str, Levels]:
        """Levels of each categorical column by its label, ascending; `X` has their positions."""
        labels = self.feature_labels
        return {labels[place]: self._levels[place] for place in sorted(self._levels)}

    def _refuse_levels(self, expected: str) -> None:
        """Raise a ValueError if there are categorical columns, where only numbers will do."""
        if self._levels:
            names = first_of([repr(label) for label in self.levels], _MOST_SHOWN)
            raise ValueError(f"the data has categorical columns, {names}: {expected}")

    def __repr__(self) -> str:
        grades = "no grades"
        if self.y is not None:
            grades = f"grades {self.y.min():g} to {self.y.max():g}"
        weights = "" if self.weight is None else ", weighted"
        return (
            f"Dataset({self.n_documents} documents in {self.n_queries} queries, "
            f"{self.n_features} features, {grades}{weights})"
        )

    def summary(self) -> DatasetSummary:
        """Count what matters to ranking, such as queries without a relevant document.

        Returns
        -------
        DatasetSummary
            Readable with ``print``.

        Raises
        ------
        ValueError
            If there are no grades.
        """
        return summarise(self.X, self._required_grades(), self.query_codes)

    def _widened(
        self,
        n_features: int,
        missing: float | None = None,
        query_features: tuple[str, ...] = (),
        names: tuple[str, ...] | None = None,
    ) -> Self:
        """Return what a model of `n_features` sees, to which the number `missing` means missing.

        Text has the features, too, that it does not mention. Who said what means missing in this
        data set, when it was made, is believed. The `query_features` of the model are added to data
        that has none. `names` are those of the model's features, if it knows them.
        """
        if query_features and not self.query_features:
            own = self._widened(n_features // (1 + len(query_features)), missing)
            return own._with_query_features(query_features)
        features = self.X
        if self._text is not None and not self.query_features and self.n_features < n_features:
            refuse_to_pad((names or ())[self.n_features :])
            features = np.full((self.n_documents, n_features), self._text.absent, dtype=np.float32)
            features[:, : self.n_features] = self.X
        if missing is not None and self.missing is None:
            features, _ = as_features(features, missing=missing)
            for place in self._levels if features is not self.X else ():  # no numbers
                features[:, place] = self.X[:, place]
        if features is self.X:
            return self
        return self._with(X=features, missing=self.missing if missing is None else missing)

    def _filled(self, values: npt.NDArray[np.float32]) -> Self:
        """Return the same documents with a value of each feature in place of what is missing."""
        is_missing = np.isnan(self.X)
        return self._with(X=np.where(is_missing, values, self.X)) if is_missing.any() else self

    def _with_query_features(self, kinds: tuple[str, ...]) -> Self:
        added = query_features(self.X, self.query_codes, kinds)
        labels = self.feature_labels
        names = [*labels, *(f"{label}:{kind}" for kind in kinds for label in labels)]
        return self._with(
            X=np.hstack([self.X, added]), feature_names=tuple(names), query_features=kinds
        )

    @lazy
    def _core(self) -> CoreDataset:
        """What the trainers of the compiled core take: checked, in canonical order."""
        return self._core_of(self._required_grades())

    def _core_of(self, grades: npt.NDArray[np.float64]) -> CoreDataset:
        return CoreDataset(
            self.X,
            np.ascontiguousarray(grades),
            np.ascontiguousarray(self.query_codes),
            self.n_queries,
            self.weight,
            thread_count(self._n_jobs),
            None if self.position is None else np.ascontiguousarray(self.position),
        )

    def _warn_if_merged(self) -> None:
        """Warn, for training, of features whose values float32 does not tell apart."""
        labels = None
        if self.feature_names is not None:
            labels = [repr(name) for name in self.feature_names]
        elif self._text is not None:
            labels = [f"feature {number}" for number in self.feature_labels]
        message = None if self._merged is None else self._merged.message(labels)
        if message is not None:
            warn(message)

    def _required_grades(self) -> npt.NDArray[np.float64]:
        if self.y is None:
            raise ValueError("y is missing: without grades a data set can only be scored")
        return self.y
