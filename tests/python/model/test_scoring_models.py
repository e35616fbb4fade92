"""Any object with ``predict`` can be evaluated, compared and explained, whoever trained it."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor

import rankforest as rf

NAMES = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def data():
    """Named columns, of which the first says most about the grade."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4)).astype(np.float32)
    y = np.clip(np.round(X[:, 0] + 0.5 * X[:, 1] + 1), 0, 4)
    return rf.Dataset(X, y, qid=np.arange(400) // 20, feature_names=NAMES)


def lightgbm_ranker(data):
    lightgbm = pytest.importorskip("lightgbm")
    ranker = lightgbm.LGBMRanker(n_estimators=5, num_leaves=4, verbose=-1, n_jobs=1)
    return ranker.fit(data.X, data.y.astype(int), group=[20] * 20)


def lightgbm_ranker_of_a_frame(data):
    lightgbm = pytest.importorskip("lightgbm")
    ranker = lightgbm.LGBMRanker(n_estimators=5, num_leaves=4, verbose=-1, n_jobs=1)
    frame = pd.DataFrame(data.X, columns=NAMES)
    return ranker.fit(frame, data.y.astype(int), group=[20] * 20)


def lightgbm_booster(data):
    return lightgbm_ranker(data).booster_


def xgboost_ranker(data):
    xgboost = pytest.importorskip("xgboost")
    ranker = xgboost.XGBRanker(n_estimators=5, max_depth=2, n_jobs=1)
    return ranker.fit(data.X, data.y.astype(int), qid=data.qid)


def sklearn_regressor_of_a_frame(data):
    regressor = HistGradientBoostingRegressor(max_iter=5, max_leaf_nodes=4)
    return regressor.fit(pd.DataFrame(data.X, columns=NAMES), data.y)


class OneColumn:
    """Returns scores of shape (n, 1), as neural networks do."""

    def predict(self, X):
        assert isinstance(X, np.ndarray)
        assert X.dtype == np.float32
        return X[:, :1]


MAKERS = [
    lightgbm_ranker,
    lightgbm_ranker_of_a_frame,
    lightgbm_booster,
    xgboost_ranker,
    sklearn_regressor_of_a_frame,
    lambda _data: OneColumn(),
]


@pytest.mark.parametrize("make", MAKERS)
def test_scores_are_those_of_its_predict(data, make):
    model = make(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = np.ravel(model.predict(data.X))
    ours = rf.MART(n_estimators=5).fit(data)
    assert rf.evaluate(data, model, "ndcg@10") == rf.evaluate(data, scores, "ndcg@10")
    options = {"n_permutations": 99, "n_resamples": 99}
    found = rf.compare(data, {"theirs": model, "ours": ours}, "map", **options)
    expected = {"theirs": scores, "ours": ours.predict(data)}
    assert found == rf.compare(data, expected, "map", **options)
    importance = rf.permutation_importance(model, data, n_repeats=1)
    assert importance.importances_mean.argmax() == 0


def test_text_is_widened_to_what_the_model_was_fitted_on(tmp_path, data):
    (tmp_path / "test.txt").write_text("0 qid:1 1:1\n1 qid:1 1:2 2:0\n")
    test = rf.read_letor(tmp_path / "test.txt")
    assert test.n_features == 2
    model = xgboost_ranker(data)
    padded = np.array([[1, 0, 0, 0], [2, 0, 0, 0]], dtype=np.float32)
    assert rf.evaluate(test, model, "rmse") == rf.evaluate(test, model.predict(padded), "rmse")


def test_columns_in_another_order_are_refused(data):
    model = sklearn_regressor_of_a_frame(data)
    turned = rf.Dataset(data.X[:, ::-1], data.y, qid=data.qid, feature_names=NAMES[::-1])
    message = re.escape("HistGradientBoostingRegressor was fitted on the columns ['a', 'b', 'c'")
    for call in (
        lambda: rf.evaluate(turned, model, "map"),
        lambda: rf.compare(turned, {"a": model, "b": turned.y}, "map"),
        lambda: rf.permutation_importance(model, turned),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_what_a_model_refuses_or_returns_is_named_with_the_model(data):
    class Picky:
        def predict(self, X):
            raise TypeError("give me a DMatrix")

    class Wide:
        def predict(self, X):
            return X

    message = r"Picky.predict, called with a float32 array of shape \(400, 4\), failed: give me a D"
    with pytest.raises(ValueError, match=message):
        rf.evaluate(data, Picky(), "map")
    with pytest.raises(ValueError, match=rf"^system 'p': scores: {message}"):
        rf.compare(data, {"p": Picky(), "q": data.y}, "map")
    message = r"Wide.predict must return one score for each of the 400 documents; .* \(400, 4\)"
    with pytest.raises(ValueError, match=message):
        rf.evaluate(data, Wide(), "map")
    with pytest.raises(ValueError, match="a model needs features to score"):
        rf.compare((data.y, data.qid), {"p": Wide(), "q": data.y}, "map")


def test_a_lightgbm_model_takes_the_blanks_that_it_turned_into_underscores(tmp_path, data):
    lightgbm = pytest.importorskip("lightgbm")
    frame = pd.DataFrame(data.X, columns=["a b", "c", "d  e", "f_g"])
    sets = lightgbm.Dataset(frame, data.y.astype(int), group=[20] * 20)
    booster = lightgbm.train({"objective": "lambdarank", "num_leaves": 4, "verbose": -1}, sets, 3)
    booster.save_model(tmp_path / "m.txt")
    model = rf.load(tmp_path / "m.txt")
    assert model.feature_names == ("a_b", "c", "d__e", "f_g")
    expected = model.predict(frame.to_numpy())
    np.testing.assert_array_equal(model.predict(frame), expected)
    model.save(tmp_path / "m.rf")
    np.testing.assert_array_equal(rf.load(tmp_path / "m.rf").predict(frame), expected)
    turned = frame[["f_g", "c", "d  e", "a b"]].assign(url="x")
    np.testing.assert_array_equal(model.predict(turned), expected)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame.rename(columns={"f_g": "f-g"}))


def as_polars(frame):
    return pytest.importorskip("polars").from_pandas(frame)


def as_arrow(frame):
    return pytest.importorskip("pyarrow").Table.from_pandas(frame)


LIBRARIES = {"pandas": pd.DataFrame, "polars": as_polars, "pyarrow": as_arrow}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_model_finds_its_columns_in_a_frame_by_name(data, library):
    frame = pd.DataFrame(data.X, columns=list("abcd"))
    full = frame.assign(y=data.y, query_id=[f"query {code}" for code in data.query_codes])
    shuffled = LIBRARIES[library](full[["d", "query_id", "b", "a", "y", "c"]])
    forest = rf.RandomForest(n_estimators=5).fit(full, "y", qid="query_id")
    expected = forest.predict(frame)
    model = rf.Model.from_bytes(forest.model_.to_bytes())
    given = (shuffled, data.y, data.qid)
    for each in (frame, shuffled):
        np.testing.assert_array_equal(model.predict(each), expected)
        np.testing.assert_array_equal(list(model.staged_predict(each))[-1], expected)
        np.testing.assert_array_equal(model.predict_within(each).scores, expected)
        np.testing.assert_array_equal(rf.drift(forest, each).psi, np.zeros(4))
    for measure in (rf.permutation_importance, rf.out_of_bag_importance):
        np.testing.assert_array_equal(
            measure(forest, given).importances,
            measure(forest, (data.X, data.y, data.qid)).importances,
        )
    refitted = model.refit_leaves(shuffled, "y", qid="query_id", decay=0.5)
    assert refitted == model.refit_leaves(frame, data.y, qid=data.qid, decay=0.5)
    with pytest.raises(ValueError, match="yet now missing:\n- c\n- d\n"):
        model.predict(LIBRARIES[library](full.drop(columns=["c", "d"])))
    with pytest.raises(ValueError, match="same order"):
        forest.predict(frame[list("dcba")])  # scikit-learn's rule for estimators


def test_a_model_of_ours_takes_its_names_as_they_are(data):
    frame = pd.DataFrame(data.X, columns=["a_b", "c", "d", "e"])
    model = rf.MART(n_estimators=1).fit(frame, data.y, qid=data.qid).model_
    with pytest.raises(ValueError, match="unseen at fit time"):
        model.predict(frame.rename(columns={"a_b": "a b"}))
