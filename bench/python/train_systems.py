"""The systems that `train.py` compares, each at the matched settings below.

A system is a function (data, rounds, threads) -> Predict; all of it is timed but the import of its
module. Where a system lacks a setting, the comment beside it says what stands in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROUNDS = 100
LEARNING_RATE = 0.1
DOCUMENTS_IN_LEAF = 50  # of boosted trees
BINS = 255
LEAVES = 64  # LambdaMART
TRUNCATION = 30  # of NDCG in the objective
DEPTH = 4  # MART: 16 leaves
SEED = 1

SETTINGS = (
    f"LambdaMART: {LEAVES} leaves; MART: squared error, depth {DEPTH}; both: learning rate "
    f"{LEARNING_RATE}, at least {DOCUMENTS_IN_LEAF} documents in a leaf, {BINS} bins. Forest: "
    "unpruned trees, floor(log2 M) + 1 of M features for each split, bootstrap."
)


@dataclass(frozen=True, eq=False)  # two are equal if they are the same
class Arrays:
    """Documents, those of a query together."""

    X: npt.NDArray[np.float32]
    y: npt.NDArray[np.float32]
    qid: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]  # documents of each query

    @classmethod
    def load(cls, path: Path) -> Arrays:
        with np.load(path) as file:
            X = file["X"].astype(np.float32, order="C", copy=False)
            y, qid = file["y"].astype(np.float32), file["qid"].astype(np.int64)
            return cls(X, y, qid, np.diff(file["ptr"]))

    @property
    def features_per_split(self) -> int:
        """Breiman's number for forests, floor(log2 M) + 1: the bits of M."""
        return self.X.shape[1].bit_length()


Predict = Callable[[Arrays], npt.NDArray[np.floating]]
Train = Callable[[Arrays, int, int], Predict]


@dataclass(frozen=True)
class System:
    """A system under test."""

    label: str  # in the table
    module: str  # what to import before the clock starts
    train: Train
    documents: int | None = None  # how many it can train on in reasonable time

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]

    @property
    def distribution(self) -> str:
        return "scikit-learn" if self.package == "sklearn" else self.package


def _ours(name: str, **settings: Any) -> Train:
    def train(data: Arrays, rounds: int, threads: int) -> Predict:
        import rankforest

        train = rankforest.Dataset(data.X, data.y, qid=data.qid, n_jobs=threads)
        estimator = getattr(rankforest, name)
        model = estimator(n_estimators=rounds, random_state=SEED, n_jobs=threads, **settings)
        model.fit(train)
        return lambda test: model.predict(test.X)

    return train


def lightgbm_settings(objective: str, threads: int) -> dict[str, Any]:
    """Return what all its trainings have in common."""
    return {
        "objective": objective,
        "learning_rate": LEARNING_RATE,
        "min_data_in_leaf": DOCUMENTS_IN_LEAF,
        "max_bin": BINS,
        "num_threads": threads,
        "seed": SEED,
        "verbosity": -1,
    }


def _lightgbm(objective: str, **settings: Any) -> Train:
    def train(data: Arrays, rounds: int, threads: int) -> Predict:
        import lightgbm

        group = data.sizes if objective == "lambdarank" else None
        train = lightgbm.Dataset(data.X, data.y, group=group)
        model = lightgbm.train(lightgbm_settings(objective, threads) | settings, train, rounds)
        return lambda test: np.asarray(model.predict(test.X))

    return train


def xgboost_settings(objective: str, tree_method: str, threads: int) -> dict[str, Any]:
    """Return what all its trainings have in common."""
    return {
        "objective": objective,
        "learning_rate": LEARNING_RATE,
        "reg_lambda": 0,  # as the others
        "tree_method": tree_method,
        "nthread": threads,
        "seed": SEED,
        "verbosity": 0,
        **({"max_bin": BINS} if tree_method == "hist" else {}),
    }


def _xgboost(objective: str, tree_method: str = "hist", **settings: Any) -> Train:
    def train(data: Arrays, rounds: int, threads: int) -> Predict:
        import xgboost

        given = xgboost_settings(objective, tree_method, threads)
        qid = data.qid if objective.startswith("rank") else None
        train: xgboost.DMatrix
        if tree_method == "hist":
            train = xgboost.QuantileDMatrix(data.X, data.y, qid=qid, nthread=threads, max_bin=BINS)
        else:
            train = xgboost.DMatrix(data.X, data.y, qid=qid, nthread=threads)
        model = xgboost.train(given | settings, train, rounds)
        return lambda test: model.inplace_predict(test.X)

    return train


def _catboost(**settings: Any) -> Train:
    def train(data: Arrays, rounds: int, threads: int) -> Predict:
        import catboost

        group = data.qid if settings["loss_function"] == "YetiRank" else None
        # Its trees are symmetric, and only others have a smallest number of documents in a leaf.
        model = catboost.CatBoost(
            {
                "iterations": rounds,
                "learning_rate": LEARNING_RATE,
                "border_count": BINS - 1,
                "thread_count": threads,
                "random_seed": SEED,
                "allow_writing_files": False,
                "logging_level": "Silent",
            }
            | settings
        )
        model.fit(catboost.Pool(data.X, data.y, group_id=group, thread_count=threads))
        return lambda test: model.predict(test.X)

    return train


def _sklearn(name: str, **settings: Any) -> Train:
    def train(data: Arrays, rounds: int, threads: int) -> Predict:
        import sklearn.ensemble

        count = "max_iter" if name.startswith("Hist") else "n_estimators"
        given: dict[str, Any] = {count: rounds, "random_state": SEED}
        if name == "RandomForestRegressor":
            given |= {"n_jobs": threads, "max_features": data.features_per_split}
        model = getattr(sklearn.ensemble, name)(**given, **settings)
        model.fit(data.X, data.y)
        return lambda test: model.predict(test.X)

    return train


def _ydf(name: str, **settings: Any) -> Train:
    def train(data: Arrays, rounds: int, threads: int) -> Predict:
        import ydf

        ydf.verbose(0)
        columns: dict[str, npt.NDArray[Any]] = {"X": data.X, "y": data.y}
        if settings.get("ranking_group"):
            columns["qid"] = data.qid
        task = ydf.Task.RANKING if "qid" in columns else ydf.Task.REGRESSION
        given: dict[str, Any] = {"num_trees": rounds, "num_threads": threads, "random_seed": SEED}
        if name == "RandomForestLearner":
            given["num_candidate_attributes"] = data.features_per_split
        learner = getattr(ydf, name)(label="y", task=task, **given, **settings)
        model = learner.train(columns)
        inputs = [name for name in columns if name != "y"]
        return lambda test: model.predict({name: getattr(test, name) for name in inputs})

    return train


_BOOSTED: dict[str, Any] = {"learning_rate": LEARNING_RATE, "min_samples_leaf": DOCUMENTS_IN_LEAF}
# Pairs weigh as in LightGBM: by NDCG cut where pairs are, and normalised by gap and query.
OUR_RANKER = {
    "max_leaf_nodes": LEAVES,
    "max_depth": None,
    "truncation": TRUNCATION,
    "metric": f"ndcg@{TRUNCATION}",
    "lambda_norm": "gap_log",
    **_BOOSTED,
}
OUR_MART = {"max_depth": DEPTH, **_BOOSTED}
_OUR_FOREST = {"max_features": "breiman"}
LIGHTGBM_RANKER = {"num_leaves": LEAVES, "lambdarank_truncation_level": TRUNCATION}
XGBOOST_RANKER = {
    "grow_policy": "lossguide",
    "max_leaves": LEAVES,
    "max_depth": 0,
    "lambdarank_num_pair_per_sample": TRUNCATION,
}
_LIGHTGBM_MART = {"num_leaves": 2**DEPTH, "max_depth": DEPTH}
# With squared error min_child_weight counts documents; rank:ndcg has nothing that does.
_XGBOOST_MART: dict[str, Any] = {"max_depth": DEPTH, "min_child_weight": DOCUMENTS_IN_LEAF}
_YDF_BOOSTED = {
    "shrinkage": LEARNING_RATE,
    "min_examples": DOCUMENTS_IN_LEAF,
    "discretize_numerical_columns": True,
    "num_discretized_numerical_bins": BINS,
    "validation_ratio": 0.0,
    "early_stopping": "NONE",
}
_SMALL = 100_000  # documents
_LIGHTGBM_MODES: Mapping[str, tuple[str, dict[str, bool]]] = {
    "lightgbm-row": ("LightGBM, row-wise", {"force_row_wise": True}),
    "lightgbm-col": ("LightGBM, column-wise", {"force_col_wise": True}),
    "lightgbm-quantised": ("LightGBM, quantised", {"use_quantized_grad": True}),
}


def _lightgbm_modes(objective: str, **settings: Any) -> dict[str, System]:
    return {
        name: System(label, "lightgbm", _lightgbm(objective, **settings, **mode))
        for name, (label, mode) in _LIGHTGBM_MODES.items()
    }


#: Trees such as CatBoost's.
_OBLIVIOUS: dict[str, Any] = {"grow_policy": "oblivious", "max_depth": 6, "max_leaf_nodes": None}


def _rankforest(estimator: str, tree_method: str, **settings: Any) -> System:
    train = _ours(estimator, tree_method=tree_method, **settings)
    return System(f"rankforest {estimator}, {tree_method}", "rankforest.estimators", train)


# By work; the first system of each is what the others are compared with.
SYSTEMS: Mapping[str, Mapping[str, System]] = {
    "lambdamart": {
        "rankforest": _rankforest("LambdaMART", "hist", **OUR_RANKER),
        "rankforest-exact": _rankforest("LambdaMART", "exact", **OUR_RANKER),
        "rankforest-oblivious": System(
            "rankforest LambdaMART, oblivious, depth 6",
            "rankforest.estimators",
            _ours("LambdaMART", tree_method="hist", **{**OUR_RANKER, **_OBLIVIOUS}),
        ),
        **_lightgbm_modes("lambdarank", **LIGHTGBM_RANKER),
        "xgboost": System(
            "XGBoost rank:ndcg, hist",
            "xgboost",
            _xgboost("rank:ndcg", **XGBOOST_RANKER),
        ),
        "catboost": System(
            "CatBoost YetiRank, depth 6", "catboost", _catboost(loss_function="YetiRank", depth=6)
        ),
        "ydf": System(
            "YDF LAMBDA_MART_NDCG",
            "ydf",
            _ydf(
                "GradientBoostedTreesLearner",
                loss="LAMBDA_MART_NDCG",
                ranking_group="qid",
                ndcg_truncation=TRUNCATION,
                growing_strategy="BEST_FIRST_GLOBAL",
                max_num_nodes=LEAVES,  # it counts leaves
                max_depth=-1,
                **_YDF_BOOSTED,
            ),
            _SMALL,
        ),
    },
    "mart": {
        "rankforest": _rankforest("MART", "hist", **OUR_MART),
        "rankforest-oblivious": System(
            f"rankforest MART, oblivious, depth {DEPTH}",
            "rankforest.estimators",
            _ours("MART", tree_method="hist", **{**OUR_MART, **_OBLIVIOUS, "max_depth": DEPTH}),
        ),
        **_lightgbm_modes("regression", **_LIGHTGBM_MART),
        "xgboost": System(
            "XGBoost, hist", "xgboost", _xgboost("reg:squarederror", **_XGBOOST_MART)
        ),
        "catboost": System(
            "CatBoost RMSE", "catboost", _catboost(loss_function="RMSE", depth=DEPTH)
        ),
        "sklearn": System(
            "scikit-learn HistGradientBoostingRegressor",
            "sklearn.ensemble",
            _sklearn(
                "HistGradientBoostingRegressor",
                max_depth=DEPTH,
                max_leaf_nodes=2**DEPTH,
                max_bins=BINS,
                early_stopping=False,
                **_BOOSTED,
            ),
        ),
        "ydf": System(
            "YDF SQUARED_ERROR",
            "ydf",
            _ydf(
                "GradientBoostedTreesLearner",
                loss="SQUARED_ERROR",
                max_depth=DEPTH + 1,  # it counts the root
                **_YDF_BOOSTED,
            ),
            _SMALL,
        ),
    },
    "mart-exact": {
        "rankforest": _rankforest("MART", "exact", **OUR_MART),
        "xgboost": System(
            "XGBoost, exact",
            "xgboost",
            _xgboost("reg:squarederror", "exact", **_XGBOOST_MART),
            _SMALL,
        ),
        "sklearn": System(
            "scikit-learn GradientBoostingRegressor",
            "sklearn.ensemble",
            _sklearn("GradientBoostingRegressor", max_depth=DEPTH, **_BOOSTED),
            _SMALL,
        ),
    },
    "forest": {
        "rankforest": _rankforest("RandomForest", "hist", **_OUR_FOREST),
        "rankforest-exact": _rankforest("RandomForest", "exact", **_OUR_FOREST),
        "sklearn": System(
            "scikit-learn RandomForestRegressor",
            "sklearn.ensemble",
            _sklearn("RandomForestRegressor"),
        ),
        "ydf": System(
            "YDF RandomForestLearner",
            "ydf",
            _ydf(
                "RandomForestLearner",
                max_depth=-1,
                min_examples=1,
                compute_oob_performances=False,
            ),
        ),
    },
}
