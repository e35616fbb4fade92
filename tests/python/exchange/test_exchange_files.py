"""Small files of other systems, written by hand, with scores computed by hand."""

import json

import numpy as np
import pytest
from exchange_texts import (
    CATBOOST,
    DUMP,
    FOREST,
    JFORESTS,
    QUICKRANK,
    RANKLIB,
    SOLR,
    xgboost_document,
    xgboost_tree,
)

import rankforest as rf
from rankforest.exchange.catboost_model import read_catboost
from rankforest.exchange.evaluate import evaluate
from rankforest.exchange.solr import read_solr
from rankforest.exchange.ubjson import read_ubjson, write_ubjson
from rankforest.exchange.xgboost_dump import read_dump
from rankforest.exchange.xgboost_model import read_xgboost
from rankforest.model_file import is_model


def loaded(tmp_path, text):
    path = tmp_path / "a model"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert is_model(path)
    return rf.load(path)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ranklib(tmp_path, end):
    model = loaded(tmp_path, RANKLIB.replace("\n", end))
    assert (model.algorithm, model.n_features, model.zero_based) == ("ranklib lambdamart", 3, False)
    X = [[0, 9, 0.25], [-2, 9, 0.26], [-1.9, 9, 0.26]]
    assert model.predict(X).tolist() == [-0.25, 2.5, 4.5]
    assert model[:1].predict(X).tolist() == [-0.75, 2.0, 4.0]
    # A feature that is not there is 0.
    assert model.predict([[np.nan, 9, np.nan]]).tolist() == [-0.25]
    assert model.predict([[np.nan, 9, 1.0]]).tolist() == [4.5]


def test_ranklibs_forests_are_means_of_their_bags(tmp_path):
    model = loaded(tmp_path, FOREST)
    assert model.algorithm == "ranklib random forests"
    assert model.predict([[0.0]]).tolist() == [1.25]
    assert model[:1].predict([[0.0]]).tolist() == [0.5]
    two = FOREST.replace(
        "</tree>", '</tree><tree id="2" weight="1"><split><output>2</output></split></tree>', 1
    )
    assert loaded(tmp_path, two).predict([[0.0]]).tolist() == [2.25]


def test_quickrank(tmp_path):
    model = loaded(tmp_path, QUICKRANK)
    assert (model.algorithm, model.zero_based) == ("quickrank lambdamart", False)
    assert model.predict([[9, 0.5], [9, 0.6], [9, np.nan]]).tolist() == [-0.5, 0.75, 0.75]


def test_jforests(tmp_path):
    model = loaded(tmp_path, JFORESTS)
    assert (model.algorithm, model.zero_based) == ("jforests", True)
    X = [[-1, 0.5], [-0.9, 0.5], [0, 0.6], [np.nan, np.nan]]
    assert model.predict(X).tolist() == [18, 20, 24, 20]


def test_xgboosts_dump(tmp_path):
    with pytest.warns(UserWarning, match="has neither its base score nor the weights of dart"):
        model = loaded(tmp_path, DUMP)
    # "yes" names the second child here, and missing values take the first.
    assert model.predict([[9, 0.4], [9, 0.5], [9, np.nan]]).tolist() == [10, 9, 9]


def test_names_of_a_dump_are_columns_in_the_order_in_which_they_are_met():
    forest = read_dump(DUMP.replace('"f1"', '"bm25"').encode())
    assert (forest.feature_names, forest.n_features) == (("bm25",), 1)
    forest = read_dump(DUMP.replace('"f1"', '"bm25"').encode(), ["a", "b", "bm25"])
    assert forest.trees[0].feature[0] == 2
    with pytest.raises(ValueError, match=r"^\[0\].split: expected one of the 2 features"):
        read_dump(DUMP.encode(), ["a", "b"])


@pytest.mark.parametrize("base_score", ["5E-1", "[5E-1]", 0.5])
def test_xgboost(tmp_path, base_score):
    text = json.dumps(xgboost_document(xgboost_tree(), xgboost_tree(), base_score=base_score))
    model = loaded(tmp_path, text)
    assert model.algorithm == "xgboost rank:ndcg"
    below = np.nextafter(np.float32(0.5), np.float32(0))
    assert model.predict([[9, below], [9, 0.5], [9, np.nan]]).tolist() == [2.5, 4.5, 2.5]


@pytest.mark.parametrize("layout", ["older", "newer"])
def test_xgboosts_dart_weighs_trees(layout):
    document = xgboost_document(xgboost_tree(), xgboost_tree())
    booster = document["learner"]["gradient_booster"]
    weights = [0.5, 2.0]
    if layout == "older":
        booster = {"name": "dart", "gbtree": booster, "weight_drop": weights}
    else:
        booster["model"]["weight_drop"] = weights
    document["learner"]["gradient_booster"] = booster
    forest = read_xgboost(json.dumps(document).encode())
    assert evaluate(forest, [[0, 0.0], [0, 1.0]]).tolist() == [3.0, 5.5]


def test_nodes_that_xgboost_deleted_are_left_out():
    tree = xgboost_tree(
        left_children=[3, -1, -1, -1, -1],
        right_children=[4, -1, -1, -1, -1],
        split_indices=[1, 2**32 - 1, 2**32 - 1, 0, 0],
        split_conditions=[0.5, 7.0, 7.0, 1.0, 2.0],
        default_left=[0] * 5,
        split_type=[0] * 5,
        tree_param={"num_nodes": "5"},
    )
    forest = read_xgboost(json.dumps(xgboost_document(tree, base_score="0")).encode())
    assert len(forest.trees[0]) == 3
    assert evaluate(forest, [[0, 0.0], [0, 1.0], [0, np.nan]]).tolist() == [1, 2, 2]


def test_ubjson_comes_back():
    document = {
        "text": "é",
        "number": -3,
        "list": [1, ["a"], {"b": "c"}],
        "floats": np.array([1.5, -np.inf, 1e-45], dtype=np.float32),
        "bytes": np.array([0, 255], dtype=np.uint8),
        "wide": np.array([2**40], dtype=np.int64),
    }
    again = read_ubjson(write_ubjson(document))
    assert list(again) == list(document)
    for key, value in document.items():
        assert again[key] == value if isinstance(value, list) else np.array_equal(again[key], value)
        assert getattr(again[key], "dtype", None) == getattr(value, "dtype", None)


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b"{i\x01ai\x05}", {"a": 5}),
        (b"{#i\x01i\x01aT", {"a": True}),
        (b"[i\x01Zd\x3f\x80\x00\x00]", [1, None, 1.0]),
        (b"[#U\x02SU\x01xF", ["x", False]),
        (b"[$I#i\x02\x01\x00\xff\xff", [256, -1]),
    ],
)
def test_ubjson_by_hand(content, value):
    found = read_ubjson(content)
    assert (found.tolist() if isinstance(found, np.ndarray) else found) == value


def test_solr(tmp_path):
    model = loaded(tmp_path, json.dumps(SOLR))
    assert (model.algorithm, model.feature_names) == ("solr", ("a", "b"))
    # The slack: 0.5 + 1e-6 is still left.
    X = [[0, 0.5000005], [10, 0.6], [11, 0.6]]
    assert model.predict(X).tolist() == [-70, 5, 17.5]
    forest = read_solr(json.dumps(SOLR).encode(), ["b", "x", "a"])
    assert forest.trees[0].feature.tolist() == [0, -1, 2, -1, -1]


def test_catboosts_oblivious_trees(tmp_path):
    model = loaded(tmp_path, json.dumps(CATBOOST))
    assert model.algorithm == "catboost"
    # The first split is the lowest bit of a leaf's number; a border itself is not above.
    X = [[0.5, 2.0], [0.6, 2.0], [0.5, 2.1], [0.6, 2.1], [np.nan, 0], [0, np.nan]]
    assert model.predict(X).tolist() == [10.5, 11, 12, 14, 11, 10.5]


def test_catboosts_other_trees():
    split = {"border": 0.5, "float_feature_index": 1, "split_type": "FloatFeature"}
    tree = {"left": {"value": 1}, "right": {"value": 2}, "split": split}
    document = {key: value for key, value in CATBOOST.items() if key != "oblivious_trees"}
    forest = read_catboost(json.dumps(document | {"trees": [tree, {"value": 4}]}).encode())
    assert evaluate(forest, [[0, 0.5], [0, 0.6], [0, np.nan]]).tolist() == [12.5, 13, 12.5]


def test_a_model_takes_more_columns_than_it_looks_at(tmp_path):
    (tmp_path / "m").write_text(QUICKRANK)
    model = rf.load(tmp_path / "m", n_features=4)
    assert model.n_features == 4
    assert model.predict([[9, 0.5, 7, 7]]).tolist() == [-0.5]
    with pytest.raises(ValueError, match="n_features is 1, but the model has 2 columns"):
        rf.load(tmp_path / "m", n_features=1)
    (tmp_path / "m").write_text(json.dumps(SOLR))
    with pytest.raises(ValueError, match="2 columns, which have names"):
        rf.load(tmp_path / "m", n_features=3)


@pytest.mark.parametrize(
    "text", [RANKLIB, QUICKRANK, JFORESTS, json.dumps(CATBOOST), json.dumps(SOLR)]
)
def test_a_byte_order_mark_and_blanks_before_a_text_do_not_matter(tmp_path, text):
    expected = loaded(tmp_path, text)
    assert loaded(tmp_path, text) == expected
    if not text.startswith("{"):
        assert loaded(tmp_path, "\ufeff" + text) == expected
    assert loaded(tmp_path, "\n " + text) == expected
