"""Time Shapley values here and in LightGBM, on the same trees.

    python bench/python/explain.py [--trees 1000] [--leaves 64] [--documents 20000] [--explain 500]
                                   [--threads 1] [--repeats 3]

LightGBM trains on made-up documents of 136 features; rankforest reads its text. Both explain the
same documents, in turn. The table has the median and the best milliseconds of processor time (with
several threads, of all together) for each document, and the largest difference between the two, and
between sums of values and scores.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import lightgbm
import numpy as np
import numpy.typing as npt

import rankforest as rf

Floats = npt.NDArray[np.float64]


def train(given: argparse.Namespace, data: rf.Dataset) -> lightgbm.Booster:
    """Train LightGBM's model."""
    settings = {
        "objective": "lambdarank",
        "num_leaves": given.leaves,
        "learning_rate": 0.05,
        "min_data_in_leaf": 20,
        "num_threads": 0,
        "verbose": -1,
    }
    sizes = np.bincount(data.query_codes)
    return lightgbm.train(settings, lightgbm.Dataset(data.X, data.y, group=sizes), given.trees)


def timed(explain: Callable[[], Floats]) -> tuple[float, Floats]:
    """Return the seconds of processor time of one call, and what it returned."""
    begin = time.process_time()
    values = explain()
    return time.process_time() - begin, values


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=int, default=1000)
    parser.add_argument("--leaves", type=int, default=64)
    parser.add_argument("--documents", type=int, default=20000)
    parser.add_argument("--explain", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    data = rf.datasets.make_ranking(n_queries=given.documents // 22, n_features=136, random_state=0)
    booster = train(given, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.txt")
        booster.save_model(path)
        model = rf.load(path)
    X = data.X[: given.explain]
    systems: dict[str, Callable[[], Floats]] = {
        "rankforest": lambda: model.explain(X, n_jobs=given.threads).values,
        f"LightGBM {lightgbm.__version__}": lambda: np.asarray(
            booster.predict(X, pred_contrib=True, num_threads=given.threads)
        )[:, :-1],
    }
    seconds: dict[str, list[float]] = {name: [] for name in systems}
    values: dict[str, Floats] = {}
    for _ in range(given.repeats):
        for name, explain in systems.items():
            took, values[name] = timed(explain)
            seconds[name].append(took)
    ours, theirs = values.values()
    base = statistics.median(seconds["rankforest"])
    print(f"{model.n_trees} trees, {len(X)} documents, {given.threads} threads")
    for name, each in seconds.items():
        median = statistics.median(each)
        print(
            f"{name:16} median {1e3 * median / len(X):8.3f} ms  best {1e3 * min(each) / len(X):8.3f}"
            f" ms a document  ratio {median / base:6.2f}"
        )
    sums = model.explain(X[:1]).base_values[0] + ours.sum(axis=1)
    print(f"largest difference of a value {np.abs(ours - theirs).max():.2e}")
    print(f"largest difference of a sum from the score {np.abs(sums - model.predict(X)).max():.2e}")


if __name__ == "__main__":
    main()
