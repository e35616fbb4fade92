"""Small data and quick estimators for the tests of the estimators."""

import numpy as np

from rankforest import IGBRT, MART, ExtraTrees, LambdaMART, RandomForest, SelGB

#: One quick estimator of each algorithm, with everything drawn at random that can be.
ESTIMATORS = {
    "random_forest": RandomForest(n_estimators=7, max_features=2),
    "extra_trees": ExtraTrees(n_estimators=7, max_features=2),
    "mart": MART(n_estimators=7, subsample=0.7, max_features=0.5),
    "igbrt": IGBRT(
        n_estimators=5, subsample=0.7, forest=RandomForest(n_estimators=4, max_features=2)
    ),
    "lambdamart": LambdaMART(
        n_estimators=7, subsample=0.7, max_features="sqrt", max_leaf_nodes=7, min_samples_leaf=2
    ),
    "selgb": SelGB(
        n_estimators=7,
        subsample=0.7,
        negative_fraction=0.4,
        selection="mixed",
        reselect_every=2,
        max_features="sqrt",
        max_leaf_nodes=7,
        min_samples_leaf=2,
    ),
}


def make_data(n_queries=12, n_documents=10, n_features=5, seed=0, missing=0.0):
    """Features, grades 0-2 that features 0 and 1 decide but for noise, and query ids."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_queries * n_documents, n_features)).astype(np.float32)
    signal = X[:, 0] + 0.5 * X[:, 1] + 0.3 * rng.normal(size=len(X))
    y = np.digitize(signal, [0.3, 1.2]).astype(np.float64)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y, np.repeat(np.arange(n_queries), n_documents)
