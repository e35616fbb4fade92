"""What a model knows of itself: how it was trained, on which columns, and how large it is."""

from __future__ import annotations

import json
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._data.query_features import checked_kinds
from rankforest._settings.fills import OF_DATA, checked_values, given_values, is_fill
from rankforest._settings.parameters import RULES
from rankforest._support.lazy import lazy

if TYPE_CHECKING:
    from rankforest.categories import CategoricalFeature


class Facts:
    """The part of a `Model` that says what it is."""

    _ensemble: _core.Ensemble
    _info: _core.ModelInfo

    @property
    def algorithm(self) -> str:
        """What trained the model."""
        return self._info.algorithm

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of its training."""
        return _parse(self._info.parameters_json, "parameters")

    @lazy
    def query_features(self) -> tuple[str, ...]:
        """The kinds of `Dataset.with_query_features` that it was trained with.

        A `Dataset` without them gets them when it is scored. Arrays must have their columns.
        """
        kinds = self.parameters.get("query_features")
        if kinds is None:
            return ()
        if not isinstance(kinds, list) or self.n_features % (1 + len(kinds)) != 0:
            raise ValueError(f"the model's query features do not fit its columns: {kinds!r}")
        try:
            return checked_kinds(kinds)
        except ValueError as error:
            raise ValueError(f"the model's query features: {error}") from error

    @property
    def data_summary(self) -> dict[str, Any]:
        """The size of the training data."""
        return _parse(self._info.summary_json, "data summary")

    @property
    def n_features(self) -> int:
        """Number of columns of the training data."""
        return self._ensemble.n_features

    @property
    def coef(self) -> npt.NDArray[np.float32] | None:
        """Weights of linear parts, of shape (n_members, n_features); None if there is none."""
        if not self._ensemble.has_linear:
            return None
        members = self._ensemble.to_arrays()["members"]
        coef = np.zeros((len(members), self.n_features), dtype=np.float32)
        for weights, member in zip(coef, members, strict=True):
            if "linear" in member:
                weights[member["linear"]["feature"]] = member["linear"]["weight"]
        return coef

    @lazy
    def categories(self) -> tuple[CategoricalFeature, ...]:
        """The categorical features, and what its trees see in place of their levels.

        They are looked up in whatever is scored: a data frame or `Dataset` like that of training.
        A level that training did not see is no error: it gets what stands for unseen ones.
        """
        from rankforest.categories import features_of  # noqa: PLC0415  # it takes data sets

        tables = self._info.categories
        return features_of(tables, self._feature_labels) if tables else ()

    def _features_asked(self) -> npt.NDArray[np.bool_]:
        """Say of each feature whether a score may depend on it."""
        if not self._ensemble.has_linear:
            return self._ensemble.importances("split") > 0
        asked = np.zeros(self.n_features, dtype=np.bool_)
        for member in self._ensemble.to_arrays()["members"]:
            asked[member.get("linear", {}).get("feature", [])] = True
            for group in member["groups"]:
                for tree in group["trees"]:
                    asked[tree["feature"]] = True
        return asked

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """Names of the columns, or None."""
        return tuple(self._info.feature_names) or None

    @property
    def _feature_labels(self) -> tuple[str, ...]:
        """What reports call the features: their names, else their numbers.

        Features of LETOR text have the numbers of the text that the model was trained on; columns
        of an array count from 0.
        """
        first = 1 if self.data_summary.get("from_text") is True and not self.zero_based else 0
        return self.feature_names or tuple(str(first + j) for j in range(self.n_features))

    def _labels_for(self, names: tuple[str, ...] | None) -> tuple[str, ...]:
        """Return `_feature_labels`, or the names of other data where the model knows no names."""
        return self._feature_labels if names is None or self.feature_names else names

    @property
    def zero_based(self) -> bool:
        """How to read LETOR text for this model: `zero_based` of `read_letor`."""
        return self._info.index_base == 0

    @property
    def absent(self) -> float:
        """How to read LETOR text for this model: `absent` of `read_letor`."""
        return nan if self._info.absent_is_nan else 0.0

    @lazy
    def missing(self) -> float | None:
        """The number that means missing: `missing` of the training data's `Dataset`.

        All methods of a model that score take it as missing, also in arrays and frames; a Dataset
        that was itself made with a number of its own keeps that one. The scorers of the C++ and C
        libraries and the header of `save_cpp` do not know it: they need NaN in its place.
        """
        missing = self.data_summary.get("missing")
        return float(missing) if isinstance(missing, (int, float)) else None

    @lazy
    def fill_values(self) -> npt.NDArray[np.float32] | None:
        """What stands for a missing value of each feature, shape (n_features,); None if nothing.

        That is the parameter `missing` of the training, or what it says of the training data: 0
        for the mean or median of a feature without any value. Infinities are the largest numbers
        of float32. Every scorer sends a missing value where this one goes, without knowing it.
        """
        missing = RULES["missing"].check("missing", self.parameters.get("missing", "learn"))
        if not is_fill(missing):
            return None
        if missing not in OF_DATA:
            return given_values(missing, self.n_features)
        return checked_values(self.data_summary.get("fill_values"), self.n_features)

    @property
    def n_rounds(self) -> int:
        """Rounds of boosting, or trees of a forest."""
        return self._ensemble.n_rounds

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return self._ensemble.n_trees


def _parse(text: str, what: str) -> dict[str, Any]:
    """Return the object that a JSON text holds; a file may hold any text."""
    if not text:
        return {}
    try:
        values = json.loads(text)
    except ValueError as error:
        raise ValueError(f"the model's {what} are not JSON: {error}") from error
    if isinstance(values, dict):
        return values
    raise ValueError(f"the model's {what} must be a JSON object, got {text!r}")
