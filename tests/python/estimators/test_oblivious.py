"""`grow_policy="oblivious"`: trees whose nodes of a level all ask the same."""

import json

import numpy as np
import pytest
from cli_cases import call, write_files
from estimator_cases import make_data

import rankforest as rf
from rankforest.model_json import to_json

ESTIMATORS = {
    "random_forest": lambda **p: rf.RandomForest(n_estimators=5, **p),
    "mart": lambda **p: rf.MART(n_estimators=5, **{"max_depth": None, **p}),
    "igbrt": lambda **p: rf.IGBRT(
        n_estimators=5, forest=rf.RandomForest(n_estimators=3, grow_policy="oblivious"), **p
    ),
    "lambdamart": lambda **p: rf.LambdaMART(
        n_estimators=5, **{"max_leaf_nodes": None, "min_samples_leaf": 2, **p}
    ),
}


def trees_of(model):
    """Give what the nodes of each level ask, level by level, and the number of leaves, by tree."""
    groups = [
        group
        for member in json.loads(to_json(model._ensemble, model._info))["members"]
        for group in member["groups"]
    ]
    return [(levels_of(tree), len(tree["leaves"])) for group in groups for tree in group["trees"]]


def levels_of(tree):
    """Give the sets of (feature, threshold, whether NaN goes left) that levels ask."""
    levels, nodes = [], [0] if tree["nodes"] else []
    while nodes:
        rows = [tree["nodes"][n] for n in nodes]
        asked = {(row["feature"], row["threshold"], row["missing"] == row["left"]) for row in rows}
        levels.append(asked)
        children = [row[side] for row in rows for side in ("left", "right")]
        nodes = [child for child in children if child >= 0]
        assert len(nodes) in (0, len(children))
    return levels


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("tree_method", ["exact", "hist"])
def test_all_nodes_of_a_level_ask_the_same(name, tree_method):
    X, y, qid = make_data(n_queries=20, missing=0.1)
    model = ESTIMATORS[name](grow_policy="oblivious", tree_method=tree_method).fit(X, y, qid=qid)
    trees = trees_of(model.model_)
    assert max(leaves for _, leaves in trees) > 4
    for levels, leaves in trees:
        assert leaves == 2 ** len(levels)
        assert all(len(asked) == 1 for asked in levels)


def test_depth_is_6_unless_it_is_given():
    X, y, qid = make_data(n_queries=100, n_documents=20)

    def depth(**parameters):
        model = ESTIMATORS["mart"](grow_policy="oblivious", **parameters).fit(X, y, qid=qid)
        return {len(levels) for levels, _ in trees_of(model.model_)}

    assert depth() == {6}
    assert depth(max_depth=3) == {3}
    assert depth(max_leaf_nodes=16) == {4}
    assert depth(max_leaf_nodes=16, max_depth=3) == {3}


def test_rows_threads_and_engines_change_no_bit():
    X, y, qid = make_data(n_queries=30)
    X = np.round(X, 1)  # fewer values than bins
    rows = np.random.default_rng(1).permutation(len(X))
    params = {"grow_policy": "oblivious", "subsample": 0.7, "max_features": 3}
    model = ESTIMATORS["lambdamart"](**params, tree_method="exact").fit(X, y, qid=qid)
    for n_jobs in (1, 3):
        other = ESTIMATORS["lambdamart"](**params, tree_method="hist", n_jobs=n_jobs)
        other.fit(X[rows], y[rows], qid=qid[rows])
        np.testing.assert_array_equal(other.predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_leaf_nodes": 31}, r"max_leaf_nodes must be None or a power of two .* got 31"),
        ({"max_leaf_nodes": 2**17}, "max_leaf_nodes must be None or a power of two"),
        ({"max_depth": 17}, r"max_depth must be <= 16 with grow_policy=\"oblivious\", got 17"),
        ({"missing": "third"}, "two children"),
    ],
)
def test_limits_that_no_oblivious_tree_has_are_refused(parameters, message):
    X, y, qid = make_data()
    for name in ("lambdamart", "mart", "random_forest"):
        with pytest.raises(ValueError, match=message):
            ESTIMATORS[name](grow_policy="oblivious", **parameters).fit(X, y, qid=qid)


def test_all_that_does_not_go_with_it_is_said_at_once():
    X, y, qid = make_data()
    model = rf.LambdaMART(grow_policy="oblivious", missing="third", max_depth=20)
    with pytest.raises(ValueError, match="3 arguments are unusable"):
        model.fit(X, y, qid=qid)


def test_other_criteria_and_random_thresholds_are_refused():
    X, y, qid = make_data()
    with pytest.raises(ValueError, match="squared_error"):
        rf.RandomForest(grow_policy="oblivious", criterion="entropy").fit(X, y, qid=qid)
    with pytest.raises(ValueError, match="nodes draw theirs"):
        rf.ExtraTrees(grow_policy="oblivious").fit(X, y, qid=qid)
    forest = rf.RandomForest(grow_policy="oblivious", max_leaf_nodes=5)
    with pytest.raises(ValueError, match=r"forest\.max_leaf_nodes must be None or a power of two"):
        rf.IGBRT(forest=forest).fit(X, y, qid=qid)


def test_the_command_trains_them(capsys, tmp_path):
    files = write_files(tmp_path)
    model = tmp_path / "m.rf"
    wanted = ("--grow-policy", "oblivious", "--max-leaf-nodes", 8, "--n-estimators", 3)
    ended = call(
        capsys, "ltr-train", "--algorithm", "lambdamart", "--train", files / "train.txt",
        "--model", model, *wanted, "--n-jobs", 1,
    )  # fmt: skip
    assert ended.status == 0, ended.err
    assert {leaves for _, leaves in trees_of(rf.load(model))} == {8}
