"""Damaged and hostile files: an error that says where and why, never anything else."""

import copy
import json
import struct

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
from hypothesis import given, settings
from hypothesis import strategies as st

import rankforest as rf
from rankforest.exchange.reading import read_foreign, reader_for
from rankforest.exchange.ubjson import read_ubjson, write_ubjson
from rankforest.exchange.xgboost_model import read_xgboost
from rankforest.exchange.xml_elements import parse_xml


def refusal(content):
    """Return why a file is refused."""
    content = content if isinstance(content, bytes) else content.encode()
    read = reader_for(content[:4096])
    assert read is not None
    with pytest.raises(ValueError) as error:  # noqa: PT011 - what it says is the result
        read_foreign(read, content)
    return str(error.value)


def xgboost(*trees, **changes):
    return json.dumps(xgboost_document(*trees, **changes))


def without(document, *path):
    """Copy a document without one of its keys."""
    found = copy.deepcopy(document)
    at = found
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    return json.dumps(found)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"left_children": [0, -1, -1]}, r"trees[0].left_children[0]: expected a node from 1 to 2, got 0"),
        ({"left_children": [-7, -1, -1]}, r"trees[0].left_children[0]: expected a node from 1 to 2"),
        ({"right_children": [9, -1, -1]}, r"trees[0].right_children[0]: expected a node from 1 to 2"),
        ({"right_children": [1, -1, -1]}, "trees[0]: both children of node 0 are 1"),
        ({"left_children": [1.5, -1, -1]}, "left_children[0]: expected a whole number, got 1.5"),
        ({"left_children": [1, -1]}, "right_children: has 3 values, expected 2"),
        ({"split_indices": [2, 0, 0]}, "node 0 tests feature 2, expected one from 0 to 1"),
        ({"split_indices": [-1, 0, 0]}, "split_indices[0]: expected a feature of 0 or more, got -1"),
        ({"split_conditions": [0.5, 1e39, 2]}, "the leaf at node 1 is inf, expected a finite float32"),
        ({"split_conditions": [float("nan"), 1, 2]}, "trees[0]: the threshold of node 0 is NaN"),
        ({"split_conditions": ["a", 1, 2]}, "split_conditions[0]: expected a number, got 'a'"),
        ({"split_conditions": {}}, "split_conditions: expected a list, got {}"),
        ({"split_type": [1, 0, 0]}, "trees[0]: has categorical splits, which cannot be read"),
        ({"tree_param": {"num_nodes": "4"}}, "num_nodes: expected the length of left_children"),
        ({"tree_param": {"num_nodes": "9" * 30}}, "num_nodes: expected a whole number from 0 to"),
        (
            {"tree_param": {"num_nodes": "3", "size_leaf_vector": "4"}},
            "size_leaf_vector: expected 0 or 1: one value in a leaf, got '4'",
        ),
    ],
)  # fmt: skip
def test_trees_of_xgboost(changes, message):
    assert message in refusal(xgboost(xgboost_tree(**changes)))


def test_a_circle_and_a_node_with_two_parents():
    circle = {
        "left_children": [1, 1, -1], "right_children": [2, 2, -1],
    }  # fmt: skip
    assert "the right child of node 1 is 2, expected one from 1 to 2 that no other node has" in (
        refusal(xgboost(xgboost_tree(**circle)))
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (xgboost(base_score="one"), "learner_model_param.base_score: expected a number, got 'one'"),
        (xgboost(base_score="[1,2]"), "base_score: expected one base score, got [1, 2]"),
        (xgboost(base_score="[1"), "not valid JSON"),
        (xgboost(base_score="1e99"), "base_score: expected a finite float32"),
        (xgboost(base_score="2", objective="binary:logistic"), "a probability between 0 and 1"),
        (xgboost(base_score="-1", objective="count:poisson"), "expected a number above 0"),
        (xgboost(num_class="3"), "num_class: expected 0 or 1: one score for a document"),
        (xgboost(num_target="2"), "num_target: expected 0 or 1: one score for a document"),
        (xgboost(num_feature="0"), "num_feature: expected a whole number from 1 to 2147483647"),
        (xgboost(num_feature="9" * 20), "num_feature: expected a whole number from 1 to"),
        (without(xgboost_document(), "learner", "learner_model_param", "base_score"),
         "learner.learner_model_param.base_score: missing"),
        (without(xgboost_document(), "learner", "gradient_booster", "model", "trees"),
         "learner.gradient_booster.model.trees: missing"),
        (xgboost(booster={"name": "gblinear", "model": {}}),
         "the booster is 'gblinear', expected gbtree or dart"),
        (xgboost().replace('"num_trees": "0"', '"num_trees": "1000000"'),
         "num_trees: expected 0, the number of trees there are, got '1000000'"),
        ('{"learner": ', "not valid JSON"),
        ('{"learner": [], "learner": {}}', "the key 'learner' stands twice in an object"),
        ('{"learner": ' + "[" * 100_000, "nested too deeply"),
        ('{"learner": 5}', "learner: expected an object, got 5"),
    ],
)  # fmt: skip
def test_documents_of_xgboost(text, message):
    assert message in refusal(text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "byte 0: the file ends within 1 bytes"),
        (b"{L" + struct.pack(">q", -1), "expected a size of 0 or more"),
        (b"{L" + struct.pack(">q", 2**62), "the file ends within 4611686018427387904 bytes"),
        (b"{i\x01a[$d#L" + struct.pack(">q", 2**60), "items is longer than the file"),
        (b"{i\x01a[#L" + struct.pack(">q", 2**60), "items is longer than the file"),
        (b"{i\x01a[$T#i\x01", "an array of type b'T', expected one of numbers"),
        (b"{i\x01a[$iX", "expected the number of items"),
        (b"{i\x01aX", "unknown type b'X'"),
        (b"{i\x01\xffT}", "a string is no UTF-8"),
        (b"{i\x01aTi\x01aT}", "the key 'a' stands twice in an object"),
        (b"[" * 1000, "nested deeper than 64"),
        (b"{i\x01aT", "the file ends within 1 bytes"),
    ],
)
def test_ubjson(content, message):
    with pytest.raises(ValueError, match=r"^not valid UBJSON: byte") as error:
        read_ubjson(content)
    assert message in str(error.value)


def nested(start, end, depth):
    split = "<split><feature>1</feature><threshold>0</threshold><split pos='left'><output>1</output></split>"
    inner = split.replace("<split>", "<split pos='right'>", 1)
    return start + split + inner * depth


DEEP = nested('## MART\n<ensemble><tree id="1" weight="1">', "", 20_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RANKLIB.replace("## LambdaMART", "## Coordinate Ascent"),
         "line 1: the ranker is 'Coordinate Ascent', expected one with trees"),
        (RANKLIB[:300], "not well-formed XML"),
        ("## LambdaMART\n", "line 1: there is no <ensemble>"),
        (RANKLIB.replace('id="2"', 'id="1"'), "line 25: a second <tree> with the id '1'"),
        (RANKLIB.replace('weight="0.5"', "", 1), "line 6: <tree> has no weight"),
        (RANKLIB.replace('weight="0.5"', 'weight="x"', 1), "weight of <tree>: expected a number"),
        (RANKLIB.replace("> 3 <", "> 0 <"), "line 8: <feature>: expected a whole number from 1"),
        (RANKLIB.replace("> 3 <", "> -3 <"), "line 8: <feature>: expected a whole number from 1"),
        (RANKLIB.replace("> 3 <", "> 1e30 <"), "line 8: <feature>: expected a whole number from 1"),
        (RANKLIB.replace("> 0.25 <", "> nan <"), "line 9: <threshold>: expected a number"),
        (RANKLIB.replace("> -1.5 <", "> 1e39 <"), "line 10: the leaf is 1e+39, expected a finite"),
        (RANKLIB.replace('pos="left"', 'pos="right"', 1), "line 7: <split>: expected a feature, a"),
        (RANKLIB.replace("<feature> 3 </feature>", ""), "line 7: <split> has 0 <feature>, expected"),
        (RANKLIB + RANKLIB[RANKLIB.index("<ens"):], "a second <ensemble>, which LambdaMART does not"),
        (RANKLIB.replace("<ensemble>", "<!DOCTYPE a [<!ENTITY b 'c'>]><ensemble>"),
         "not well-formed XML"),
        (DEEP, "line 2: nested deeper than 10000 elements"),
        (b"## LambdaMART\n<ensemble>\n\xff", "line 3: a byte that is no UTF-8"),
        (QUICKRANK.replace("LAMBDAMART", "COORDASC"), "line 3: the ranker is COORDASC"),
        (QUICKRANK.replace("<type>", "<typ>").replace("</type>", "</typ>"), "has 0 <type>"),
        (QUICKRANK.replace(">2<", ">2.5<"), "<feature>: expected a whole number"),
        ("<ranker><!DOCTYPE a>", "not well-formed XML"),
        ("<ranker>", "not well-formed XML"),
        (JFORESTS.replace("1 -1<", "0 -1<"), "the left child of node 0 is 0"),
        (JFORESTS.replace("1 -1<", "5 -1<"), "tree 0: the left child of node 0 is"),
        (JFORESTS.replace("-3 -2<", "-9 -2<"), "tree 0: the right child of node 0 is 10"),
        (JFORESTS.replace("1.0 2.0 4.0", "1.0 2.0"), "line 2: <Tree>: expected as many children"),
        (JFORESTS.replace("1.0 2.0 4.0", "1.0 2.0 x"), "<LeafOutputs>: expected finite numbers"),
        (JFORESTS.replace(">1 0<", ">1 -2<"), "line 2: <Tree>: a feature is below 0"),
        (FOREST.replace("ensemble>", "ensembl>", 2), "found <ensembl>, expected <ensemble>"),
    ],
)  # fmt: skip
def test_texts_of_elements(text, message):
    assert message in refusal(text)


def test_entities_are_refused_before_they_grow():
    laughs = "<!DOCTYPE ranker [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><ranker>&b;</ranker>"
    with pytest.raises(ValueError, match=r"^line 1: not well-formed XML"):
        parse_xml(laughs, "file")
    with pytest.raises(ValueError, match=r"^line 1: not well-formed XML: undefined entity"):
        parse_xml("<ranker>&b;</ranker>", "file")


@pytest.mark.filterwarnings("ignore:a dump of XGBoost")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DUMP.replace('"yes": 2', '"yes": 7'), "[0].yes: expected the nodeid of one of the children"),
        (DUMP.replace('"no": 1', '"no": 2'), "[0].no: expected another child than yes"),
        (DUMP.replace('"missing": 1', '"missing": 0'), "[0].missing: expected the nodeid of one of"),
        (DUMP.replace('"missing": 1,', ""), "[0].missing: missing"),
        (DUMP.replace('"nodeid": 2', '"nodeid": 0'), "[0].yes: expected the nodeid"),
        (DUMP.replace('"leaf": 1.0', '"leaf": "x"'), "leaf: expected a number, got 'x'"),
        (DUMP.replace('{"nodeid": 2, "leaf": 2.0}', ""), "not valid JSON"),
        (DUMP.replace('"f1"', '"f999999999999"'), "[0].split: expected a feature below f100000000"),
        (DUMP.replace('"f1"', "1"), "[0].split: expected a string, got 1"),
        (json.dumps(SOLR).replace('"weight": "0.5", ', ""), "params.trees[0].weight: missing"),
        (json.dumps(SOLR).replace('"feature": "b"', '"feature": "c"'), "expected a listed feature"),
        (json.dumps(SOLR).replace('"value": 50', '"valu": 50'), "right.left.value: missing"),
        (json.dumps(CATBOOST).replace("[1, 2, 4, 8]", "[1, 2, 4]"), "leaf_values: has 3 values, expected 4"),
        (json.dumps(CATBOOST).replace("FloatFeature", "OneHotFeature"), "FloatFeature: numbers are all"),
        (json.dumps(CATBOOST).replace("[0.5, [10]]", "[0.5, [10, 3]]"), "one bias: one score for"),
        (json.dumps(CATBOOST).replace('"float_feature_index": 1', '"float_feature_index": 7'),
         "oblivious_trees[0].splits[1].float_feature_index: expected the index of a float feature"),
        (json.dumps(CATBOOST).replace('"flat_feature_index": 1', '"flat_feature_index": 1900000000'),
         "features_info: expected columns near one another"),
        (json.dumps(CATBOOST).replace('"feature_index": 1', '"feature_index": 0'),
         "feature_index: expected an index of its own"),
    ],
)  # fmt: skip
def test_documents_of_json(text, message):
    assert message in refusal(text)


def test_splits_without_end_are_not_unfolded():
    split = {"border": 0.5, "float_feature_index": 0, "split_type": "FloatFeature"}
    document = copy.deepcopy(CATBOOST)
    document["oblivious_trees"][0]["splits"] = [split] * 60
    assert "splits: expected at most 16 splits" in refusal(json.dumps(document))


def test_a_binary_catboost_model_that_is_none():
    pytest.importorskip("catboost")
    assert "CatBoost does not read it" in refusal(b"CBM1" + bytes(100))


def test_what_python_cannot_hold_is_an_error_of_the_file():
    assert "expected a finite float32" in refusal(xgboost(base_score="9" * 4000))


SEEDS = {
    "ranklib": RANKLIB.encode(),
    "forest": FOREST.encode(),
    "quickrank": QUICKRANK.encode(),
    "jforests": JFORESTS.encode(),
    "dump": DUMP.encode(),
    "solr": json.dumps(SOLR).encode(),
    "catboost": json.dumps(CATBOOST).encode(),
    "xgboost": xgboost(xgboost_tree(), xgboost_tree()).encode(),
    "ubjson": write_ubjson(
        xgboost_document(
            {
                key: np.array(value, dtype=np.float32) if "conditions" in key else value
                for key, value in xgboost_tree().items()
            }
        )
    ),
}
WORDS = [
    b"-1",
    b"0",
    b"1",
    b"7",
    b"nan",
    b"inf",
    b"1e999",
    b"4294967296",
    b"[",
    b"]",
    b"{",
    b"<",
    b"null",
]


@st.composite
def mutations(draw, content):
    """Change, cut, repeat and exchange pieces of a file."""
    found = bytearray(content)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(found) - 1, 0)))
        size = draw(st.integers(0, 12))
        kind = draw(st.sampled_from(["cut", "word", "byte", "copy", "end"]))
        if kind == "cut":
            del found[at : at + size]
        elif kind == "word":
            found[at : at + size] = draw(st.sampled_from(WORDS))
        elif kind == "byte":
            found[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
        elif kind == "copy":
            found[at:at] = found[at : at + 5 * size]
        else:
            del found[at + 1 :]
    return bytes(found)


@pytest.mark.filterwarnings("ignore:a dump of XGBoost")
@pytest.mark.parametrize("seed", SEEDS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_mutated_file_is_refused_or_scores(seed, data):
    content = data.draw(mutations(SEEDS[seed]))
    read = reader_for(SEEDS[seed][:4096])
    try:
        parts = read_foreign(read, content)
    except ValueError as error:
        assert str(error)  # noqa: PT017
        return
    model = rf.Model(*parts)
    if model.n_features < 1000:
        assert np.isfinite(model.predict(np.zeros((2, model.n_features), dtype=np.float32))).all()


@settings(max_examples=60, deadline=None)
@given(
    left=st.lists(st.integers(-2, 5), min_size=1, max_size=6),
    right=st.lists(st.integers(-2, 5), min_size=1, max_size=6),
)
def test_any_children_are_a_tree_or_refused(left, right):
    n = min(len(left), len(right))
    tree = xgboost_tree(
        left_children=left[:n],
        right_children=right[:n],
        split_indices=[0] * n,
        split_conditions=[0.5] * n,
        default_left=[0] * n,
        split_type=[0] * n,
        tree_param={"num_nodes": str(n)},
    )
    content = json.dumps(xgboost_document(tree)).encode()
    try:
        forest = read_xgboost(content)
    except ValueError as error:
        assert "trees[0]" in str(error)  # noqa: PT017
        return
    found = forest.trees[0]
    children = [c for row in found.nodes for c in (found.left[row], found.right[row])]
    assert sorted(children) == list(range(1, len(found)))
