"""Boosting that starts from an earlier model or from scores."""

import json

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

import rankforest as rf

BOOSTING = {
    "mart": rf.MART(n_estimators=6, learning_rate=0.3),
    "mart of samples": ESTIMATORS["mart"],
    "lambdamart": ESTIMATORS["lambdamart"],
}


@pytest.fixture(scope="module")
def old():
    X, y, qid = make_data(seed=7, missing=0.1)
    return rf.Dataset(X, y, qid=qid)


@pytest.fixture(scope="module")
def new():
    X, y, qid = make_data(seed=8, missing=0.1)
    return rf.Dataset(X, y, qid=qid)


def sums(model, data):
    """Give the scores of a model's rounds without what they start from."""
    return model.predict(data) - model[:0].predict(data)


class TestInitModel:
    @pytest.mark.parametrize("name", BOOSTING)
    def test_rounds_on_the_same_data_are_those_of_training_all_at_once(self, name, old):
        estimator = BOOSTING[name]
        first = clone(estimator).set_params(n_estimators=4).fit(old)
        more = clone(estimator).set_params(n_estimators=5).fit(old, init_model=first)
        once = clone(estimator).set_params(n_estimators=9).fit(old)
        assert more.model_._ensemble == once.model_._ensemble
        assert more.model_.parameters["n_estimators"] == 5
        assert more.best_iteration_ == 9

    @pytest.mark.parametrize("name", BOOSTING)
    def test_old_rounds_come_first_and_unchanged(self, name, old, new):
        first = clone(BOOSTING[name]).fit(old).model_
        more = clone(BOOSTING[name]).set_params(n_estimators=3).fit(new, init_model=first).model_
        assert more.n_rounds == first.n_rounds + 3
        assert (more[: first.n_rounds].predict(new) == first.predict(new)).all()
        assert not (more.predict(new) == first.predict(new)).all()

    def test_a_model_an_estimator_and_a_path_are_the_same_start(self, old, new, tmp_path):
        first = rf.MART(n_estimators=4).fit(old)
        first.model_.with_metadata({"a": "b"}).save(tmp_path / "m.rf")
        first.model_.save_json(tmp_path / "m.json")
        starts = [first, first.model_, tmp_path / "m.rf", str(tmp_path / "m.json")]
        made = {
            rf.MART(n_estimators=3).fit(new, init_model=start).model_.to_bytes() for start in starts
        }
        assert len(made) == 1

    def test_the_model_notes_its_start_without_a_path(self, old, new):
        first = rf.MART(n_estimators=4).fit(old)
        second = rf.LambdaMART(n_estimators=3).fit(new, init_model=first)
        third = rf.LambdaMART(n_estimators=2).fit(old, init_model=second)
        note = third.model_.parameters["init_model"]
        assert (note["algorithm"], note["n_rounds"]) == ("lambdamart", 7)
        assert note["init_model"] == second.model_.parameters["init_model"]
        assert note["init_model"]["n_rounds"] == 4
        other = rf.LambdaMART(n_estimators=2).fit(old, init_model=second.model_[:6])
        assert other.model_.parameters["init_model"]["checksum"] != note["checksum"]

    def test_a_forest_and_a_model_of_lightgbm_are_starts_too(self, old, new):
        forest = rf.RandomForest(n_estimators=5, max_features=2).fit(old)
        more = rf.MART(n_estimators=3).fit(new, init_model=forest).model_
        assert (more[:5].predict(new) == forest.predict(new)).all()
        lightgbm = pytest.importorskip("lightgbm")
        booster = lightgbm.train(
            {"objective": "regression", "min_data_in_leaf": 5, "verbose": -1},
            lightgbm.Dataset(old.X, old.y),
            5,
        )
        foreign = rf.Model.from_bytes(booster.model_to_string().encode())
        assert foreign.n_rounds == 5
        X = np.ascontiguousarray(new.X)
        data = rf.Dataset(X, new.y, qid=new.qid, feature_names=foreign.feature_names)
        more = rf.LambdaMART(n_estimators=3, min_samples_leaf=2).fit(data, init_model=foreign)
        assert (more.model_[:5].predict(X) == foreign.predict(X)).all()

    def test_thread_counts_and_row_order_change_no_bit(self, old, new):
        first = rf.MART(n_estimators=4).fit(old)
        order = np.random.default_rng(1).permutation(new.n_documents)
        made = rf.LambdaMART(n_estimators=3, n_jobs=1).fit(new, init_model=first).model_
        again = rf.LambdaMART(n_estimators=3, n_jobs=2).fit(new.take_rows(order), init_model=first)
        assert again.model_ == made

    def test_early_stopping_never_drops_rounds_of_the_start(self, old, new):
        first = rf.MART(n_estimators=30, learning_rate=0.3).fit(old)
        stopped = rf.MART(n_estimators=50, learning_rate=1.0, early_stopping_rounds=3)
        stopped.fit(new, eval_set=old, init_model=first)
        assert stopped.best_iteration_ == 30
        assert stopped.model_._ensemble == first.model_._ensemble

    def test_history_begins_with_what_the_start_is_worth(self, old, new):
        first = rf.MART(n_estimators=4).fit(old)
        more = rf.MART(n_estimators=3).fit(new, eval_set=new, init_model=first)
        report = rf.evaluate(new, first.predict(new), "ndcg@10")["ndcg@10"]
        assert more.history_rounds_ == [4, 5, 6, 7]
        assert more.history_["valid"]["ndcg@10"][0] == report

    def test_names_of_features_must_match_and_are_kept(self, old, new):
        names = ["a", "b", "c", "d", "e"]
        first = rf.MART(n_estimators=2).fit(rf.Dataset(old.X, old.y, qid=old.qid,
                                                       feature_names=names))  # fmt: skip
        more = rf.MART(n_estimators=2).fit(new, init_model=first)
        assert more.model_.feature_names == tuple(names)
        swapped = rf.Dataset(new.X, new.y, qid=new.qid, feature_names=["b", "a", "c", "d", "e"])
        with pytest.raises(ValueError, match=r"init_model: The feature names should match"):
            rf.MART(n_estimators=2).fit(swapped, init_model=first)
        with pytest.raises(ValueError, match=r"init_model: X has 4 features, but the model is exp"):
            rf.MART(n_estimators=2).fit(new.X[:, :4], new.y, init_model=first)

    def test_the_number_that_means_missing_is_that_of_the_start(self, old, new):
        marked = np.nan_to_num(new.X, nan=-99)
        first = rf.MART(n_estimators=2).fit(
            rf.Dataset(np.nan_to_num(old.X, nan=-99), old.y, qid=old.qid, missing=-99)
        )
        more = rf.MART(n_estimators=2).fit(marked, new.y, qid=new.qid, init_model=first).model_
        assert more.missing == -99
        of_nan = rf.MART(n_estimators=2).fit(new, init_model=rf.MART(n_estimators=2).fit(old))
        assert more._ensemble == of_nan.model_._ensemble

    def test_text_with_fewer_columns_is_widened(self, tmp_path):
        (tmp_path / "wide.txt").write_text("1 qid:1 1:1 2:5\n0 qid:1 1:2 2:3\n" * 4)
        (tmp_path / "narrow.txt").write_text("1 qid:1 1:1\n0 qid:1 1:2\n" * 4)
        first = rf.MART(n_estimators=2).fit(rf.read_letor(tmp_path / "wide.txt"))
        more = rf.MART(n_estimators=2).fit(rf.read_letor(tmp_path / "narrow.txt"), init_model=first)
        assert more.n_features_in_ == 2

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("random_forest", "trees of a forest do not correct each other; warm_start=True"),
            ("extra_trees", "trees of a forest do not correct each other; warm_start=True"),
            ("igbrt", "IGBRT starts from a forest of its own"),
        ],
    )
    def test_what_does_not_correct_scores_refuses_it(self, name, why, old):
        first = rf.MART(n_estimators=2).fit(old)
        with pytest.raises(
            ValueError, match=f"init_model: only MART, LambdaMART, SelGB, DART .*{why}"
        ):
            clone(ESTIMATORS[name]).fit(old, init_model=first)

    def test_starts_that_cannot_be_are_named(self, old, tmp_path):
        mart = rf.MART(n_estimators=2)
        with pytest.raises(TypeError, match=r"init_model must be a Model, a fitted estimator or"):
            mart.fit(old, init_model=rf.MART())
        with pytest.raises(TypeError, match=r"init_model must be .* got int$"):
            mart.fit(old, init_model=3)
        (tmp_path / "m").write_text("no model")
        with pytest.raises(ValueError, match=r"m: neither a rankforest model file"):
            mart.fit(old, init_model=tmp_path / "m")
        member = {"base": 0.0, "groups": []}
        arrays = {"combine": "borda", "n_features": 5, "members": [member, member]}
        borda = rf.Model(rf._core.Ensemble.from_arrays(arrays), rf._core.ModelInfo())
        with pytest.raises(ValueError, match=r"cannot go on from Model.*no plain sum of trees"):
            mart.fit(old, init_model=borda)

    def test_warm_start_is_another_way_to_go_on(self, old):
        first = rf.MART(n_estimators=2).fit(old)
        with pytest.raises(ValueError, match=r"init_model says where to start, and so does warm"):
            rf.MART(n_estimators=2, warm_start=True).fit(old, init_model=first)
        more = rf.MART(n_estimators=2).fit(old, init_model=first).set_params(warm_start=True)
        with pytest.raises(ValueError, match=r"the model started from init_model"):
            more.set_params(n_estimators=8).fit(old)


class TestInitScore:
    def test_trees_learn_what_the_scores_lack(self, old):
        # With scores of -s, the residual of y is that of y + s from 0.
        offset = np.round(np.random.default_rng(2).random(old.n_documents) * 4)
        mart = rf.MART(n_estimators=5, init="zero")
        given = clone(mart).fit(old, init_score=-offset).model_
        taught = clone(mart).fit(old.X, old.y + offset, qid=old.qid).model_
        assert given._ensemble == taught._ensemble

    def test_scores_of_an_earlier_model_teach_the_trees_that_follow_it(self, old):
        first = rf.MART(n_estimators=4, init="zero").fit(old).model_
        scores = first.predict(old)
        by_scores = rf.MART(n_estimators=5).fit(old, init_score=scores).model_
        by_model = rf.MART(n_estimators=5).fit(old, init_model=first).model_
        np.testing.assert_array_equal(sums(by_scores, old), by_scores.predict(old))
        np.testing.assert_allclose(
            by_scores.predict(old), by_model.predict(old) - scores, rtol=0, atol=1e-9
        )

    def test_zeros_are_no_scores_to_lambdamart(self, old):
        lambdamart = ESTIMATORS["lambdamart"]
        zeros = np.zeros(old.n_documents)
        given = clone(lambdamart).fit(old, init_score=zeros).model_
        assert given._ensemble == clone(lambdamart).fit(old).model_._ensemble
        assert "init_score" in given.parameters

    def test_it_goes_with_rows_whatever_their_order(self, old):
        offset = np.random.default_rng(3).normal(size=old.n_documents)
        order = np.random.default_rng(4).permutation(old.n_documents)
        lambdamart = ESTIMATORS["lambdamart"]
        made = clone(lambdamart).fit(old, init_score=offset).model_
        again = clone(lambdamart).fit(old.take_rows(order), init_score=offset[order]).model_
        assert again == made
        other = clone(lambdamart).fit(old, init_score=offset + 1e-6).model_
        assert other.parameters["init_score"] != made.parameters["init_score"]

    def test_evaluation_sets_have_theirs(self, old, new):
        rng = np.random.default_rng(5)
        start, at_new = rng.normal(size=old.n_documents), rng.normal(size=new.n_documents)
        mart = rf.MART(n_estimators=3)
        for sets, given, name in (
            (new, at_new, "valid"),
            ([new], [at_new], "valid_0"),
            ({"late": new}, {"late": at_new}, "late"),
        ):
            fitted = clone(mart).fit(old, init_score=start, eval_set=sets, eval_init_score=given)
            values = fitted.history_[name]["ndcg@10"]
            whole = fitted.predict(new) + at_new
            assert values[-1] == pytest.approx(rf.evaluate(new, whole, "ndcg@10")["ndcg@10"])

    def test_scores_are_held_out_with_their_documents(self, old):
        offset = np.random.default_rng(7).normal(size=old.n_documents)
        mart = rf.MART(n_estimators=3, validation_fraction=0.25)
        held = clone(mart).fit(old, init_score=offset)
        in_test = old._in_test(0.25, held.random_state_)
        by_hand = rf.MART(n_estimators=3).fit(
            old.take_rows(~in_test),
            init_score=offset[~in_test],
            eval_set={"validation": old.take_rows(in_test)},
            eval_init_score={"validation": offset[in_test]},
        )
        assert held.model_._ensemble == by_hand.model_._ensemble
        assert list(held.history_.values()) == list(by_hand.history_.values())
        with pytest.raises(ValueError, match=r"init_score must have one score for each of the 120"):
            clone(mart).fit(old, init_score=offset[1:])

    def test_it_adds_to_a_model_to_start_from(self, old):
        first = rf.MART(n_estimators=4).fit(old).model_
        offset = np.random.default_rng(6).normal(size=old.n_documents)
        both = rf.MART(n_estimators=3).fit(old, init_model=first, init_score=offset).model_
        scores = rf.MART(n_estimators=3).fit(old, init_score=first.predict(old) + offset).model_
        np.testing.assert_allclose(
            both.predict(old) - first.predict(old), scores.predict(old), rtol=0, atol=1e-9
        )

    def test_unusable_scores_are_named(self, old, new):
        mart = rf.MART(n_estimators=2)
        zeros = np.zeros(old.n_documents)
        with pytest.raises(ValueError, match=r"init_score must have one score for each of the 120"):
            mart.fit(old, init_score=zeros[1:])
        bad = zeros.copy()
        bad[7] = np.nan
        with pytest.raises(ValueError, match=r"init_score must hold finite .* row 7 .* is nan"):
            mart.fit(old, init_score=bad)
        with pytest.raises(ValueError, match=r"init_score must hold numbers"):
            mart.fit(old, init_score=["a"] * old.n_documents)
        with pytest.raises(ValueError, match=r"eval_init_score has no scores for 'valid'"):
            mart.fit(old, init_score=zeros, eval_set=new)
        with pytest.raises(
            ValueError, match=r"eval_init_score of 'valid' must hold finite.* row 7"
        ):
            mart.fit(old, init_score=zeros, eval_set=new, eval_init_score=bad)
        with pytest.raises(ValueError, match=r"a list with the scores of each of the 2 sets"):
            mart.fit(old, init_score=zeros, eval_set=[new, old], eval_init_score=[zeros])
        with pytest.raises(ValueError, match=r"eval_init_score names 'test', which is no set"):
            mart.fit(old, init_score=zeros, eval_set=new, eval_init_score={"test": zeros})
        with pytest.raises(ValueError, match=r"eval_init_score goes with init_score"):
            mart.fit(old, eval_set=new, eval_init_score=zeros)
        with pytest.raises(
            ValueError,
            match=r"init_score: only MART, LambdaMART, SelGB, DART and XDART start",
        ):
            rf.RandomForest(n_estimators=2).fit(old, init_score=zeros)

    def test_parameters_stay_json(self, old):
        made = rf.MART(n_estimators=2).fit(old, init_score=np.ones(old.n_documents))
        assert json.loads(json.dumps(made.model_.parameters)) == made.model_.parameters
