"""What forests split by and predict (Ibrahim 2020)."""

import numpy as np
import pytest
from estimator_cases import make_data

from rankforest import IGBRT, MART, ExtraTrees, LambdaMART, RandomForest, evaluate
from rankforest.datasets import make_ranking

FORESTS = [RandomForest, ExtraTrees]


@pytest.fixture(scope="module")
def data():
    return make_data(n_queries=20, seed=4)


@pytest.mark.parametrize(
    "forest",
    [
        RandomForest(max_features=None),
        RandomForest(max_features=None, criterion="entropy"),
        RandomForest(max_features=None, criterion="listwise", listwise_levels=2),
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


@pytest.fixture(scope="module")
def many_documents():
    """Enough for threads to share the nodes of a tree: their documents, features and both."""
    return make_ranking(n_queries=200, n_documents=100, n_features=64, random_state=6)


@pytest.mark.parametrize("tree_method", ["exact", "hist"])
@pytest.mark.parametrize("n_trees", [1, 4])
def test_a_large_forest_is_the_same_for_any_number_of_threads(n_trees, tree_method, many_documents):
    files = {
        RandomForest(n_estimators=n_trees, tree_method=tree_method, random_state=1, n_jobs=n_jobs)
        .fit(many_documents)
        .model_.to_bytes()
        for n_jobs in (1, 2, 3)
    }
    assert len(files) == 1


@pytest.mark.parametrize("forest", FORESTS)
def test_a_criterion_makes_a_model_of_its_own(forest, data):
    X, y, qid = data
    others, _, _ = make_data(seed=5)
    scores = [
        forest(n_estimators=3, criterion=criterion).fit(X, y, qid=qid).predict(others)
        for criterion in ("squared_error", "entropy", "random", "pairwise", "listwise")
    ]
    assert len({each.tobytes() for each in scores}) == 5


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
@pytest.mark.parametrize("criterion", ["entropy", "random", "pairwise", "listwise"])
def test_a_third_child_is_for_squared_error_alone(forest, criterion, data):
    X, y, qid = data
    with pytest.raises(ValueError, match='missing="third" needs criterion="squared_error"'):
        forest(criterion=criterion, missing="third").fit(X, y, qid=qid)


def test_grades_beyond_what_a_leaf_holds_are_refused(data):
    X, _, qid = data
    grades = np.full(len(X), 200.0)
    with pytest.raises(ValueError, match=r"grades must be at most 127 .*; the largest is 200"):
        RandomForest(relevance="exp2").fit(X, grades, qid=qid)


@pytest.mark.parametrize("criterion", ["pairwise", "listwise"])
def test_criteria_on_queries_need_them_with_one_weight_each(criterion, data):
    X, y, qid = data
    forest = RandomForest(n_estimators=2, criterion=criterion)
    with pytest.raises(ValueError, match=f'criterion="{criterion}" learns from the documents of a'):
        forest.fit(X, y)
    weights = np.linspace(1.0, 2.0, len(X))
    with pytest.raises(ValueError, match=r"weights must be the same .* a split criterion ranks"):
        forest.fit(X, y, qid=qid, sample_weight=weights)
    forest.fit(X, y, qid=qid, sample_weight=1.0 + qid % 3)


@pytest.mark.parametrize("params", [{"criterion": "pairwise"}, {"criterion": "listwise"}])
def test_a_query_of_weight_two_counts_as_two_queries_of_the_same_documents(params, data):
    X, y, qid = data
    tree = RandomForest(n_estimators=1, bootstrap=False, max_features=None, max_depth=3, **params)
    often = np.concatenate([np.arange(len(X)), np.flatnonzero(qid < 5)])
    names = np.concatenate([qid, 100 + qid[qid < 5]])
    weights = np.where(qid < 5, 2.0, 1.0)
    weighted = tree.fit(X, y, qid=qid, sample_weight=weights).model_.feature_importances("gain")
    repeated = tree.fit(X[often], y[often], qid=names).model_.feature_importances("gain")
    np.testing.assert_allclose(repeated, weighted, rtol=1e-6)


@pytest.mark.parametrize("criterion", ["pairwise", "listwise"])
def test_every_document_gets_its_grade_where_one_feature_tells_grades_apart(criterion):
    X, y, qid = make_data(n_queries=6, seed=8)
    X[:, 2] = 2 * y + 1
    tree = RandomForest(n_estimators=1, bootstrap=False, max_features=None, criterion=criterion)
    np.testing.assert_allclose(tree.fit(X, y, qid=qid).predict(X), y)


def test_trees_weigh_their_expected_ndcg_on_held_out_queries(data):
    X, y, qid = data
    held_out = make_data(n_queries=8, seed=6)
    forest = RandomForest(n_estimators=4, max_depth=3)
    plain = forest.fit(X, y, qid=qid)
    trees = [plain[: k + 1].predict(X) * (k + 1) for k in range(4)]
    trees = np.diff(np.array([np.zeros(len(X)), *trees]), axis=0)
    on_held_out = [plain[: k + 1].predict(held_out[0]) * (k + 1) for k in range(4)]
    on_held_out = np.diff(np.array([np.zeros(len(held_out[0])), *on_held_out]), axis=0)
    metric = "ndcg(empty=0)"
    weights = [
        evaluate(held_out[1:], np.round(scores, 6), metric)[metric] for scores in on_held_out
    ]
    weighted = forest.set_params(tree_weights="expected_ndcg")
    weighted.fit(X, y, qid=qid, eval_set=held_out)
    expected = np.average(trees, axis=0, weights=weights)
    np.testing.assert_allclose(weighted.predict(X), expected, atol=1e-6)
    assert weighted.model_.n_rounds == 4


def test_weights_of_trees_need_held_out_queries(data):
    X, y, qid = data
    with pytest.raises(ValueError, match='tree_weights="expected_ndcg" needs eval_set'):
        RandomForest(tree_weights="expected_ndcg").fit(X, y, qid=qid)
    weighted = RandomForest(n_estimators=2, tree_weights="expected_ndcg")
    with pytest.raises(ValueError, match='boosting starts from has tree_weights="equal"'):
        IGBRT(n_estimators=2, forest=weighted).fit(X, y, qid=qid)


@pytest.mark.parametrize(
    "sample",
    [{}, {"bootstrap": False, "subsample": 0.5}, {"subsample": 0.5, "subsample_unit": "query"}],
)
def test_out_of_bag_scores_know_nothing_of_a_document_s_own_grade(sample, data):
    X, y, qid = data
    noise = np.random.default_rng(0).integers(0, 3, len(y))  # nothing can be learned
    forest = RandomForest(n_estimators=100, oob_score=True, **sample).fit(X, noise, qid=qid)
    assert np.corrcoef(forest.predict(X), noise)[0, 1] > 0.5
    assert abs(np.corrcoef(forest.oob_prediction_, noise)[0, 1]) < 0.25
    forest.fit(X, y, qid=qid)
    assert forest.oob_score_ == pytest.approx(
        evaluate((y, qid), forest.oob_prediction_, "ndcg@10(empty=0)")["ndcg@10(empty=0)"]
    )
    assert np.corrcoef(forest.oob_prediction_, y)[0, 1] > 0.4
    shuffled = np.random.default_rng(1).permutation(len(y))
    again = forest.oob_prediction_
    forest.fit(X[shuffled], y[shuffled], qid=qid[shuffled])
    np.testing.assert_array_equal(forest.oob_prediction_, again[shuffled])


def test_out_of_bag_scores_need_trees_that_leave_something_out(data):
    X, y, qid = data
    with pytest.raises(ValueError, match="oob_score needs trees that do not see all documents"):
        ExtraTrees(oob_score=True).fit(X, y, qid=qid)
    forest = RandomForest(n_estimators=1, oob_score=True).fit(X, y, qid=qid)
    assert np.isnan(forest.oob_prediction_).any()
    assert 0.0 < forest.oob_score_ < 1.0
    forest.set_params(oob_score=False).fit(X, y, qid=qid)
    assert not hasattr(forest, "oob_score_")


@pytest.mark.parametrize("weight", ["one", "difference"])
@pytest.mark.parametrize("n_grades", [2, 1000])
def test_a_query_of_many_weighted_documents_is_split_where_its_grades_change(weight, n_grades):
    n = 100_000  # at 95,000 the pairs of two grades, weighted, add up to more than 2^63
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_grades, n) / (n_grades - 1)
    X = np.column_stack([y + rng.normal(size=n) * 0.1, rng.normal(size=n)]).astype(np.float32)
    forest = RandomForest(
        n_estimators=1,
        criterion="pairwise",
        pair_weight=weight,
        max_depth=1,
        max_features=None,
        bootstrap=False,
    )
    trees = []
    for weights in (None, np.full(n, 0.999)):
        model = forest.fit(X, y, qid=np.zeros(n, int), sample_weight=weights).model_
        trees.append(model._ensemble.to_arrays()["members"][0]["groups"][0]["trees"][0])
    assert [tree["feature"][0] for tree in trees] == [0, 0]
    plain, weighted = (float(tree["threshold"][0]) for tree in trees)
    assert weighted == pytest.approx(plain, abs=0.02)
    assert weighted == pytest.approx(0.5, abs=0.2)
    assert trees[1]["gain"][0] == pytest.approx(0.999 * trees[0]["gain"][0], rel=1e-3)


@pytest.mark.parametrize(
    ("estimator", "factor", "message"),
    [
        (MART(), 1e307, "at most 3.4e38.* 2e\\+?307"),
        (RandomForest(), 1e307, "at most 3.4e38.* 2e\\+?307"),
        (RandomForest(criterion="listwise"), 1000, "2000.*at most 1023"),
        (LambdaMART(), 1000, "2000.*at most 1023"),
    ],
)
def test_grades_whose_trees_would_be_infinite_are_refused_with_their_value(
    estimator, factor, message, data
):
    X, y, qid = data
    with pytest.raises(ValueError, match=message):
        estimator.set_params(n_estimators=1).fit(X, y * factor, qid=qid)
