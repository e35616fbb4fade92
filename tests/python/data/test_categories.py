"""Categorical features from `fit` to files: every form of frame, every estimator, what is refused."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from category_cases import CATEGORICAL, RANKERS, forms_of, make_frame
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold

import rankforest as rf
from rankforest.model_json import from_json, to_json

NO_FEATURES = {"y": "grade", "qid": "query"}
FRAME, TEST = make_frame(), make_frame(n_queries=9, seed=1)
FORMS = forms_of(FRAME)


def features(frame):
    return frame.drop(columns=["grade", "query"])


def dataset(frame, columns=CATEGORICAL):
    return rf.Dataset.from_frame(frame, label="grade", query="query", categorical_features=columns)


def fitted(name="mart", columns=CATEGORICAL, frame=FRAME, **settings):
    ranker = clone(RANKERS[name]).set_params(categorical_features=columns, **settings)
    eval_set = {"eval_set": TEST} if name == "xdart" else {}
    return ranker.fit(frame, **NO_FEATURES, **eval_set)


@pytest.fixture(scope="module")
def ranker():
    return fitted()


class TestForms:
    @pytest.mark.parametrize("form", FORMS)
    def test_train_the_same_model_and_score_alike(self, ranker, form):
        other = fitted(frame=FORMS[form])
        assert other.model_ == ranker.model_
        expected = ranker.predict(FRAME)
        assert (ranker.predict(FORMS[form]) == expected).all()
        assert (ranker.model_.predict(FORMS[form]) == expected).all()

    @pytest.mark.parametrize("form", FORMS)
    def test_from_dtype_takes_texts_and_categories(self, form):
        data = dataset(FORMS[form], "from_dtype")
        assert data.levels == {"site": ("", "a.com", "b.org", "x\ny", "ä ö.de", "日本")}
        assert [
            c.name for c in fitted(columns="from_dtype", frame=FORMS[form]).model_.categories
        ] == ["site"]

    @pytest.mark.parametrize("columns", [CATEGORICAL, [0, 2], [True, False, True], "site,shop"])
    def test_names_numbers_and_flags_are_alike(self, ranker, columns):
        other = fitted(columns=columns)
        assert other.model_.categories[1].levels == (-3, 7, 11, 2**40)
        assert (other.predict(TEST) == ranker.predict(TEST)).all()

    def test_a_dataset_is_as_good_as_its_frame(self, ranker):
        data = dataset(FRAME)
        for columns in (CATEGORICAL, "from_dtype"):
            other = clone(RANKERS["mart"]).set_params(categorical_features=columns).fit(data)
            assert (other.predict(dataset(TEST)) == ranker.predict(TEST)).all()
        assert (ranker.predict(dataset(TEST)) == ranker.predict(features(TEST))).all()

    def test_ids_in_arrays_of_any_type_and_in_data_sets_of_numbers_are_levels(self):
        rng = np.random.default_rng(0)
        X = np.column_stack([rng.integers(0, 5, 120), rng.integers(-9, 9, 120)])
        y, qid = (X[:, 0] * 3 % 5 > 2).astype(float), np.repeat(np.arange(15), 8)
        scores = []
        for form in (
            X,
            X.astype(np.float32),
            X.tolist(),
            X.astype(object),
            rf.Dataset(X, y, qid=qid),
        ):
            model = rf.MART(n_estimators=4, categorical_features=[0])
            given = (form,) if isinstance(form, rf.Dataset) else (form, y)
            model.fit(*given, **({} if isinstance(form, rf.Dataset) else {"qid": qid}))
            scores += [model.predict(form), model.predict(X[:5])]
            assert model.model_.categories[0].levels == (0, 1, 2, 3, 4)
        assert all((found == scores[0][: len(found)]).all() for found in scores)

    def test_text_names_features_by_their_numbers(self, tmp_path):
        lines = [f"{i % 5 % 3} qid:{i // 6} 1:{i % 4} 3:{i % 5 * 100}" for i in range(60)]
        (tmp_path / "train.txt").write_text("\n".join(lines) + "\n")
        data = rf.read_letor(tmp_path / "train.txt")
        model = rf.MART(n_estimators=3, categorical_features=["3"]).fit(data).model_
        [each] = model.categories
        assert (each.feature, each.name, each.levels) == (2, "3", (0, 100, 200, 300, 400))

    def test_ids_beyond_float32_stay_apart(self):
        ids = np.array([2**60, 2**60 + 1] * 12)
        y = 2.0 * (ids % 2)
        model = rf.MART(n_estimators=9, categorical_features=[0], min_samples_leaf=1)
        model.fit(ids[:, None], y, qid=np.repeat(np.arange(6), 4))
        low, high = model.predict(np.array([[2**60], [2**60 + 1]]))
        assert low < high

    def test_a_hundred_thousand_levels_are_kept(self):
        rng = np.random.default_rng(0)
        names = np.array([f"item {i}" for i in range(100_000)], dtype=object)
        frame = pl.DataFrame({"item": rng.permutation(names), "x": rng.normal(size=100_000)})
        model = rf.MART(n_estimators=2, categorical_features="from_dtype")
        model.fit(frame, rng.integers(0, 3, 100_000), group=[100] * 1000)
        again = rf.Model.from_bytes(model.model_.to_bytes())
        assert len(again.categories[0].levels) == 100_000
        assert (again.predict(frame[:300]) == model.predict(frame[:300])).all()


class TestLevels:
    def test_unseen_levels_count_as_the_mean_of_all(self, ranker):
        site, shop = ranker.model_.categories
        assert site.unseen == shop.unseen == np.float32(FRAME["grade"].mean())
        odd = features(TEST).assign(site="nobody's", shop=0)
        assert set(ranker.model_.encode(odd)[:, 0]) == {np.float32(site.unseen)}
        assert set(ranker.model_.encode(odd)[:, 2]) == {np.float32(shop.unseen)}

    def test_missing_is_a_level_where_training_saw_it_and_else_unseen(self, ranker):
        site, shop = ranker.model_.categories
        is_missing = FRAME["site"].isna()
        assert is_missing.any()
        assert site.missing != site.unseen
        assert shop.missing == shop.unseen
        gone = features(TEST).assign(site=None, shop=np.nan)
        assert set(ranker.model_.encode(gone)[:, 0]) == {np.float32(site.missing)}
        assert set(ranker.model_.encode(gone)[:, 2]) == {np.float32(shop.unseen)}

    def test_a_number_that_means_missing_is_no_level(self):
        frame = FRAME.assign(shop=FRAME["shop"].replace(2**40, -1))
        data = rf.Dataset.from_frame(
            frame, label="grade", query="query", categorical_features=CATEGORICAL, missing=-1
        )
        assert data.levels["shop"] == (-3, 7, 11)
        model = rf.MART(n_estimators=3, categorical_features="from_dtype").fit(data).model_
        watched = rf.MART(n_estimators=3, categorical_features="from_dtype")
        watched.fit(data, eval_set=(features(frame), frame["grade"], frame["query"]))
        assert watched.history_["valid"]["ndcg@10"][-1] == pytest.approx(watched.score(data))
        encoded = model.encode(features(frame))
        assert set(encoded[frame["shop"] == -1, 2]) == {np.float32(model.categories[1].missing)}
        assert (model.predict(features(frame)) == model.predict(data)).all()

    def test_a_missing_number_of_0_is_no_position_of_a_level(self):
        frame = FRAME.assign(shop=FRAME["shop"].replace(7, 0))
        data = rf.Dataset.from_frame(
            frame, label="grade", query="query", categorical_features=CATEGORICAL, missing=0
        )
        assert not np.isnan(data.X[frame["site"] == "", 0]).any()
        assert np.isnan(data.X[frame["shop"] == 0, 2]).all()

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (
                {"site": 3},
                "'site' has whole numbers as levels, such as 3; the model was trained with ",
            ),
            ({"shop": "7"}, "'shop' has texts as levels, such as '7'; the model was trained with "),
            ({"shop": 0.5}, "texts or whole numbers; that of row 0 (counted from 0) is 0.5"),
            (
                {"site": pd.Timestamp("2024-01-01")},
                "column 'site': levels of a categorical feature",
            ),
        ],
    )
    def test_of_another_kind_are_refused(self, ranker, change, message):
        with pytest.raises(ValueError, match=r"categorical|levels") as error:
            ranker.predict(features(TEST).assign(**change))
        assert message in str(error.value)


class TestEveryEstimator:
    @pytest.mark.parametrize("name", RANKERS)
    def test_trains_scores_and_keeps_the_table(self, name, tmp_path):
        ranker = fitted(name)
        scores = ranker.predict(TEST, qid=TEST["query"])
        ranker.save(tmp_path / "m.rf")
        loaded = rf.load(tmp_path / "m.rf")
        assert loaded == ranker.model_
        assert [each.levels for each in loaded.categories] == [
            each.levels for each in ranker.model_.categories
        ]
        assert (loaded.predict(features(TEST), qid=TEST["query"]) == scores).all()
        assert (pickle.loads(pickle.dumps(ranker)).predict(TEST, qid=TEST["query"]) == scores).all()
        assert from_json(to_json(loaded._ensemble, loaded._info)) == (
            loaded._ensemble,
            loaded._info,
        )

    @pytest.mark.parametrize("name", RANKERS)
    def test_without_them_is_as_it_was(self, name):
        data = rf.datasets.make_ranking(n_queries=12, n_features=3, random_state=0)
        ranker = clone(RANKERS[name])
        ranker.fit(data, eval_set=data if name == "xdart" else None)
        assert "categorical_features" not in ranker.model_.parameters
        assert ranker.model_.categories == ()
        assert b"CATG" not in ranker.model_.to_bytes()

    @pytest.mark.parametrize("name", ["random_forest", "lambdamart", "bagged_lambdamart"])
    def test_threads_change_no_bit(self, name):
        assert fitted(name, n_jobs=1).model_ == fitted(name, n_jobs=3).model_

    @pytest.mark.parametrize("name", ["random_forest", "extra_trees", "mart", "igbrt"])
    def test_learns_probabilities(self, name):
        ranker = fitted(name, ordinal=True)
        shares = ranker.predict_proba(features(TEST))
        assert shares.shape == (len(TEST), 3)
        assert shares.sum(axis=1) == pytest.approx(1.0)

    def test_better_than_codes_as_numbers(self):
        codes = FRAME.assign(site=FRAME["site"].astype("category").cat.codes.to_numpy())
        ours = fitted("lambdamart").score(TEST)
        assert ours > rf.LambdaMART(n_estimators=5, min_samples_leaf=2).fit(
            codes, **NO_FEATURES
        ).score(TEST.assign(site=TEST["site"].astype("category").cat.codes.to_numpy()))


class TestSearches:
    def test_scikit_learns_take_frames(self):
        ranker = rf.MART(n_estimators=3, categorical_features="from_dtype", qid_column="query")
        search = GridSearchCV(ranker, {"max_depth": [1, 2]}, cv=GroupKFold(3))
        search.fit(FRAME.drop(columns="grade"), FRAME["grade"], groups=FRAME["query"])
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()

    def test_evaluate_takes_models_and_data_sets(self, ranker):
        found = rf.evaluate(dataset(TEST), ranker.model_, ["ndcg@10"])["ndcg@10"]
        assert found == pytest.approx(ranker.score(TEST))

    def test_a_held_out_part_sees_what_scoring_sees(self):
        ranker = fitted("lambdamart", validation_fraction=0.3, early_stopping_rounds=2)
        assert ranker.history_["validation"]["ndcg@10"]

    @pytest.mark.parametrize("form", FORMS)
    def test_an_evaluation_set_sees_what_scoring_sees(self, form):
        ranker = clone(RANKERS["lambdamart"]).set_params(categorical_features=CATEGORICAL)
        ranker.fit(FORMS[form], **NO_FEATURES, eval_set=TEST)
        assert ranker.history_["valid"]["ndcg@10"][-1] == pytest.approx(ranker.score(TEST))


def test_another_process_scores_the_file_to_the_same_bits(ranker, tmp_path):
    ranker.save(tmp_path / "m.rf")
    features(TEST).to_pickle(tmp_path / "test.pkl")
    code = (
        "import sys, pandas as pd, rankforest as rf\n"
        "print(rf.load(sys.argv[1]).predict(pd.read_pickle(sys.argv[2])).tobytes().hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "m.rf", tmp_path / "test.pkl"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ranker.predict(TEST).tobytes().hex()


class TestRefused:
    @pytest.mark.parametrize("form", FORMS)
    def test_texts_without_the_parameter_are_refused_with_what_to_write(self, form):
        with pytest.raises(ValueError, match=r'\'site\' .*categorical_features="from_dtype"'):
            rf.MART().fit(FORMS[form], **NO_FEATURES)

    def test_texts_in_arrays_too(self):
        with pytest.raises(ValueError, match=r"is 'a'; categorical_features=\[1\] takes texts"):
            rf.MART().fit([[1, "a"], [2, "b"]], [0, 1])

    def test_a_data_set_with_levels_too(self):
        with pytest.raises(
            ValueError, match=r"MART: the data has categorical columns, 'site', 'shop'"
        ):
            rf.MART().fit(dataset(FRAME))
        with pytest.raises(ValueError, match="categorical columns, 'shop'"):
            rf.MART(categorical_features=["site"]).fit(dataset(FRAME))

    @pytest.mark.parametrize("columns", [3, [1.5], [[1]], {"a": 1}, [""], b"a", [True, 1]])
    def test_what_is_no_column(self, columns):
        with pytest.raises(ValueError, match="categorical_features must be"):
            fitted(columns=columns)

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            (
                ["sight"],
                "names the feature 'sight', which the data has not: its 3 features are 'site'",
            ),
            ([3], "names the feature 3, which the data has not"),
            ([-1], "names the feature -1, which the data has not"),
            ([True], "must say True or False of each of the 3 features, got 1"),
            (["price"], r"column 'price': levels of a categorical feature must be texts or whole"),
        ],
    )
    def test_columns_that_are_not_there_or_hold_no_levels(self, columns, message):
        with pytest.raises(ValueError, match=message):
            fitted(columns=columns)

    def test_texts_and_numbers_in_one_column(self):
        odd = FRAME.assign(site=[*FRAME["site"].fillna("x")[:-1], 7])
        with pytest.raises(ValueError, match=r"must be all texts or all whole numbers.* row 159 7"):
            fitted(frame=odd)

    def test_rounded_ids(self):
        X = np.array([[2.0**25], [1.0], [3.0]], dtype=np.float32)
        with pytest.raises(
            ValueError, match=r"float32 does not tell whole numbers above 2\^24 apart"
        ):
            rf.MART(categorical_features=[0]).fit(X, [0, 1, 2], group=[3])

    def test_halves_of_characters(self):
        with pytest.raises(ValueError, match="cannot be written as UTF-8"):
            rf.Dataset([["\ud800"]], qid=[1], categorical_features=[0])

    def test_a_forest_within_an_estimator(self):
        forest = rf.RandomForest(categorical_features=["site"])
        with pytest.raises(ValueError, match="give categorical_features beside forest"):
            rf.IGBRT(forest=forest).fit(FRAME, **NO_FEATURES)
