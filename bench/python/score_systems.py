"""The systems that `score.py` compares: each trains a model of the same size and scores with it.

A system is a function (data, size) -> Score; Score is (X, threads) -> scores. LightGBM's model is
also scored by rankforest, which reads its trees, so that one row of the table is about the same
trees. The other libraries cannot read them, and train trees of the same size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from train_systems import Arrays

Matrix = npt.NDArray[np.float32]
Score = Callable[[Matrix, int], npt.NDArray[np.floating]]
LEARNING_RATE = 0.1
SEED = 1
FEATURES_PER_SPLIT = 0.1  # forests
SETTINGS = (
    f"Boosted trees: squared error, learning rate {LEARNING_RATE}, best-first where there is a "
    f"choice. Forests: unpruned trees, {FEATURES_PER_SPLIT} of the features for each split."
)


@dataclass(frozen=True)
class Size:
    """How large the models are."""

    trees: int
    leaves: int
    forest_trees: int


@dataclass(frozen=True)
class System:
    """A system under test."""

    label: str  # in the table
    package: str
    make: Callable[[Arrays, Size], Score]

    @property
    def distribution(self) -> str:
        return "scikit-learn" if self.package == "sklearn" else self.package


def _lightgbm_booster(data: Arrays, size: Size) -> Any:
    import lightgbm

    settings = {
        "objective": "l2",
        "num_leaves": size.leaves,
        "learning_rate": LEARNING_RATE,
        "seed": SEED,
        "verbosity": -1,
    }
    return lightgbm.train(settings, lightgbm.Dataset(data.X, data.y), size.trees)


def _lightgbm(data: Arrays, size: Size) -> Score:
    booster = _lightgbm_booster(data, size)
    return lambda X, threads: booster.predict(X, num_threads=threads)


def _ours_from_lightgbm(data: Arrays, size: Size) -> Score:
    from rankforest import Model

    booster = _lightgbm_booster(data, size)
    model = Model.from_bytes(booster.model_to_string().encode())
    expected = booster.predict(data.X[:1000])
    np.testing.assert_allclose(model.predict(data.X[:1000]), expected, rtol=0, atol=1e-5)
    return lambda X, threads: model.predict(X, n_jobs=threads)


def _xgboost(data: Arrays, size: Size) -> Score:
    import xgboost

    settings = {
        "max_leaves": size.leaves,
        "max_depth": 0,
        "grow_policy": "lossguide",
        "learning_rate": LEARNING_RATE,
        "seed": SEED,
    }
    booster = xgboost.train(settings, xgboost.QuantileDMatrix(data.X, data.y), size.trees)

    def score(X: Matrix, threads: int) -> npt.NDArray[np.floating]:
        booster.set_param({"nthread": threads})
        return booster.inplace_predict(X)

    return score


def _catboost(data: Arrays, size: Size) -> Score:
    import catboost

    model = catboost.CatBoost(
        {
            "iterations": size.trees,
            "learning_rate": LEARNING_RATE,
            "depth": max(1, size.leaves.bit_length() - 1),
            "random_seed": SEED,
            "allow_writing_files": False,
            "logging_level": "Silent",
        }
    )
    model.fit(data.X, data.y)
    return lambda X, threads: model.predict(X, thread_count=threads)


def _hist_gradient_boosting(data: Arrays, size: Size) -> Score:
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingRegressor(
        max_iter=size.trees,
        max_leaf_nodes=size.leaves,
        learning_rate=LEARNING_RATE,
        early_stopping=False,
        random_state=SEED,
    ).fit(data.X, data.y)

    def score(X: Matrix, threads: int) -> npt.NDArray[np.floating]:
        with threadpool_limits(threads):
            return model.predict(X)

    return score


def _ydf(learner: str, **settings: Any) -> Callable[[Arrays, Size], Score]:
    def make(data: Arrays, size: Size) -> Score:
        import ydf

        ydf.verbose(0)
        given: dict[str, Any] = dict(settings)
        if learner == "GradientBoostedTreesLearner":
            given |= {"num_trees": size.trees, "max_num_nodes": size.leaves}
        else:
            given["num_trees"] = size.forest_trees
        trainer = getattr(ydf, learner)(
            label="y", task=ydf.Task.REGRESSION, random_seed=SEED, **given
        )
        model = trainer.train({"X": data.X, "y": data.y})
        return lambda X, threads: model.predict({"X": X}, num_threads=threads)

    return make


def _ours_forest(data: Arrays, size: Size) -> Score:
    import rankforest

    model = rankforest.RandomForest(
        n_estimators=size.forest_trees, max_features=FEATURES_PER_SPLIT, random_state=SEED
    ).fit(data.X, data.y, qid=data.qid)
    return lambda X, threads: model.model_.predict(X, n_jobs=threads)


def _sklearn_forest(data: Arrays, size: Size) -> Score:
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(
        size.forest_trees, max_features=FEATURES_PER_SPLIT, random_state=SEED, n_jobs=-1
    ).fit(data.X, data.y)

    def score(X: Matrix, threads: int) -> npt.NDArray[np.floating]:
        model.n_jobs = threads
        return model.predict(X)

    return score


SYSTEMS: dict[str, dict[str, System]] = {
    "boosted": {
        "rankforest": System("rankforest, LightGBM's trees", "rankforest", _ours_from_lightgbm),
        "lightgbm": System("LightGBM", "lightgbm", _lightgbm),
        "xgboost": System("XGBoost inplace_predict", "xgboost", _xgboost),
        "ydf": System(
            "YDF",
            "ydf",
            _ydf(
                "GradientBoostedTreesLearner",
                growing_strategy="BEST_FIRST_GLOBAL",
                max_depth=-1,
                validation_ratio=0.0,
                early_stopping="NONE",
                shrinkage=LEARNING_RATE,
            ),
        ),
        "catboost": System("CatBoost, oblivious", "catboost", _catboost),
        "sklearn": System(
            "scikit-learn HistGradientBoostingRegressor", "sklearn", _hist_gradient_boosting
        ),
    },
    "forest": {
        "rankforest": System("rankforest RandomForest", "rankforest", _ours_forest),
        "sklearn": System("scikit-learn RandomForestRegressor", "sklearn", _sklearn_forest),
        "ydf": System(
            "YDF RandomForest",
            "ydf",
            _ydf(
                "RandomForestLearner",
                max_depth=-1,
                min_examples=2,
                num_candidate_attributes_ratio=FEATURES_PER_SPLIT,
                compute_oob_performances=False,
            ),
        ),
    },
}


def names() -> Iterator[tuple[str, str]]:
    """Give every work with each of its systems."""
    for work, systems in SYSTEMS.items():
        for name in systems:
            yield work, name
