"""The systems that `quality.py` compares, each at the matched settings below.

A system is a function (fold, seed, n_jobs) -> Outcome. Systems import what they need when they
run, so that a peer that is not installed costs nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

# Boosted rankers.
ROUNDS = 1000
LEAVES = 7
LEARNING_RATE = 0.05
DOCUMENTS_IN_LEAF = 20
PATIENCE = 100  # rounds without a better validation NDCG@10
# Forests: unpruned trees, each split drawn from floor(log2 M) of the M features.
TREES = 500

SETTINGS = (
    f"Boosting: at most {ROUNDS:,} rounds, {LEAVES} leaves, learning rate {LEARNING_RATE}, at "
    f"least {DOCUMENTS_IN_LEAF} documents in a leaf, an end after {PATIENCE} rounds without a "
    f"better validation NDCG@10. Forests: {TREES} unpruned trees, floor(log2 M) of the M "
    "features for each split."
)


@dataclass(frozen=True)
class Fold:
    """One fold's three data sets (`rankforest.Dataset`)."""

    train: Any
    valid: Any
    test: Any

    @property
    def features_per_split(self) -> int:
        return int(math.log2(self.train.n_features))


@dataclass(frozen=True)
class Outcome:
    """Scores of the test documents in file order, and how many rounds or trees were kept."""

    scores: npt.NDArray[np.float64]
    rounds: int


Train = Callable[[Fold, int, int], Outcome]


@dataclass(frozen=True)
class System:
    """A system under test."""

    label: str  # in the table
    package: str  # what to import and whose version to record
    train: Train
    random: bool  # whether the seed changes the model at the matched settings

    @property
    def installed(self) -> bool:
        return importlib.util.find_spec(self.package) is not None

    @property
    def distribution(self) -> str:
        return "scikit-learn" if self.package == "sklearn" else self.package

    @property
    def version(self) -> str:
        return str(importlib.import_module(self.package).__version__)


def _ours(name: str, **settings: Any) -> Train:
    def train(fold: Fold, seed: int, n_jobs: int) -> Outcome:
        import rankforest

        given = dict(settings)
        if "forest" in given:
            given["forest"] = rankforest.RandomForest(
                n_estimators=TREES, max_features=fold.features_per_split
            )
        elif name in {"RandomForest", "ExtraTrees"}:
            given["max_features"] = fold.features_per_split
        model = getattr(rankforest, name)(random_state=seed, n_jobs=n_jobs, **given)
        model.fit(fold.train, eval_set=fold.valid)
        rounds = getattr(model, "best_iteration_", model.n_estimators)
        return Outcome(model.predict(fold.test), int(rounds))

    return train


_BOOSTING = {
    "n_estimators": ROUNDS,
    "max_depth": None,
    "max_leaf_nodes": LEAVES,
    "learning_rate": LEARNING_RATE,
    "min_samples_leaf": DOCUMENTS_IN_LEAF,
    "early_stopping_rounds": PATIENCE,
    "metric": "ndcg@10",
}


def _lightgbm(fold: Fold, seed: int, n_jobs: int) -> Outcome:
    import lightgbm

    train = lightgbm.Dataset(fold.train.X, fold.train.y, group=_sizes(fold.train.qid))
    valid = train.create_valid(fold.valid.X, fold.valid.y, group=_sizes(fold.valid.qid))
    settings = {
        "objective": "lambdarank",
        "metric": "ndcg",
        "eval_at": 10,
        "num_leaves": LEAVES,
        "learning_rate": LEARNING_RATE,
        "min_data_in_leaf": DOCUMENTS_IN_LEAF,
        "seed": seed,
        "num_threads": n_jobs,
        "verbosity": -1,
    }
    stop = lightgbm.early_stopping(PATIENCE, verbose=False)
    model = lightgbm.train(settings, train, ROUNDS, valid_sets=[valid], callbacks=[stop])
    return Outcome(np.asarray(model.predict(fold.test.X)), model.best_iteration)


def _xgboost(fold: Fold, seed: int, n_jobs: int) -> Outcome:
    import xgboost

    # It has no smallest number of documents in a leaf; min_child_weight is left at its default.
    model = xgboost.XGBRanker(
        objective="rank:ndcg",
        n_estimators=ROUNDS,
        grow_policy="lossguide",
        max_leaves=LEAVES,
        max_depth=0,
        learning_rate=LEARNING_RATE,
        eval_metric="ndcg@10",
        early_stopping_rounds=PATIENCE,
        random_state=seed,
        n_jobs=n_jobs,
    )
    model.fit(
        fold.train.X,
        fold.train.y,
        qid=_codes(fold.train.qid),
        eval_set=[(fold.valid.X, fold.valid.y)],
        eval_qid=[_codes(fold.valid.qid)],
        verbose=False,
    )
    scores = model.predict(fold.test.X).astype(np.float64)
    return Outcome(scores, int(model.best_iteration) + 1)


def _sklearn_forest(name: str) -> Train:
    def train(fold: Fold, seed: int, n_jobs: int) -> Outcome:
        import sklearn.ensemble

        model = getattr(sklearn.ensemble, name)(
            n_estimators=TREES,
            max_features=fold.features_per_split,
            random_state=seed,
            n_jobs=n_jobs,
        )
        model.fit(fold.train.X, fold.train.y)
        return Outcome(model.predict(fold.test.X), TREES)

    return train


def _codes(qid: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Whole numbers that rise from query to query; the folds' files keep queries together."""
    qid = np.asarray(qid)
    return np.cumsum(np.concatenate(([False], qid[1:] != qid[:-1]))).astype(np.int64)


def _sizes(qid: npt.ArrayLike) -> npt.NDArray[np.int64]:
    return np.bincount(_codes(qid))


SYSTEMS = {
    "random_forest": System(
        "rankforest RandomForest", "rankforest", _ours("RandomForest", n_estimators=TREES), True
    ),
    "sklearn_random_forest": System(
        "scikit-learn RandomForestRegressor",
        "sklearn",
        _sklearn_forest("RandomForestRegressor"),
        True,
    ),
    "extra_trees": System(
        "rankforest ExtraTrees", "rankforest", _ours("ExtraTrees", n_estimators=TREES), True
    ),
    "sklearn_extra_trees": System(
        "scikit-learn ExtraTreesRegressor", "sklearn", _sklearn_forest("ExtraTreesRegressor"), True
    ),
    "mart": System("rankforest MART", "rankforest", _ours("MART", **_BOOSTING), False),
    "igbrt": System(
        "rankforest IGBRT", "rankforest", _ours("IGBRT", forest=None, **_BOOSTING), True
    ),
    "lambdamart": System(
        "rankforest LambdaMART", "rankforest", _ours("LambdaMART", **_BOOSTING), False
    ),
    "lightgbm": System("LightGBM lambdarank", "lightgbm", _lightgbm, False),
    "xgboost": System("XGBoost rank:ndcg", "xgboost", _xgboost, False),
}
