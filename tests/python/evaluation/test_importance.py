"""What features are worth: impurity, permutation and out-of-bag importances."""

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone
from sklearn.inspection import permutation_importance as sklearn_permutation_importance
from sklearn.linear_model import LinearRegression

import rankforest
from rankforest import (
    Dataset,
    RandomForest,
    evaluate,
    out_of_bag_importance,
    permutation_importance,
)

NDCG = "ndcg@10(empty=0)"


@pytest.fixture(scope="module")
def train():
    """Features 0 and 1 decide the grades; the last is of the query."""
    return with_query_feature(*make_data(n_queries=30, seed=11))


@pytest.fixture(scope="module")
def test():
    return with_query_feature(*make_data(n_queries=30, seed=12))


def with_query_feature(X, y, qid):
    X[:, 4] = qid % 4
    return Dataset(X, y, qid=qid)


class First:
    """Scores by the first feature."""

    def predict(self, X):
        return X[:, 0]


def test_the_loss_is_that_of_the_metric_on_permuted_rows(test):
    found = permutation_importance(First(), test, n_repeats=4, metric="ndcg@3(empty=0)")
    assert found.baseline == evaluate(test, test.X[:, 0], found.metric)[found.metric]
    assert found.importances.shape == (5, 4)
    assert found.query_losses.shape == (5, 30)
    assert (found.importances[1:] == 0).all()
    assert (found.importances[0] > 0).all()
    np.testing.assert_allclose(found.query_losses.mean(axis=1), found.importances_mean)
    np.testing.assert_allclose(found.importances_std[0], np.std(found.importances[0]))


def test_a_metric_that_is_to_be_small_loses_where_it_grows(test):
    found = permutation_importance(First(), test, metric="rmse")
    assert found.importances_mean[0] > 0


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_features_that_decide_matter_most_to_any_estimator(name, train, test):
    model = clone(ESTIMATORS[name]).set_params(n_estimators=30).fit(train)
    for each in (model, model.model_):
        found = permutation_importance(each, test)
        assert set(np.argsort(found.importances_mean)[-2:]) == {0, 1}
    assert set(np.argsort(model.feature_importances_)[-2:]) == {0, 1}


def test_what_is_constant_in_queries_matters_only_across_them(train, test):
    y = train.y + train.X[:, 4]  # the feature of the query is all there is to a squared error
    model = RandomForest(n_estimators=20).fit(train.X, y, qid=train.qid)
    judged = (test.X, test.y + test.X[:, 4], test.qid)
    within = permutation_importance(model, judged, metric="rmse")
    across = permutation_importance(model, judged, metric="rmse", permute="data")
    assert within.importances_mean[4] == 0
    assert across.importances_mean[4] > 0.2


def test_across_all_documents_it_is_what_scikit_learn_measures(test):
    model = LinearRegression().fit(test.X, test.y)
    ours = permutation_importance(model, test, metric="rmse", permute="data", n_repeats=200)
    theirs = sklearn_permutation_importance(
        model, test.X, test.y, scoring="neg_root_mean_squared_error", n_repeats=200, random_state=0
    )
    np.testing.assert_allclose(ours.importances_mean, theirs.importances_mean, atol=0.01)
    np.testing.assert_allclose(ours.importances_std, theirs.importances_std, atol=0.01)


def test_neither_threads_nor_the_order_of_rows_change_a_bit(train, test):
    model = RandomForest(n_estimators=10).fit(train)
    order = np.random.default_rng(0).permutation(test.n_documents)
    shuffled = (test.X[order], test.y[order], test.qid[order])
    for permute in ("query", "data"):
        one, two, rows = (
            permutation_importance(model, data, permute=permute, n_jobs=n_jobs)
            for data, n_jobs in ((test, 1), (test, 2), (shuffled, 2))
        )
        np.testing.assert_array_equal(one.importances, two.importances)
        np.testing.assert_array_equal(one.importances, rows.importances)
        other = permutation_importance(model, test, permute=permute, random_state=1)
        assert (one.importances != other.importances).any()


def test_the_data_is_left_as_it_was(test):
    before = test.X.copy()
    permutation_importance(First(), test)
    np.testing.assert_array_equal(test.X, before)


CRITERIA = ["squared_error", "entropy", "pairwise", "listwise", "random"]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(
    "sample", [{}, {"bootstrap": False, "subsample": 0.6, "subsample_unit": "query"}]
)
def test_forests_by_any_criterion_have_importances(criterion, sample, train):
    forest = RandomForest(n_estimators=60, criterion=criterion, **sample).fit(train)
    assert forest.feature_importances_.sum() == pytest.approx(1.0)
    found = out_of_bag_importance(forest, train)
    assert found.importances.shape == (5, 60)
    assert set(np.argsort(found.importances_mean)[-2:]) == {0, 1}
    assert found.importances_mean[4] == 0
    if criterion != "random":
        assert set(np.argsort(forest.feature_importances_)[-2:]) == {0, 1}


def test_out_of_bag_importance_is_the_same_bits_from_a_file_and_any_number_of_threads(
    train, tmp_path
):
    forest = RandomForest(n_estimators=8, random_state=3).fit(train)
    forest.save(tmp_path / "model.rf")
    expected = out_of_bag_importance(forest, train, n_jobs=1)
    for other in (
        out_of_bag_importance(forest, train, n_jobs=3),
        out_of_bag_importance(rankforest.load(tmp_path / "model.rf"), train),
    ):
        np.testing.assert_array_equal(other.importances, expected.importances)
    part = out_of_bag_importance(forest[:5], train)
    np.testing.assert_array_equal(part.importances, expected.importances[:, :5])
    weighted = clone(forest).set_params(tree_weights="expected_ndcg")
    weighted.fit(train, eval_set=train.take(train.query_ids[::2]))
    again = out_of_bag_importance(weighted, train)
    np.testing.assert_array_equal(again.importances, expected.importances)


def test_trees_that_drew_all_documents_are_left_out(train):
    few = train.take(train.query_ids[:1])
    one = Dataset(few.X[:2], [0, 1], qid=[0, 0])
    forest = RandomForest(n_estimators=30).fit(one)
    found = out_of_bag_importance(forest, one)
    assert np.isnan(found.importances).any()
    assert not np.isnan(found.importances_mean).any()


def test_a_data_frame_has_the_largest_first(train, test):
    names = ["a", "b", "c", "d", "e"]
    named = Dataset(test.X, test.y, qid=test.qid, feature_names=names)
    model = RandomForest(n_estimators=20).fit(train)
    frame = permutation_importance(model, named).to_frame()
    assert list(frame.columns) == ["feature", "mean", "std"]
    assert set(frame["feature"][:2]) == {"a", "b"}
    assert frame["mean"].is_monotonic_decreasing
    assert permutation_importance(model, test).feature_names == ("0", "1", "2", "3", "4")


def test_all_unusable_arguments_are_named_at_once(test):
    with pytest.raises(ValueError, match="4 arguments are unusable") as error:
        permutation_importance(First(), test, metric="ndgc", permute="rows", n_repeats=0, n_jobs=0)
    for part in ("n_repeats must be an integer >= 1", 'permute must be "query" or "data"', "ndgc"):
        assert part in str(error.value)
    with pytest.raises(ValueError, match="model must have a method predict, got an int"):
        permutation_importance(3, test)
    with pytest.raises(ValueError, match=r"metric must be a spelling such as 'ndcg@10', a Metric"):
        permutation_importance(First(), test, metric=len)


def test_out_of_bag_importance_needs_a_forest_and_its_training_data(train, test):
    forest = RandomForest(n_estimators=3).fit(train)
    with pytest.raises(ValueError, match="needs the data that the forest was trained on"):
        out_of_bag_importance(forest, test)
    with pytest.raises(ValueError, match="needs the data that the forest was trained on"):
        out_of_bag_importance(forest.model_, train.take(train.query_ids[1:]))
    with pytest.raises(ValueError, match="needs a forest whose trees do not see all documents"):
        out_of_bag_importance(RandomForest(n_estimators=3, bootstrap=False).fit(train), train)
    with pytest.raises(
        ValueError, match="needs a RandomForest or ExtraTrees, got a model of 'mart'"
    ):
        out_of_bag_importance(rankforest.MART(n_estimators=2).fit(train), train)
    with pytest.raises(ValueError, match="needs a RandomForest or ExtraTrees, got a First"):
        out_of_bag_importance(First(), train)


def test_columns_of_a_frame_that_were_no_features_are_none_here(train):
    frame = train.to_frame(label="y", query="q")
    forest = RandomForest(n_estimators=3).fit(frame, y="y", qid="q")
    y, qid = frame["y"].to_numpy(), frame["q"].to_numpy()
    for importance in (out_of_bag_importance, permutation_importance):
        expected = importance(forest, (frame.drop(columns=["y", "q"]), y, qid)).importances
        for data in ((frame, "y", "q"), (frame, y, qid), (frame.drop(columns="q"), y, qid)):
            np.testing.assert_array_equal(importance(forest, data).importances, expected)


def test_out_of_bag_importance_names_columns_that_are_not_those_of_the_training(train):
    frame = train.to_frame(label="y", query="q")
    forest = RandomForest(n_estimators=3).fit(frame, y="y", qid="q")
    fewer = frame.drop(columns=train.feature_labels[0])
    with pytest.raises(ValueError, match=rf"(?s)now missing:.*{train.feature_labels[0]}"):
        out_of_bag_importance(forest, (fewer, "y", "q"))
