"""Forests that learn from a second set: from some of its documents, or from what its model says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

import rankforest
from rankforest import Dataset, Model, RandomForest
from rankforest.transfer import (
    SourceFeatures,
    SourceSelection,
    select_source,
    shared_features,
    with_features,
)


class Transferred(BaseEstimator):  # type: ignore[misc]  # scikit-learn ships no types
    """A forest on a target set, with the help of a source.

    Parameters
    ----------
    n_estimators : int
        Trees of the forest.
    parameters : dict
        Others of RandomForest.
    percent : float
        Share of the source's documents that are added, in percent; 0 for none. The forest then
        sees the features that both sets have.
    unit : str
        Whether documents or queries are added.
    kinds : str
        Which outputs of a forest of the source are added as features, out of "QPC".
    source_trees : int
        Trees of the source's forest.
    only_shared : bool
        Whether the forest sees the features of both sets alone.
    names : dict
        "source" and "target" -> names of their features, by which they are matched; the numbers of
        the text without.
    query_level : bool
        Whether the source's features are first scaled from 0 to 1 within each query, as the
        target's are.
    grade_scale : float
        What the source's grades are multiplied by.
    random_state, n_jobs
        As of any estimator.
    """

    def __init__(
        self,
        *,
        n_estimators: int = 1000,
        parameters: Mapping[str, Any] | None = None,
        percent: float = 0.0,
        unit: str = "document",
        kinds: str = "",
        source_trees: int = 1000,
        only_shared: bool = True,
        names: Mapping[str, Sequence[str]] | None = None,
        query_level: bool = False,
        grade_scale: float = 1.0,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.parameters = parameters
        self.percent = percent
        self.unit = unit
        self.kinds = kinds
        self.source_trees = source_trees
        self.only_shared = only_shared
        self.names = names
        self.query_level = query_level
        self.grade_scale = grade_scale
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, train: Dataset, *, eval_set: Dataset, source: Dataset) -> Transferred:
        """Train on the target, and on what the source gives."""
        source = _as_source(
            source, self._names("source"), scaled=self.query_level, factor=self.grade_scale
        )
        named = _named(train, self._names("target"))
        self._shared = shared_features(source, named)
        self._added: SourceFeatures | None = None
        if self.kinds:
            forest = self._source_forest(source)
            self._added = SourceFeatures(forest, self.kinds, n_jobs=self.n_jobs).fit(named)
        train = self.inputs(train)
        if self.percent:
            chosen = _selection(source, named, self.random_state, self.n_jobs)
            chosen = chosen.at(self.percent / 100, unit=self.unit)  # type: ignore[arg-type]
            more = with_features(chosen.data, train.feature_names or ())
            train = rankforest.concat([train, more], queries="rename")
        forest = RandomForest(n_estimators=self.n_estimators, **self._of_run())
        self.model_: Model = forest.fit(train, eval_set=self.inputs(eval_set)).model_
        return self

    def _of_run(self) -> dict[str, Any]:
        return {
            **(self.parameters or {}),
            "random_state": self.random_state,
            "n_jobs": self.n_jobs,
        }

    def _source_forest(self, source: Dataset) -> Model:
        parameters = (*self._of_run().items(), ("n_estimators", self.source_trees))
        if set(self.kinds) != {"Q"}:
            parameters = (*parameters, ("ordinal", True))
        return _forest_of(source, self._shared, parameters)

    def _names(self, which: str) -> tuple[str, ...] | None:
        return None if self.names is None else tuple(self.names[which])

    def inputs(self, data: Dataset) -> Dataset:
        """Return documents as the model takes them."""
        data = _named(data, self._names("target"))
        if self._added is not None:
            return self._added.transform(data)  # type: ignore[no-any-return]
        return with_features(data, self._shared if self.only_shared else data.feature_labels)

    @property
    def best_iteration_(self) -> int:
        """Trees of the model."""
        return self.model_.n_trees

    def predict(self, data: Dataset) -> npt.NDArray[np.float64]:
        """Return the model's scores."""
        return self.model_.predict(self.inputs(data))


# Rows of a table share the source, its selection and its forest; data sets are told apart as objects.


def _named(data: Dataset, names: tuple[str, ...] | None) -> Dataset:
    return data if names is None else _renamed(data, names)


@lru_cache(maxsize=4)
def _renamed(data: Dataset, names: tuple[str, ...]) -> Dataset:
    return data._widened(len(names))._with(feature_names=names, _text=None)


@lru_cache(maxsize=1)
def _as_source(
    data: Dataset, names: tuple[str, ...] | None, *, scaled: bool, factor: float
) -> Dataset:
    data = _named(data, names)
    if scaled:
        within = data.with_query_features("minmax").X[:, data.n_features :]
        data = data._with(X=np.ascontiguousarray(within))
    return data._with(y=factor * data._required_grades())


@lru_cache(maxsize=1)
def _selection(source: Dataset, target: Dataset, seed: int, n_jobs: int | None) -> SourceSelection:
    return select_source(source, target, 1.0, random_state=seed, n_jobs=n_jobs)


@lru_cache(maxsize=2)
def _forest_of(
    source: Dataset, shared: tuple[str, ...], parameters: tuple[tuple[str, Any], ...]
) -> Model:
    forest = RandomForest(**dict(parameters))
    model: Model = forest.fit(with_features(source, shared)).model_
    return model
