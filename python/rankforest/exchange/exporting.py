"""Writing a model in the format of another system."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankforest import _core
from rankforest._support.paths import StrPath, expanded
from rankforest.data import Dataset
from rankforest.exchange import elasticsearch
from rankforest.exchange.formats import Naming, format_of
from rankforest.exchange.from_model import forest_of
from rankforest.exchange.linear import (
    LINEAR_FORMATS,
    by_name,
    largest_errors,
    linear_model_of,
    linear_scores,
)
from rankforest.exchange.parity import Parity, Written, compare_scores, compared
from rankforest.exchange.without_missing import missing_goes_as_zero, without_missing

if TYPE_CHECKING:
    from rankforest.model import Model


@dataclass(frozen=True)
class ExportReport:
    """What `Model.export` wrote.

    Attributes
    ----------
    format : str
        The format.
    n_bytes : int
        Size of the file.
    notes : tuple of str
        What whoever serves the file has to know, such as that missing values must be given as 0.
    shift : float
        What was added to every score so that none is negative.
    parity : Parity or None
        How its scores compare with the model's, if that was asked for.
    """

    format: str
    n_bytes: int
    notes: tuple[str, ...] = ()
    shift: float = 0.0
    parity: Parity | None = None


@dataclass(frozen=True)
class ExportOptions:
    """What `Model.export` takes besides the path and the format."""

    feature_names: Sequence[str] | None = None
    feature_set: Sequence[str] | None = None
    name: str = "rankforest"
    store: str | None = None
    non_negative: bool = False


def export(
    model: Model, path: StrPath, format_name: str, verify: Any, options: ExportOptions
) -> ExportReport:
    """Write a model: see `Model.export`."""
    if format_name in LINEAR_FORMATS:
        return _export_linear(model, path, format_name, verify, options)
    written, notes, shift = written_as(model, format_name, options)
    parity = None if verify is None else check(model, written, verify)
    _core.write_file(os.fsencode(expanded(path)), written.content)
    return ExportReport(format_name, len(written.content), tuple(notes), shift, parity)


def _export_linear(
    model: Model, path: StrPath, format_name: str, verify: Any, options: ExportOptions
) -> ExportReport:
    """Write the weights of a linear model."""
    target = LINEAR_FORMATS[format_name]
    linear = linear_model_of(model, format_name)
    if options.non_negative:
        raise ValueError(
            f"non_negative: {format_name} has no constant that could be added to the scores"
        )
    by_position = False if target.has_feature_sets else None
    names = _names(model, format_name, options, by_position=by_position, needs_names=True)
    weights = by_name(linear.weights, names)
    content = target.write(weights, options.name, options.store).encode()
    notes = [*_notes(model), "a missing value is 0 in every product: give 0 in its place"]
    if linear.base:
        notes.append(
            f"the constant {linear.base!r}, which orders nothing, is left out of all scores"
        )
    parity = None
    if verify is not None:
        X, codes = _documents(model, verify)
        expected = model._ensemble.predict(X, None, 1) - linear.base
        got = linear_scores(target.read(content), names, X)
        judge = f"an evaluator of {target.system}'s rules"
        parity = compared(judge, codes, expected, got, largest_errors(linear.weights, X))
    _core.write_file(os.fsencode(expanded(path)), content)
    return ExportReport(format_name, len(content), tuple(notes), 0.0 - linear.base, parity)


def written_as(
    model: Model, format_name: str, options: ExportOptions
) -> tuple[Written, list[str], float]:
    """Make the bytes of a file, with notes and what was added to scores."""
    target = format_of(format_name)
    names = _names(
        model,
        format_name,
        options,
        by_position=target.by_position,
        needs_names=target.needs_names,
    )
    forest = forest_of(model, format_name)
    notes = _notes(model)
    as_zero = None
    if not target.knows_missing:
        as_zero = missing_goes_as_zero(forest)
        forest, more = without_missing(forest, model, format_name)
        notes += more
    shift = 0.0
    if options.non_negative:
        forest, shift = elasticsearch.shifted(forest)
    said, more = target.sayable(forest)
    content = target.write(said, Naming(names, options.name, options.store))
    written = Written(target, content, model._ensemble, shift, forest, said, names, as_zero)
    return written, notes + more, shift


def check(model: Model, written: Written, verify: Any) -> Parity:
    """Compare the scores of a file that was made with those of the model."""
    X, codes = _documents(model, verify)
    return compare_scores(written, codes, X)


def _documents(model: Model, verify: Any) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return the features of documents as the model takes them, and their queries."""
    features, _ = model._inputs(verify, None)
    X = np.asarray(features, dtype=np.float32)
    codes = np.zeros(len(X), dtype=np.uint32)
    if isinstance(verify, Dataset):
        codes = np.asarray(verify.query_codes)
    return X, codes


def _names(
    model: Model,
    format_name: str,
    options: ExportOptions,
    *,
    by_position: bool | None,
    needs_names: bool,
) -> tuple[str, ...]:
    """Decide what the columns are called, and check a feature set."""
    given = options.feature_names if options.feature_names is not None else model.feature_names
    if given is not None and len(given) != model.n_features:
        raise ValueError(
            f"feature_names has {len(given)} names, but the model has {model.n_features} columns"
        )
    if given is not None and len(set(given)) < len(given):
        raise ValueError("feature_names: a name stands in it twice")
    if options.feature_set is not None:
        if by_position is None:
            raise ValueError(f"feature_set is for the elasticsearch formats, not {format_name}")
        if given is None and len(options.feature_set) == model.n_features:
            given = options.feature_set
        elasticsearch.check_feature_set(
            given,
            options.feature_set,
            by_position=by_position,
            n_features=model.n_features,
        )
    if needs_names and given is None:
        raise ValueError(
            f"{format_name} knows features by name, and the model has no names: give feature_names"
        )
    return tuple(given or ())


def _notes(model: Model) -> list[str]:
    """Say what the model does before its trees see a document."""
    notes = []
    if model.missing is not None:
        notes.append(f"the number {model.missing:g} means a missing value: give NaN in its place")
    if model.query_features:
        kinds = ", ".join(model.query_features)
        notes.append(f"the columns behind the data's own are features of the query ({kinds})")
    if model._info.ordinal is not None:
        notes.append("the probabilities of grades are left out")
    return notes
