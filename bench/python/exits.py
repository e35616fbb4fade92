"""What early exits save and lose: figures 6.1 and 6.2 of Mohan 2010, and exits that are chosen.

    python bench/python/exits.py TRAIN TEST [--trees 1000] [--every 100] [--trials 100]
        [--relevant 3] [--picture costs]

TRAIN and TEST are LETOR text. Features have five costs, 1 to 256, as the thesis's five groups do: the
j-th feature, from 0 on, costs 4 ** (j % 5), and a tree costs 1. Grades from --relevant on are relevant.
For a forest and for SGBRT, a share of the lowest documents of each query exits every so many trees: a
table has the mean cost of a document, and metrics. Then exits are chosen on half of the queries of
TEST, so that NDCG@10 falls by no more than 0.001, and measured on the other half.
"""

from __future__ import annotations

import argparse

import rankforest as rf


def metrics(relevant: int) -> list[str]:
    """Return the thesis's metrics, where grades from this one on are relevant, and NDCG@10."""
    of = f"threshold={relevant}"
    return ["ndcg@10", f"p@5({of})", f"auc({of})", f"auc(fpr=0;0.05,{of})"]


def main() -> None:
    """Train, measure, choose and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--trees", type=int, default=1000)
    parser.add_argument("--every", type=int, default=100, help="trees from one exit to the next")
    parser.add_argument("--trials", type=int, default=100, help="of each rule of exits")
    parser.add_argument("--relevant", type=int, default=3, help="the lowest relevant grade")
    parser.add_argument("--picture", help="start of the names of pictures to write")
    given = parser.parse_args()
    train, test = rf.read_letor(given.train), rf.read_letor(given.test)
    costs = rf.FeatureCosts([4.0 ** (j % 5) for j in range(train.n_features)])
    models = {
        "forest": rf.RandomForest(n_estimators=given.trees, max_features=0.5, random_state=1),
        "sgbrt": rf.MART(
            n_estimators=given.trees, learning_rate=0.1, max_depth=4, subsample=0.5,
            max_features=0.1, random_state=1,
        ),
    }  # fmt: skip
    schedules = {
        f"{share:.0%}": rf.EarlyExit(given.every, share) for share in (0.0, 0.05, 0.1, 0.2)
    }
    chooses, judges = test.train_test_split(0.5, random_state=0)
    for name, estimator in models.items():
        model = estimator.fit(train).model_
        curve = rf.cost_curve(
            model, test, metrics(given.relevant), costs=costs, early_exit=schedules
        )
        print(f"{name}, exits every {given.every} trees\n{curve}\n", flush=True)
        if given.picture:
            curve.plot(f"{given.picture}-{name}.png")
        for lazy in (False, True):
            found = rf.choose_exits(
                model, chooses, max_loss=0.001, costs=costs, lazy=lazy, max_trials=given.trials
            )
            before = rf.scoring_cost(model, judges, costs=costs, lazy=lazy)
            after = rf.scoring_cost(found.model, judges, costs=costs, lazy=lazy)
            print(f"{name}, features computed {'when asked for' if lazy else 'for whole trees'}")
            print(f"{len(found.trials)} schedules: {found._note()}")
            print(f"on other queries: cost {before.per_document:.6g} -> {after.per_document:.6g},")
            print(f"NDCG@10 {before.metrics['ndcg@10']:.4f} -> {after.metrics['ndcg@10']:.4f}\n")


if __name__ == "__main__":
    main()
