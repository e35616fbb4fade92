"""Evaluation sets, early stopping, callbacks, and metrics and objectives written in Python."""

import itertools
import os
import signal
import threading
import time

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

from rankforest import MART, CustomMetric, Dataset, LambdaMART, RandomForest, evaluate

BOOSTERS = ["mart", "igbrt", "lambdamart"]


@pytest.fixture(params=list(ESTIMATORS))
def estimator(request):
    return clone(ESTIMATORS[request.param])


@pytest.fixture(scope="module")
def train():
    X, y, qid = make_data()
    return Dataset(X, y, qid=qid)


@pytest.fixture(scope="module")
def valid():
    X, y, qid = make_data(n_queries=8, seed=1)
    return Dataset(X, y, qid=qid)


class TestEvaluationSets:
    def test_measuring_changes_no_model(self, estimator, train, valid):
        watched = clone(estimator).fit(train, eval_set=valid)
        assert watched.model_ == clone(estimator).fit(train).model_
        bare = clone(estimator).fit(train)
        assert (bare.history_, bare.history_rounds_) == ({}, [])

    def test_history_has_what_evaluate_says_of_each_prefix(self, estimator, train, valid):
        metrics = ["ndcg@5", "MAP(empty=0)"]  # kept as spelled
        model = estimator.set_params(metric=metrics, n_estimators=12)
        model.fit(train, eval_set={"train": train, "valid": valid})
        assert list(model.history_) == ["train", "valid"]
        for name, data in (("train", train), ("valid", valid)):
            stages = list(model.staged_predict(data))
            assert len(stages) == model.best_iteration_
            for metric in metrics:
                assert model.history_rounds_[-1] == len(stages)
                for round_, value in zip(
                    model.history_rounds_, model.history_[name][metric], strict=True
                ):
                    assert value == evaluate(data, stages[round_ - 1], metrics)[metric]

    def test_boosters_are_measured_every_round_and_forests_ever_more_seldom(self, train, valid):
        forest = RandomForest(n_estimators=30).fit(train, eval_set=valid)
        assert forest.history_rounds_ == [1, 2, 5, 10, 20, 30]
        mart = MART(n_estimators=4).fit(train, eval_set=valid)
        assert mart.history_rounds_ == [1, 2, 3, 4]
        assert len(mart.history_["valid"]["ndcg@10"]) == 4

    @pytest.mark.parametrize(
        ("form", "names"),
        [
            (lambda d, t: d, ["valid"]),
            (lambda d, t: t, ["valid"]),
            (lambda d, t: [d, t], ["valid_0", "valid_1"]),
            (lambda d, t: {"a": t, "b": d}, ["a", "b"]),
        ],
    )
    def test_sets_are_named_by_how_they_are_given(self, train, valid, form, names):
        arrays = (valid.X, valid.y, valid.qid)
        model = MART(n_estimators=3).fit(train, eval_set=form(valid, arrays))
        assert list(model.history_) == names
        values = [model.history_[name]["ndcg@10"] for name in names]
        assert all(v == values[0] for v in values)
        assert len(values[0]) == 3

    @pytest.mark.parametrize(
        "eval_set", [{}, [], (1, 2), 3, {1: None}, {"": None}, "valid", {"v": "x"}]
    )
    def test_other_forms_are_refused(self, train, eval_set):
        with pytest.raises(ValueError, match="eval_set"):
            MART(n_estimators=3).fit(train, eval_set=eval_set)

    def test_what_is_wrong_in_a_set_is_told_under_its_name(self, train, valid):
        with pytest.raises(ValueError, match=r"eval_set: 'second': .*79"):
            MART().fit(
                train, eval_set={"first": valid, "second": (valid.X, valid.y[:-1], valid.qid)}
            )
        with pytest.raises(ValueError, match=r"eval_set: 'valid': X has 3 features, .* 5 features"):
            MART().fit(train, eval_set=(valid.X[:, :3], valid.y, valid.qid))


class TestEarlyStopping:
    @pytest.mark.parametrize("algorithm", BOOSTERS)
    def test_the_first_best_round_is_kept(self, train, valid, algorithm):
        model = clone(ESTIMATORS[algorithm]).set_params(
            n_estimators=200, early_stopping_rounds=10, learning_rate=0.5
        )
        model.fit(train, eval_set=valid)
        values = model.history_["valid"]["ndcg@10"]
        rounds = model.history_rounds_
        best = rounds[int(np.argmax(values))]
        assert rounds[-1] < 200
        assert model.best_iteration_ == best == rounds[-1] - 10
        assert evaluate(valid, model.predict(valid), ["ndcg@10"])["ndcg@10"] == max(values)
        assert model.best_score_ == max(values)

    def test_a_metric_that_falls_is_minimised(self, train, valid):
        model = MART(n_estimators=300, metric=["rmse", "ndcg@10"], early_stopping_rounds=5)
        model.fit(train, eval_set=valid)
        values = model.history_["valid"]["rmse"]
        assert model.best_iteration_ == 1 + int(np.argmin(values)) < 300
        assert model.best_score_ == min(values)

    def test_it_needs_an_evaluation_set(self, train):
        with pytest.raises(ValueError, match="early_stopping_rounds needs eval_set"):
            MART(early_stopping_rounds=5).fit(train)


class TestCallbacks:
    @pytest.mark.parametrize("algorithm", ["mart", "lambdamart"])
    def test_each_round_of_boosting_is_reported(self, train, valid, algorithm):
        reports = []
        model = clone(ESTIMATORS[algorithm]).set_params(callbacks=reports.append)
        model.fit(train, eval_set=valid)
        assert [report["round"] for report in reports] == [1, 2, 3, 4, 5, 6, 7]
        assert {report["n_rounds"] for report in reports} == {7}
        values = [report["values"]["valid"]["ndcg@10"] for report in reports]
        assert values == model.history_["valid"]["ndcg@10"]

    def test_a_forest_reports_after_some_trees_and_the_last(self, train, valid):
        reports = []
        forest = RandomForest(n_estimators=50, callbacks=reports.append)
        forest.fit(train, eval_set=valid)
        rounds = [report["round"] for report in reports]
        assert rounds == sorted(set(rounds))
        assert rounds[-1] == 50
        assert reports[-1]["values"]["valid"]["ndcg@10"] == forest.history_["valid"]["ndcg@10"][-1]

    def test_true_ends_the_training(self, estimator, train):
        whole = clone(estimator).set_params(n_estimators=60).fit(train)
        rounds = []

        def stop(report):
            rounds.append(report["round"])
            return len(rounds) == 2

        stopped = clone(whole).set_params(callbacks=stop).fit(train)
        assert len(rounds) == 2
        assert stopped.best_iteration_ == rounds[-1] < whole.best_iteration_
        expected = whole[: rounds[-1]].predict(train)
        np.testing.assert_array_equal(stopped.predict(train), expected)

    def test_where_true_ends_a_forest_does_not_depend_on_the_threads(self, train):
        model = RandomForest(n_estimators=200, callbacks=lambda report: True)
        models = [clone(model).set_params(n_jobs=n_jobs).fit(train) for n_jobs in (1, 2, 5, 40)]
        assert {m.best_iteration_ for m in models} == {models[0].best_iteration_}

    def test_every_callback_is_called_though_one_stops(self, train):
        seen = []
        model = MART(n_estimators=5, callbacks=[lambda report: True, seen.append]).fit(train)
        assert len(seen) == 1
        assert model.best_iteration_ == 1

    def test_an_exception_comes_through(self, estimator, train):
        def fail(report):
            raise LookupError(f"round {report['round']}")

        with pytest.raises(LookupError, match=r"round \d"):
            estimator.set_params(callbacks=fail).fit(train)

    def test_other_threads_run_while_training(self, train):
        ticks = []
        done = threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(1)
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        try:
            RandomForest(n_estimators=300, n_jobs=1).fit(train)
        finally:
            done.set()
            thread.join()
        assert len(ticks) > 1

    @pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
    def test_ctrl_c_ends_a_long_training(self, estimator, train):
        model = estimator.set_params(n_estimators=1_000_000)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        # A process that a shell started in the background ignores the signal from its birth.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                model.fit(train)
        finally:
            timer.cancel()
            signal.signal(signal.SIGINT, before)
        assert not hasattr(model, "model_")


class TestCustomMetrics:
    def test_a_metric_gets_the_data_set_in_canonical_order(self, train, valid):
        calls = []

        def rmse(grades, scores, offsets):
            calls.append((grades, scores, offsets))
            return np.sqrt(np.mean((grades - scores) ** 2))

        metric = CustomMetric("mine", rmse, maximize=False)
        model = MART(n_estimators=4, metric=metric).fit(train, eval_set=valid)
        assert len(calls) == 4
        grades, scores, offsets = calls[-1]
        np.testing.assert_array_equal(offsets, np.arange(0, 81, 10))
        for q in range(8):
            of_query = grades[offsets[q] : offsets[q + 1]]
            assert sorted(of_query) in [sorted(valid.y[valid.qid == i]) for i in range(8)]
        np.testing.assert_array_equal(np.sort(scores), np.sort(model.predict(valid)))
        assert model.history_["valid"]["mine"][3] == rmse(grades, scores, offsets)

    def test_it_stops_training_like_the_same_metric_of_the_core(self, train, valid):
        def rmse(grades, scores, offsets):
            return np.sqrt(np.mean((grades - scores) ** 2))

        model = MART(n_estimators=300, early_stopping_rounds=5)
        core = clone(model).set_params(metric="rmse").fit(train, eval_set=valid)
        mine = clone(model).set_params(metric=CustomMetric("mine", rmse, maximize=False))
        mine.fit(train, eval_set=valid)
        assert mine.best_iteration_ == core.best_iteration_ < 300
        assert mine.history_["valid"]["mine"] == pytest.approx(core.history_["valid"]["rmse"])

    def test_lambdamart_weighs_pairs_by_the_first_metric_of_the_core(self, train, valid):
        zero = CustomMetric("zero", lambda grades, scores, offsets: 0.0)
        model = clone(ESTIMATORS["lambdamart"])
        by_map = clone(model).set_params(metric="map").fit(train).model_
        mixed = clone(model).set_params(metric=[zero, "map", "ndcg@10"]).fit(train).model_
        assert mixed == by_map
        assert by_map != clone(model).fit(train).model_
        with pytest.raises(ValueError, match="weigh pairs"):
            clone(model).set_params(metric=zero).fit(train)

    @pytest.mark.parametrize("value", [None, "0.5", np.nan, np.inf, [0.5]])
    def test_its_value_must_be_a_finite_number(self, train, valid, value):
        metric = CustomMetric("mine", lambda grades, scores, offsets: value)
        with pytest.raises(ValueError, match="'mine' must return a finite number"):
            MART(n_estimators=2, metric=metric).fit(train, eval_set=valid)

    @pytest.mark.parametrize("name", ["", 3])
    def test_it_has_a_name(self, name):
        with pytest.raises(ValueError, match="name must be a non-empty string"):
            CustomMetric(name, len)

    def test_it_has_a_function(self):
        with pytest.raises(TypeError, match="function must be callable"):
            CustomMetric("mine", None)

    def test_two_metrics_of_one_name_are_refused(self, train, valid):
        with pytest.raises(ValueError, match="twice"):
            MART(metric=["ndcg@10", "ndcg@10"]).fit(train, eval_set=valid)


def squared_error(grades, scores, offsets, rows):
    return scores - grades, np.ones_like(scores)


class TestCustomObjectives:
    @pytest.mark.parametrize("subsample", [1.0, 0.5])
    def test_squared_error_in_python_is_mart(self, train, subsample):
        model = MART(n_estimators=10, init="zero", subsample=subsample, subsample_unit="query")
        mine = clone(model).set_params(objective=squared_error).fit(train)
        np.testing.assert_array_equal(mine.predict(train), clone(model).fit(train).predict(train))

    @pytest.mark.parametrize("algorithm", ["mart", "lambdamart"])
    def test_it_gets_whole_queries_with_the_rows_of_the_caller(self, train, algorithm):
        calls = []

        def objective(grades, scores, offsets, rows):
            calls.append((grades.copy(), scores.copy(), offsets.copy(), rows.copy()))
            scores[:] = 0.0
            grades[:] = 0.0  # copies: the data stays what it is
            return np.zeros(len(rows)), np.ones(len(rows))

        model = clone(ESTIMATORS[algorithm])
        model.set_params(objective=objective, subsample=0.5, subsample_unit="query")
        with pytest.warns(UserWarning, match="constant"):
            model.fit(train)
        assert len(calls) == 7
        for grades, _, offsets, rows in calls:
            assert len(offsets) == 7  # half of the 12 queries
            np.testing.assert_array_equal(grades, train.y[rows])
            for a, b in itertools.pairwise(offsets):
                query = train.qid[rows[a]]
                assert set(rows[a:b]) == set(np.flatnonzero(train.qid == query))
        assert any((a[3][:10] != calls[0][3][:10]).any() for a in calls)

    def test_it_needs_no_pairs(self):
        X, _, qid = make_data()
        y = np.ones(len(X))
        model = LambdaMART(n_estimators=2, min_samples_leaf=1, objective=squared_error)
        with pytest.warns(UserWarning, match="constant"):
            assert (model.fit(X, y, qid=qid).predict(X) > 0).all()

    @pytest.mark.parametrize(
        ("answer", "complaint"),
        [
            (lambda n: None, "must return .gradients, hessians."),
            (lambda n: (np.zeros(n),), "must return .gradients, hessians."),
            (lambda n: (np.zeros(n - 1), np.ones(n)), r"gradients of shape \(120,\)"),
            (lambda n: (np.zeros(n), 1.0), r"hessians of shape \(120,\)"),
            (lambda n: (np.zeros((n, 1)), np.ones(n)), r"gradients of shape \(120,\)"),
            (lambda n: (np.full(n, np.nan), np.ones(n)), "finite gradients"),
            (lambda n: (np.zeros(n), np.full(n, np.inf)), "finite hessians"),
            (lambda n: (np.zeros(n), np.full(n, -1.0)), "hessians >= 0"),
            (lambda n: (["x"] * n, np.ones(n)), "numbers as gradients"),
        ],
    )
    def test_a_wrong_answer_is_explained(self, train, answer, complaint):
        model = LambdaMART(objective=lambda g, s, o, rows: answer(len(rows)))
        with pytest.raises(ValueError, match=f"objective must return.*{complaint}|{complaint}"):
            model.fit(train)

    def test_an_exception_comes_through(self, train):
        def fail(grades, scores, offsets, rows):
            raise LookupError("no such table")

        with pytest.raises(LookupError, match="no such table"):
            MART(objective=fail, subsample_unit="query").fit(train)

    @pytest.mark.parametrize(
        "old",
        [
            lambda scores, grades, offsets, rows: None,
            lambda preds, labels, offsets, rows: None,
            lambda y_pred, y_true, *rest: None,
            lambda s, y, o, r: None,
        ],
    )
    def test_scores_before_grades_are_refused_by_the_names_of_the_parameters(self, train, old):
        order = r"objective is called with \(grades, scores, offsets, rows\), grades first"
        with pytest.raises(ValueError, match=order):
            LambdaMART(objective=old).fit(train)
        with pytest.raises(
            ValueError, match=r"function is called with \(grades, scores, offsets\)"
        ):
            CustomMetric("mine", old)

    def test_functions_whose_signature_is_unknown_are_called_with_grades_first(self, train):
        class Recorder:
            def __call__(self, *arguments):
                self.first = arguments[0]
                return squared_error(*arguments)

        recorder = Recorder()
        MART(n_estimators=1, objective=recorder).fit(train)
        assert sorted(recorder.first) == sorted(train.y)

    def test_parts_of_queries_are_refused(self, train):
        with pytest.raises(ValueError, match='subsample_unit="query"'):
            MART(objective=squared_error, subsample=0.5).fit(train)
