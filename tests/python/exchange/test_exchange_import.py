"""Models of other libraries, live and from their files, against the scores of these libraries."""

import json
from pathlib import Path

import numpy as np
import pytest
from exchange_cases import documents
from sklearn import ensemble
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import rankforest as rf
from rankforest.exchange.check_rows import rows_at_thresholds
from rankforest.exchange.evaluate import evaluate
from rankforest.exchange.from_model import forest_of
from rankforest.exchange.quickrank import read_quickrank
from rankforest.exchange.ranklib import read_ranklib

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "models"


def hard_rows(model, *, nan=True, finite=False):
    """Make documents that stand on every threshold of a model and beside it."""
    X = rows_at_thresholds(forest_of(model, "a test"), documents(nan=nan).X)
    if finite:
        X = X[~np.isinf(X).any(axis=1)]
    return X if nan else X[~np.isnan(X).any(axis=1)]


def check_scores(model, X, expected, *, n_trees=None):
    scores = model.predict(X)
    assert len(X) >= 40
    np.testing.assert_allclose(scores, expected, rtol=0, atol=2e-6)
    if n_trees is not None:
        assert model.n_trees == n_trees


@pytest.fixture
def xgboost():
    return pytest.importorskip("xgboost")


class TestXGBoost:
    """gbtree and dart, of several objectives."""

    @pytest.mark.parametrize("suffix", ["json", "ubj", "live"])
    @pytest.mark.parametrize(
        "settings",
        [
            {},
            {"booster": "dart", "rate_drop": 0.4, "skip_drop": 0.0},
            {"objective": "rank:pairwise", "tree_method": "exact", "gamma": 0.3},
            {"grow_policy": "lossguide", "max_leaves": 7, "num_parallel_tree": 2},
        ],
    )
    def test_rankers(self, xgboost, tmp_path, settings, suffix):
        data = documents(nan=True)
        ranker = xgboost.XGBRanker(n_estimators=8, random_state=0, **settings)
        ranker.fit(data.X, data.y, qid=data.qid)
        if suffix == "live":
            model = rf.from_estimator(ranker)
        else:
            ranker.save_model(tmp_path / f"m.{suffix}")
            model = rf.load(tmp_path / f"m.{suffix}")
        X = hard_rows(model, finite=True)
        check_scores(model, X, ranker.predict(X, output_margin=True))

    @pytest.mark.parametrize(
        "objective",
        ["reg:squarederror", "reg:absoluteerror", "reg:logistic", "binary:logistic",
         "binary:logitraw", "count:poisson", "reg:gamma", "reg:tweedie", "binary:hinge"],
    )  # fmt: skip
    def test_base_scores_become_margins(self, xgboost, objective):
        data = documents(nan=True)
        y = data.y > 1 if objective.split(":")[0] == "binary" else (data.y + 1) / 6
        matrix = xgboost.DMatrix(data.X, y)
        booster = xgboost.train({"objective": objective}, matrix, 5)
        model = rf.from_estimator(booster)
        X = hard_rows(model, finite=True)
        check_scores(model, X, booster.predict(xgboost.DMatrix(X), output_margin=True))

    def test_early_stopping_takes_the_trees_up_to_the_best(self, xgboost):
        data, other = documents(nan=True), documents(nan=True, seed=9)
        ranker = xgboost.XGBRanker(n_estimators=60, early_stopping_rounds=3, learning_rate=0.5)
        ranker.fit(
            data.X, data.y, qid=data.qid, eval_set=[(other.X, other.y)], eval_qid=[other.qid],
            verbose=False,
        )  # fmt: skip
        model = rf.from_estimator(ranker)
        assert model.n_trees == ranker.best_iteration + 1 < 60
        check_scores(model, data.X, ranker.predict(data.X))

    def test_names_and_what_cannot_be_read(self, xgboost, tmp_path):
        pandas = pytest.importorskip("pandas")
        data = documents()
        frame = pandas.DataFrame(data.X, columns=list("abcde"))
        model = rf.from_estimator(xgboost.XGBRegressor(n_estimators=2).fit(frame, data.y))
        assert model.feature_names == tuple("abcde")
        classes = xgboost.XGBClassifier(n_estimators=2).fit(data.X, data.y)
        with pytest.raises(ValueError, match=r"num_class: expected 0 or 1: one score"):
            rf.from_estimator(classes)
        linear = xgboost.train({"booster": "gblinear"}, xgboost.DMatrix(data.X, data.y), 2)
        with pytest.raises(ValueError, match="booster is 'gblinear'"):
            rf.from_estimator(linear)
        frame["a"] = pandas.Categorical(np.round(data.X[:, 0]).astype(int).astype(str))
        categories = xgboost.XGBRegressor(n_estimators=3, enable_categorical=True)
        categories.fit(frame, data.y)
        categories.save_model(tmp_path / "m.json")
        with pytest.raises(ValueError, match=r"trees\[\d\]: has categorical splits"):
            rf.load(tmp_path / "m.json")

    def test_a_dump_is_the_model_but_for_its_base(self, xgboost, tmp_path):
        data = documents(nan=True)
        booster = xgboost.train({"base_score": 0}, xgboost.DMatrix(data.X, data.y), 5)
        booster.dump_model(tmp_path / "m", dump_format="json")
        with pytest.warns(UserWarning, match="a dump of XGBoost"):
            model = rf.load(tmp_path / "m")
        check_scores(model, data.X, booster.predict(xgboost.DMatrix(data.X)))


class TestCatBoost:
    """Oblivious and other trees, from JSON, cbm and live."""

    @pytest.mark.parametrize("form", ["json", "cbm", "live"])
    @pytest.mark.parametrize(
        "settings",
        [{}, {"nan_mode": "Max"}, {"grow_policy": "Lossguide"}, {"grow_policy": "Depthwise"}],
    )
    def test_rankers(self, tmp_path, settings, form):
        catboost = pytest.importorskip("catboost")
        data = documents(nan=True)
        ranker = catboost.CatBoostRanker(
            iterations=10, verbose=0, allow_writing_files=False, random_seed=0, **settings
        ).fit(data.X, data.y, group_id=data.qid)
        if form == "live":
            model = rf.from_estimator(ranker)
        else:
            ranker.save_model(str(tmp_path / "m"), format=form)
            model = rf.load(tmp_path / "m")
        X = hard_rows(model)
        check_scores(model, X, ranker.predict(X), n_trees=10)

    def test_a_regressor_has_a_bias_and_several_outputs_are_refused(self):
        catboost = pytest.importorskip("catboost")
        data = documents(nan=True)
        settings = {"iterations": 5, "verbose": 0, "allow_writing_files": False}
        regressor = catboost.CatBoostRegressor(**settings).fit(data.X, data.y)
        check_scores(rf.from_estimator(regressor), data.X, regressor.predict(data.X))
        classes = catboost.CatBoostClassifier(**settings).fit(data.X, data.y)
        with pytest.raises(ValueError, match=r"one bias: one score for a document"):
            rf.from_estimator(classes)


class TestScikitLearn:
    """Forests, gradient boosting and histogram gradient boosting."""

    @pytest.mark.parametrize(
        "estimator",
        [
            DecisionTreeRegressor(random_state=0),
            ensemble.RandomForestRegressor(8, random_state=0),
            ensemble.ExtraTreesRegressor(8, random_state=0),
            ensemble.HistGradientBoostingRegressor(max_iter=8),
        ],
    )
    def test_regressors(self, estimator):
        data = documents(nan=True)
        model = rf.from_estimator(estimator.fit(data.X, data.y))
        X = hard_rows(
            model, finite=not isinstance(estimator, ensemble.HistGradientBoostingRegressor)
        )
        check_scores(model, X, estimator.predict(X))

    @pytest.mark.parametrize(
        ("estimator", "method"),
        [
            (DecisionTreeClassifier(max_depth=3, random_state=0), "predict_proba"),
            (ensemble.RandomForestClassifier(8, random_state=0), "predict_proba"),
            (ensemble.ExtraTreesClassifier(8, random_state=0), "predict_proba"),
            (ensemble.HistGradientBoostingClassifier(max_iter=8), "decision_function"),
        ],
    )
    def test_classifiers_of_two_classes(self, estimator, method):
        data = documents(nan=True)
        model = rf.from_estimator(estimator.fit(data.X, data.y > 1))
        X = hard_rows(model, finite=True)
        scores = getattr(estimator, method)(X)
        check_scores(model, X, scores[:, 1] if scores.ndim == 2 else scores)
        with pytest.raises(ValueError, match="and a score is one number"):
            rf.from_estimator(estimator.fit(data.X, data.y))

    def test_gradient_boosting(self):
        data = documents()
        for estimator, y in (
            (ensemble.GradientBoostingRegressor(n_estimators=8), data.y),
            (ensemble.GradientBoostingRegressor(n_estimators=8, init="zero"), data.y),
            (ensemble.GradientBoostingClassifier(n_estimators=8), data.y > 1),
        ):
            model = rf.from_estimator(estimator.fit(data.X, y))
            X = hard_rows(model, nan=False, finite=True)
            raw = getattr(estimator, "decision_function", estimator.predict)
            check_scores(model, X, raw(X), n_trees=8)
        own = ensemble.GradientBoostingRegressor(n_estimators=2, init=Ridge())
        with pytest.raises(ValueError, match="starts from a Ridge"):
            rf.from_estimator(own.fit(data.X, data.y))

    def test_what_cannot_be_read_is_refused(self):
        data = documents()
        several = ensemble.RandomForestRegressor(2).fit(data.X, np.c_[data.y, data.y])
        with pytest.raises(ValueError, match="RandomForestRegressor has 2 outputs"):
            rf.from_estimator(several)
        categories = ensemble.HistGradientBoostingRegressor(categorical_features=[0])
        codes = np.abs(np.round(data.X))
        with pytest.raises(ValueError, match="categor"):
            rf.from_estimator(categories.fit(codes, codes[:, 0] % 2))
        for other in (Ridge().fit(data.X, data.y), object(), None, "m.rf"):
            with pytest.raises(TypeError, match="estimator must be a fitted model of trees of"):
                rf.from_estimator(other)

    def test_names_of_columns_are_kept(self):
        pandas = pytest.importorskip("pandas")
        data = documents()
        frame = pandas.DataFrame(data.X, columns=list("abcde"))
        model = rf.from_estimator(ensemble.RandomForestRegressor(2).fit(frame, data.y))
        assert model.feature_names == tuple("abcde")
        assert model.algorithm == "scikit-learn RandomForestRegressor"


def test_lightgbms_rankers():
    lightgbm = pytest.importorskip("lightgbm")
    data = documents(nan=True)
    ranker = lightgbm.LGBMRanker(n_estimators=8, min_child_samples=2, verbose=-1)
    ranker.fit(data.X, data.y, group=[12] * 30)
    for each in (ranker, ranker.booster_):
        check_scores(rf.from_estimator(each), data.X, ranker.predict(data.X))


@pytest.mark.parametrize("kind", ["ranking", "regression", "forest"])
def test_models_of_ydf(kind):
    ydf = pytest.importorskip("ydf")
    pandas = pytest.importorskip("pandas")
    data = documents(nan=True)
    frame = pandas.DataFrame(data.X, columns=list("abcde"))
    told = frame.assign(y=data.y.astype(float), q=data.qid)
    ydf.verbose(0)
    features = {"label": "y", "num_trees": 6, "features": list("abcde")}
    if kind == "ranking":
        learner = ydf.GradientBoostedTreesLearner(
            task=ydf.Task.RANKING, ranking_group="q", **features
        )
    else:
        cls = ydf.RandomForestLearner if kind == "forest" else ydf.GradientBoostedTreesLearner
        learner = cls(task=ydf.Task.REGRESSION, **features)
    theirs = learner.train(told)
    model = rf.from_estimator(theirs)
    assert model.feature_names == tuple("abcde")
    X = hard_rows(model, finite=True)
    rows = pandas.DataFrame(X, columns=list("abcde")).assign(y=0.0, q=0)
    check_scores(model, X, theirs.predict(rows))
    classes = ydf.RandomForestLearner(label="y", num_trees=2).train(told.assign(y=data.y > 1))
    with pytest.raises(ValueError, match="is for CLASSIFICATION, expected REGRESSION or RANKING"):
        rf.from_estimator(classes)


def shared(name):
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    return path


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("ranklib_lambdamart_small.txt", read_ranklib),
        ("ranklib_lambdamart_1000trees.txt", read_ranklib),
        ("quickrank_small.xml", read_quickrank),
    ],
)
def test_files_that_users_have_score_by_their_systems_rules(name, read):
    path = shared(name)
    forest, model = read(path.read_text()), rf.load(path)
    X = np.random.default_rng(0).normal(size=(200, model.n_features)).astype(np.float32)
    unit = float(np.finfo(forest.total).eps)
    allowed = len(forest.trees) ** 2 * unit + 2e-7 * len(forest.trees)
    assert np.abs(evaluate(forest, X) - model.predict(X)).max() <= allowed


def test_the_small_files_that_users_have():
    X = np.full((1, 140), 0.5, dtype=np.float32)
    quickrank = rf.load(shared("quickrank_small.xml"), n_features=140)
    # Tree 1: 0.5 <= 14.9, then 0.5 > -8.02; tree 2: 0.5 <= 0.667.
    expected = 0.10000000149011612 * (0.66845277963831218 + 0.5)
    np.testing.assert_allclose(quickrank.predict(X), expected, rtol=1e-7)
    jforests = rf.load(shared("jforests_small.xml"), n_features=140)
    nodes = jforests._ensemble.to_arrays()["members"][0]["groups"][0]["trees"]
    assert [len(tree["leaf"]) for tree in nodes] == [7, 7]
    assert nodes[0]["threshold"][0] == np.float32(268.0079)
    with pytest.warns(UserWarning, match="a dump of XGBoost"):
        dump = rf.load(shared("xgboost_dump_small.json"))
    assert dump.feature_names == ("tmdb_multi", "tmdb_title")
    X = np.array([[0, 0], [0, 3], [20, 0], [20, 9]], dtype=np.float32)
    leaves = [(-0.03125, -0.0165441), (-0.25, -0.0165441), (2.45, 0.04375), (2.45, 0.7)]
    np.testing.assert_allclose(dump.predict(X), [sum(pair) for pair in leaves], atol=1e-6)


def test_what_was_written_is_read_back_by_content_alone(tmp_path):
    data = documents()
    model = rf.LambdaMART(n_estimators=4).fit(data).model_
    for form in ("lightgbm", "xgboost-json", "xgboost-ubj", "ranklib", "quickrank"):
        model.export(tmp_path / "same name", form)
        again = rf.load(tmp_path / "same name", n_features=5)
        np.testing.assert_allclose(again.predict(data), model.predict(data), atol=1e-6)
    model.export(tmp_path / "same name", "solr", feature_names=list("abcde"))
    assert json.loads((tmp_path / "same name").read_text())["name"] == "rankforest"
