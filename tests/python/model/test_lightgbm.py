"""LightGBM's text models: written by hand here, and by LightGBM itself where it is installed."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cli_cases import call, write_files

import rankforest as rf
from rankforest import _core
from rankforest.model_file import is_model

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"

# Scores worked out by hand: a document gets 0.25 or -1 by feature 1, and 0.5 or 2 by feature 0.
TEXT = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=lambdarank
feature_names=bm25 age
feature_infos=[0:1] [0:9]
tree_sizes=401 400

Tree=0
num_leaves=2
num_cat=0
split_feature=1
split_gain=4
threshold=2.5000000000000004
decision_type=8
left_child=-1
right_child=-2
leaf_value=0.25 -1
leaf_weight=1 1
leaf_count=10 10
internal_value=0
internal_weight=2
internal_count=20
is_linear=0
shrinkage=0.1


Tree=1
num_leaves=2
num_cat=0
split_feature=0
split_gain=3
threshold=-1.0000000180025095e-35
decision_type=2
left_child=-1
right_child=-2
leaf_value=0.5 2
leaf_weight=1 1
leaf_count=10 10
internal_value=0
internal_weight=2
internal_count=20
is_linear=0
shrinkage=0.1


end of trees

feature_importances:
bm25=1
age=1

parameters:
[boosting: gbdt]
end of parameters

pandas_categorical:null
"""
X = np.array([[-1, 2.5], [0, 2.5], [np.nan, np.nan], [-0.0, np.inf]], dtype=np.float32)
SCORES = [0.75, 2.25, 1.0, 1.0]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.txt"
    path.write_text(TEXT)
    return path


class TestHandMadeText:
    def test_scores_are_those_worked_out_by_hand(self, path):
        assert rf.load(path).predict(X).tolist() == SCORES
        assert rf.load(path)[:1].predict(X).tolist() == [0.25, 0.25, -1.0, -1.0]

    def test_a_model_knows_what_it_is(self, path):
        model = rf.load(path)
        assert repr(model) == "Model(lightgbm lambdarank, 2 rounds, 2 trees, 2 features)"
        assert model.feature_names == ("bm25", "age")
        assert model.feature_importances().tolist() == [3.0, 4.0]
        assert is_model(path)

    def test_it_is_saved_and_loaded_as_a_model_of_ours(self, path, tmp_path):
        model = rf.load(path)
        model.save(tmp_path / "m.rf")
        model.save_json(tmp_path / "m.json")
        assert rf.load(tmp_path / "m.rf") == rf.load(tmp_path / "m.json") == model
        assert rf.Model.from_bytes(TEXT.encode()) == model

    def test_columns_are_found_by_name(self, path):
        frame = pd.DataFrame(X, columns=["bm25", "age"]).assign(url="a")
        assert rf.load(path).predict(frame[["age", "url", "bm25"]]).tolist() == SCORES
        with pytest.raises(ValueError, match="yet now missing:\n- age"):
            rf.load(path).predict(frame.drop(columns="age"))

    def test_the_commands_read_it(self, capsys, path, tmp_path):
        (tmp_path / "data.txt").write_text("1 qid:1 1:-1 2:2.5\n0 qid:1 2:2.5\n")
        ended = call(capsys, "ltr-score", "--model", path, "--data", tmp_path / "data.txt")
        assert ended.out.split() == ["0.75", "2.25"]
        ended = call(capsys, "ltr-eval", path, "--data", tmp_path / "data.txt", "--metric", "mrr")
        assert ended.status == 0
        assert "0.5" in ended.out

    @pytest.mark.parametrize(
        ("part", "replacement", "complaint"),
        [
            ("=v4", "=v7", "line 2: version: found 'v7', expected v2, v3 or v4"),
            ("num_class=1", "num_class=5", "line 3: num_class: found '5', expected 1"),
            ("num_cat=0", "num_cat=2", "line 14: tree 0 has categorical splits"),
            ("is_linear=0", "is_linear=1", "line 27: tree 0 has linear models in its leaves"),
            ("2.5000000000000004", "nan", "line 17: threshold: found 'nan', expected a num"),
            ("leaf_value=0.25 -1", "leaf_value=0.25", "line 21: leaf_value has 1 values, expect"),
            ("left_child=-1", "left_child=-3", "line 19: left_child: found '-3', expected a who"),
            ("left_child=-1", "left_child=0", "line 19: left_child of node 0 of tree 0 is 0, th"),
            ("Tree=1", "Tree=3", "line 31: found 'Tree=3', expected Tree=1 or 'end of trees'"),
            ("401 400", "401", "line 10: tree_sizes has 1 sizes, but there are 2 trees"),
        ],
    )
    def test_what_is_wrong_is_named_with_file_and_line(self, path, part, replacement, complaint):
        path.write_text(TEXT.replace(part, replacement, 1))
        with pytest.raises(ValueError, match=re.escape(f"{path}: {complaint}")):
            rf.load(path)

    def test_a_file_that_is_cut_is_refused(self, path):
        for size in range(5, TEXT.index("end of trees") + 12, 7):
            path.write_text(TEXT[:size])
            with pytest.raises(ValueError, match=r"model.txt: line \d+: "):
                rf.load(path)


def documents(*, missing=0.0, seed=0):
    """Give features, grades and sizes of queries; a column of zeros and of few values each."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(2000, 6)).astype(np.float32)
    features[:, 1] = np.where(rng.random(2000) < 0.5, 0, features[:, 1])
    features[:, 2] = np.maximum(np.round(features[:, 2] * 4), 0)
    features[:, 5] = np.round(features[:, 5] * 8) % 16
    features[rng.random(features.shape) < missing] = np.nan
    known = np.nan_to_num(features)
    signal = known[:, 0] + known[:, 1] * known[:, 3] + 2 * (known[:, 5] % 3 == 0)
    return features, np.clip(np.round(signal), 0, 4), [20] * 100


def train(features, grades, sizes, n_trees=30, **parameters):
    lightgbm = pytest.importorskip("lightgbm")
    given = {"objective": "lambdarank", "num_leaves": 15, "verbosity": -1, "num_threads": 1}
    data = lightgbm.Dataset(features, grades, group=sizes)
    return lightgbm.train(given | parameters, data, n_trees)


def imported(booster):
    return rf.Model.from_bytes(booster.model_to_string().encode())


def tricky(model, features):
    """Give documents with values on every threshold, next to it, of no size, and beyond all."""
    tiny = np.float32([0.0, -0.0, 1e-35, -1e-35, 1e-40, -1e-40, np.inf, -np.inf, np.nan, 3.4e38])
    columns = [list(tiny) for _ in range(features.shape[1])]
    for tree in model._ensemble.to_arrays()["members"][0]["groups"][0]["trees"]:
        for feature, threshold in zip(tree["feature"], tree["threshold"], strict=True):
            columns[feature] += [threshold]
            columns[feature] += [np.nextafter(threshold, np.float32(s)) for s in (3e38, -3e38)]
    rng = np.random.default_rng(1)
    return np.stack([rng.choice(np.float32(c), 4000) for c in columns], axis=1)


class TestModelsOfLightGBM:
    @pytest.mark.parametrize(
        "parameters",
        [
            {},
            {"objective": "regression"},
            {"objective": "binary"},
            {"boosting": "dart", "drop_rate": 0.5},
            {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
            {"use_missing": False},
            {"num_leaves": 2},
            {"min_data_in_leaf": 2000},
        ],
        ids=str,
    )
    @pytest.mark.parametrize("missing", [0.0, 0.1])
    @pytest.mark.filterwarnings("ignore:.*:UserWarning")
    def test_scores_are_theirs_to_a_millionth(self, parameters, missing):
        features, grades, sizes = documents(missing=missing)
        if parameters.get("objective") == "binary":
            grades = np.minimum(grades, 1)
        booster = train(features, grades, sizes, **parameters)
        model = imported(booster)
        assert model.n_rounds == booster.num_trees()
        for given in (features, tricky(model, features)):
            # The raw score of a forest is a sum there, what it predicts the mean.
            expected = booster.predict(given, raw_score=parameters.get("boosting") != "rf")
            np.testing.assert_allclose(model.predict(given), expected, rtol=1e-6, atol=1e-6)

    @pytest.mark.parametrize("missing", [0.0, 0.1])
    def test_every_document_reaches_the_leaf_that_it_reaches_there(self, missing):
        features, grades, sizes = documents(missing=missing)
        booster = train(features, grades, sizes, n_trees=1, num_leaves=200, min_data_in_leaf=2)
        model = imported(booster)
        assert model.n_trees == 1
        given = tricky(model, features)
        expected = booster.predict(given).astype(np.float32)
        np.testing.assert_array_equal(model.predict(given), expected)

    def test_every_number_is_left_of_an_infinite_threshold(self, path):
        path.write_text(TEXT.replace("2.5000000000000004", "inf", 1))
        given = np.array([[0, 3.4e38], [0, -np.inf], [0, np.nan], [0, np.inf]], dtype=np.float32)
        scores = rf.load(path).predict(given)
        assert scores.tolist() == [2.25, 2.25, 1.0, 2.25]
        lightgbm = pytest.importorskip("lightgbm")
        theirs = lightgbm.Booster(model_str=path.read_text().replace("tree_sizes=401 400\n", ""))
        assert theirs.predict(given).tolist() == [2.25, 2.25, 1.0, 2.25]

    def test_prefixes_are_theirs(self):
        booster = train(*documents())
        features = documents(seed=5)[0]
        model = imported(booster)
        for rounds in (1, 7, 30):
            expected = booster.predict(features, num_iteration=rounds)
            scores = model[:rounds].predict(features)
            np.testing.assert_allclose(scores, expected, rtol=1e-6, atol=1e-6)

    def test_zeros_that_are_missing_go_where_they_go_or_the_model_is_refused(self):
        features, grades, sizes = documents()
        outcomes = set()
        for column in range(6):
            booster = train(
                features[:, [column]], grades, sizes, n_trees=1, num_leaves=2, zero_as_missing=True
            )
            try:
                model = imported(booster)
            except ValueError as error:
                assert "sends zeros" in str(error)  # noqa: PT017  # either is right
                outcomes.add("refused")
                continue
            outcomes.add("read")
            given = tricky(model, features[:, [column]])
            expected = booster.predict(given).astype(np.float32)
            np.testing.assert_array_equal(model.predict(given), expected)
        assert "read" in outcomes

    @pytest.mark.parametrize(
        ("parameters", "complaint"),
        [
            ({"categorical_feature": [5]}, "categorical splits"),
            ({"linear_tree": True, "objective": "regression"}, "linear models in its leaves"),
            ({"objective": "multiclass", "num_class": 5}, "num_class: found '5', expected 1"),
        ],
        ids=str,
    )
    @pytest.mark.filterwarnings("ignore:.*:UserWarning")
    def test_what_cannot_be_held_is_refused_by_name(self, parameters, complaint):
        booster = train(*documents(), n_trees=3, **parameters)
        with pytest.raises(ValueError, match=rf"^line \d+: .*{complaint}"):
            imported(booster)

    def test_text_that_lightgbm_read_itself_counts_features_from_zero(self, tmp_path):
        lightgbm = pytest.importorskip("lightgbm")
        folder = write_files(tmp_path)
        lines = (folder / "train.txt").read_text().splitlines()
        (folder / "bare.txt").write_text(
            "".join(re.sub(r" qid:\S+", "", line.partition("#")[0]) + "\n" for line in lines)
        )
        data = lightgbm.Dataset(folder / "bare.txt", params={"verbosity": -1})
        parameters = {"objective": "regression", "verbosity": -1, "min_data_in_leaf": 5}
        booster = lightgbm.train(parameters, data, 5)
        booster.save_model(folder / "model.txt")
        model = rf.load(folder / "model.txt")
        documents = rf.read_letor(folder / "test.txt", zero_based=True)
        expected = booster.predict(documents.X)
        np.testing.assert_allclose(model.predict(documents), expected, rtol=1e-6, atol=1e-6)
        assert np.ptp(expected) > 0
        bare = [re.sub(r" qid:\S+", "", x) for x in (folder / "test.txt").read_text().splitlines()]
        (folder / "bare.txt").write_text("".join(f"{line}\n" for line in bare))
        np.testing.assert_array_equal(booster.predict(str(folder / "bare.txt")), expected)


@pytest.mark.skipif(not SHARED.exists(), reason="the LETOR files are not beside the repository")
def test_a_model_of_real_data_has_the_scores_that_came_with_it():
    model = rf.load(SHARED / "models" / "lightgbm_mq2008_lambdarank.txt")
    scores = model.predict(rf.read_letor(SHARED / "mq2008" / "S5.txt"))
    theirs = SHARED / "models" / "lightgbm_mq2008_lambdarank.fold1_test_scores.txt"
    assert model.n_trees == 200
    np.testing.assert_allclose(scores, np.loadtxt(theirs), rtol=0, atol=1e-6)


def test_bytes_of_something_else_are_refused():
    with pytest.raises(ValueError, match="neither a rankforest model file nor LightGBM's text"):
        _core.Ensemble.from_bytes(b"trees\n")
