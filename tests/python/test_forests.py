"""What forests split by and predict (Ibrahim 2020)."""

import numpy as np
import pytest
from estimator_cases import make_data

from rankforest import ExtraTrees, RandomForest

FORESTS = [RandomForest, ExtraTrees]


@pytest.fixture(scope="module")
def data():
    return make_data(n_queries=20, seed=4)


@pytest.mark.parametrize(
    "forest",
    [
        RandomForest(max_features=None),
        RandomForest(max_features=None, criterion="entropy"),
        RandomForest(criterion="random"),
        ExtraTrees(criterion="random"),
    ],
)
def test_unpruned_trees_that_see_everything_predict_the_relevance_they_saw(forest, data):
    X, y, qid = data
    forest.set_params(n_estimators=3, bootstrap=False)
    grades = forest.set_params(relevance="grade").fit(X, y, qid=qid).predict(X)
    np.testing.assert_allclose(grades, y, rtol=1e-6)
    gains = forest.set_params(relevance="exp2").fit(X, y, qid=qid).predict(X)
    np.testing.assert_allclose(gains, 2**y - 1, rtol=1e-6)


@pytest.mark.parametrize("forest", FORESTS)
def test_a_criterion_makes_a_model_of_its_own(forest, data):
    X, y, qid = data
    others, _, _ = make_data(seed=5)
    scores = [
        forest(n_estimators=3, criterion=criterion).fit(X, y, qid=qid).predict(others)
        for criterion in ("squared_error", "entropy", "random")
    ]
    assert len({each.tobytes() for each in scores}) == 3


def test_by_entropy_any_numbers_are_classes(data):
    X, y, qid = data
    forest = RandomForest(n_estimators=3, criterion="entropy", bootstrap=False)
    named = np.array([0.25, 7.0, 1.5])[y.astype(int)]  # another order, too
    first = forest.fit(X, y, qid=qid).model_.feature_importances("split")
    assert first.sum() > 0
    np.testing.assert_array_equal(
        forest.fit(X, named, qid=qid).model_.feature_importances("split"), first
    )


def test_random_splits_count_once_each_as_a_gain(data):
    X, y, qid = data
    model = RandomForest(n_estimators=5, criterion="random").fit(X, y, qid=qid).model_
    np.testing.assert_allclose(
        5 * model.feature_importances("gain"), model.feature_importances("split")
    )


@pytest.mark.parametrize("forest", FORESTS)
@pytest.mark.parametrize("criterion", ["entropy", "random"])
def test_a_third_child_is_for_squared_error_alone(forest, criterion, data):
    X, y, qid = data
    with pytest.raises(ValueError, match='missing="third" needs criterion="squared_error"'):
        forest(criterion=criterion, missing="third").fit(X, y, qid=qid)


def test_grades_beyond_what_a_leaf_holds_are_refused(data):
    X, _, qid = data
    grades = np.full(len(X), 200.0)
    with pytest.raises(ValueError, match=r"grades must be at most 127 .*; the largest is 200"):
        RandomForest(relevance="exp2").fit(X, grades, qid=qid)
