import inspect
import pickle
import re

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import rankforest as rf
from rankforest import (
    IGBRT,
    MART,
    Dataset,
    ExtraTrees,
    LambdaMART,
    RandomForest,
    SelGB,
    _core,
    evaluate,
)

CLASSES = {
    "random_forest": RandomForest,
    "extra_trees": ExtraTrees,
    "mart": MART,
    "igbrt": IGBRT,
    "lambdamart": LambdaMART,
    "selgb": SelGB,
}
BOOSTERS = ["mart", "igbrt", "lambdamart", "selgb"]


@pytest.fixture(params=list(ESTIMATORS))
def estimator(request):
    return clone(ESTIMATORS[request.param])


@pytest.fixture(scope="module")
def data():
    return make_data()


@pytest.fixture(scope="module")
def other_data():
    return make_data(n_queries=8, seed=1)


def fitted(estimator, data, **params):
    X, y, qid = data
    return clone(estimator).set_params(**params).fit(X, y, qid=qid)


class TestParameters:
    @pytest.mark.parametrize("algorithm", CLASSES)
    def test_defaults_are_those_of_the_core(self, algorithm):
        defaults = CLASSES[algorithm]().get_params(deep=False)
        core = _core.default_settings(algorithm)
        if algorithm == "igbrt":
            forest = RandomForest().get_params()
            assert {name: forest[name] for name in core["forest"]} == core.pop("forest")
            assert defaults.pop("forest") is None
        assert {name: defaults[name] for name in core} == core
        assert (
            not {*defaults}
            - {*core}
            - {
                "callbacks",
                "categorical_features",
                "early_stopping_set",
                "feature_costs",
                "feature_weights",
                "interaction_cst",
                "max_features_used",
                "metric",
                "monotonic_cst",
                "n_jobs",
                "objective",
                "oob_score",
                "position_bias_regularization",
                "qid_column",
                "random_state",
                "validation_fraction",
                "verbose",
                "warm_start",
            }
        )

    @pytest.mark.parametrize("algorithm", CLASSES)
    def test_the_docstring_has_every_parameter_in_order_with_its_default(self, algorithm):
        signature = inspect.signature(CLASSES[algorithm])
        section = CLASSES[algorithm].__doc__.split("Attributes\n")[0]
        documented = re.findall(r"^    (\w+) : .*default=(.+)$", section, flags=re.MULTILINE)
        expected = [(name, parameter.default) for name, parameter in signature.parameters.items()]
        assert [(name, eval(default)) for name, default in documented] == expected

    def test_all_unusable_arguments_are_named_at_once(self, data):
        X, y, qid = data
        model = LambdaMART(
            n_estimators=0, learning_rate=2, metric="ndgc@10", early_stopping_rounds=5
        )
        with pytest.raises(ValueError, match="LambdaMART: 4 arguments") as error:
            model.fit(X, y, qid=qid)
        for name in ("n_estimators", "learning_rate", "ndgc", "early_stopping_rounds needs"):
            assert name in str(error.value)

    def test_a_bad_parameter_of_the_inner_forest_is_named_with_its_path(self, data):
        X, y, qid = data
        with pytest.raises(ValueError, match=r"forest\.max_depth must be .* got 0"):
            IGBRT(forest=RandomForest(max_depth=0)).fit(X, y, qid=qid)

    def test_the_inner_forest_is_a_random_forest(self, data):
        X, y, qid = data
        with pytest.raises(ValueError, match="forest must be a RandomForest or None"):
            IGBRT(forest=ExtraTrees()).fit(X, y, qid=qid)

    def test_more_features_per_split_than_there_are_is_an_error(self, data):
        X, y, qid = data
        with pytest.raises(ValueError, match=r"max_features .* 6.* 5 features"):
            RandomForest(n_estimators=2, max_features=6).fit(X, y, qid=qid)

    @pytest.mark.parametrize("metric", [[], 3, ["ndcg@5", None]])
    def test_a_metric_is_spelled_or_made(self, data, metric):
        X, y, qid = data
        with pytest.raises(ValueError, match="metric must "):
            MART(metric=metric).fit(X, y, qid=qid)

    def test_a_drawn_seed_is_recorded_and_gives_the_same_model_again(self, data):
        forest = fitted(ESTIMATORS["random_forest"], data, random_state=None)
        again = fitted(ESTIMATORS["random_forest"], data, random_state=forest.random_state_)
        assert again.model_ == forest.model_
        assert fitted(ESTIMATORS["random_forest"], data, random_state=None).model_ != forest.model_

    def test_the_model_file_says_how_it_was_made(self, estimator, data):
        model = fitted(estimator, data, random_state=5).model_
        assert CLASSES[model.algorithm] is type(estimator)
        assert model.parameters["random_state"] == 5
        assert model.parameters["max_features"] == estimator.max_features
        assert not {"n_jobs", "callbacks"} & set(model.parameters)


class TestLearning:
    def test_training_documents_end_up_in_grade_order(self):
        X, _, qid = make_data()
        y = np.digitize(X[:, 0], [0.0, 1.0])
        model = LambdaMART(n_estimators=30, min_samples_leaf=1).fit(X, y, qid=qid)
        scores = model.predict(X)
        for q in range(12):
            grades = y[qid == q][np.argsort(-scores[qid == q], kind="stable")]
            assert (np.diff(grades) <= 0).all()

    def test_every_algorithm_ranks_new_documents_well(self, estimator, data, other_data):
        X, y, qid = other_data
        model = fitted(estimator, data, n_estimators=40)
        random = evaluate((y, qid), np.random.default_rng(0).random(len(y)), ["ndcg@10"])
        assert model.score(X, y, qid) > random["ndcg@10"] + 0.1

    def test_scores_come_back_in_the_order_of_the_rows(self, estimator, data):
        X, y, qid = data
        shuffled = np.random.default_rng(1).permutation(len(y))
        model = clone(estimator).fit(X[shuffled], y[shuffled], qid=qid[shuffled])
        np.testing.assert_array_equal(model.predict(X)[shuffled], model.predict(X[shuffled]))
        assert model.predict(X).dtype == np.float64

    def test_a_dataset_and_its_arrays_give_the_same_model_and_scores(self, estimator, data):
        X, y, qid = data
        dataset = Dataset(X, y, qid=qid)
        from_dataset = clone(estimator).fit(dataset)
        from_arrays = clone(estimator).fit(X, y, qid=qid)
        assert from_dataset.model_ == from_arrays.model_
        np.testing.assert_array_equal(from_dataset.predict(dataset), from_arrays.predict(X))
        assert from_dataset.score(dataset) == from_arrays.score(X, y, qid)

    def test_group_sizes_are_as_good_as_query_ids(self, data):
        X, y, qid = data
        by_group = clone(ESTIMATORS["lambdamart"]).fit(X, y, group=[10] * 12)
        assert by_group.model_ == clone(ESTIMATORS["lambdamart"]).fit(X, y, qid=qid).model_

    def test_a_whole_weight_counts_like_as_many_documents(self, data):
        X, y, qid = data
        weights = np.where(np.arange(len(y)) % 3 == 0, 2.0, 1.0)
        twice = np.repeat(np.arange(len(y)), weights.astype(int))
        model = MART(n_estimators=5, max_depth=2)
        by_weight = clone(model).fit(X, y, qid=qid, sample_weight=weights)
        by_row = clone(model).fit(X[twice], y[twice], qid=qid[twice])
        np.testing.assert_allclose(by_weight.predict(X), by_row.predict(X), rtol=1e-4, atol=1e-4)

    def test_data_with_missing_values_trains_and_scores(self, estimator):
        X, y, qid = make_data(missing=0.3)
        for missing in ("learn", "third"):
            model = clone(estimator).set_params(missing=missing).fit(X, y, qid=qid)
            assert np.isfinite(model.predict(X)).all()

    @pytest.mark.parametrize("tree_method", ["exact", "hist"])
    def test_infinities_train_and_score_as_the_largest_numbers(self, estimator, data, tree_method):
        X, y, qid = data
        infinite = X.copy()
        infinite[::7, 1] = np.inf
        infinite[::5, 1] = -np.inf
        infinite[::3, 0] = np.nan
        largest = np.nan_to_num(infinite, nan=np.nan)
        assert np.isfinite(largest[:, 1]).all()
        model = clone(estimator).set_params(tree_method=tree_method)
        for missing in ("learn", "third"):
            model.set_params(missing=missing)
            of_infinite = clone(model).fit(infinite, y, qid=qid)
            assert of_infinite.model_ == clone(model).fit(largest, y, qid=qid).model_
            np.testing.assert_array_equal(
                of_infinite.predict(infinite), of_infinite.predict(largest)
            )

    def test_a_column_of_infinities_and_missing_values_is_split_between_the_two(self, data):
        _, y, qid = data
        X = np.where(y > 0, np.inf, np.nan)[:, None]
        for sign in (1, -1):
            model = MART(n_estimators=1, learning_rate=1.0).fit(sign * X, y, qid=qid)
            scores = model.predict(sign * X)
            assert scores[y == 0] == pytest.approx(0.0, abs=1e-6)
            assert scores[y > 0] == pytest.approx(y[y > 0].mean())


class TestQueries:
    def test_lambdamart_without_queries_says_what_it_needs(self, data):
        X, y, _ = data
        with pytest.raises(ValueError, match=r"LambdaMART: .* together: pass qid"):
            LambdaMART().fit(X, y)

    @pytest.mark.parametrize("algorithm", ["random_forest", "extra_trees", "mart", "igbrt"])
    def test_point_wise_algorithms_take_documents_without_queries_as_one(self, data, algorithm):
        X, y, _ = data
        without = clone(ESTIMATORS[algorithm]).fit(X, y)
        one = clone(ESTIMATORS[algorithm]).fit(X, y, qid=np.zeros(len(y), dtype=int))
        assert without.model_ == one.model_

    def test_drawing_queries_needs_queries(self, data):
        X, y, _ = data
        with pytest.raises(ValueError, match=r'subsample_unit="query".* qid'):
            RandomForest(subsample_unit="query", subsample=0.5).fit(X, y)

    def test_score_without_queries_says_how_to_pass_them(self, estimator, data):
        X, y, _ = data
        model = fitted(estimator, data)
        with pytest.raises(ValueError, match=r"set_score_request\(qid=True\)"):
            model.score(X, y)

    def test_no_pair_to_learn_from_is_explained_with_counts(self):
        X = np.arange(12, dtype=np.float32).reshape(6, 2)
        with pytest.raises(ValueError, match="no two documents of a query") as error:
            LambdaMART().fit(X, [1, 1, 0, 0, 2, 2], qid=["a", "a", "b", "b", "c", "d"])
        assert "of 4 queries" in str(error.value)
        assert "2 have a single document and 2 have one grade" in str(error.value)

    def test_a_dataset_and_arrays_at_once_are_refused(self, data):
        X, y, qid = data
        with pytest.raises(ValueError, match="Dataset brings its own"):
            MART().fit(Dataset(X, y, qid=qid), y)


class TestConstantModels:
    def test_one_grade_everywhere_is_warned_of(self, data):
        X, _, qid = data
        with pytest.warns(UserWarning, match="constant.*every document has grade 1"):
            model = MART(n_estimators=2).fit(X, np.ones(len(X)), qid=qid)
        np.testing.assert_array_equal(model.predict(X), np.ones(len(X)))

    def test_features_that_never_vary_are_warned_of(self, data):
        _, y, qid = data
        with pytest.warns(
            UserWarning, match="constant.*none of the 3 features has two different values"
        ):
            RandomForest(n_estimators=2).fit(np.ones((len(y), 3)), y, qid=qid)

    def test_leaves_too_large_for_the_data_are_warned_of(self):
        X, y, qid = make_data(n_queries=3)
        with pytest.warns(UserWarning, match="constant.*min_samples_leaf=20.*30 documents"):
            LambdaMART(n_estimators=2).fit(X, y, qid=qid)


class TestColumns:
    def test_too_few_or_too_many_features_are_refused_with_both_numbers(self, estimator, data):
        model = fitted(estimator, data)
        X = data[0]
        for wrong in (X[:, :3], np.hstack([X, X])):
            numbers = f"X has {wrong.shape[1]} features, but .* is expecting 5 features"
            with pytest.raises(ValueError, match=numbers):
                model.predict(wrong)
            with pytest.raises(ValueError, match=numbers):
                next(model.staged_predict(wrong))

    def test_columns_of_data_frames_are_checked_by_name(self, data):
        pd = pytest.importorskip("pandas")
        X, y, qid = data
        frame = pd.DataFrame(X, columns=["bm25", "pagerank", "age", "länge", "a b"])
        model = clone(ESTIMATORS["mart"]).fit(frame, y, qid=qid)
        assert list(model.feature_names_in_) == list(frame.columns)
        np.testing.assert_array_equal(model.predict(frame), model.predict(X))
        with pytest.raises(ValueError, match="same order"):
            model.predict(frame[frame.columns[::-1]])
        with pytest.raises(ValueError, match="yet now missing:\n- age"):
            model.predict(frame.drop(columns="age"))
        with pytest.raises(ValueError, match="unseen at fit time:\n- clicks"):
            model.predict(frame.assign(clicks=0.0))
        with pytest.raises(ValueError, match=r"eval_set: 'valid'.*\n.*\n- age"):
            clone(model).fit(frame, y, qid=qid, eval_set=(frame.drop(columns="age"), y, qid))

    def test_models_of_arrays_have_no_feature_names(self, estimator, data):
        model = fitted(estimator, data)
        assert not hasattr(model, "feature_names_in_")
        assert model.n_features_in_ == 5


class TestModels:
    def test_before_fit_nothing_works_and_says_so(self, estimator, data, tmp_path):
        X = data[0]
        for use in (
            lambda: estimator.predict(X),
            lambda: estimator.staged_predict(X),
            lambda: estimator.save(tmp_path / "m.rf"),
            lambda: estimator[:3],
            estimator.feature_importances,
        ):
            with pytest.raises(NotFittedError):
                use()
        assert not hasattr(estimator, "n_features_in_")

    def test_stages_are_the_scores_of_prefixes(self, estimator, data):
        X = data[0]
        model = fitted(estimator, data)
        stages = list(model.staged_predict(X))
        assert len(stages) == model.model_.n_rounds
        for k, scores in enumerate(stages, start=1):
            np.testing.assert_array_equal(scores, model[:k].predict(X))
        np.testing.assert_array_equal(stages[-1], model.predict(X))

    def test_a_prefix_is_a_model_of_fewer_rounds(self, data):
        model = fitted(ESTIMATORS["lambdamart"], data)
        assert model[:3].best_iteration_ == 3
        assert model[:-2].model_ == model.model_[:5]
        assert model[:99].model_ == model.model_
        assert model.best_iteration_ == 7

    @pytest.mark.parametrize("index", [0, slice(1, 3), slice(None, None, 2)])
    def test_only_prefixes_can_be_taken(self, data, index):
        model = fitted(ESTIMATORS["mart"], data)
        with pytest.raises((TypeError, ValueError), match=r"model\[:k\]"):
            model[index]

    def test_a_saved_model_scores_the_same_bits(self, estimator, data, tmp_path):
        X = data[0]
        model = fitted(estimator, data)
        model.save(tmp_path / "m.rf")
        loaded = rf.load(tmp_path / "m.rf")
        assert loaded == model.model_
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        np.testing.assert_array_equal(loaded[:3].predict(X), model[:3].predict(X))

    def test_pickle_keeps_everything(self, estimator, data):
        X = data[0]
        model = fitted(estimator, data)
        again = pickle.loads(pickle.dumps(model))
        assert again.model_ == model.model_
        assert again.history_ == model.history_
        assert again.get_params(deep=False).keys() == model.get_params(deep=False).keys()
        np.testing.assert_array_equal(again.predict(X), model.predict(X))

    def test_a_pickle_holds_the_bytes_of_the_file(self, data, tmp_path):
        model = fitted(ESTIMATORS["mart"], data)
        model.save(tmp_path / "m.rf")
        assert (tmp_path / "m.rf").read_bytes() in pickle.dumps(model)

    def test_importances_name_the_features_that_decide(self, estimator, data):
        model = fitted(estimator, data, n_estimators=30)
        assert set(np.argsort(model.feature_importances_)[-2:]) == {0, 1}
        assert model.feature_importances_.sum() == pytest.approx(1.0)
        splits = model.feature_importances(kind="split")
        assert (splits == np.round(splits)).all()
        with pytest.raises(ValueError, match="kind"):
            model.feature_importances(kind="gini")

    def test_fitting_again_forgets_the_first_model(self, estimator, data, other_data):
        X, y, qid = other_data
        model = fitted(estimator, data)
        model.fit(X, y, qid=qid)
        assert model.model_ == clone(estimator).fit(X, y, qid=qid).model_
