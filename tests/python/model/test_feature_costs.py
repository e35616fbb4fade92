"""What features cost, by name, number and group."""

import copy
import gzip
import io
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankforest as rf
from rankforest import FeatureCosts, read_feature_costs

NAMES = ["url", "body_tf", "clicks", "body_bm25"]


def test_costs_of_an_array_are_those_of_the_columns():
    resolved = FeatureCosts([1, 2, 0.5]).resolve(3)
    np.testing.assert_array_equal(resolved.costs, [1, 2, 0.5], strict=True)
    np.testing.assert_array_equal(resolved.units, np.arange(3, dtype=np.uint32), strict=True)


def test_features_that_a_mapping_leaves_out_are_free():
    resolved = FeatureCosts({"clicks": 4, 0: 1.5}).resolve(4, NAMES)
    assert resolved.costs.tolist() == [1.5, 0, 4, 0]


def test_a_name_may_be_the_number_of_a_column_without_names():
    assert FeatureCosts({"2": 3}).resolve(3).costs.tolist() == [0, 0, 3]


@pytest.mark.parametrize(
    "costs",
    [
        {"url": 1, "body": 20},
        {"url": 1, "body_tf": 20},
        {"url": 1, "body_tf": 20, "body_bm25": 20, "body": 20},
        [1, 20, 0, 20],
    ],
)
def test_a_group_is_one_unit_however_its_cost_is_given(costs):
    grouped = FeatureCosts(costs, groups={"body": ["body_bm25", 1]})
    resolved = grouped.resolve(4, NAMES)
    assert resolved.costs.tolist() == [1, 20, 0]
    assert resolved.units.tolist() == [0, 1, 2, 1]
    assert resolved.of([3]) == resolved.of([1, 3, 1]) == 20
    assert resolved.of([0, 1, 2, 3]) == 21
    assert resolved.of([]) == 0


def test_a_group_may_have_the_name_of_a_feature_in_it():
    resolved = FeatureCosts({"url": 2}, groups={"url": ["url", "clicks"]}).resolve(4, NAMES)
    assert resolved.costs.tolist() == [2, 0, 0]
    assert resolved.units.tolist() == [0, 1, 0, 2]


@given(st.data())
def test_what_features_cost_together_is_the_sum_over_what_is_paid_at_once(data):
    n = data.draw(st.integers(1, 8))
    costs = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    group_of = data.draw(st.lists(st.sampled_from([None, "a", "b"]), min_size=n, max_size=n))
    groups = {g: [f for f in range(n) if group_of[f] == g] for g in set(group_of) - {None}}
    of_group = {"a": 3, "b": 5}
    own = {f: costs[f] for f in range(n) if group_of[f] is None}
    resolved = FeatureCosts({**own, **{g: of_group[g] for g in groups}}, groups).resolve(n)
    used = data.draw(st.lists(st.integers(0, n - 1)))
    expected = sum(costs[f] for f in set(used) if group_of[f] is None)
    expected += sum(of_group[g] for g in {group_of[f] for f in used} - {None})
    assert resolved.of(used) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, -1],), "costs must be finite and >= 0; that of row 1"),
        (([1, float("nan")],), "costs must be finite and >= 0; that of row 1"),
        (([1, "x"],), "costs must hold numbers"),
        (({"a": -1},), "the cost of 'a' must be finite and >= 0, got -1"),
        (({"a": float("inf")},), "the cost of 'a' must be finite and >= 0, got inf"),
        (({"a": "1"},), "the cost of 'a' must be finite and >= 0, got '1'"),
        (({"a": True},), "the cost of 'a' must be finite and >= 0, got True"),
        (({-1: 1},), "costs must name features, or number columns from 0"),
        (([1], {"g": [0], "h": [0]}), "groups: feature 0 is in 'g' and 'h'"),
        (([1], {"g": ["a", "a"]}), "groups: 'g' names feature 'a' twice"),
        (([1], {"g": []}), "groups: 'g' must have at least one feature, got none"),
        (([1], {"g": 1}), "groups: 'g' must have a list of features, got an int"),
        (([1], {1: ["a"]}), "groups must have names that are texts, got 1"),
        (([1], ["a"]), "groups must map names to features, got a list"),
        (([1], None, -1), "tree_cost must be finite and >= 0, got -1"),
        (([1], None, None), "tree_cost must be finite and >= 0, got None"),
    ],
)
def test_bad_costs_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        FeatureCosts(*arguments)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (FeatureCosts([1, 2]), "costs must have one value for each of the 4 features; it has 2"),
        (FeatureCosts({"clicsk": 1}), "costs: there is no feature 'clicsk'; did you mean 'clicks'"),
        (FeatureCosts({"zzz": 1}), "costs: there is no feature 'zzz'; features are 'url', "),
        (FeatureCosts({4: 1}), "costs: there is no column 4; there are 4, counted from 0"),
        (FeatureCosts({"url": 1, 0: 1}), "costs: feature 'url' has a cost twice"),
        (FeatureCosts({}, {"g": ["ulr"]}), "groups: there is no feature 'ulr'; did you mean 'url'"),
        (FeatureCosts({}, {"g": [0], "h": ["url"]}), "groups must not share features: 'url' is in"),
        (FeatureCosts({}, {"g": [0, "url"]}), "groups: 'g' names feature 'url' twice"),
        (
            FeatureCosts([1, 2, 3, 4], {"g": [0, 1]}),
            "group 'g' has 1, its feature 'body_tf' 2",
        ),
        (
            FeatureCosts({"url": 1}, {"url": ["clicks"]}),
            "costs: 'url' is both a group and a feature outside it",
        ),
    ],
)
def test_costs_that_do_not_fit_the_columns_are_refused(costs, message):
    with pytest.raises(ValueError, match=message):
        costs.resolve(4, NAMES)


@pytest.mark.parametrize(
    "costs",
    [
        FeatureCosts([1, 2, 3]),
        FeatureCosts({}),
        FeatureCosts({"b": 1, "a": 2, 7: 1}, {"g": ["y", 3, "x"]}, 0.5),
    ],
)
def test_costs_survive_json_pickle_and_copies(costs):
    assert FeatureCosts.from_dict(json.loads(json.dumps(costs.to_dict()))) == costs
    assert FeatureCosts.of(costs.to_dict()) == costs
    for other in (pickle.loads(pickle.dumps(costs)), copy.deepcopy(costs)):
        assert other == costs
        assert hash(other) == hash(costs)
    assert costs != FeatureCosts([9])
    assert costs != 1


def test_equal_costs_are_written_alike_whatever_their_order():
    one = FeatureCosts({"a": 1, 3: 2}, {"h": ["x"], "g": ["z", "y"]})
    other = FeatureCosts({3: 2, "a": 1}, {"g": ["y", "z"], "h": ["x"]})
    assert one == other
    assert json.dumps(one.to_dict()) == json.dumps(other.to_dict())
    assert (
        repr(one)
        == repr(other)
        == ("FeatureCosts({3: 2.0, 'a': 1.0}, groups={'g': ['y', 'z'], 'h': ['x']})")
    )


def test_whatever_stands_for_costs_becomes_them():
    assert FeatureCosts.of(None) == FeatureCosts({})
    assert FeatureCosts.of([1, 2], tree_cost=3) == FeatureCosts([1, 2], tree_cost=3)
    given = FeatureCosts({"a": 1}, {"g": ["b"]}, 2)
    assert FeatureCosts.of(given) is given
    assert FeatureCosts.of(given, tree_cost=0).to_dict() == {**given.to_dict(), "tree_cost": 0}


@pytest.mark.parametrize(
    "values", [{"costs": []}, [], {"costs": [["a"]], "groups": {}, "tree_cost": 1}]
)
def test_what_is_no_dict_of_costs_is_refused(values):
    with pytest.raises(ValueError, match="must be"):
        FeatureCosts.from_dict(values)


def written(folder, text, name="costs.csv"):
    path = folder / name
    path.write_text(text)
    return path


def test_a_csv_file_names_its_columns_in_any_order(tmp_path):
    text = "\ufeffCost, group,feature\n20,body,body_tf\n\n20,body,body_bm25\n1,,url\n"
    expected = FeatureCosts({"body_tf": 20, "body_bm25": 20, "url": 1}, {"body": [*NAMES[1::2]]})
    assert read_feature_costs(written(tmp_path, text)) == expected
    packed = tmp_path / "costs.csv.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert read_feature_costs(packed, tree_cost=1) == expected


def test_lines_of_a_csv_file_may_end_before_an_empty_group(tmp_path):
    path = written(tmp_path, "feature,cost,group\nurl,1\nclicks,2,g\n")
    assert read_feature_costs(path) == FeatureCosts({"url": 1, "clicks": 2}, {"g": ["clicks"]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "costs.csv:1: the first line must name the columns feature, cost"),
        ("url,1\n", "costs.csv:1: the first line must name the columns .*; got url, 1"),
        ("feature,cost,colour\n", "costs.csv:1: the first line must name"),
        ("feature,cost\nurl,-1\n", "costs.csv:2: cost must be finite and >= 0, got -1"),
        ("feature,cost\nurl,x\n", "costs.csv:2: cost must be finite and >= 0, got 'x'"),
        ("feature,cost\nurl,nan\n", "costs.csv:2: cost must be finite and >= 0, got nan"),
        ("feature,cost\n\nurl\n", "costs.csv:3: must have 2 fields, got 1"),
        ("feature,cost\nurl,1,2\n", "costs.csv:2: must have 2 fields, got 3"),
        ("feature,cost\n,1\n", "costs.csv:2: the feature has no name"),
        ("feature,cost\nurl,1\nurl,1\n", "costs.csv:3: feature 'url' has a cost on an earlier"),
        (
            "feature,cost,group\na,1,g\nb,2,g\n",
            "costs.csv:3: features of a group are paid together and have one cost; group 'g' has 1",
        ),
    ],
)
def test_errors_of_a_csv_file_name_the_line(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read_feature_costs(written(tmp_path, text))


def test_a_csv_file_in_another_encoding_is_refused(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_bytes("feature,cost\nä,1\n".encode("latin-1"))
    with pytest.raises(ValueError, match="must be UTF-8 text"):
        read_feature_costs(path)


def test_features_of_text_have_the_numbers_of_the_text(tmp_path):
    data = rf.read_letor(io.BytesIO(b"1 qid:1 1:0.5 2:3\n0 qid:1 1:1 2:0\n"))
    path = written(tmp_path, "feature,cost\n2,7\n")
    resolved = read_feature_costs(path).resolve(data.X.shape[1], data.feature_labels)
    assert resolved.costs.tolist() == [0, 7]
