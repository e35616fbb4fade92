"""The formats that models are written in: how each is made, and who scores it to check it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest.exchange import (
    elasticsearch,
    lightgbm_text,
    onnx_model,
    quickrank,
    ranklib,
    solr,
    treelite_model,
    vespa,
    xgboost_dump,
    xgboost_model,
)
from rankforest.exchange.evaluate import evaluate
from rankforest.exchange.extras import installed, required
from rankforest.exchange.forest import Forest
from rankforest.exchange.linear import LINEAR_FORMATS

Floats = npt.NDArray[np.float32]
Scores = npt.NDArray[np.float64]
Names = tuple[str, ...]


@dataclass(frozen=True)
class Naming:
    """What a file calls things."""

    features: Names
    model: str
    store: str | None


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes
    ----------
    write : callable
        Makes the bytes of a forest of ours and of names.
    score : callable
        Scores the bytes by the rules of the target, of documents and the names of the columns.
    judge : callable
        What that is, in words.
    knows_missing : bool
        Whether a node says where NaN goes.
    needs_names : bool
        Whether features are known by name.
    admit : callable
        Makes of any documents such as the target takes as they are.
    total : type
        The width in which scores are summed up.
    sayable : callable
        Makes of a forest the nearest one that the format can say, with notes on what changed.
    by_position : bool
        Whether features are known by their position in a feature set; None without such sets.
    """

    write: Callable[[Forest, Naming], bytes]
    score: Callable[[bytes, Floats, Names], Scores]
    judge: Callable[[], str]
    knows_missing: bool = True
    needs_names: bool = False
    admit: Callable[[Floats], Floats] = field(default=lambda X: X)
    total: type[np.floating[Any]] = np.float32
    sayable: Callable[[Forest], tuple[Forest, list[str]]] = lambda forest: (forest, [])
    by_position: bool | None = None


def _finite(X: Floats) -> Floats:
    largest = np.finfo(np.float32).max
    return np.clip(X, -largest, largest)


def _without_tiny(X: Floats) -> Floats:
    """LightGBM takes numbers up to 1e-35 for 0, and infinities for 1e300."""
    return np.where(np.abs(X) <= np.float32(1e-35), np.float32(0), _finite(X))


def _lightgbm(forest: Forest, naming: Naming) -> bytes:
    prepared = lightgbm_text.for_lightgbm(forest)
    return lightgbm_text.lightgbm_text(prepared, naming.features).encode()


def _score_lightgbm(content: bytes, X: Floats, _names: Names) -> Scores:
    if installed("lightgbm"):
        booster = required("lightgbm").Booster(model_str=content.decode())
        return np.asarray(booster.predict(X, raw_score=True), dtype=np.float64)
    ensemble, _ = _core.Ensemble.from_bytes(content)
    return ensemble.predict(X, None, 1)


def _xgboost_json(forest: Forest, naming: Naming) -> bytes:
    prepared = xgboost_model.for_xgboost(forest)
    return xgboost_model.xgboost_json(prepared, naming.features).encode()


def _xgboost_ubj(forest: Forest, naming: Naming) -> bytes:
    prepared = xgboost_model.for_xgboost(forest)
    return xgboost_model.xgboost_ubjson(prepared, naming.features)


def _score_xgboost(content: bytes, X: Floats, names: Names) -> Scores:
    if not installed("xgboost"):
        return evaluate(xgboost_model.read_xgboost(content), X)
    xgboost = required("xgboost")
    booster = xgboost.Booster(model_file=bytearray(content))
    matrix = xgboost.DMatrix(X, feature_names=list(names) or None)
    return np.asarray(booster.predict(matrix, output_margin=True), dtype=np.float64)


def _ranklib(forest: Forest, _naming: Naming) -> bytes:
    return ranklib.ranklib_text(ranklib.for_ranklib(forest)).encode()


def _score_ranklib(content: bytes, X: Floats, _names: Names) -> Scores:
    return evaluate(ranklib.read_ranklib(content.decode()), X)


def _quickrank(forest: Forest, _naming: Naming) -> bytes:
    return quickrank.quickrank_xml(quickrank.for_quickrank(forest)).encode()


def _score_quickrank(content: bytes, X: Floats, _names: Names) -> Scores:
    return evaluate(quickrank.read_quickrank(content.decode()), X)


def _solr(forest: Forest, naming: Naming) -> bytes:
    prepared = solr.prepared_for_solr(forest)
    return solr.solr_json(prepared, naming.features, naming.model, naming.store).encode()


def _score_solr(content: bytes, X: Floats, names: Names) -> Scores:
    return evaluate(solr.read_solr(content, names), X)


def _elasticsearch_ranklib(forest: Forest, naming: Naming) -> bytes:
    prepared = ranklib.for_ranklib(forest)
    return elasticsearch.ranklib_body(prepared, naming.model).encode()


def _elasticsearch_xgboost(forest: Forest, naming: Naming) -> bytes:
    prepared = elasticsearch.for_dump(forest)
    return elasticsearch.xgboost_body(prepared, naming.features, naming.model).encode()


def _score_elasticsearch(content: bytes, X: Floats, names: Names) -> Scores:
    return evaluate(elasticsearch.read_body(content, names), X)


def _vespa_xgboost(forest: Forest, naming: Naming) -> bytes:
    prepared = elasticsearch.for_dump(forest)
    return xgboost_dump.dump_text(prepared.trees, naming.features).encode()


def _score_vespa_xgboost(content: bytes, X: Floats, names: Names) -> Scores:
    return evaluate(vespa.read_vespa_xgboost(content, names), X)


def _vespa_lightgbm(forest: Forest, naming: Naming) -> bytes:
    prepared = vespa.for_vespa_lightgbm(forest)
    return vespa.vespa_lightgbm_json(prepared, naming.features).encode()


def _score_vespa_lightgbm(content: bytes, X: Floats, _names: Names) -> Scores:
    return evaluate(vespa.read_vespa_lightgbm(content), X)


def _onnx(forest: Forest, naming: Naming) -> bytes:
    return onnx_model.onnx_bytes(onnx_model.for_onnx(forest), naming.features)


def _score_onnx(content: bytes, X: Floats, _names: Names) -> Scores:
    return onnx_model.onnx_scores(content, X)


def _treelite(forest: Forest, _naming: Naming) -> bytes:
    model = treelite_model.treelite_of(treelite_model.for_treelite(forest))
    return bytes(model.serialize_bytes())


def _score_treelite(content: bytes, X: Floats, _names: Names) -> Scores:
    return treelite_model.treelite_scores(content, X)


def _either(module: str, name: str, else_: str) -> Callable[[], str]:
    return lambda: name if installed(module) else else_


def _rules_of(name: str) -> Callable[[], str]:
    return lambda: f"an evaluator of {name}'s rules"


_XGBOOST = _either("xgboost", "XGBoost", "an evaluator of XGBoost's rules")

FORMATS: dict[str, Format] = {
    "lightgbm": Format(
        _lightgbm,
        _score_lightgbm,
        _either("lightgbm", "LightGBM", "rankforest's reader of LightGBM's text"),
        admit=_without_tiny,
        total=np.float64,
    ),
    "xgboost-json": Format(_xgboost_json, _score_xgboost, _XGBOOST, admit=_finite),
    "xgboost-ubj": Format(_xgboost_ubj, _score_xgboost, _XGBOOST, admit=_finite),
    "ranklib": Format(_ranklib, _score_ranklib, _rules_of("RankLib"), knows_missing=False),
    "quickrank": Format(
        _quickrank, _score_quickrank, _rules_of("QuickRank"), knows_missing=False, total=np.float64
    ),
    "solr": Format(
        _solr,
        _score_solr,
        _rules_of("Solr"),
        knows_missing=False,
        needs_names=True,
        admit=_finite,
        sayable=solr.sayable_by_solr,
    ),
    "elasticsearch-ranklib": Format(
        _elasticsearch_ranklib,
        _score_elasticsearch,
        _rules_of("the Elasticsearch plugin"),
        knows_missing=False,
        by_position=True,
    ),
    "elasticsearch-xgboost": Format(
        _elasticsearch_xgboost,
        _score_elasticsearch,
        _rules_of("the Elasticsearch plugin"),
        needs_names=True,
        admit=_finite,
        by_position=False,
    ),
    "vespa-xgboost": Format(
        _vespa_xgboost,
        _score_vespa_xgboost,
        _rules_of("Vespa"),
        needs_names=True,
        admit=_finite,
        total=np.float64,
    ),
    "vespa-lightgbm": Format(
        _vespa_lightgbm,
        _score_vespa_lightgbm,
        _rules_of("Vespa"),
        needs_names=True,
        admit=_finite,
        total=np.float64,
    ),
    "onnx": Format(_onnx, _score_onnx, _either("onnxruntime", "ONNX Runtime", "onnx's evaluator")),
    "treelite": Format(
        _treelite, _score_treelite, _either("treelite", "treelite", "treelite"), total=np.float64
    ),
}


def format_of(name: object) -> Format:
    """Return the format of a name, or raise a ValueError that lists them."""
    if not isinstance(name, str) or name not in FORMATS:
        known = ", ".join([*FORMATS, *LINEAR_FORMATS])
        raise ValueError(f"format must be one of {known}; got {name!r}")
    return FORMATS[name]
