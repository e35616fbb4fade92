"""Models out of fitted objects of other libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rankforest import _core
from rankforest.exchange.catboost_model import json_of, read_catboost
from rankforest.exchange.sklearn_objects import forest_of_sklearn
from rankforest.exchange.to_model import model_parts
from rankforest.exchange.xgboost_model import read_xgboost
from rankforest.exchange.ydf_objects import forest_of_ydf

if TYPE_CHECKING:
    from rankforest.model import Model


def from_estimator(estimator: Any) -> Model:
    """Make a model of a fitted object of another library.

    Parameters
    ----------
    estimator : object
        A ranker, regressor, booster or binary classifier of LightGBM, XGBoost (gbtree or dart) or
        CatBoost; of scikit-learn a decision tree, random forest, extra trees, gradient boosting or
        histogram gradient boosting; of YDF gradient boosted trees or a random forest.

    Returns
    -------
    Model
        It scores float32 documents as the object does, but for leaf values, which are rounded to
        float32, and sums, which are in double. Classifiers give what ranks documents: the margin of
        boosted trees, and the probability of the second class of forests.

    Raises
    ------
    TypeError
        If it is none of these.
    ValueError
        If it has several outputs or splits on categories.

    Notes
    -----
    Of objects with early stopping the trees up to the best iteration are taken, with which their
    ``predict`` scores.

    Examples
    --------
    >>> import rankforest as rf
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> data = rf.datasets.make_ranking(n_queries=40, random_state=0)
    >>> forest = RandomForestRegressor(n_estimators=10, random_state=0).fit(data.X, data.y)
    >>> model = rf.from_estimator(forest)
    >>> bool(abs(model.predict(data) - forest.predict(data.X)).max() < 1e-6)
    True
    """
    from rankforest.model import Model  # noqa: PLC0415 - which imports what is here

    with np.errstate(over="ignore"):  # what float32 cannot hold is infinite, and so refused
        return Model(*_parts(estimator))


def _parts(estimator: Any) -> tuple[_core.Ensemble, _core.ModelInfo]:
    module = type(estimator).__module__.partition(".")[0]
    inherited = {cls.__module__.partition(".")[0] for cls in type(estimator).__mro__}
    if "lightgbm" in inherited:
        booster = getattr(estimator, "booster_", estimator)
        return _core.Ensemble.from_bytes(booster.model_to_string().encode())
    if "xgboost" in inherited:
        return model_parts(read_xgboost(_xgboost_content(estimator)))
    if "catboost" in inherited:
        return model_parts(read_catboost(json_of(estimator)))
    if module == "ydf":
        return model_parts(forest_of_ydf(estimator))
    forest = forest_of_sklearn(estimator) if "sklearn" in inherited else None
    if forest is None:
        raise TypeError(
            "estimator must be a fitted model of trees of LightGBM, XGBoost, CatBoost, scikit-learn "
            f"or YDF, got {type(estimator).__module__}.{type(estimator).__name__}"
        )
    return model_parts(forest)


def _xgboost_content(estimator: Any) -> bytes:
    """Return UBJSON of the trees that the object's own `predict` uses."""
    if not hasattr(estimator, "get_booster"):
        return bytes(estimator.save_raw("ubj"))
    booster = estimator.get_booster()
    best = getattr(estimator, "early_stopping_rounds", None)
    if best is not None:
        booster = booster[: estimator.best_iteration + 1]
    return bytes(booster.save_raw("ubj"))
