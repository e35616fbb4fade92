"""The estimators inside scikit-learn: conventions, search, cross-validation and pipelines."""

import numpy as np
import pytest
import sklearn
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RandomizedSearchCV,
    cross_val_predict,
    cross_validate,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rankforest import IGBRT, MART, ExtraTrees, LambdaMART, RandomForest, evaluate


class OneQuery:
    """Lets scikit-learn's checks, which know no queries, put all documents into one."""

    def fit(self, X, y=None, *, qid=None, group=None, sample_weight=None, eval_set=None):
        if qid is None and isinstance(self, LambdaMART):
            qid = one_query(X)
        return super().fit(X, y, qid=qid, sample_weight=sample_weight)

    def score(self, X, y=None, qid=None, sample_weight=None):
        return super().score(X, y, one_query(X) if qid is None else qid, sample_weight)


def one_query(X):
    return np.zeros(X.shape[0] if hasattr(X, "shape") else len(np.asarray(X)), dtype=np.int64)


class OneQueryRandomForest(OneQuery, RandomForest):
    pass


class OneQueryExtraTrees(OneQuery, ExtraTrees):
    pass


class OneQueryMART(OneQuery, MART):
    pass


class OneQueryIGBRT(OneQuery, IGBRT):
    pass


class OneQueryLambdaMART(OneQuery, LambdaMART):
    pass


SMALL = [
    OneQueryRandomForest(n_estimators=5),
    OneQueryExtraTrees(n_estimators=5),
    OneQueryMART(n_estimators=5),
    OneQueryIGBRT(n_estimators=5, forest=RandomForest(n_estimators=5)),
    OneQueryLambdaMART(n_estimators=5, min_samples_leaf=1),
]


#: Checks that fail, and why that is right.
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": (
        "a document of any weight counts as one for bootstraps, min_samples_leaf and thresholds"
    ),
    "check_sample_weight_equivalence_on_sparse_data": "as on dense data",
    "check_dtype_object": "what is no number is a ValueError that names its row and column",
}
OF_LAMBDAMART = {
    "check_fit2d_1sample": "one document makes no pair, and the error says so",
}


def expected_failed_checks(estimator):
    return EXPECTED_FAILURES | (OF_LAMBDAMART if isinstance(estimator, LambdaMART) else {})


@pytest.mark.filterwarnings("ignore:.*constant:UserWarning")
@parametrize_with_checks(SMALL, expected_failed_checks=expected_failed_checks)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def data():
    return make_data(n_queries=30)


@pytest.fixture(params=list(ESTIMATORS))
def estimator(request):
    return clone(ESTIMATORS[request.param])


def routed(estimator):
    return clone(estimator).set_fit_request(qid=True).set_score_request(qid=True)


def folds_by_hand(estimator, data, n_splits=3):
    X, y, qid = data
    for train, test in GroupKFold(n_splits).split(X, y, groups=qid):
        model = clone(estimator).fit(X[train], y[train], qid=qid[train])
        yield test, model


class TestCrossValidation:
    def test_scores_are_those_of_folds_by_hand(self, routing, estimator, data):
        X, y, qid = data
        result = cross_validate(
            routed(estimator), X, y, cv=GroupKFold(3), params={"qid": qid, "groups": qid}
        )
        expected = [m.score(X[t], y[t], qid[t]) for t, m in folds_by_hand(estimator, data)]
        assert result["test_score"].tolist() == expected

    def test_predictions_are_those_of_folds_by_hand(self, routing, estimator, data):
        X, y, qid = data
        scores = cross_val_predict(
            routed(estimator), X, y, cv=GroupKFold(3), params={"qid": qid, "groups": qid}
        )
        for test, model in folds_by_hand(estimator, data):
            np.testing.assert_array_equal(scores[test], model.predict(X[test]))

    def test_without_a_request_for_queries_the_error_names_the_way(self, routing, data):
        X, y, qid = data
        model = clone(ESTIMATORS["mart"]).set_fit_request(qid=True)
        with pytest.raises((ValueError, sklearn.exceptions.UnsetMetadataPassedError), match="qid"):
            cross_validate(
                model,
                X,
                y,
                cv=GroupKFold(3),
                params={"qid": qid, "groups": qid},
                error_score="raise",
            )

    def test_scorers_that_need_no_queries_work_without_routing(self, data):
        X, y, _ = data
        result = cross_validate(MART(n_estimators=5), X, y, scoring="r2", cv=3)
        assert (result["test_score"] > 0).all()


class TestSearch:
    def test_grid_search_finds_the_best_and_refits_it(self, routing, data):
        X, y, qid = data
        grid = {"max_leaf_nodes": [2, 7], "learning_rate": [0.01, 0.3]}
        model = LambdaMART(n_estimators=10, min_samples_leaf=2)
        search = GridSearchCV(routed(model), grid, cv=GroupKFold(3))
        search.fit(X, y, qid=qid, groups=qid)
        by_hand = {
            (leaves, rate): np.mean(
                [
                    m.score(X[t], y[t], qid[t])
                    for t, m in folds_by_hand(
                        clone(model).set_params(max_leaf_nodes=leaves, learning_rate=rate), data
                    )
                ]
            )
            for leaves in grid["max_leaf_nodes"]
            for rate in grid["learning_rate"]
        }
        found = {
            (p["max_leaf_nodes"], p["learning_rate"]): score
            for p, score in zip(
                search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
            )
        }
        assert found == pytest.approx(by_hand)
        best = clone(model).set_params(**search.best_params_).fit(X, y, qid=qid)
        assert search.best_estimator_.model_ == best.model_

    def test_the_inner_forest_is_searched_by_path(self, routing, data):
        X, y, qid = data
        model = IGBRT(n_estimators=3, forest=RandomForest(n_estimators=3))
        search = RandomizedSearchCV(
            routed(model),
            {"forest__max_depth": [1, 2, 3], "max_depth": [1, 2]},
            n_iter=3,
            cv=GroupKFold(3),
            random_state=0,
        ).fit(X, y, qid=qid, groups=qid)
        assert "forest__max_depth" in search.best_params_

    def test_search_in_processes_gives_the_same(self, routing, data):
        X, y, qid = data
        results = [
            GridSearchCV(
                routed(ESTIMATORS["lambdamart"]),
                {"max_depth": [1, 3]},
                cv=GroupKFold(3),
                n_jobs=n_jobs,
            )
            .fit(X, y, qid=qid, groups=qid)
            .cv_results_["mean_test_score"]
            .tolist()
            for n_jobs in (1, 2)
        ]
        assert results[0] == results[1]


class TestPipelines:
    def test_a_scaled_ranker_routes_queries_through(self, routing, data):
        X, y, qid = data
        pipeline = Pipeline([("scale", StandardScaler()), ("rank", routed(ESTIMATORS["mart"]))])
        pipeline.fit(X, y, qid=qid)
        alone = clone(ESTIMATORS["mart"]).fit(StandardScaler().fit_transform(X), y, qid=qid)
        np.testing.assert_array_equal(
            pipeline.predict(X), alone.predict(StandardScaler().fit_transform(X))
        )
        assert pipeline.score(X, y, qid=qid) == alone.score(
            StandardScaler().fit_transform(X), y, qid
        )

    def test_features_are_selected_by_importance(self, data):
        X, y, qid = data
        selector = SelectFromModel(RandomForest(n_estimators=20), max_features=2, threshold=-np.inf)
        assert selector.fit(X, y, qid=qid).get_support().tolist() == [True, True] + [False] * 3

    def test_a_ranker_stands_at_the_end_of_a_plain_pipeline(self, data):
        X, y, qid = data
        pipeline = make_pipeline(StandardScaler(), clone(ESTIMATORS["lambdamart"]))
        pipeline.fit(X, y, lambdamart__qid=qid)
        scores = pipeline.predict(X)
        assert evaluate((y, qid), scores, ["ndcg@10"])["ndcg@10"] > 0.5


class TestConventions:
    def test_a_clone_has_the_parameters_and_no_model(self, estimator, data):
        X, y, qid = data
        model = clone(estimator).fit(X, y, qid=qid)
        copy = clone(model)
        assert not hasattr(copy, "model_")
        assert {k: repr(v) for k, v in copy.get_params().items()} == {
            k: repr(v) for k, v in model.get_params().items()
        }

    def test_repr_shows_what_differs_from_the_defaults(self):
        assert repr(MART(max_depth=2, n_jobs=1)) == "MART(max_depth=2, n_jobs=1)"
        assert repr(IGBRT(forest=RandomForest())) == "IGBRT(forest=RandomForest())"

    def test_the_constructor_stores_anything_and_fit_refuses(self, data):
        X, y, qid = data
        model = MART(n_estimators="many")
        assert model.set_params(learning_rate=-1).learning_rate == -1
        with pytest.raises(ValueError, match="2 arguments"):
            model.fit(X, y, qid=qid)

    def test_parameters_are_keyword_only(self):
        with pytest.raises(TypeError):
            MART(100)

    def test_fit_leaves_parameters_and_data_as_they_were(self, estimator, data):
        X, y, qid = (a.copy() for a in data)
        before = {k: repr(v) for k, v in estimator.get_params().items()}
        estimator.fit(X, y, qid=qid)
        assert {k: repr(v) for k, v in estimator.get_params().items()} == before
        for array, original in zip((X, y, qid), data, strict=True):
            np.testing.assert_array_equal(array, original)
