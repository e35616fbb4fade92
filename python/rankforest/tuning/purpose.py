"""What a study was made for: a search may only go on for the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

#: Parameters of an estimator that change no trial.
NO_MATTER = frozenset({"callbacks", "n_jobs", "verbose"})


@dataclass(frozen=True)
class Purpose:
    """Everything that the trials depend on.

    Attributes
    ----------
    record : dict
        As JSON holds it: text, numbers, lists and dicts. Keys are what messages call each thing.
    maximize : bool
        Whether more is better.
    """

    record: dict[str, Any]
    maximize: bool


def plain_parameters(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator as JSON holds them; a function becomes its name."""
    values = estimator.get_params(deep=False)
    return {name: _plain(value) for name, value in values.items() if name not in NO_MATTER}


def _plain(value: object) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "get_params"):
        return {"estimator": type(value).__name__, **plain_parameters(value)}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return getattr(value, "__name__", None) or str(value)


def check_same(name: str, place: str, before: Mapping[str, Any], now: Purpose) -> None:
    """Raise a ValueError that names each difference, if there is one."""
    changes = [*_changes("", before, now.record)]
    if changes:
        lines = "".join(f"\n  {change}" for change in changes)
        raise ValueError(
            f"the study {name!r} in {place} was made for something else; go on with the same "
            f"arguments, or choose another study_name or storage:{lines}"
        )


def _changes(where: str, before: object, now: object) -> Iterator[str]:
    if before == now:
        return
    if isinstance(before, Mapping) and isinstance(now, Mapping) and "attributes" not in before:
        for key in sorted({*before, *now}):
            place = _place(where, str(key))
            if key not in now:
                yield f"{place} was {_shown(before[key])} and is not there now"
            elif key not in before:
                yield f"{place} was not there and is {_shown(now[key])}"
            else:
                yield from _changes(place, before[key], now[key])
    elif where in ("data", "holdout"):
        yield from _changes_of_data(where, before, now)
    else:
        yield f"{where} was {_shown(before)} and is {_shown(now)}"


def _place(where: str, key: str) -> str:
    """Return what messages call an entry of a record: parameters stand for themselves."""
    if where == "parameters":
        return "the estimator's random_state" if key == "random_state" else key
    return f"{where}.{key}" if where else key


def _changes_of_data(where: str, before: Any, now: Any) -> Iterator[str]:
    """Say which data sets differ, in the words of people rather than of hashes."""
    if not (isinstance(before, list) and isinstance(now, list)) or len(before) != len(now):
        yield f"{where} was of {_count(before)} and is of {_count(now)}"
        return
    for number, (old, new) in enumerate(zip(before, now, strict=True), 1):
        if len(old) != len(new):
            yield f"fold {number} of {where} had {len(old)} data sets and has {len(new)}"
        for i, (a, b) in enumerate(zip(old, new, strict=False)):
            part = ("train", "valid", "test")[i]
            what = where if len(before) == len(old) == 1 else f"{where}, {part} of fold {number},"
            if a[:3] != b[:3]:
                sizes = "{0} documents, {1} queries, {2} features"
                yield f"{what} had {sizes.format(*a)} and has {sizes.format(*b)}"
            elif a != b:
                yield f"{what} has as many documents as before, but they are others"


def _count(folds: object) -> str:
    n = len(folds) if isinstance(folds, list) else 0
    return "no data set" if n == 0 else "1 fold" if n == 1 else f"{n} folds"


def _shown(value: object) -> str:
    if isinstance(value, Mapping) and "attributes" in value:  # a distribution of Optuna
        attributes = value["attributes"]
        if "choices" in attributes:
            return repr(list(attributes["choices"]))
        kinds = [key for key in ("log", "step") if attributes.get(key) not in (None, False, 1)]
        more = "".join(f", {key}={attributes[key]}" for key in kinds)
        return f"from {attributes['low']} to {attributes['high']}{more}"
    return repr(value)
