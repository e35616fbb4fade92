"""Whether training may go on from a model (`warm_start`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import blake2b

import numpy as np

from rankforest._support.warnings import warn
from rankforest.data import Dataset
from rankforest.estimators.paying import PARAMETERS as PAYING
from rankforest.model import Model
from rankforest.model_json import canonical_json

#: Parameters that models only note where they matter.
_LEFT_OUT = (
    "overfit_tolerance",
    "overfit_rounds",
    "ordinal",
    "ordinal_scoring",
    "position_bias_regularization",
    "categorical_features",
    *PAYING,
)

#: Parts of a fingerprint that mean nothing to people.
_DIGESTS = ("content", "positions")


@dataclass(frozen=True)
class Fingerprint:
    """What data is told apart by, in the words of an error."""

    documents: int
    queries: int
    features: int
    content: str  #: of grades, queries and weights in an order that the features decide
    positions: str = ""  #: the same of where documents were shown; "" where that does not count

    @classmethod
    def of(cls, data: Dataset, *, with_positions: bool = False) -> Fingerprint:
        """Return the fingerprint of a data set; the order of its rows does not matter.

        Positions count where training learns from them.
        """
        core = data._core
        content = blake2b(digest_size=16)
        for values in (core.grades, core.offsets, core.weights):
            if values is not None:
                content.update(values.tobytes())
        positions = ""
        if with_positions and data.position is not None:
            shown = np.ascontiguousarray(data.position[core.order])
            positions = blake2b(shown.tobytes(), digest_size=16).hexdigest()
        return cls(
            data.n_documents, data.n_queries, data.n_features, content.hexdigest(), positions
        )


def check_continues(
    owner: str,
    model: Model,
    parameters: Mapping[str, object],
    *,
    before: Fingerprint,
    now: Fingerprint,
    feature_names: Sequence[str] | None,
) -> None:
    """Raise a ValueError unless training with `parameters` may go on from a model.

    Parameters
    ----------
    owner : str
        The estimator, for messages.
    model : Model
        What there is.
    parameters : mapping
        What the model to come depends on, besides the data.
    before, now : Fingerprint
        Of the data that `model` was trained on, and of what it is to be trained on.
    feature_names : sequence of str or None
        Of the data to train on, where it has names; those of the model must be the same.
    """
    wanted = json.loads(canonical_json(parameters))
    made_with = model.parameters
    grows = _what_grows(wanted)
    changes = [
        f"{name} was {made_with.get(name)!r} and is {wanted.get(name)!r}"
        for name in dict.fromkeys([*wanted, *_LEFT_OUT])
        if name != grows and made_with.get(name) != wanted.get(name)
    ]
    changes += [
        f"the model started from {name}"
        for name in ("init_model", "init_score")
        if name in made_with
    ]
    changes += [
        f"the training data had {getattr(before, field.name)} {field.name} and has "
        f"{getattr(now, field.name)}"
        for field in fields(Fingerprint)
        if field.name not in _DIGESTS and getattr(before, field.name) != getattr(now, field.name)
    ]
    changes += _renamed(model.feature_names, feature_names)
    if not changes and before.content == now.content and before.positions != now.positions:
        changes.append("documents of the training data were shown at other positions than before")
    elif not changes and before != now:
        changes.append("the training data has as many documents as before, but they are others")
    if changes:
        raise ValueError(
            f"{owner}: warm_start=True goes on from the model of the last fit, with the same data "
            f"and parameters but for {grows}: {'; '.join(changes)}"
        )
    if grows == "n_bags":
        _check_members(owner, model, wanted["n_bags"])
    else:
        _check_rounds(owner, model, wanted, made_with)


def _what_grows(parameters: Mapping[str, object]) -> str:
    """Return the parameter that says how many rounds or members there are in the end."""
    names = ("n_bags", "max_iter", "n_estimators")
    return next(name for name in names if name in parameters)


def _check_members(owner: str, model: Model, asked: int) -> None:
    there = model.n_members
    if asked < there:
        raise ValueError(
            f"{owner}: n_bags={asked} must be at least the {there} members that the bag has where "
            f"warm_start=True; take(range(k)) gives the first k"
        )
    if asked == there:
        warn(
            f"{owner}: warm_start=True with the n_bags of the last fit adds nothing",
        )


def _renamed(before: Sequence[str] | None, now: Sequence[str] | None) -> list[str]:
    """Return what is wrong with the names of the features, where both have names."""
    if before is None or now is None or len(before) != len(now) or list(before) == list(now):
        return []
    if sorted(before) == sorted(now):
        return [
            "the features have the same names in another order; X[names] puts a data frame's in order"
        ]
    place = next(i for i in range(len(before)) if before[i] != now[i])
    return [f"feature {place} (counted from 0) was called {before[place]!r} and is {now[place]!r}"]


def _check_rounds(
    owner: str, model: Model, wanted: Mapping[str, object], made_with: Mapping[str, object]
) -> None:
    forest = wanted.get("forest")
    of_forest = forest["n_estimators"] if isinstance(forest, dict) else 0
    own = model.n_rounds - of_forest
    if own < 0:
        raise ValueError(
            f"{owner}: warm_start=True goes on from boosting; the model has {model.n_rounds} of "
            f"the {of_forest} trees of its forest only"
        )
    grows = _what_grows(wanted)
    asked = wanted[grows]
    assert isinstance(asked, int)
    if asked < own:
        raise ValueError(
            f"{owner}: {grows}={asked} must be at least the {own} rounds that the model has "
            f"where warm_start=True; model[:k] has the first k"
        )
    if asked == made_with.get(grows) and asked == own:
        warn(
            f"{owner}: warm_start=True with the {grows} of the last fit adds nothing",
        )
