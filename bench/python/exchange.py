"""Write a model of each algorithm in each format of other systems, and compare all scores.

Trains on one fold, scores its test set with what was written, by the target where it is installed,
and documents at every threshold. The table has the largest difference of a score of the test set
and, behind a slash, at thresholds; the tables of ``docs/exchange.md`` are its output.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import numpy as np
from packages import version_of

import rankforest as rf
from rankforest.exchange.formats import FORMATS
from rankforest.exchange.linear import LINEAR_FORMATS

ESTIMATORS = {
    "RandomForest": rf.RandomForest(n_estimators=20, max_leaf_nodes=64),
    "ExtraTrees": rf.ExtraTrees(n_estimators=20, max_leaf_nodes=64),
    "MART": rf.MART(n_estimators=100),
    "IGBRT": rf.IGBRT(n_estimators=50, forest=rf.RandomForest(n_estimators=20, max_leaf_nodes=64)),
    "LambdaMART": rf.LambdaMART(n_estimators=100),
    "SelGB": rf.SelGB(n_estimators=100),
    "BaggedLambdaMART, mean": rf.BaggedLambdaMART(n_bags=5, n_estimators=20, combine="mean"),
    "RankBoost": rf.RankBoost(n_estimators=100),
    "DART": rf.DART(n_estimators=100),
    "MART, oblivious": rf.MART(n_estimators=100, grow_policy="oblivious"),
    "RandomForest, ordinal": rf.RandomForest(n_estimators=10, max_leaf_nodes=64, ordinal=True),
}


#: Those whose models are weights of features.
LINEAR = {
    "CoordinateAscent": rf.CoordinateAscent(n_restarts=1, max_iterations=5),
    "RankSVM": rf.RankSVM(query_normalization=None),
    "AdaRank": rf.AdaRank(n_estimators=100),
}


def differences(model: rf.Model, form: str, test: rf.Dataset, names: list[str]) -> str:
    """Write and compare; say why where the format cannot hold the model."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            report = model.export(Path(folder, "m"), form, verify=test, feature_names=names)
        except ValueError as error:
            return f"refused: {error}"
    parity = report.parity
    assert parity is not None
    moved = "" if parity.first_reordered is None else " *"
    return f"{parity.largest_difference:.1e} / {parity.largest_at_thresholds:.1e}{moved}"


@click.command()
@click.argument("fold", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--missing", default=0.0, help="Share of the values that is made missing.")
@click.option("--only", default="", help="Part of the names of the algorithms to take.")
def main(fold: Path, missing: float, only: str) -> None:
    """Print the table for a folder with train.txt and test.txt."""
    train, test = (rf.read_letor(fold / f"{name}.txt") for name in ("train", "test"))
    if missing:
        train, test = (_with_gaps(data, missing) for data in (train, test))
    names = [f"f{i}" for i in range(train.n_features)]
    peers = {"lightgbm": "lightgbm", "xgboost-cpu": "xgboost", "onnxruntime": "onnxruntime"}
    click.echo(", ".join(f"{peer} {version_of(peer, module)}" for peer, module in peers.items()))
    for estimators, forms in ((ESTIMATORS, list(FORMATS)), (LINEAR, list(LINEAR_FORMATS))):
        click.echo("\n| algorithm | " + " | ".join(forms) + " |")
        click.echo("|---" * (len(forms) + 1) + "|")
        for name, estimator in estimators.items():
            if only in name:
                model = estimator.fit(train).model_
                cells = [differences(model, form, test, names) for form in forms]
                click.echo(f"| {name} | " + " | ".join(cells) + " |")


def _with_gaps(data: rf.Dataset, share: float) -> rf.Dataset:
    rng = np.random.default_rng(1)
    X = np.where(rng.random(data.X.shape) < share, np.float32(np.nan), data.X)
    return rf.Dataset(X, data.y, qid=data.qid)


if __name__ == "__main__":
    main()
