"""Data sets from data frames and back."""

from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from data_cases import COLUMNS, USES, assert_holds_the_columns
from hypothesis import given
from hypothesis import strategies as st

import rankforest as rf
from rankforest.datasets import make_ranking

MAKERS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "batch": pa.RecordBatch.from_pydict,
}
each_library = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


@each_library
def test_columns_are_taken_by_name_and_the_rest_are_features(make):
    assert_holds_the_columns(rf.Dataset.from_frame(make(COLUMNS), **USES))


@each_library
def test_the_model_is_that_of_the_values(make):
    data = make_ranking(n_queries=20, n_features=3, random_state=1)
    columns = {f"f{j}": data.X[:, j] for j in range(3)} | {"y": data.y, "q": data.qid}
    framed = rf.Dataset.from_frame(make(columns), label="y", query="q")
    plain = rf.Dataset(data.X, data.y, qid=data.qid, feature_names=["f0", "f1", "f2"])
    models = [rf.MART(n_estimators=3).fit(each).model_ for each in (framed, plain)]
    assert models[0] == models[1]


def test_features_can_be_chosen_and_ordered():
    data = rf.Dataset.from_frame(pl.DataFrame(COLUMNS), features=["clicks", "price"], query="doc")
    assert data.feature_names == ("clicks", "price")
    assert data.X[0].tolist() == [3, 1.5]


def test_a_string_alone_is_the_name_of_one_column():
    frame = pl.DataFrame({"a": [1.0], "b": [2.0], "ab": [3.0]})
    assert rf.Dataset.from_frame(frame, features="ab").X.tolist() == [[3]]
    assert rf.Dataset.from_frame(frame, drop="ab").feature_names == ("a", "b")
    with pytest.raises(ValueError, match="features='ba' is no column"):
        rf.Dataset.from_frame(frame, features="ba")


@pytest.mark.parametrize("name", ["", "Unnamed: 0", "__index_level_0__"])
def test_the_index_of_a_frame_in_a_file_is_no_feature_unless_chosen(name):
    frame = pl.DataFrame({name: [7, 8], "a": [1.0, 2.0]})
    with pytest.raises(ValueError, match=f'column {name!r} has no name .* drop="{name}", or'):
        rf.Dataset.from_frame(frame)
    assert rf.Dataset.from_frame(frame, drop=name).feature_names == ("a",)
    assert rf.Dataset.from_frame(frame, features=[name]).X.tolist() == [[7], [8]]
    with pytest.raises(ValueError, match="has no name"):
        rf.Dataset.from_frame(frame.rename({"a": "y"}), label="y", group=[2])


def test_columns_of_one_name_are_refused_in_the_words_of_fit():
    frame = pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=["a", "a", "y"])
    message = "X must have columns of different names: 'a' occurs twice"
    with pytest.raises(ValueError, match=f"^{message}$"):
        rf.Dataset.from_frame(frame, label="y", group=[2])
    with pytest.raises(ValueError, match=f"^{message}$"):
        rf.MART().fit(frame, "y")


def test_missing_and_group_are_those_of_a_data_set():
    frame = pl.DataFrame({"a": [1, -1, 3], "y": [0, 1, 0]})
    data = rf.Dataset.from_frame(frame, label="y", group=[2, 1], missing=-1)
    np.testing.assert_array_equal(data.X, [[1], [np.nan], [3]])
    assert data.query_codes.tolist() == [0, 0, 1]


def test_without_grades_all_documents_may_be_of_one_query():
    data = rf.Dataset.from_frame(pl.DataFrame({"a": [1, 2]}))
    assert data.n_queries == 1
    with pytest.raises(ValueError, match=r"query= must name the column .*columns left are 'a'"):
        rf.Dataset.from_frame(pl.DataFrame({"a": [1, 2], "y": [1, 2]}), label="y")


@each_library
def test_columns_that_are_no_numbers_are_named_with_how_to_drop_them(make):
    columns = COLUMNS | {"title": ["x", "y", "z"]}
    with pytest.raises(ValueError, match="numeric columns only") as refusal:
        rf.Dataset.from_frame(make(columns), label="y", query="query_id")
    assert "'doc' (String), 'title' (String); leave them out (drop=" in str(refusal.value)
    data = rf.Dataset.from_frame(
        make(columns), label="y", query="query_id", drop=["doc", "title", "w"]
    )
    assert data.feature_names == ("price", "clicks")


def test_categories_and_dates_are_named_too():
    frame = pl.DataFrame(
        {
            "c": pl.Series(["x"], dtype=pl.Categorical),
            "d": pl.Series([1], dtype=pl.Date),
            "t": pl.Series([1], dtype=pl.Datetime),
        }
    )
    for each in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(ValueError, match=r"'c' \(Categorical\), 'd' .*, 't' \(Datetime"):
            rf.Dataset.from_frame(each)


def test_names_of_no_column_are_listed_together():
    with pytest.raises(ValueError, match=r"label='yy' is no column .*'y'.*; query='qid'"):
        rf.Dataset.from_frame(pl.DataFrame(COLUMNS), label="yy", query="qid")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "arrow"])
def test_a_frame_of_a_data_set_reads_back_the_same(library):
    data = rf.Dataset.from_frame(
        pl.DataFrame(COLUMNS), label="y", query="query_id", weight="w", id="doc"
    )
    frame = data.to_frame(library)
    assert type(frame).__module__.partition(".")[0] == {"arrow": "pyarrow"}.get(library, library)
    again = rf.Dataset.from_frame(
        frame, label="label", query="query_id", weight="weight", id="document_id"
    )
    np.testing.assert_array_equal(again.X, data.X)
    for name in ("y", "qid", "weight", "document_ids"):
        assert getattr(again, name).tolist() == getattr(data, name).tolist()
    assert again.feature_names == data.feature_names


def test_a_frame_has_only_what_there_is():
    data = rf.Dataset([[1, 2]], qid=[7])
    assert list(data.to_frame().columns) == ["query_id", "0", "1"]
    assert list(data.to_frame("polars", query="q").columns) == ["q", "0", "1"]


def test_names_of_a_frame_must_differ():
    data = rf.Dataset([[1, 2]], [1], qid=[7], feature_names=["label", "b"])
    with pytest.raises(ValueError, match="'label' is the name of a feature, too"):
        data.to_frame()
    with pytest.raises(ValueError, match="must differ"):
        data.to_frame(label="q", query="q")
    with pytest.raises(ValueError, match="library must be one of pandas, polars"):
        data.to_frame("excel", label="y")


def test_features_of_text_keep_the_numbers_of_the_text(tmp_path):
    (tmp_path / "a.txt").write_text("1 qid:1 1:5 2:7\n0 qid:1 1:2 2:1\n")
    assert rf.read_letor(tmp_path / "a.txt").feature_labels == ("1", "2")
    (tmp_path / "b.txt").write_text("1 qid:1 0:5 1:7\n")
    assert rf.read_letor(tmp_path / "b.txt", zero_based=True).feature_labels == ("0", "1")
    assert rf.Dataset([[1, 2]], qid=[1]).feature_labels == ("0", "1")
    named = rf.Dataset([[1, 2]], qid=[1], feature_names=["a", "b"])
    assert named.feature_labels == ("a", "b")
    assert list(rf.read_letor(tmp_path / "a.txt").to_frame("polars").columns)[-2:] == ["1", "2"]


def test_importances_of_text_have_the_numbers_of_the_text(tmp_path):
    data = make_ranking(n_queries=20, n_features=3, random_state=1)
    rf.write_letor(tmp_path / "a.txt", data)
    text = rf.read_letor(tmp_path / "a.txt")
    model = rf.MART(n_estimators=5).fit(text)
    assert model.model_.feature_names is None
    importance = rf.permutation_importance(model, text, n_repeats=1)
    assert importance.feature_names == ("1", "2", "3")
    assert set(importance.to_frame("polars")["feature"]) == {"1", "2", "3"}
    assert rf.permutation_importance(model, data, n_repeats=1).feature_names == data.feature_labels
    assert sorted(rf.drift(model, text).feature_names) == ["1", "2", "3"]


class TestRows:
    data = make_ranking(n_queries=30, n_features=2, random_state=3)

    def test_they_count_from_the_first_form_through_nested_splits(self):
        assert self.data.rows.tolist() == list(range(self.data.n_documents))
        outer, _ = self.data.train_test_split(0.3, random_state=1)
        inner, _ = outer.train_test_split(0.3, random_state=2)
        part = inner.take(inner.query_ids[::2]).take_rows([3, 1, 2])
        np.testing.assert_array_equal(part.X, self.data.X[part.rows])
        np.testing.assert_array_equal(part.y, self.data.y[part.rows])

    @given(st.lists(st.integers(0, 9), min_size=1, max_size=10))
    def test_rows_of_rows_are_rows(self, taken):
        data = rf.Dataset(np.arange(20)[:, None], qid=np.arange(20))
        assert data.take_rows(range(5, 15)).take_rows(taken).rows.tolist() == [5 + k for k in taken]


class TestFolds:
    data = make_ranking(n_queries=31, n_features=2, random_state=3)

    def test_each_query_is_tested_once_and_sizes_differ_by_one(self):
        folds = list(self.data.folds(4, random_state=7))
        tested = [each for _, test in folds for each in test.query_ids.tolist()]
        assert sorted(tested) == sorted(self.data.query_ids.tolist())
        assert sorted(test.n_queries for _, test in folds) == [7, 8, 8, 8]
        for train, test in folds:
            assert not set(train.query_ids) & set(test.query_ids)
            assert sorted([*train.rows, *test.rows]) == list(range(self.data.n_documents))

    def test_neither_row_order_nor_query_names_change_the_folds(self):
        order = np.random.default_rng(5).permutation(self.data.n_documents)
        renamed = np.array([f"q{each}" for each in self.data.qid])
        other = rf.Dataset(self.data.X[order], self.data.y[order], qid=renamed[order])
        for (_, ours), (_, theirs) in zip(self.data.folds(), other.folds(), strict=True):
            assert {f"q{each}" for each in ours.query_ids} == set(theirs.query_ids)

    def test_the_seed_changes_them(self):
        first, same, other = (
            [test.query_ids.tolist() for _, test in self.data.folds(3, random_state=seed)]
            for seed in (1, 1, 2)
        )
        assert first == same
        assert first != other

    def test_the_first_fold_is_the_test_set_of_a_split(self):
        data = make_ranking(n_queries=20, n_features=2)
        _, test = next(data.folds(4))
        assert test.query_ids.tolist() == [2, 4, 7, 18, 19]

    def test_row_numbers_are_for_scikit_learn(self):
        from sklearn.model_selection import cross_validate  # noqa: PLC0415

        splits = self.data.fold_rows(3)
        for (train, test), (rows, others) in zip(self.data.folds(3), splits, strict=True):
            np.testing.assert_array_equal(train.rows, rows)
            np.testing.assert_array_equal(test.rows, others)
        found = cross_validate(
            rf.MART(n_estimators=2),
            self.data.X,
            self.data.y,
            cv=splits,
            scoring=lambda estimator, X, y: float(len(X)),
        )
        assert found["test_score"].tolist() == [len(test) for _, test in splits]

    @pytest.mark.parametrize("k", [1, 0, 32, 2.5, True, "3"])
    def test_numbers_of_folds_that_make_no_sense_are_refused(self, k):
        with pytest.raises(ValueError, match=r"k must be a number of folds in \[2, 31\]"):
            self.data.folds(k)


def test_a_column_of_grades_is_taken_with_a_warning():
    from sklearn.exceptions import DataConversionWarning  # noqa: PLC0415

    X, y, qid = np.zeros((3, 1)), np.array([[0], [1], [2]]), [1, 1, 2]
    for column in (y, pd.DataFrame({"y": [0, 1, 2]})):
        with pytest.warns(DataConversionWarning, match=r"column of shape \(3, 1\)"):
            assert rf.Dataset(X, column, qid=qid).y.tolist() == [0, 1, 2]
    with pytest.warns(DataConversionWarning):
        assert rf.evaluate((y, qid), [1.0, 2, 3], "ndcg")["ndcg"] > 0
    with pytest.raises(ValueError, match=r"shape is \(3, 2\)$"):
        rf.Dataset(X, np.zeros((3, 2)), qid=qid)
    with pytest.raises(ValueError, match=r"shape is \(3, 1\) \(one column: pass np.ravel\(qid\)\)"):
        rf.Dataset(X, qid=y)


def test_grades_that_are_text_are_refused_with_the_first_bad_row():
    for y in ([1, "2", 3], np.array([1, "2", 3], dtype=object), pd.Series([1, "2", 3])):
        with pytest.raises(ValueError, match=r"row 1 \(counted from 0\) is '2'"):
            rf.Dataset(np.zeros((3, 1)), y, qid=[1, 1, 1])


def test_query_ids_may_be_whole_floats_and_uuids():
    y, qid, scores = [1, 0, 1], [1, 1, 2], [1, 2, 3]
    expected = rf.evaluate((y, qid), scores, "ndcg")
    for whole in ([1.0, 1.0, 2.0], np.array([1.0, 1.0, 2.0])):
        assert rf.evaluate((y, whole), scores, "ndcg") == expected
    data = rf.Dataset(np.zeros((3, 1)), qid=[1, 2.0, 1.0])
    assert data.query_ids.tolist() == [1, 2]
    first, second = UUID(int=5), UUID(int=3)
    data = rf.Dataset(np.zeros((3, 1)), qid=[first, second, first])
    assert data.query_ids.tolist() == [first, second]
    assert data.take([second]).rows.tolist() == [1]
    assert data.to_frame("polars")["query_id"].to_list() == [str(first), str(second), str(first)]
