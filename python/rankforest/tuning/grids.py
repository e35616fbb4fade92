"""Search spaces that have a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankforest._support.wording import nearest
from rankforest.estimators.bagging import Bagging

#: By the names that `tune` takes: the values that Ganjisaffar et al. 2011 tried (table 2). Their
#: "min percentage of observations per leaf" is a share of the documents here: 0.25 % is 0.0025.
GRIDS: Mapping[str, Mapping[str, object]] = {
    "blmart": {
        "max_leaf_nodes": [2, 4, 7, 10, 15, 20, 25],
        "min_samples_leaf": [0.0012, 0.0025, 0.005],
        "learning_rate": [0.05, 0.1, 0.2, 0.3],
        "subsample": [0.3, 0.5, 1.0],
        "max_features": [0.1, 0.3, 0.5, 1.0],
    },
    "blmart_large": {
        "max_leaf_nodes": [10, 40, 70],
        "min_samples_leaf": [0.0012, 0.0025, 0.005],
        "learning_rate": [0.05, 0.1, 0.2],
        "subsample": [0.5, 1.0],
        "max_features": [0.3, 0.5, 1.0],
    },
}

_OF_FORESTS: Mapping[str, object] = {
    "max_features": (0.05, 1.0),
    "min_samples_leaf": (1, 50, "log"),
    "subsample": (0.05, 1.0, "log"),
}
_OF_BOOSTING: Mapping[str, object] = {
    "learning_rate": (0.02, 0.3, "log"),
    "max_features": (0.1, 1.0),
    "min_samples_leaf": (5, 200, "log"),
    "subsample": (0.3, 1.0),
}
#: Of BROOF where forests draw documents by their errors: of eta.
_OF_WEIGHTS: Mapping[str, object] = {"learning_rate": (0.1, 1.0, "log")}
#: Of linear rankers and RankBoost, each as far as it has them.
_OF_OTHERS: Mapping[str, object] = {
    "C": (1e-6, 10.0, "log"),
    "query_normalization": ["sum", "minmax", "zscore"],
    "max_repeats": [1, 5, 20],
    "n_points": [11, 21, 41],
    "n_thresholds": [10, 30, 100],
}

#: The size of trees, by the parameter that limits it by default.
_SIZES: Mapping[str, object] = {"max_leaf_nodes": (4, 64, "log"), "max_depth": (2, 8)}

#: The name of the space that depends on the estimator.
DEFAULT = "default"


def named_space(estimator: Any, name: str) -> Mapping[str, object]:
    """Return the space of a name, for an estimator.

    "default" leaves out the parameters that have another value than their default. Of a bag of any
    estimator it is the space of its members.

    Raises
    ------
    ValueError
        If there is none.
    """
    if name == DEFAULT:
        return _bagged_space(estimator) or _default_space(estimator)
    if name not in GRIDS:
        known = [DEFAULT, *GRIDS]
        near = nearest(name, known)
        hint = "" if near is None else f"; did you mean {near!r}?"
        raise ValueError(
            f"space must be a dict or one of {', '.join(map(repr, known))}, got {name!r}{hint}"
        )
    return GRIDS[name]


def _bagged_space(estimator: Any) -> Mapping[str, object]:
    """Return the space of the members of a bag of any estimator; empty for other estimators."""
    if not isinstance(estimator, Bagging):
        return {}
    return {f"estimator__{name}": each for name, each in _default_space(estimator._member).items()}


def _default_space(estimator: Any) -> Mapping[str, object]:
    """Return ranges for the kind of the estimator, as far as it has the parameters."""
    owner = type(estimator).__name__
    usual = type(estimator)().get_params(deep=False)
    ranges = dict(_OF_BOOSTING if "learning_rate" in usual else _OF_FORESTS)
    if "max_features" not in usual:
        ranges = dict(_OF_OTHERS)
    elif "learning_rate" in usual:
        ranges |= {name: size for name, size in _SIZES.items() if usual.get(name) is not None}
        ranges |= _OF_WEIGHTS if getattr(estimator, "variant", "gradient") != "gradient" else {}
    known = {name: each for name, each in ranges.items() if name in usual}
    space = {name: each for name, each in known.items() if getattr(estimator, name) == usual[name]}
    if not space:
        raise ValueError(
            f"space: the default one of {owner} is {', '.join(known) or 'empty'}, and all of it is "
            "given other values; give a dict"
        )
    return space
