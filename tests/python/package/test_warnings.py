"""Where warnings point: at the line of the user's program, however deep they are noticed."""

import numpy as np
import pytest
from estimator_cases import make_data

import rankforest as rf

X, Y, QID = make_data()


def fit(*arguments, model=rf.MART, **named):
    return model(n_estimators=2).fit(*arguments, **named)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit(X, Y, eval_set=(X, Y, np.arange(len(X)))), "is a query of its own"),
        (lambda: fit(X, Y[:, None], qid=QID), "y is a column"),
        (lambda: rf.Dataset(X, Y[:, None], qid=QID), "y is a column"),
        (lambda: fit(X, Y + 1e9, model=rf.RandomForest), "leaf values are float32"),
        (lambda: fit(X, 0.0 * Y), "the model is constant"),
        (lambda: rf.evaluate((50 * Y, QID), X[:, 0], "ndcg"), "the gain of ndcg"),
        (lambda: rf.Dataset(X[:2], Y[:2], group=[1, 0, 1]), "dropped 1 of 3 queries"),
    ],
    ids=["evaluation set", "fit", "Dataset", "forest", "constant", "evaluate", "group"],
)
def test_point_at_the_line_that_calls_the_library(call, message):
    with pytest.warns(Warning, match=message) as caught:
        call()
    [warning] = caught
    assert warning.filename == __file__
    assert warning.lineno in {call.__code__.co_firstlineno, fit.__code__.co_firstlineno + 1}


@pytest.mark.parametrize(
    ("given", "limits"),
    [
        ({"min_gain": 1e9}, "lower min_gain"),
        ({"min_gain": 1e9, "min_samples_leaf": 2}, "lower min_gain or min_samples_leaf"),
        ({"feature_costs": np.ones(X.shape[1]), "cost_weight": 1e9}, "lower cost_weight"),
    ],
)
def test_a_constant_model_says_which_limits_kept_it_so(given, limits):
    with pytest.warns(UserWarning, match=f"no split gained enough; {limits}$"):
        rf.MART(n_estimators=2, **given).fit(X, Y, qid=QID)
