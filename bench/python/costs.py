"""What features that have costs do to quality, to what scoring costs, and to the time of training.

    python bench/python/costs.py quality TRAIN TEST [--trees 300] [--only mart] [--draw costs.png]
    python bench/python/costs.py time ARRAYS [--trees 100]

TRAIN and TEST are LETOR text, ARRAYS a file of NumPy arrays X, y and qid. Features have five costs,
1 to 256, as the thesis's five groups do: the j-th feature, from 0 on, costs 4 ** (j % 5), and a
tree costs 1. "quality" prints for lambda 0 and five others what a document costs and NDCG@10 on
TEST, without exits, and where 5, 10 and 20 % of the documents of each query that are left exit
after every 100 trees, to stand below those that stay. "time" prints processor time of training
with costs over that without.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

import rankforest as rf

WEIGHTS = (0.0, 0.01, 0.1, 1.0, 10.0, 100.0)
#: Percent of the documents that exit each time; trees from one exit to the next.
EXITS = (0, 5, 10, 20)
EXIT_EVERY = 100


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


class Measured(NamedTuple):
    """What one model costs and how well it ranks, of which a share of the documents exits."""

    weight: float  #: lambda
    n_features: int  #: that the model was charged for
    percent: int  #: of the documents that exit each time
    cost: float  #: of a document
    ndcg: float


def measured(
    make: Callable[..., rf.LambdaMART], train: rf.Dataset, test: rf.Dataset
) -> list[Measured]:
    """Train with every lambda, and measure with every share of exits."""
    costs = costs_of(train.n_features)
    found = []
    for weight in WEIGHTS:
        model = make(feature_costs=costs, cost_weight=weight).fit(train)
        charged = int(model.charged_features_.sum())
        for percent in EXITS:
            exits = rf.EarlyExit(EXIT_EVERY, percent / 100, demote=True) if percent else None
            cost = rf.scoring_cost(model, test, ["ndcg@10"], costs=costs, early_exit=exits)
            found.append(
                Measured(weight, charged, percent, cost.per_document, cost.metrics["ndcg@10"])
            )
    return found


def quality(given: argparse.Namespace) -> None:
    """Print cost and NDCG@10 for each lambda and share of exits, and draw them."""
    train, test = rf.read_letor(given.train), rf.read_letor(given.test)
    curves = {}
    for name, make in estimators(given.trees).items():
        if given.only and name not in given.only:
            continue
        curves[name] = found = measured(make, train, test)
        heads = ["features", "exits, %", "cost", "of blind", "NDCG@10"]
        print(f"{name:20} {'lambda':>8} {' '.join(f'{head:>9}' for head in heads)}")
        for each in found:
            share = each.cost / found[0].cost
            print(
                f"{'':20} {each.weight:8g} {each.n_features:9} {each.percent:9} {each.cost:9.0f} "
                f"{share:9.3f} {each.ndcg:9.4f}",
                flush=True,
            )
    if given.draw:
        draw(curves, given.draw)


def draw(curves: Mapping[str, list[Measured]], path: str) -> None:
    """Draw cost against NDCG@10: for each estimator a plot, for each share of exits a line."""
    from matplotlib.figure import Figure  # it is optional

    figure = Figure(figsize=(5 * len(curves), 4), layout="constrained")
    for axes, (name, found) in zip(
        figure.subplots(1, len(curves), squeeze=False)[0], curves.items(), strict=True
    ):
        for percent in EXITS:
            points = [each for each in found if each.percent == percent]
            axes.plot(
                [each.cost for each in points],
                [each.ndcg for each in points],
                marker="o",
                label=f"{percent} % exit" if percent else "no exits",
            )
        for each in found:
            if not each.percent:
                axes.annotate(
                    f"{each.weight:g}",
                    (each.cost, each.ndcg),
                    textcoords="offset points",
                    xytext=(5, -10),
                )
        axes.set(title=name, xscale="log", xlabel="cost of a document", ylabel="NDCG@10")
        axes.legend(title="numbers: lambda")
        axes.grid(alpha=0.3)
    figure.savefig(path)


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
    part.add_argument("--only", action="append", choices=list(estimators(0)))
    part.add_argument("--draw", metavar="PNG")
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
