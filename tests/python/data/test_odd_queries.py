"""Queries that may be weights, or of one document each, are noticed wherever they are given."""

import warnings

import numpy as np
import pytest
from estimator_cases import make_data

import rankforest as rf

N_QUERIES = 6


@pytest.fixture(scope="module")
def arrays():
    return make_data(n_queries=N_QUERIES, seed=3)


@pytest.fixture(scope="module")
def model(arrays):
    X, y, qid = arrays
    return rf.LambdaMART(n_estimators=2, min_samples_leaf=1).fit(X, y, qid=qid)


def called(function, model, arrays, qid):
    """Call one of the functions that take the query of each document."""
    X, y, _ = arrays
    scores = X[:, 0]
    systems = {"a": scores, "b": -scores}
    calls = {
        "evaluate": lambda: rf.evaluate((y, qid), scores, "ndcg@10"),
        "compare": lambda: rf.compare((y, qid), systems, "ndcg@10", n_permutations=9),
        "permutation_importance": lambda: rf.permutation_importance(
            model, (X, y, qid), n_repeats=1
        ),
        "LambdaMART.score": lambda: model.score(X, y, qid),
    }
    return calls[function]()


IN_TUPLES = ["evaluate", "compare", "permutation_importance"]


@pytest.mark.parametrize("function", [*IN_TUPLES, "LambdaMART.score"])
def test_one_document_a_query_is_warned_of_once_in_the_name_of_the_function(
    function, model, arrays
):
    n = len(arrays[1])
    with pytest.warns(UserWarning, match="is a query of its own") as caught:
        called(function, model, arrays, np.arange(n))
    assert len(caught) == 1
    assert str(caught[0].message).startswith(f"{function}: each of its {n} documents")
    assert caught[0].filename == __file__


@pytest.mark.parametrize("function", ["evaluate", "permutation_importance"])
def test_weights_of_one_in_place_of_queries_are_warned_of(function, model, arrays):
    with pytest.warns(UserWarning, match=r"documents are of one query\. The .* weights are the"):
        called(function, model, arrays, np.ones(len(arrays[1])))


@pytest.mark.parametrize("function", IN_TUPLES)
def test_weights_of_fractions_in_place_of_queries_are_refused(function, model, arrays):
    with pytest.raises(ValueError, match=r"is the query of each document, .* fractions\. Weights"):
        called(function, model, arrays, np.linspace(0.1, 0.9, len(arrays[1])))


def test_one_query_on_purpose_is_fine(model, arrays):
    n = len(arrays[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        called("evaluate", model, arrays, [1] * n)
        called("evaluate", model, arrays, ["q"] * n)
        called("LambdaMART.score", model, arrays, np.ones(n))


def test_a_metric_of_documents_alone_needs_no_queries(arrays):
    _, y, _ = arrays
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rf.evaluate((y, np.arange(len(y))), y, "rmse")["rmse"] == 0.0


def test_importance_takes_weights_as_a_fourth_member(model, arrays):
    X, y, qid = arrays
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y))
    data = rf.Dataset(X, y, qid=qid, weight=weight)
    of_data = rf.permutation_importance(model, data, n_repeats=2)
    of_tuple = rf.permutation_importance(model, (X, y, qid, weight), n_repeats=2)
    np.testing.assert_array_equal(of_tuple.importances, of_data.importances)
    assert of_data.baseline == rf.evaluate(data, model, of_data.metric)[of_data.metric]


@pytest.mark.parametrize(
    "function", ["evaluate", "compare", "permutation_importance", "LambdaMART.score"]
)
def test_grades_far_apart_are_warned_of_once_in_the_name_of_the_function(function, model, arrays):
    X, y, qid = arrays
    steep = np.where(y > 0, 100.0, 1.0)
    with pytest.warns(UserWarning, match=r"2\^grade - 1") as caught:
        called(function, model, (X, steep, qid), qid)
    assert len(caught) == 1
    assert str(caught[0].message).startswith(f"{function}: the gain of ndcg@10")
    assert caught[0].filename == __file__


def test_an_out_of_bag_score_of_grades_far_apart_is_warned_of_by_the_forest(arrays):
    X, y, qid = arrays
    steep = np.where(y > 0, 100.0, 1.0)
    forest = rf.RandomForest(n_estimators=5, oob_score=True)
    with pytest.warns(UserWarning, match=r"RandomForest: the gain of ndcg@10") as caught:
        forest.fit(X, steep, qid=qid)
    assert len(caught) == 1
    with pytest.warns(UserWarning, match="out_of_bag_importance: the gain of ndcg@10"):
        rf.out_of_bag_importance(forest, (X, steep, qid))
