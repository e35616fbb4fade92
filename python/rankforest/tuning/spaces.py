"""What users write as a search space, checked, as Optuna's distributions."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from optuna.distributions import (
    BaseDistribution,
    CategoricalDistribution,
    FloatDistribution,
    IntDistribution,
    distribution_to_json,
)
from sklearn.base import BaseEstimator, clone

from rankforest._settings.parameters import RULES, Problems, Rule
from rankforest.estimators.base import OF_THE_RUN
from rankforest.tuning.grids import named_space

Distributions = Mapping[str, BaseDistribution]

#: What says how to train or to measure; an objective with a name is one more parameter.
_NOT_SEARCHED = OF_THE_RUN - {"objective"}

#: Between the name of a parameter that is an estimator and the name of a parameter of that.
_INNER = "__"
_FORMS = (
    'a list of choices, a range (low, high) or (low, high, "log"), a dict of "low", "high" and '
    'perhaps "log" or "step", or a distribution of Optuna'
)


def with_inner_estimators(estimator: Any, names: Sequence[str]) -> Any:
    """Return an unfitted copy of which `names` can be set: no estimator in it that they name is None.

    Parameters
    ----------
    estimator : estimator
        Such as ``IGBRT()``, whose `forest` is None: it stands for a forest of its own defaults.
    names : sequence of str
        Such as "forest__max_features".
    """
    from rankforest.estimators.forest import RandomForest  # noqa: PLC0415
    from rankforest.estimators.lambdamart import LambdaMART  # noqa: PLC0415

    defaults = {"forest": RandomForest, "estimator": LambdaMART}
    copied = clone(estimator)
    for owner in {name.partition(_INNER)[0] for name in names if _INNER in name}:
        if owner in type(copied)._nested and getattr(copied, owner) is None:
            copied.set_params(**{owner: defaults[owner]()})
    return copied


def parse_space(
    estimator: BaseEstimator, space: object, problems: Problems
) -> dict[str, BaseDistribution]:
    """Return the distribution of each parameter, sorted by name; notes what is wrong.

    Parameters
    ----------
    estimator : estimator
        Whose parameters they are; those of an estimator in it have names such as
        "forest__max_features".
    space : str or mapping
        As `tune` takes it.
    problems : Problems
        Takes what is wrong with it.
    """
    found: dict[str, BaseDistribution] = {}
    with problems.collected():
        if isinstance(space, str):
            space = named_space(estimator, space)
        if not isinstance(space, Mapping):
            raise TypeError(f"space must be a dict or a name, got {space!r}")
        if not space:
            raise ValueError("space must name at least one parameter, got an empty dict")
        whole = with_inner_estimators(estimator, [str(name) for name in space])
        known = whole.get_params()
        for name, values in sorted(space.items(), key=lambda item: str(item[0])):
            with problems.collected():
                _check_name(estimator, name, known)
                found[name] = _checked(name, _rule_of(whole, name), _distribution(name, values))
    return found


def as_record(distributions: Distributions) -> dict[str, Any]:
    """Return a space as what JSON holds."""
    return {name: json.loads(distribution_to_json(each)) for name, each in distributions.items()}


def _check_name(estimator: BaseEstimator, name: object, known: Mapping[str, object]) -> None:
    owner = type(estimator).__name__
    if name not in known:
        near = difflib.get_close_matches(str(name), list(known), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"space: {owner} has no parameter {name!r}{hint}")
    leaf = str(name).rpartition(_INNER)[2]
    if leaf in _NOT_SEARCHED:
        raise ValueError(
            f"space: {name!r} cannot be searched, for it says how to train or to measure; give it "
            f"to {owner}"
        )
    if leaf not in RULES:
        raise ValueError(f"space: {name!r} is an estimator; search its parameters: {name}__...")


def _distribution(name: str, values: object) -> BaseDistribution:
    """Return what a user wrote for a parameter as a distribution."""
    if isinstance(values, BaseDistribution):
        return values
    if isinstance(values, Mapping):
        return _of_keys(name, values)
    if isinstance(values, tuple):
        if len(values) not in (2, 3) or values[2:] not in ((), ("log",)):
            raise ValueError(f"space[{name!r}] must be {_FORMS}, got {values!r}")
        return _range(name, values[0], values[1], log=len(values) == 3)
    if isinstance(values, (list, np.ndarray, range)):
        return _choices(name, values)
    raise TypeError(
        f"space[{name!r}] must be {_FORMS}, got {values!r}; what is not searched is a parameter of "
        "the estimator"
    )


def _of_keys(name: str, values: Mapping[str, object]) -> BaseDistribution:
    if not {"low", "high"} <= set(values) <= {"low", "high", "log", "step"}:
        raise ValueError(
            f'space[{name!r}] must have "low" and "high", and may have "log" or "step"; it has '
            + (", ".join(map(repr, values)) or "none")
        )
    log = values.get("log", False)
    if not isinstance(log, bool):
        raise TypeError(f'space[{name!r}]: "log" must be True or False, got {log!r}')
    return _range(name, values["low"], values["high"], log=log, step=values.get("step"))


def _range(
    name: str, low: object, high: object, *, log: bool, step: object = None
) -> BaseDistribution:
    ends = [_plain(low), _plain(high), *([] if step is None else [_plain(step)])]
    if any(isinstance(each, bool) or not isinstance(each, (int, float)) for each in ends):
        raise TypeError(
            f"space[{name!r}]: a range must be of numbers, got {low!r} to {high!r}; choices are a "
            "list"
        )
    try:
        if all(isinstance(each, int) for each in ends):
            return IntDistribution(ends[0], ends[1], log=log, step=1 if step is None else ends[2])
        ends = [float(each) for each in ends]
        return FloatDistribution(ends[0], ends[1], log=log, step=None if step is None else ends[2])
    except ValueError as error:
        raise ValueError(f"space[{name!r}]: {str(error).rstrip('.')}") from None


def _choices(name: str, values: Sequence[object] | np.ndarray[Any, Any]) -> BaseDistribution:
    choices = [_plain(each) for each in values]
    if not choices:
        raise ValueError(f"space[{name!r}] must have at least one choice, got an empty list")
    for i, each in enumerate(choices):
        if not (each is None or isinstance(each, (bool, int, float, str))):
            raise TypeError(
                f"space[{name!r}]: a choice must be a number, text, True, False or None, got "
                f"{each!r}"
            )
        if each in choices[:i]:
            raise ValueError(f"space[{name!r}] has two equal choices, {each!r}")
    return CategoricalDistribution(choices)


def _plain(value: object) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _rule_of(estimator: Any, name: str) -> Rule:
    """Return what a parameter may be in the estimator that has it."""
    *owners, leaf = name.split(_INNER)
    for owner in owners:
        estimator = getattr(estimator, owner)
    own: Mapping[str, Rule] = getattr(estimator, "_rules", {})
    return own.get(leaf, RULES[leaf])


def _checked(name: str, rule: Rule, distribution: BaseDistribution) -> BaseDistribution:
    """Return the distribution if the parameter may have all of its values."""
    if isinstance(distribution, CategoricalDistribution):
        values: Sequence[object] = distribution.choices
    elif isinstance(distribution, (IntDistribution, FloatDistribution)):
        values = (distribution.low, distribution.high)
    else:
        raise TypeError(f"space[{name!r}] must be {_FORMS}, got {distribution!r}")
    for value in values:
        rule.check(f"space: {name}", value)
    return distribution
