"""Values that stand for missing ones: `missing` as a number, an infinity, the mean or the median."""

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.impute import SimpleImputer

import rankforest as rf
from rankforest import _core
from rankforest.model_json import from_json, to_json

NAN = np.nan
MOST = np.finfo(np.float32).max
FILLS = [0, 1.5, -1e30, "inf", "-inf", "mean", "median"]
#: Every estimator; graded criteria, bins and trees of one question a level among them.
MODELS = ESTIMATORS | {
    "entropy": rf.RandomForest(n_estimators=5, criterion="entropy", criterion_below="entropy"),
    "pairwise": rf.RandomForest(n_estimators=5, criterion="pairwise"),
    "listwise": rf.RandomForest(n_estimators=5, criterion="listwise"),
    "random": rf.ExtraTrees(n_estimators=5, criterion="random"),
    "forest of bins": rf.RandomForest(n_estimators=5, tree_method="hist"),
    "mart of bins": rf.MART(n_estimators=7, tree_method="hist"),
    "oblivious": rf.LambdaMART(n_estimators=7, grow_policy="oblivious", max_leaf_nodes=8),
    "oblivious of bins": rf.MART(
        n_estimators=7, grow_policy="oblivious", max_depth=3, tree_method="hist"
    ),
    "dart": rf.DART(n_estimators=7, drop_rate=0.3),
    "xdart": rf.XDART(n_estimators=7, drop_rate=0.3),
    "broof": rf.BROOF(n_estimators=4, max_iter=3),
    "bagged_lambdamart": rf.BaggedLambdaMART(n_estimators=4, n_bags=3, combine="mean"),
    "bagging": rf.Bagging(rf.MART(n_estimators=4), n_bags=3),
}


def with_missing(estimator, missing):
    name = "estimator__missing" if isinstance(estimator, rf.Bagging) else "missing"
    return clone(estimator).set_params(**{name: missing})


def filled(data, values):
    """Give a data set with values in place of NaN."""
    X = np.where(np.isnan(data.X), values, data.X).astype(np.float32)
    return rf.Dataset(X, data.y, qid=data.qid)


def naive_values(X, missing):
    """Give what stands for each missing value, by the definitions of scikit-learn."""
    if missing in ("mean", "median"):
        imputer = SimpleImputer(strategy=missing, keep_empty_features=True)
        return imputer.fit(X.astype(np.float64)).statistics_.astype(np.float32)
    number = {"inf": MOST, "-inf": -MOST}.get(missing, missing)
    return np.full(X.shape[1], number, np.float32)


@pytest.fixture(scope="module")
def train():
    X, y, qid = make_data(n_queries=14, missing=0.3)
    X[:, 3] = np.round(X[:, 3])  # ties
    X[0, 1] = np.inf
    return rf.Dataset(X, y, qid=qid)


@pytest.fixture(scope="module")
def test():
    X, y, qid = make_data(seed=1, missing=0.3)
    return rf.Dataset(X, y, qid=qid)


class TestByHand:
    # One split of one feature: grades of 1 stand above 2, and NaN has grade 1.
    X = np.array([[1], [1], [3], [3], [NAN], [NAN]], np.float32)
    y = np.array([0, 0, 1, 1, 1, 1])

    @pytest.mark.parametrize(
        ("missing", "value", "scores"),
        [
            ("learn", None, [0, 0, 1, 1, 1, 1]),
            (0, 0.0, [0.5, 0.5, 0.5, 0.5, 1, 1]),  # of two equal gains, the lower threshold's
            (1, 1.0, [0.5, 0.5, 1, 1, 0.5, 0.5]),
            (7, 7.0, [0, 0, 1, 1, 1, 1]),
            ("-inf", -MOST, [0.5, 0.5, 0.5, 0.5, 1, 1]),
            ("inf", MOST, [0, 0, 1, 1, 1, 1]),
            ("mean", 2.0, [0, 0, 1, 1, 1, 1]),
            ("median", 2.0, [0, 0, 1, 1, 1, 1]),
        ],
    )
    def test_documents_without_a_value_go_where_the_fill_goes(self, missing, value, scores):
        tree = rf.MART(n_estimators=1, learning_rate=1.0, max_depth=1, init="zero", missing=missing)
        model = tree.fit(self.X, self.y).model_
        assert model.predict(self.X).tolist() == scores
        assert (model.fill_values is None) == (value is None)
        if value is not None:
            assert model.fill_values.tolist() == [np.float32(value)]

    def test_a_feature_without_any_value_is_filled_with_0(self):
        X = np.hstack([self.X, np.full_like(self.X, NAN)])
        for missing in ("mean", "median"):
            model = rf.MART(n_estimators=2, missing=missing).fit(X, self.y).model_
            assert model.fill_values.tolist() == [2.0, 0.0]

    def test_features_without_gaps_have_fills_for_documents_to_come(self):
        X = np.array([[1], [2], [9]], np.float32)
        tree = rf.MART(n_estimators=1, learning_rate=1.0, max_depth=1, init="zero", missing="mean")
        model = tree.fit(X, [0, 0, 1]).model_
        assert model.fill_values.tolist() == [4.0]
        assert model.predict([[NAN], [4], [9]]).tolist() == [0, 0, 1]


class TestOracle:
    @pytest.mark.parametrize("missing", FILLS)
    @pytest.mark.parametrize("name", MODELS)
    def test_a_model_is_that_of_data_filled_before(self, name, missing, train, test):
        estimator = with_missing(MODELS[name], missing).fit(train, eval_set=test)
        values = naive_values(np.clip(train.X, -MOST, MOST), missing)
        np.testing.assert_array_equal(estimator.model_.fill_values, values)
        full = filled(test, values)
        expected = clone(MODELS[name]).fit(filled(train, values), eval_set=full)
        assert estimator.history_ == expected.history_
        model, codes = estimator.model_, test.query_codes
        scores = expected.predict(full)
        np.testing.assert_array_equal(estimator.predict(full), scores)
        np.testing.assert_array_equal(estimator.predict(test), scores)
        np.testing.assert_array_equal(model._ensemble.predict(test.X, codes, 1), scores)
        for isa in ("scalar", "best"):
            compiled = _core.CompiledScorer(model._ensemble, isa)
            np.testing.assert_array_equal(compiled.predict(test.X, codes, 1), scores)
        staged = [each.tolist() for each in model.staged_predict(test)]
        assert staged == [each.tolist() for each in expected.model_.staged_predict(full)]

    @given(st.integers(0, 2**32 - 1), st.floats(0, 1), st.sampled_from(FILLS))
    @settings(max_examples=40, deadline=None)
    def test_any_pattern_of_gaps_gives_the_scores_of_filled_data(self, seed, share, missing):
        rng = np.random.default_rng(seed)
        X = rng.integers(-3, 4, size=(60, 4)).astype(np.float32)
        y, qid = rng.integers(0, 3, size=60), np.repeat(np.arange(6), 10)
        X[rng.random(X.shape) < share * rng.random(4)] = NAN
        model = rf.MART(n_estimators=4, missing=missing).fit(X, y, qid=qid).model_
        values = naive_values(X, missing)
        np.testing.assert_array_equal(model.fill_values, values)
        full = np.where(np.isnan(X), values, X)
        expected = rf.MART(n_estimators=4).fit(full, y, qid=qid).model_
        np.testing.assert_array_equal(model.predict(X), expected.predict(full))

    def test_held_out_queries_say_nothing_about_the_mean(self, train):
        model = rf.LambdaMART(n_estimators=3, missing="mean", validation_fraction=0.3, n_jobs=1)
        model.fit(train)
        in_test = train._in_test(0.3, 0)
        finite = np.clip(train.X[~in_test], -MOST, MOST).astype(np.float64)
        expected = np.nanmean(finite, axis=0).astype(np.float32)
        np.testing.assert_allclose(model.model_.fill_values, expected, rtol=1e-6)

    def test_out_of_bag_scores_and_importances_are_those_of_filled_data(self, train):
        forest = rf.RandomForest(n_estimators=20, oob_score=True, missing="median").fit(train)
        full = filled(train, forest.model_.fill_values)
        expected = rf.RandomForest(n_estimators=20, oob_score=True).fit(full)
        np.testing.assert_array_equal(forest.oob_prediction_, expected.oob_prediction_)
        of_gaps, of_filled = (
            rf.out_of_bag_importance(each, data).importances
            for each, data in ((forest, train), (expected, full))
        )
        np.testing.assert_array_equal(of_gaps, of_filled)
        of_model = rf.out_of_bag_importance(forest.model_, train).importances
        np.testing.assert_array_equal(of_model, of_filled)

    @pytest.mark.parametrize("name", ["lambdamart", "mart", "random_forest"])
    def test_leaves_are_refitted_on_filled_data(self, name, train, test):
        model = with_missing(MODELS[name], "mean").fit(train).model_
        refitted = model.refit_leaves(test, decay=0.3)
        plain = clone(MODELS[name]).fit(filled(train, model.fill_values)).model_
        expected = plain.refit_leaves(filled(test, model.fill_values), decay=0.3)
        full = filled(test, model.fill_values)
        np.testing.assert_array_equal(refitted.predict(test), expected.predict(full))
        np.testing.assert_array_equal(refitted.fill_values, model.fill_values)
        assert refitted.parameters["missing"] == "mean"

    def test_a_number_that_means_missing_is_filled_like_nan(self, train):
        gap = np.where(np.isnan(train.X), -77, train.X)
        data = rf.Dataset(gap, train.y, qid=train.qid, missing=-77)
        model = rf.MART(n_estimators=5, missing="mean").fit(data).model_
        expected = rf.MART(n_estimators=5, missing="mean").fit(train).model_
        assert model._ensemble == expected._ensemble
        np.testing.assert_array_equal(model.predict(gap), expected.predict(train))

    def test_query_features_are_filled_after_they_are_made(self, train, test):
        wide = train.with_query_features("zscore")
        model = rf.MART(n_estimators=5, missing=0).fit(wide).model_
        full = filled(wide, 0)
        expected = rf.MART(n_estimators=5).fit(full).model_
        assert model.fill_values.tolist() == [0.0] * wide.n_features
        wide_test = test.with_query_features("zscore")
        np.testing.assert_array_equal(model.predict(test), expected.predict(filled(wide_test, 0).X))


class TestInvariants:
    @pytest.mark.parametrize("missing", [0, "mean", "median"])
    @pytest.mark.parametrize("name", ["mart", "random_forest", "bagged_lambdamart"])
    def test_the_model_does_not_depend_on_threads_and_the_order_of_rows(self, name, missing, train):
        estimator = with_missing(MODELS[name], missing)
        content = estimator.set_params(n_jobs=1).fit(train).model_.to_bytes()
        assert clone(estimator).set_params(n_jobs=3).fit(train).model_.to_bytes() == content
        rows = np.random.default_rng(3).permutation(train.n_documents)
        moved = rf.Dataset(train.X[rows], train.y[rows], qid=[f"q{q}" for q in train.qid[rows]])
        assert clone(estimator).fit(moved).model_.to_bytes() == content

    @pytest.mark.parametrize("missing", FILLS)
    def test_files_keep_scores_and_fills(self, missing, train, test, tmp_path):
        model = rf.MART(n_estimators=8, missing=missing).fit(train).model_
        model.save(tmp_path / "m.rf")
        model.save_json(tmp_path / "m.json")
        for kept in (
            rf.load(tmp_path / "m.rf"),
            rf.load(tmp_path / "m.json"),
            rf.Model(*from_json(to_json(model._ensemble, model._info))),
            model[:],
        ):
            np.testing.assert_array_equal(kept.predict(test), model.predict(test))
            np.testing.assert_array_equal(kept.fill_values, model.fill_values)
        assert rf.load(tmp_path / "m.json") == model

    def test_a_file_says_nothing_of_fills_where_there_are_none(self, train):
        model = rf.MART(n_estimators=2).fit(train).model_
        assert "fill_values" not in model.data_summary
        assert model.fill_values is None

    def test_scoring_in_part_and_lazily_sees_gaps_as_fills(self, train, test):
        model = rf.MART(n_estimators=30, missing="mean").fit(train).model_
        full = filled(test, model.fill_values)
        early = rf.EarlyExit(every=5, fraction=0.5)
        of_gaps, of_filled = (model.predict_within(d, early_exit=early) for d in (test, full))
        np.testing.assert_array_equal(of_gaps.scores, of_filled.scores)
        np.testing.assert_array_equal(of_gaps.rounds, of_filled.rounds)
        lazy = model.predict_lazily(test.n_documents, lambda f, rows: test.X[rows, f])
        np.testing.assert_array_equal(lazy.scores, model.predict(full))
        best = [model.top_k(d, 3) for d in (test, full)]
        np.testing.assert_array_equal(best[0].scores, best[1].scores)

    def test_data_without_gaps_gives_the_trees_of_any_treatment(self, test):
        data = filled(test, 0.25)
        plain = rf.MART(n_estimators=5).fit(data).model_
        for missing in FILLS:
            model = rf.MART(n_estimators=5, missing=missing).fit(data).model_
            np.testing.assert_array_equal(model.predict(data), plain.predict(data))

    def test_the_profile_counts_what_was_missing(self, train):
        model = rf.MART(n_estimators=2, missing=0).fit(train).model_
        share = np.isnan(train.X).mean(axis=0)
        np.testing.assert_array_equal(model.profile.missing, share)
        assert rf.drift(model, train).missing_now.max() == share.max()

    def test_the_data_of_the_caller_stays_as_it_is(self, train):
        before = train.X.copy()
        rf.MART(n_estimators=2, missing=0).fit(train)
        np.testing.assert_array_equal(train.X, before)


class TestGoingOn:
    @pytest.mark.parametrize("missing", [0, "median"])
    @pytest.mark.parametrize("name", ["mart", "random_forest", "bagged_lambdamart"])
    def test_warm_start_gives_the_model_of_training_at_once(self, name, missing, train):
        grows = "n_bags" if name.startswith("bagged") else "n_estimators"
        estimator = with_missing(MODELS[name], missing).set_params(warm_start=True, **{grows: 2})
        estimator.fit(train).set_params(**{grows: 4}).fit(train)
        once = clone(estimator).set_params(warm_start=False).fit(train)
        assert estimator.model_.to_bytes() == once.model_.to_bytes()

    def test_warm_start_refuses_another_treatment(self, train):
        model = rf.MART(n_estimators=2, warm_start=True, missing=0).fit(train)
        with pytest.raises(ValueError, match=r"missing was 0.0 and is 'mean'"):
            model.set_params(n_estimators=4, missing="mean").fit(train)

    def test_init_model_keeps_its_fills_on_new_data(self, train, test):
        first = rf.MART(n_estimators=4, missing="mean").fit(train).model_
        more = rf.MART(n_estimators=3, missing="mean").fit(test, init_model=first).model_
        np.testing.assert_array_equal(more.fill_values, first.fill_values)
        np.testing.assert_array_equal(more[:4].predict(test), first.predict(test))
        again = rf.MART(n_estimators=3, missing="mean").fit(train, init_model=first).model_
        once = rf.MART(n_estimators=7, missing="mean").fit(train).model_
        assert again._ensemble == once._ensemble

    def test_every_model_can_be_gone_on_from_by_learned_directions(self, train, test):
        first = rf.MART(n_estimators=4, missing="mean").fit(train).model_
        more = rf.MART(n_estimators=3).fit(test, init_model=first).model_
        np.testing.assert_array_equal(more[:4].predict(test), first.predict(test))
        assert more.fill_values is None

    @pytest.mark.parametrize("before", ["learn", "third", -5])
    def test_init_model_that_sends_gaps_elsewhere_is_refused(self, before, train):
        first = rf.MART(n_estimators=4, missing=before).fit(train).model_
        with pytest.raises(ValueError, match=r"missing=5.0 does not go with init_model.*learn"):
            rf.MART(n_estimators=3, missing=5).fit(train, init_model=first)


class TestUnusableValues:
    @pytest.mark.parametrize(
        "missing", [NAN, "predict", "0", "Mean", True, None, [0], 1e39, -1e300, "nan", ""]
    )
    @pytest.mark.parametrize("estimator", [rf.RandomForest, rf.MART, rf.LambdaMART, rf.DART])
    def test_are_refused_with_what_there_is(self, estimator, missing, train):
        with pytest.raises(
            ValueError, match=r'missing must be "learn", "third", "mean", .* got'
        ) as e:
            estimator(missing=missing).fit(train)
        assert str(e.value).endswith(f"got {missing!r}")
        assert "MissingFiller" in str(e.value)

    @pytest.mark.parametrize(
        ("missing", "plain"),
        [
            (np.float32(0.5), 0.5),
            (np.int64(3), 3.0),
            (-0.0, 0.0),
            (np.inf, "inf"),
            (-np.inf, "-inf"),
        ],
    )
    def test_numbers_of_any_kind_are_noted_in_plain_form(self, missing, plain, train):
        model = rf.MART(n_estimators=1, missing=missing).fit(train).model_
        assert model.parameters["missing"] == plain
        assert str(model.parameters["missing"]) == str(plain)  # no -0.0

    def test_both_parts_of_igbrt_see_the_same_data(self, train):
        forest = rf.RandomForest(n_estimators=3)
        model = rf.IGBRT(n_estimators=3, missing=0, forest=forest).fit(train)
        same = clone(model).set_params(forest__missing=0).fit(train)
        assert same.model_._ensemble == model.model_._ensemble
        for own, of_forest in (("learn", 0), (0, "mean"), (0, "third")):
            wrong = clone(model).set_params(missing=own, forest__missing=of_forest)
            with pytest.raises(ValueError, match=r"forest\.missing=.* does not go with missing="):
                wrong.fit(train)
        clone(model).set_params(missing="third", forest__missing="learn").fit(train)

    @pytest.mark.parametrize(
        ("parameters", "summary"),
        [
            ('{"missing":"mean"}', "{}"),
            ('{"missing":"mean"}', '{"fill_values":[1,2]}'),
            ('{"missing":"mean"}', '{"fill_values":[1,2,3,4,null]}'),
            ('{"missing":"mean"}', '{"fill_values":[1,2,3,4,1e39]}'),
            ('{"missing":[]}', "{}"),
        ],
    )
    def test_of_a_file_are_refused_by_who_asks_for_them(self, parameters, summary, train):
        trained = rf.MART(n_estimators=1).fit(train).model_
        info = _core.ModelInfo(parameters_json=parameters, summary_json=summary)
        model = rf.Model(trained._ensemble, info)
        np.testing.assert_array_equal(model.predict(train), trained.predict(train))
        with pytest.raises(ValueError, match=r"fill values|missing must be"):
            model.fill_values  # noqa: B018

    def test_the_core_refuses_what_python_never_gives(self, train):
        ensemble = rf.MART(n_estimators=3, missing="third").fit(train).model_._ensemble
        for fill, message in (
            (np.zeros(4, np.float32), "one value for each feature"),
            (np.full(5, NAN, np.float32), "NaN"),
        ):
            with pytest.raises(ValueError, match=message):
                ensemble.missing_as_filled(fill)
        with pytest.raises(ValueError, match=r"mean.*median"):
            _core.fill_values(train.X, "mode", 1)
