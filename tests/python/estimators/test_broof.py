"""BROOF as an estimator, and its iterations against a plain NumPy implementation."""

import pickle

import numpy as np
import pytest
from estimator_cases import make_data
from sklearn.base import clone

import rankforest as rf
from rankforest import BROOF, _core
from rankforest.tuning.grids import named_space

VARIANTS = ("absolute", "median", "height", "gradient")
SMALL = {"n_estimators": 9, "max_iter": 5, "max_leaf_nodes": 6, "learning_rate": 0.5}


def broof(**parameters):
    return BROOF(**{**SMALL, **parameters})


def naive_errors(variant, eta, it):
    """The errors of algorithms 2 to 5, brought into [0, 1]; NaN where there is no prediction."""
    y, predicted = it["grades"], it["out_of_bag"]
    if variant == "absolute":
        errors = np.abs(y - predicted)
    elif variant == "median":
        medians = {grade: np.nanmedian(predicted[y == grade]) for grade in np.unique(y)}
        errors = np.abs([medians[grade] for grade in y] - predicted)
    elif variant == "gradient":
        errors = np.abs(it["targets"] - eta * predicted)
    else:
        errors = np.zeros(len(y))
        for begin, end in zip(it["offsets"][:-1], it["offsets"][1:], strict=True):
            for i in range(begin, end):
                other = (y[begin:end] > 0) != (y[i] > 0)
                gap = predicted[begin:end][other] - predicted[i]
                gap = gap if y[i] > 0 else -gap
                gap = gap[~np.isnan(gap)]
                errors[i] = ((gap > 0) + (gap == 0) / 2).mean() if len(gap) else 0.0
        return np.where(np.isnan(predicted), np.nan, errors)
    return errors / np.nanmax(errors)


def iterations_of(variant, data, **settings):
    """Train, and return what is known of each iteration, and the core's answer."""
    seen = []
    answer = _core.train(
        "broof",
        data._core,
        {**SMALL, "variant": variant, **settings},
        seed=3,
        n_jobs=1,
        watches=[],
        observer=None,
        objective=None,
        functions={"observer": seen.append},
    )
    return seen, answer


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("learner_weight", ["beta", "log_inverse_beta", "constant"])
def test_each_iteration_is_that_of_the_papers_algorithm(variant, learner_weight):
    X, y, qid = make_data(n_queries=20, missing=0.1)
    data = rf.Dataset(X, y, qid=qid)
    eta = SMALL["learning_rate"]
    seen, answer = iterations_of(variant, data, learner_weight=learner_weight)
    assert len(seen) > 1
    weights = np.full(len(y), 1 / len(y))
    targets = seen[0]["grades"]
    scores = np.zeros(len(y))
    for it in seen:
        np.testing.assert_allclose(it["weights"], weights)
        np.testing.assert_allclose(it["targets"], targets, atol=1e-12)
        errors = naive_errors(variant, eta, it)
        np.testing.assert_allclose(it["errors"], errors)
        counts = ~np.isnan(errors)
        error = np.average(errors[counts], weights=weights[counts])
        assert it["error"] == pytest.approx(error)
        beta = eta if learner_weight == "constant" else eta * error / (1 - error)
        if error < 0.5:
            assert it["beta"] == pytest.approx(beta)
            expected = np.log(1 / beta) if learner_weight == "log_inverse_beta" else beta
            assert it["learner_weight"] == pytest.approx(expected)
            scores += expected * it["of_all_trees"]
        if variant == "gradient":
            targets = targets - eta * np.where(counts, it["out_of_bag"], it["of_all_trees"])
        else:
            weights = weights * np.where(counts, beta ** (1 - errors), 1.0)
            weights /= weights.sum()
    model = answer["ensemble"]
    by_row = np.empty(len(y))
    by_row[seen[0]["rows"]] = scores
    fitted = broof(variant=variant, learner_weight=learner_weight, random_state=3).fit(data)
    assert fitted.model_._ensemble == model
    np.testing.assert_allclose(fitted.predict(X), by_row, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        fitted.estimator_errors_, [it["error"] for it in seen if it["learner_weight"]]
    )
    assert len(fitted.estimator_weights_) == fitted.best_iteration_


def test_two_documents_by_hand():

    data = rf.Dataset([[0.0], [1.0]], [0.0, 2.0], qid=[0, 0])
    for seed in range(20):
        seen = []
        _core.train(
            "broof",
            data._core,
            {"variant": "absolute", "n_estimators": 1, "max_iter": 1},
            seed=seed,
            n_jobs=1,
            watches=[],
            observer=None,
            objective=None,
            functions={"observer": seen.append},
        )
        (it,) = seen
        out = ~np.isnan(it["out_of_bag"])
        if not out.any():  # nothing to measure an error on
            assert np.isnan(it["error"])
            continue
        assert it["out_of_bag"][out] == 2.0 - it["grades"][out]
        assert it["errors"][out] == [1.0]
        assert it["error"] == 1.0
        assert it["learner_weight"] == 1.0  # the learning rate, as the first forest fails


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_model_is_trees_like_any_other_and_goes_on(variant, tmp_path):
    X, y, qid = make_data(n_queries=20, missing=0.1)
    whole = broof(variant=variant).fit(X, y, qid=qid)
    part = broof(variant=variant, max_iter=2, warm_start=True).fit(X, y, qid=qid)
    part.set_params(max_iter=5).fit(X, y, qid=qid)
    assert part.model_._ensemble == whole.model_._ensemble
    np.testing.assert_array_equal(part.estimator_errors_, whole.estimator_errors_)
    order = np.random.default_rng(0).permutation(len(X))
    shuffled = broof(variant=variant, n_jobs=3).fit(X[order], y[order], qid=qid[order])
    assert shuffled.model_._ensemble == whole.model_._ensemble
    assert whole.model_.n_trees == 9 * whole.best_iteration_
    assert whole[:1].model_.n_trees == 9
    whole.save(tmp_path / "model.rf")
    loaded = rf.load(tmp_path / "model.rf")
    scores = whole.predict(X)
    np.testing.assert_array_equal(loaded.predict(X), scores)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(whole)).predict(X), scores)
    np.testing.assert_array_equal(list(loaded.staged_predict(X))[-1], scores)
    assert clone(whole).get_params() == whole.get_params()
    exits = loaded.with_exits(rf.ExitSchedule([(1, 0.5)]))
    assert 0 < np.mean(exits.predict(X, qid=qid) != scores) < 1
    assert whole.feature_importances_.argmax() == 0


def test_early_stopping_keeps_the_best_iteration():
    train, valid = rf.datasets.make_ranking(n_queries=60, random_state=2).train_test_split(0.5)
    ranker = broof(max_iter=60, early_stopping_rounds=4).fit(train, eval_set=valid)
    values = ranker.history_["valid"]["ndcg@10"]
    assert ranker.best_iteration_ == 1 + int(np.argmax(values)) < 60
    assert len(ranker.estimator_weights_) == ranker.best_iteration_
    assert ranker.best_score_ == max(values)


def test_every_extension_point_may_be_a_function():
    X, y, qid = make_data(n_queries=15)
    order = np.random.default_rng(5).permutation(len(X))
    X, y, qid = X[order], y[order], qid[order]
    seen = {}

    def noted(name, answer):
        def point(iteration):
            seen.setdefault(name, []).append(iteration)
            return answer(iteration)

        return point

    ranker = broof(
        initial_weights=noted("initial_weights", lambda it: np.ones(len(it.grades))),
        examples=noted("examples", lambda it: it.targets - 0.5 * it.predictions),
        validation_set=noted("validation_set", lambda it: it.of_all_trees),
        errors=noted("errors", lambda it: np.abs(it.targets - 0.5 * it.predictions)),
        learner_weight=noted("learner_weight", lambda it: it.learning_rate),
        example_weights=noted("example_weights", lambda it: it.weights),
    ).fit(X, y, qid=qid)
    builtin = broof(validation_set="train").fit(X, y, qid=qid)
    assert ranker.model_._ensemble == builtin.model_._ensemble
    assert ranker.model_.parameters["errors"] == "custom"
    assert builtin.model_.parameters["errors"] is None
    first = seen["errors"][0]
    np.testing.assert_array_equal(y[first.rows], first.grades)
    assert len(first.offsets) == 16
    assert first.number == 0
    assert len(seen["initial_weights"]) == 1
    assert len(seen["errors"]) == len(seen["validation_set"]) == ranker.best_iteration_
    assert seen["learner_weight"][0].error > 0


def test_functions_see_the_rows_of_the_caller_where_queries_are_held_out():
    X, y, qid = make_data(n_queries=15)
    rows = []
    broof(
        variant="absolute",
        validation_fraction=0.4,
        errors=lambda it: rows.append(it.rows) or np.abs(it.targets - it.predictions),
    ).fit(X, y, qid=qid)
    assert 0 < len(np.unique(qid[rows[0]])) < 15
    assert len(np.unique(rows[0])) == len(rows[0])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"variant": "best"}, 'variant must be "gradient" or "absolute" or "median" or "height"'),
        ({"max_iter": 0}, "max_iter must be an integer >= 1, got 0"),
        ({"errors": "squared"}, 'errors must be "absolute" or .* or a callable or None'),
        ({"learner_weight": 2}, "learner_weight must be .* got 2"),
        ({"error_normalization": None}, 'error_normalization must be "max" or "none", got None'),
        ({"errors": lambda: 0}, r"errors is called with \(iteration\)"),
        ({"errors": lambda it: it.targets[:3]}, "errors must give a number for each of the 120"),
        ({"errors": lambda it: -it.targets - 1}, "errors must give finite numbers >= 0"),
        ({"errors": lambda it: "none"}, "errors must return numbers, got 'none'"),
        ({"learner_weight": lambda it: it.weights}, "learner_weight must return a number"),
        ({"example_weights": lambda it: 0 * it.weights}, "with a finite sum above 0"),
        ({"early_stopping_rounds": 3}, "early_stopping_rounds needs eval_set"),
    ],
)
def test_what_it_cannot_do_is_said(parameters, message):
    X, y, qid = make_data()
    parameters = {"variant": "absolute", **parameters}
    with pytest.raises((ValueError, TypeError), match=message):
        broof(**parameters).fit(X, y, qid=qid)


def test_heights_need_queries_and_other_models_are_no_start():
    X, y, qid = make_data()
    with pytest.raises(ValueError, match="places in the ranking of a query"):
        broof(variant="height").fit(X, y)
    with pytest.raises(ValueError, match="BROOF measures errors of its own forests"):
        broof().fit(X, y, qid=qid, init_model=rf.MART(n_estimators=2).fit(X, y))
    with pytest.raises(ValueError, match="max_iter=1 must be at least the 5 rounds"):
        broof(warm_start=True).fit(X, y, qid=qid).set_params(max_iter=1).fit(X, y, qid=qid)
    with pytest.raises(ValueError, match="mart has no part that a function could replace"):
        _core.train(
            "mart",
            rf.Dataset(X, y, qid=qid)._core,
            {},
            seed=0,
            n_jobs=1,
            watches=[],
            observer=None,
            objective=None,
            functions={"errors": abs},
        )
    with pytest.warns(UserWarning, match="the model is constant"):
        broof().fit(np.ones_like(X), y, qid=qid)


def test_defaults_are_those_of_the_core():
    defaults = _core.default_settings("broof")
    ours = BROOF().get_params()
    assert {name: ours[name] for name in defaults} == defaults


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_learning_rate_is_that_of_the_variant_where_none_is_given(variant):
    X, y, qid = make_data(n_queries=15)
    eta = 0.1 if variant == "gradient" else 1.0
    left, given, other = (
        broof(variant=variant, learning_rate=rate).fit(X, y, qid=qid) for rate in (None, eta, 0.5)
    )
    assert left.model_._ensemble == given.model_._ensemble
    assert left.model_._ensemble != other.model_._ensemble
    assert left.model_.parameters["learning_rate"] is None


def test_only_broof_takes_none_for_its_learning_rate():
    X, y, qid = make_data(n_queries=15)
    with pytest.raises(ValueError, match=r"^MART: learning_rate must be in \(0, 1\], got None$"):
        rf.MART(learning_rate=None).fit(X, y, qid=qid)
    with pytest.raises(ValueError, match=r"learning_rate must be in \(0, 1\] or None, got 2\.0$"):
        BROOF(learning_rate=2.0).fit(X, y, qid=qid)


def test_the_default_space_tunes_its_trees_and_its_learning_rate():
    space = named_space(BROOF(), "default")
    assert {"learning_rate", "max_features", "max_leaf_nodes", "min_samples_leaf"} <= set(space)
    weighted = named_space(BROOF(variant="height"), "default")
    assert weighted["learning_rate"][1] == 1.0 > space["learning_rate"][1]
    data = rf.datasets.make_ranking(n_queries=30, random_state=1)
    result = rf.tune(
        broof(early_stopping_rounds=2), data, space={"learning_rate": [0.3, 0.5]}, n_trials=2
    )
    assert result.best_estimator_.max_iter <= 5
    assert result.best_estimator_.n_estimators == 9


def test_it_pays_for_features_goes_into_bags_and_writes_itself_down(tmp_path):
    X, y, qid = make_data(n_queries=20)
    cheap = broof(feature_costs=[9.0, 1e-6, 9.0, 9.0, 9.0], cost_weight=100.0).fit(X, y, qid=qid)
    assert cheap.charged_features_.tolist() == [False, True, False, False, False]
    bag = rf.Bagging(broof(variant="height"), n_bags=2, combine="mean").fit(X, y, qid=qid)
    assert bag.model_.n_members == 2
    filled = broof(missing="mean").fit(np.where(X > 1, np.nan, X), y, qid=qid)
    assert filled.model_.fill_values is not None
    filled.model_.save_json(tmp_path / "model.json")
    loaded = rf.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict(X), filled.predict(X))
