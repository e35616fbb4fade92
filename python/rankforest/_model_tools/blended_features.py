"""The features of several models, brought together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rankforest import _core
from rankforest._model.notes import replaced
from rankforest.model import Model
from rankforest.model_json import canonical_json


def on_common_features(models: Sequence[Model]) -> tuple[list[_core.Ensemble], _core.ModelInfo]:
    """Return the ensembles of models with one numbering of their features, and what describes it.

    Where all models name their features, these are told apart by name: those of the first model
    come first. Otherwise the place of a column tells.

    Raises
    ------
    ValueError
        If the models do not have the same columns or the same rules for them.
    """
    _require_one("the number that means missing", models, lambda model: model.missing)
    of_text = [model for model in models if _is_from_text(model)]
    _require_one("absent, the value of features that text leaves out", of_text, _absent)
    _require_one("zero_based, how text numbers features", of_text, lambda model: model.zero_based)
    if all(model.feature_names for model in models):
        ensembles, names = _by_name(models)
    else:
        ensembles, names = _by_place(models), _common_names(models)
    source = (of_text or list(models))[0]
    is_same = all(model._info.summary_json == source._info.summary_json for model in models)
    has_same_columns = list(names) == list(source.feature_names or ())
    return ensembles, replaced(
        source._info,
        feature_names=names,
        summary_json=source._info.summary_json if is_same else _common_summary(source),
        metadata={},
        profile=_common_profile(models, has_same_columns),
        ordinal=None,
        categories=_common_categories(models, names),
        unknown=[],
    )


def _require_one(what: str, models: Sequence[Model], of: Callable[[Model], object]) -> None:
    values = [of(model) for model in models]
    for i, value in enumerate(values):
        if value != values[0]:
            raise ValueError(
                f"models must have been trained alike: {what}, is {values[0]!r} in models[0] and "
                f"{value!r} in models[{i}]"
            )


def _is_from_text(model: Model) -> bool:
    return model.data_summary.get("from_text") is True


def _absent(model: Model) -> str:
    return str(model.absent)  # NaN is not equal to itself


def _by_name(models: Sequence[Model]) -> tuple[list[_core.Ensemble], list[str]]:
    places: dict[str, int] = {}
    for model in models:
        names = model.feature_names or ()
        if len(set(names)) != len(names):
            raise ValueError("models must not have two features of one name")
        for name in names:
            places.setdefault(name, len(places))
    return [
        _moved(model, [places[name] for name in model.feature_names or ()], len(places))
        for model in models
    ], list(places)


def _by_place(models: Sequence[Model]) -> list[_core.Ensemble]:
    n_features = max(model.n_features for model in models)
    for i, model in enumerate(models):
        if model.n_features != n_features and not (
            _is_from_text(model) and model.feature_names is None
        ):
            raise ValueError(
                "models must have been trained on the same columns: without names on both sides, "
                f"models[{i}] has {model.n_features} features where another has {n_features}"
            )
    return [_moved(model, list(range(model.n_features)), n_features) for model in models]


def _moved(model: Model, places: list[int], n_features: int) -> _core.Ensemble:
    if places == list(range(n_features)):
        return model._ensemble
    return model._ensemble.on_columns(np.array(places, np.uint32), n_features)


def _common_names(models: Sequence[Model]) -> list[str]:
    """Return the names that those models give that have any, which must be one list."""
    named = [model.feature_names for model in models if model.feature_names]
    if any(names != named[0] for names in named):
        raise ValueError(
            "models name their features differently, and one has no names to match them by"
        )
    return list(named[0]) if named else []


def _common_categories(models: Sequence[Model], names: Sequence[str]) -> list[Any]:
    """Return what stands for levels, which must be the same in all models that have a feature."""
    place_of = {name: place for place, name in enumerate(names)}
    found: dict[int, Any] = {}
    for model in models:
        own = {table[0]: table[1:] for table in model._info.categories}
        for feature, name in enumerate(model.feature_names or names or [""] * model.n_features):
            place = place_of.get(name, feature)
            table = own.get(feature)
            if found.setdefault(place, table) != table:
                label = repr(name) if name else str(feature)
                raise ValueError(
                    f"models must see the same numbers for the levels of feature {label}, as those "
                    "that are trained on the same data do"
                )
    return [(place, *table) for place, table in sorted(found.items()) if table is not None]


def _common_summary(source: Model) -> str:
    """Return what holds for all training data: how it is read."""
    summary = source.data_summary
    return canonical_json({key: summary[key] for key in ("from_text", "missing") if key in summary})


def _common_profile(models: Sequence[Model], has_same_columns: bool) -> _core.DataProfile | None:
    """Return the profile of the training data if all models have that one."""
    profiles = [model._info.profile for model in models]
    is_one = has_same_columns and all(profile == profiles[0] for profile in profiles)
    return profiles[0] if is_one else None
