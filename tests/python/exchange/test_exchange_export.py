"""Every format with every algorithm that it can hold, scored by the target and by us."""

import importlib.util
import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from exchange_cases import ESTIMATORS, NAMES, documents, model_of_arrays, stump

import rankforest as rf
from rankforest.exchange import exporting
from rankforest.exchange.exporting import ExportOptions, written_as
from rankforest.exchange.formats import FORMATS

WITHOUT_MISSING = [name for name, form in FORMATS.items() if not form.knows_missing]
WITH_MISSING = [name for name, form in FORMATS.items() if form.knows_missing]
NEEDS = {"onnx": "onnx", "treelite": "treelite"}


def skip_without(form):
    if form in NEEDS:
        pytest.importorskip(NEEDS[form])


@pytest.fixture(scope="module")
def models():
    """Train each algorithm on data without missing values, and on data with."""
    return {
        (name, nan): estimator.fit(documents(nan=nan)).model_
        for name, estimator in ESTIMATORS.items()
        for nan in (False, True)
    }


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_scores_as_the_model(models, tmp_path, form, name):
    skip_without(form)
    report = models[name, False].export(
        tmp_path / "m", form, verify=documents(seed=6), feature_names=NAMES
    )
    assert report.n_bytes == (tmp_path / "m").stat().st_size
    assert report.parity.largest_difference <= report.parity.largest_allowed < 1e-4
    assert report.parity.largest_at_thresholds <= report.parity.largest_allowed
    assert report.parity.n_at_thresholds > 50
    if FORMATS[form].total is np.float64:
        assert report.parity.first_reordered is None


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("form", WITH_MISSING)
def test_missing_values_go_the_same_way(models, tmp_path, form, name):
    skip_without(form)
    report = models[name, True].export(
        tmp_path / "m", form, verify=documents(nan=True, seed=6), feature_names=NAMES
    )
    assert report.parity.largest_difference <= report.parity.largest_allowed < 1e-4


@pytest.mark.parametrize("form", WITH_MISSING)
@pytest.mark.parametrize("threshold", [-0.0, 0.5, 3.4028235e38, np.inf])
def test_a_third_child_becomes_a_test_of_missing_values(tmp_path, form, threshold):
    skip_without(form)
    model = model_of_arrays(
        stump(threshold, 1.0, 2.0, 4.0, missing="third"),
        stump(threshold, 16.0, 32.0, 64.0, feature=1, missing="third"),
        base=0.1,
    )
    X = np.array([[1.0, np.nan], [np.nan, 0.0], [0.5, 0.25]], dtype=np.float32)
    report = model.export(tmp_path / "m", form, verify=X, feature_names=("a", "b"))
    assert report.parity.largest_difference < 1e-5
    assert report.parity.largest_at_thresholds < 1e-5


@pytest.mark.parametrize("form", WITHOUT_MISSING)
def test_a_third_child_is_refused_where_there_are_no_missing_values(tmp_path, form):
    model = model_of_arrays(stump(0.5, 1.0, 2.0, 4.0, missing="third"))
    with pytest.raises(ValueError, match=f"^{form}: tree 0 has a third child, for missing values"):
        model.export(tmp_path / "m", form, feature_names=("a", "b"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", WITHOUT_MISSING)
def test_a_direction_of_missing_values_is_refused_where_it_matters(models, tmp_path, form):
    with pytest.raises(ValueError, match=r"was missing in \d+ documents .* train with missing=0"):
        models["MART", True].export(tmp_path / "m", form, feature_names=NAMES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", WITHOUT_MISSING)
def test_missing_values_that_go_where_zero_goes_are_written_as_zero(tmp_path, form):
    model = rf.MART(n_estimators=5, missing=0).fit(documents(nan=True)).model_
    report = model.export(
        tmp_path / "m", form, verify=documents(nan=True, seed=6), feature_names=NAMES
    )
    assert report.parity.largest_difference <= report.parity.largest_allowed
    assert "a missing value has to be given as 0" in report.notes[0]


@pytest.mark.parametrize("nan", [False, True])
def test_vespa_gets_the_documents_that_training_counted(models, tmp_path, nan):
    models["MART", nan].export(tmp_path / "m", "vespa-lightgbm", feature_names=NAMES)

    def documents_below(node):
        if "leaf_count" in node:
            return node["leaf_count"]
        below = documents_below(node["left_child"]) + documents_below(node["right_child"])
        assert node["internal_count"] == below
        return below

    trees = json.loads((tmp_path / "m").read_text())["tree_info"]
    grown = [tree["tree_structure"] for tree in trees if tree["num_leaves"] > 1]
    assert [documents_below(tree) for tree in grown] == [360] * 8


def test_a_model_that_does_not_know_its_data_says_so():
    model = model_of_arrays(stump(0.5, 1.0, 2.0, missing="right"))
    _, notes, _ = written_as(model, "ranklib", ExportOptions())
    assert "does not know whether its training data had any" in notes[1]
    _, notes, _ = written_as(
        model_of_arrays(stump(0.5, 1.0, 2.0, missing="left")), "ranklib", ExportOptions()
    )
    assert len(notes) == 1


@pytest.mark.parametrize("form", FORMATS)
def test_what_no_format_can_say_is_refused_by_name(tmp_path, form):
    data = documents()
    bag = rf.BaggedLambdaMART(n_bags=2, n_estimators=2).fit(data).model_
    linear = rf.CoordinateAscent(n_restarts=1, max_iterations=1).fit(data).model_
    leaving = rf.MART(n_estimators=4).fit(data).model_
    leaving = leaving.with_exits(rf.ExitSchedule([rf.Exit(round=2, fraction=0.5)]))
    for model, message in (
        (bag, f"{form}: the model combines its members within queries .minmax.*combine='mean'"),
        (linear, f"{form}: the model has a linear part"),
        (leaving, f"{form}: documents exit from the model early.*with_exits.None."),
    ):
        with pytest.raises(ValueError, match=message):
            model.export(tmp_path / "m", form, feature_names=NAMES)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(ValueError, match=r"format must be one of lightgbm, .*; got 'pmml'"):
        model_of_arrays(stump(0.5, 1.0, 2.0)).export(tmp_path / "m", "pmml")


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_that_fails_the_check_is_not_left(models, tmp_path, monkeypatch, form):
    skip_without(form)
    (tmp_path / "m").write_text("what was there")
    written = FORMATS[form].write

    def wrong(forest, naming):
        """Move one threshold by one ulp."""
        first = forest.trees[0]
        limits = first.threshold.copy()
        limits[0] = np.nextafter(np.float32(limits[0]), np.float32(np.inf))
        trees = (replace(first, threshold=limits), *forest.trees[1:])
        return written(replace(forest, trees=trees), naming)

    model = model_of_arrays(stump(0.53, 1.0, 2.0))
    monkeypatch.setitem(FORMATS, form, replace(FORMATS[form], write=wrong))
    X = np.array([[0.1, 0.0], [0.9, 0.0]], dtype=np.float32)
    with pytest.raises(ValueError, match=r"the written model does not score as this one"):
        model.export(tmp_path / "m", form, verify=X, feature_names=("a", "b"))
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    assert (tmp_path / "m").read_text() == "what was there"


def test_the_check_compares_with_the_model_itself(models, tmp_path, monkeypatch):
    made = exporting.forest_of

    def without_last_tree(model, target):
        forest = made(model, target)
        return replace(forest, trees=forest.trees[:-1])

    monkeypatch.setattr(exporting, "forest_of", without_last_tree)
    with pytest.raises(ValueError, match=r"document 0 gets .* differ"):
        models["MART", False].export(tmp_path / "m", "quickrank", verify=documents())
    assert list(tmp_path.iterdir()) == []


def test_scores_are_raised_until_none_is_negative(models, tmp_path):
    data = documents()
    model = models["LambdaMART", False]
    assert model.predict(data).min() < 0
    for form in ("elasticsearch-ranklib", "elasticsearch-xgboost"):
        report = model.export(
            tmp_path / "m", form, verify=data, feature_names=NAMES, non_negative=True
        )
        content = (tmp_path / "m").read_bytes()
        scores = FORMATS[form].score(content, data.X, NAMES)
        assert scores.min() >= 0
        np.testing.assert_allclose(scores, model.predict(data) + report.shift, atol=1e-5)


class TestNames:
    """What files call features, and what is checked of it."""

    @pytest.mark.parametrize("form", [n for n, form in FORMATS.items() if form.needs_names])
    def test_formats_that_know_features_by_name_need_names(self, models, tmp_path, form):
        with pytest.raises(ValueError, match=f"{form} knows features by name.* give feature_names"):
            models["MART", False].export(tmp_path / "m", form)

    @pytest.mark.parametrize(
        ("names", "message"),
        [(NAMES[:3], "has 3 names, but the model has 5"), (("a",) * 5, "stands in it twice")],
    )
    def test_unusable_names_are_refused(self, models, tmp_path, names, message):
        with pytest.raises(ValueError, match=message):
            models["MART", False].export(tmp_path / "m", "solr", feature_names=names)

    def test_lightgbm_gets_names_that_it_takes(self, models, tmp_path):
        names = ("title bm25", "a:b", "c", "d", "e")
        report = models["MART", False].export(
            tmp_path / "m", "lightgbm", feature_names=names, verify=documents()
        )
        assert report.parity.largest_difference == 0
        assert rf.load(tmp_path / "m").feature_names == ("title_bm25", "a_b", "c", "d", "e")
        with pytest.raises(ValueError, match=r"two features would be called 'a_b'"):
            models["MART", False].export(
                tmp_path / "m", "lightgbm", feature_names=("a b", "a:b", "c", "d", "e")
            )

    def test_xgboost_keeps_names(self, models, tmp_path):
        for form in ("xgboost-json", "xgboost-ubj"):
            models["MART", False].export(tmp_path / "m", form, feature_names=NAMES)
            assert rf.load(tmp_path / "m").feature_names == NAMES

    def test_the_order_of_a_feature_set_matters_where_features_have_positions(
        self, models, tmp_path
    ):
        model, path = models["MART", False], tmp_path / "m"
        swapped = (NAMES[1], NAMES[0], *NAMES[2:])
        with pytest.raises(ValueError, match=r"feature 1 is 'body', but .* 'title bm25'"):
            model.export(path, "elasticsearch-ranklib", feature_names=NAMES, feature_set=swapped)
        model.export(path, "elasticsearch-ranklib", feature_names=NAMES, feature_set=NAMES)
        model.export(path, "elasticsearch-xgboost", feature_names=NAMES, feature_set=swapped)
        with pytest.raises(ValueError, match="feature_set lacks 'title bm25'"):
            model.export(path, "elasticsearch-xgboost", feature_names=NAMES, feature_set=NAMES[1:])
        with pytest.raises(ValueError, match=r"has 4 features, but the model has 5 columns"):
            model.export(path, "elasticsearch-ranklib", feature_set=NAMES[1:])
        with pytest.raises(ValueError, match="a name stands in it twice"):
            model.export(path, "elasticsearch-xgboost", feature_set=("a",) * 5)
        with pytest.raises(ValueError, match="feature_set is for the elasticsearch formats"):
            model.export(path, "solr", feature_set=NAMES)

    def test_names_and_store_of_the_model_are_written(self, models, tmp_path):
        path = tmp_path / "m"
        models["MART", False].export(path, "solr", feature_names=NAMES, name="n", store="s")
        found = json.loads(path.read_text())
        assert (found["name"], found["store"]) == ("n", "s")
        models["MART", False].export(path, "elasticsearch-ranklib", name="n")
        assert json.loads(path.read_text())["model"]["name"] == "n"


class TestNotes:
    """What whoever serves the file has to know."""

    def test_a_number_that_means_missing_is_named(self):
        data = documents()
        X = np.where(data.X > 1.5, np.float32(-1), data.X)
        data = rf.Dataset(X, data.y, qid=data.qid, missing=-1)
        model = rf.MART(n_estimators=2).fit(data).model_
        _, notes, _ = written_as(model, "lightgbm", ExportOptions())
        assert notes == ["the number -1 means a missing value: give NaN in its place"]

    def test_features_of_queries_are_named(self):
        data = documents().with_query_features("zscore")
        model = rf.MART(n_estimators=2).fit(data).model_
        _, notes, _ = written_as(model, "lightgbm", ExportOptions())
        assert "features of the query (zscore)" in notes[0]

    def test_thresholds_that_solr_cannot_say_are_counted(self):
        model = model_of_arrays(stump(1e-20, 1.0, 2.0), stump(0.5, 1.0, 2.0))
        _, notes, _ = written_as(model, "solr", ExportOptions(feature_names=("a", "b")))
        assert "and 1 of them are no such sum" in notes[1]


def test_a_treelite_object_scores_as_the_model(models):
    treelite = pytest.importorskip("treelite")
    model, data = models["LambdaMART", True], documents(nan=True)
    scores = treelite.gtil.predict(model.to_treelite(), data.X.astype(np.float64))
    np.testing.assert_array_equal(scores.ravel(), model.predict(data))


def test_a_package_that_is_missing_is_named(models, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"needs the package onnx, .* pip install onnx$"):
        models["MART", False].export(tmp_path / "m", "onnx")


@pytest.mark.parametrize("form", ["lightgbm", "xgboost-json", "onnx"])
def test_without_the_target_another_evaluator_checks(models, tmp_path, monkeypatch, form):
    skip_without(form)
    missing = {"lightgbm", "xgboost", "onnxruntime"}
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "rankforest.exchange.extras.find_spec", lambda m: None if m in missing else found(m)
    )
    report = models["MART", True].export(tmp_path / "m", form, verify=documents(nan=True))
    assert report.parity.judge not in {"LightGBM", "XGBoost", "ONNX Runtime"}
    assert report.parity.largest_difference < 1e-5


def test_the_report_says_what_was_compared(models, tmp_path):
    report = models["MART", False].export(tmp_path / "m", "quickrank", verify=documents())
    assert str(report.parity).startswith(
        "an evaluator of QuickRank's rules: scores of 360 documents differ by at most 0, of "
    )
    assert str(report.parity).endswith("every query is ranked alike")


def test_the_first_row_of_another_rank_is_named(tmp_path):
    # The two sums differ by 2^-30, which float32 near 1 cannot hold: a tie, which keeps the order.
    model = model_of_arrays(stump(0.5, 1.0, 1.0), stump(0.5, 0.0, 2.0**-30), n_features=1)
    X = np.array([[0.0], [1.0]], dtype=np.float32)
    data = rf.Dataset(X, [0, 1], qid=[7, 7])
    assert model.export(tmp_path / "m", "quickrank", verify=data).parity.first_reordered is None
    assert model.export(tmp_path / "m", "ranklib", verify=data).parity.first_reordered == 0
