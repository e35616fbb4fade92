"""Training that pays for features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import rankforest as rf
from rankforest.cli import train as ltr_train

SMALL = {"n_estimators": 12, "random_state": 3}
FORESTS = (rf.RandomForest, rf.ExtraTrees)
BOOSTED = (rf.MART, rf.LambdaMART, rf.SelGB, rf.DART)
ALL = (*FORESTS, *BOOSTED, rf.IGBRT, rf.XDART, rf.BaggedLambdaMART)


@pytest.fixture(scope="module")
def data() -> rf.Dataset:
    return rf.datasets.make_ranking(n_queries=60, random_state=5)


def fitted(estimator: type, data: rf.Dataset, **given: object) -> rf.LambdaMART:
    extra: dict[str, object] = {}
    if estimator is rf.BaggedLambdaMART:
        extra = {"n_bags": 3}
    if estimator is rf.IGBRT:
        extra = {"forest": rf.RandomForest(n_estimators=4, max_leaf_nodes=8)}
    if estimator is rf.XDART:
        extra = {"validation_fraction": 0.3}
    if estimator in FORESTS:
        extra = {"max_leaf_nodes": 8}
    return estimator(**{**SMALL, **extra, **given}).fit(data)


def trees_of(model: rf.Model) -> list[dict[str, np.ndarray]]:
    """Every tree, in order."""
    return [
        tree
        for member in model._ensemble.to_arrays()["members"]
        for group in member["groups"]
        for tree in group["trees"]
    ]


def same(a: rf.LambdaMART, b: rf.LambdaMART) -> bool:
    return a.model_._ensemble == b.model_._ensemble


@pytest.mark.parametrize("estimator", ALL)
def test_expensive_features_are_charged_less_often_and_a_weight_of_0_changes_nothing(
    estimator: type, data: rf.Dataset
) -> None:
    costs = [1.0 if j % 2 else 100.0 for j in range(data.n_features)]
    blind = fitted(estimator, data)
    assert same(fitted(estimator, data, feature_costs=costs), blind)
    free = fitted(estimator, data, feature_costs={}, cost_weight=2.0)
    assert same(free, blind)
    aware = fitted(estimator, data, feature_costs=costs, cost_weight=1.0)
    if estimator is rf.IGBRT:  # its forest does not look at costs
        return
    assert aware.charged_features_[::2].sum() < blind.charged_features_[::2].sum()


@pytest.mark.parametrize("estimator", ALL)
@pytest.mark.parametrize("tree_method", ["exact", "hist"])
def test_the_number_of_threads_changes_no_bit_of_a_model_that_pays(
    estimator: type, tree_method: str, data: rf.Dataset
) -> None:
    costs = [2.0**j for j in range(data.n_features)]
    given = {"feature_costs": costs, "cost_weight": 0.3, "tree_method": tree_method}
    one, many = (fitted(estimator, data, n_jobs=n, **given) for n in (1, 3))
    assert same(one, many)


@pytest.mark.parametrize("estimator", ALL)
def test_charged_features_are_those_of_the_splits(estimator: type, data: rf.Dataset) -> None:
    model = fitted(estimator, data, feature_costs=np.ones(data.n_features), cost_weight=0.2)
    used = np.zeros(data.n_features, dtype=bool)
    for tree in trees_of(model.model_):
        used[tree["feature"]] = True
    np.testing.assert_array_equal(model.charged_features_, used)


@pytest.mark.parametrize("stage", [1, 4])
def test_whatever_is_used_first_gains_more_than_its_cost(stage: int, data: rf.Dataset) -> None:
    costs = [float(1 + j % 4) for j in range(data.n_features)]
    forest = rf.RandomForest(
        n_estimators=16, random_state=1, feature_costs=costs, cost_weight=3.0,
        cost_normalization="none", cost_stage=stage,
    ).fit(data)  # fmt: skip
    mart = rf.MART(
        n_estimators=30, feature_costs=costs, cost_weight=3.0, cost_normalization="none"
    ).fit(data)
    for model, size in ((forest, stage), (mart, 1)):
        trees = trees_of(model.model_)
        paid: set[int] = set()
        n_checked = 0
        for first in range(0, len(trees), size):
            new: set[int] = set()
            for tree in trees[first : first + size]:
                for feature in set(tree["feature"].tolist()) - paid:
                    gains = tree["gain"][tree["feature"] == feature]
                    assert gains.max() > 3.0 * costs[feature]
                    n_checked += 1
                    new.add(feature)
            paid |= new
        assert n_checked > 1


def test_a_group_is_paid_together(data: rf.Dataset) -> None:
    names = data.feature_labels
    grouped = rf.FeatureCosts({"all": 40.0}, groups={"all": list(names)})
    alone = dict.fromkeys(range(data.n_features), 40.0)
    given = {"cost_weight": 1.0, "cost_normalization": "none", "n_estimators": 40}
    together = rf.MART(feature_costs=grouped, **given).fit(data)
    apart = rf.MART(feature_costs=alone, **given).fit(data)
    blind = rf.MART(n_estimators=40).fit(data)
    # Once the first split has paid, all is free.
    assert same(together, blind)
    assert apart.charged_features_.sum() < blind.charged_features_.sum()


def test_costs_go_by_names_numbers_and_arrays_alike() -> None:
    rng = np.random.default_rng(0)
    x, y, qid = rng.normal(size=(200, 3)), rng.integers(0, 3, 200), np.repeat(range(20), 10)
    named = rf.Dataset(x, y, qid=qid, feature_names=["a", "b", "c"])
    models = [
        rf.MART(n_estimators=10, feature_costs=costs, cost_weight=0.5).fit(named)
        for costs in (
            {"a": 1.0, "c": 4.0},
            {0: 1.0, "c": 4.0},
            [1.0, 0.0, 4.0],
            rf.FeatureCosts({"a": 1.0, "c": 4.0}),
        )
    ]
    assert all(same(models[0], each) for each in models[1:])


@pytest.mark.parametrize("estimator", [*BOOSTED, *FORESTS])
def test_warm_start_pays_what_training_at_once_pays(estimator: type, data: rf.Dataset) -> None:
    given = {"feature_costs": np.arange(data.n_features) + 1.0, "cost_weight": 0.3}
    if estimator in FORESTS:
        given["cost_stage"] = 5
    whole = fitted(estimator, data, n_estimators=17, **given)
    part = fitted(estimator, data, n_estimators=7, warm_start=True, **given)
    part.set_params(n_estimators=17).fit(data)
    assert same(part, whole)
    with pytest.raises(ValueError, match=r"cost_weight was 0\.3 and is 0\.4"):
        part.set_params(cost_weight=0.4).fit(data)


def test_what_a_given_model_uses_is_paid(data: rf.Dataset) -> None:
    costs = np.full(data.n_features, 5.0)
    given = {"feature_costs": costs, "cost_weight": 1e6, "cost_normalization": "none"}
    start = rf.MART(n_estimators=3, max_depth=2).fit(data)
    more = rf.MART(n_estimators=20, init="mean", **given).fit(data, init_model=start)
    assert more.best_iteration_ == 23
    np.testing.assert_array_equal(more.charged_features_, start.charged_features_)
    assert (
        more.model_.feature_importances("split") > start.model_.feature_importances("split")
    ).any()


def test_boosting_does_not_pay_for_what_its_forest_uses(data: rf.Dataset) -> None:
    costs = np.full(data.n_features, 5.0)
    forest = rf.RandomForest(n_estimators=5, max_leaf_nodes=4, max_features=1)
    model = rf.IGBRT(
        n_estimators=10, forest=forest, feature_costs=costs, cost_weight=1e6,
        cost_normalization="none",
    ).fit(data)  # fmt: skip
    assert model.best_iteration_ == 15
    trees = trees_of(model.model_)
    used = {int(f) for tree in trees[:5] for f in tree["feature"]}
    boosted = {int(f) for tree in trees[5:] for f in tree["feature"]}
    assert boosted
    assert boosted <= used


def test_lambda_means_the_same_on_twice_the_data(data: rf.Dataset) -> None:
    x, y, qid = data.X, data.y, data.qid
    twice = rf.Dataset(np.vstack([x, x]), np.r_[y, y], qid=np.r_[qid, qid + qid.max() + 1])
    given = {"feature_costs": np.arange(data.n_features) + 1.0, "n_estimators": 15}
    for weight in (0.05, 0.3):
        one = rf.MART(cost_weight=weight, **given).fit(data)
        two = rf.MART(cost_weight=weight, **given).fit(twice)
        np.testing.assert_array_equal(one.charged_features_, two.charged_features_)


def test_a_model_remembers_its_costs(data: rf.Dataset, tmp_path: Path) -> None:
    costs = rf.FeatureCosts([1.0] * data.n_features, tree_cost=0.5)
    model = rf.MART(n_estimators=5, feature_costs=costs, cost_weight=0.1).fit(data)
    model.save(tmp_path / "m.rf")
    parameters = rf.load(tmp_path / "m.rf").parameters
    assert rf.FeatureCosts.from_dict(parameters["feature_costs"]) == costs
    assert parameters["cost_weight"] == 0.1
    assert parameters["tree_cost"] == 0.5
    blind = rf.MART(n_estimators=5).fit(data)
    assert not {"feature_costs", "cost_weight", "tree_cost"} & set(blind.model_.parameters)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"feature_costs": [1.0, -1.0], "cost_weight": 1.0}, "feature_costs: .*-1"),
        ({"feature_costs": [np.nan] * 3}, "feature_costs: .*nan"),
        ({"feature_costs": {"x": np.inf}}, "feature_costs: .*inf"),
        ({"feature_costs": [1.0, 2.0]}, "feature_costs: .* it has 2"),
        ({"feature_costs": {"nowhere": 1.0}}, "feature_costs: .*'nowhere'"),
        ({"cost_weight": 1.0}, "cost_weight=1 weighs feature_costs, and there are none"),
        ({"cost_weight": -1.0}, "cost_weight must be >= 0, got -1.0"),
        ({"cost_weight": np.nan}, "cost_weight must be >= 0, got nan"),
        ({"cost_normalization": "leaf"}, 'cost_normalization must be "root_impurity" or "none"'),
        ({"tree_cost": -2}, "tree_cost must be >= 0"),
        (
            {"feature_costs": rf.FeatureCosts({}, tree_cost=2), "tree_cost": 3.0},
            "tree_cost=3 is not that of feature_costs, 2",
        ),
    ],
)
def test_costs_that_cannot_be_used_are_named(
    given: dict[str, object], message: str, data: rf.Dataset
) -> None:
    with pytest.raises(ValueError, match=message):
        rf.MART(n_estimators=2, **given).fit(data)


def test_a_feature_in_two_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="is in 'a' and 'b'"):
        rf.FeatureCosts({"a": 1.0, "b": 2.0}, groups={"a": [0, 1], "b": [1]})


def test_a_forest_within_igbrt_has_the_costs_of_igbrt(data: rf.Dataset) -> None:
    with pytest.raises(ValueError, match=r"forest\.feature_costs: "):
        rf.IGBRT(forest=rf.RandomForest(feature_costs=[1.0])).fit(data)
    with pytest.raises(ValueError, match=r"forest\.cost_weight=1 weighs feature_costs"):
        rf.IGBRT(forest=rf.RandomForest(cost_weight=1.0)).fit(data)
    with pytest.raises(ValueError, match="cost_stage must be an integer >= 1"):
        rf.RandomForest(cost_stage=0).fit(data)


def test_ltr_train_reads_costs_from_a_file(data: rf.Dataset, tmp_path: Path) -> None:
    text, csv = tmp_path / "train.txt", tmp_path / "costs.csv"
    rf.write_letor(text, data)
    lines = [
        f"{j + 1},{10.0 if j % 2 else 1.0},{'odd' if j % 2 else ''}" for j in range(data.n_features)
    ]
    csv.write_text("\n".join(["feature,cost,group", *lines]))
    arguments = ["--algorithm", "mart", "--train", str(text), "--n-estimators", "5", "--quiet",
                 "--feature-costs", str(csv), "--cost-weight", "0.5"]  # fmt: skip
    ltr_train.command.main([*arguments, "--model", str(tmp_path / "m.rf")], standalone_mode=False)
    model = rf.load(tmp_path / "m.rf")
    expected = rf.MART(
        n_estimators=5, feature_costs=rf.read_feature_costs(csv), cost_weight=0.5
    ).fit(rf.read_letor(text))
    assert model._ensemble == expected.model_._ensemble
    assert model.parameters["feature_costs"]["groups"] == {
        "odd": sorted(str(j + 1) for j in range(data.n_features) if j % 2)
    }
