"""An estimator as the text that `ltr-train --config` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rankforest.estimators.bagging import Bagging
from rankforest.estimators.custom import CustomMetric
from rankforest.tuning.purpose import NO_MATTER


def as_toml(estimator: Any) -> str:
    """Return the algorithm and each parameter that is not its default.

    Parameters
    ----------
    estimator : estimator
        Fitted or not.

    Raises
    ------
    ValueError
        If a parameter is a function, which text cannot hold, or the estimator a `Bagging`, for
        whose member `ltr-train` has no option.
    """
    if type(estimator) is Bagging:
        raise ValueError(
            "ltr-train has no option for the member of a Bagging: of LambdaMARTs use "
            "BaggedLambdaMART, and save other bags as models"
        )
    lines = [f"algorithm = {_text(estimator._name_in_model)}", *_lines("", estimator)]
    return "\n".join(lines) + "\n"


def _lines(prefix: str, estimator: Any) -> Iterator[str]:
    defaults = type(estimator)().get_params(deep=False)
    for name, value in estimator.get_params(deep=False).items():
        key = prefix + name
        if name in NO_MATTER:
            continue
        if name == "feature_costs":
            if value is not None:
                yield "# feature_costs are a file of their own: add feature-costs = FILE"
        elif hasattr(value, "get_params"):
            yield from _lines(f"{key}_", value)
        elif value != defaults[name] or (name == "random_state" and not prefix):
            yield f"{key} = {_value(key, value)}"


def _value(key: str, value: object) -> str:
    if value is None:
        return '"none"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(key, each) for each in value)}]"
    if callable(value) or isinstance(value, CustomMetric):
        raise ValueError(  # noqa: TRY004  # the parameter is of a right type, for Python
            f"{key} is a function, which a file of parameters cannot hold"
        )
    return _text(str(value))


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)  # TOML's basic strings have JSON's escapes
