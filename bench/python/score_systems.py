"""The systems that `score.py` compares: each trains a model of the same size and scores with it.

A system is a function (data, size) -> Score; Score is (X, threads) -> scores. LightGBM's model is
also scored by rankforest and by the libraries that read or compile its trees, so that those rows of
the table are about the same trees. The other libraries train trees of the same size.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from train_systems import Arrays

Matrix = npt.NDArray[np.float32]
_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []  # of what was compiled, for scoring
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


@cache  # one model for all that score its trees
def _lightgbm_booster(data: Arrays, size: Size) -> Any:
    import lightgbm

    settings = {
        "objective": "regression",
        "num_leaves": size.leaves,
        "learning_rate": LEARNING_RATE,
        "seed": SEED,
        "verbosity": -1,
    }
    return lightgbm.train(settings, lightgbm.Dataset(data.X, data.y), size.trees)


def _lightgbm(data: Arrays, size: Size) -> Score:
    booster = _lightgbm_booster(data, size)
    return lambda X, threads: booster.predict(X, num_threads=threads)


def _of_lightgbm(
    read: Callable[[Any, Path], Score], tolerance: float = 1e-4
) -> Callable[[Arrays, Size], Score]:
    """Return a system that scores LightGBM's trees.

    `read` gets the booster and a folder for files, which stays until the program ends. Scores must
    be LightGBM's but for `tolerance`: some libraries add in float32.
    """

    def make(data: Arrays, size: Size) -> Score:
        booster = _lightgbm_booster(data, size)
        folder = tempfile.TemporaryDirectory()
        _FOLDERS.append(folder)
        score = read(booster, Path(folder.name))
        few = data.X[:1000]
        found = np.asarray(score(few, 1), dtype=np.float64).reshape(-1)
        np.testing.assert_allclose(found, booster.predict(few), rtol=0, atol=tolerance)
        return score

    return make


def _read_by_us(booster: Any, _folder: Path) -> Score:
    from rankforest import Model

    model = Model.from_bytes(booster.model_to_string().encode())
    return lambda X, threads: model.predict(X, n_jobs=threads)


def _text_of(booster: Any, folder: Path) -> str:
    path = str(folder / "lightgbm.txt")
    booster.save_model(path)
    return path


def _read_by_treelite(booster: Any, folder: Path) -> Score:
    import treelite

    model = treelite.frontend.load_lightgbm_model(_text_of(booster, folder))
    return lambda X, threads: treelite.gtil.predict(model, X, nthread=threads)


def _compiled_by_tl2cgen(**params: Any) -> Callable[[Any, Path], Score]:
    def read(booster: Any, folder: Path) -> Score:
        import tl2cgen
        import treelite

        model = treelite.frontend.load_lightgbm_model(_text_of(booster, folder))
        library = str(folder / "trees.so")
        given = {"parallel_comp": 8, **params}
        tl2cgen.export_lib(model, "gcc", library, params=given, options=["-O3"])
        predictor = cache(lambda threads: tl2cgen.Predictor(library, nthread=threads))
        return lambda X, threads: predictor(threads).predict(tl2cgen.DMatrix(X))

    return read


def _compiled_by_lleaves(booster: Any, folder: Path) -> Score:
    import lleaves

    model = lleaves.Model(_text_of(booster, folder))
    model.compile()
    return lambda X, threads: model.predict(X, n_jobs=threads)


def _converted_to_onnx(booster: Any, _folder: Path) -> Score:
    import onnxruntime
    from onnxmltools import convert_lightgbm
    from onnxmltools.convert.common.data_types import FloatTensorType

    types = [("X", FloatTensorType([None, booster.num_feature()]))]
    model = convert_lightgbm(booster, initial_types=types).SerializeToString()

    @cache
    def session(threads: int) -> Any:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    return lambda X, threads: session(threads).run(None, {"X": X})[0]


def _ydf_without_trees(n_features: int) -> Any:
    """Return a model of YDF to put trees into; that it learns from every column makes these known."""
    import ydf

    ydf.verbose(0)
    X = np.random.default_rng(SEED).normal(size=(200, n_features)).astype(np.float32)
    learner = ydf.GradientBoostedTreesLearner(
        label="y", task=ydf.Task.REGRESSION, num_trees=1, validation_ratio=0.0
    )
    model = learner.train({"X": X, "y": X[:, 0]})
    model.remove_tree(0)
    model.set_initial_predictions([0.0])
    return model


def _rebuilt_in_ydf(booster: Any, _folder: Path) -> Score:
    from ydf.model.tree.condition import NumericalHigherThanCondition
    from ydf.model.tree.node import Leaf, NonLeaf
    from ydf.model.tree.tree import Tree
    from ydf.model.tree.value import RegressionValue

    model = _ydf_without_trees(booster.num_feature())
    columns = model.input_features()

    def node(of: dict[str, Any]) -> Any:
        if "leaf_value" in of:
            return Leaf(value=RegressionValue(num_examples=1, value=of["leaf_value"]))
        up_to = np.float32(of["threshold"])  # the largest one that goes left
        if float(up_to) > of["threshold"]:
            up_to = np.nextafter(up_to, np.float32(-np.inf))
        condition = NumericalHigherThanCondition(
            missing=not of["default_left"],
            score=1.0,
            attribute=columns[of["split_feature"]].column_idx,
            threshold=float(np.nextafter(up_to, np.float32(np.inf))),
        )
        return NonLeaf(
            value=RegressionValue(num_examples=1, value=0.0),
            condition=condition,
            pos_child=node(of["right_child"]),
            neg_child=node(of["left_child"]),
        )

    for tree in booster.dump_model()["tree_info"]:
        model.add_tree(Tree(root=node(tree["tree_structure"])))
    return lambda X, threads: model.predict({"X": X}, num_threads=threads)


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
        "rankforest": System(
            "rankforest, LightGBM's trees", "rankforest", _of_lightgbm(_read_by_us, 1e-5)
        ),
        "lightgbm": System("LightGBM", "lightgbm", _lightgbm),
        "onnx": System(
            "ONNX Runtime, LightGBM's trees", "onnxruntime", _of_lightgbm(_converted_to_onnx)
        ),
        "lleaves": System(
            "lleaves, LightGBM's trees", "lleaves", _of_lightgbm(_compiled_by_lleaves)
        ),
        "tl2cgen": System(
            "tl2cgen, gcc -O3, LightGBM's trees", "tl2cgen", _of_lightgbm(_compiled_by_tl2cgen())
        ),
        "tl2cgen-quantize": System(
            "tl2cgen, gcc -O3, quantize, LightGBM's trees",
            "tl2cgen",
            _of_lightgbm(_compiled_by_tl2cgen(quantize=1)),
        ),
        "treelite": System(
            "treelite GTIL, LightGBM's trees", "treelite", _of_lightgbm(_read_by_treelite)
        ),
        "ydf-rebuilt": System("YDF, LightGBM's trees", "ydf", _of_lightgbm(_rebuilt_in_ydf)),
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
