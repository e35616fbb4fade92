"""What features that have costs do to quality, to what scoring costs, and to the time of training.

    python bench/python/costs.py quality TRAIN TEST [--trees 300]
    python bench/python/costs.py time ARRAYS [--trees 100]

TRAIN and TEST are LETOR text, ARRAYS a file of NumPy arrays X, y and qid. Features have five costs,
1 to 256, as the thesis's five groups do: the j-th feature, from 0 on, costs 4 ** (j % 5), and a
tree costs 1. "quality" prints for lambda 0 and five others what a document costs and NDCG@10 on
TEST. "time" prints processor time of training with costs over that without.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import rankforest as rf

WEIGHTS = (0.0, 0.01, 0.1, 1.0, 10.0, 100.0)


def estimators(n_trees: int) -> dict[str, Callable[..., rf.LambdaMART]]:
    """Return what makes each estimator, by what it is called here."""
    return {
        "lambdamart": lambda **given: rf.LambdaMART(n_estimators=n_trees, **given),
        "mart": lambda **given: rf.MART(n_estimators=n_trees, max_depth=4, **given),
        "forest": lambda **given: rf.RandomForest(n_estimators=n_trees, **given),
        "forest of 64 leaves": lambda **given: rf.RandomForest(
            n_estimators=n_trees, max_leaf_nodes=64, max_features=0.3, **given
        ),
    }


def costs_of(n_features: int) -> rf.FeatureCosts:
    """Return five costs in turn."""
    return rf.FeatureCosts([4.0 ** (j % 5) for j in range(n_features)])


def quality(given: argparse.Namespace) -> None:
    """Print cost and NDCG@10 for each lambda."""
    train, test = rf.read_letor(given.train), rf.read_letor(given.test)
    costs = costs_of(train.n_features)
    for name, make in estimators(given.trees).items():
        print(f"{name:20} {'lambda':>8} {'features':>9} {'cost':>9} {'of blind':>9} {'NDCG@10':>9}")
        blind = None
        for weight in WEIGHTS:
            model = make(feature_costs=costs, cost_weight=weight).fit(train)
            found = rf.scoring_cost(model.model_, test, ["ndcg@10"], costs=costs)
            blind = blind or found.per_document
            print(
                f"{'':20} {weight:8g} {model.charged_features_.sum():9} {found.per_document:9.0f} "
                f"{found.per_document / blind:9.3f} {found.metrics['ndcg@10']:9.4f}"
            )


def seconds(make: Callable[[], rf.LambdaMART], data: rf.Dataset) -> float:
    """Return the processor time of training."""
    start = time.process_time()
    make().fit(data)
    return time.process_time() - start


def times(given: argparse.Namespace) -> None:
    """Print how much longer training takes with costs, by medians of five runs in turn."""
    arrays = np.load(given.arrays)
    data = rf.Dataset(arrays["X"], arrays["y"].astype(np.float64), qid=arrays["qid"])
    costs = costs_of(data.n_features)
    print(f"{'':20} {'lambda':>8} {'seconds':>9} {'of blind':>9}")
    for name, make in estimators(given.trees).items():
        shorter = {"n_estimators": given.trees // 4} if name.startswith("forest") else {}

        def run(
            weight: float,
            make: Callable[..., rf.LambdaMART] = make,
            shorter: dict[str, int] = shorter,
        ) -> rf.LambdaMART:
            return make(feature_costs=costs, cost_weight=weight, n_jobs=1).set_params(**shorter)

        found = {weight: [] for weight in (0.0, 0.1, 10.0)}
        for _ in range(given.repeats):
            for weight, taken in found.items():
                taken.append(seconds(lambda weight=weight: run(weight), data))
        blind = float(np.median(found[0.0]))
        for weight, taken in found.items():
            median = float(np.median(taken))
            print(f"{name:20} {weight:8g} {median:9.2f} {median / blind:9.3f}")


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(required=True)
    part = parts.add_parser("quality")
    part.add_argument("train")
    part.add_argument("test")
    part.add_argument("--trees", type=int, default=300)
    part.set_defaults(run=quality)
    part = parts.add_parser("time")
    part.add_argument("arrays")
    part.add_argument("--trees", type=int, default=100)
    part.add_argument("--repeats", type=int, default=3)
    part.set_defaults(run=times)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
