"""Exits that are chosen: what is promised of the choice, and the report of what was tried."""

from itertools import pairwise, product

import numpy as np
import pytest

import rankforest as rf
from rankforest import Exit, ExitSchedule, FeatureCosts
from rankforest._model_tools.exit_search import SHARES


@pytest.fixture(scope="module")
def data():
    return rf.datasets.make_ranking(n_queries=60, n_features=8, random_state=5)


@pytest.fixture(scope="module")
def model(data):
    train, _ = data.train_test_split(0.5, random_state=0)
    return rf.MART(n_estimators=40, max_depth=3, learning_rate=0.2).fit(train).model_


@pytest.fixture(scope="module")
def valid(data):
    return data.train_test_split(0.5, random_state=0)[1]


@pytest.fixture(scope="module")
def costs():
    return FeatureCosts({0: 1, 1: 2, 2: 40, 3: 80, "rest": 20}, {"rest": [4, 5, 6, 7]})


@pytest.mark.parametrize("rules", ["fraction", "margin", "keep", ["keep", "margin"]])
@pytest.mark.parametrize("lazy", [False, True])
def test_the_choice_keeps_its_bound_when_it_is_measured_alone(model, valid, costs, rules, lazy):
    found = rf.choose_exits(
        model, valid, "ndcg@5", max_loss=0.004, costs=costs, rules=rules, lazy=lazy, max_trials=60
    )
    whole = rf.evaluate(valid, model, "ndcg@5")["ndcg@5"]
    alone = rf.scoring_cost(found.model, valid, "ndcg@5", costs=costs, lazy=lazy)
    assert whole - alone.metrics["ndcg@5"] <= 0.004
    assert alone.metrics["ndcg@5"] == found.chosen.value
    assert alone.per_document == found.chosen.cost < found.whole_cost
    assert found.whole == whole
    assert found.model.exits == found.chosen.schedule
    assert found.model.with_exits(None)._ensemble == model._ensemble


def test_on_a_tiny_grid_the_choice_is_the_best_of_all(model, valid, costs):
    found = rf.choose_exits(
        model, valid, "ndcg@5", max_loss=0.01, costs=costs, rules="fraction", rounds=[5, 20]
    )
    best = None
    for one, two in product((0, *SHARES), repeat=2):
        exits = [Exit(r, share) for r, share in ((5, one), (20, two)) if share]
        schedule = ExitSchedule(exits, k=5)
        each = rf.scoring_cost(model, valid, "ndcg@5", costs=costs, early_exit=schedule)
        loss = found.whole - each.metrics["ndcg@5"]
        if loss <= 0.01 and (best is None or (each.per_document, loss) < best[:2]):
            best = each.per_document, loss, schedule
    assert (found.chosen.cost, found.chosen.loss, found.chosen.schedule) == best
    assert len(found.trials) == 100


def test_a_search_of_few_trials_finds_something_and_no_more_than_all(model, valid, costs):
    how = {"max_loss": 0.01, "costs": costs, "rules": "fraction", "rounds": [5, 10, 20]}
    few = rf.choose_exits(model, valid, max_trials=40, **how)
    all_of_them = rf.choose_exits(model, valid, max_trials=1000, **how)
    assert len(few.trials) <= 41
    assert all_of_them.chosen.cost <= few.chosen.cost < few.whole_cost
    schedules = [trial.schedule.to_dict() for trial in few.trials]
    assert all(schedules.count(each) == 1 for each in schedules)


def test_a_larger_bound_never_costs_more(model, valid, costs):
    chosen = [
        rf.choose_exits(
            model, valid, max_loss=bound, costs=costs, rules="keep", rounds=[5, 20]
        ).chosen.cost
        for bound in (0.0, 0.002, 0.01, 0.1)
    ]
    assert chosen == sorted(chosen, reverse=True)


def test_neither_threads_nor_the_order_of_rows_change_the_choice(model, valid, costs):
    order = np.random.default_rng(3).permutation(valid.n_documents)
    other = rf.Dataset(valid.X[order], valid.y[order], qid=np.asarray(valid.qid)[order])
    how = {"costs": costs, "max_trials": 30}
    one = rf.choose_exits(model, valid, n_jobs=1, **how)
    two = rf.choose_exits(model, other, n_jobs=2, **how)
    assert one.model == two.model
    assert [t.schedule for t in one.trials] == [t.schedule for t in two.trials]
    assert [t.cost for t in one.trials] == pytest.approx([t.cost for t in two.trials])


def test_the_front_has_what_nothing_is_better_than(model, valid, costs):
    found = rf.choose_exits(model, valid, max_loss=0.01, costs=costs, max_trials=40)
    front = found.front()
    for trial in found.trials:
        worse = [
            other
            for other in found.trials
            if other.cost <= trial.cost
            and other.loss <= trial.loss
            and (other.cost, other.loss) != (trial.cost, trial.loss)
        ]
        figures = [(each.cost, each.loss) for each in front]
        assert ((trial.cost, trial.loss) in figures) == (not worse)
    frame = found.to_frame()
    assert list(frame.columns) == [
        "schedule", "reordered", "cost", "value", "loss", "front", "chosen",
    ]  # fmt: skip
    assert len(frame) == len(found.trials)
    assert frame["chosen"].sum() == 1
    assert frame["front"].sum() == len(front)
    assert "per document instead of" in str(found)
    assert repr(found).startswith("ExitChoice(chose ")


def test_what_was_chosen_stands_in_the_parameters(model, valid, costs):
    found = rf.choose_exits(model, valid, max_loss=0.01, costs=costs, rules="keep", rounds=[5])
    assert found.model.parameters["exits"] == {
        "metric": "ndcg@10",
        "max_loss": 0.01,
        "loss": found.chosen.loss,
        "cost": found.chosen.cost,
        "reordered": False,
    }
    assert rf.Model.from_bytes(found.model.to_bytes()).exits == found.chosen.schedule


@pytest.mark.parametrize("kind", ["boosted", "forest"])
def test_trees_in_another_order_give_the_same_scores_but_for_rounding(
    data, model, valid, costs, kind
):
    if kind == "forest":
        model = rf.RandomForest(n_estimators=30, random_state=1).fit(data).model_
    found = rf.choose_exits(
        model, valid, max_loss=0.01, costs=costs, rules="keep", rounds=[5, 20], reorder=True
    )
    tried = [trial.reordered for trial in found.trials]
    assert tried == sorted(tried)
    assert set(tried) == {False, True}
    plain = rf.choose_exits(model, valid, max_loss=0.01, costs=costs, rules="keep", rounds=[5, 20])
    assert found.chosen.cost <= plain.chosen.cost
    whole = found.model.with_exits(None)
    np.testing.assert_allclose(whole.predict(valid), model.predict(valid), rtol=1e-12, atol=1e-12)
    alone = rf.scoring_cost(found.model, valid, "ndcg@10", costs=costs)
    assert alone.per_document == found.chosen.cost


def test_the_order_of_trees_by_hand(tmp_path):
    from rankforest._model_tools.priced_models import PricedModel  # noqa: PLC0415
    from rankforest._model_tools.tree_order import reordered  # noqa: PLC0415

    data = rf.datasets.make_ranking(n_queries=20, n_features=3, random_state=1)
    model = rf.MART(n_estimators=12, max_depth=2).fit(data).model_
    costs = FeatureCosts({0: 5, 1: 30, 2: 100})
    other = reordered(PricedModel(model, data, costs, lazy=False, n_jobs=1))
    trees = model._ensemble.to_arrays()["members"][0]["groups"][0]["trees"]
    after = other._ensemble.to_arrays()["members"][0]["groups"][0]["trees"]
    staged = [np.zeros(data.n_documents), *model.staged_predict(data)]
    spread = [np.std(b - a) for a, b in pairwise(staged)]
    left, paid, expected = list(range(12)), set(), []
    while left:
        price = {
            t: 1 + sum(costs.costs[f] for f in set(trees[t]["feature"].tolist()) - paid)
            for t in left
        }
        best = max(left, key=lambda t: spread[t] / price[t])
        expected.append(best)
        left.remove(best)
        paid |= set(trees[best]["feature"].tolist())
    for tree, place in zip(after, expected, strict=True):
        np.testing.assert_array_equal(tree["threshold"], trees[place]["threshold"])
        np.testing.assert_array_equal(tree["leaf"], trees[place]["leaf"])


def test_a_model_of_one_round_has_no_exits(data, valid):
    model = rf.MART(n_estimators=1).fit(data)
    found = rf.choose_exits(model, valid)
    assert found.model.exits is None
    assert found.chosen.cost == found.whole_cost == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_loss": -1}, "max_loss must be finite and >= 0, got -1"),
        ({"max_loss": float("nan")}, "max_loss must be finite and >= 0, got nan"),
        ({"rules": "score"}, "rules must be out of fraction, margin, keep, got 'score'"),
        ({"rules": []}, "rules must be out of fraction, margin, keep, got none"),
        ({"rounds": [40]}, "rounds must be integers from 1 to 39, before the model's last round"),
        ({"rounds": [0]}, "rounds must be integers from 1 to 39"),
        ({"k": 0}, "k must be an integer >= 1 or None, got 0"),
        ({"max_trials": 0}, "max_trials must be an integer >= 1, got 0"),
        ({"metric": "rmse"}, "metric must be a metric of rankings"),
        ({"costs": [1]}, "costs must have one value for each"),
    ],
)
def test_bad_arguments_are_named(model, valid, arguments, message):
    with pytest.raises(ValueError, match=message):
        rf.choose_exits(model, valid, **arguments)


def test_models_whose_trees_have_no_order_to_change_say_so(model, valid):
    both = rf.blend([model, model[:10]], weights=[1, 1], combine="sum")
    with pytest.raises(ValueError, match="reorder: only trees of one sum or mean"):
        rf.choose_exits(both, valid, rules="keep", rounds=[5], reorder=True)
