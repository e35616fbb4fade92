"""Exits of documents at any rounds, and models that have them."""

import math
import pickle

import numpy as np
import pytest
from estimator_cases import make_data
from hypothesis import given
from hypothesis import strategies as st

import rankforest as rf
from rankforest import EarlyExit, Exit, ExitSchedule, Model
from rankforest.exits import checked_exits


@pytest.fixture(scope="module")
def data():
    return rf.Dataset(*make_data()[:2], qid=make_data()[2])


@pytest.fixture(scope="module")
def model(data):
    return rf.MART(n_estimators=40, max_depth=3).fit(data).model_


@pytest.fixture(scope="module")
def fast(model):
    return model.with_exits(ExitSchedule([(4, 0.4), Exit(20, margin=0.3)], k=3))


def naive_rounds(model, data, schedule):
    """Let documents exit by the definition; return the rounds of each."""
    rounds = np.full(data.n_documents, model.n_rounds)
    for each in schedule.exits:
        if each.round >= model.n_rounds:
            continue
        in_play = np.flatnonzero(rounds == model.n_rounds)
        scores = model[: each.round].predict(data)
        codes = data.query_codes if schedule.scope == "query" else np.zeros_like(data.query_codes)
        for code in np.unique(codes[in_play]):
            rows = in_play[codes[in_play] == code]
            ascending = np.sort(scores[rows])
            n = len(rows)
            cuts = [ascending[math.floor(each.fraction * n)]]
            if each.keep is not None and n > each.keep:
                cuts.append(ascending[n - each.keep])
            if each.margin is not None and n >= schedule.k:
                cuts.append(ascending[n - schedule.k] - each.margin)
            rounds[rows[scores[rows] < max(cuts)]] = each.round
    return rounds


exits = st.builds(
    Exit,
    st.integers(1, 50),
    st.sampled_from([0, 0.25, 0.5]),
    st.none() | st.sampled_from([0.0, 0.1, 0.5]),
    st.none() | st.integers(1, 8),
)
schedules = st.builds(
    lambda exits, k, scope: ExitSchedule(exits, k=k, scope=scope),
    st.lists(exits, max_size=4, unique_by=lambda each: each.round),
    st.integers(1, 6),
    st.sampled_from(["query", "set"]),
)


@given(schedule=schedules)
def test_documents_exit_by_the_definition_with_the_scores_of_prefixes(model, data, schedule):
    within = model.predict_within(data, early_exit=schedule, n_jobs=2)
    expected = naive_rounds(model, data, schedule)
    np.testing.assert_array_equal(within.rounds, expected)
    for rounds in np.unique(expected):
        rows = expected == rounds
        np.testing.assert_array_equal(within.scores[rows], model[:rounds].predict(data)[rows])
    assert within.n_evaluations == within.cost == expected.sum()


@pytest.mark.parametrize("scope", ["query", "set"])
@pytest.mark.parametrize("demote", [False, True])
def test_an_early_exit_is_a_schedule_bit_for_bit(model, data, scope, demote):
    regular = EarlyExit(7, 0.3, scope, demote=demote)
    one = model.predict_within(data, early_exit=regular)
    other = model.predict_within(data, early_exit=regular.schedule(model.n_rounds))
    np.testing.assert_array_equal(one.scores, other.scores)
    np.testing.assert_array_equal(one.rounds, other.rounds)
    assert regular.schedule(22).exits == (Exit(7, 0.3), Exit(14, 0.3), Exit(21, 0.3))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Exit(0), r"round must be an integer in \[1, 2\*\*32\), got 0"),
        (lambda: Exit(True), r"round must be an integer in \[1, 2\*\*32\), got True"),
        (lambda: Exit(1, 1.0), r"fraction must be in \[0, 1\), got 1.0"),
        (lambda: Exit(1, math.nan), r"fraction must be in \[0, 1\), got nan"),
        (lambda: Exit(1, margin=-1), "margin must be finite and >= 0 or None, got -1"),
        (lambda: Exit(1, margin=math.inf), "margin must be finite and >= 0 or None, got inf"),
        (lambda: Exit(1, keep=0), r"keep must be an integer in \[1, 2\*\*32\) or None, got 0"),
        (lambda: ExitSchedule([5]), r"exits must hold Exit or \(round, fraction\), got an int: 5"),
        (lambda: ExitSchedule([(1, 0.5, 2)]), "exits must hold Exit"),
        (lambda: ExitSchedule([(3, 0.5), Exit(3)]), "different rounds, got round 3 twice"),
        (lambda: ExitSchedule([], k=0), r"k must be an integer in \[1, 2\*\*32\), got 0"),
        (lambda: ExitSchedule([], scope="all"), 'scope must be "query" or "set", got \'all\''),
    ],
)
def test_what_is_out_of_its_range_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_schedules_are_in_the_order_of_rounds_and_print_what_they_say():
    schedule = ExitSchedule([(20, 0.5), Exit(5, margin=0.25, keep=7)], k=3, demote=True)
    assert repr(schedule) == (
        "ExitSchedule([Exit(round=5, margin=0.25, keep=7), Exit(round=20, fraction=0.5)], k=3, "
        "demote=True)"
    )
    assert eval(repr(schedule), vars(rf)) == schedule
    assert ExitSchedule.from_dict(schedule.to_dict()) == schedule
    assert pickle.loads(pickle.dumps(schedule)) == schedule
    assert bool(schedule)
    assert not ExitSchedule([])
    with pytest.raises(ValueError, match="early_exit must be an EarlyExit, an ExitSchedule"):
        checked_exits((1, 0.5))


def test_all_that_scores_follows_the_exits_of_a_model(model, fast, data):
    expected = model.predict_within(data, early_exit=fast.exits)
    assert len(set(expected.rounds)) == 3
    np.testing.assert_array_equal(fast.predict(data), expected.scores)
    np.testing.assert_array_equal(fast.predict(data.X, data.qid), expected.scores)
    np.testing.assert_array_equal(fast.predict(data, n_jobs=1), expected.scores)
    np.testing.assert_array_equal(
        fast._ensemble.predict(data.X, data.query_codes, 1), expected.scores
    )
    np.testing.assert_array_equal(fast.predict_within(data).rounds, expected.rounds)
    best = fast.top_k(data, 3)
    np.testing.assert_array_equal(best.scores, expected.scores[best.rows])
    for query, (first, end) in enumerate(zip(best.offsets, best.offsets[1:], strict=False)):
        of_query = expected.scores[data.query_codes == query]
        np.testing.assert_array_equal(best.scores[first:end], np.sort(of_query)[::-1][:3])
    rows = np.flatnonzero(data.query_codes == 0)
    lazy = fast.predict_lazily(len(rows), lambda f, documents: data.X[rows[documents], f])
    np.testing.assert_array_equal(lazy.scores, expected.scores[rows])
    values = rf.evaluate(data, fast, "ndcg@10")
    assert values == rf.evaluate(data, expected.scores, "ndcg@10")


def test_other_exits_replace_those_of_the_model(model, fast, data):
    never = fast.predict_within(data, early_exit=ExitSchedule([]))
    np.testing.assert_array_equal(never.scores, model.predict(data))
    other = EarlyExit(5, 0.5)
    np.testing.assert_array_equal(
        fast.predict_within(data, early_exit=other).scores,
        model.predict_within(data, early_exit=other).scores,
    )
    assert fast.with_exits(None) == model
    assert model.with_exits(ExitSchedule([])) == model
    assert model.with_exits(ExitSchedule([(40, 0.5), (90, 0.5)])) == model


def test_a_model_with_exits_needs_queries(fast, data):
    with pytest.raises(ValueError, match="depend on the whole query: it needs qid"):
        fast.predict(data.X)
    with pytest.raises(ValueError, match="depend on whole queries"):
        fast.save_cpp("never.hpp")
    # One call is one query where limits are asked for.
    assert len(fast.predict_within(data.X[:9]).scores) == 9


def test_the_rows_of_queries_may_be_in_any_order(fast, data):
    order = np.random.default_rng(5).permutation(data.n_documents)
    np.testing.assert_array_equal(
        fast.predict(data.X[order], np.asarray(data.qid)[order]), fast.predict(data)[order]
    )


def test_files_keep_exits_and_those_without_are_as_ever(model, fast, data, tmp_path):
    fast.save(tmp_path / "m.rf")
    fast.save_json(tmp_path / "m.json")
    for path in ("m.rf", "m.json"):
        again = rf.load(tmp_path / path)
        assert again == fast
        assert again.exits == fast.exits
        np.testing.assert_array_equal(again.predict(data), fast.predict(data))
    assert pickle.loads(pickle.dumps(fast)) == fast
    assert b"EXIT" in fast.to_bytes()
    assert b"EXIT" not in model.to_bytes()
    demoting = model.with_exits(EarlyExit(10, 0.5, demote=True))
    assert Model.from_bytes(demoting.to_bytes()).exits.demote


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"fraction": 0.4', '"fraction": 1.4', "fraction must be in"),
        ('"round": 4,', '"round": 0,', "ascending rounds from 1 on"),
        ('"round": 4,', '"round": "4",', r"exits.points\[0\].round: expected int"),
        ('"margin": 0.3', '"margin": -0.3', "margin must be >= 0"),
        ('"demote": false', '"demote": 0', "exits.demote: expected bool"),
        ('"k": 3, ', "", "exits.k: missing"),
        ('"k": 3, ', '"k": 3, "l": 1, ', "exits.l: unknown key"),
    ],
)
def test_wrong_exits_in_the_json_form_are_refused(fast, tmp_path, old, new, message):
    path = tmp_path / "m.json"
    fast.save_json(path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError, match=message):
        rf.load(path)


def test_exits_that_a_model_cannot_have_are_refused(model, data):
    with pytest.raises(ValueError, match="must have scope \"query\", got 'set'"):
        model.with_exits(EarlyExit(5, 0.5, "set"))
    with pytest.raises(ValueError, match="early_exit must be an EarlyExit"):
        model.with_exits(0.5)
    bag = rf.blend([model, model[:10]], weights=[1, 1], combine="minmax")
    with pytest.raises(ValueError, match="no score before its last tree"):
        bag.with_exits(EarlyExit(5, 0.5))
    linear = rf.RankSVM(query_normalization="zscore").fit(data).model_
    with pytest.raises(ValueError, match="no score before its last tree"):
        linear.with_exits(EarlyExit(5, 0.5))
    assert linear.with_exits(None) == linear


def test_the_first_rounds_keep_the_exits_before_them(fast, data):
    assert fast[:20].exits == ExitSchedule([(4, 0.4)], k=3)
    assert fast[:4].exits is None
    staged = list(fast.staged_predict(data))
    assert len(staged) == 40
    for k in (3, 4, 5, 20, 21, 40):
        np.testing.assert_array_equal(staged[k - 1], fast[:k].predict(data))


def test_models_that_are_made_of_one_with_exits_have_none(fast, model, data):
    assert rf.blend([fast, model], weights=[1, 1], combine="sum").exits is None
    assert rf.prune(fast, data, n_trees=20, line_search=False).model.exits is None
    assert rf.prune(fast, data, n_trees=40).model.exits is None
    assert fast.refit_leaves(data).exits is None
    more = rf.MART(n_estimators=5, max_depth=3).fit(data, init_model=fast).model_
    assert more.exits is None
    plain = rf.MART(n_estimators=5, max_depth=3).fit(data, init_model=model).model_
    assert more._ensemble == plain._ensemble
    assert fast.with_metadata({"a": "b"}).exits == fast.exits


def test_a_forest_exits_with_the_mean_of_its_trees_so_far(data):
    forest = rf.RandomForest(n_estimators=20).fit(data).model_
    fast = forest.with_exits(EarlyExit(5, 0.5))
    expected = forest.predict_within(data, early_exit=EarlyExit(5, 0.5))
    np.testing.assert_array_equal(fast.predict(data), expected.scores)
    np.testing.assert_array_equal(
        fast._ensemble.predict(data.X, data.query_codes, 1), expected.scores
    )
