"""Data frames whose columns hold queries, grades and weights beside the features."""

import numpy as np
import pandas as pd
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

from rankforest import MART, Dataset, LambdaMART, evaluate

NAMES = list("abcde")


def make_frame(**options):
    """Five features, and columns "query", "grade" and "w" in between."""
    X, y, qid = make_data(**options)
    frame = pd.DataFrame(X, columns=NAMES)
    frame.insert(2, "query", [f"q{i}" for i in qid])
    frame.insert(0, "grade", y)
    frame["w"] = np.random.default_rng(9).random(len(y)) + 0.1
    return frame


@pytest.fixture(scope="module")
def frame():
    return make_frame()


@pytest.fixture(scope="module")
def other():
    return make_frame(n_queries=6, seed=1)


@pytest.fixture(params=["pandas", "polars", "pyarrow"])
def library(request):
    return pytest.importorskip(request.param)


def in_library(library, frame):
    if library.__name__ == "pandas":
        return frame
    if library.__name__ == "polars":
        return library.from_pandas(frame)
    return library.Table.from_pandas(frame, preserve_index=False)


def by_arrays(estimator, frame, **arguments):
    return clone(estimator).fit(
        frame[NAMES], frame["grade"], qid=frame["query"].to_numpy(), **arguments
    )


class TestNames:
    @pytest.mark.parametrize("algorithm", ESTIMATORS)
    def test_named_columns_are_no_features(self, frame, library, algorithm):
        estimator = clone(ESTIMATORS[algorithm])
        given = in_library(library, frame.drop(columns="w"))
        model = estimator.fit(given, y="grade", qid="query")
        assert model.model_ == by_arrays(ESTIMATORS[algorithm], frame).model_
        assert model.feature_names_in_.tolist() == NAMES
        np.testing.assert_array_equal(model.predict(given), model.predict(frame[NAMES]))

    def test_weights_may_be_a_column_too(self, frame, library):
        model = MART(n_estimators=3).fit(
            in_library(library, frame), y="grade", qid="query", sample_weight="w"
        )
        weights = frame["w"].to_numpy()
        assert model.model_ == by_arrays(MART(n_estimators=3), frame, sample_weight=weights).model_
        assert (model.frame_columns_.y, model.frame_columns_.qid) == ("grade", "query")
        assert model.frame_columns_.sample_weight == "w"

    def test_arrays_beside_named_columns(self, frame):
        features = frame.drop(columns=["grade", "w"])
        model = MART(n_estimators=3).fit(features, frame["grade"], qid="query")
        assert model.model_ == by_arrays(MART(n_estimators=3), frame).model_

    def test_scores_need_no_column_taken_out_or_all_of_them(self, frame, other, library):
        given = in_library(library, other)
        model = MART(n_estimators=3).fit(frame, y="grade", qid="query", sample_weight="w")
        expected = model.predict(other[NAMES])
        for some in ([*NAMES, "query"], ["w", *NAMES], [*NAMES, "grade", "w", "query"]):
            part = in_library(library, other[some])
            np.testing.assert_array_equal(model.predict(part), expected)
            *_, last = model.staged_predict(part)
            np.testing.assert_array_equal(last, expected)
        y, qid, w = (other[name].to_numpy() for name in ("grade", "query", "w"))
        weighted = evaluate((y, qid, w), expected, "ndcg@10")["ndcg@10"]
        assert model.score(given) == model.score(given, y) == weighted
        plain = evaluate((y, qid), expected, "ndcg@10")["ndcg@10"]
        assert model.score(in_library(library, other.drop(columns="w"))) == plain != weighted
        assert model.score(other[NAMES], y, qid) == plain
        with pytest.raises(ValueError, match="unseen at fit time:\n- x"):
            model.predict(other.assign(x=1.0))

    def test_score_takes_names_of_its_own(self, frame, other):
        model = by_arrays(MART(n_estimators=3), frame)
        assert model.frame_columns_ is None
        expected = evaluate(
            (other["grade"], other["query"].to_numpy()), model.predict(other[NAMES]), "ndcg@10"
        )["ndcg@10"]
        assert model.score(other.drop(columns="w"), y="grade", qid="query") == expected

    def test_evaluation_sets_have_the_same_columns(self, frame, other):
        model = MART(n_estimators=3)
        model.fit(frame, y="grade", qid="query", sample_weight="w", eval_set={"a": other})
        score = model.score(other)
        assert model.best_score_ == score
        features, y = other.drop(columns="grade"), other["grade"]
        for form in ([other], [(other, "grade")], [(features, y)], other, (features, y)):
            assert clone(model).fit(
                frame, y="grade", qid="query", sample_weight="w", eval_set=form
            ).best_score_ == pytest.approx(score)
        X = other[NAMES].to_numpy()
        whole = (X, y, other["query"].to_numpy(), other["w"].to_numpy())
        assert model.fit(frame, y="grade", qid="query", sample_weight="w", eval_set=whole)
        assert model.best_score_ == score


class TestQueryColumn:
    def test_a_column_called_qid_has_the_queries_where_nothing_else_says_so(self, frame, library):
        named = in_library(library, frame[[*NAMES, "query"]].rename(columns={"query": "qid"}))
        model = LambdaMART(n_estimators=3, min_samples_leaf=2).fit(named, frame["grade"])
        expected = by_arrays(LambdaMART(n_estimators=3, min_samples_leaf=2), frame)
        assert model.model_ == expected.model_
        assert model.frame_columns_.qid == "qid"

    def test_a_column_called_qid_stays_a_feature_beside_queries_with_a_warning(self, frame):
        named = frame[NAMES].assign(qid=1.0)
        with pytest.warns(UserWarning, match="a column 'qid', which is trained on as a feature"):
            model = MART(n_estimators=3).fit(named, frame["grade"], group=[10] * 12)
        assert model.feature_names_in_.tolist() == [*NAMES, "qid"]
        model.predict(named)

    def test_qid_column_names_another(self, frame, other):
        model = LambdaMART(n_estimators=3, min_samples_leaf=2, qid_column="query")
        model.fit(frame.drop(columns=["grade", "w"]), frame["grade"])
        assert model.feature_names_in_.tolist() == NAMES
        scores = model.predict(other[[*NAMES, "query"]])
        assert (
            model.score(other.drop(columns=["grade", "w"]), other["grade"])
            == evaluate((other["grade"], other["query"].to_numpy()), scores, "ndcg@10")["ndcg@10"]
        )

    def test_qid_column_is_no_feature_beside_queries_given_otherwise(self, frame):
        features = frame.drop(columns=["grade", "w"])
        model = MART(n_estimators=3, qid_column="query")
        model.fit(features, frame["grade"], group=[10] * 12)
        assert model.model_ == by_arrays(MART(n_estimators=3), frame).model_

    def test_arrays_with_queries_and_data_sets_need_no_such_column(self, frame):
        model = MART(n_estimators=3, qid_column="query")
        model.fit(frame[NAMES].to_numpy(), frame["grade"], qid=frame["query"].to_numpy())
        assert model.frame_columns_ is None


class TestErrors:
    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (
                {"y": "grade", "qid": "id"},
                "qid='id' is no column.*; the columns are 'grade', 'a', 'b'",
            ),
            ({"y": "g", "qid": "query"}, "y='g' is no column"),
            ({"y": "grade", "qid": "grade"}, "column 'grade' cannot be both y and qid"),
            (
                {"y": "grade", "qid": "query", "sample_weight": "x"},
                "sample_weight='x' is no column",
            ),
        ],
    )
    def test_columns_that_are_not_there(self, frame, arguments, complaint):
        with pytest.raises(ValueError, match=complaint):
            MART().fit(frame, **arguments)

    def test_names_need_a_data_frame(self, frame):
        X = frame[NAMES].to_numpy()
        with pytest.raises(ValueError, match="qid='query': names of columns need a data frame"):
            MART().fit(X, frame["grade"], qid="query")
        with pytest.raises(ValueError, match="qid_column='query': names of columns need a data"):
            MART(qid_column="query").fit(X, frame["grade"])
        with pytest.raises(ValueError, match="qid_column='query' is no column"):
            MART(qid_column="query").fit(frame[NAMES], frame["grade"])
        with pytest.raises(ValueError, match="qid_column must be the name of a column or None"):
            MART(qid_column=3).fit(X, frame["grade"])

    def test_missing_queries_are_told_with_their_place(self, frame):
        holes = frame.drop(columns="w")
        holes.loc[3, "query"] = None
        with pytest.raises(
            ValueError, match=r"qid: column 'query' must have a value in each row; row 3 "
        ):
            MART().fit(holes, y="grade", qid="query")

    def test_score_without_queries_names_the_ways(self, frame):
        model = by_arrays(MART(n_estimators=2), frame)
        with pytest.raises(ValueError, match=r"qid_column names that of the queries.*routing"):
            model.score(frame[NAMES], frame["grade"])


class TestSearch:
    """Without metadata routing: the frame carries the queries."""

    @pytest.fixture
    def data(self):
        frame = make_frame(n_queries=30)
        return frame.drop(columns=["grade", "w"]), frame["grade"]

    def test_grid_search_is_the_search_by_hand(self, data):
        X, y = data
        grid = {"max_leaf_nodes": [2, 7], "learning_rate": [0.01, 0.3]}
        model = LambdaMART(n_estimators=10, min_samples_leaf=2, qid_column="query")
        search = GridSearchCV(model, grid, cv=GroupKFold(3)).fit(X, y, groups=X["query"])
        results = zip(
            search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
        )
        for parameters, score in results:
            by_hand = []
            for train, test in GroupKFold(3).split(X, y, X["query"]):
                qid = X["query"].to_numpy()
                fold = LambdaMART(n_estimators=10, min_samples_leaf=2, **parameters)
                fold.fit(X[NAMES].iloc[train], y.iloc[train], qid=qid[train])
                scores = fold.predict(X[NAMES].iloc[test])
                judged = (y.iloc[test], qid[test])
                by_hand.append(evaluate(judged, scores, "ndcg@10")["ndcg@10"])
            assert score == pytest.approx(np.mean(by_hand), abs=1e-12)
        assert search.best_score_ == max(search.cv_results_["mean_test_score"])
        assert search.best_estimator_.feature_names_in_.tolist() == NAMES
        assert search.predict(X).shape == (300,)

    def test_a_metric_that_falls_is_searched_for_its_least_value(self, data):
        X, y = data
        search = GridSearchCV(
            MART(n_estimators=10, metric="rmse", qid_column="query"),
            {"learning_rate": [1e-9, 0.3]},
            cv=GroupKFold(3),
        ).fit(X, y, groups=X["query"])
        assert search.best_params_ == {"learning_rate": 0.3}
        assert (search.cv_results_["mean_test_score"] < 0).all()

    def test_cross_validation_takes_a_column_called_qid(self, data):
        X, y = data
        X = X.rename(columns={"query": "qid"})
        model = LambdaMART(n_estimators=5, min_samples_leaf=2)
        scores = cross_val_score(model, X, y, cv=GroupKFold(3), groups=X["qid"])
        assert (scores > 0.5).all()


def test_columns_in_another_order_are_refused_with_what_orders_them(frame):
    ranker = LambdaMART(n_estimators=2).fit(frame, "grade", qid="query")
    turned = frame[frame.columns[::-1]]
    features = turned[[*reversed(NAMES), "w"]]
    message = r"same order as they were in fit\.\n.*X\[names\] .* features=names .*from_frame"
    for call in (
        lambda: ranker.predict(features),
        lambda: LambdaMART(n_estimators=2).fit(frame, "grade", qid="query", eval_set=turned),
        lambda: LambdaMART(n_estimators=2).fit(turned, "grade", qid="query", init_model=ranker),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    names = list(ranker.feature_names_in_)
    assert list(ranker.model_.feature_names) == names
    expected = ranker.predict(frame)
    assert (ranker.model_.predict(features) == expected).all()  # a model takes them by name
    assert (ranker.predict(features[names]) == expected).all()
    chosen = Dataset.from_frame(turned, label="grade", query="query", features=names)
    assert (ranker.predict(chosen) == expected).all()
