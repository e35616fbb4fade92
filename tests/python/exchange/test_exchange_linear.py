"""Linear models for Solr and for the Elasticsearch plugin."""

import json

import numpy as np
import pytest
from exchange_cases import NAMES, documents, model_of_arrays, stump

import rankforest as rf
from rankforest.exchange import exporting
from rankforest.exchange.linear import LINEAR_FORMATS, by_name, linear_scores

LINEAR = {
    "CoordinateAscent": rf.CoordinateAscent(n_restarts=1, max_iterations=2),
    "RankSVM": rf.RankSVM(query_normalization=None),
    "AdaRank": rf.AdaRank(n_estimators=20),
    "Bagging": rf.Bagging(rf.CoordinateAscent(n_restarts=1, max_iterations=2), n_bags=3),
}


def model_of(*members, n_features=2, combine="sum"):
    """Make a model of members, each (weights by column, normalisation, base)."""
    parts = [
        {
            "base": base,
            "groups": [],
            "linear": {
                "normalization": kind,
                "feature": np.array(list(weights), dtype=np.uint32),
                "weight": np.array(list(weights.values()), dtype=np.float32),
            },
        }
        for weights, kind, base in members
    ]
    arrays = {"combine": combine, "n_features": n_features, "members": parts}
    return rf.Model(rf._core.Ensemble.from_arrays(arrays), rf._core.ModelInfo())


@pytest.mark.parametrize("form", LINEAR_FORMATS)
@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.parametrize("nan", [False, True])
def test_what_is_written_scores_as_the_model(tmp_path, form, name, nan):
    estimator = LINEAR[name]
    if name == "Bagging":
        estimator.set_params(combine="mean")
    model = estimator.fit(documents()).model_
    seen = documents(nan=nan, seed=6)
    report = model.export(tmp_path / "m", form, verify=seen, feature_names=NAMES)
    assert report.n_bytes == (tmp_path / "m").stat().st_size
    assert report.parity.largest_difference <= report.parity.largest_allowed < 1e-3
    assert report.parity.n_documents == 360
    assert "give 0 in its place" in report.notes[-1]
    expected = model.predict(seen)
    weights = LINEAR_FORMATS[form].read((tmp_path / "m").read_bytes())
    np.testing.assert_allclose(
        linear_scores(weights, NAMES, seen.X), expected, rtol=1e-4, atol=1e-5
    )


def test_solr_gets_what_is_written_by_hand(tmp_path):
    model = model_of(({0: 0.5, 2: -1e-7}, "none", 0.0), n_features=3)
    model.export(tmp_path / "m", "solr-linear", feature_names=["a", 'b"', "c"], name="x", store="s")
    assert (tmp_path / "m").read_text() == (
        '{"class": "org.apache.solr.ltr.model.LinearModel", "name": "x", "store": "s", '
        '"features": [{"name": "a"}, {"name": "c"}],\n'
        '"params": {"weights": {"a": 0.5, "c": -1e-07}}}\n'
    )


def test_elasticsearch_gets_what_is_written_by_hand(tmp_path):
    model = model_of(({0: 1.0, 1: 0.1}, "none", 0.0))
    model.export(tmp_path / "m", "elasticsearch-linear", feature_names=["a", "b"])
    assert json.loads((tmp_path / "m").read_text()) == {
        "model": {
            "name": "rankforest",
            "model": {"type": "model/linear", "definition": '{"a": 1.0, "b": 0.1}'},
        }
    }


def test_scores_are_sums_in_float32_feature_by_feature():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(20, 3)).astype(np.float32)
    X[0, 1] = np.nan
    weights = rng.normal(size=3).astype(np.float32)
    found = linear_scores(by_name(weights, "abc"), "abc", X)
    for row, score in zip(X, found, strict=True):
        total = np.float32(0)
        for weight, value in zip(weights, row, strict=True):
            total = np.float32(total + np.float32(weight * (0 if np.isnan(value) else value)))
        assert score == total


def test_a_model_of_zeros_names_all_features():
    assert by_name(np.zeros(2, np.float32), ["a", "b"]) == {"a": 0, "b": 0}


def test_a_constant_is_left_out_and_said(tmp_path):
    model = model_of(({0: 2.0}, "none", 0.25))
    X = np.array([[1.0, 0.0], [2.0, 5.0]], dtype=np.float32)
    report = model.export(tmp_path / "m", "solr-linear", verify=X, feature_names=["a", "b"])
    assert report.shift == -0.25
    assert "the constant 0.25" in report.notes[-1]
    assert report.parity.largest_difference == 0


@pytest.mark.parametrize("form", LINEAR_FORMATS)
@pytest.mark.parametrize(
    ("model", "message"),
    [
        (model_of_arrays(stump(0.5, 1.0, 2.0)), "the model has trees, and the format has weights"),
        (model_of(({0: 1.0}, "zscore", 0.0)), r"normalised within each query .zscore."),
        (model_of(({0: 3e38}, "none", 0.0), ({0: 3e38}, "none", 0.0)), "is beyond float32"),
        (
            model_of(({0: 1.0}, "none", 0.0), ({1: 1.0}, "none", 0.0), combine="minmax"),
            "combines its members within queries",
        ),
    ],
)
def test_what_no_target_can_say_is_refused(tmp_path, form, model, message):
    with pytest.raises(ValueError, match=f"^{form}: .*{message}"):
        model.export(tmp_path / "m", form, feature_names=["a", "b"])
    assert not (tmp_path / "m").exists()


def test_names_are_needed_and_feature_sets_checked(tmp_path):
    model = model_of(({0: 1.0}, "none", 0.0))
    with pytest.raises(ValueError, match="knows features by name, and the model has no names"):
        model.export(tmp_path / "m", "solr-linear")
    with pytest.raises(ValueError, match="feature_set is for the elasticsearch formats"):
        model.export(tmp_path / "m", "solr-linear", feature_names="ab", feature_set="ab")
    with pytest.raises(ValueError, match="feature_set lacks 'b'"):
        model.export(
            tmp_path / "m", "elasticsearch-linear", feature_names=["a", "b"], feature_set=["a", "c"]
        )
    model.export(
        tmp_path / "m",
        "elasticsearch-linear",
        feature_names=["a", "b"],
        feature_set=["b", "a", "c"],
    )
    with pytest.raises(ValueError, match="non_negative: elasticsearch-linear has no constant"):
        model.export(
            tmp_path / "n", "elasticsearch-linear", feature_names=["a", "b"], non_negative=True
        )


def test_another_score_is_refused_before_there_is_a_file(tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "linear_scores", lambda *_: np.array([1.0, 2.5]))
    X = np.array([[1.0, 0.0], [2.0, 0.0]], dtype=np.float32)
    with pytest.raises(ValueError, match="does not score as this one: document 1"):
        model_of(({0: 1.0}, "none", 0.0)).export(
            tmp_path / "m", "solr-linear", verify=X, feature_names=["a", "b"]
        )
    assert not (tmp_path / "m").exists()
