"""Several data sets as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankforest as rf
from rankforest.datasets import make_ranking


def one(qid, *, y=(1, 0), X=((1, 2), (3, 4)), **more):
    return rf.Dataset(np.array(X, dtype=float), y, qid=qid, **more)


def test_documents_follow_each_other_with_all_that_they_have():
    whole = rf.concat(
        [
            one(["a", "b"], weight=[1, 2], document_ids=["x", "y"]),
            one(["c", "c"], X=((5, 6), (7, 8)), y=(2, 3)),
        ]
    )
    assert whole.X.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert whole.y.tolist() == [1, 0, 2, 3]
    assert whole.qid.tolist() == ["a", "b", "c", "c"]
    assert whole.weight.tolist() == [1, 2, 1, 1]
    assert whole.document_ids.tolist() == ["x", "y", "", ""]
    assert whole.rows.tolist() == [0, 1, 2, 3]


def test_one_id_in_several_sets_is_an_error_unless_said_what_it_means():
    sets = [one([1, 2]), one([2, 3])]
    with pytest.raises(ValueError, match=r"query 2 is in number 0 and in number 1 .*merge.*rename"):
        rf.concat(sets)
    merged = rf.concat(sets, queries="merge")
    assert merged.query_ids.tolist() == [1, 2, 3]
    assert merged.query_codes.tolist() == [0, 1, 1, 2]
    renamed = rf.concat(sets, queries="rename")
    assert renamed.query_ids.tolist() == ["0/1", "0/2", "1/2", "1/3"]
    with pytest.raises(ValueError, match="queries must be"):
        rf.concat(sets, queries="join")


@given(st.integers(0, 9))
def test_folds_of_a_data_set_put_together_train_its_model(seed):
    data = make_ranking(n_queries=12, n_features=3, random_state=seed)
    whole = rf.concat([test for _, test in data.folds(3, random_state=seed)])
    models = [rf.MART(n_estimators=2).fit(each).model_ for each in (data, whole)]
    assert models[0] == models[1]


def test_text_is_widened_by_its_own_rule(tmp_path):
    (tmp_path / "narrow.txt").write_text("1 qid:1 1:5\n")
    (tmp_path / "wide.txt").write_text("0 qid:2 1:5 3:7\n")
    sets = [rf.read_letor(tmp_path / f"{name}.txt") for name in ("narrow", "wide")]
    assert rf.concat(sets).X.tolist() == [[5, 0, 0], [5, 0, 7]]
    assert rf.concat(sets).feature_labels == ("1", "2", "3")
    sets = [rf.read_letor(tmp_path / f"{n}.txt", absent="nan") for n in ("narrow", "wide")]
    np.testing.assert_array_equal(rf.concat(sets).X, [[5, np.nan, np.nan], [5, np.nan, 7]])
    with pytest.raises(ValueError, match=r"read by other rules .*absent=0, not text .*absent=nan"):
        rf.concat([sets[0], rf.read_letor(tmp_path / "wide.txt")])
    with pytest.raises(ValueError, match="other rules than the first: no text, not text"):
        rf.concat([sets[1], one([7, 8], X=((1, 2, 3), (4, 5, 6)))])


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (one([3, 4], y=None), "number 1 .* has no grades, unlike the first"),
        (one([3, 4], X=((1,), (2,))), "has 1 features, the first has 2"),
        (one([3, 4], feature_names=["a", "b"]), "has feature names, unlike the first"),
        (one([3, 4], missing=-1), "has missing=-1.0, the first has missing=None"),
        (one(["c", "d"]), "ids of one kind"),
    ],
)
def test_sets_that_do_not_fit_are_refused(other, message):
    with pytest.raises(ValueError, match=message):
        rf.concat([one([1, 2]), other])


def test_names_must_match():
    first = one([1, 2], feature_names=["a", "b"])
    with pytest.raises(ValueError, match=r"number 1 .* lacks a feature 'a', unlike the first"):
        rf.concat([first, one([3, 4], feature_names=["c", "b"])])
    assert rf.concat([first, one([3, 4], feature_names=["a", "b"])]).feature_names == ("a", "b")


def test_features_in_another_order_are_put_in_that_of_the_first():
    first = one([1, 2], X=((1, 2), (3, 4)), feature_names=["a", "b"])
    turned = one([3, 4], X=((5, 6), (7, 8)), feature_names=["b", "a"])
    whole = rf.concat([first, turned])
    assert whole.feature_names == ("a", "b")
    assert whole.X.tolist() == [[1, 2], [3, 4], [6, 5], [8, 7]]
    assert turned.X.tolist() == [[5, 6], [7, 8]]


def test_the_order_of_the_columns_of_a_set_does_not_change_the_model():
    frame = make_ranking(n_queries=20, n_features=4, random_state=0).to_frame()
    parts = [frame[frame.query_id % 2 == k] for k in (0, 1)]
    sets = [rf.Dataset.from_frame(each, label="label", query="query_id") for each in parts]
    shuffled = parts[1][list(np.random.default_rng(0).permutation(frame.columns))]
    turned = rf.Dataset.from_frame(shuffled, label="label", query="query_id")
    models = [
        rf.MART(n_estimators=3).fit(rf.concat([sets[0], s])).model_ for s in (sets[1], turned)
    ]
    assert turned.feature_names != sets[1].feature_names
    assert models[0] == models[1]


def test_what_float32_does_not_tell_apart_keeps_its_name_in_another_order():
    rng = np.random.default_rng(0)
    X = np.column_stack([20180131 + np.arange(40) % 4, rng.integers(0, 9, (40, 2))])
    turned = rf.Dataset(X, np.arange(40) % 3, group=[40], feature_names=["date", "a", "b"])
    other = np.column_stack([X[:, 1:], np.arange(40)])
    first = rf.Dataset(other, [0, 1] * 20, group=[40], feature_names=["a", "b", "date"])
    with pytest.warns(UserWarning, match="'date': 4 values become"):
        rf.MART(n_estimators=2).fit(rf.concat([first, turned], queries="rename"))


def test_a_data_set_alone_is_no_list_of_them():
    with pytest.raises(TypeError, match=r"got a Dataset: write concat\(\[a, b\]\)"):
        rf.concat(one([1, 2]))


def test_only_data_sets_and_at_least_one():
    with pytest.raises(ValueError, match="at least one Dataset"):
        rf.concat([])
    with pytest.raises(TypeError, match="number 1 is an ndarray"):
        rf.concat([one([1, 2]), np.ones((2, 2))])
