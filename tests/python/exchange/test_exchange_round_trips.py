"""Ours to another format and back: the same bits where the widths of both allow it."""

import numpy as np
import pytest
from exchange_cases import ESTIMATORS, documents, model_of_arrays, stump
from hypothesis import given, settings
from model_cases import matrices, models

import rankforest as rf
from rankforest.exchange.evaluate import evaluate
from rankforest.exchange.exporting import ExportOptions, check, written_as
from rankforest.exchange.formats import FORMATS
from rankforest.exchange.from_model import forest_of, with_tests_of_missing
from rankforest.exchange.lightgbm_text import for_lightgbm, lightgbm_text
from rankforest.exchange.quickrank import for_quickrank, quickrank_xml, read_quickrank
from rankforest.exchange.ranklib import for_ranklib, ranklib_text, read_ranklib
from rankforest.exchange.to_model import model_parts
from rankforest.exchange.xgboost_model import (
    for_xgboost,
    read_xgboost,
    xgboost_json,
    xgboost_ubjson,
)

RULES_OF_OUR_OWN = [name for name, form in FORMATS.items() if "rules" in form.judge()]
FORMS = ["lightgbm", "xgboost-json", "xgboost-ubj"]


def there_and_back(model, form):
    """Write a model and read it as `load` does."""
    written, _, _ = written_as(model, form, ExportOptions())
    if form == "lightgbm":
        return rf.Model.from_bytes(written.content)
    return rf.Model(*model_parts(read_xgboost(written.content)))


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("form", FORMS)
def test_scores_keep_every_bit(form, name):
    data = documents(nan=True)
    model = ESTIMATORS[name].fit(data).model_
    again = there_and_back(model, form)
    if model.n_members == 1 and model.grades is None:
        np.testing.assert_array_equal(again.predict(data), model.predict(data))
    else:  # whole members are added here, one tree after the other there
        np.testing.assert_allclose(again.predict(data), model.predict(data), rtol=1e-14, atol=1e-14)


@settings(max_examples=60)
@given(models, matrices)
def test_any_sum_over_trees_comes_back_from_xgboost(values, X):
    values = {**values, "combine": "sum", "members": values["members"][:1]}
    model = rf.Model(rf._core.Ensemble.from_arrays(values), rf._core.ModelInfo())
    expected = model.predict(X)
    for form in ("xgboost-json", "xgboost-ubj"):
        again = there_and_back(model, form).predict(X)
        # Infinity is not below infinity, which the largest threshold becomes: XGBoost refuses it.
        finite = ~np.isinf(X).any(axis=1)
        np.testing.assert_allclose(again[finite], expected[finite], rtol=0, atol=1e-40)


@settings(max_examples=60)
@given(models, matrices)
def test_any_sum_over_trees_comes_back_from_lightgbm(values, X):
    values = {**values, "combine": "sum", "members": values["members"][:1]}
    model = rf.Model(rf._core.Ensemble.from_arrays(values), rf._core.ModelInfo())
    # Numbers up to 1e-35 are 0 to LightGBM.
    X = np.where(np.abs(X) <= np.float32(1e-35), np.float32(0), X)
    X = np.clip(X, -np.finfo(np.float32).max, np.finfo(np.float32).max)
    thresholds = [
        abs(float(t))
        for group in values["members"][0]["groups"]
        for tree in group["trees"]
        for t in tree["threshold"]
    ]
    if any(0 < t <= 1.1e-35 for t in thresholds):
        return
    again = there_and_back(model, "lightgbm").predict(X)
    np.testing.assert_allclose(again, model.predict(X), rtol=0, atol=1e-40)


@settings(max_examples=60)
@given(models, matrices)
def test_the_evaluator_gives_the_scores_of_the_model(values, X):
    values = {**values, "combine": "sum", "members": values["members"][:1]}
    model = rf.Model(rf._core.Ensemble.from_arrays(values), rf._core.ModelInfo())
    forest = forest_of(model, "a test")
    np.testing.assert_array_equal(evaluate(forest, X), model.predict(X))
    split = with_tests_of_missing(forest)
    assert not any(tree.has_third_child for tree in split.trees)
    np.testing.assert_array_equal(evaluate(split, X), model.predict(X))


@pytest.mark.parametrize("form", [*RULES_OF_OUR_OWN, "lightgbm", "xgboost-ubj"])
@settings(max_examples=25, deadline=None)
@given(models, matrices)
def test_any_sum_over_trees_scores_alike_or_is_refused(form, values, X):
    values = {**values, "combine": "sum"}
    model = rf.Model(rf._core.Ensemble.from_arrays(values), rf._core.ModelInfo())
    try:
        written, _, _ = written_as(model, form, ExportOptions(feature_names=("a", "b", "c")))
    except ValueError as error:
        assert "third child" in str(error)  # noqa: PT017
        assert not FORMATS[form].knows_missing
        return
    check(model, written, X)


def test_a_base_that_float32_cannot_hold_becomes_constant_trees():
    base = 0.9359916054564533
    model = model_of_arrays(stump(0.5, 1.0, 2.0), base=base)
    for form in FORMS:
        again = there_and_back(model, form)
        X = np.zeros((1, 2), dtype=np.float32)
        assert again.predict(X) == model.predict(X) == base + 1.0
    assert lightgbm_text(for_lightgbm(forest_of(model, "")), ()).count("num_leaves=1\n") == 3
    assert for_xgboost(forest_of(model, "")).base == float(np.float32(base))


def test_weights_and_means_are_in_the_leaves():
    model = model_of_arrays(
        stump(0.5, 1.0, 2.0), stump(0.5, 5.0, 8.0), weight=0.5, reduction="mean"
    )
    forest = forest_of(model, "")
    assert [tree.value.tolist() for tree in forest.trees] == [[0, 0.25, 0.5], [0, 1.25, 2.0]]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_text_forms_come_back_by_the_rules_of_their_systems(name):
    data = documents()
    model = ESTIMATORS[name].fit(data).model_
    forest = forest_of(model, "")
    again = read_quickrank(quickrank_xml(for_quickrank(forest)))
    np.testing.assert_array_equal(evaluate(again, data.X), evaluate(forest, data.X))
    again = read_ranklib(ranklib_text(for_ranklib(forest)))
    np.testing.assert_allclose(evaluate(again, data.X), model.predict(data), atol=1e-5)
    assert len(again.trees) >= model.n_trees


def test_numbers_are_written_with_all_their_digits():
    model = model_of_arrays(stump(0.1, 1e-45, 0.3, missing="left"), base=0.0)
    text = xgboost_json(for_xgboost(forest_of(model, "")), ())
    assert "[0.10000001, 1e-45, 0.3]" in text
    assert "\\u0000" not in text
    text = ranklib_text(for_ranklib(forest_of(model, "")))
    assert "<threshold> 0.1 </threshold>" in text
    assert "<output> 1e-45 </output>" in text
    content = xgboost_ubjson(for_xgboost(forest_of(model, "")), ("a", "b"))
    assert read_xgboost(content).trees[0].threshold[0] == float(np.float32(0.10000001))


def test_a_model_that_came_from_another_system_is_one_of_ours(tmp_path):
    data = documents(nan=True)
    model = rf.LambdaMART(n_estimators=12).fit(data).model_
    model.export(tmp_path / "m", "xgboost-json")
    again = rf.load(tmp_path / "m")
    stages = list(again.staged_predict(data))
    assert len(stages) == again.n_rounds == 12
    np.testing.assert_array_equal(stages[4], model[:5].predict(data))
    np.testing.assert_array_equal(again[:5].predict(data), model[:5].predict(data))
    pruned = rf.prune(again, data, metric="ndcg@10")
    assert pruned.model.n_trees <= again.n_trees
    again.export(tmp_path / "m.txt", "lightgbm", verify=data)
    again.save(tmp_path / "m.rf")
    assert rf.load(tmp_path / "m.rf") == again
    leaving = again.with_exits(rf.ExitSchedule([rf.Exit(6, fraction=0.5)]))
    assert len(leaving.predict(data)) == data.n_documents
