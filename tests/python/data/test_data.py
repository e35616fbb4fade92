"""Data sets: what they hold and what they refuse."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from data_cases import seen_by_training
from scipy import sparse
from sklearn.model_selection import GroupKFold

from rankforest import MART, Dataset, _core
from rankforest.datasets import make_ranking


@pytest.fixture
def data():
    """Six documents of the queries b, a and c, in this order, interleaved."""
    return Dataset(
        np.arange(12, dtype=np.float32).reshape(6, 2),
        [2, 0, 1, 0, 0, 3],
        qid=["b", "a", "b", "c", "a", "b"],
        weight=[1, 2, 1, 3, 2, 1],
        feature_names=["f", "g"],
        document_ids=["d0", "d1", "d2", "d3", "d4", "d5"],
    )


class TestAttributes:
    def test_everything_is_in_the_callers_order(self, data):
        assert (data.n_documents, data.n_queries, data.n_features) == (6, 3, 2)
        np.testing.assert_array_equal(data.X, np.arange(12).reshape(6, 2))
        assert data.y.tolist() == [2, 0, 1, 0, 0, 3]
        assert data.y.dtype == np.float64
        assert data.qid.tolist() == ["b", "a", "b", "c", "a", "b"]
        assert data.query_ids.tolist() == ["b", "a", "c"]
        assert data.query_codes.tolist() == [0, 1, 0, 2, 1, 0]
        assert data.weight.tolist() == [1, 2, 1, 3, 2, 1]
        assert data.feature_names == ("f", "g")
        assert data.document_ids.tolist() == ["d0", "d1", "d2", "d3", "d4", "d5"]

    def test_what_is_not_given_is_none(self):
        data = Dataset([[1, 2]], qid=[7])
        assert data.y is None
        assert data.weight is None
        assert data.feature_names is None
        assert data.document_ids is None

    def test_float32_features_are_shared_with_the_caller_and_the_core(self):
        X = np.ones((4, 3), dtype=np.float32)
        data = Dataset(X, np.zeros(4), group=[2, 2])
        assert data.X is X
        assert np.shares_memory(data._core.features, X)

    def test_the_core_reads_rows_that_are_apart(self):
        X = np.arange(20, dtype=np.float32).reshape(4, 5)[:, 1:4]
        core = Dataset(X, np.zeros(4), group=[2, 2])._core
        np.testing.assert_array_equal(core.features, X)
        assert np.shares_memory(core.features, X)

    def test_names_come_from_the_frame_unless_given(self):
        frame = pd.DataFrame({"a": [1.0], "b": [2.0]})
        assert Dataset(frame, qid=[1]).feature_names == ("a", "b")
        assert Dataset(frame, qid=[1], feature_names=["c", "d"]).feature_names == ("c", "d")
        assert Dataset(frame[["a"]], qid=[1], feature_names="abc").feature_names == ("abc",)

    def test_weights_of_queries_are_those_of_their_documents(self):
        X = np.zeros((5, 1))
        data = Dataset(X, qid=["b", "a", "b", "c", "a"], weight=[1, 2, 3])
        assert data.weight.tolist() == [1, 2, 1, 3, 2]
        data = Dataset(X, group=[2, 3], weight=[1, 2])
        assert data.weight.tolist() == [1, 1, 2, 2, 2]

    def test_a_dropped_group_takes_its_weight_along(self):
        with pytest.warns(UserWarning, match="dropped 1 of 3"):
            data = Dataset(np.zeros((5, 1)), group=[2, 0, 3], weight=[1, 7, 2])
        assert data.weight.tolist() == [1, 1, 2, 2, 2]
        assert data.query_ids.tolist() == [0, 2]

    def test_missing_says_which_number_means_missing(self):
        data = Dataset(sparse.csr_array(np.array([[0, 3.0]])), qid=[1], missing=0)
        np.testing.assert_array_equal(data.X, [[np.nan, 3]])

    def test_the_representation_says_what_it_holds(self, data):
        text = "6 documents in 3 queries, 2 features"
        assert repr(data) == f"Dataset({text}, grades 0 to 3, weighted)"
        assert repr(Dataset(data.X, qid=data.qid)) == f"Dataset({text}, no grades)"

    def test_a_data_set_does_not_change(self, data):
        with pytest.raises(AttributeError, match="does not change"):
            data.y = None

    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda d: d])
    def test_copies_and_pickles_train_alike(self, data, duplicate):
        expected = seen_by_training(data)  # computed before, so that it must not travel along
        again = pickle.loads(pickle.dumps(duplicate(data)))
        assert seen_by_training(again) == expected
        assert again.query_ids.tolist() == data.query_ids.tolist()
        assert again.document_ids.tolist() == data.document_ids.tolist()


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"y": [1, 2]}, "y must have one value for each of the 3 rows of X; it has 2"),
            ({"y": [0, -1, 0]}, r"y must be finite and >= 0; that of row 1 .* is -1"),
            ({"y": [0, 1, np.nan]}, r"that of row 2 \(counted from 0\) is nan"),
            ({"y": [np.inf, 1, 0]}, r"that of row 0 \(counted from 0\) is inf"),
            ({"y": ["0", "1", "2"]}, "y must hold numbers; that of row 0 .* is '0'"),
            (
                {"y": np.array([0, "x", 1], dtype=object)},
                r"y must hold numbers; that of row 1 .*'x'",
            ),
            ({"y": np.array([0, None, 1], dtype=object)}, "y must be|y must hold numbers; that of"),
            ({"y": [[1], [2], [3]]}, r"y must be one-dimensional; its shape is \(3, 1\)"),
            ({"qid": [1, 2]}, "each of the 3 rows of X; it has 2"),
            ({"weight": [1, 2, 3, 4]}, "3 documents or 2 queries; it has 4"),
            ({"weight": [1, -1]}, "weight must be finite and >= 0; that of row 1"),
            ({"weight": [0, 0, 0]}, "weight must not be zero everywhere"),
            ({"weight": [1, 1e31, 0]}, r"weight must be from 0 to 1e30; that of row 1 .* 1e\+31"),
            ({"feature_names": ["a"]}, "each of the 2 columns of X; there are 1"),
            ({"feature_names": ["a", 1]}, "feature_names must be strings, got 1"),
            ({"feature_names": ["a", "a"]}, "must be different; 'a' occurs twice"),
            ({"feature_names": "ab"}, "each of the 2 columns of X; there are 1"),
            ({"document_ids": "abc"}, "one id for each row, got the string 'abc'"),
            ({"document_ids": ["a"]}, "document_ids must have one value for each of the 3 rows"),
            ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0, got 0"),
        ],
        ids=str,
    )
    def test_an_argument_that_does_not_fit_is_named(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            Dataset(np.zeros((3, 2)), **{"qid": [1, 1, 2], **arguments})

    @pytest.mark.parametrize("shape", [(0, 2), (2, 0)])
    def test_nothing_is_no_data_set(self, shape):
        with pytest.raises(ValueError, match="at least one row and one column"):
            Dataset(np.zeros(shape), qid=np.zeros(shape[0], dtype=int))

    def test_a_data_set_is_no_matrix(self, data):
        with pytest.raises(TypeError, match="X is a Dataset already"):
            Dataset(data, qid=data.qid)

    def test_infinities_are_no_reason_to_refuse(self):
        X = np.zeros((3, 4))
        X[2, 1] = -np.inf
        data = Dataset(X, [1, 0, 0], qid=[1, 1, 1])
        assert data._core.n_documents == 3
        assert data.X[2, 1] == -np.inf

    def test_a_set_without_grades_is_for_scoring_only(self):
        data = Dataset(np.zeros((3, 4)), qid=[1, 1, 1])
        for use in (lambda: data._core, data.summary):
            with pytest.raises(ValueError, match="y is missing"):
                use()


HANDLE = {
    "features": np.zeros((3, 2), dtype=np.float32),
    "grades": np.zeros(3),
    "query_codes": np.array([0, 0, 1], dtype=np.uint32),
    "n_queries": 2,
    "weights": None,
    "n_jobs": 1,
}


class TestCoreHandle:
    """The private class behind a data set."""

    def test_arrays_cannot_be_written_and_outlive_the_handle(self):
        features = np.arange(6, dtype=np.float32).reshape(3, 2)
        core = _core.Dataset(**{**HANDLE, "features": features})
        order, view = core.order, core.features
        for array in (order, view, core.offsets, core.grades, core.query_codes):
            assert not array.flags.writeable
        del core, features
        assert sorted(order.tolist()) == [0, 1, 2]
        np.testing.assert_array_equal(view, np.arange(6).reshape(3, 2))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"features": np.zeros((3, 4), dtype=np.float32)[:, ::2]}, "contiguous rows"),
            ({"features": np.zeros(3, dtype=np.float32)}, "two-dimensional array"),
            ({"grades": np.zeros(6)[::2]}, "grades must be a contiguous"),
            ({"grades": np.zeros(2)}, "grades must have one value for each of the 3 rows"),
            ({"weights": np.zeros(0)}, "weights has 0 values, features has 3 rows"),
            ({"n_queries": 3}, "query_codes names 2 queries, n_queries is 3"),
            ({"n_jobs": 0}, "n_jobs must be >= 1 here, got 0"),
        ],
    )
    def test_arrays_that_do_not_fit_are_refused(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            _core.Dataset(**{**HANDLE, **arguments})

    @pytest.mark.parametrize("name", ["features", "grades", "query_codes"])
    def test_other_types_are_refused_rather_than_converted(self, name):
        with pytest.raises(TypeError):
            _core.Dataset(**{**HANDLE, name: HANDLE[name].astype(np.int16)})


class TestTake:
    def test_queries_keep_the_order_of_the_rows(self, data):
        part = data.take(["c", "b"])
        assert part.document_ids.tolist() == ["d0", "d2", "d3", "d5"]
        assert part.qid.tolist() == ["b", "b", "c", "b"]
        assert part.query_ids.tolist() == ["b", "c"]
        assert part.y.tolist() == [2, 1, 0, 3]
        assert part.weight.tolist() == [1, 1, 3, 1]
        assert part.feature_names == ("f", "g")
        np.testing.assert_array_equal(part.X, data.X[[0, 2, 3, 5]])

    def test_integer_ids_are_ids_and_no_positions(self):
        data = Dataset(np.arange(4)[:, None], qid=np.array([10, 2, 1, 10]))
        assert data.take([1]).X.tolist() == [[2]]
        assert data.take(data.query_ids[[0]]).X.tolist() == [[0], [3]]
        assert data.take(data.query_ids[np.array([False, True, True])]).qid.tolist() == [2, 1]

    @pytest.mark.parametrize(
        ("queries", "message"),
        [
            (["b", "x"], "ids out of query_ids, such as 'b'; 'x' is none of them"),
            ([1], "ids out of query_ids, such as 'b'; 1 is none of them"),
            (["b", "b"], "queries must be different; there are 2, of which 1 differ"),
            ([], "at least one document; none is selected"),
            ("b", "queries must be one-dimensional"),
        ],
    )
    def test_ids_that_do_not_fit_are_refused(self, data, queries, message):
        with pytest.raises(ValueError, match=message):
            data.take(queries)

    def test_rows_come_in_the_order_given(self, data):
        part = data.take_rows([5, 1, 0])
        assert part.document_ids.tolist() == ["d5", "d1", "d0"]
        assert part.query_ids.tolist() == ["b", "a"]
        assert part.query_codes.tolist() == [0, 1, 0]

    def test_a_mask_selects_rows(self, data):
        part = data.take_rows(data.y > 0)
        assert part.document_ids.tolist() == ["d0", "d2", "d5"]
        assert part.query_ids.tolist() == ["b"]

    def test_consecutive_rows_are_not_copied(self, data):
        assert np.shares_memory(data.take_rows(range(1, 4)).X, data.X)

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([0, 6], r"rows must be in \[0, 6\); 6 is not"),
            ([-1], r"rows must be in \[0, 6\); -1 is not"),
            ([True, False], "rows must have one value for each of the 6 rows"),
            ([0.5], "row numbers or a mask; the dtype is float64"),
            ([], "none is selected"),
            (np.zeros(6, dtype=bool), "none is selected"),
        ],
    )
    def test_rows_that_do_not_exist_are_refused(self, data, rows, message):
        with pytest.raises(ValueError, match=message):
            data.take_rows(rows)

    def test_group_k_fold_gives_folds_of_whole_queries(self):
        data = make_ranking(n_queries=12, n_features=2)
        seen = []
        for train, test in GroupKFold(3).split(data.X, data.y, groups=data.qid):
            train_set, test_set = data.take_rows(train), data.take_rows(test)
            assert not set(train_set.query_ids) & set(test_set.query_ids)
            assert train_set.n_documents + test_set.n_documents == data.n_documents
            seen += test_set.query_ids.tolist()
        assert sorted(seen) == list(range(1, 13))


class TestSplit:
    def test_both_sides_together_are_the_whole(self):
        data = make_ranking(n_queries=40, n_features=2)
        train, test = data.train_test_split(0.25)
        assert (train.n_queries, test.n_queries) == (30, 10)
        assert sorted([*train.query_ids, *test.query_ids]) == list(range(1, 41))
        assert train.n_documents + test.n_documents == data.n_documents
        for side in (train, test):
            np.testing.assert_array_equal(side.X, data.take(side.query_ids).X)

    def test_the_split_depends_on_the_seed(self):
        data = make_ranking(n_queries=40, n_features=2)
        first, same, other = (
            data.train_test_split(10, random_state=seed)[1].query_ids.tolist() for seed in (1, 1, 2)
        )
        assert first == same
        assert first != other

    def test_the_split_never_changes(self):
        test = make_ranking(n_queries=20, n_features=2).train_test_split(5)[1]
        assert test.query_ids.tolist() == [2, 4, 7, 18, 19]

    def test_neither_row_order_nor_query_names_change_the_split(self):
        data = make_ranking(n_queries=30, n_features=2)
        rows = np.random.default_rng(5).permutation(data.n_documents)
        renamed = np.array([f"q{each}" for each in data.qid])
        other = Dataset(data.X[rows], data.y[rows], qid=renamed[rows])
        expected = {f"q{each}" for each in data.train_test_split(7)[1].query_ids}
        assert set(other.train_test_split(7)[1].query_ids) == expected

    def test_sets_without_grades_are_split_too(self):
        data = Dataset(np.arange(6)[:, None], qid=[1, 1, 2, 2, 3, 3])
        train, test = data.train_test_split(1)
        assert (train.n_queries, test.n_queries) == (2, 1)
        assert test.y is None

    def test_no_seed_is_a_fresh_one(self):
        data = make_ranking(n_queries=200, n_documents=1, n_features=2)
        splits = {
            tuple(data.train_test_split(random_state=None)[1].query_ids.tolist()) for _ in range(3)
        }
        assert len(splits) == 3

    @pytest.mark.parametrize("share", [0.01, 0.99])
    def test_a_share_leaves_a_query_on_both_sides(self, share):
        train, test = make_ranking(n_queries=3, n_features=2).train_test_split(share)
        assert {train.n_queries, test.n_queries} == {1, 2}

    @pytest.mark.parametrize("test_size", [0, 3, 0.0, 1.0, -1, 1.5, True, "half", float("nan")])
    def test_sizes_that_leave_nothing_are_refused(self, test_size):
        with pytest.raises(ValueError, match="test_size"):
            make_ranking(n_queries=3, n_features=2).train_test_split(test_size)

    def test_one_query_cannot_be_split(self):
        with pytest.raises(ValueError, match="leaves no query on one side"):
            make_ranking(n_queries=1, n_features=2).train_test_split(0.5)


def test_the_summary_counts_what_matters_to_ranking():
    data = Dataset(
        [[1, np.nan], [2, 0], [3, 0], [4, 0], [5, 0], [6, np.nan], [7, 0], [8, 0]],
        [0, 2, 0, 1, 1, 0, 0, 2.5],
        qid=["x", "mixed", "x", "same", "same", "alone", "mixed", "good"],
    )
    summary = data.summary()
    assert (summary.n_documents, summary.n_queries, summary.n_features) == (8, 5, 2)
    assert summary.n_missing == 2
    assert (summary.lowest_grade, summary.highest_grade) == (0, 2.5)
    assert summary.n_empty == 2  # x, alone
    assert summary.n_single == 2  # alone, good
    assert summary.n_one_grade == 2  # x, same
    assert summary.n_comparable == 1  # mixed
    assert str(summary).splitlines() == [
        "8 documents in 5 queries, 2 features, 2 missing values",
        "grades 0 to 2.5",
        "1 queries with different grades, 2 with one, 2 of one document",
        "2 queries without a relevant document",
    ]


def test_a_grade_of_minus_zero_is_zero_in_a_summary_and_in_a_file():
    X = [[1.0], [2.0], [3.0]]
    grades = np.array([-0.0, 0.0, 2.0])
    files = []
    for order in ([0, 1, 2], [1, 0, 2]):
        data = Dataset(np.array(X)[order], grades[order], qid=[0, 0, 0])
        summary = data.summary()
        assert str(summary.lowest_grade) == "0.0"
        files.append(pickle.dumps(MART(n_estimators=2).fit(data).model_))
    assert files[0] == files[1]
    none = Dataset(X, [-0.0] * 3, qid=[0, 0, 0]).summary()
    assert (str(none.lowest_grade), str(none.highest_grade)) == ("0.0", "0.0")
