"""`MissingFiller`: missing values that forests predict by the other features."""

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import rankforest as rf
from rankforest._data.predicted_values import Step, passes

NAN = np.nan
#: Quick, and by all documents: a forest of one tree that sees all features.
TREE = rf.RandomForest(n_estimators=1, bootstrap=False, max_features=None)
SMALL = rf.MissingFiller(rf.RandomForest(n_estimators=4), max_iter=2)


def pickle_of(estimator, _):
    return pickle.loads(pickle.dumps(estimator))


def joblib_file_of(estimator, path):
    joblib.dump(estimator, path)
    return joblib.load(path)


def related(n=120, seed=0, share=0.25):
    """Features that say something about each other, and where they are missing."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(n, 2))
    X = np.hstack([base, base @ [[1.0], [-2.0]], np.exp(base[:, :1])]).astype(np.float32)
    gaps = rng.random(X.shape) < share
    return X, np.where(gaps, np.float32(NAN), X), gaps


class TestByHand:
    def test_a_complete_feature_tells_what_the_others_are(self):
        # By features 0 and 1, feature 2 is 5 or -1, and feature 1 is 10 times feature 0.
        X = np.array([[1, 10, 5], [1, NAN, 5], [2, 20, NAN], [2, 20, -1], [1, 10, NAN]], np.float32)
        filled = rf.MissingFiller(TREE, max_iter=1).fit_transform(X)
        assert filled.tolist() == [[1, 10, 5], [1, 10, 5], [2, 20, -1], [2, 20, -1], [1, 10, 5]]

    def test_the_first_feature_gets_its_mean_where_nothing_is_complete(self):
        X = np.array([[NAN, 4], [1, NAN], [3, 8], [5, 8]], np.float32)
        first = rf.MissingFiller(TREE, max_iter=1).fit(X)
        # Feature 0 becomes 3 (the mean); feature 1 then learns 3 -> (4 + 8) / 2, 5 -> 8.
        assert first.transform(X).tolist() == [[3, 4], [1, 6], [3, 8], [5, 8]]
        assert first.changes_.tolist() == [np.inf]
        # The second pass predicts feature 0 by feature 1: 4 is nearer to 6, which has 1.
        second = rf.MissingFiller(TREE, max_iter=2, tol=0).fit(X)
        assert second.transform(X).tolist() == [[1, 4], [1, 4], [3, 8], [5, 8]]
        assert second.changes_.tolist() == [np.inf, 0.5]  # each by 2, of ranges of 4

    def test_all_others_are_looked_at_from_the_start_if_asked(self):
        X = np.array([[NAN, 4], [1, 4], [3, 8], [3, NAN]], np.float32)
        filler = rf.MissingFiller(TREE, start="all", max_iter=1)
        assert filler.fit_transform(X).tolist() == [[1, 4], [1, 4], [3, 8], [3, 8]]

    def test_what_no_document_has_is_0_and_what_all_have_is_the_mean(self):
        X = np.array([[1, NAN], [2, NAN], [6, NAN]], np.float32)
        filler = rf.MissingFiller(TREE).fit(X)
        assert filler.transform([[NAN, NAN], [4, 7]]).tolist() == [[3, 0], [4, 7]]
        assert filler.mean_.tolist() == [3, 0]
        assert filler.n_iter_ == 1


class TestOracle:
    @pytest.mark.parametrize("start", ["complete", "all"])
    def test_passes_are_those_of_the_definition(self, start):
        _, X, gaps = related()
        X[:, 1], gaps[:, 1] = related()[0][:, 1], False
        filler = rf.MissingFiller(TREE, start=start, max_iter=2, tol=0, random_state=5)
        trainer = filler._checked()[1]
        filled, usable = X.copy(), [1]
        for iteration in range(2):
            for j in (0, 2, 3):
                others = [k for k in range(4) if k != j]
                if iteration == 0 and start == "complete":
                    others = [k for k in others if k in usable]
                known = filled[~gaps[:, j]]
                low, high = float(known[:, j].min()), float(known[:, j].max())
                targets = (known[:, j].astype(float) - low) / (high - low)
                forest = trainer.trained(np.ascontiguousarray(known[:, others]), targets, j)
                rows = np.ascontiguousarray(filled[gaps[:, j]][:, others])
                shares = forest.predict(rows, None, 1)
                filled[gaps[:, j], j] = low + shares * (high - low)
                usable.append(j)
        np.testing.assert_array_equal(filler.fit_transform(X), filled)

    def test_predictions_are_nearer_to_the_truth_than_means(self):
        X, wanting, gaps = related(n=400)
        filler = rf.MissingFiller(n_jobs=2)
        error = np.abs(filler.fit_transform(wanting) - X)[gaps].mean()
        of_means = np.abs(np.where(gaps, filler.mean_, wanting) - X)[gaps].mean()
        assert error < 0.6 * of_means

    def test_forests_of_one_feature_are_those_of_the_estimator(self):
        X, _, _ = related()
        trainer = rf.MissingFiller(TREE, n_jobs=1)._checked()[1]
        shares = trainer.trained(X, np.linspace(0, 1, len(X)), 2).predict(X, None, 1)
        forest = clone(TREE).fit(X, np.linspace(0, 1, len(X)))
        np.testing.assert_array_equal(forest.predict(X), shares)


class TestInvariants:
    @given(st.integers(0, 2**32 - 1), st.floats(0, 1), st.sampled_from(["complete", "all"]))
    @settings(max_examples=25, deadline=None)
    def test_any_gaps_are_filled_within_what_is_known_and_nothing_else_changes(
        self, seed, share, start
    ):
        _, X, gaps = related(n=30, seed=seed, share=share)
        filler = clone(SMALL).set_params(start=start, n_jobs=1)
        filled = filler.fit_transform(X)
        np.testing.assert_array_equal(filled[~gaps], X[~gaps])
        assert np.isfinite(filled).all()
        for j in range(X.shape[1]):
            known = X[~gaps[:, j], j]
            low, high = (known.min(), known.max()) if len(known) else (0, 0)
            assert low <= filled[:, j].min() <= filled[:, j].max() <= high
        np.testing.assert_array_equal(filler.transform(X), filled)

    def test_values_do_not_depend_on_threads_and_the_order_of_rows(self):
        _, X, _ = related()
        filled = clone(SMALL).set_params(n_jobs=1).fit_transform(X)
        np.testing.assert_array_equal(clone(SMALL).set_params(n_jobs=3).fit_transform(X), filled)
        rows = np.random.default_rng(1).permutation(len(X))
        np.testing.assert_array_equal(clone(SMALL).fit_transform(X[rows]), filled[rows])
        other = clone(SMALL).set_params(random_state=1).fit_transform(X)
        assert (other != filled).any()

    def test_each_document_is_filled_by_what_it_has(self):
        _, X, _ = related()
        filler = clone(SMALL).fit(X[:60])
        whole = filler.transform(X[60:])
        one_by_one = np.vstack([filler.transform(X[i : i + 1]) for i in range(60, len(X))])
        np.testing.assert_array_equal(one_by_one, whole)

    def test_a_pickle_fills_alike(self):
        _, X, _ = related()
        filler = clone(SMALL).fit(X)
        again = pickle.loads(pickle.dumps(filler))
        np.testing.assert_array_equal(again.transform(X), filler.transform(X))

    def test_passes_end_at_the_tolerance(self):
        _, X, _ = related()
        n_iter = [clone(SMALL).set_params(tol=t, max_iter=4).fit(X).n_iter_ for t in (0, 1e9)]
        assert n_iter == [4, 2]
        steps, change = next(passes(_trainer(), np.ones((3, 2), np.float32), np.ones((3, 2), bool), starts_complete=True))  # fmt: skip
        assert (steps, change) == ([], np.inf)

    def test_infinities_count_as_the_largest_numbers(self):
        X = np.array([[1, np.inf], [1, NAN], [2, -np.inf], [2, NAN]], np.float32)
        most = np.finfo(np.float32).max
        filled = rf.MissingFiller(TREE, max_iter=1).fit_transform(X)
        assert filled[:, 1].tolist() == [np.inf, most, -np.inf, -most]


def _trainer():
    return SMALL._checked()[1]


class TestForms:
    def test_a_data_set_becomes_a_data_set(self):
        X, y = related()[1], np.arange(120) % 3
        data = rf.Dataset(X, y, qid=np.arange(120) // 10, feature_names=list("abcd"))
        filler = clone(SMALL)
        filled = filler.fit_transform(data)
        np.testing.assert_array_equal(filled.X, filler.transform(X))
        np.testing.assert_array_equal(filled.qid, data.qid)
        np.testing.assert_array_equal(filled.y, data.y)
        assert filled.feature_names == ("a", "b", "c", "d")
        assert list(filler.get_feature_names_out()) == ["a", "b", "c", "d"]
        np.testing.assert_array_equal(filler.transform(data.take([0, 1])).X, filled.X[:20])
        rf.LambdaMART(n_estimators=3).fit(filled)

    def test_a_number_that_means_missing_is_remembered(self):
        X = related()[1]
        gap = np.where(np.isnan(X), -99, X)
        data = rf.Dataset(gap, qid=np.zeros(120), missing=-99)
        filler = clone(SMALL).fit(data)
        expected = clone(SMALL).fit_transform(X)
        np.testing.assert_array_equal(filler.transform(gap), expected)
        filled = filler.transform(data)
        np.testing.assert_array_equal(filled.X, expected)
        assert filled.missing is None  # from here on -99 is a value

    def test_frames_are_told_apart_by_their_columns(self):
        frame = pd.DataFrame(related()[1], columns=list("abcd"))
        filler = clone(SMALL).set_output(transform="pandas").fit(frame)
        assert list(filler.transform(frame).columns) == list("abcd")
        with pytest.raises(ValueError, match="feature names should match"):
            filler.transform(frame[list("dcba")])
        with pytest.raises(ValueError, match="X has 3 features, but MissingFiller is expecting 4"):
            filler.transform(frame.to_numpy()[:, :3])
        with pytest.raises(ValueError, match="not equal to feature_names_in_"):
            filler.get_feature_names_out(list("dcba"))
        assert list(clone(SMALL).fit(related()[1]).get_feature_names_out()) == [
            "x0",
            "x1",
            "x2",
            "x3",
        ]

    def test_a_pipeline_fills_what_it_ranks(self):
        X, y, qid = related()[1], np.arange(120) % 3, np.arange(120) // 10
        ranker = make_pipeline(clone(SMALL), rf.LambdaMART(n_estimators=5))
        ranker.fit(X, y, lambdamart__qid=qid)
        filled = clone(SMALL).fit_transform(X)
        expected = rf.LambdaMART(n_estimators=5).fit(filled, y, qid=qid).predict(filled)
        np.testing.assert_array_equal(ranker.predict(X), expected)

    @pytest.mark.parametrize("copy", [pickle_of, joblib_file_of])
    def test_a_pipeline_of_a_dataset_is_saved_whole(self, tmp_path, copy):
        _, X, _ = related()
        data = rf.Dataset(X, np.arange(120) % 3, qid=np.arange(120) // 10)
        ranker = make_pipeline(clone(SMALL), rf.MART(n_estimators=5)).fit(data)
        filled = clone(SMALL).fit_transform(data)
        scores = rf.MART(n_estimators=5).fit(filled).predict(filled)
        np.testing.assert_array_equal(ranker.predict(data), scores)
        np.testing.assert_array_equal(copy(ranker, tmp_path / "ranker").predict(data), scores)
        assert ranker.score(data) == rf.MART(n_estimators=5).fit(filled).score(filled)

    def test_the_model_alone_does_not_fill(self):
        _, X, _ = related()
        data = rf.Dataset(X, np.arange(120) % 3, qid=np.arange(120) // 10)
        ranker = make_pipeline(clone(SMALL), rf.MART(n_estimators=5)).fit(data)
        model = ranker[-1].model_
        assert not np.array_equal(model.predict(data), ranker.predict(data))
        np.testing.assert_array_equal(
            model.predict(ranker[0].transform(data)), ranker.predict(data)
        )


class TestUnusableArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"forest": rf.MART()}, "forest must be a RandomForest, ExtraTrees or None, got MART"),
            ({"forest": 3}, "forest must be .* got 3"),
            ({"start": "mean"}, 'start must be "complete" or "all", got \'mean\''),
            ({"max_iter": 0}, "max_iter must be an integer >= 1, got 0"),
            ({"tol": NAN}, "tol must be >= 0, got nan"),
            ({"tol": -1}, "tol must be >= 0, got -1"),
            ({"n_jobs": 0}, "n_jobs must be"),
            ({"random_state": "a"}, "random_state must be"),
            ({"forest": rf.RandomForest(max_depth=0)}, r"forest\.max_depth must be"),
            (
                {"forest": rf.RandomForest(criterion="entropy")},
                r'forest\.criterion must be "squared_error" here, got "entropy"',
            ),
            ({"forest": rf.RandomForest(relevance="exp2")}, r"forest\.relevance must be"),
            ({"forest": rf.RandomForest(missing=0)}, r'forest\.missing must be "learn" or "third"'),
            ({"forest": rf.ExtraTrees(subsample_unit="query")}, r"forest\.subsample_unit must be"),
        ],
    )  # fmt: skip
    def test_are_refused(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            rf.MissingFiller(**arguments).fit(related()[1])

    def test_are_all_named_at_once(self):
        with pytest.raises(ValueError, match=r"2 arguments are unusable:\n  start .*\n  tol"):
            rf.MissingFiller(start=1, tol=None).fit(related()[1])

    def test_no_documents_are_refused(self):
        with pytest.raises(ValueError, match=r"0 sample\(s\)"):
            rf.MissingFiller().fit(np.zeros((0, 3)))


@parametrize_with_checks(
    [SMALL], expected_failed_checks=lambda _: {"check_dtype_object": "names row and column"}
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_a_step_of_equal_values_needs_no_forest():
    X = np.array([[1, 7], [2, 7], [3, NAN]], np.float32)
    step = Step.of(_trainer(), 1, np.array([0]), X, np.array([True, True, False]))
    assert step.forest is None
    assert step.predict(X, 1).tolist() == [7, 7, 7]
