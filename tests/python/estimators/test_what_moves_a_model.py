"""Changes of the features' scale: which models they leave as they are, and which not."""

import numpy as np
import pytest
from estimator_cases import make_data

from rankforest import LambdaMART, RandomForest


def lambdamart(**params):
    return LambdaMART(**{"n_estimators": 15, "max_leaf_nodes": 7, "min_samples_leaf": 2, **params})


def scores_of(model, train, test):
    X, y, qid = train
    return model.fit(X, y, qid=qid).predict(test)


@pytest.fixture(params=[0.0, 0.2], ids=["complete", "missing"])
def sets(request):
    """Training and test data; columns 2 and 3 have many equal values, some of them zeros."""
    X, y, qid = make_data(n_queries=40, n_documents=15, n_features=6, missing=request.param)
    X[:, 2] = np.round(X[:, 2])
    X[:, 3] = np.maximum(X[:, 3], 0.0)
    test = make_data(n_queries=10, n_features=6, seed=1)[0]
    return (X, y, qid), test


@pytest.mark.parametrize("norm", ["log", "gap"])
@pytest.mark.parametrize("tree_method", ["exact", "hist"])
def test_powers_of_two_that_multiply_features_do_not_move_lambdamart(sets, tree_method, norm):
    (X, y, qid), test = sets
    factors = np.float32([2.0, 0.125, 8.0, 2.0**-20, 2.0, 2.0**30])
    model = lambdamart(tree_method=tree_method, lambda_norm=norm)
    before = scores_of(model, (X, y, qid), test)
    after = scores_of(model, (X * factors, y, qid), test * factors)
    np.testing.assert_array_equal(after, before)
    assert len(np.unique(before)) > 10


def test_scores_of_training_documents_depend_on_the_order_of_values_alone(sets):
    (X, y, qid), _ = sets
    ranks = np.full(X.shape, np.nan, dtype=np.float32)
    for f, column in enumerate(X.T):
        known = ~np.isnan(column)
        ranks[known, f] = np.unique(column[known], return_inverse=True)[1] - 100.0
    model = lambdamart()
    np.testing.assert_array_equal(
        scores_of(model, (ranks, y, qid), ranks), scores_of(model, (X, y, qid), X)
    )


def test_columns_of_one_value_behind_the_others_do_not_move_lambdamart(sets):
    (X, y, qid), test = sets
    wider = np.hstack([X, np.full((len(X), 2), 0.0, dtype=np.float32)])
    wider_test = np.hstack([test, np.full((len(test), 2), 7.0, dtype=np.float32)])
    model = lambdamart()
    np.testing.assert_array_equal(
        scores_of(model, (wider, y, qid), wider_test), scores_of(model, (X, y, qid), test)
    )


@pytest.mark.parametrize("unit", ["document", "query"])
def test_what_is_drawn_does_depend_on_values(sets, unit):
    (X, y, qid), test = sets
    model = lambdamart(subsample=0.5, subsample_unit=unit)
    before = scores_of(model, (X, y, qid), test)
    after = scores_of(model, (X * np.float32(2), y, qid), test * np.float32(2))
    assert not np.array_equal(after, before)


def test_the_order_of_columns_may_move_lambdamart(sets):
    (X, y, qid), test = sets
    coarse, coarse_test = np.round(X), np.round(test)
    before = scores_of(lambdamart(), (coarse, y, qid), coarse_test)
    after = scores_of(lambdamart(), (coarse[:, ::-1], y, qid), coarse_test[:, ::-1])
    assert not np.array_equal(after, before)


def test_of_two_equal_columns_the_one_further_to_the_left_is_split_on(sets):
    (X, y, qid), _ = sets
    model = lambdamart().fit(np.hstack([X, X]), y, qid=qid)
    assert not model.feature_importances("split")[X.shape[1] :].any()


def test_doubled_features_or_another_order_of_columns_move_what_a_forest_draws(sets):
    (X, y, qid), test = sets
    model = RandomForest(n_estimators=5, max_features=None)
    before = scores_of(model, (X, y, qid), test)
    two = np.float32(2)
    assert not np.array_equal(scores_of(model, (X * two, y, qid), test * two), before)
    assert not np.array_equal(scores_of(model, (X[:, ::-1], y, qid), test[:, ::-1]), before)
    model.set_params(bootstrap=False, subsample=1.0)
    whole = scores_of(model, (X, y, qid), test)
    np.testing.assert_array_equal(scores_of(model, (X * two, y, qid), test * two), whole)
