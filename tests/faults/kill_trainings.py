"""Trainings that are killed at random moments, again and again, until one gets to its end.

    python tests/faults/kill_trainings.py               # three kills of each trainer
    python tests/faults/kill_trainings.py --kills 10 --seed 4

The model file and the history must then have the very bytes of a training that was never disturbed.
Prints the number of kills of each trainer, and how many of them left a checkpoint, as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import rankforest as rf
from rankforest.estimators.checkpoint_file import read_checkpoint

BOOSTING = {"n_estimators": 60, "subsample": 0.7, "max_features": 0.7, "random_state": 5}
LEAVES = {"min_samples_leaf": 5, "max_leaf_nodes": 8}
STOPPING = {"early_stopping_rounds": 25, "overfit_tolerance": 0.02, "overfit_rounds": 5}


def trainers():
    """Return an estimator for every kind of training."""
    forest = rf.RandomForest(n_estimators=48)
    return {
        "mart": rf.MART(**BOOSTING, **STOPPING),
        "ordinal mart": rf.MART(**BOOSTING, ordinal=True),
        "igbrt": rf.IGBRT(**BOOSTING, forest=forest),
        "lambdamart": rf.LambdaMART(**BOOSTING, **LEAVES),
        "lambdamart that stops": rf.LambdaMART(**BOOSTING, **LEAVES, **STOPPING),
        "lambdamart with positions": rf.LambdaMART(**BOOSTING, **LEAVES),
        "yetirank": rf.LambdaMART(**BOOSTING, **LEAVES, objective="yetirank"),
        "yetiloss": rf.LambdaMART(**BOOSTING, **LEAVES, objective="yetiloss"),
        "xe_ndcg": rf.LambdaMART(**BOOSTING, **LEAVES, objective="xe_ndcg"),
        "ndcg_loss2++": rf.LambdaMART(
            **BOOSTING, **LEAVES, objective="ndcg_loss2++", metric="ndcg"
        ),
        "selgb": rf.SelGB(**BOOSTING, **LEAVES, negative_fraction=0.3, reselect_every=7),
        "dart": rf.DART(**BOOSTING, **LEAVES, **STOPPING, drop_rate=0.2),
        "xdart": rf.XDART(**BOOSTING, **LEAVES, drop_rate=0.2),
        "random_forest": rf.RandomForest(n_estimators=160),
        "listwise forest": rf.RandomForest(n_estimators=64, criterion="listwise"),
        "ordinal forest": rf.RandomForest(n_estimators=64, ordinal=True),
        "extra_trees": rf.ExtraTrees(n_estimators=200),
        "bagged_lambdamart": rf.BaggedLambdaMART(n_bags=8, n_estimators=12, **LEAVES),
        "bagging": rf.Bagging(rf.MART(n_estimators=15), n_bags=6),
        "rankboost": rf.RankBoost(n_estimators=80),
        "broof": rf.BROOF(n_estimators=20, max_iter=30),
        "adarank": rf.AdaRank(n_estimators=300),
        "coordinate_ascent": rf.CoordinateAscent(n_restarts=2, max_iterations=6),
        "ranksvm": rf.RankSVM(),
    }


def make_data(seed, n_queries):
    """Make documents, some of whose features are missing."""
    rng = np.random.default_rng(seed)
    n = n_queries * 25
    X = rng.normal(size=(n, 12)).astype(np.float32)
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n), [0.5, 1.5, 2.5])
    return X, y, np.arange(n) // 25


def data_for(name):
    """Return what to train on, and what to measure."""
    (X, y, qid), (Xv, yv, qv) = make_data(1, 120), make_data(2, 40)
    if name not in {"adarank", "coordinate_ascent", "ranksvm"}:
        X[np.random.default_rng(3).random(X.shape) < 0.1] = np.nan
    position = 1 + np.arange(len(y)) % 11 if "positions" in name else None
    return rf.Dataset(X, y, qid=qid, position=position), rf.Dataset(Xv, yv, qid=qv)


def train(estimator, data, folder, **arguments):
    """Train, and write the model and the history."""
    training, valid = data
    estimator.fit(training, eval_set=valid, **arguments)
    estimator.save(folder / "model.rf")
    members = [(m.random_state, m.history) for m in getattr(estimator, "members_", [])]
    history = [estimator.history_, estimator.history_rounds_, members, estimator.deciding_set_]
    (folder / "history.json").write_text(json.dumps(history))


def results(folder):
    """Return what a training wrote."""
    return [(folder / name).read_bytes() for name in ("model.rf", "history.json")]


def attempt(estimator, data, folder, after, every):
    """Train in a process that is killed after so many seconds; return whether it came to its end."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            train(estimator, data, folder, checkpoint=folder / "ck", checkpoint_every=every)
            status = 0
        finally:
            os._exit(status)
    end = time.monotonic() + after
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return True
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def kill_again_and_again(name, n_kills, rng):
    """Kill a training so many times, then let it end; return the kills and what they left."""
    data = data_for(name)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        undisturbed, folder = Path(one), Path(other)
        data[0]._core  # noqa: B018  # prepared once, as it takes as long as some trainings
        begin = time.monotonic()
        train(trainers()[name], data, undisturbed)
        seconds = time.monotonic() - begin
        kills = left = 0
        while kills < n_kills:
            after = rng.uniform(0.0, 1.2 * seconds)
            if attempt(trainers()[name], data, folder, after, int(rng.integers(1, 9))):
                assert results(folder) == results(undisturbed), name
                (folder / "ck").unlink(missing_ok=True)  # and begins again
                continue
            kills += 1
            assert sorted(each.name for each in folder.iterdir()) in (
                [], ["ck"], ["history.json", "model.rf"], ["ck", "history.json", "model.rf"],
                ["ck", "model.rf"], ["model.rf"],
            )  # fmt: skip
            if (folder / "ck").exists():
                read_checkpoint(str(folder / "ck"))
                left += 1
        assert attempt(trainers()[name], data, folder, 600.0, 4)
        assert results(folder) == results(undisturbed), name
    return kills, left


def main():
    """Kill each trainer, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=3, help="of each trainer")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--trainer", nargs="*", choices=sorted(trainers()))
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    found = {}
    for name in arguments.trainer or trainers():
        kills, left = kill_again_and_again(name, arguments.kills, rng)
        found[name] = {"kills": kills, "with a checkpoint": left}
        print(name, found[name], file=sys.stderr)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
