"""Linear models for other systems: Solr's LinearModel and Elasticsearch's ``model/linear``.

Both hold a weight in float32 of each feature, by name, and no constant. A score is the sum in
float32, feature by feature, of products in float32; a feature that a document lacks is 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankforest.exchange.forest import LARGEST
from rankforest.exchange.places import Place, parsed
from rankforest.exchange.thresholds import shortest32

if TYPE_CHECKING:
    from rankforest.model import Model

Floats = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float64]

_SOLR = "org.apache.solr.ltr.model.LinearModel"
_ELASTICSEARCH = "model/linear"


@dataclass(frozen=True)
class LinearFormat:
    """A format of linear models.

    Attributes
    ----------
    write : callable
        Makes the text of weights by name, the name of the model and Solr's store.
    read : callable
        Gives the weights back, out of the bytes.
    system : str
        What messages call the target.
    has_feature_sets : bool
        Whether a feature set must have the features.
    """

    write: Callable[[Mapping[str, np.float32], str, str | None], str]
    read: Callable[[bytes], dict[str, np.float32]]
    system: str
    has_feature_sets: bool = False


@dataclass(frozen=True, eq=False)
class LinearModel:
    """The weights of a model, as a target holds them.

    Attributes
    ----------
    weights : ndarray of float32, shape (n_features,)
        By column.
    base : float
        What the model adds to each score and the target does not.
    """

    weights: Floats
    base: float


def linear_model_of(model: Model, target: str) -> LinearModel:
    """Return the weights of a model that is linear.

    Raises
    ------
    ValueError
        If a score is more than a weighted sum of the values of a document; the message says what.
    """
    ensemble = model._ensemble
    coef = model.coef
    if coef is None:
        raise ValueError(
            f"{target}: the model has trees, and the format has weights of features only: "
            "RankSVM, CoordinateAscent and AdaRank train linear models"
        )
    if model.n_trees:
        raise ValueError(f"{target}: the model has trees beside weights of features")
    if not ensemble.is_sum:
        raise ValueError(
            f"{target}: the model combines its members within queries ({ensemble.combine}), which "
            "no other system does; a bag with combine='mean' can be written"
        )
    members = ensemble.to_arrays()["members"]
    for member in members:
        kind = member.get("linear", {}).get("normalization", "none")
        if kind != "none":
            raise ValueError(
                f"{target}: the model weighs values that are normalised within each query ({kind}), "
                "which the target cannot do; one of query_normalization=None can be written"
            )
    weights = coef.astype(np.float64).sum(axis=0)
    with np.errstate(over="ignore"):
        rounded = weights.astype(np.float32)
    if not np.isfinite(rounded).all():
        raise ValueError(f"{target}: the sum of the members' weights is beyond float32")
    return LinearModel(rounded, float(sum(member["base"] for member in members)))


def by_name(weights: Floats, names: Sequence[str]) -> dict[str, np.float32]:
    """Return the weights that are not 0 by the names of the columns; of a model of zeros, all."""
    used = np.flatnonzero(weights) if weights.any() else np.arange(len(weights))
    return {names[i]: weights[i] for i in used.tolist()}


def linear_scores(weights: Mapping[str, np.float32], names: Sequence[str], X: Floats) -> Scores:
    """Score documents by the rules of the targets, NaN as 0."""
    columns = {name: i for i, name in enumerate(names)}
    values = np.where(np.isnan(X), np.float32(0), np.clip(X, -LARGEST, LARGEST))
    sums = np.zeros(len(values), dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        for name, weight in weights.items():
            sums += values[:, columns[name]] * weight
    return sums.astype(np.float64)


def largest_errors(weights: Floats, X: Floats) -> Scores:
    """Bound how far such a sum of each document may be from the exact one."""
    values = np.where(np.isnan(X), 0.0, np.clip(X, -LARGEST, LARGEST)).astype(np.float64)
    unit = float(np.finfo(np.float32).eps)
    sizes = np.abs(values) @ np.abs(weights.astype(np.float64))
    return np.asarray(sizes * ((len(weights) + 4) * unit) + len(weights) * 1e-44)


def _solr_json(weights: Mapping[str, np.float32], name: str, store: str | None) -> str:
    head = {"class": _SOLR, "name": name, **({} if store is None else {"store": store})}
    features = [{"name": each} for each in weights]
    return (
        f'{json.dumps(head)[:-1]}, "features": {json.dumps(features)},\n'
        f'"params": {{"weights": {_weights_text(weights)}}}}}\n'
    )


def _read_solr(content: bytes) -> dict[str, np.float32]:
    model = Place(parsed(content))
    kind = model["class"]
    kind.require(kind.text() == _SOLR, _SOLR)
    weights = model["params"]["weights"]
    names = [place["name"].text() for place in model["features"].items()]
    return {name: np.float32(weights[name].number()) for name in names}


def _elasticsearch_json(weights: Mapping[str, np.float32], name: str, _store: str | None) -> str:
    definition = _weights_text(weights)
    model = {"name": name, "model": {"type": _ELASTICSEARCH, "definition": definition}}
    return json.dumps({"model": model}) + "\n"


def _read_elasticsearch(content: bytes) -> dict[str, np.float32]:
    model = Place(parsed(content))["model"]["model"]
    model["type"].require(model["type"].text() == _ELASTICSEARCH, _ELASTICSEARCH)
    values: dict[str, Any] = parsed(model["definition"].text())
    weights = Place(values, f"{model.where}.definition")
    return {name: np.float32(weights[name].number()) for name in values}


def _weights_text(weights: Mapping[str, np.float32]) -> str:
    return "{" + ", ".join(f"{json.dumps(n)}: {shortest32(w)}" for n, w in weights.items()) + "}"


LINEAR_FORMATS: dict[str, LinearFormat] = {
    "solr-linear": LinearFormat(_solr_json, _read_solr, "Solr"),
    "elasticsearch-linear": LinearFormat(
        _elasticsearch_json, _read_elasticsearch, "the Elasticsearch plugin", has_feature_sets=True
    ),
}
