"""Small searches that the tests of tuning share."""

import numpy as np

import rankforest as rf

#: Twelve points, none of which gives the model of another.
GRID = {"learning_rate": [0.05, 0.3], "max_leaf_nodes": [2, 3, 5], "subsample": [0.5, 1.0]}


def make_folds(n_folds=2, *, with_test=True, seed=0):
    data = rf.datasets.make_ranking(
        n_queries=45, n_documents=(3, 9), n_features=5, random_state=seed
    )
    parts = [data.take(data.query_ids[i::5]) for i in range(5)]
    folds = []
    for i in range(n_folds):
        test, valid, *train = parts[i:] + parts[:i]
        folds.append((rf.concat(train, queries="distinct"), valid, test)[: 3 if with_test else 2])
    return folds


def model(**parameters):
    return rf.LambdaMART(
        **{"n_estimators": 8, "min_samples_leaf": 3, "metric": "ndcg@3", "n_jobs": 1, **parameters}
    )


def rows_of(found):
    """Return everything that the trials of a search say, comparable."""
    return [
        (
            t.number,
            sorted(t.params.items()),
            t.n_models,
            t.is_pruned,
            *tuple("nan" if np.isnan(v) else v for v in (t.value, t.test, t.holdout, t.rounds)),
        )
        for t in found.trials
    ]
