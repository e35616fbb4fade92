"""Training on categorical features: the grades of their documents stand for levels.

Each level becomes the mean of the grades of its documents, drawn towards the mean of all the more,
the fewer documents it has: an empirical Bayes estimate. A document of the training data must not see
its own grade in this, nor those of its query. The queries are therefore divided into folds, and the
documents of a fold see the means of the other folds. Whatever else is scored, evaluation sets
included, sees the means of the whole training data, which the model keeps.

D. Micci-Barreca, "A preprocessing scheme for high-cardinality categorical attributes in
classification and prediction problems", SIGKDD Explorations 3, 2001.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest._data.levels import FROM_DTYPE, Columns, Levels, coded, places_of
from rankforest._settings.parameters import Problems
from rankforest.categories import CategoricalFeature, Encoder, Table, table_of
from rankforest.data import Dataset
from rankforest.estimators.run import Material
from rankforest.model import Model

_Floats = npt.NDArray[np.float64]
_Codes = npt.NDArray[np.intp]

#: Parts of the training data, of which each sees the others.
N_FOLDS = 5


@dataclass(frozen=True)
class Encoding:
    """What one `fit` puts in place of levels."""

    tables: list[Table] = field(default_factory=list)  #: of the categorical features
    encoder: Encoder | None = None  #: None where there is none
    #: The training data as trees see it in training; None where there is no categorical feature.
    crossed: Dataset | None = None
    #: The same as trees see it in scoring.
    whole: Dataset | None = None

    @classmethod
    def of(cls, owner: str, settings: Mapping[str, Any], material: Material, seed: int) -> Encoding:
        """Find the numbers that stand for levels; those of `init_model` stay as they are.

        Parameters
        ----------
        owner : str
            The estimator, for messages.
        settings : mapping of str to object
            Parameters in plain form.
        material : Material
            What is trained on, and from where.
        seed : int
            Of the draw of folds.

        Raises
        ------
        ValueError
            If the data has no such features, or others are categorical, too, or if `init_model`
            has others.
        """
        data, earlier = material.train, material.start.model
        try:
            places = chosen_places(settings.get("categorical_features"), data)
        except ValueError as error:
            raise ValueError(f"{owner}: {error}") from error
        if earlier is not None:
            _check_start(earlier, places, data)
        if not places:
            return cls()
        columns = [_Column.of(data, place) for place in places]
        features = [each.feature(data) for each in columns]
        encoder = Encoder(features, data.missing)
        whole = encoder.of_dataset(data)
        if earlier is None or earlier._info.categories == _as_stored(features):
            crossed = _crossed(data, whole, columns, seed)
        else:  # the numbers of other data, which no grade of this data is in
            features = list(earlier.categories)
            encoder = Encoder(features, data.missing)
            crossed = whole = encoder.of_dataset(data)
        return cls([table_of(each) for each in features], encoder, crossed, whole)

    def of_material(self, material: Material) -> Material:
        """Return what to train and to evaluate on, with numbers in place of levels.

        Raises
        ------
        ValueError
            For an evaluation set with other categorical columns, or levels of another kind.
        """
        sets = {name: self._of_set(name, data) for name, data in material.sets.items()}
        train = material.train if self.crossed is None else self.crossed
        return replace(material, train=train, sets=sets)

    def _of_set(self, name: str, data: Dataset) -> Dataset:
        try:
            return data if self.encoder is None else self.encoder.of_dataset(data)
        except ValueError as error:
            raise ValueError(f"eval_set: {name!r}: {error}") from error


def as_trained(model: Model, data: Dataset) -> Dataset:
    """Return the training data of a model with the numbers that its training saw.

    Raises
    ------
    ValueError
        If it is not the training data.
    """
    settings = {"categorical_features": [each.feature for each in model.categories]}
    material = Material(data._widened(model.n_features, model.missing, model.query_features))
    encoding = Encoding.of("Model", settings, material, model.parameters["random_state"])
    if encoding.tables != model._info.categories or encoding.crossed is None:
        raise ValueError("the data is not what the model was trained on: its levels differ")
    return encoding.crossed


def check_categories(settings: Mapping[str, Any], problems: Problems) -> None:
    """Note categorical features of a forest that stands within another estimator."""
    if settings.get("forest", {}).get("categorical_features") is not None:
        problems.add(
            "forest.categorical_features: the forest and what boosts it see the same numbers; give "
            "categorical_features beside forest"
        )


def chosen_places(columns: Columns, data: Dataset) -> list[int]:
    """Return the numbers of the categorical features of a data set.

    Raises
    ------
    ValueError
        If there is no such feature, or the data has categorical columns that are not among them.
    """
    places = places_of(columns, data.n_features, data.feature_labels, list(data._levels))
    left = {place: levels for place, levels in data._levels.items() if place not in places}
    if left:
        data._with(_levels=left)._refuse_levels(
            f'take them as such, categorical_features="{FROM_DTYPE}", or leave them out'
        )
    return places


@dataclass(frozen=True)
class _Column:
    """A categorical feature of the training data."""

    place: int
    levels: Levels
    codes: _Codes  #: the position of each document's level; that of a missing value is `n_levels`
    #: The order of the documents in which grades are added up, which their content decides.
    order: npt.NDArray[np.intp]

    @classmethod
    def of(cls, data: Dataset, place: int) -> _Column:
        found, levels = data.X[:, place], data._levels.get(place)
        if levels is None:
            what = f"feature {data.feature_labels[place]!r}"
            found, levels = coded(what, found, data.missing)
        codes = np.where(np.isnan(found), len(levels), found).astype(np.intp)
        grades = data._required_grades()
        weights = np.ones(len(grades)) if data.weight is None else data.weight
        return cls(place, levels, codes, np.lexsort((weights, grades, codes)))

    def feature(self, data: Dataset) -> CategoricalFeature:
        """Return what stands for each level in a model: by all documents."""
        everybody = np.ones(data.n_documents, dtype=bool)
        values, is_known, unseen = self.means(data, everybody)
        levels = [level for level, known in zip(self.levels, is_known, strict=False) if known]
        return CategoricalFeature(
            self.place,
            data.feature_labels[self.place],
            tuple(levels),  # type: ignore[arg-type]
            values[:-1][is_known[:-1]],
            float(unseen),
            float(values[-1]),
        )

    def means(
        self, data: Dataset, counts: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_], np.float32]:
        """Return what stands for each level and missing, which some document has, and the mean.

        Parameters
        ----------
        data : Dataset
            The training data.
        counts : ndarray of bool, shape (n_documents,)
            The documents to learn from.
        """
        rows = self.order[counts[self.order]]
        weights = None if data.weight is None else data.weight[rows]
        means, totals, prior = level_means(
            self.codes[rows], data._required_grades()[rows], weights, len(self.levels) + 1
        )
        return means.astype(np.float32), totals > 0.0, np.float32(prior)


def level_means(
    codes: _Codes, grades: _Floats, weights: _Floats | None, n_levels: int
) -> tuple[_Floats, _Floats, float]:
    """Return the mean grade of each level, drawn towards that of all, their weights, and that mean.

    Parameters
    ----------
    codes : ndarray of int, shape (n_documents,)
        The level of each document. Sums are in the order of the documents.
    grades, weights : ndarray of float64, shape (n_documents,)
        None: each document weighs 1.
    n_levels : int
        How many levels there are; those without documents get the mean of all.

    Notes
    -----
    A level's mean weighs n / (n + m), where n is the weight of its documents and m the variance of
    grades within levels over that between levels. Both are estimated from all levels together, by
    the moments of a one-way analysis of variance with random effects. With one estimate for all,
    m is the `smooth` of scikit-learn's TargetEncoder. Its "auto" takes the variance within each
    level by itself, which is 0 where a level has one document: such a level would keep its grade.
    """
    if weights is None:
        weights = np.ones(len(codes))
    n_documents = int(np.count_nonzero(weights))
    if n_documents == 0:
        return np.zeros(n_levels), np.zeros(n_levels), 0.0
    # Sums over levels are exact before they are rounded: the names of levels do not matter.
    weights = weights * (n_documents / _sum(_added(codes, weights)))  # 1 in the mean
    n = _added(codes, weights, n_levels)
    prior = _sum(_added(codes, weights * grades)) / _sum(n)
    is_known = n > 0.0
    above = _added(codes, weights * (grades - prior), n_levels)
    above = np.divide(above, n, out=np.zeros(n_levels), where=is_known)
    within = _sum(_added(codes, weights * (grades - prior - above[codes]) ** 2))
    strength = _strength(n, above, within, n_documents)
    shares = np.divide(n, n + strength, out=np.zeros(n_levels), where=is_known)
    return prior + shares * above, n, prior


def _strength(n: _Floats, above: _Floats, within: float, n_documents: int) -> float:
    """Return how many documents the mean of all counts for; infinity where levels do not differ.

    Parameters
    ----------
    n, above : ndarray of float64, shape (n_levels,)
        The documents of each level, and by how much their mean is above that of all.
    within : float
        The sum of squared differences from the means of levels.
    n_documents : int
        The sum of `n`.
    """
    n_known = int(np.count_nonzero(n))
    if n_known < 2:
        return math.inf
    if n_documents == n_known:  # one of each level: nothing tells noise from differences
        return 1.0
    noise = within / (n_documents - n_known)
    spread = _sum(n * above * above) - (n_known - 1) * noise
    if spread <= 0.0:
        return math.inf
    return noise * (n_documents - _sum(n * n) / n_documents) / spread


def _added(codes: _Codes, values: _Floats, n_levels: int = 0) -> _Floats:
    """Return the sum of the values of each level, added in their order."""
    sums: _Floats = np.bincount(codes, values, n_levels).astype(np.float64, copy=False)
    return sums


def _sum(values: _Floats) -> float:
    """Return a sum that does not depend on the order of the values."""
    return math.fsum(values.tolist())


def _crossed(data: Dataset, whole: Dataset, columns: Sequence[_Column], seed: int) -> Dataset:
    """Return the training data, in which the documents of a fold see the grades of the others."""
    folds = folds_of(whole, seed)
    if not folds.any():  # all queries are equal: there are no others to learn from
        return whole
    X = whole.X.copy()
    for fold in range(int(folds.max()) + 1):
        is_seen = folds != fold
        rows = np.flatnonzero(~is_seen)
        for column in columns:
            values, is_known, prior = column.means(data, is_seen)
            values = np.where(is_known, values, prior)
            X[rows, column.place] = values[column.codes[rows]]
    return whole._with(X=X)


def folds_of(data: Dataset, seed: int) -> npt.NDArray[np.intp]:
    """Draw the fold of each document: whole queries, or documents where there is one query.

    The draw depends on the seed and on what the documents are: equal queries are in one fold, so
    that neither the order of the rows nor the names of queries or levels matter.

    Parameters
    ----------
    data : Dataset
        The documents, with what stands for levels by all grades.
    seed : int
        Any.

    Returns
    -------
    ndarray of int, shape (n_documents,)
        From 0 on; 0 throughout where all queries are equal.
    """
    core = data._core
    starts = np.asarray(core.offsets[:-1], dtype=np.intp)
    if len(starts) == 1:
        starts = np.arange(data.n_documents)
    sizes = np.diff(np.append(starts, data.n_documents))
    unit = np.repeat(np.arange(len(starts)), sizes)  # of each document in canonical order
    content = np.cumsum(_is_other(data, core, starts, sizes, unit))
    lots = np.random.PCG64(seed).random_raw(int(content[-1]) + 1)
    drawn = np.empty(len(lots), dtype=np.intp)
    drawn[np.argsort(lots, kind="stable")] = np.arange(len(lots))
    n_folds = min(N_FOLDS, len(lots))
    folds = np.empty(data.n_documents, dtype=np.intp)
    folds[core.order] = (drawn * n_folds // len(lots))[content[unit]]
    return folds


def _is_other(
    data: Dataset,
    core: Any,
    starts: npt.NDArray[np.intp],
    sizes: npt.NDArray[np.intp],
    unit: npt.NDArray[np.intp],
) -> npt.NDArray[np.bool_]:
    """Say of each unit in canonical order whether it differs from the one before; not the first."""
    before = np.arange(data.n_documents) - sizes[unit]  # the place in a unit of the same size
    is_equal = np.zeros(data.n_documents, dtype=bool)
    there = np.flatnonzero(before >= 0)
    hashes = core.feature_hashes()
    for values in (hashes, core.grades, core.weights):
        if values is not None:
            there = there[values[there] == values[before[there]]]
    is_equal[there] = True
    n_equal = np.add.reduceat(is_equal.astype(np.intp), starts)
    is_other = n_equal < sizes
    is_other[1:] |= sizes[1:] != sizes[:-1]
    is_other[0] = False
    return is_other


def _as_stored(features: Sequence[CategoricalFeature]) -> list[Table]:
    """Return features as the core gives them back."""
    return [table_of(each) for each in features]


def _check_start(earlier: Model, places: Sequence[int], data: Dataset) -> None:
    """Refuse a model in which other features are categorical."""
    of_model = [each.feature for each in earlier.categories]
    if of_model == list(places):
        return
    labels = data.feature_labels
    named = " and ".join(
        f"{what} {[labels[place] for place in found] or 'none'}"
        for what, found in (("the model has", of_model), ("categorical_features names", places))
    )
    raise ValueError(f"init_model: the same features must be categorical: {named}")
