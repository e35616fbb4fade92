"""What else is done with models of categorical features: going on, changing, explaining, exporting."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from category_cases import CATEGORICAL, forms_of, make_frame

import rankforest as rf
from rankforest import _core
from rankforest._model.notes import replaced
from rankforest.model_json import from_json, to_json

NO_FEATURES = {"y": "grade", "qid": "query"}
FRAME, OTHER = make_frame(), make_frame(n_queries=15, seed=1)


def features(frame):
    return frame.drop(columns=["grade", "query"])


def dataset(frame, columns=CATEGORICAL):
    return rf.Dataset.from_frame(frame, label="grade", query="query", categorical_features=columns)


def mart(n_estimators=6, columns=CATEGORICAL, **settings):
    return rf.MART(n_estimators=n_estimators, categorical_features=columns, **settings)


@pytest.fixture(scope="module")
def model():
    return mart().fit(FRAME, **NO_FEATURES).model_


class TestGoingOn:
    def test_from_a_model_on_the_same_data_is_training_at_once(self, model):
        part = mart(3).fit(FRAME, **NO_FEATURES)
        rest = mart(3).fit(FRAME, **NO_FEATURES, init_model=part).model_
        assert rest._ensemble.to_bytes(_core.ModelInfo()) == model._ensemble.to_bytes(
            _core.ModelInfo()
        )
        assert rest._info.categories == model._info.categories

    def test_from_a_model_on_other_data_keeps_its_numbers(self, model):
        rest = mart(3).fit(OTHER, **NO_FEATURES, init_model=model).model_
        assert rest._info.categories == model._info.categories
        numbers = rf.Dataset(model.encode(features(OTHER)), OTHER["grade"], qid=OTHER["query"])
        on_numbers = rf.MART(n_estimators=3).fit(numbers, init_model=model[:].without_categories())
        scores = on_numbers.predict(model.encode(features(OTHER)))
        assert (rest.predict(features(OTHER)) == scores).all()

    @pytest.mark.parametrize("columns", [["site"], ["shop"]])
    def test_from_a_model_needs_the_same_columns(self, model, columns):
        frame = FRAME.assign(site=FRAME["site"].astype("category").cat.codes)
        with pytest.raises(ValueError, match="init_model: the same features must be categorical"):
            mart(3, columns).fit(frame, **NO_FEATURES, init_model=model)

    def test_from_a_model_without_any_is_refused(self):
        frame = FRAME.assign(site=FRAME["site"].astype("category").cat.codes)
        plain = rf.MART(n_estimators=2).fit(frame, **NO_FEATURES)
        with pytest.raises(ValueError, match="the model has none and categorical_features names"):
            mart().fit(frame, **NO_FEATURES, init_model=plain)

    def test_warm_start_is_training_at_once(self, model):
        ranker = mart(3, warm_start=True).fit(FRAME, **NO_FEATURES)
        assert ranker.set_params(n_estimators=6).fit(FRAME, **NO_FEATURES).model_ == model
        ranker.set_params(n_estimators=8, categorical_features=["site"])
        with pytest.raises(ValueError, match="categorical_features was"):
            ranker.fit(FRAME, **NO_FEATURES)

    def test_a_checkpoint_ends_in_the_same_model(self, model, tmp_path):
        path = tmp_path / "state"

        def stop(report):
            if report["round"] == 4:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            mart(callbacks=stop).fit(FRAME, **NO_FEATURES, checkpoint=path, checkpoint_every=1)
        assert path.exists()
        assert mart().fit(FRAME, **NO_FEATURES, checkpoint=path).model_ == model
        with pytest.raises(ValueError, match="categorical_features"):
            mart(columns=["shop"]).fit(FRAME.assign(site=0.5), **NO_FEATURES, checkpoint=path)


class TestChanging:
    def test_refitted_leaves_are_of_documents_with_the_models_numbers(self, model):
        refitted = model.refit_leaves(OTHER, "grade", qid="query")
        assert refitted._info.categories == model._info.categories
        numbers = rf.Dataset(
            model.encode(features(OTHER)),
            OTHER["grade"],
            qid=OTHER["query"],
            feature_names=model.feature_names,
        )
        expected = model.without_categories().refit_leaves(numbers)
        assert (refitted.predict(features(OTHER)) == expected.predict(numbers)).all()

    def test_prefixes_and_metadata_keep_the_table(self, model):
        assert model[:2]._info.categories == model._info.categories
        assert model.with_metadata({"a": "b"})._info.categories == model._info.categories

    def test_pruned_and_timed_models_score_the_same_frames(self, model):
        pruned = rf.prune(model, dataset(OTHER), n_trees=3).model
        assert pruned.n_trees == 3
        assert pruned._info.categories == model._info.categories
        assert np.isfinite(pruned.predict(features(OTHER))).all()

    def test_bags_of_any_ranker(self):
        bag = rf.Bagging(mart(3), n_bags=2).fit(FRAME, **NO_FEATURES)
        scores = bag.predict(OTHER, qid=OTHER["query"])
        assert np.isfinite(scores).all()
        assert len(bag.model_.categories) == 2
        assert bag.take([0]).categories[0].levels == bag.model_.categories[0].levels

    def test_blends_of_models_of_the_same_data(self, model):
        forest = rf.RandomForest(n_estimators=3, categorical_features=CATEGORICAL)
        forest.fit(FRAME, **NO_FEATURES)
        blended = rf.blend([model, forest], weights=[1, 2], combine="sum")
        expected = model.predict(features(OTHER)) + 2 * forest.predict(features(OTHER))
        assert blended.predict(features(OTHER)) == pytest.approx(expected)
        searched = rf.blend([model, forest], dataset(OTHER))
        assert np.isfinite(searched.predict(dataset(OTHER))).all()

    def test_blends_of_models_that_see_other_numbers_are_refused(self, model):
        other = mart().fit(OTHER, **NO_FEATURES)
        with pytest.raises(ValueError, match="same numbers for the levels of feature 'site'"):
            rf.blend([model, other])


class TestScoringInPart:
    def test_a_provider_gives_levels(self, model):
        frame = features(OTHER)
        columns = [frame[name].to_numpy() for name in frame.columns]
        scored = model.predict_lazily(len(frame), lambda f, rows: columns[f][rows])
        assert (scored.scores == model.predict(frame)).all()

    def test_the_best_and_exits_are_of_the_same_scores(self, model):
        best = model.top_k(dataset(OTHER), 3)
        assert (best.scores == model.predict(dataset(OTHER))[best.rows]).all()
        within = model.predict_within(
            features(OTHER), early_exit=rf.EarlyExit(every=3, fraction=0.5)
        )
        assert within.scores.shape == (len(OTHER),)


class TestExplaining:
    def test_shapley_values_add_up_to_scores(self, model):
        explained = model.explain(features(OTHER))
        sums = explained.base_values + explained.values.sum(axis=1)
        assert sums == pytest.approx(model.predict(features(OTHER)), abs=1e-6)
        assert (explained.data == model.encode(features(OTHER))).all()
        again = model.with_node_counts(features(OTHER)).explain(features(OTHER))
        assert again.values.shape == explained.values.shape

    def test_importance_of_permuted_levels(self, model):
        found = rf.permutation_importance(model, dataset(OTHER), n_repeats=2)
        on_numbers = rf.permutation_importance(
            model.without_categories(),
            rf.Dataset(
                model.encode(features(OTHER)),
                OTHER["grade"],
                qid=OTHER["query"],
                feature_names=model.feature_names,
            ),
            n_repeats=2,
        )
        assert (found.importances == on_numbers.importances).all()
        assert found.importances_mean[0] > 0

    def test_out_of_bag_importance_takes_the_training_data(self):
        forest = rf.RandomForest(n_estimators=5, categorical_features=CATEGORICAL)
        forest.fit(FRAME, **NO_FEATURES)
        found = rf.out_of_bag_importance(forest, dataset(FRAME))
        assert found.importances.shape == (3, 5)
        with pytest.raises(ValueError, match="not what the model was trained on"):
            rf.out_of_bag_importance(forest, dataset(OTHER))

    def test_drift_is_of_the_numbers(self, model):
        assert rf.drift(model, features(FRAME)).moved == ()
        assert "site" in rf.drift(model, features(FRAME).assign(site="a.com")).moved

    def test_scores_never_fall_as_the_mean_grade_of_a_level_rises(self):
        model = mart(20, monotonic_cst={"site": 1}).fit(FRAME, **NO_FEATURES).model_
        site = model.categories[0]
        frame = features(OTHER)[:10]
        scores = [model.predict(frame.assign(site=site.levels[i])) for i in np.argsort(site.values)]
        assert (np.diff(scores, axis=0) >= 0).all()


class TestExporting:
    @pytest.mark.parametrize("form", ["lightgbm", "quickrank", "ranklib", "xgboost-json"])
    def test_says_what_to_export(self, model, tmp_path, form):
        with pytest.raises(ValueError, match=r"levels .*'site', 'shop': export model.without_cat"):
            model.export(tmp_path / "m", form)
        report = model.without_categories().export(
            tmp_path / "m", form, verify=model.encode(features(OTHER))
        )
        assert report.parity is not None

    def test_headers_and_treelite_say_so_too(self, model, tmp_path):
        with pytest.raises(ValueError, match="without_categories"):
            model.save_cpp(tmp_path / "m.hpp")
        with pytest.raises(ValueError, match="without_categories"):
            model.to_treelite()
        model.without_categories().save_cpp(tmp_path / "m.hpp")

    def test_a_model_without_any_stays_as_it_is(self):
        data = rf.datasets.make_ranking(n_queries=8, random_state=0)
        plain = rf.MART(n_estimators=2).fit(data).model_
        assert plain.without_categories() == plain
        assert (plain.encode(data) == data.X).all()


class TestJson:
    def test_holds_the_table(self, model):
        text = json.loads(to_json(model._ensemble, model._info))
        site, shop = text["categories"]
        assert site["levels"] == ["", "a.com", "b.org", "x\ny", "ä ö.de", "日本"]
        assert shop["feature"] == 2
        assert shop["levels"] == [-3, 7, 11, 2**40]

    @pytest.mark.parametrize(
        ("key", "value", "message"),
        [
            ("feature", 3, "categorical feature 2 does not come after feature 3"),
            ("feature", -1, r"categories\[0\].feature: expected a number"),
            ("levels", ["b", "a", "c", "d", "e", "f"], "levels that do not ascend"),
            (
                "levels",
                ["a", 1],
                r"categories\[0\].levels: expected all texts or all whole numbers",
            ),
            ("levels", [2**63], "expected all texts or all whole numbers"),
            ("levels", ["a"], "has 6 values for 1 levels"),
            ("values", [1e39] * 6, "must be float32 numbers"),
            ("unseen", None, "must be float32 numbers"),
        ],
    )
    def test_that_no_model_can_have_is_refused(self, model, key, value, message):
        values = json.loads(to_json(model._ensemble, model._info))
        values["categories"][0][key] = value
        with pytest.raises(ValueError, match=message):
            from_json(json.dumps(values))

    def test_is_left_out_where_there_is_none(self, model):
        plain = model.without_categories()
        assert "categories" not in json.loads(to_json(plain._ensemble, plain._info))
        values = json.loads(to_json(plain._ensemble, plain._info))
        with pytest.raises(ValueError, match="there must be one, or no such key"):
            from_json(json.dumps(values | {"categories": []}))


class TestDataSets:
    def test_parts_and_frames_keep_levels(self):
        data = dataset(FRAME)
        part = data.take(data.query_ids[3:6])
        assert part.levels == data.levels
        for library in ("pandas", "polars", "pyarrow"):
            frame = part.to_frame(library, label="grade", query="query")
            again = dataset(frame)
            assert (dataset(frame).to_frame() if False else again.to_frame()).equals(
                part.to_frame()
            )

    def test_unused_levels_of_a_part_change_no_model(self):
        data = dataset(FRAME)
        rows = np.flatnonzero(FRAME["site"] != "a.com")
        part = data.take_rows(rows)
        assert "a.com" in part.levels["site"]
        model = mart(columns="from_dtype").fit(part).model_
        assert "a.com" not in model.categories[0].levels
        assert model == mart(columns="from_dtype").fit(dataset(FRAME.iloc[rows])).model_

    def test_sets_put_together_have_the_levels_of_all(self):
        first, second = FRAME[:80], FRAME[80:].assign(site="new")
        both = rf.concat([dataset(first), dataset(second)], queries="merge")
        assert both.levels["site"] == dataset(pd.concat([first, second])).levels["site"]
        assert both.to_frame().equals(dataset(pd.concat([first, second])).to_frame())
        numbers = first.assign(site=0.5)
        with pytest.raises(ValueError, match="differ in whether 'site' is categorical"):
            rf.concat([dataset(first), dataset(numbers, ["shop"])], queries="merge")

    def test_what_takes_numbers_only_says_so(self, tmp_path):
        data = dataset(FRAME)
        with pytest.raises(ValueError, match="categorical columns, 'site', 'shop': query features"):
            data.with_query_features("rank")
        with pytest.raises(ValueError, match="LETOR text holds numbers"):
            rf.write_letor(tmp_path / "t.txt", data)
        with pytest.raises(ValueError, match="MissingFiller predicts numbers"):
            rf.MissingFiller().fit(data)
        numbers = rf.datasets.make_ranking(n_queries=8, n_features=3, random_state=0)
        plain = rf.MART(n_estimators=2).fit(numbers.X, numbers.y, qid=numbers.qid)
        with pytest.raises(ValueError, match="the model takes numbers only"):
            plain.model_.predict(data)

    def test_pickles_hold_levels(self):
        data = dataset(forms_of(FRAME)["polars enum"])
        again = pickle.loads(pickle.dumps(data))
        assert again.levels == data.levels
        assert (again.X[:, 0] == data.X[:, 0]).sum() == np.isfinite(data.X[:, 0]).sum()


def test_models_differ_by_their_table(model):
    tables = [list(each) for each in model._info.categories]
    tables[0][3] += 1.0
    changed = rf.Model(model._ensemble, replaced(model._info, categories=tables))
    assert changed != model
