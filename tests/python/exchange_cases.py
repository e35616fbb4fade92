"""Small data and models that the tests of exchange with other systems share."""

import numpy as np

import rankforest as rf

NAMES = ("title bm25", "body", "age", "clicks", "length")

#: Estimators whose models are sums over trees, by a name for the test.
ESTIMATORS = {
    "RandomForest": rf.RandomForest(n_estimators=6, random_state=1),
    "RandomForest, ordinal": rf.RandomForest(n_estimators=4, ordinal=True, random_state=1),
    "ExtraTrees": rf.ExtraTrees(n_estimators=6, random_state=1),
    "MART": rf.MART(n_estimators=8, random_state=1),
    "MART, oblivious": rf.MART(n_estimators=8, grow_policy="oblivious", random_state=1),
    "IGBRT": rf.IGBRT(n_estimators=5, forest=rf.RandomForest(n_estimators=5), random_state=1),
    "LambdaMART": rf.LambdaMART(n_estimators=8, random_state=1),
    "SelGB": rf.SelGB(n_estimators=8, random_state=1),
    "BaggedLambdaMART": rf.BaggedLambdaMART(
        n_bags=2, n_estimators=4, combine="mean", random_state=1
    ),
    "RankBoost": rf.RankBoost(n_estimators=10),
    "BROOF": rf.BROOF(n_estimators=4, max_iter=3, random_state=1),
    "DART": rf.DART(n_estimators=6, drop_rate=0.5, random_state=1),
}


def documents(*, nan: bool = False, seed: int = 5) -> rf.Dataset:
    """Make 30 queries of 12 documents; negative values, repeated ones and, if asked, missing ones."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(360, 5)), 2).astype(np.float32)
    X[:, 3] = np.exp(X[:, 3])
    y = np.clip(np.round(X[:, 0] + X[:, 1] + 1), 0, 4)
    if nan:
        X[rng.random(X.shape) < 0.15] = np.nan
    return rf.Dataset(X, y, qid=np.repeat(np.arange(30), 12))


def model_of_arrays(*trees, base=0.0, n_features=2, weight=1.0, reduction="sum") -> rf.Model:
    """Make a model of trees, each a dict of lists by column."""
    kinds = {"feature": np.uint32, "threshold": np.float32, "gain": np.float32, "leaf": np.float32}
    arrays = [
        {
            key: np.array(tree.get(key, []), dtype=kinds.get(key, np.int32))
            for key in ("feature", "threshold", "left", "right", "missing", "gain", "leaf")
        }
        for tree in trees
    ]
    group = {"weight": weight, "reduction": reduction, "trees_per_round": 1, "trees": arrays}
    ensemble = rf._core.Ensemble.from_arrays(
        {
            "combine": "sum",
            "n_features": n_features,
            "members": [{"base": base, "groups": [group] if arrays else []}],
        }
    )
    return rf.Model(ensemble, rf._core.ModelInfo())


def stump(threshold, *leaves, feature=0, missing="left") -> dict:
    """Make one split; a third leaf is for missing values."""
    side = {"left": -1, "right": -2, "third": -3}[missing]
    return {
        "feature": [feature],
        "threshold": [threshold],
        "left": [-1],
        "right": [-2],
        "missing": [side],
        "leaf": list(leaves),
    }
