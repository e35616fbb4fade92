"""Files of other systems that are read as models, told apart by their content."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rankforest import _core
from rankforest._support.warnings import warn
from rankforest.exchange.catboost_model import read_catboost, read_cbm
from rankforest.exchange.forest import Forest
from rankforest.exchange.jforests import read_jforests
from rankforest.exchange.places import Place, parsed
from rankforest.exchange.quickrank import read_quickrank
from rankforest.exchange.ranklib import read_ranklib
from rankforest.exchange.solr import read_solr
from rankforest.exchange.to_model import model_parts
from rankforest.exchange.xgboost_dump import read_dump
from rankforest.exchange.xgboost_model import read_xgboost

_SOLR = rb"org\.apache\.solr\.ltr\.model\.MultipleAdditiveTreesModel"


def _text(read: Callable[[str], Forest]) -> Callable[[bytes], Forest]:
    def read_bytes(content: bytes) -> Forest:
        try:
            return read(content.decode())
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ValueError(f"line {line}: a byte that is no UTF-8") from None

    return read_bytes


def _read_dump(content: bytes) -> Forest:
    warn(
        "a dump of XGBoost has neither its base score nor the weights of dart, and rounds "
        "thresholds of whole numbers: save_model() writes all of the model"
    )
    return read_dump(content)


def _read_solr(content: bytes) -> Forest:
    names = [place["name"].text() for place in Place(parsed(content))["features"].items()]
    return replace(read_solr(content, names), algorithm="solr")


_RANKERS = (
    "LambdaMART|MART|Random Forests|Coordinate Ascent|AdaRank|RankBoost|RankNet|LambdaRank|ListNet|"
    "Linear Regression"
)
_START = rb"\A(\xef\xbb\xbf)?\s*"  # a byte order mark, and blanks

#: What a file starts with, or has near its start, and who reads it; the first that fits.
_READERS: tuple[tuple[bytes, Callable[[bytes], Forest] | None], ...] = (
    (rb"\ACBM1", read_cbm),
    (rb"\A\{L.{7}\x07learner", read_xgboost),
    (_START + rf"## ({_RANKERS})".encode(), _text(read_ranklib)),
    (_START + rb"<ranker>", _text(read_quickrank)),
    (_START + rb"<Ensemble>", _text(read_jforests)),
    (_START + rb'\[.*"nodeid"', _read_dump),
    (_START + rb'\{.*"rankforest model"', None),
    (_START + rb'\{.*"learner"', read_xgboost),
    (_START + rb'\{.*"(features_info|oblivious_trees)"', read_catboost),
    (_START + rb"\{.*" + _SOLR, _read_solr),
)


def reader_for(start: bytes) -> Callable[[bytes], Forest] | None:
    """Return what reads a file that starts like this, or None."""
    for pattern, read in _READERS:
        if re.match(pattern, start, re.DOTALL):
            return read
    return None


def read_foreign(
    read: Callable[[bytes], Forest], content: bytes
) -> tuple[_core.Ensemble, _core.ModelInfo]:
    """Read a file of another system.

    Raises
    ------
    ValueError
        If it is not valid; the message has the place.
    """
    try:
        with np.errstate(over="ignore"):  # what float32 cannot hold is infinite, and so refused
            return model_parts(read(content))
    except (RecursionError, MemoryError, OverflowError) as error:
        raise ValueError(f"the file cannot be a model: {type(error).__name__}") from None
