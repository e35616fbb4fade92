"""What users of other rankers reach for here, and where it is."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from rankforest._support.wording import nearest
from rankforest.model import Model

_Fit = TypeVar("_Fit", bound=Callable[..., Any])

#: Arguments of the `fit` of LightGBM and XGBoost that have another name or place here.
_ELSEWHERE = {
    "base_margin": "pass init_score=",
    "base_margin_eval_set": "pass eval_init_score=",
    "categorical_feature": "write categorical_features=[...] where the estimator is made",
    "eval_at": 'write metric=["ndcg@1", "ndcg@5"] where the estimator is made',
    "eval_metric": 'write metric="ndcg@10" where the estimator is made',
    "feature_name": "name the columns of a data frame, or pass Dataset(..., feature_names=)",
    "sample_weight_eval_set": "pass eval_sample_weight=",
    "weight": "pass sample_weight=",
    "xgb_model": "pass init_model=",
}


def with_hints(fit: _Fit) -> _Fit:
    """Let `fit` say, for an argument that it does not have, what to use in its place.

    Its signature, which scikit-learn reads, stays as it is.
    """
    known = inspect.signature(fit).parameters

    @functools.wraps(fit)
    def checked(self: Any, *args: Any, **named: Any) -> Any:
        unknown = [name for name in named if name not in known]
        if unknown:
            lines = "; ".join(_instead(self, name, list(known)) for name in unknown)
            raise TypeError(f"{type(self).__name__}.fit got an unexpected argument: {lines}")
        return fit(self, *args, **named)

    return cast("_Fit", checked)


def _instead(estimator: Any, name: str, known: list[str]) -> str:
    """Say what to use in place of one argument."""
    if name in estimator.get_params(deep=False):
        return f"{name}: it is a parameter of the estimator, {type(estimator).__name__}({name}=...)"
    if name in _ELSEWHERE:
        return f"{name}: {_ELSEWHERE[name]}"
    near = nearest(name, known)
    return name if near is None else f"{name}: did you mean {near}?"


def hint_at_model(estimator: Any, name: str) -> str | None:
    """Say that the model of an estimator has an attribute; None if it has not."""
    if name.startswith("_") or not hasattr(Model, name):
        return None
    owner = type(estimator).__name__
    call = "(...)" if callable(getattr(Model, name)) else ""
    return f"{owner} has no {name}; after fit, its model has: estimator.model_.{name}{call}"
