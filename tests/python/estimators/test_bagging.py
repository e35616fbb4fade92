"""Bags of models: what members are, and how their scores are combined."""

import signal
import threading

import numpy as np
import pandas as pd
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold

import rankforest as rf
from rankforest import MART, BaggedLambdaMART, Bagging, CustomMetric, Dataset, LambdaMART, _core

MEMBER = {"n_estimators": 12, "max_leaf_nodes": 5, "min_samples_leaf": 2, "max_features": 3}
COMBINATIONS = ("mean", "minmax", "borda")


@pytest.fixture(scope="module")
def data():
    """Queries of 1 to 12 documents, some of which are equal."""
    X, y, qid = make_data(n_queries=40, n_documents=12, seed=5)
    X[::7] = np.round(X[::7])
    keep = np.concatenate([np.flatnonzero(qid == q)[: 1 + q % 12] for q in range(40)])
    X, y, qid = X[keep], y[keep], qid[keep]
    X[1] = X[2]
    return Dataset(X, y, qid=qid)


@pytest.fixture(scope="module")
def valid():
    X, y, qid = make_data(n_queries=25, seed=6)
    return Dataset(X, y, qid=qid)


def bag_of(data, **parameters):
    return BaggedLambdaMART(**{**MEMBER, "n_bags": 4, **parameters}).fit(data)


def by_definition(combine, scores, qid):
    """Combine the scores of members in NumPy, query by query."""
    if combine == "mean":
        return np.mean(scores, axis=0)
    total = np.zeros(len(qid))
    for q in np.unique(qid):
        rows = np.flatnonzero(qid == q)
        for each in scores:
            own = each[rows]
            if combine == "borda":
                lower = (own[:, None] > own).sum(axis=1)
                total[rows] += lower + ((own[:, None] == own).sum(axis=1) - 1) / 2
            elif own.min() == own.max():
                total[rows] += 0.5 / len(scores)
            else:
                total[rows] += (own - own.min()) / (own.max() - own.min()) / len(scores)
    return total


def taken(data, ids):
    """The documents of some queries."""
    return data.take_rows(np.isin(data.qid, ids))


def members_one_by_one(bag, member, data, **fit):
    """Train each member by itself on the queries that it drew."""
    return [
        clone(member)
        .set_params(random_state=each.random_state)
        .fit(taken(data, each.queries), **fit)
        for each in bag.members_
    ]


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_scores_are_those_of_members_trained_one_by_one_combined_in_numpy(data, combine):
    bag = bag_of(data, combine=combine)
    alone = members_one_by_one(bag, LambdaMART(**MEMBER), data)
    expected = by_definition(combine, [each.predict(data) for each in alone], data.qid)
    np.testing.assert_allclose(bag.predict(data), expected, rtol=1e-6, atol=1e-6)
    assert bag.best_iteration_.tolist() == [12] * 4


@pytest.mark.parametrize("member", ["mart", "igbrt", "lambdamart", "random_forest"])
def test_members_have_the_trees_of_estimators_trained_on_their_queries(data, member):
    member = ESTIMATORS[member]
    bag = Bagging(member, n_bags=3).fit(data)
    for i, alone in enumerate(members_one_by_one(bag, member, data)):
        of_bag = bag.take([i]).predict(data)
        np.testing.assert_allclose(
            of_bag, by_definition("minmax", [alone.predict(data)], data.qid), atol=1e-12
        )
        assert bag.take([i]).n_trees == alone.model_.n_trees


def test_each_member_draws_its_share_of_the_queries(data):
    bag = bag_of(data, query_fraction=0.67)
    assert [len(each.queries) for each in bag.members_] == [27] * 4  # of 40
    drawn = {tuple(sorted(each.queries)) for each in bag.members_}
    assert len(drawn) == 4
    everything = bag_of(data, query_fraction=1.0)
    for each in everything.members_:
        assert sorted(each.queries) == list(range(40))


@pytest.mark.parametrize("name", ["mart", "igbrt", "lambdamart", "random_forest"])
def test_a_bag_of_one_model_on_all_queries_is_that_model(data, name):
    member = clone(ESTIMATORS[name]).set_params(random_state=9)
    one = {"n_bags": 1, "query_fraction": 1.0, "random_state": 9}
    alone = clone(member).fit(data)
    mean = Bagging(member, combine="mean", **one).fit(data)
    assert np.array_equal(mean.predict(data), alone.predict(data))
    assert mean.model_._ensemble == alone.model_._ensemble
    minmax = Bagging(member, combine="minmax", **one).fit(data)
    assert minmax.model_.n_trees == alone.model_.n_trees
    assert np.array_equal(
        minmax.predict(data), by_definition("minmax", [alone.predict(data)], data.qid)
    )


@pytest.mark.parametrize("combine", COMBINATIONS)
@pytest.mark.parametrize("n_jobs", [2, 3, 5])
def test_threads_change_no_bit(data, valid, combine, n_jobs):
    parameters = {**MEMBER, "n_bags": 5, "combine": combine, "early_stopping_rounds": 3}
    one = BaggedLambdaMART(**parameters, n_jobs=1).fit(data, eval_set=valid)
    many = BaggedLambdaMART(**parameters, n_jobs=n_jobs).fit(data, eval_set=valid)
    assert many.model_.to_bytes() == one.model_.to_bytes()
    assert many.history_ == one.history_
    assert [m.history for m in many.members_] == [m.history for m in one.members_]


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_the_first_members_of_a_bag_are_the_smaller_bag(data, combine):
    small = bag_of(data, n_bags=3, combine=combine)
    large = bag_of(data, n_bags=7, combine=combine)
    assert large.take(range(3)).to_bytes() == small.model_.to_bytes()
    assert large.history_rounds_ == []  # nothing to measure on


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_a_bag_grows_with_warm_start_to_the_bag_trained_at_once(data, valid, combine):
    growing = BaggedLambdaMART(**MEMBER, n_bags=2, combine=combine, warm_start=True)
    growing.fit(data, eval_set=valid)
    first = growing.members_
    growing.set_params(n_bags=5).fit(data, eval_set=valid)
    at_once = BaggedLambdaMART(**MEMBER, n_bags=5, combine=combine).fit(data, eval_set=valid)
    assert growing.model_.to_bytes() == at_once.model_.to_bytes()
    assert growing.history_ == at_once.history_
    assert growing.members_[:2] == first
    with pytest.raises(ValueError, match="n_bags=4 must be at least the 5 members"):
        growing.set_params(n_bags=4).fit(data)
    with pytest.raises(ValueError, match=r"query_fraction was 0\.67 and is 0\.5"):
        growing.set_params(n_bags=6, query_fraction=0.5).fit(data)


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_a_bag_saves_loads_and_scores_equally(data, combine, tmp_path):
    bag = bag_of(data, combine=combine)
    bag.save(tmp_path / "bag.rf")
    loaded = rf.load(tmp_path / "bag.rf")
    scores = bag.predict(data)
    assert np.array_equal(loaded.predict(data), scores)
    assert np.array_equal(loaded.predict(data.X, qid=data.qid), scores)
    assert np.array_equal(bag.model_._ensemble.predict(data.X, data.query_codes, 1), scores)
    *_, last = bag.staged_predict(data)
    assert np.array_equal(last, scores)
    assert loaded.n_members == 4
    part = loaded.take([2, 0])
    np.testing.assert_allclose(part.predict(data), bag.take([2, 0]).predict(data), rtol=1e-6)
    assert part.parameters["members"] == [2, 0]
    assert part.take([0]).parameters["members"] == [2]
    assert loaded.algorithm == "bagged_lambdamart"


def test_pools_are_sampled_into_bags_of_any_size(data):
    pool = bag_of(data, n_bags=6)
    bag = pool.bag_of(3, random_state=1)
    members = bag.parameters["members"]
    assert bag.n_members == 3
    assert members == sorted(members)
    assert bag == pool.take(members) == pool.model_.bag_of(3, random_state=1)
    assert any(pool.bag_of(3, random_state=seed) != bag for seed in range(2, 6))
    for wrong in ([], [6], [-1], [1, 1]):
        with pytest.raises(ValueError, match="different numbers from 0 to 5"):
            pool.take(wrong)
    with pytest.raises(ValueError, match="k must be from 1 to the 6 members"):
        pool.bag_of(7)
    with pytest.raises(ValueError, match="is no bag"):
        LambdaMART(**MEMBER).fit(data).model_.take([0])


@pytest.mark.parametrize("combine", COMBINATIONS)
def test_the_history_has_the_metrics_of_the_first_members(data, valid, combine):
    bag = BaggedLambdaMART(**MEMBER, n_bags=4, combine=combine, metric=["ndcg@5", "map"])
    bag.fit(data, eval_set={"train": data, "valid": valid})
    assert bag.history_rounds_ == [1, 2, 3, 4]
    for name, each in {"train": data, "valid": valid}.items():
        for m in (1, 2, 3, 4):
            measured = rf.evaluate(each, bag.take(range(m)).predict(each), ["ndcg@5", "map"])
            for metric, value in measured.items():
                assert bag.history_[name][metric][m - 1] == pytest.approx(value, abs=1e-12)
    assert bag.best_score_ == bag.history_["valid"]["ndcg@5"][-1]


def test_members_stop_early_each_by_itself(data, valid):
    stopping = {**MEMBER, "n_estimators": 60, "early_stopping_rounds": 4}
    bag = BaggedLambdaMART(**stopping, n_bags=5).fit(data, eval_set=valid)
    alone = members_one_by_one(bag, LambdaMART(**stopping), data, eval_set=valid)
    assert bag.best_iteration_.tolist() == [each.best_iteration_ for each in alone]
    assert len(set(bag.best_iteration_.tolist())) > 1
    for member, each in zip(bag.members_, alone, strict=True):
        assert member.history == each.history_
        assert member.best_iteration == each.best_iteration_


def test_overfit_tolerance_keeps_rounds_behind_the_best(data, valid):
    parameters = {**MEMBER, "n_estimators": 60, "early_stopping_rounds": 5}
    without = LambdaMART(**parameters).fit(data, eval_set=valid)
    with_it = LambdaMART(**parameters, overfit_tolerance=0.05, overfit_rounds=7)
    with_it.fit(data, eval_set=valid)
    best, kept = without.best_iteration_, with_it.best_iteration_
    curve = LambdaMART(**{**parameters, "early_stopping_rounds": None}).fit(data, eval_set=valid)
    values = np.array(curve.history_["valid"]["ndcg@10"])
    beyond = np.flatnonzero(values[best : best + 7] < values[best - 1] * 0.95)
    assert kept == best + (beyond[0] if len(beyond) else 7)
    assert kept > best
    assert with_it[:best].predict(valid).tolist() == without.predict(valid).tolist()
    assert "overfit_tolerance" not in without.model_.parameters
    with pytest.raises(ValueError, match="overfit_tolerance keeps rounds behind the best one"):
        LambdaMART(overfit_tolerance=0.02).fit(data, eval_set=valid)


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_a_callback_sees_members_in_order_and_may_stop_the_bag(data, valid, n_jobs):
    seen = []

    def stop_at_three(report):
        seen.append((report["round"], report["n_rounds"], list(report["values"])))
        return report["round"] == 3

    bag = BaggedLambdaMART(**MEMBER, n_bags=8, callbacks=stop_at_three, n_jobs=n_jobs)
    bag.fit(data, eval_set=valid)
    assert seen == [(m, 8, ["valid"]) for m in (1, 2, 3)]
    assert bag.model_.n_members == 3 == len(bag.members_)
    whole = BaggedLambdaMART(**MEMBER, n_bags=8).fit(data)
    assert bag.take(range(3)).to_bytes() == whole.take(range(3)).to_bytes()


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_an_error_in_a_callback_ends_the_bag(data, n_jobs):
    def fail(report):
        raise KeyboardInterrupt

    bag = BaggedLambdaMART(**MEMBER, n_bags=6, callbacks=fail, n_jobs=n_jobs)
    with pytest.raises(KeyboardInterrupt):
        bag.fit(data)
    assert not hasattr(bag, "model_")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_ends_all_members(data, n_jobs):
    rounds = 10**6  # for hours
    bag = BaggedLambdaMART(**{**MEMBER, "n_estimators": rounds}, n_bags=2, n_jobs=n_jobs)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bag.fit(data)
    timer.join()


def test_functions_of_python_take_part_one_member_at_a_time(data, valid):
    at_work = []

    def squared_error(grades, scores, offsets, rows):
        at_work.append(len(rows))
        assert sum(at_work) == at_work[0]  # nobody else is here
        at_work.clear()
        return scores - grades, np.ones_like(grades)

    half = CustomMetric("half", lambda y, s, offsets: float(np.mean((y > 0) == (s > 0.5))))
    parameters = {**MEMBER, "objective": squared_error, "metric": ["ndcg@10", half]}
    one = BaggedLambdaMART(**parameters, n_bags=3, n_jobs=1).fit(data, eval_set=valid)
    four = BaggedLambdaMART(**parameters, n_bags=3, n_jobs=2).fit(data, eval_set=valid)
    assert one.model_.to_bytes() == four.model_.to_bytes()
    assert one.history_ == four.history_


def test_a_bag_of_lambdamarts_is_the_bagged_lambdamart(data, valid):
    ours = Bagging(LambdaMART(**MEMBER, metric="map"), n_bags=3).fit(data, eval_set=valid)
    named = BaggedLambdaMART(**MEMBER, metric="map", n_bags=3).fit(data, eval_set=valid)
    assert ours.model_.to_bytes() == named.model_.to_bytes()
    assert ours.history_ == named.history_


def test_a_bag_has_the_parameters_of_its_members_and_defaults_of_the_core():
    of_bag = BaggedLambdaMART().get_params()
    of_member = LambdaMART().get_params()
    del of_member["position_bias_regularization"]  # members of a bag learn no effects of positions
    bag_only = {name: of_bag[name] for name in of_bag.keys() - of_member.keys()}
    assert bag_only == _core.default_bag_settings()
    assert {name: of_bag[name] for name in of_member} == of_member
    of_any = Bagging().get_params(deep=False)
    assert {name: of_any[name] for name in bag_only} == bag_only


def test_nested_parameters_clone_and_pass_through_searches(data):
    bag = Bagging(MART(n_estimators=3), n_bags=2, combine="mean")
    assert clone(bag).set_params(estimator__learning_rate=0.3).estimator.learning_rate == 0.3
    search = GridSearchCV(
        Bagging(MART(n_estimators=3, qid_column="q"), n_bags=2),
        {"estimator__learning_rate": [0.1, 0.5], "n_bags": [1, 2]},
        cv=GroupKFold(2),
    )
    frame = pd.DataFrame(data.X, columns=list("abcde")).assign(q=data.qid)
    search.fit(frame, data.y, groups=data.qid)
    assert search.best_estimator_.model_.n_members == search.best_params_["n_bags"]


@pytest.mark.parametrize(
    ("bag", "message"),
    [
        (BaggedLambdaMART(n_bags=0), "n_bags must be an integer >= 1, got 0"),
        (BaggedLambdaMART(query_fraction=1.5), r"query_fraction must be in \(0, 1\], got 1.5"),
        (Bagging(MART(), combine="sum"), 'combine must be "mean" or "minmax" or "borda"'),
        (Bagging(MART(learning_rate=2.0)), r"estimator\.learning_rate must be in \(0, 1\]"),
    ],
)
def test_unusable_parameters_are_named(data, bag, message):
    with pytest.raises(ValueError, match=message):
        bag.fit(data)


@pytest.mark.parametrize("estimator", [Bagging(), BaggedLambdaMART(), object(), MART])
def test_members_are_rankers_of_this_package_and_no_bags(data, estimator):
    with pytest.raises(TypeError, match="estimator must be a ranker of this package"):
        Bagging(estimator).fit(data)


def test_what_a_bag_does_not_take_is_said(data):
    with pytest.raises(ValueError, match="The members of a bag are trained afresh"):
        bag_of(data, n_bags=2).fit(data, init_score=np.zeros(data.n_documents))
    with pytest.raises(ValueError, match="each member draws queries"):
        Bagging(MART()).fit(data.X, data.y)
    with pytest.raises(ValueError, match="depend on the whole query: it needs qid"):
        bag_of(data).predict(data.X)
