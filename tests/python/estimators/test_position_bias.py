"""Training on clicks without learning the bias of positions."""

import numpy as np
import pytest

import rankforest as rf
from rankforest import MART, BaggedLambdaMART, Bagging, Dataset, LambdaMART, SelGB, concat
from rankforest.datasets import make_ranking, simulate_clicks

SMALL = {"n_estimators": 8, "max_leaf_nodes": 4, "min_samples_leaf": 2}


@pytest.fixture(scope="module")
def clicks():
    """A hundred sessions on twenty queries."""
    data = make_ranking(n_queries=20, n_documents=8)
    return simulate_clicks(data, data.X[:, 0], n_sessions=5)


@pytest.fixture(scope="module")
def data(clicks):
    return clicks.data


def without_positions(data):
    return Dataset(data.X, data.y, qid=data.qid, feature_names=data.feature_names)


def trees_of(model):
    return model.model_._ensemble


class TestPositions:
    def test_travel_with_the_documents(self, data):
        rows = np.arange(0, data.n_documents, 3)
        part = data.take_rows(rows)
        np.testing.assert_array_equal(part.position, data.position[rows])
        one, other = data.train_test_split()
        both = concat([one, other])
        np.testing.assert_array_equal(both.position, np.append(one.position, other.position))

    def test_are_not_joined_with_none(self, data):
        with pytest.raises(ValueError, match=r"number 1 .* has no positions, unlike the first"):
            concat([data, without_positions(data)], queries="rename")

    @pytest.mark.parametrize("bad", [0, 1.5, 10001])
    def test_are_whole_numbers_from_one(self, bad):
        with pytest.raises(
            ValueError, match=rf"whole numbers from 1 to 10000; that of row 1 .* is {bad}"
        ):
            Dataset([[1.0], [2.0]], [0, 1], qid=[1, 1], position=[1, bad])

    def test_are_one_for_each_document(self):
        with pytest.raises(ValueError, match="position must have one value for each of the 2 rows"):
            Dataset([[1.0], [2.0]], [0, 1], qid=[1, 1], position=[1])


class TestEffects:
    def test_are_the_newton_steps_of_the_gradients_by_position(self, data):
        """NumPy follows the rounds of an objective that notes what it is asked and says."""
        asked = []

        def objective(grades, scores, offsets, rows):
            gradients = scores - grades
            hessians = 0.5 + grades
            asked.append((scores, gradients, hessians, rows))
            return gradients, hessians

        model = LambdaMART(**SMALL, objective=objective, position_bias_regularization=0.3)
        model.fit(data)
        effects = np.zeros(8)
        trees = [np.zeros(data.n_documents), *model.staged_predict(data)]
        for (scores, gradients, hessians, rows), of_trees in zip(asked, trees[:-1], strict=True):
            place = data.position[rows] - 1
            np.testing.assert_allclose(scores, of_trees[rows] + effects[place], atol=1e-5)
            counts = np.bincount(place, minlength=8)
            slope = np.bincount(place, gradients, minlength=8) + 0.3 * counts * effects
            effects -= 0.1 * slope / (np.bincount(place, hessians, minlength=8) + 0.3 * counts)
        np.testing.assert_allclose(model.position_bias_, effects)

    def test_of_lower_positions_are_lower_where_users_see_less_of_them(self, data):
        effects = LambdaMART(**{**SMALL, "n_estimators": 50}).fit(data).position_bias_
        assert effects[0] > effects[1] > effects[3] > effects[7]

    def test_are_the_same_bits_for_any_number_of_threads(self, data):
        one, two = (LambdaMART(**SMALL, n_jobs=n).fit(data) for n in (1, 2))
        assert trees_of(one) == trees_of(two)
        np.testing.assert_array_equal(one.position_bias_, two.position_bias_)

    def test_are_those_of_the_rounds_that_are_kept(self, data):
        train, valid = data.train_test_split(0.3)
        stopped = LambdaMART(**{**SMALL, "n_estimators": 60}, early_stopping_rounds=5)
        stopped.fit(train, eval_set=valid)
        assert stopped.best_iteration_ < 55
        exact = LambdaMART(**{**SMALL, "n_estimators": stopped.best_iteration_}).fit(train)
        assert trees_of(stopped) == trees_of(exact)
        np.testing.assert_array_equal(stopped.position_bias_, exact.position_bias_)

    def test_are_saved_with_the_model_and_not_scored(self, data, tmp_path):
        model = LambdaMART(**SMALL).fit(data)
        model.model_.save(tmp_path / "model.rf")
        loaded = rf.load(tmp_path / "model.rf")
        assert loaded.parameters["position_bias"] == model.position_bias_.tolist()
        np.testing.assert_array_equal(model.predict(data), model.predict(without_positions(data)))

    def test_may_be_asked_for_in_fit(self, data):
        plain = without_positions(data)
        model = LambdaMART(**SMALL).fit(plain, position=data.position)
        assert model.model_ == LambdaMART(**SMALL).fit(data).model_


class TestGoingOn:
    @pytest.mark.parametrize("n_first", [1, 5])
    def test_from_a_model_gives_what_all_rounds_at_once_give(self, data, n_first, tmp_path):
        whole = LambdaMART(**SMALL).fit(data)
        first = LambdaMART(**{**SMALL, "n_estimators": n_first}).fit(data)
        first.model_.save(tmp_path / "first.rf")
        left = LambdaMART(**{**SMALL, "n_estimators": 8 - n_first})
        left.fit(data, init_model=tmp_path / "first.rf")
        assert trees_of(left) == trees_of(whole)
        np.testing.assert_array_equal(left.position_bias_, whole.position_bias_)

    def test_from_the_last_fit_gives_what_all_rounds_at_once_give(self, data):
        whole = LambdaMART(**SMALL).fit(data)
        grown = LambdaMART(**{**SMALL, "n_estimators": 3}, warm_start=True).fit(data)
        grown.set_params(n_estimators=8).fit(data)
        assert trees_of(grown) == trees_of(whole)
        np.testing.assert_array_equal(grown.position_bias_, whole.position_bias_)

    def test_from_a_model_without_effects_begins_them_at_0(self, data):
        plain = LambdaMART(**SMALL).fit(without_positions(data))
        one = LambdaMART(**{**SMALL, "n_estimators": 1})
        one.fit(data, init_model=plain)
        scores = plain.predict(data)
        again = LambdaMART(**{**SMALL, "n_estimators": 1}).fit(data, init_score=scores)
        np.testing.assert_allclose(one.position_bias_, again.position_bias_, rtol=1e-5)
        assert one.position_bias_.any()

    def test_keeps_the_effects_of_positions_that_new_data_has_not(self, data):
        first = LambdaMART(**SMALL).fit(data)
        top = data.take_rows(data.position <= 3)
        later = LambdaMART(**SMALL).fit(top, init_model=first)
        np.testing.assert_array_equal(later.position_bias_[3:], first.position_bias_[3:])
        assert (later.position_bias_[:3] != first.position_bias_[:3]).any()

    def test_notes_the_effects_that_it_went_on_from(self, data):
        first = LambdaMART(**SMALL).fit(data)
        note = LambdaMART(**SMALL).fit(data, init_model=first).model_.parameters["init_model"]
        plain = LambdaMART(**SMALL).fit(without_positions(data))
        other = LambdaMART(**SMALL).fit(data, init_model=plain).model_.parameters["init_model"]
        assert "position_bias" in note
        assert "position_bias" not in other


@pytest.fixture(scope="module")
def alike():
    """Documents of which many are equal but for their positions, and so are three queries."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, size=(240, 2)).astype(np.float32)
    qid = np.repeat(np.arange(30), 8)
    X[8:16], X[16:24] = X[:8], X[:8]
    y = (X[:, 0] + rng.integers(0, 2, size=240)).clip(0, 1)
    y[8:16], y[16:24] = y[:8], y[:8]
    position = np.concatenate([rng.permutation(8) + 1 for _ in range(30)])
    return X, y, qid, position


class TestOrderOfRows:
    """Documents that are equal but for their positions."""

    @pytest.mark.parametrize("settings", [{}, {"subsample": 0.5}, {"objective": "yetirank"}])
    def test_leave_no_mark_of_the_order_of_rows_or_of_names_of_queries(self, alike, settings):
        X, y, qid, position = alike
        first = LambdaMART(**SMALL, **settings).fit(X, y, qid=qid, position=position)
        for seed in range(4):
            rows = np.random.default_rng(seed).permutation(len(y))
            renamed = np.random.default_rng(seed).permutation(30)[qid]
            other = LambdaMART(**SMALL, **settings)
            other.fit(X[rows], y[rows], qid=renamed[rows], position=position[rows])
            assert other.model_ == first.model_

    def test_are_trained_on_alike_where_positions_do_not_matter(self, alike):
        X, y, qid, position = alike
        ignoring = {"position_bias_regularization": None, "subsample": 0.5}
        shown = Dataset(X, y, qid=qid, position=position)
        one = LambdaMART(**SMALL, **ignoring).fit(shown)
        assert one.model_ == LambdaMART(**SMALL, **ignoring).fit(X, y, qid=qid).model_


class TestTrees:
    def test_without_positions_are_what_they_were(self, data):
        plain = LambdaMART(**SMALL).fit(without_positions(data))
        ignoring = LambdaMART(**SMALL, position_bias_regularization=None).fit(data)
        assert plain.model_ == ignoring.model_
        assert plain.position_bias_ is None
        assert "position_bias" not in plain.model_.parameters

    def test_are_the_same_where_regularization_leaves_no_effect(self, data):
        held = LambdaMART(**SMALL, position_bias_regularization=1e300).fit(data)
        assert np.abs(held.position_bias_).max() < 1e-290
        assert trees_of(held) == trees_of(LambdaMART(**SMALL).fit(without_positions(data)))

    def test_differ_where_effects_are_learned(self, data):
        plain = LambdaMART(**SMALL).fit(without_positions(data))
        assert trees_of(LambdaMART(**SMALL).fit(data)) != trees_of(plain)

    def test_of_other_estimators_do_not_depend_on_positions(self, data):
        plain = SelGB(**SMALL).fit(without_positions(data))
        assert trees_of(SelGB(**SMALL).fit(data)) == trees_of(plain)


class TestRefused:
    def test_is_a_position_in_fit_of_another_estimator(self, data):
        with pytest.raises(ValueError, match="MART: position is for LambdaMART"):
            MART(**SMALL).fit(without_positions(data), position=data.position)

    def test_is_a_second_position(self, data):
        with pytest.raises(ValueError, match="the Dataset has its positions; give them once"):
            LambdaMART(**SMALL).fit(data, position=data.position)

    def test_is_a_part_of_a_model_to_go_on_from(self, data):
        whole = LambdaMART(**SMALL).fit(data).model_
        assert "position_bias" not in whole[:3].parameters
        assert whole[:8] == whole
        with pytest.raises(
            ValueError, match="cannot go on from a part of a model that was trained"
        ):
            LambdaMART(**SMALL).fit(data, init_model=whole[:3])
        ignoring = LambdaMART(**SMALL, position_bias_regularization=None)
        assert ignoring.fit(data, init_model=whole[:3]).model_.n_rounds == 11

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"position_bias_regularization": 0.1}, "regularization was 0.0 and is 0.1"),
            ({"position_bias_regularization": None}, "regularization was 0.0 and is None"),
        ],
    )
    def test_is_a_warm_start_with_another_regularization(self, data, changed, message):
        model = LambdaMART(**SMALL, warm_start=True).fit(data)
        with pytest.raises(ValueError, match=message):
            model.set_params(n_estimators=9, **changed).fit(data)

    def test_is_a_warm_start_with_other_positions(self, data):
        model = LambdaMART(**SMALL, warm_start=True).fit(data)
        moved = without_positions(data)
        with pytest.raises(ValueError, match="were shown at other positions than before"):
            model.set_params(n_estimators=9).fit(moved, position=data.position[::-1])
        with pytest.raises(ValueError, match=r"regularization was 0.0 and is None"):
            model.fit(moved)

    def test_is_a_bag_of_members_that_would_learn_effects(self, data):
        with pytest.raises(ValueError, match="a bag does not go with effects of positions"):
            Bagging(LambdaMART(**SMALL), n_bags=2).fit(data)
        Bagging(LambdaMART(**SMALL, position_bias_regularization=None), n_bags=2).fit(data)
        BaggedLambdaMART(**SMALL, n_bags=2).fit(data)

    def test_are_leaves_that_would_be_refitted_without_effects(self, data):
        model = LambdaMART(**SMALL).fit(data).model_
        with pytest.raises(ValueError, match="trained beside effects of positions"):
            model.refit_leaves(data)
        later = LambdaMART(**SMALL).fit(without_positions(data), init_model=model).model_
        for each in (model[:2], later):
            with pytest.raises(ValueError, match="trained beside effects of positions"):
                each.refit_leaves(data)

    def test_is_a_negative_regularization(self, data):
        with pytest.raises(ValueError, match=r"position_bias_regularization must be .*>= 0"):
            LambdaMART(position_bias_regularization=-1.0).fit(data)
