"""A search that was killed goes on as if nothing had happened, and never for another purpose."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from textwrap import dedent

import optuna
import pytest
from tuning_cases import GRID, make_folds, model, rows_of

import rankforest as rf

#: A search that kills its process at a moment: (what, how many times it happened before).
PROGRAM = dedent(
    """
    import json, os, signal, sys
    import optuna
    sys.path.insert(0, "FOLDER")
    from tuning_cases import GRID, make_folds, model, rows_of
    import rankforest as rf
    from rankforest.tuning import ledger

    arguments, (what, left) = json.loads(sys.argv[1])

    def count(moment):
        global left
        if moment == what:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def killing(owner, name, moment):
        original = getattr(owner, name)
        def function(*given, **named):
            result = original(*given, **named)
            count(moment)
            return result
        setattr(owner, name, function)

    killing(optuna.storages.RDBStorage, "create_new_study", "study made")
    killing(ledger.Ledger, "begin", "trial began")
    killing(ledger.Trial, "set_user_attr", "outcome noted")
    killing(ledger.Trial, "report", "value reported")
    killing(ledger.Ledger, "finish", "trial finished")
    found = rf.tune(
        model(callbacks=lambda report: count("round")), make_folds(),
        n_jobs=arguments.get("n_parallel", 1), **arguments,
    )
    print(json.dumps(rows_of(found)))
    """
).replace("FOLDER", os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120

#: Moments of kills, each in what is left by the one before.
MOMENTS = [
    ("study made", 0),
    ("trial began", 0),
    ("round", 20),
    ("outcome noted", 3),
    ("value reported", 3),
    ("trial finished", 2),
    ("round", 41),
    ("trial began", 1),
]


def run(arguments, moment):
    """Search in a process of its own that kills itself; return what it says at the end, if it does."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([arguments, moment])],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return json.loads(done.stdout) if done.returncode == 0 else None


def as_json(found):
    return json.loads(json.dumps(rows_of(found)))


@pytest.mark.parametrize(
    ("arguments", "moments"),
    [
        ({"sampler": "tpe", "n_trials": 14}, MOMENTS),
        ({"sampler": "tpe", "n_trials": 15, "n_parallel": 3}, MOMENTS[2::2]),
        ({"sampler": "random", "n_trials": 12, "pruner": "none"}, MOMENTS[1::4]),
        ({"sampler": "grid", "space": GRID, "seeds": 2}, MOMENTS[::4]),
    ],
    ids=["tpe", "tpe side by side", "random", "grid"],
)
def test_a_search_that_is_killed_again_and_again_ends_like_one_that_is_not(
    tmp_path, arguments, moments
):
    kept = {**arguments, "storage": str(tmp_path / "s.db")}
    for moment in moments:
        assert run(kept, moment) is None, f"not killed: {moment}"
    resumed = run(kept, ("never", 0))
    undisturbed = rf.tune(model(), make_folds(), n_jobs=1, **arguments)
    assert resumed == as_json(undisturbed)
    # What the file holds is the same as well, and is plain Optuna's.
    study = optuna.load_study(study_name="rankforest", storage=f"sqlite:///{tmp_path}/s.db")
    assert len(study.trials) == undisturbed.n_trials_
    for kept_trial, trial in zip(study.trials, undisturbed.study_.trials, strict=True):
        assert kept_trial.params == trial.params
        assert kept_trial.state == trial.state
        assert kept_trial.value == trial.value
        assert kept_trial.intermediate_values == trial.intermediate_values


def test_a_kill_from_outside_at_any_time_changes_nothing(tmp_path):
    arguments = {"sampler": "tpe", "n_trials": 14, "verbose": 1}
    kept = {**arguments, "storage": str(tmp_path / "s.db")}
    program = [sys.executable, "-c", PROGRAM, json.dumps([kept, ("never", 0)])]
    for n_lines, seconds in ((1, 0.0), (3, 0.01), (4, 0.05)):
        with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
            for _ in range(n_lines):
                assert process.stdout.readline().startswith("trial ")
            time.sleep(seconds)
            process.kill()
        assert process.returncode == -signal.SIGKILL
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    undisturbed = rf.tune(model(), make_folds(), n_jobs=1, sampler="tpe", n_trials=14)
    assert json.loads(done.stdout.splitlines()[-1]) == as_json(undisturbed)


def test_a_journal_of_optuna_serves_as_well(tmp_path):
    kept = {"sampler": "tpe", "n_trials": 12, "storage": str(tmp_path / "s.log")}
    for moment in (("trial began", 4), ("value reported", 5)):
        assert run(kept, moment) is None
    resumed = run(kept, ("never", 0))
    assert resumed == as_json(rf.tune(model(), make_folds(), n_trials=12, n_jobs=1))


@pytest.fixture(scope="module")
def folds():
    return make_folds()


def search(folds, storage, **changes):
    arguments = {"space": GRID, "sampler": "random", "n_trials": 3, **changes}
    estimator = arguments.pop("estimator", model())
    return rf.tune(estimator, folds, storage=storage, **arguments)


def test_trials_that_are_there_are_not_trained_again(folds, tmp_path):
    first = search(folds, tmp_path / "s.db")
    rounds = []
    estimator = model(callbacks=rounds.append)
    again = search(folds, tmp_path / "s.db", estimator=estimator)
    assert rounds == []
    assert rows_of(again) == rows_of(first)
    more = search(folds, tmp_path / "s.db", estimator=estimator, n_trials=4)
    assert len(rounds) == 2 * 8
    assert rows_of(more)[:3] == rows_of(first)
    assert rows_of(more) == rows_of(search(folds, None, n_trials=4))


def test_an_exception_leaves_a_study_that_goes_on(folds, tmp_path):
    def interrupt(report):
        if report["trial"] == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(folds, tmp_path / "s.db", callbacks=interrupt)
    found = search(folds, tmp_path / "s.db")
    assert rows_of(found) == rows_of(search(folds, None))


def test_threads_and_the_order_of_rows_do_not_matter(folds, tmp_path):
    first = search(folds, tmp_path / "s.db", n_jobs=1)
    turned = [tuple(d.take_rows(range(d.n_documents - 1, -1, -1)) for d in fold) for fold in folds]
    again = search(turned, tmp_path / "s.db", n_jobs=2, n_parallel=1, n_trials=4)
    assert rows_of(again)[:3] == rows_of(first)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"estimator": rf.MART(n_jobs=1)}, "estimator was 'LambdaMART' and is 'MART'"),
        ({"estimator": model(n_estimators=9)}, "n_estimators was 8 and is 9"),
        ({"estimator": model(random_state=4)}, "the estimator's random_state was 0 and is 4"),
        ({"estimator": model(metric="map")}, "metric was 'ndcg@3' and is 'map'"),
        ({"space": {**GRID, "subsample": (0.5, 1.0)}},
         r"space.subsample was \[0.5, 1.0\] and is from 0.5 to 1.0"),
        ({"space": {**GRID, "max_depth": [2]}}, r"space.max_depth was not there and is \[2\]"),
        ({"seeds": 2}, "seeds was 1 and is 2"),
        ({"sampler": "tpe"}, "sampler was 'random' and is 'tpe'"),
        ({"pruner": None}, "pruner was 'MedianOrQuarter' and is 'none'"),
        ({"random_state": 1}, "\n  random_state was 0 and is 1"),
        ({"n_parallel": 2}, "n_parallel was 1 and is 2"),
        ({"data": make_folds(1)}, "data was of 2 folds and is of 1 fold"),
        ({"data": make_folds(with_test=False)}, "fold 1 of data had 3 data sets and has 2"),
        ({"data": make_folds(seed=1)}, "data, train of fold 1, ha"),
        ({"holdout": make_folds(1)[0][0], "patience": 1},
         "holdout was of no data set and is of 1 fold"),
    ],
)  # fmt: skip
def test_a_study_of_something_else_is_an_error_that_names_the_difference(
    folds, tmp_path, changes, message
):
    search(folds, tmp_path / "s.db", n_trials=1)
    changes = dict(changes)
    data = changes.pop("data", folds)
    with pytest.raises(ValueError, match="was made for something else") as caught:
        search(data, tmp_path / "s.db", **changes)
    assert re.search(message, str(caught.value)), caught.value


def test_one_value_of_a_feature_makes_other_data(folds, tmp_path):
    train, valid, test = folds[0]
    search([(train, valid, test)], tmp_path / "s.db", n_trials=1)
    values = train.X.copy()
    values[5, 2] += 1.0
    changed = rf.Dataset(values, train.y, qid=train.qid)
    with pytest.raises(ValueError, match="has as many documents as before, but they are others"):
        search([(changed, valid, test)], tmp_path / "s.db", n_trials=1)


def test_studies_share_a_file_by_name(folds, tmp_path):
    a = search(folds, tmp_path / "s.db", study_name="a", n_trials=1)
    b = search(folds, tmp_path / "s.db", study_name="b", n_trials=1, random_state=1)
    assert a.best_params_ != b.best_params_


def test_a_study_of_somebody_else_is_refused(folds, tmp_path):
    url = f"sqlite:///{tmp_path}/s.db"
    optuna.create_study(storage=url, study_name="theirs").add_trial(
        optuna.trial.create_trial(value=1.0)
    )
    with pytest.raises(ValueError, match=r"is not one of rankforest\.tune"):
        search(folds, url, study_name="theirs")


def test_a_file_that_is_no_study_is_refused(folds, tmp_path):
    (tmp_path / "train.txt").write_text("1 qid:1 1:5\n" * 100)
    with pytest.raises(ValueError, match=r"train.txt cannot keep a study: .*not a database"):
        search(folds, tmp_path / "train.txt")
    assert (tmp_path / "train.txt").read_text() == "1 qid:1 1:5\n" * 100


def test_two_searches_at_once_cannot_have_one_file(folds, tmp_path):
    def another(_report):
        with pytest.raises(ValueError, match=r"s.db is in use by another search"):
            search(folds, tmp_path / "s.db")
        return True

    search(folds, tmp_path / "s.db", callbacks=another)
    assert search(folds, tmp_path / "s.db").n_trials_ == 3


def test_any_storage_of_optuna_serves(folds):
    storage = optuna.storages.InMemoryStorage()
    first = search(folds, storage, n_trials=2)
    assert rows_of(search(folds, storage))[:2] == rows_of(first)


def test_nothing_of_optuna_is_printed_or_left_changed(folds, capfd, tmp_path):
    before = optuna.logging.get_verbosity()
    search(folds, tmp_path / "s.db")
    assert capfd.readouterr() == ("", "")
    assert optuna.logging.get_verbosity() == before
