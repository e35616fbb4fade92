"""Which set decides when training ends, what counts as better, and what is reported."""

import itertools

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

from rankforest import MART, CustomMetric, Dataset, LambdaMART, RandomForest, _core, evaluate

BOOSTERS = ["mart", "igbrt", "lambdamart"]


@pytest.fixture(scope="module")
def train():
    X, y, qid = make_data(n_queries=30)
    return Dataset(X, y, qid=qid)


@pytest.fixture(scope="module")
def valid():
    X, y, qid = make_data(n_queries=12, seed=1)
    return Dataset(X, y, qid=qid)


@pytest.fixture(scope="module")
def test():
    X, y, qid = make_data(n_queries=9, seed=2)
    return Dataset(X, y, qid=qid)


def stopping(**parameters):
    return MART(n_estimators=300, metric="rmse", early_stopping_rounds=5, **parameters)


class TestDecidingSet:
    def test_the_training_data_never_decides_where_there_is_another_set(self, train, valid):
        alone = stopping().fit(train, eval_set=valid)
        assert alone.best_iteration_ < 200
        for sets in ([train, valid], [valid, train], [train, valid, train]):
            model = stopping().fit(train, eval_set=sets)
            assert sets[int(model.deciding_set_.removeprefix("valid_"))] is valid
            assert model.model_ == alone.model_
            assert model.best_score_ == alone.best_score_

    @pytest.mark.parametrize("algorithm", BOOSTERS)
    def test_the_last_of_several_decides(self, train, valid, test, algorithm):
        sets = {"train": train, "valid": valid, "test": test}
        estimator = clone(ESTIMATORS[algorithm]).set_params(
            n_estimators=60, early_stopping_rounds=4
        )
        for order in itertools.permutations(sets):
            model = clone(estimator).fit(train, eval_set={name: sets[name] for name in order})
            wanted = [name for name in order if name != "train"][-1]
            assert model.deciding_set_ == wanted
            assert model.model_ == clone(estimator).fit(train, eval_set=sets[wanted]).model_

    def test_a_set_can_be_named_the_training_data_among_them(self, train, valid, test):
        sets = {"train": train, "valid": valid, "test": test}
        for name in ("valid", "test"):
            model = stopping(early_stopping_set=name).fit(train, eval_set=sets)
            assert model.deciding_set_ == name
            assert model.model_ == stopping().fit(train, eval_set=sets[name]).model_
        with pytest.warns(UserWarning, match="MART: early stopping goes by 'train', which is the"):
            on_train = stopping(early_stopping_set="train").fit(train, eval_set=sets)
        assert on_train.best_iteration_ > model.best_iteration_

    def test_a_name_that_no_set_has_is_refused_with_those_there_are(self, train, valid):
        model = stopping(early_stopping_set="test")
        with pytest.raises(ValueError, match="'test' is no evaluation set; there are 'a', 'b'"):
            model.fit(train, eval_set={"a": valid, "b": train})
        with pytest.raises(ValueError, match="'test' is no evaluation set; there are none"):
            MART(early_stopping_set="test").fit(train)
        with pytest.raises(ValueError, match="early_stopping_set must be the name of"):
            MART(early_stopping_set=3).fit(train, eval_set=valid)

    def test_the_training_data_alone_is_warned_of_in_every_form(self, train):
        X, y, qid = train.X, train.y, train.qid
        order = np.random.default_rng(0).permutation(len(y))
        forms = [
            train,
            (X, y, qid),
            (X.astype(np.float64), y, [f"q{i}" for i in qid]),
            (X[order], y[order], qid[order]),
            (X, y, qid, np.linspace(0.5, 1.5, 30)),
        ]
        for form in forms:
            with pytest.warns(UserWarning, match="'valid', which is the training data"):
                stopping(n_jobs=1).fit(train, eval_set=form)

    def test_other_documents_of_the_same_grades_are_no_training_data(self, train, valid):
        X = train.X.copy()
        X[-1, -1] += 1
        near = (X, train.y, train.qid)
        model = stopping().fit(train, eval_set=[near, train])
        assert model.deciding_set_ == "valid_0"
        parts = [train.take(train.query_ids[:20]), train]
        assert stopping().fit(train, eval_set=parts).deciding_set_ == "valid_0"

    def test_the_core_refuses_a_position_that_no_set_has(self, train, valid):
        settings = {"n_estimators": 1, "early_stopping_rounds": 1}
        with pytest.raises(ValueError, match="stopping_watch must be the position of one of the 1"):
            _core.train(
                "mart",
                train._core,
                settings,
                seed=0,
                n_jobs=1,
                watches=[("valid", valid._core, [_core.Metric.parse("rmse")])],
                stopping_watch=1,
                observer=None,
                objective=None,
            )

    def test_nothing_is_warned_of_where_nothing_is_decided(self, train, recwarn):
        MART(n_estimators=3).fit(train, eval_set=train)
        assert not recwarn.list

    def test_trees_weighed_on_the_training_data_are_warned_of(self, train):
        forest = RandomForest(n_estimators=3, tree_weights="expected_ndcg")
        with pytest.warns(UserWarning, match="RandomForest: tree_weights goes by 'valid', which"):
            forest.fit(train, eval_set=train)


class TestMinDelta:
    """Checked on scripts of values, one for each round."""

    @staticmethod
    def follow(train, values, *, maximize=True, **parameters):
        script = iter(values)
        metric = CustomMetric("script", lambda y, s, o: next(script), maximize=maximize)
        model = MART(n_estimators=len(values), metric=metric, **parameters)
        return model.fit(train, eval_set=[(train.X[:20], train.y[:20], train.qid[:20])])

    @pytest.mark.parametrize(
        ("values", "parameters", "kept", "trained"),
        [
            ([1, 1.5, 2, 2.5, 3.5, 3.5, 3], {"min_delta": 1.0}, 4, 7),
            ([1, 1.5, 2, 2, 9], {"min_delta": 1.0}, 1, 4),
            ([5, 4.5, 4, 3.5, 3, 3, 3], {"min_delta": 1.0, "maximize": False}, 4, 7),
            ([1, 1, 1.25, 1], {"min_delta": 0.25}, 1, 4),
            ([1, 1, 1.25, 1], {"min_delta": 0.0}, 3, 4),
        ],
    )
    def test_better_means_by_more_than_it(self, train, values, parameters, kept, trained):
        model = self.follow(train, values, early_stopping_rounds=3, **parameters)
        assert model.best_iteration_ == kept
        assert len(model.history_rounds_) == trained
        assert model.best_score_ == values[kept - 1]

    def test_it_is_no_setting_of_a_model_that_does_not_stop(self, train, valid):
        a, b = (MART(n_estimators=5, min_delta=d).fit(train, eval_set=valid) for d in (0.0, 9.0))
        np.testing.assert_array_equal(a.predict(valid), b.predict(valid))

    @pytest.mark.parametrize("value", [-1e-9, np.nan, np.inf, "0"])
    def test_it_is_a_number_from_0_on(self, train, value):
        with pytest.raises(ValueError, match="min_delta must be >= 0, got"):
            MART(min_delta=value).fit(train)


class TestBestScore:
    def test_it_is_what_evaluate_says_of_the_kept_rounds(self, train, valid):
        for algorithm, estimator in ESTIMATORS.items():
            model = clone(estimator).set_params(metric=["map", "ndcg@3"])
            model.fit(train, eval_set=[train, valid])
            assert model.best_score_ == evaluate(valid, model, "map")["map"], algorithm

    def test_it_is_absent_where_nothing_was_measured(self, train, valid):
        assert not hasattr(MART(), "best_score_")
        assert not hasattr(MART(n_estimators=2).fit(train), "best_score_")
        forest = RandomForest(n_estimators=10).fit(train, eval_set=valid)
        assert forest[:5].best_score_ == forest.history_["valid"]["ndcg@10"][2]
        assert not hasattr(forest[:7], "best_score_")


class TestValidationFraction:
    def test_it_is_a_split_by_query_and_the_set_validation(self, train):
        model = stopping(validation_fraction=0.3, random_state=4).fit(train)
        kept, held_out = train.train_test_split(0.3, random_state=4)
        by_hand = stopping(random_state=4).fit(kept, eval_set={"validation": held_out})
        assert model.model_ == by_hand.model_
        assert model.history_ == by_hand.history_
        assert model.deciding_set_ == "validation"
        assert model.best_score_ == by_hand.best_score_

    def test_the_order_of_rows_and_the_form_of_the_data_do_not_matter(self, train):
        order = np.random.default_rng(3).permutation(train.n_documents)
        model = stopping(validation_fraction=0.3).fit(train)
        shuffled = stopping(validation_fraction=0.3).fit(
            train.X[order], train.y[order], qid=train.qid[order]
        )
        assert shuffled.model_ == model.model_

    def test_an_eval_set_comes_first(self, train, valid):
        model = stopping(validation_fraction=0.3).fit(train, eval_set=valid)
        assert model.model_ == stopping().fit(train, eval_set=valid).model_
        assert list(model.history_) == ["valid"]

    def test_objectives_get_the_rows_of_the_caller(self, train):
        seen = []

        def objective(grades, scores, offsets, rows):
            np.testing.assert_array_equal(grades, train.y[rows])
            seen.append(set(rows.tolist()))
            return scores - grades, np.ones_like(scores)

        model = MART(n_estimators=2, objective=objective, validation_fraction=0.5).fit(train)
        held_out = train.n_documents - len(seen[0])
        assert held_out == 150
        assert max(seen[0]) >= 150
        assert model.best_iteration_ == 2

    def test_scores_out_of_bag_are_where_the_caller_has_the_documents(self, train):
        forest = RandomForest(
            n_estimators=30, max_features=2, oob_score=True, validation_fraction=0.4
        ).fit(train)
        kept, held_out = train.train_test_split(0.4)
        alone = RandomForest(n_estimators=30, max_features=2, oob_score=True).fit(kept)
        in_kept = np.isin(train.qid, kept.query_ids)
        np.testing.assert_array_equal(forest.oob_prediction_[in_kept], alone.oob_prediction_)
        assert np.isnan(forest.oob_prediction_[~in_kept]).all()
        assert forest.oob_score_ == alone.oob_score_
        assert held_out.n_documents == (~in_kept).sum()

    def test_growing_goes_on_with_the_same_split(self, train):
        model = MART(n_estimators=4, validation_fraction=0.3, warm_start=True).fit(train)
        model.set_params(n_estimators=9).fit(train)
        assert model.model_ == MART(n_estimators=9, validation_fraction=0.3).fit(train).model_

    def test_one_query_cannot_be_divided(self, train):
        with pytest.raises(ValueError, match="validation_fraction holds out whole queries, and"):
            MART(validation_fraction=0.5).fit(train.X, train.y)

    @pytest.mark.parametrize("value", [0, 1, 1.0, -0.5, "0.2", True])
    def test_it_is_a_share(self, train, value):
        with pytest.raises(ValueError, match=r"validation_fraction must be in \(0, 1\) or None"):
            MART(validation_fraction=value).fit(train)
        with pytest.raises(ValueError, match="validation_fraction must be") as raised:
            MART(validation_fraction=value, early_stopping_rounds=5).fit(train)
        assert "needs eval_set" not in str(raised.value)

    def test_an_unusable_eval_set_is_not_called_missing(self, train):
        with pytest.raises(ValueError, match="eval_set must hold at least one set") as raised:
            MART(early_stopping_rounds=5).fit(train, eval_set=[])
        assert "needs eval_set" not in str(raised.value)


class TestVerbose:
    def test_by_default_nothing_is_printed(self, capsys, train, valid):
        LambdaMART(n_estimators=5).fit(train, eval_set=valid)
        assert capsys.readouterr() == ("", "")

    def test_a_line_every_so_many_rounds_and_after_the_last(self, capsys, train, valid):
        model = MART(n_estimators=7, verbose=3, metric=["ndcg@10", "rmse"])
        model.fit(train, eval_set=valid)
        lines = capsys.readouterr().out.splitlines()
        assert [line.partition(":")[0] for line in lines] == [f"round {n} of 7" for n in (3, 6, 7)]
        ndcg, rmse = (model.history_["valid"][metric][2] for metric in ("ndcg@10", "rmse"))
        assert lines[0] == f"round 3 of 7: valid ndcg@10 {ndcg:.6g}, valid rmse {rmse:.6g}"

    def test_fit_overrules_it(self, capsys, train):
        model = MART(n_estimators=3, verbose=1)
        model.fit(train, verbose=False)
        assert capsys.readouterr().out == ""
        model.set_params(verbose=0).fit(train, verbose=True)
        out = capsys.readouterr().out
        assert out == "round 1 of 3\nround 2 of 3\nround 3 of 3\n"

    def test_an_early_end_is_told(self, capsys, train, valid):
        model = stopping(verbose=1000).fit(train, eval_set=valid)
        kept = model.best_iteration_
        assert capsys.readouterr().out == f"stopped early: MART keeps {kept} rounds\n"

    def test_printing_changes_no_model_and_leaves_callbacks_alone(self, capsys, train, valid):
        reports = []
        loud = RandomForest(n_estimators=20, verbose=5, callbacks=reports.append)
        loud.fit(train, eval_set=valid)
        assert loud.model_ == RandomForest(n_estimators=20).fit(train).model_
        assert capsys.readouterr().out.splitlines()[-1].startswith("round 20 of 20: valid ndcg@10")
        assert reports[-1]["round"] == 20

    @pytest.mark.parametrize("value", [-1, 1.5, "yes"])
    def test_it_is_a_number_of_rounds(self, train, value):
        for fit in (lambda v: MART(verbose=v).fit(train), lambda v: MART().fit(train, verbose=v)):
            with pytest.raises(ValueError, match="verbose must be True, False or an integer >= 0"):
                fit(value)


class TestHistory:
    def test_lists_have_one_value_for_each_measured_round(self, train, valid):
        forest = RandomForest(n_estimators=30).fit(train, eval_set={"a": valid, "b": train})
        assert forest.history_rounds_ == [1, 2, 5, 10, 20, 30]
        assert [len(v["ndcg@10"]) for v in forest.history_.values()] == [6, 6]
        assert forest.evals_result_ is forest.history_

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_a_frame_has_a_row_for_each_value(self, train, valid, library):
        pytest.importorskip(library)
        model = MART(n_estimators=2, metric=["map", "rmse"]).fit(train, eval_set=[valid, train])
        frame = model.history_frame(library)
        columns = {name: list(map(str, frame[name])) for name in ("round", "set", "metric")}
        assert columns["round"] == ["1", "2"] * 4
        assert columns["set"] == ["valid_0"] * 4 + ["valid_1"] * 4
        assert columns["metric"] == ["map", "map", "rmse", "rmse"] * 2
        values = [float(str(value)) for value in frame["value"]]
        flat = [v for of_set in model.history_.values() for m in of_set.values() for v in m]
        assert values == pytest.approx(flat)

    def test_without_sets_the_frame_has_no_rows(self, train):
        frame = MART(n_estimators=2).fit(train).history_frame()
        assert list(frame.columns) == ["round", "set", "metric", "value"]
        assert len(frame) == 0

    def test_sets_that_come_later_are_missing_before(self, train, valid):
        model = MART(n_estimators=2, warm_start=True).fit(train, eval_set={"a": valid})
        model.set_params(n_estimators=4).fit(train, eval_set={"a": valid, "b": valid})
        whole = MART(n_estimators=4).fit(train, eval_set={"a": valid})
        assert model.history_rounds_ == [1, 2, 3, 4]
        assert model.history_["a"] == whole.history_["a"]
        later = model.history_["b"]["ndcg@10"]
        assert np.isnan(later[0])
        assert later[2:] == whole.history_["a"]["ndcg@10"][2:]
