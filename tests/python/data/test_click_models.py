"""Simulated clicks: what users see, look at and click on."""

import numpy as np
import pytest

from rankforest import Dataset
from rankforest.datasets import make_ranking, simulate_clicks

MODELS = ["position", "cascade", "dbn"]


@pytest.fixture
def three_documents():
    """One query, ranked with its grades ascending: 0, 1, 2."""
    return Dataset([[1.0], [2.0], [3.0]], [2.0, 0.0, 1.0], qid=["a"] * 3), [0.1, 0.9, 0.5]


@pytest.mark.parametrize(
    ("model", "propensity"),
    [
        ("position", [1.0, 1 / 2, 1 / 3]),
        ("cascade", [1.0, 0.9, 0.9 * 0.6]),
        ("dbn", [1.0, 0.9, 0.9 * 0.9 * (1 - 0.4 * 0.3)]),
    ],
)
def test_propensities_of_three_documents_are_those_of_a_hand_computation(
    three_documents, model, propensity
):
    clicks = simulate_clicks(*three_documents, model, n_sessions=1, noise=0.1)
    assert clicks.rows.tolist() == [1, 2, 0]
    assert clicks.data.position.tolist() == [1, 2, 3]
    np.testing.assert_allclose(clicks.attractiveness, [0.1, 0.1 + 0.9 / 3, 1.0])
    np.testing.assert_allclose(clicks.propensity, propensity)


@pytest.mark.parametrize("model", MODELS)
def test_click_through_rates_are_those_of_the_model(model):
    data = make_ranking(n_queries=3, n_documents=6, n_grades=3)
    n = 20000
    clicks = simulate_clicks(data, data.X[:, 0], model, n_sessions=n, eta=0.7)
    rates = clicks.data.y.reshape(n, 18).mean(axis=0)
    expected = (clicks.propensity * clicks.attractiveness)[:18]
    np.testing.assert_array_less(
        np.abs(rates - expected), 5 * np.sqrt(expected * (1 - expected) / n) + 1e-12
    )


def test_a_cascade_ends_with_the_first_click():
    data = make_ranking(n_queries=20)
    clicks = simulate_clicks(data, data.X[:, 0], "cascade", n_sessions=20)
    of_sessions = np.bincount(clicks.data.query_codes, clicks.data.y)
    assert of_sessions.max() == 1
    assert of_sessions.mean() > 0.5


def test_users_who_are_never_satisfied_and_never_tire_look_at_everything():
    data = make_ranking(n_queries=5)
    scores = data.X[:, 0]
    always = simulate_clicks(data, scores, "dbn", satisfaction=0.0, continuation=1.0)
    assert (always.propensity == 1).all()
    np.testing.assert_array_equal(always.data.y, simulate_clicks(data, scores, eta=0.0).data.y)


def test_a_session_shows_the_documents_with_the_best_scores():
    data = make_ranking(n_queries=8, n_documents=(1, 9))
    clicks = simulate_clicks(data, data.X[:, 0], n_sessions=2, n_shown=4)
    seen = clicks.data
    for session in range(seen.n_queries):
        of_session = seen.query_codes == session
        rows = clicks.rows[of_session]
        assert len(set(data.qid[rows])) == 1
        best = np.sort(data.X[data.qid == data.qid[rows[0]], 0])[::-1][:4]
        in_order = rows[np.argsort(seen.position[of_session])]
        np.testing.assert_array_equal(data.X[in_order, 0], best)
    np.testing.assert_array_equal(seen.X, data.X[clicks.rows])


def test_equal_seeds_give_equal_clicks_and_others_do_not():
    data = make_ranking(n_queries=10)
    one, same, other = (
        simulate_clicks(data, data.X[:, 0], "dbn", random_state=seed) for seed in (3, 3, 4)
    )
    np.testing.assert_array_equal(one.data.y, same.data.y)
    assert (one.data.y != other.data.y).any()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": "pbm"}, "model must be one of 'position', 'cascade', 'dbn', got 'pbm'"),
        ({"n_sessions": 0}, "n_sessions must be an integer >= 1, got 0"),
        ({"n_shown": 0}, "n_shown must be an integer >= 1, got 0"),
        ({"eta": -1.0}, "eta must be finite and >= 0, got -1.0"),
        ({"noise": 1.0}, r"noise must be in \[0, 1\), got 1.0"),
        ({"satisfaction": 1.5}, r"satisfaction must be in \[0, 1\], got 1.5"),
        ({"continuation": np.nan}, r"continuation must be in \[0, 1\], got nan"),
        ({"scores": [1.0]}, "scores must have one value for each of the 3 documents"),
        ({"scores": [1.0, np.inf, 0.0]}, "scores must be finite; that of row 1 is inf"),
    ],
)
def test_what_is_out_of_range_is_refused(three_documents, changed, message):
    data, scores = three_documents
    with pytest.raises(ValueError, match=message):
        simulate_clicks(**{"data": data, "scores": scores} | changed)


def test_grades_that_attract_nobody_are_refused():
    data = Dataset([[1.0], [2.0]], [0.0, 0.0], qid=[1, 1])
    with pytest.raises(ValueError, match="data must have a grade above 0"):
        simulate_clicks(data, [1.0, 2.0])
