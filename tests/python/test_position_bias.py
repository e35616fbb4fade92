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

    def test_is_a_warm_start(self, data):
        model = LambdaMART(**SMALL, warm_start=True).fit(data)
        with pytest.raises(ValueError, match="warm_start does not go on from a model where effec"):
            model.set_params(n_estimators=9).fit(data)

    def test_is_a_checkpoint(self, data, tmp_path):
        with pytest.raises(ValueError, match="checkpoint does not go with effects of positions"):
            LambdaMART(**SMALL).fit(data, checkpoint=tmp_path / "state")

    def test_is_a_model_to_start_from(self, data):
        first = LambdaMART(**SMALL).fit(data)
        with pytest.raises(ValueError, match="init_model does not go with effects of positions"):
            LambdaMART(**SMALL).fit(data, init_model=first)

    def test_is_a_bag_of_members_that_would_learn_effects(self, data):
        with pytest.raises(ValueError, match="a bag does not go with effects of positions"):
            Bagging(LambdaMART(**SMALL), n_bags=2).fit(data)
        Bagging(LambdaMART(**SMALL, position_bias_regularization=None), n_bags=2).fit(data)
        BaggedLambdaMART(**SMALL, n_bags=2).fit(data)

    def test_are_leaves_that_would_be_refitted_without_effects(self, data):
        model = LambdaMART(**SMALL).fit(data).model_
        with pytest.raises(ValueError, match="trained beside effects of positions"):
            model.refit_leaves(data)

    def test_is_a_negative_regularization(self, data):
        with pytest.raises(ValueError, match=r"position_bias_regularization must be .*>= 0"):
            LambdaMART(position_bias_regularization=-1.0).fit(data)
