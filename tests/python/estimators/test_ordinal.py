"""Learning by classification: `ordinal=True`."""

import pickle

import numpy as np
import pytest
from estimator_cases import make_data
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import GridSearchCV, GroupKFold

import rankforest as rf
from rankforest import IGBRT, MART, Bagging, ExtraTrees, LambdaMART, RandomForest, concat, evaluate

SMALL = {
    "random_forest": RandomForest(n_estimators=9, max_features=2, max_depth=4),
    "entropy": RandomForest(n_estimators=5, criterion="entropy"),
    "extra_trees": ExtraTrees(n_estimators=9, max_features=2),
    "mart": MART(n_estimators=8, max_features=0.6),
    "sgbrt": MART(n_estimators=8, subsample=0.6, init="zero"),
    "igbrt": IGBRT(n_estimators=5, subsample=0.7, forest=RandomForest(n_estimators=4)),
}
VALUES = {"expected": lambda y: y, "square": lambda y: y * y, "exp2": lambda y: 2.0**y}


def graded(estimator, **parameters):
    """Return the same estimator that learns by classification."""
    return clone(estimator).set_params(ordinal=True, **parameters)


def one_query(grades=(0, 1, 2), seed=0, missing=0.05):
    """Return documents of one query, whose canonical order no grade decides."""
    X, y, _ = make_data(seed=seed, missing=missing)
    return X, np.asarray(grades, dtype=float)[y.astype(int)]


def separate(estimator, X, y, T):
    """Return what plain models of 0 and 1 say of T, a column for each grade but the highest."""
    grades = np.unique(y)
    models = [clone(estimator).fit(X, (y <= grade).astype(float)) for grade in grades[:-1]]
    return np.column_stack([model.predict(T) for model in models])


def weighted(cumulative, values):
    """Return the expectation of values by cumulative probabilities, grade by grade."""
    ones = np.ones((len(cumulative), 1))
    steps = np.diff(np.hstack([0 * ones, cumulative, ones]), axis=1)
    return steps @ values


class TestScores:
    @pytest.mark.parametrize("name", SMALL)
    @pytest.mark.parametrize("scoring", VALUES)
    @pytest.mark.parametrize("grades", [(0, 1, 2), (0, 0.5, 3)])
    def test_are_the_weighted_sum_of_separate_models(self, name, scoring, grades):
        X, y = one_query(grades)
        T = make_data(seed=9)[0]
        model = graded(SMALL[name], ordinal_scoring=scoring).fit(X, y)
        cumulative = separate(SMALL[name], X, y, T)
        expected = weighted(cumulative, VALUES[scoring](np.array(grades, dtype=float)))
        np.testing.assert_allclose(model.predict(T), expected, rtol=0, atol=1e-6)
        assert model.model_.n_trees == 2 * model.model_.n_rounds

    @pytest.mark.parametrize(("scoring", "sets"), [("train", 1), ("valid", 2), ("both", 3)])
    def test_of_fitted_weights_are_least_squares_of_the_grades(self, scoring, sets):
        X, y = one_query()
        V, yv, qv = make_data(seed=4)
        mart = graded(SMALL["mart"], ordinal_scoring=f"ols_{scoring}")
        model = mart.fit(X, y, eval_set=(V, yv, qv))
        parts = [part for bit, part in enumerate([(X, y), (V, yv)]) if sets >> bit & 1]
        rows = np.vstack([separate(SMALL["mart"], X, y, each) for each, _ in parts])
        design = np.hstack([rows, np.ones((len(rows), 1))])
        weights, *_ = np.linalg.lstsq(design, np.concatenate([g for _, g in parts]), rcond=None)
        T = make_data(seed=9)[0]
        expected = np.hstack([separate(SMALL["mart"], X, y, T), np.ones((len(T), 1))]) @ weights
        np.testing.assert_allclose(model.predict(T), expected, rtol=0, atol=1e-6)

    def test_of_forests_on_queries_are_in_the_range_of_the_grades(self):
        X, y, qid = make_data(missing=0.1)
        scores = graded(SMALL["random_forest"]).fit(X, y, qid=qid).predict(X)
        assert scores.min() >= -1e-6
        assert scores.max() <= 2 + 1e-6
        assert evaluate((y, qid), scores, "ndcg@10")["ndcg@10"] > 0.9

    @pytest.mark.parametrize("name", SMALL)
    def test_are_the_same_bits_for_any_threads_and_order_of_rows(self, name):
        X, y, qid = make_data(missing=0.1)
        model = graded(SMALL[name], ordinal_scoring="ols_train", n_jobs=1).fit(X, y, qid=qid)
        order = np.random.default_rng(3).permutation(len(y))
        other = graded(SMALL[name], ordinal_scoring="ols_train", n_jobs=3)
        other.fit(X[order], y[order], qid=1000 - qid[order])
        assert other.model_ == model.model_

    def test_of_grades_that_are_mapped_count_what_the_map_says(self):
        X, y = one_query()
        by_square = graded(SMALL["igbrt"], ordinal_scoring="square").fit(X, y).predict(X)
        of_squares = graded(SMALL["igbrt"]).fit(X, y**2).predict(X)
        np.testing.assert_array_equal(by_square, of_squares)

    def test_by_hand(self):
        # One problem, P(y <= 0): 1/2 at first, then half of what a tree says of 1/2 and -1/2.
        X = np.array([[1.0], [2.0]])
        model = MART(n_estimators=1, learning_rate=0.5, ordinal=True).fit(X, [0, 2])
        assert model.predict_proba(X).tolist() == [[0.75, 0.25], [0.25, 0.75]]
        assert model.predict(X).tolist() == [0.5, 1.5]
        assert model.classes_.tolist() == [0.0, 2.0]


class TestProbabilities:
    @pytest.mark.parametrize("name", SMALL)
    def test_are_between_0_and_1_and_add_up_to_1(self, name):
        X, y, qid = make_data()
        y[5] = 3.5
        shares = graded(SMALL[name]).fit(X, y, qid=qid).predict_proba(X)
        assert shares.shape == (len(X), 4)
        assert shares.min() >= 0
        assert shares.max() <= 1
        np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-12)

    def test_are_those_of_separate_models_where_these_are_monotone(self):
        X, y = one_query()
        model = graded(SMALL["random_forest"]).fit(X, y)
        cumulative = np.cumsum(model.predict_proba(X), axis=1)[:, :-1]
        alone = separate(SMALL["random_forest"], X, y, X)
        is_monotone = (np.diff(alone, axis=1) >= 0).ravel()
        assert is_monotone.sum() > 60
        np.testing.assert_allclose(cumulative[is_monotone], alone[is_monotone], atol=1e-12)

    def test_are_the_nearest_monotone_ones_elsewhere(self):
        X, y, qid = make_data()
        y = y + (np.arange(len(y)) % 4)
        model = graded(SMALL["sgbrt"]).fit(X, y, qid=qid).model_
        raw = np.column_stack([problem.predict(X) for problem in model._problems])
        assert (np.diff(raw, axis=1) < 0).any()
        found = np.cumsum(model.predict_proba(X), axis=1)[:, :-1]
        isotonic = IsotonicRegression(y_min=0, y_max=1)
        expected = [isotonic.fit_transform(np.arange(raw.shape[1]), row) for row in raw]
        np.testing.assert_allclose(found, expected, atol=1e-12)

    def test_of_model_and_estimator_are_the_same_whatever_holds_the_features(self):
        X, y, qid = make_data()
        model = graded(SMALL["mart"]).fit(X, y, qid=qid)
        expected = model.predict_proba(X)
        data = rf.Dataset(X, y, qid=qid)
        for other in (model.model_.predict_proba(data), model.model_.predict_proba(X, n_jobs=2)):
            np.testing.assert_array_equal(other, expected)
        one = np.vstack([model.predict_proba(x[None]) for x in X])
        np.testing.assert_array_equal(one, expected)

    def test_need_ordinal(self):
        X, y, qid = make_data()
        plain = MART(n_estimators=2)
        assert not hasattr(plain, "predict_proba")
        assert hasattr(graded(plain), "predict_proba")
        plain.fit(X, y, qid=qid)
        assert not hasattr(plain, "classes_")
        with pytest.raises(AttributeError, match="MART has predict_proba only with ordinal=True"):
            plain.predict_proba(X)
        with pytest.raises(ValueError, match="was not trained with ordinal=True"):
            plain.model_.predict_proba(X)
        assert plain.model_.grades is None


class TestModel:
    @pytest.mark.parametrize("form", ["rf", "json", "pickle"])
    @pytest.mark.parametrize("name", ["igbrt", "random_forest"])
    def test_keeps_its_probabilities_in_files(self, name, form, tmp_path):
        X, y, qid = make_data()
        estimator = graded(SMALL[name], ordinal_scoring="ols_train").fit(X, y, qid=qid)
        model = estimator.model_
        if form == "pickle":
            again = pickle.loads(pickle.dumps(estimator)).model_
        else:
            path = tmp_path / f"model.{form}"
            (model.save if form == "rf" else model.save_json)(path)
            again = rf.load(path)
        assert again == model
        assert again.grades == (0.0, 1.0, 2.0)
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))

    @pytest.mark.parametrize("name", ["igbrt", "mart", "random_forest"])
    def test_of_the_first_rounds_is_that_of_fewer(self, name):
        X, y, qid = make_data()
        whole = graded(SMALL[name]).fit(X, y, qid=qid)
        staged = list(whole.staged_predict(X))
        assert len(staged) == whole.best_iteration_
        for k in (1, 3, whole.best_iteration_):
            prefix = whole.model_[:k]
            np.testing.assert_array_equal(prefix.predict(X), staged[k - 1])
            assert rf.Model.from_bytes(prefix.to_bytes()) == prefix
            np.testing.assert_allclose(prefix.predict_proba(X).sum(axis=1), 1, atol=1e-12)
        if name != "igbrt":
            fewer = graded(SMALL[name], n_estimators=3).fit(X, y, qid=qid)
            np.testing.assert_array_equal(fewer.predict_proba(X), whole[:3].predict_proba(X))

    def test_without_it_has_the_parameters_that_it_always_had(self):
        X, y, qid = make_data()
        for estimator in SMALL.values():
            plain = clone(estimator).set_params(ordinal_scoring="square").fit(X, y, qid=qid).model_
            assert not [name for name in plain.parameters if name.startswith("ordinal")]
            assert "ordinal" not in plain.parameters.get("forest", {})
            assert b"ORDN" not in plain.to_bytes()

    def test_that_is_blended_or_pruned_tells_grades_apart_no_more(self):
        X, y, qid = make_data()
        data = rf.Dataset(X, y, qid=qid)
        model = graded(SMALL["mart"]).fit(data).model_
        assert rf.blend([model, model], combine="sum").grades is None
        pruned = rf.prune(model, data, n_trees=6)
        pruned = getattr(pruned, "model", pruned)
        assert pruned.grades is None
        with pytest.raises(ValueError, match="blended or pruned"):
            pruned.predict_proba(X)

    def test_cannot_be_refitted(self):
        X, y, qid = make_data()
        model = graded(SMALL["mart"]).fit(X, y, qid=qid).model_
        with pytest.raises(ValueError, match=r"trained with ordinal=True: train it anew"):
            model.refit_leaves(X, y, qid=qid)

    def test_of_json_that_is_not_of_the_form_is_refused(self, tmp_path):
        X, y, qid = make_data()
        path = tmp_path / "model.json"
        graded(SMALL["mart"]).fit(X, y, qid=qid).model_.save_json(path)
        text = path.read_text()
        for old, new in {
            '"grades": [0.0, 1.0': '"grades": ["0.0", 1.0',
            '"problem": 1': '"problem": 2',
            '"problem": 0': '"problem": -1',
            '"group_weights": [': '"group_weights": [1.0, ',
            '"ordinal": {': '"ordinal": {"more": 1, ',
        }.items():
            assert old in text
            path.write_text(text.replace(old, new, 1))
            with pytest.raises(ValueError, match="ordinal"):
                rf.load(path)

    def test_says_what_features_matter_in_all_problems(self):
        X, y, qid = make_data()
        model = graded(SMALL["mart"]).fit(X, y, qid=qid)
        total = sum(problem.feature_importances() for problem in model.model_._problems)
        np.testing.assert_allclose(model.model_.feature_importances(), total)
        assert model.feature_importances_.argmax() == 0


class TestTraining:
    def test_history_and_early_stopping_go_by_the_score_of_all_problems(self):
        X, y, qid = make_data()
        V, yv, qv = make_data(seed=5)
        model = graded(SMALL["mart"], n_estimators=60, early_stopping_rounds=4)
        model.fit(X, y, qid=qid, eval_set=(V, yv, qv))
        values = model.history_["valid"]["ndcg@10"]
        best = int(np.argmax(values)) + 1
        assert model.best_iteration_ == best < len(values)
        assert len(values) == best + 4
        for k, value in enumerate(values[:best], start=1):
            assert evaluate((yv, qv), model.model_[:k].predict(V), "ndcg@10")["ndcg@10"] == value

    @pytest.mark.parametrize("name", SMALL)
    @pytest.mark.parametrize("scoring", ["exp2", "ols_both"])
    def test_goes_on_as_if_it_had_never_stopped(self, name, scoring):
        X, y, qid = make_data()
        sets = {"eval_set": make_data(seed=5)}
        n = SMALL[name].n_estimators
        whole = graded(SMALL[name], ordinal_scoring=scoring).fit(X, y, qid=qid, **sets)
        warm = graded(SMALL[name], ordinal_scoring=scoring, warm_start=True)
        warm.set_params(n_estimators=n - 2).fit(X, y, qid=qid, **sets)
        warm.set_params(n_estimators=n).fit(X, y, qid=qid, **sets)
        assert warm.model_ == whole.model_

    def test_goes_on_from_an_ordinal_model(self):
        X, y, qid = make_data()
        first = graded(SMALL["mart"], n_estimators=3).fit(X, y, qid=qid)
        rest = graded(SMALL["mart"], n_estimators=5).fit(X, y, qid=qid, init_model=first)
        whole = graded(SMALL["mart"], n_estimators=8).fit(X, y, qid=qid)
        np.testing.assert_array_equal(rest.predict(X), whole.predict(X))
        np.testing.assert_array_equal(rest.predict_proba(X), whole.predict_proba(X))

    def test_does_not_go_on_from_what_it_is_not(self):
        X, y, qid = make_data()
        ordinal = graded(SMALL["mart"]).fit(X, y, qid=qid)
        plain = clone(SMALL["mart"]).fit(X, y, qid=qid)
        with pytest.raises(ValueError, match="goes on from an ordinal model"):
            graded(SMALL["mart"]).fit(X, y, qid=qid, init_model=plain)
        with pytest.raises(ValueError, match="use ordinal=True to go on"):
            clone(SMALL["mart"]).fit(X, y, qid=qid, init_model=ordinal)
        with pytest.raises(ValueError, match=r"these are 0, 1, 2.*training data has 0, 2, 4"):
            graded(SMALL["mart"]).fit(X, 2 * y, qid=qid, init_model=ordinal)
        fewer = np.minimum(y, 1)
        with pytest.raises(ValueError, match=r"these are 0, 1, 2.*training data has 0, 1;"):
            graded(SMALL["mart"]).fit(X, fewer, qid=qid, init_model=ordinal)
        with pytest.raises(ValueError, match="init_score: with ordinal=True"):
            graded(SMALL["mart"]).fit(X, y, qid=qid, init_score=np.zeros(len(y)))
        warm = clone(SMALL["mart"]).set_params(warm_start=True).fit(X, y, qid=qid)
        with pytest.raises(ValueError, match="ordinal was None and is True"):
            warm.set_params(ordinal=True).fit(X, y, qid=qid)

    def test_out_of_bag_scores_are_those_of_the_problems(self):
        X, y = one_query(missing=0.0)
        forest = graded(SMALL["random_forest"], oob_score=True).fit(X, y)
        alone = [
            clone(SMALL["random_forest"]).set_params(oob_score=True).fit(X, (y <= grade) * 1.0)
            for grade in (0, 1)
        ]
        expected = 2 - sum(model.oob_prediction_ for model in alone)
        np.testing.assert_allclose(forest.oob_prediction_, expected, atol=1e-12)
        assert 0 <= forest.oob_score_ <= 1

    def test_weights_of_documents_count(self):
        X, y = one_query()
        twice = np.repeat(np.arange(len(y)), 2)
        weighted_model = graded(SMALL["mart"], max_features=None, ordinal_scoring="ols_train")
        weighted_model.fit(X, y, sample_weight=np.full(len(y), 2.0))
        doubled = graded(SMALL["mart"], max_features=None, ordinal_scoring="ols_train")
        doubled.fit(X[twice], y[twice])
        np.testing.assert_allclose(doubled.predict(X), weighted_model.predict(X), atol=1e-6)

    def test_clones_and_searches(self):
        X, y, qid = make_data()
        frame = pytest.importorskip("pandas").DataFrame(X, columns=[f"f{i}" for i in range(5)])
        frame["qid"] = qid
        search = GridSearchCV(
            graded(SMALL["mart"]), {"ordinal_scoring": ["expected", "exp2"]}, cv=GroupKFold(3)
        )
        search.fit(frame, y, groups=qid)
        assert search.best_estimator_.classes_.tolist() == [0, 1, 2]
        assert clone(search.best_estimator_).ordinal is True


class TestBags:
    @pytest.mark.parametrize("combine", ["mean", "minmax", "borda"])
    def test_are_made_of_ordinal_models(self, combine, tmp_path):
        X, y, qid = make_data()
        data = rf.Dataset(X, y, qid=qid)
        bag = Bagging(graded(SMALL["mart"]), n_bags=3, combine=combine).fit(data)
        assert bag.model_.n_members == 3
        assert bag.best_iteration_.tolist() == [8, 8, 8]
        members = [bag.take([i]) for i in range(3)]
        shares = bag.predict_proba(X)
        assert shares.shape == (len(X), 3)
        mean = np.mean([m._problems[0].predict(X) for m in members], axis=0)
        np.testing.assert_allclose(bag.model_._problems[0].predict(X), mean, atol=1e-6)
        if combine == "mean":
            each = np.mean([m.predict(data) for m in members], axis=0)
            np.testing.assert_allclose(bag.predict(data), each, atol=1e-6)
        path = tmp_path / "bag.rf"
        bag.save(path)
        again = rf.load(path)
        np.testing.assert_array_equal(again.predict(data), bag.predict(data))
        np.testing.assert_array_equal(again.predict_proba(data), shares)
        assert again.take([0, 1]).predict_proba(X).shape == shares.shape
        np.testing.assert_allclose(
            again.take([2]).predict_proba(X), members[2].predict_proba(X), atol=1e-6
        )

    @pytest.mark.parametrize("combine", ["mean", "minmax"])
    def test_grow_and_end_early(self, combine):
        X, y, qid = make_data()
        kinds = {"n_bags": 3, "combine": combine}
        whole = Bagging(graded(SMALL["igbrt"]), **kinds).fit(X, y, qid=qid)
        warm = Bagging(graded(SMALL["igbrt"]), **kinds, warm_start=True).set_params(n_bags=2)
        warm.fit(X, y, qid=qid)
        smaller = warm.model_
        warm.set_params(n_bags=3).fit(X, y, qid=qid)
        assert warm.model_ == whole.model_
        np.testing.assert_array_equal(
            whole.take(range(2)).predict(X, qid=qid), smaller.predict(X, qid=qid)
        )
        assert whole[:3].best_iteration_.tolist() == [3, 3, 3]
        assert whole[:3].predict_proba(X).shape == (len(X), 3)

    def test_history_is_that_of_the_bag(self):
        X, y, qid = make_data()
        data = rf.Dataset(X, y, qid=qid)
        bag = Bagging(graded(SMALL["mart"]), n_bags=3).fit(data, eval_set=data)
        values = bag.history_["valid"]["ndcg@10"]
        for k, value in enumerate(values, start=1):
            scores = bag.take(range(k)).predict(data)
            assert evaluate(data, scores, "ndcg@10")["ndcg@10"] == pytest.approx(value)


class TestErrors:
    @pytest.mark.parametrize(
        ("estimator", "message"),
        [
            (
                RandomForest(criterion="pairwise"),
                'criterion="squared_error", "entropy" or "random"',
            ),
            (ExtraTrees(criterion="listwise"), 'got "listwise"'),
            (RandomForest(relevance="exp2"), 'needs relevance="grade", got "exp2"'),
            (RandomForest(tree_weights="expected_ndcg"), 'needs tree_weights="equal"'),
            (MART(objective=lambda g, s, o, r: (s - g, g * 0 + 1)), "objective must be None"),
            (IGBRT(forest=RandomForest(ordinal=True)), "forest.ordinal must be False"),
            (IGBRT(forest=RandomForest(relevance="exp2")), 'needs forest.relevance="grade"'),
            (MART(ordinal_scoring="cube"), 'ordinal_scoring must be "expected" or "square"'),
            (MART(ordinal_scoring="ols_valid"), 'ols_valid" needs eval_set or validation_fraction'),
        ],
    )
    def test_name_what_does_not_fit(self, estimator, message):
        X, y, qid = make_data()
        with pytest.raises(ValueError, match=message):
            estimator.set_params(ordinal=True).fit(X, y, qid=qid)

    def test_ordinal_is_true_or_false(self):
        X, y, qid = make_data()
        with pytest.raises(ValueError, match="ordinal must be True or False, got 1"):
            MART(ordinal=1).fit(X, y, qid=qid)
        with pytest.raises(ValueError, match=r"forest\.ordinal must be False"):
            IGBRT(forest=RandomForest(ordinal=True)).fit(X, y, qid=qid)

    def test_grades_must_make_problems(self):
        X, y, qid = make_data()
        with pytest.raises(ValueError, match="those of the training data are all 1"):
            MART(ordinal=True).fit(X, np.ones_like(y), qid=qid)
        X = np.random.default_rng(0).normal(size=(300, 2))
        with pytest.raises(ValueError, match=r"at most 255 distinct grades.* has 300"):
            RandomForest(ordinal=True, n_estimators=2).fit(X, np.arange(300.0))

    def test_other_algorithms_do_not_have_it(self):
        assert "ordinal" not in LambdaMART().get_params()
        assert not hasattr(LambdaMART(), "predict_proba")


def test_documents_of_several_sets_are_told_apart_by_all_their_grades():
    X, y, qid = make_data()
    first = rf.Dataset(X, y, qid=qid)
    second = rf.Dataset(X + 1, y + 2, qid=qid)
    model = graded(SMALL["random_forest"]).fit(concat([first, second], queries="rename")).model_
    assert model.grades == (0.0, 1.0, 2.0, 3.0, 4.0)
