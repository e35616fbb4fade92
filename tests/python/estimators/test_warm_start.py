"""Training that goes on from the model of the last fit."""

import pickle

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

from rankforest import IGBRT, MART, LambdaMART, RandomForest


@pytest.fixture(scope="module")
def data():
    X, y, qid = make_data(seed=3, missing=0.1)
    return {"X": X, "y": y, "qid": qid}


@pytest.fixture(scope="module")
def held_out():
    return make_data(seed=4)


def grown(estimator, sizes, fit, **changes):
    """Fit with each of the sizes in turn, going on from the last."""
    estimator = clone(estimator).set_params(warm_start=True, **changes)
    for size in sizes:
        estimator.set_params(n_estimators=size).fit(**fit)
    return estimator


@pytest.mark.parametrize("name", ESTIMATORS)
def test_going_on_gives_the_model_of_training_at_once(name, data):
    once = clone(ESTIMATORS[name]).set_params(n_estimators=9).fit(**data)
    for sizes in ([1, 9], [3, 4, 9]):
        assert grown(ESTIMATORS[name], sizes, data).model_ == once.model_
    assert grown(ESTIMATORS[name], [3, 9], data, n_jobs=2).model_ == once.model_


@pytest.mark.parametrize(
    "params",
    [
        {"criterion": "entropy", "relevance": "exp2"},
        {"criterion": "listwise", "listwise_levels": 2},
        {"subsample": 0.5, "subsample_unit": "query", "bootstrap": False},
        {"tree_weights": "expected_ndcg"},
        {"oob_score": True},
    ],
)
def test_any_forest_goes_on(params, data, held_out):
    forest = RandomForest(max_features=2, **params)
    once = clone(forest).set_params(n_estimators=20).fit(**data, eval_set=held_out)
    more = grown(forest, [5, 20], {**data, "eval_set": held_out})
    assert more.model_ == once.model_
    if "oob_score" in params:
        assert more.oob_score_ == once.oob_score_
    history, whole = more.history_["valid"]["ndcg@10"], once.history_["valid"]["ndcg@10"]
    assert history == whole


def test_boosting_that_stopped_early_goes_on_to_the_same_best_round(data, held_out):
    for estimator in (MART(learning_rate=0.3), LambdaMART(min_samples_leaf=2), IGBRT()):
        if isinstance(estimator, IGBRT):
            estimator.set_params(forest=RandomForest(n_estimators=4))
        estimator.set_params(early_stopping_rounds=3)
        fit = {**data, "eval_set": held_out}
        once = clone(estimator).set_params(n_estimators=40).fit(**fit)
        more = grown(estimator, [2, 5, 40], fit)
        assert more.model_ == once.model_
        assert more.history_ == once.history_


def test_prefixes_and_pickles_go_on_too(data):
    forest = RandomForest(n_estimators=10, warm_start=True, max_features=2).fit(**data)
    whole = forest.model_
    for copy in (forest[:4], pickle.loads(pickle.dumps(forest[:6]))):
        assert copy.fit(**data).model_ == whole


def test_the_order_of_rows_may_change_between_fits(data):
    order = np.random.default_rng(0).permutation(len(data["y"]))
    forest = grown(RandomForest(), [2], data)
    shuffled = {name: values[order] for name, values in data.items()}
    forest.set_params(n_estimators=5).fit(**shuffled)
    assert forest.model_ == RandomForest(n_estimators=5).fit(**data).model_


def test_without_warm_start_training_begins_anew(data):
    forest = RandomForest(n_estimators=5).fit(**data)
    assert forest.set_params(n_estimators=2).fit(**data).best_iteration_ == 2


def test_a_drawn_seed_is_kept(data):
    forest = grown(RandomForest(random_state=None), [2, 5], data)
    at_once = RandomForest(n_estimators=5, random_state=forest.random_state_).fit(**data)
    assert forest.model_ == at_once.model_


def test_fewer_rounds_than_there_are_is_an_error(data):
    forest = grown(RandomForest(), [5], data).set_params(n_estimators=3)
    with pytest.raises(ValueError, match=r"n_estimators=3 must be at least the 5 rounds"):
        forest.fit(**data)
    assert forest.best_iteration_ == 5
    igbrt = grown(IGBRT(forest=RandomForest(n_estimators=4)), [2], data)
    with pytest.raises(ValueError, match=r"the model has 3 of the 4 trees of its forest only"):
        igbrt[:3].fit(**data)
    assert igbrt[:4].fit(**data).model_ == igbrt.model_


def test_as_many_rounds_as_before_warn_and_change_nothing(data):
    forest = grown(RandomForest(), [3], data)
    before = forest.model_
    with pytest.warns(UserWarning, match="adds nothing"):
        forest.fit(**data)
    assert forest.model_ == before


def test_other_parameters_or_data_are_an_error_that_names_them(data):
    forest = grown(RandomForest(), [3], data).set_params(n_estimators=5)
    with pytest.raises(ValueError, match=r"max_depth was None and is 2; random_state was 0 and is"):
        clone_of(forest).set_params(max_depth=2, random_state=1).fit(**data)
    fewer = {name: values[10:] for name, values in data.items()}
    with pytest.raises(
        ValueError, match=r"had 120 documents and has 110; .* 12 queries and has 11"
    ):
        clone_of(forest).fit(**fewer)
    with pytest.raises(ValueError, match="had 5 features and has 4"):
        clone_of(forest).fit(**{**data, "X": data["X"][:, :4]})
    others = {**data, "X": data["X"][::-1]}
    with pytest.raises(ValueError, match="as many documents as before, but they are others"):
        clone_of(forest).fit(**others)
    weighted = {**data, "sample_weight": np.ones(120)}
    with pytest.raises(ValueError, match="but they are others"):
        clone_of(forest).fit(**weighted)
    igbrt = grown(IGBRT(forest=RandomForest(n_estimators=4)), [2], data)
    igbrt.set_params(forest__n_estimators=6)
    with pytest.raises(ValueError, match=r"forest was .*'n_estimators': 4.* and is .*: 6"):
        igbrt.fit(**data)


def clone_of(fitted):
    """Return a copy that is fitted, too."""
    return pickle.loads(pickle.dumps(fitted))


class TestFeatureNames:
    """The names of the first fit stay, and others are an error."""

    @pytest.fixture
    def frame(self, data):
        return pytest.importorskip("pandas").DataFrame(data["X"], columns=list("abcde"))

    @pytest.fixture
    def named(self, data, frame):
        forest = grown(RandomForest(max_features=2), [3], {**data, "X": frame})
        return forest.set_params(n_estimators=5)

    def test_the_same_names_in_another_order_are_refused(self, data, frame, named):
        before = named.model_
        renamed = frame.set_axis(list("baecd"), axis=1)  # the same numbers under other names
        reordered = frame[list("baecd")]
        for X in (renamed, reordered):
            with pytest.raises(ValueError, match="the same names in another order"):
                clone_of(named).fit(**{**data, "X": X})
        assert named.model_ == before

    def test_other_names_are_refused_and_the_first_is_shown(self, data, frame, named):
        renamed = frame.rename(columns={"c": "x"})
        with pytest.raises(ValueError, match=r"feature 2 .* was called 'c' and is 'x'"):
            named.fit(**{**data, "X": renamed})

    def test_an_array_keeps_the_names_and_the_check_of_columns(self, data, frame, named):
        named.fit(**data)
        assert list(named.feature_names_in_) == list("abcde")
        assert named.model_ == grown(RandomForest(max_features=2), [5], {**data, "X": frame}).model_
        with pytest.raises(ValueError, match="same order"):
            named.predict(frame[list("baecd")])

    def test_names_that_come_later_are_taken(self, data, frame):
        forest = grown(RandomForest(max_features=2), [3], data).set_params(n_estimators=5)
        forest.fit(**{**data, "X": frame})
        assert list(forest.feature_names_in_) == list("abcde")
