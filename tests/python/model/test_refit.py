"""`Model.refit_leaves`: the same trees with new leaf values."""

import numpy as np
import pytest
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

import rankforest as rf

#: Estimators whose every tree sees all of the training data.
WHOLE = {
    "mart": rf.MART(n_estimators=6, max_features=0.5),
    "lambdamart": rf.LambdaMART(
        n_estimators=6, max_leaf_nodes=7, min_samples_leaf=2, l2_regularization=0.3, leaf="mean"
    ),
    "random_forest": rf.RandomForest(n_estimators=6, bootstrap=False, relevance="exp2"),
    "entropy": rf.RandomForest(n_estimators=4, bootstrap=False, criterion="entropy"),
    "extra_trees": rf.ExtraTrees(n_estimators=6, max_features=2),
    "igbrt": rf.IGBRT(n_estimators=4, forest=rf.RandomForest(n_estimators=3, bootstrap=False)),
}


def half_squares(grades, scores, *_):
    return scores - grades, np.ones_like(scores)


@pytest.fixture(scope="module")
def old():
    X, y, qid = make_data(n_queries=20, seed=7, missing=0.1)
    return rf.Dataset(X, y, qid=qid, weight=np.repeat([1.0, 2.0], 100))


@pytest.fixture(scope="module")
def new():
    X, y, qid = make_data(seed=8, missing=0.1)
    return rf.Dataset(X, y, qid=qid)


def leaves(model):
    groups = model._ensemble.to_arrays()["members"][0]["groups"]
    return [tree["leaf"].astype(np.float64) for group in groups for tree in group["trees"]]


@pytest.mark.parametrize("name", WHOLE)
def test_the_training_data_gives_the_model_back_bit_for_bit(name, old):
    model = clone(WHOLE[name]).fit(old).model_
    for n_jobs in (1, 2):
        assert model.refit_leaves(old, decay=0.0, n_jobs=n_jobs)._ensemble == model._ensemble
    order = np.random.default_rng(0).permutation(old.n_documents)
    shuffled = model.refit_leaves(old.take_rows(order), decay=0.0)
    assert shuffled == model.refit_leaves(old, decay=0.0)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_full_decay_keeps_every_leaf_and_any_decay_every_split(name, old, new):
    model = clone(ESTIMATORS[name]).fit(old).model_
    assert model.refit_leaves(new, decay=1.0)._ensemble == model._ensemble
    refitted = model.refit_leaves(new)
    assert refitted._ensemble != model._ensemble
    assert (refitted.feature_importances() == model.feature_importances()).all()
    assert refitted.n_rounds == model.n_rounds


def test_leaves_of_a_forest_are_means_of_the_new_grades(old, new):
    model = rf.RandomForest(n_estimators=3, max_depth=2).fit(old).model_
    refitted = model.refit_leaves(new, decay=0.25)
    for before, after, tree in zip(
        leaves(model), leaves(refitted),
        model._ensemble.to_arrays()["members"][0]["groups"][0]["trees"], strict=True,
    ):  # fmt: skip
        alone = {"base": 0.0, "groups": [
            {"weight": 1.0, "reduction": "sum", "trees_per_round": 1, "trees": [
                {**tree, "leaf": np.arange(len(before), dtype=np.float32)}]}]}  # fmt: skip
        arrays = {"combine": "sum", "n_features": 5, "members": [alone]}
        leaf_of = rf._core.Ensemble.from_arrays(arrays).predict(new.X, None, 1).astype(int)
        for leaf in range(len(before)):
            grades = new.y[leaf_of == leaf]
            expected = 0.25 * before[leaf] + 0.75 * grades.mean() if len(grades) else before[leaf]
            assert after[leaf] == pytest.approx(expected, rel=1e-6)


def test_a_model_becomes_better_on_what_it_is_refitted_to(new):
    X, y, qid = make_data(n_queries=60, seed=9)
    model = rf.LambdaMART(n_estimators=30, min_samples_leaf=5).fit(X, y, qid=qid).model_
    turned = rf.Dataset(-X, y, qid=qid)  # what was good is bad
    before = rf.evaluate(turned, model.predict(turned), "ndcg@10")["ndcg@10"]
    refitted = model.refit_leaves(turned, decay=0.0)
    assert rf.evaluate(turned, refitted.predict(turned), "ndcg@10")["ndcg@10"] > before + 0.1


def test_the_new_model_says_how_it_came_about(old, new):
    model = rf.MART(n_estimators=3).fit(old).model_.with_metadata({"owner": "search"})
    twice = model.refit_leaves(new, decay=0.5).refit_leaves(old, decay=0.25)
    assert twice.parameters["refit_leaves"] == [0.5, 0.25]
    assert twice.metadata == {"owner": "search"}
    assert model.refit_leaves(new).data_summary["n_documents"] == new.n_documents
    assert model.refit_leaves(new).profile.n_documents == new.n_documents
    assert "refit_leaves" not in model.parameters


def test_arrays_prefixes_and_files_do_as_well(old, new, tmp_path):
    model = rf.LambdaMART(n_estimators=5, min_samples_leaf=2).fit(old).model_
    refitted = model.refit_leaves(new)
    assert model.refit_leaves(new.X, new.y, qid=new.qid) == refitted
    model.save(tmp_path / "m.rf")
    assert rf.load(tmp_path / "m.rf").refit_leaves(new) == refitted
    assert model[:3].refit_leaves(new)._ensemble == refitted[:3]._ensemble


def test_the_number_that_means_missing_is_that_of_the_model(old, new):
    X = np.nan_to_num(old.X, nan=-99)
    data = rf.Dataset(X, old.y, qid=old.qid, weight=old.weight, missing=-99)
    model = rf.MART(n_estimators=3).fit(data).model_
    refitted = model.refit_leaves(np.nan_to_num(new.X, nan=-99), new.y, qid=new.qid)
    assert refitted.missing == -99
    expected = rf.MART(n_estimators=3).fit(old).model_.refit_leaves(new)
    assert refitted._ensemble == expected._ensemble


def test_models_that_started_somewhere_keep_their_base(old, new):
    first = rf.MART(n_estimators=3).fit(old).model_
    more = rf.MART(n_estimators=3).fit(new, init_model=first).model_
    base = more._ensemble.to_arrays()["members"][0]["base"]
    refitted = more.refit_leaves(new, decay=0.0)
    assert refitted._ensemble.to_arrays()["members"][0]["base"] == base
    assert more.refit_leaves(new, decay=1.0)._ensemble == more._ensemble


def test_scores_and_objectives_of_training_are_asked_for(old, new):
    offset = np.random.default_rng(1).normal(size=old.n_documents)
    model = rf.MART(n_estimators=3).fit(old, init_score=offset).model_
    assert model.refit_leaves(old, decay=0.0, init_score=offset)._ensemble == model._ensemble
    with pytest.raises(
        ValueError, match=r"trained with init_score: refit_leaves needs init_score="
    ):
        model.refit_leaves(old)
    with pytest.raises(ValueError, match=r"without init_score; refit_leaves does not take"):
        rf.MART(n_estimators=3).fit(old).model_.refit_leaves(old, init_score=offset)


def test_an_objective_of_ones_own_is_called_for_the_new_data(old, new):
    model = rf.MART(n_estimators=3, objective=half_squares).fit(old).model_
    same = model.refit_leaves(old, decay=0.0, objective=half_squares)
    assert same._ensemble == model._ensemble
    by_squares = rf.MART(n_estimators=3, init="zero").fit(old).model_
    np.testing.assert_allclose(
        model.refit_leaves(new, decay=0.0, objective=half_squares).predict(new),
        by_squares.refit_leaves(new, decay=0.0).predict(new),
        rtol=1e-6,
    )
    with pytest.raises(
        ValueError, match=r"an objective of your own: refit_leaves needs objective="
    ):
        model.refit_leaves(new)


def test_columns_of_a_frame_are_named_as_for_fit(old, new):
    pandas = pytest.importorskip("pandas")
    model = rf.MART(n_estimators=3).fit(old).model_
    frame = pandas.DataFrame(new.X).rename(columns=str).assign(grade=new.y, query=new.qid)
    assert model.refit_leaves(frame, "grade", qid="query").predict(new.X).tolist() == (
        model.refit_leaves(new).predict(new.X).tolist()
    )


@pytest.mark.parametrize("decay", [-0.1, 1.1, float("nan"), "0.5", None, True])
def test_decay_outside_its_range_is_refused(decay, old):
    model = rf.MART(n_estimators=2).fit(old).model_
    with pytest.raises(ValueError, match=r"decay must be a number in \[0, 1\]"):
        model.refit_leaves(old, decay=decay)


def test_models_whose_making_is_unknown_are_refused(old):
    model = rf.MART(n_estimators=2).fit(old).model_
    nameless = rf.Model(model._ensemble, rf._core.ModelInfo())
    with pytest.raises(
        ValueError, match=r"how the trees were made, and the model says that nobody"
    ):
        nameless.refit_leaves(old)
    mixed = rf.LambdaMART(n_estimators=2).fit(old, init_model=model).model_
    with pytest.raises(ValueError, match=r"lambdamart started from a model of mart"):
        mixed.refit_leaves(old)


def test_data_that_does_not_fit_is_refused(old):
    model = rf.LambdaMART(n_estimators=2, min_samples_leaf=2).fit(old).model_
    with pytest.raises(ValueError, match="X has 4 features, but Model is expecting 5"):
        model.refit_leaves(old.X[:, :4], old.y, qid=old.qid)
    with pytest.raises(ValueError, match="pass qid"):
        model.refit_leaves(old.X, old.y)
    with pytest.raises(ValueError, match="learns from pairs of documents"):
        model.refit_leaves(old.X, np.ones(old.n_documents), qid=old.qid)
