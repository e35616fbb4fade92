"""Scoring that ends before the last tree, through the extension."""

import math

import numpy as np
import pytest
from estimator_cases import make_data
from hypothesis import given
from hypothesis import strategies as st
from model_cases import codes_for, matrices, models

import rankforest as rf
from rankforest import EarlyExit, Model, _core
from rankforest.limits import make_limits

exits = st.none() | st.builds(
    EarlyExit,
    st.integers(1, 3),
    st.sampled_from([0, 0.25, 0.5, 0.9]),
    st.sampled_from(["query", "set"]),
)


@pytest.fixture(scope="module")
def data():
    return rf.Dataset(*make_data()[:2], qid=make_data()[2])


@pytest.fixture(scope="module")
def model(data):
    return rf.MART(n_estimators=60, max_depth=3).fit(data).model_


def naive_rounds(model, X, codes, early_exit):
    """Let documents exit by the definition; return the rounds of each."""
    rounds = np.full(len(X), model.n_rounds)
    every = early_exit.every
    for end in range(every, model.n_rounds, every):
        in_play = np.flatnonzero(rounds == model.n_rounds)
        scores = model[:end].predict(X)
        groups = (
            [in_play]
            if early_exit.scope == "set"
            else [in_play[codes[in_play] == code] for code in np.unique(codes)]
        )
        for rows in groups:
            leaving = math.floor(early_exit.fraction * len(rows))
            if leaving:
                cut = np.sort(scores[rows])[leaving]
                rounds[rows[scores[rows] < cut]] = end
    return rounds


@pytest.mark.parametrize("scope", ["query", "set"])
@pytest.mark.parametrize(("every", "fraction"), [(7, 0.2), (20, 0.5), (1, 0.1)])
def test_documents_exit_by_the_definition_with_the_scores_of_prefixes(
    model, data, scope, every, fraction
):
    early_exit = EarlyExit(every, fraction, scope)
    within = model.predict_within(data, early_exit=early_exit)
    expected = naive_rounds(model, data.X, data.query_codes, early_exit)
    np.testing.assert_array_equal(within.rounds, expected)
    for rounds in np.unique(expected):
        rows = expected == rounds
        np.testing.assert_array_equal(within.scores[rows], model[:rounds].predict(data)[rows])
    assert within.n_evaluations == within.cost == expected.sum()
    assert within.n_evaluations < len(expected) * model.n_trees


def test_without_limits_nothing_is_left_out(model, data):
    within = model.predict_within(data)
    np.testing.assert_array_equal(within.scores, model.predict(data), strict=True)
    assert within.rounds.dtype == np.uint32
    assert set(within.rounds) == {60}
    assert within.n_evaluations == len(within.scores) * 60


def test_a_budget_bounds_the_cost_of_each_query(model, data):
    costs = np.arange(data.X.shape[1], dtype=float)
    within = model.predict_within(data, budget=500, tree_cost=0.5, feature_costs=costs)
    for code in np.unique(data.query_codes):
        rows = np.flatnonzero(data.query_codes == code)
        rounds = set(within.rounds[rows].tolist())
        assert len(rounds) == 1
        alone = model.predict_within(data.X[rows], budget=500, tree_cost=0.5, feature_costs=costs)
        assert alone.cost <= 500
        np.testing.assert_array_equal(alone.scores, within.scores[rows])
        free = model[: rounds.pop() + 1].predict_within(
            data.X[rows], tree_cost=0.5, feature_costs=costs
        )
        assert free.cost > 500 or alone.rounds[0] == 60


def test_should_stop_ends_scoring(model, data):
    calls = []
    within = model.predict_within(data.X, should_stop=lambda: calls.append(0) or len(calls) == 3)
    assert set(within.rounds.tolist()) == {32}
    np.testing.assert_array_equal(within.scores, model[:32].predict(data))
    with pytest.raises(ZeroDivisionError):
        model.predict_within(data.X, should_stop=lambda: 1 / 0)


def test_demoted_documents_rank_below_the_others(model, data):
    early_exit = EarlyExit(20, 0.5, demote=True)
    within = model.predict_within(data, early_exit=early_exit)
    for code in np.unique(data.query_codes):
        rows = np.flatnonzero(data.query_codes == code)
        by_score = rows[np.argsort(-within.scores[rows], kind="stable")]
        assert (np.diff(within.rounds[by_score].astype(int)) <= 0).all()


@given(models, matrices, exits, st.none() | st.floats(0, 200), st.integers(1, 3))
def test_models_of_every_shape_stay_within_limits(arrays, X, early_exit, budget, n_jobs):
    ensemble = _core.Ensemble.from_arrays(arrays)
    model = Model(ensemble, _core.ModelInfo())
    codes = codes_for(X)
    if ensemble.combine != "sum":
        with pytest.raises(ValueError, match="it cannot be scored in part"):
            model.predict_within(X, codes)
        return
    within = model.predict_within(
        X, codes, early_exit=early_exit, budget=budget, feature_costs=[1, 0, 5], n_jobs=n_jobs
    )
    whole = within.rounds == model.n_rounds
    np.testing.assert_array_equal(within.scores[whole], model.predict(X)[whole])
    one = model.predict_within(
        X, codes, early_exit=early_exit, budget=budget, feature_costs=[1, 0, 5], n_jobs=1
    )
    np.testing.assert_array_equal(one.scores, within.scores)
    if budget is None and early_exit is None:
        assert whole.all()
    if budget is not None:
        assert within.cost <= budget * len(np.unique(codes))


class TestTop:
    @pytest.mark.parametrize("k", [1, 3, 1000])
    def test_rows_and_scores_are_those_of_sorting_all(self, model, data, k):
        best = model.top_k(data, k, n_jobs=2)
        scores = model.predict(data)
        expected = []
        for code in np.unique(data.query_codes):
            rows = np.flatnonzero(data.query_codes == code)
            expected.append(rows[np.argsort(-scores[rows], kind="stable")][:k])
        np.testing.assert_array_equal(best.rows, np.concatenate(expected))
        np.testing.assert_array_equal(best.scores, scores[best.rows], strict=True)
        np.testing.assert_array_equal(np.diff(best.offsets), [len(rows) for rows in expected])
        assert best.n_evaluations <= len(scores) * model.n_trees

    def test_without_qid_all_rows_are_one_query(self, model, data):
        best = model.top_k(data.X, 4)
        scores = model.predict(data)
        np.testing.assert_array_equal(best.rows, np.argsort(-scores, kind="stable")[:4])
        assert best.offsets.tolist() == [0, 4]

    @pytest.mark.parametrize("k", [0, -1, 2.5, None])
    def test_k_must_be_a_count(self, model, data, k):
        with pytest.raises(ValueError, match="k must be an integer >= 1, got"):
            model.top_k(data, k)


class TestLazy:
    def test_scores_are_those_of_the_same_values(self, model, data):
        X = data.X
        seen = np.zeros(X.shape, dtype=int)

        def provider(feature, documents):
            seen[documents, feature] += 1
            return X[documents, feature]

        costs = np.arange(X.shape[1])[::-1]
        lazy = model.predict_lazily(len(X), provider, tree_cost=0.25, feature_costs=costs)
        np.testing.assert_array_equal(lazy.scores, model.predict(X), strict=True)
        assert seen.max() == 1
        np.testing.assert_array_equal(lazy.n_fetched, seen.sum(axis=0))
        assert lazy.cost == 0.25 * lazy.n_evaluations + (seen.sum(axis=0) * costs).sum()
        assert lazy.n_evaluations == len(X) * 60
        assert lazy.n_requests > 0

    def test_limits_hold(self, model, data):
        X = data.X[:30]
        lazy = model.predict_lazily(
            30, lambda f, rows: X[rows, f].tolist(), early_exit=EarlyExit(10, 0.5)
        )
        within = model.predict_within(X, early_exit=EarlyExit(10, 0.5))
        np.testing.assert_array_equal(lazy.scores, within.scores)
        np.testing.assert_array_equal(lazy.rounds, within.rounds)
        poor = model.predict_lazily(
            30, lambda f, rows: X[rows, f], budget=100, feature_costs=np.ones(X.shape[1])
        )
        assert poor.cost <= 100
        assert set(poor.rounds) < set(range(60))

    def test_what_a_provider_must_not_do_is_refused(self, model):
        with pytest.raises(ValueError, match=r"the provider must return 4 values of feature \d+; "):
            model.predict_lazily(4, lambda feature, documents: np.zeros(3))
        with pytest.raises(ZeroDivisionError):
            model.predict_lazily(4, lambda feature, documents: 1 / 0)
        with pytest.raises(ValueError, match="n_documents must be an integer >= 0, got -1"):
            model.predict_lazily(-1, lambda feature, documents: np.zeros(3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2**32, 0.5), r"every must be an integer in \[1, 2\*\*32\), got 4294967296"),
        ((0, 0.5), r"every must be an integer in \[1, 2\*\*32\), got 0"),
        ((True, 0.5), r"every must be an integer in \[1, 2\*\*32\), got True"),
        ((1.5, 0.5), r"every must be an integer in \[1, 2\*\*32\), got 1.5"),
        ((1, 1.0), r"fraction must be in \[0, 1\), got 1.0"),
        ((1, math.nan), r"fraction must be in \[0, 1\), got nan"),
        ((1, 0.5, "all"), 'scope must be "query" or "set", got \'all\''),
    ],
)
def test_exits_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        EarlyExit(*arguments)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"early_exit": 3}, "early_exit must be an EarlyExit, an ExitSchedule or None, got 3"),
        ({"budget": -1}, "budget must be >= 0 or None, got -1"),
        ({"tree_cost": math.inf}, "tree_cost must be finite and >= 0, got inf"),
        ({"feature_costs": [1, -1]}, "feature_costs must be finite and >= 0; that of row 1"),
        ({"feature_costs": [1]}, "a cost for each of the model's 5 features, or none; got 1"),
        ({"should_stop": 1}, "should_stop must be a function or None, got 1"),
    ],
)
def test_limits_that_make_no_sense_are_refused(model, data, limits, message):
    with pytest.raises(ValueError, match=message):
        model.predict_within(data, **limits)


def test_limits_are_made_of_plain_numbers():
    assert isinstance(
        make_limits(EarlyExit(np.int64(3), np.float32(0.5)), np.float64(3), 1, None, None),
        _core.ScoreLimits,
    )
