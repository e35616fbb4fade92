"""A search gives what plain loops over its trials, folds and seeds give."""

from itertools import product

import numpy as np
import optuna
import pytest
from sklearn.base import clone
from tuning_cases import GRID, make_folds, model, rows_of

import rankforest as rf
from rankforest.tuning.outcome import step_of
from rankforest.tuning.pruning import MedianOrQuarter
from rankforest.tuning.search import Standing, Workers
from rankforest.tuning.toml import as_toml
from rankforest.tuning.trial import FIRST_CHECK


@pytest.fixture(scope="module")
def folds():
    return make_folds()


@pytest.fixture(scope="module")
def grid_search(folds):
    return rf.tune(model(), folds, GRID, sampler="grid", seeds=2)


def by_loops(folds, params, seeds=(0, 1)):
    """Means over folds and seeds of the validation and the test value."""
    values = []
    for fold, seed in product(folds, seeds):
        train, valid, test = fold
        trained = clone(model()).set_params(**params, random_state=seed).fit(train, eval_set=valid)
        values.append([rf.evaluate(s, trained, "ndcg@3")["ndcg@3"] for s in (valid, test)])
    return np.mean(values, axis=0)


def test_a_grid_search_gives_the_values_of_plain_loops(folds, grid_search):
    points = [dict(zip(GRID, values, strict=True)) for values in product(*GRID.values())]
    found = {tuple(sorted(t.params.items())): (t.value, t.test) for t in grid_search.trials}
    assert len(found) == len(points) == 12
    for params in points:
        np.testing.assert_allclose(
            found[tuple(sorted(params.items()))], by_loops(folds, params), rtol=1e-12
        )
    values = [value for value, _ in found.values()]
    assert grid_search.best_value_ == max(values)
    assert grid_search.best_params_ == grid_search.trials[int(np.argmax(values))].params


def test_two_trials_by_hand():
    # Feature 0 ranks the documents right, and feature 1 the other way round. A model that may look
    # at a single document for each leaf learns it; one that needs 100 of them cannot split.
    x = np.tile([0.0, 1.0, 2.0, 3.0], 10)
    data = rf.Dataset(np.stack([2 * x, -x], axis=1), x, qid=np.repeat(np.arange(10), 4))
    estimator = rf.LambdaMART(n_estimators=10, metric="ndcg", min_samples_leaf=1, n_jobs=1)
    space = {"min_samples_leaf": [1, 100]}
    found = rf.tune(estimator, data, space, sampler="grid", folds=2, refit=False)
    gains = np.array([0.0, 1.0, 3.0, 7.0])
    discounts = 1 / np.log2(np.arange(2, 6))
    mean_of_ties = gains.mean() * discounts.sum() / (gains[::-1] @ discounts)
    by_size = {trial.params["min_samples_leaf"]: trial.value for trial in found.trials}
    assert by_size == {1: 1.0, 100: pytest.approx(mean_of_ties, rel=1e-12)}
    assert found.best_params_ == {"min_samples_leaf": 1}


def test_a_metric_where_less_is_better_is_minimised(folds):
    estimator = rf.MART(n_estimators=20, metric="rmse", n_jobs=1)
    found = rf.tune(estimator, folds, {"learning_rate": [0.001, 0.1]}, sampler="grid")
    assert found.best_params_ == {"learning_rate": 0.1}
    assert found.best_value_ == min(trial.value for trial in found.trials) > 0
    curve = found.overfitting_curve()
    assert curve["value"][1] < curve["value"][0]


def test_early_stopping_goes_by_the_validation_part(folds):
    estimator = model(n_estimators=40, early_stopping_rounds=3)
    found = rf.tune(estimator, folds[:1], {"learning_rate": [0.3]}, n_trials=1)
    train, valid, _ = folds[0]
    alone = clone(estimator).set_params(learning_rate=0.3).fit(train, eval_set=valid)
    assert found.best_value_ == alone.best_score_
    assert found.best_trial_.rounds == alone.best_iteration_ < 40
    assert found.best_estimator_.model_ == alone.model_


def test_one_data_set_is_split_into_folds_of_whole_queries(folds):
    data = folds[0][0]
    found = rf.tune(model(), data, {"max_depth": [2, 3]}, sampler="grid", folds=3, random_state=5)
    for trial in found.trials:
        values = [
            clone(model()).set_params(**trial.params).fit(train, eval_set=valid).best_score_
            for train, valid in data.folds(3, random_state=5)
        ]
        assert trial.value == pytest.approx(np.mean(values), rel=1e-12)
        assert trial.spread == pytest.approx(np.std(values, ddof=1), rel=1e-12)
    arrays = (data.X, data.y, data.qid)
    assert rows_of(rf.tune(model(), arrays, {"max_depth": [2, 3]}, sampler="grid", folds=3,
                           random_state=5)) == rows_of(found)  # fmt: skip


def test_the_model_of_all_data_has_the_mean_number_of_rounds(folds):
    data = folds[0][0]
    estimator = model(n_estimators=40, early_stopping_rounds=3)
    found = rf.tune(estimator, data, {"learning_rate": [0.1, 0.3]}, n_trials=2, folds=3)
    best = found.best_estimator_
    assert best.n_estimators == best.best_iteration_ == max(1, round(found.best_trial_.rounds)) < 40
    assert best.early_stopping_rounds is None
    again = found.tuned_estimator().fit(data)
    assert again.model_ == best.model_
    assert estimator.get_params() == model(n_estimators=40, early_stopping_rounds=3).get_params()


def test_several_folds_have_no_model_in_common(grid_search):
    with pytest.raises(AttributeError, match="refit was False, or several folds were given"):
        grid_search.best_estimator_  # noqa: B018
    assert grid_search.tuned_estimator().get_params()["max_leaf_nodes"] in (2, 3, 5)


def test_rounds_of_igbrt_do_not_count_its_forest(folds):
    estimator = rf.IGBRT(n_estimators=6, forest=rf.RandomForest(n_estimators=4), n_jobs=1)
    found = rf.tune(estimator, folds, {"forest__max_depth": [2, 4]}, n_trials=1)
    assert found.best_trial_.rounds == 6
    unnamed = rf.tune(
        rf.IGBRT(n_estimators=2, n_jobs=1), folds[:1], {"forest__n_estimators": [3]}, n_trials=1
    )
    assert unnamed.best_estimator_.forest.n_estimators == 3


@pytest.mark.parametrize("sampler", ["grid", "random", "tpe"])
def test_the_number_of_threads_changes_nothing(folds, sampler):
    one, three = (
        rf.tune(model(), folds, GRID, sampler=sampler, n_trials=12, n_jobs=n, n_parallel=3)
        for n in (1, 3)
    )
    assert rows_of(one) == rows_of(three)


@pytest.mark.parametrize("sampler", ["grid", "random"])
def test_trials_that_know_of_no_others_do_not_depend_on_how_many_run_side_by_side(folds, sampler):
    alone, beside = (
        rf.tune(model(), folds, GRID, sampler=sampler, pruner=None, n_trials=8, n_parallel=n)
        for n in (1, 4)
    )
    assert rows_of(alone) == rows_of(beside)


def test_a_longer_search_begins_with_the_shorter_one(folds):
    short, long = (rf.tune(model(), folds, "default", n_trials=n, n_jobs=1) for n in (11, 14))
    assert rows_of(long)[:11] == rows_of(short)


def test_the_seed_decides_what_is_tried(folds):
    a, b = (
        rf.tune(model(), folds[:1], "default", n_trials=3, random_state=seed, refit=False)
        for seed in (0, 1)
    )
    assert [t.params for t in a.trials] != [t.params for t in b.trials]


def test_tpe_finds_the_better_end_of_a_range():
    x = np.tile(np.arange(6.0), 30)
    noise = np.random.default_rng(0).normal(size=(180, 3))
    data = rf.Dataset(
        np.column_stack([x + noise[:, 0], noise[:, 1:]]), x // 3, qid=np.repeat(np.arange(30), 6)
    )
    estimator = rf.RandomForest(n_estimators=5, metric="rmse", n_jobs=1)
    found = rf.tune(
        estimator, data, {"min_samples_leaf": (1, 100)}, folds=2, n_trials=25, pruner=None
    )
    tried = [trial.params["min_samples_leaf"] for trial in found.trials]
    assert np.mean(tried[15:]) < np.mean(tried[:10])
    assert found.best_params_["min_samples_leaf"] <= 20


def test_the_same_parameters_are_trained_once(folds):
    rounds = []
    estimator = model(callbacks=lambda report: rounds.append(report["round"]))
    found = rf.tune(estimator, folds[:1], {"max_depth": [2]}, n_trials=4, refit=False)
    assert len(rounds) == 8
    assert len({t.value for t in found.trials}) == 1


class TestPruning:
    def test_after_a_model_the_median_counts_and_within_one_the_worst_quarter(self):
        study = optuna.create_study(direction="maximize", pruner=MedianOrQuarter(4))
        whole, part = step_of(0), step_of(0, 0)
        for value in (0.1, 0.2, 0.3, 0.4):
            study.add_trial(
                optuna.trial.create_trial(
                    value=value, intermediate_values={part: value, whole: value}
                )
            )
        answers = {}
        for step, value in product((part, whole), (0.15, 0.2, 0.24, 0.26)):
            trial = study.ask()
            trial.report(value, step)
            answers[step == whole, value] = trial.should_prune()
        # The quarter is at 0.175, the median at 0.25.
        assert [answers[False, v] for v in (0.15, 0.2, 0.24, 0.26)] == [True, False, False, False]
        assert [answers[True, v] for v in (0.15, 0.2, 0.24, 0.26)] == [True, True, True, False]

    def test_few_finished_trials_prune_nothing(self):
        study = optuna.create_study(direction="minimize", pruner=MedianOrQuarter(2))
        study.add_trial(optuna.trial.create_trial(value=1.0, intermediate_values={step_of(0): 1.0}))
        trial = study.ask()
        trial.report(9.0, step_of(0))
        assert not trial.should_prune()
        study.add_trial(optuna.trial.create_trial(value=1.0, intermediate_values={step_of(0): 1.0}))
        trial = study.ask()
        trial.report(9.0, step_of(0))
        assert trial.should_prune()

    def test_pruned_trials_are_what_the_rule_says_and_never_win(self, folds):
        found = rf.tune(model(), folds, GRID, sampler="grid", pruner=MedianOrQuarter(3))
        loose = rf.tune(model(), folds, GRID, sampler="grid", pruner=None)
        finished = []
        for trial, whole in zip(found.trials, loose.trials, strict=True):
            assert trial.params == whole.params
            first = loose.study_.trials[trial.number].intermediate_values[step_of(0)]
            is_behind = len(finished) >= 3 and first < np.median(finished)
            assert trial.is_pruned == is_behind
            if is_behind:
                assert (trial.value, trial.n_models) == (first, 1)
                assert np.isnan(trial.test)
            else:
                finished.append(first)
                assert trial.value == whole.value
        assert 0 < sum(t.is_pruned for t in found.trials) < 9
        assert not found.best_trial_.is_pruned
        assert found.study_.trials[-1].state.is_finished()

    def test_a_model_ends_within_its_rounds(self, folds):
        rounds = []
        estimator = model(
            n_estimators=FIRST_CHECK + 10, callbacks=lambda r: rounds.append(r["round"])
        )
        never = optuna.pruners.ThresholdPruner(lower=2.0)  # no NDCG is as high
        with pytest.raises(ValueError, match="every trial was pruned"):
            rf.tune(estimator, folds[:1], GRID, sampler="grid", n_trials=2, pruner=never)
        assert rounds == [*range(1, FIRST_CHECK + 1)] * 2

    def test_a_grid_is_not_pruned_unless_asked(self, folds):
        found = rf.tune(model(), folds, GRID, sampler="grid")
        assert not any(t.is_pruned for t in found.trials)


class TestHeldOut:
    def test_the_search_ends_where_the_held_out_value_has_not_improved(self):
        outcomes = [
            (0.3, 0.5),
            (0.2, 0.9),
            (0.4, 0.6),
            (0.5, 0.6),
            (0.1, 0.9),
            (0.6, 0.55),
            (0.7, 0.9),
        ]
        standing = Standing(maximize=True, patience=3)
        for valid, held_out in outcomes:
            if standing.is_exhausted:
                break
            standing.add(outcome(valid), held_out)
        # The best by validation: trials 0, 0, 2, 3, 3, 5; their held-out values 0.5, 0.5, 0.6, 0.6,
        # 0.6, 0.55: trial 2 is the last that raised it, and trial 5 is the third after that.
        assert (standing.n, standing.best, standing.chosen) == (6, 5, 2)

    def test_the_winner_is_the_best_of_the_time_of_the_best_held_out_value(self, folds):
        held_out = make_folds(1, seed=7)[0][0]
        whole = rf.tune(model(), folds, "default", n_trials=30, pruner=None, n_jobs=1)
        found = rf.tune(
            model(), folds, "default", n_trials=30, pruner=None, holdout=held_out, patience=4
        )
        assert [t.value for t in found.trials] == [t.value for t in whole.trials[: found.n_trials_]]
        best, held, improved = None, [], 0
        for trial in found.trials:
            if best is None or trial.value > best.value:
                best = trial
            if not held or best.holdout > max(held):
                improved, winner = trial.number, best
            held.append(best.holdout)
        assert found.best_trial_ == winner
        assert found.n_trials_ in (30, improved + 5)
        assert "holdout" in found.overfitting_curve()


def outcome(value):
    from rankforest.tuning.outcome import Outcome  # noqa: PLC0415

    return Outcome(valid=[value], reports={step_of(0): value})


def test_threads_are_shared_among_the_trials_side_by_side():
    shared = {(w, n): (Workers(w, n).n_trials, Workers(w, n).threads_each)
              for w, n in [(1, 8), (3, 8), (4, 2), (2, 1)]}  # fmt: skip
    assert shared == {(1, 8): (1, 8), (3, 8): (3, 2), (4, 2): (2, 1), (2, 1): (1, 1)}


def test_callbacks_see_each_trial_in_order_and_may_end_the_search(folds):
    reports = []

    def watch(report):
        reports.append(report)
        return report["trial"] == 4

    found = rf.tune(model(), folds, GRID, sampler="grid", callbacks=watch, n_parallel=3, n_jobs=3)
    assert [r["trial"] for r in reports] == [0, 1, 2, 3, 4]
    assert found.n_trials_ == 5
    bests = np.maximum.accumulate([t.value for t in found.trials])
    assert [r["best_value"] for r in reports] == bests.tolist()


def test_verbose_prints_lines(folds, capsys):
    rf.tune(model(), folds[:1], GRID, sampler="grid", n_trials=4, verbose=2, refit=False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["trial 1, 2 of 4", "trial 3, 4 of 4"]


def test_trials_are_a_data_frame(grid_search):
    frame = grid_search.trials_frame()
    assert list(frame) == [
        "trial", "value", "test", "holdout", "rounds", "spread", "n_models", "pruned",
        "learning_rate", "max_leaf_nodes", "subsample",
    ]  # fmt: skip
    assert frame["max_leaf_nodes"].dtype == np.int64
    assert frame["value"].tolist() == [t.value for t in grid_search.trials]
    assert grid_search.trials_frame("polars").shape == (12, 11)


def test_the_curve_ends_at_the_best_trial(grid_search):
    curve = grid_search.overfitting_curve()
    assert curve["n_trials"].tolist() == list(range(1, 13))
    assert (np.diff(curve["value"]) >= -1e-12).all()
    assert curve["value"][-1] == pytest.approx(grid_search.best_value_)
    assert curve["test"][0] == pytest.approx(np.mean([t.test for t in grid_search.trials]))


def test_the_plot_has_a_line_for_each_measure(grid_search, tmp_path):
    figure = grid_search.plot(tmp_path / "f.png")
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    assert [axes.get_title() for axes in figure.axes] == ["ndcg@3, validation", "ndcg@3, test"]


def test_a_sampler_of_optuna_may_be_given_or_made(folds):
    made = [
        rf.tune(model(), folds[:1], GRID, n_trials=5, refit=False,
                sampler=lambda seed: optuna.samplers.RandomSampler(seed=seed))
        for _ in range(2)
    ]  # fmt: skip
    assert rows_of(made[0]) == rows_of(made[1])
    given = optuna.samplers.RandomSampler(seed=3)
    assert rf.tune(model(), folds[:1], GRID, n_trials=3, sampler=given, refit=False).n_trials_ == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"folds": 1}, "folds must be an integer >= 2, got 1"),
        ({"seeds": 0}, "seeds must be an integer >= 1, got 0"),
        ({"n_trials": 0}, "n_trials must be an integer >= 1 or None, got 0"),
        ({"timeout": -1}, "timeout must be > 0 or None, got -1"),
        ({"n_parallel": 0}, "n_parallel must be an integer >= 1"),
        ({"sampler": "gird"}, r"sampler must be one of 'tpe', 'random', 'grid', .*; did you mean 'grid'\?"),
        ({"sampler": 3}, "sampler must be one of .* got 3"),
        ({"pruner": "medain"}, r"pruner must be one of .*; did you mean 'median'\?"),
        ({"patience": 3}, "holdout and patience go together"),
        ({"refit": 1}, "refit must be True or False, got 1"),
        ({"random_state": None}, r"random_state must be an integer in \[0, 2\*\*64\), got None"),
        ({"sampler": "grid", "space": "default"}, "a grid needs choices"),
        ({"study_name": ""}, "study_name must be a name"),
        ({"timeout": 1e-9}, "no trial was finished within timeout=1e-09 seconds"),
    ],
)  # fmt: skip
def test_an_unusable_argument_is_named(folds, arguments, message):
    with pytest.raises(ValueError, match=message):
        rf.tune(model(), folds, **{"space": GRID, "n_trials": 1, **arguments})


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        ("mart", r"estimator must be one of rankforest's, such as .*, got a str"),
        (rf.MART(random_state=None), "estimator.random_state must be an integer"),
        (rf.MART(warm_start=True), "estimator.warm_start must be False"),
        (rf.MART(early_stopping_set="test"), "estimator.early_stopping_set must be None or 'valid'"),
        (rf.MART(learning_rate=7), r"learning_rate must be in \(0, 1\], got 7"),
        (rf.MART(metric="ngcd@3"), "ngcd"),
    ],
)  # fmt: skip
def test_an_unusable_estimator_is_named(folds, estimator, message):
    with pytest.raises(ValueError, match=message):
        rf.tune(estimator, folds, {"learning_rate": [0.1]}, n_trials=1)


def test_unusable_arguments_are_named_together(folds):
    with pytest.raises(ValueError, match="tune: 3 arguments are unusable") as caught:
        rf.tune(rf.MART(warm_start=True), folds, {"lerning_rate": [1]}, seeds=0)
    assert "did you mean 'learning_rate'?" in str(caught.value)


def test_unusable_data_is_named(folds):
    (train, valid, _), other = folds
    ungraded = rf.Dataset(train.X, qid=train.qid)
    cases = {
        "data must be a Dataset, .*; got an int": 5,
        "got an empty list": [],
        r"data must be \(train, valid\) or \(train, valid, test\), got 1 parts": (train,),
        "the valid part of fold 2 of data must be a Dataset, got an int": [other, (train, 3)],
        "every fold of data must have a test part, or none; fold 2 has one, and 1 of 2": [
            (train, valid), other,
        ],
        "fold 1 of data must be .*, got an int": [5, other],
        "the train part of data must have grades": (ungraded, valid),
        "data must have grades": ungraded,
    }  # fmt: skip
    for message, data in cases.items():
        with pytest.raises((ValueError, TypeError), match=message):
            rf.tune(model(), data, GRID, n_trials=1)
    with pytest.raises(ValueError, match="holdout must have grades"):
        rf.tune(model(), folds, GRID, n_trials=1, holdout=ungraded, patience=1)


def test_an_error_of_a_trial_says_with_which_parameters(folds):
    with pytest.raises(ValueError, match=r"trial 0 with max_features=99: max_features is 99"):
        rf.tune(model(), folds, {"max_features": [99]}, n_trials=1)


def test_a_validation_part_that_measures_nothing_is_named(folds):
    train, valid, _ = folds[0]
    empty = rf.Dataset(valid.X, np.zeros(valid.n_documents), qid=valid.qid)
    with pytest.raises(ValueError, match="ndcg@3 of the validation part of fold 2 is NaN"):
        rf.tune(model(), [(train, valid), (train, empty)], GRID, n_trials=1)


def test_weights_of_trees_need_a_validation_part(folds):
    forest = rf.RandomForest(n_estimators=3, tree_weights="expected_ndcg", n_jobs=1)
    with pytest.raises(ValueError, match="use refit=False, or give folds"):
        rf.tune(forest, folds[0][0], n_trials=1)
    assert rf.tune(forest, folds[0][0], folds=2, n_trials=1, refit=False).n_trials_ == 1


def test_a_bag_of_any_model_cannot_be_written_for_ltr_train():
    bag = rf.Bagging(rf.MART(n_estimators=2), n_bags=2)
    with pytest.raises(ValueError, match=r"ltr-train has no option for the member of a Bagging"):
        as_toml(bag)
    bag = rf.BaggedLambdaMART(n_bags=2)
    assert as_toml(bag).splitlines()[0] == 'algorithm = "bagged_lambdamart"'
