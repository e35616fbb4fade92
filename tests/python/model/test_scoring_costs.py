"""What scoring costs, with all trees, under exits and as a model grows."""

import numpy as np
import pytest
from estimator_cases import make_data

import rankforest as rf
from rankforest import EarlyExit, Exit, ExitSchedule, FeatureCosts

METRICS = ["ndcg@5", "p@5", "auc", "auc(fpr=0;0.05)"]


@pytest.fixture(scope="module")
def data():
    return rf.Dataset(*make_data()[:2], qid=make_data()[2])


@pytest.fixture(scope="module")
def model(data):
    return rf.MART(n_estimators=30, max_depth=3, learning_rate=0.2).fit(data).model_


@pytest.fixture(scope="module")
def costs(data):
    n = data.X.shape[1]
    groups = {"pair": [0, n - 1]}
    return FeatureCosts({"pair": 50, **{f: 2.0 * f for f in range(1, n - 1)}}, groups, 0.5)


def stump(feature, threshold, left, right):
    """A tree of one split in the JSON form."""
    return {
        "nodes": [
            {"feature": feature, "threshold": threshold, "left": -1, "right": -2, "missing": -1}
        ],
        "leaves": [left, right],
    }


@pytest.fixture
def tiny(tmp_path):
    """Ask for feature 0, then 1, then 0 again; the score is the sum of three stumps."""
    import json  # noqa: PLC0415

    trees = [stump(0, 0.5, 0.0, 1.0), stump(1, 0.5, 0.0, 2.0), stump(0, 1.5, 0.0, 4.0)]
    group = {"weight": 1.0, "reduction": "sum", "trees_per_round": 1, "trees": trees}
    content = {
        "format": "rankforest model", "version": 1, "algorithm": "by hand", "parameters": {},
        "data_summary": {}, "feature_names": ["a", "b"], "absent": "zero", "index_base": 1,
        "unknown_sections": {}, "combine": "sum", "n_features": 2,
        "members": [{"base": 0.0, "groups": [group]}],
    }  # fmt: skip
    (tmp_path / "tiny.json").write_text(json.dumps(content))
    return rf.load(tmp_path / "tiny.json")


TINY = rf.Dataset(
    np.array([[0, 0], [1, 1], [2, 0], [0, 0]], dtype=np.float32),
    np.array([0, 1, 2, 0]),
    qid=np.array([1, 1, 1, 2]),
    feature_names=["a", "b"],
)


def test_costs_of_a_tiny_model_by_hand(tiny):
    costs = FeatureCosts({"a": 10, "b": 100})
    whole = rf.scoring_cost(tiny, TINY, "ndcg@1", costs=costs)
    assert whole.per_document == 113
    assert whole.query_costs.tolist() == [339, 113]
    assert (whole.per_query, whole.rounds) == (226, 3)
    assert (whole.quantile(0.5), whole.quantile(0.95)) == (113, 339)
    assert whole.metrics == {"ndcg@1": 1.0}
    # After one round the first document has 0, the two others 1: it exits, one of one cannot.
    exits = ExitSchedule([(1, 0.34)])
    fast = rf.scoring_cost(tiny, TINY, "ndcg@1", costs=costs, early_exit=exits)
    assert fast.query_costs.tolist() == [11 + 113 + 113, 113]
    assert fast.rounds == 2.5
    together = FeatureCosts({"both": 10}, {"both": ["a", "b"]}, tree_cost=0)
    assert rf.scoring_cost(tiny, TINY, (), costs=together).query_costs.tolist() == [30, 10]
    assert rf.scoring_cost(tiny, TINY, ()).per_document == 3


def test_a_curve_of_a_tiny_model_by_hand(tiny):
    costs = FeatureCosts({"a": 10, "b": 100})
    lines = {"all": None, "one": ExitSchedule([(1, 0.34)])}
    curve = rf.cost_curve(tiny, TINY, ["ndcg@1"], costs=costs, early_exit=lines)
    assert [(p.line, p.rounds, p.cost) for p in curve.points] == [
        ("all", 1, 11), ("all", 2, 112), ("all", 3, 113),
        ("one", 1, 11), ("one", 2, (11 + 3 * 112) / 4), ("one", 3, (11 + 3 * 113) / 4),
    ]  # fmt: skip


def naive_cost(model, X, rounds, costs, lazy):
    """Walk through the trees of a document."""
    paid, total = set(), 0.0
    resolved = costs.resolve(model.n_features)
    for member in model[:rounds]._ensemble.to_arrays()["members"]:
        for tree in (tree for group in member["groups"] for tree in group["trees"]):
            total += costs.tree_cost
            asked = set(tree["feature"].tolist())
            if lazy:
                asked, child = set(), 0 if len(tree["feature"]) else -1
                while child >= 0:
                    feature = tree["feature"][child]
                    asked.add(int(feature))
                    goes_left = X[feature] <= tree["threshold"][child]
                    child = tree["left" if goes_left else "right"][child]
            paid |= asked
    return total + resolved.of(sorted(paid))


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("early_exit", [None, EarlyExit(4, 0.3), ExitSchedule([Exit(6, keep=3)])])
def test_queries_cost_what_the_definition_says(model, data, costs, lazy, early_exit):
    found = rf.scoring_cost(model, data, METRICS, costs=costs, early_exit=early_exit, lazy=lazy)
    within = model.predict_within(data, early_exit=early_exit, feature_costs=costs)
    expected = np.zeros(data.n_queries)
    for row in range(data.n_documents):
        rounds = int(within.rounds[row])
        expected[data.query_codes[row]] += naive_cost(model, data.X[row], rounds, costs, lazy)
    np.testing.assert_allclose(found.query_costs, expected, rtol=1e-12)
    assert found.per_document == pytest.approx(expected.sum() / data.n_documents)
    assert found.metrics == dict(rf.evaluate(data, within.scores, METRICS))
    if not lazy:
        assert within.cost == pytest.approx(expected.sum())


def test_lazy_scoring_of_a_query_asks_for_what_lazy_costs_count(model, data, costs):
    found = rf.scoring_cost(model, data, (), costs=costs, lazy=True)
    for query in range(3):
        rows = np.flatnonzero(data.query_codes == query)
        lazily = model.predict_lazily(
            len(rows), lambda f, documents, rows=rows: data.X[rows[documents], f],
            feature_costs=costs,
        )  # fmt: skip
        assert lazily.cost == pytest.approx(found.query_costs[query])


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("demote", [False, True])
def test_a_curve_has_the_costs_and_metrics_of_the_first_rounds(model, data, costs, lazy, demote):
    exits = EarlyExit(4, 0.3, demote=demote)
    stages = [3, 4, 5, 12, 30]
    curve = rf.cost_curve(
        model, data, METRICS, costs=costs, early_exit=exits, rounds=stages, lazy=lazy
    )
    assert [point.rounds for point in curve.points] == stages
    for point in curve.points:
        alone = rf.scoring_cost(
            model[: point.rounds], data, METRICS, costs=costs, early_exit=exits, lazy=lazy
        )
        assert point.cost == pytest.approx(alone.per_document)
        assert point.metrics == alone.metrics


def test_costs_fall_as_more_documents_exit_and_rise_with_the_rounds(model, data, costs):
    schedules = {f"{share}": EarlyExit(5, share) for share in (0, 0.1, 0.2, 0.5)}
    curve = rf.cost_curve(model, data, "ndcg@5", costs=costs, early_exit=schedules)
    frame = curve.to_frame().pivot_table(index="rounds", columns="line", values="cost")
    assert (np.diff(frame[list(schedules)].to_numpy(), axis=1) <= 0).all()
    assert (np.diff(frame.to_numpy(), axis=0) > 0).all()
    whole = rf.cost_curve(model, data, "ndcg@5", costs=costs)
    assert frame["0"].tolist() == [point.cost for point in whole.points]


def test_neither_threads_nor_the_order_of_rows_change_a_bit(model, data, costs):
    order = np.random.default_rng(3).permutation(data.n_documents)
    other = rf.Dataset(data.X[order], data.y[order], qid=np.asarray(data.qid)[order])
    for lazy in (False, True):
        how = {"costs": costs, "early_exit": EarlyExit(4, 0.3), "lazy": lazy}
        one = rf.scoring_cost(model, data, METRICS, n_jobs=1, **how)
        two = rf.scoring_cost(model, other, METRICS, n_jobs=2, **how)
        by_query = dict(zip(two.query_ids.tolist(), two.query_costs.tolist(), strict=True))
        assert [by_query[each] for each in one.query_ids.tolist()] == one.query_costs.tolist()
        assert one.metrics == two.metrics


def test_a_model_with_exits_costs_what_they_leave(model, data, costs):
    fast = model.with_exits(EarlyExit(4, 0.3))
    found = rf.scoring_cost(fast, data, METRICS, costs=costs)
    expected = rf.scoring_cost(model, data, METRICS, costs=costs, early_exit=EarlyExit(4, 0.3))
    assert found.values() == expected.values()
    never = rf.scoring_cost(fast, data, METRICS, costs=costs, early_exit=ExitSchedule([]))
    assert never.values() == rf.scoring_cost(model, data, METRICS, costs=costs).values()
    curve = rf.cost_curve({"fast": fast}, data, METRICS, costs=costs)
    assert curve.points[-1].cost == pytest.approx(found.per_document)
    assert curve.points[-1].metrics == found.metrics


def test_models_and_schedules_make_a_line_each(model, data, tmp_path):
    model.save(tmp_path / "m.rf")
    forest = rf.RandomForest(n_estimators=12).fit(data)
    curve = rf.cost_curve(
        {"boosted": tmp_path / "m.rf", "forest": forest},
        data,
        early_exit={"none": None, "half": EarlyExit(5, 0.5)},
    )
    assert curve.lines == ("boosted, none", "boosted, half", "forest, none", "forest, half")
    assert curve.metrics == ("ndcg@10", "p@5", "auc", "auc(fpr=0;0.05)")
    frame = curve.to_frame("polars")
    assert frame.columns == ["line", "rounds", "cost", *curve.metrics]
    assert len(frame) == 2 * 30 + 2 * 12
    assert "boosted, none" in str(curve)
    curve.plot(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_model_that_combines_within_queries_costs_all_of_its_trees(model, data, costs):
    blend = rf.blend([model, model[:10]], weights=[1, 1], combine="minmax")
    found = rf.scoring_cost(blend, data, METRICS, costs=costs)
    assert found.metrics == dict(rf.evaluate(data, blend, METRICS))
    assert found.per_document == pytest.approx(
        rf.scoring_cost(model, data, (), costs=costs).per_document + 10 * costs.tree_cost
    )
    with pytest.raises(ValueError, match="cannot be scored in part"):
        rf.scoring_cost(blend, data, METRICS, early_exit=EarlyExit(5, 0.5))


def test_costs_may_be_given_as_they_are_to_predict_within(model, data):
    n = data.X.shape[1]
    by_column = list(range(n))
    expected = model.predict_within(data, feature_costs=by_column).cost
    assert model.predict_within(data, feature_costs=dict(enumerate(by_column))).cost == expected
    own = FeatureCosts(by_column, tree_cost=3)
    assert model.predict_within(data, feature_costs=own).cost == expected + 2 * 30 * len(data.X)
    assert model.predict_within(data, feature_costs=own, tree_cost=1).cost == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"costs": [1.0]}, "costs must have one value for each"),
        ({"costs": {"nobody": 1}}, "there is no feature 'nobody'"),
        ({"early_exit": 0.5}, "early_exit must be an EarlyExit"),
        ({"rounds": [0]}, "rounds must be integers >= 1, got 0"),
        ({"rounds": [31]}, r"rounds must have one of those of the model, in \[1, 30\]; got \[31\]"),
        ({"early_exit": {}}, "must not be empty"),
    ],
)
def test_bad_arguments_are_named(model, data, arguments, message):
    with pytest.raises(ValueError, match=message):
        rf.cost_curve(model, data, "ndcg@5", **arguments)
