"""Transfer learning: documents of a source that look like those of a target, and features of its model."""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline

import rankforest as rf
from rankforest.datasets import make_ranking
from rankforest.transfer import SourceFeatures, select_source, shared_features, with_features

NAN = np.nan


class FirstColumn(BaseEstimator):
    """Takes the first feature for the probability, and keeps what it was fitted on."""

    seen: list = []  # noqa: RUF012  # clones share it

    def fit(self, X, y):
        self.seen.append((X, y))
        return self

    def predict(self, X):
        return X[:, 0]


@pytest.fixture
def named():
    """A source of four queries and a target of two, which share "b" and "a"."""
    source = rf.Dataset(
        [[1, 0.9, 7], [2, 0.1, 7], [3, 0.8, 7], [4, 0.7, 7], [5, 0.2, 7], [6, 0.6, 7]],
        [0, 1, 2, 0, 1, 2],
        qid=["p", "p", "q", "r", "s", "s"],
        feature_names=["a", "b", "only"],
        weight=[1, 2, 3, 4, 5, 6],
    )
    target = rf.Dataset(
        [[0.3, 8, 9], [0.4, 8, 8]], [1, 0], qid=["p", "z"], feature_names=["b", "own", "a"]
    )
    return source, target


@pytest.fixture(scope="module")
def large():
    """A source that is unlike the target in half of its queries, and has other features beside."""
    data = make_ranking(60, 8, 6, random_state=0)
    X = data.X.copy()
    X[data.query_codes % 2 == 0, :3] += 1.5
    source = rf.Dataset(X[:, [3, 0, 5, 1, 2]], data.y, qid=data.qid, feature_names=list("dafbc"))
    near = make_ranking(20, 8, 6, random_state=1)
    return source, rf.Dataset(near.X, near.y, qid=near.qid, feature_names=list("abcdeg"))


class TestSharedFeatures:
    def test_names_decide_in_the_order_of_the_target(self, named):
        assert shared_features(*named) == ("b", "a")

    def test_text_is_matched_by_number_whatever_it_counts_from(self, tmp_path):
        (tmp_path / "one.txt").write_text("1 qid:1 1:5 2:6 4:7\n0 qid:1 1:2 4:1\n")
        (tmp_path / "zero.txt").write_text("1 qid:1 0:5 2:6 4:8 6:1\n0 qid:1 1:1\n")
        one = rf.read_letor(tmp_path / "one.txt")
        zero = rf.read_letor(tmp_path / "zero.txt", zero_based=True)
        assert shared_features(one, zero) == ("1", "2", "4")
        assert shared_features(zero, one) == ("1", "2", "4")

    @pytest.mark.parametrize("absent", [0, "nan"])
    def test_a_number_that_one_text_never_mentions_is_not_shared(self, tmp_path, absent):
        (tmp_path / "a.txt").write_text("1 qid:1 1:5 3:6\n0 qid:1 1:5 2:0 3:2\n")
        (tmp_path / "b.txt").write_text("1 qid:1 2:5 3:6\n0 qid:1 2:1 3:2\n")
        a, b = (rf.read_letor(tmp_path / f"{n}.txt", absent=absent) for n in "ab")
        assert shared_features(a, b) == (("3",) if absent == 0 else ("2", "3"))

    def test_a_feature_without_any_value_is_not_shared(self):
        a, b = rf.Dataset([[1, NAN]], qid=[1]), rf.Dataset([[NAN, 0], [2, 0]], qid=[1, 1])
        assert shared_features(a, b) == ("0",)

    def test_arrays_are_matched_by_position(self):
        a, b = rf.Dataset([[1, 2, 3]], qid=[1]), rf.Dataset([[0, 1]], qid=[1])
        assert shared_features(a, b) == ("0", "1")

    def test_sets_that_cannot_be_matched_are_refused(self, named):
        source, target = named
        with pytest.raises(ValueError, match="target has no feature names, and source has"):
            shared_features(source, rf.Dataset([[1]], qid=[1]))
        other = rf.Dataset([[1]], qid=[1], feature_names=["x"])
        with pytest.raises(ValueError, match=r"share no feature: source has a, b, only; .* has x"):
            shared_features(source, other)
        with pytest.raises(TypeError, match="source must be a Dataset, got a list"):
            shared_features([[1]], target)

    def test_a_data_set_takes_them_in_their_order_and_lacks_the_rest(self, named):
        data = with_features(named[0], ["b", "none", "a"])
        np.testing.assert_array_equal(data.X[:2], np.float32([[0.9, NAN, 1], [0.1, NAN, 2]]))
        assert data.feature_names == ("b", "none", "a")
        assert data.weight.tolist() == [1, 2, 3, 4, 5, 6]
        with pytest.raises(ValueError, match="data has none of the features x; it has a, b, only"):
            with_features(named[0], "x")
        with pytest.raises(ValueError, match="got 'a' twice"):
            with_features(named[0], ["a", "a"])
        with pytest.raises(TypeError, match="must be names, got 1"):
            with_features(named[0], [1])

    def test_text_that_does_not_mention_one_has_the_value_of_its_rule(self, tmp_path):
        (tmp_path / "a.txt").write_text("1 qid:1 1:5\n")
        data = rf.read_letor(tmp_path / "a.txt")
        np.testing.assert_array_equal(with_features(data, ["3", "1", "x"]).X, [[0, 5, NAN]])


class TestSelectSource:
    @pytest.mark.parametrize(
        ("fraction", "unit", "rows"),
        [  # b is 0.9 0.1 | 0.8 | 0.7 | 0.2 0.6 of queries p | q | r | s: means 0.5 0.8 0.7 0.4
            (0.01, "document", [0]),
            (1 / 3, "document", [0, 2]),
            (0.5, "document", [0, 2, 3]),
            (1.0, "document", [0, 1, 2, 3, 4, 5]),
            (0.25, "query", [2]),
            (0.5, "query", [2, 3]),
            (0.75, "query", [0, 1, 2, 3]),
        ],
    )
    def test_what_is_taken_by_hand(self, named, fraction, unit, rows):
        estimator = FirstColumn()
        chosen = select_source(*named, fraction, unit=unit, estimator=estimator, n_folds=2)
        assert chosen.data.rows.tolist() == rows
        assert chosen.features == ("b", "a")
        np.testing.assert_array_equal(chosen.probabilities, named[0].X[:, 1])
        again = select_source(*named, 1.0, estimator=estimator, n_folds=2).at(fraction, unit=unit)
        assert again.data.rows.tolist() == rows
        assert (again.fraction, again.unit) == (fraction, unit)

    def test_it_has_the_features_of_the_target_and_goes_with_it(self, named):
        source, target = named
        chosen = select_source(source, target, 1 / 3, estimator=FirstColumn(), n_folds=2)
        expected = np.float32([[0.9, NAN, 1], [0.8, NAN, 3]])
        np.testing.assert_array_equal(chosen.data.X, expected)
        assert chosen.data.y.tolist() == [0, 2]
        assert chosen.data.qid.tolist() == ["p", "q"]
        assert chosen.data.weight.tolist() == [1, 3]
        both = rf.concat([target, chosen.data], queries="rename")
        assert both.feature_names == ("b", "own", "a")
        assert both.qid.tolist() == ["0/p", "0/z", "1/p", "1/q"]
        assert (
            repr(chosen) == "SourceSelection(2 of 6 documents, 2 of 4 queries, 2 shared features)"
        )

    def test_a_document_is_judged_by_what_was_not_trained_on_its_query(self, named):
        source, target = named
        FirstColumn.seen.clear()
        select_source(source, target, 0.5, estimator=FirstColumn(), n_folds=4)
        assert len(FirstColumn.seen) == 4
        left_out = []
        for X, y in FirstColumn.seen:
            np.testing.assert_array_equal(X[y == 1], target.X[:, [0, 2]])
            trained = {tuple(row) for row in X[y == 0].tolist()}
            rows = [
                i for i, row in enumerate(source.X[:, [1, 0]].tolist()) if tuple(row) not in trained
            ]
            left_out.append(rows)
        assert sorted(left_out) == [[0, 1], [2], [3], [4, 5]]

    def test_probabilities_are_those_of_a_loop_over_folds(self, large):
        source, target = large
        chosen = select_source(source, target, 0.3, n_folds=3, random_state=5)
        place = {name: j for j, name in enumerate(source.feature_names)}
        shared = [name for name in target.feature_names if name in place]
        assert chosen.features == tuple(shared)
        ours = source.X[:, [place[name] for name in shared]]
        theirs = target.X[:, [target.feature_names.index(name) for name in shared]]
        expected = np.full(source.n_documents, NAN)
        for train, test in source.fold_rows(3, random_state=5):
            forest = rf.RandomForest(n_estimators=100, random_state=5)
            X = np.vstack([theirs, ours[train]])
            forest.fit(X, [1] * len(theirs) + [0] * len(train))
            expected[test] = forest.predict(ours[test])
        np.testing.assert_array_equal(chosen.probabilities, expected)
        n = round(0.3 * source.n_documents)
        assert chosen.data.n_documents == n
        taken = chosen.data.rows
        rest = np.setdiff1d(np.arange(source.n_documents), taken)
        assert expected[taken].min() >= expected[rest].max()
        by_query = chosen.at(0.3, unit="query").data
        means = {q: expected[source.qid == q].mean() for q in source.query_ids.tolist()}
        best = sorted(means, key=means.get, reverse=True)[:18]
        assert set(by_query.query_ids.tolist()) == set(best)

    def test_documents_like_the_targets_are_preferred(self, large):
        source, target = large
        chosen = select_source(source, target, 0.5, unit="query")
        assert np.mean(chosen.data.query_ids % 2 == 0) > 0.9  # ids count from 1

    def test_neither_rows_nor_query_names_nor_threads_change_what_is_selected(self, large):
        source, target = large
        rounded = source._with(X=source.X.round())  # with ties
        chosen = select_source(rounded, target, 0.3, n_jobs=1)
        order = np.random.default_rng(0).permutation(source.n_documents)
        back = rounded.take_rows(order)
        renamed = rf.Dataset(
            back.X,
            back.y,
            qid=[f"q{each * 7 % 61}" for each in back.qid.tolist()],
            feature_names=back.feature_names,
        )
        other = select_source(
            renamed, target.take_rows(np.arange(target.n_documents)[::-1]), 0.3, n_jobs=2
        )
        np.testing.assert_array_equal(other.probabilities, chosen.probabilities[order])
        for unit in ("document", "query"):
            first, second = (each.at(0.3, unit=unit).data for each in (chosen, other))
            as_rows = [
                sorted(map(tuple, np.c_[each.X[:, :4], each.y].tolist()))
                for each in (first, second)
            ]
            assert as_rows[0] == as_rows[1]

    def test_any_classifier_of_scikit_learn_will_do(self, large):
        estimator = HistGradientBoostingClassifier(max_iter=5)
        chosen = select_source(*large, 0.2, estimator=estimator)
        assert ((chosen.probabilities > 0) & (chosen.probabilities < 1)).all()
        assert not hasattr(estimator, "classes_")

    def test_a_source_without_grades_goes_with_a_target_without(self, large):
        source, target = (rf.Dataset(d.X, qid=d.qid, feature_names=d.feature_names) for d in large)
        chosen = select_source(source, target, 0.2)
        graded = select_source(*large, 0.2)
        assert chosen.data.n_documents == graded.data.n_documents
        with pytest.raises(ValueError, match="source has no grades, unlike the other"):
            select_source(source, large[1], 0.2)

    @pytest.mark.parametrize(
        ("argument", "value", "message"),
        [
            ("fraction", 0, r"fraction must be in \(0, 1\], got 0"),
            ("fraction", 10, r"fraction must be in \(0, 1\], got 10"),
            ("unit", "row", 'unit must be "document" or "query", got \'row\''),
            ("n_folds", 1, "n_folds must be an integer >= 2, got 1"),
            ("n_folds", 5, "n_folds must be at most 4, the number of queries of the source; got 5"),
            ("n_jobs", 0, "n_jobs must be None or an integer other than 0"),
        ],
    )
    def test_unusable_arguments_are_named(self, named, argument, value, message):
        given = {"fraction": 0.5, "n_folds": 2, "estimator": FirstColumn(), argument: value}
        with pytest.raises(ValueError, match=message):
            select_source(*named, **given)

    def test_all_that_is_wrong_is_said_at_once(self, named):
        with pytest.raises(
            ValueError, match=r"2 arguments are unusable:\n  fraction .*\n  n_folds"
        ):
            select_source(*named, -1)

    def test_a_classifier_without_an_opinion_is_refused(self, named):
        source, target = named
        X = source.X.copy()
        X[3] = NAN
        holed = source._with(X=X)
        with pytest.raises(ValueError, match=r"finite probability.*FirstColumn gave NaN"):
            select_source(holed, target, 0.5, estimator=FirstColumn(), n_folds=2)


@pytest.fixture(scope="module")
def forest(large):
    return rf.RandomForest(n_estimators=5).fit(large[0])


class TestSourceFeatures:
    def test_the_score_of_the_source_is_the_last_column_by_hand(self):
        source = rf.Dataset([[1], [2], [3]], [0, 0, 6], qid=[1, 1, 1], feature_names=["a"])
        stump = rf.MART(n_estimators=1, learning_rate=1.0, max_depth=1).fit(source)
        target = rf.Dataset([[9, 1], [9, 2.6], [9, NAN]], qid=[1, 2, 2], feature_names=["z", "a"])
        added = SourceFeatures(stump).fit_transform(target)
        np.testing.assert_array_equal(added.X, np.float32([[9, 1, 0], [9, 2.6, 6], [9, NAN, 0]]))
        assert added.feature_names == ("z", "a", "source:Q")
        assert added.qid.tolist() == [1, 2, 2]

    def test_probabilities_of_grades_by_hand(self):
        source = rf.Dataset([[1], [2], [3]], [0, 1, 4], qid=[1, 1, 1], feature_names=["a"])
        model = rf.MART(n_estimators=1, learning_rate=1.0, ordinal=True).fit(source)
        target = rf.Dataset([[3], [1.2], [2]], qid=[1, 1, 1], feature_names=["a"])
        added = SourceFeatures(model, "QPC").fit_transform(target)
        names = ["Q", "P0", "P1", "P4", "C0", "C1"]
        assert added.feature_names == ("a", *(f"source:{name}" for name in names))
        expected = [[4, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 1], [1, 0, 1, 0, 0, 1]]
        np.testing.assert_allclose(added.X[:, 1:], expected, atol=1e-6)

    def test_probabilities_are_those_of_the_model_in_the_order_of_the_letters(self, large):
        source, target = large
        model = rf.RandomForest(n_estimators=5, ordinal=True).fit(source)
        chances = model.predict_proba(with_features(target, source.feature_names))
        added = SourceFeatures(model, "CQ").fit_transform(target).X[:, target.n_features :]
        n_grades = len(model.model_.grades)
        assert added.shape[1] == n_grades
        sums = [[sum(row[: c + 1]) for c in range(n_grades - 1)] for row in chances.tolist()]
        np.testing.assert_allclose(added[:, :-1], sums, rtol=1e-6, atol=1e-6)
        scores = SourceFeatures(model, "Q").fit_transform(target).X[:, -1]
        np.testing.assert_array_equal(added[:, -1], scores)

    def test_a_feature_that_the_target_lacks_is_missing_to_the_model(self, large, forest):
        source, target = large
        added = SourceFeatures(forest.model_, prefix="web").fit(target)
        place = {name: j for j, name in enumerate(target.feature_names)}
        X = np.full((target.n_documents, source.n_features), NAN, dtype=np.float32)
        for j, name in enumerate(source.feature_names):
            if name in place:
                X[:, j] = target.X[:, place[name]]
        scores = forest.predict(X).astype(np.float32)
        np.testing.assert_array_equal(added.transform(target).X[:, -1], scores)
        assert added.shared_features_ == ("d", "a", "b", "c")
        assert added.get_feature_names_out()[-1] == "web:Q"

    def test_every_kind_of_input_gives_the_same_columns(self, large, forest):
        pandas = pytest.importorskip("pandas")
        _, target = large
        added = SourceFeatures(forest).fit(target)
        frame = pandas.DataFrame(target.X, columns=list(target.feature_names))
        whole = added.transform(target).X
        np.testing.assert_array_equal(added.transform(frame), whole)
        of_array = rf.RandomForest(n_estimators=5).fit(large[0].X[:, :4], large[0].y)
        X = target.X[:, [3, 0, 5, 1]]
        by_position = SourceFeatures(of_array).fit(X)
        np.testing.assert_array_equal(
            by_position.transform(X)[:, -1], of_array.predict(X).astype(np.float32)
        )
        assert by_position.get_feature_names_out().tolist() == ["x0", "x1", "x2", "x3", "source:Q"]

    def test_threads_and_the_order_of_the_rows_change_no_bit(self, large, forest):
        _, target = large
        order = np.random.default_rng(0).permutation(target.n_documents)
        one, two = (SourceFeatures(forest, n_jobs=n).fit(target) for n in (1, 2))
        np.testing.assert_array_equal(
            one.transform(target).X[order], two.transform(target.take_rows(order)).X
        )

    def test_a_clone_a_pickle_and_a_file_have_the_same_model(self, large, forest, tmp_path):
        _, target = large
        added = SourceFeatures(forest)
        expected = added.fit_transform(target).X
        forest.save(tmp_path / "source.rf")
        for other in (
            clone(added),
            pickle.loads(pickle.dumps(added)),
            SourceFeatures(tmp_path / "source.rf"),
        ):
            np.testing.assert_array_equal(other.fit_transform(target).X, expected)

    def test_it_is_a_step_of_a_pipeline(self, large, forest):
        _, target = large
        steps = make_pipeline(SourceFeatures(forest), rf.MART(n_estimators=3))
        steps.fit(target)
        by_hand = rf.MART(n_estimators=3).fit(SourceFeatures(forest).fit_transform(target))
        scores = by_hand.predict(SourceFeatures(forest).fit_transform(target))
        np.testing.assert_array_equal(steps.predict(target), scores)

    def test_text_gets_its_numbers_for_names_and_keeps_its_missing_columns(self, tmp_path):
        data = make_ranking(12, 6, 4, random_state=0)
        rf.write_letor(tmp_path / "wide.txt", data)
        rf.write_letor(tmp_path / "narrow.txt", rf.Dataset(data.X[:, :3], data.y, qid=data.qid))
        wide, narrow = (rf.read_letor(tmp_path / f"{n}.txt") for n in ("wide", "narrow"))
        model = rf.MART(n_estimators=4).fit(wide)
        added = SourceFeatures(model).fit(wide)
        assert added.transform(wide).feature_names == ("1", "2", "3", "4", "source:Q")
        padded = added.transform(narrow)
        assert (padded.X[:, 3] == 0).all()
        np.testing.assert_array_equal(padded.X[:, 4], model.predict(narrow).astype(np.float32))

    def test_a_model_that_was_trained_on_it_does_not_take_documents_without(self, tmp_path):
        data = make_ranking(12, 6, 4, random_state=0)
        rf.write_letor(tmp_path / "a.txt", data)
        text = rf.read_letor(tmp_path / "a.txt")
        source = rf.MART(n_estimators=4).fit(text)
        train = SourceFeatures(source).fit_transform(text)
        model = rf.MART(n_estimators=4).fit(train, eval_set=train)
        with pytest.raises(
            ValueError, match=r"the text lacks source:Q, which transfer\.SourceFeat"
        ):
            model.predict(text)
        with pytest.raises(ValueError, match="eval_set: 'valid': the text lacks source:Q"):
            rf.MART(n_estimators=4).fit(train, eval_set=text)
        model.save(tmp_path / "m.rf")
        np.testing.assert_array_equal(
            rf.load(tmp_path / "m.rf").predict(SourceFeatures(source).fit_transform(text)),
            model.predict(train),
        )

    def test_query_features_come_after(self, large, forest):
        _, target = large
        train = SourceFeatures(forest).fit_transform(target).with_query_features("rank")
        assert train.feature_names[-1] == "source:Q:rank"
        model = rf.MART(n_estimators=3).fit(train)
        plain = SourceFeatures(forest).fit_transform(target)
        np.testing.assert_array_equal(model.predict(plain), model.predict(train))
        with pytest.raises(
            ValueError, match="have query features already: add those of the source"
        ):
            SourceFeatures(forest).fit(target.with_query_features("rank"))
        of_queries = rf.MART(n_estimators=2).fit(large[0].with_query_features("rank"))
        with pytest.raises(ValueError, match="model was trained with query features"):
            SourceFeatures(of_queries).fit(target)

    def test_two_sources_need_two_prefixes(self, large, forest):
        _, target = large
        once = SourceFeatures(forest).fit_transform(target)
        with pytest.raises(ValueError, match="have a feature 'source:Q' already; choose a prefix"):
            SourceFeatures(forest).fit(once)
        twice = SourceFeatures(forest, prefix="other").fit_transform(once)
        np.testing.assert_array_equal(twice.X[:, -1], once.X[:, -1])

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"kinds": "QX"}, r'kinds must be letters out of "QPC".*got \'QX\''),
            ({"kinds": ""}, "kinds must be letters"),
            ({"kinds": "QQ"}, "kinds must be different letters, got 'QQ'"),
            ({"kinds": "QC"}, "kinds: C are probabilities of grades, .*ordinal=True"),
            ({"prefix": ""}, "prefix must be a string that is not empty"),
            ({"n_jobs": 0}, "n_jobs must be"),
        ],
    )
    def test_unusable_arguments_are_named(self, large, forest, arguments, message):
        with pytest.raises(ValueError, match=message):
            SourceFeatures(forest, **arguments).fit(large[1])

    def test_documents_that_do_not_fit_are_refused(self, large, forest):
        _, target = large
        other = rf.Dataset([[1.0]], qid=[1], feature_names=["x"])
        with pytest.raises(
            ValueError, match="none of the features of the source's model, such as 'd'"
        ):
            SourceFeatures(forest).fit(other)
        with pytest.raises(ValueError, match="the documents has no feature names"):
            SourceFeatures(forest).fit(target.X)
        with pytest.raises(ValueError, match="X must have the 6 columns that fit saw"):
            SourceFeatures(forest).fit(target).transform(with_features(target, ["b", "a"]))
        with pytest.raises(TypeError, match=r"model must be a Model.*unfitted RandomForest"):
            SourceFeatures(rf.RandomForest()).fit(target)
