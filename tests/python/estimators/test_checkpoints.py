"""A training that was stopped goes on from its checkpoint to the bits of one that was not."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_cases import call, names_in, write_files
from estimator_cases import make_data

import rankforest as rf
from rankforest.cli import progress
from rankforest.estimators.checkpoint_file import read_checkpoint

FAULTS = Path(__file__).parents[2] / "faults"

BOOSTED = {"n_estimators": 12, "subsample": 0.7, "max_features": 0.7}
LEAVES = {"min_samples_leaf": 2, "max_leaf_nodes": 6}
STOPPING = {"early_stopping_rounds": 5, "overfit_tolerance": 0.02, "overfit_rounds": 3}
FOREST = rf.RandomForest(n_estimators=40)

#: Estimators that save rounds or members on the way.
SAVING = {
    "mart": rf.MART(**BOOSTED),
    "mart that stops": rf.MART(**BOOSTED, **STOPPING),
    "ordinal mart": rf.MART(**BOOSTED, ordinal=True, ordinal_scoring="ols_valid"),
    "mart with costs": rf.MART(**BOOSTED, feature_costs=[1, 2, 3, 4, 5], cost_weight=0.1),
    "mart with means": rf.MART(**BOOSTED, missing="mean"),
    "igbrt": rf.IGBRT(n_estimators=8, forest=FOREST),
    "ordinal igbrt": rf.IGBRT(n_estimators=8, forest=FOREST, ordinal=True),
    "lambdamart": rf.LambdaMART(**BOOSTED, **LEAVES),
    "yetirank": rf.LambdaMART(**BOOSTED, **LEAVES, objective="yetirank"),
    "lambdamart with positions": rf.LambdaMART(**BOOSTED, **LEAVES),
    "lambdamart with positions that stops": rf.LambdaMART(**BOOSTED, **LEAVES, **STOPPING),
    "xe_ndcg": rf.LambdaMART(**BOOSTED, **LEAVES, objective="xe_ndcg"),
    "held out": rf.LambdaMART(**BOOSTED, **LEAVES, validation_fraction=0.3),
    "selgb": rf.SelGB(**BOOSTED, **LEAVES, negative_fraction=0.4, reselect_every=3),
    "dart": rf.DART(**BOOSTED, **LEAVES, **STOPPING, drop_rate=0.4, skip_drop=0.2),
    "xdart": rf.XDART(**BOOSTED, **LEAVES, drop_rate=0.4),
    "xdart that stops": rf.XDART(**BOOSTED, **LEAVES, **STOPPING, drop_rate=0.4),
    "random_forest": rf.RandomForest(n_estimators=40, oob_score=True),
    "weighted forest": rf.RandomForest(n_estimators=40, tree_weights="expected_ndcg"),
    "listwise forest": rf.RandomForest(n_estimators=40, criterion="listwise"),
    "ordinal forest": rf.RandomForest(n_estimators=40, ordinal=True),
    "extra_trees": rf.ExtraTrees(n_estimators=40),
    "bagged_lambdamart": rf.BaggedLambdaMART(n_bags=3, n_estimators=5, **LEAVES),
    "bag of ordinal models": rf.Bagging(rf.MART(n_estimators=4, ordinal=True), n_bags=3),
    "rankboost": rf.RankBoost(n_estimators=14),
    "broof": rf.BROOF(n_estimators=6, max_iter=12, max_features=0.7),
    "absolute broof": rf.BROOF(
        variant="absolute", n_estimators=6, max_iter=12, max_features=0.7, learning_rate=1
    ),
}
#: Those that begin again.
BEGINNING_AGAIN = {
    "adarank": rf.AdaRank(n_estimators=20),
    "coordinate_ascent": rf.CoordinateAscent(n_restarts=2, max_iterations=4),
    "ranksvm": rf.RankSVM(),
}


class StoppedError(Exception):
    """What the tests stop a training with."""


class StopAt:
    """A callback that raises after a round."""

    def __init__(self, round_number):
        self.round_number = round_number

    def __call__(self, report):
        if report["round"] >= self.round_number:
            raise StoppedError


def data_of(name):
    """Return the arguments of fit: documents, of which values are missing where that may be."""
    X, y, qid = make_data(n_queries=20, missing=0.0 if name in BEGINNING_AGAIN else 0.1)
    valid = make_data(n_queries=10, seed=1)
    sets = {} if name == "held out" else {"eval_set": valid}
    if "positions" in name:
        sets["position"] = 1 + np.arange(len(y)) % 7
    return {"X": X, "y": y, "qid": qid, **sets}


def fresh(name, **parameters):
    estimator = rf_clone({**SAVING, **BEGINNING_AGAIN}[name])
    return estimator.set_params(**parameters)


def rf_clone(estimator):
    return type(estimator)(**estimator.get_params(deep=False))


def facts(estimator):
    """Return everything that training made."""
    members = [(m.random_state, m.history, m.best_iteration) for m in estimator.members_] if hasattr(
        estimator, "members_"
    ) else []  # fmt: skip
    return {
        "model": estimator.model_._ensemble.to_bytes(estimator.model_._info),
        "history": json.dumps([estimator.history_, estimator.history_rounds_]),
        "members": json.dumps(members),
        "best": np.asarray(estimator.best_iteration_).tolist(),
        "seed": estimator.random_state_,
        "out of bag": getattr(estimator, "oob_score_", None),
        "effects": repr(getattr(estimator, "position_bias_", None)),
    }


def stopped(name, path, round_number, every=1, **parameters):
    """Train until an exception after a round."""
    estimator = fresh(name, callbacks=StopAt(round_number), **parameters)
    with pytest.raises(StoppedError):
        estimator.fit(**data_of(name), checkpoint=path, checkpoint_every=every)


def rounds_to_stop_at(name):
    """Return two rounds before the end; forests show some 16 trees at a time."""
    if "igbrt" in name:
        return 17, 43
    return (17, 33) if "forest" in name or name == "extra_trees" else (2, 3)


@pytest.mark.parametrize("name", SAVING)
def test_a_training_that_was_stopped_twice_ends_in_the_same_bits(name, tmp_path):
    path = tmp_path / "ck"
    expected = facts(fresh(name).fit(**data_of(name)))
    for round_number in rounds_to_stop_at(name):
        stopped(name, path, round_number, n_jobs=1)
        assert 0 < read_checkpoint(str(path)).state["round"] < round_number
    again = fresh(name, n_jobs=2).fit(**data_of(name), checkpoint=path)
    assert facts(again) == expected
    # What is left at the end gives the same once more.
    assert facts(fresh(name).fit(**data_of(name), checkpoint=path)) == expected


@pytest.mark.parametrize("name", BEGINNING_AGAIN)
def test_linear_rankers_take_a_checkpoint_and_save_none(name, tmp_path):
    expected = facts(fresh(name).fit(**data_of(name)))
    found = fresh(name).fit(**data_of(name), checkpoint=tmp_path / "ck", checkpoint_every=1)
    assert facts(found) == expected
    assert names_in(tmp_path) == []


def test_every_so_many_rounds_are_saved(tmp_path):
    path = tmp_path / "ck"
    seen = []

    def look(report):
        seen.append(read_checkpoint(str(path)).state["round"] if path.exists() else 0)

    fresh("mart", callbacks=look).fit(**data_of("mart"), checkpoint=path, checkpoint_every=4)
    assert seen == [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8]  # of rounds 1 to 12, before each is saved


def test_training_goes_on_from_a_model_and_scores_too(tmp_path):
    path = tmp_path / "ck"
    data = data_of("mart")
    earlier = fresh("mart").fit(**data).model_
    with_model = {**data, "init_model": earlier}
    expected = facts(fresh("lambdamart").fit(**with_model))
    with pytest.raises(StoppedError):
        fresh("lambdamart", callbacks=StopAt(17)).fit(**with_model, checkpoint=path)
    assert facts(fresh("lambdamart").fit(**with_model, checkpoint=path)) == expected
    path.unlink()
    with_scores = {
        **data, "init_score": np.linspace(0, 1, len(data["y"])),
        "eval_init_score": np.linspace(1, 0, len(data["eval_set"][1])),
    }  # fmt: skip
    expected = facts(fresh("mart").fit(**with_scores))
    with pytest.raises(StoppedError):
        fresh("mart", callbacks=StopAt(6)).fit(**with_scores, checkpoint=path, checkpoint_every=2)
    assert facts(fresh("mart").fit(**with_scores, checkpoint=path)) == expected
    path.unlink()


@pytest.mark.parametrize("name", ["mart", "lambdamart with positions"])
def test_a_warm_start_that_was_stopped_goes_on(name, tmp_path):
    path = tmp_path / "ck"
    expected = facts(fresh(name).fit(**data_of(name)))
    estimator = fresh(name, n_estimators=5, warm_start=True).fit(**data_of(name))
    estimator.set_params(n_estimators=12, callbacks=StopAt(9))
    with pytest.raises(StoppedError):
        estimator.fit(**data_of(name), checkpoint=path, checkpoint_every=1)
    estimator.set_params(callbacks=())
    estimator.fit(**data_of(name), checkpoint=path)
    assert facts(estimator) == expected


def test_effects_of_positions_go_on_from_a_model_and_a_checkpoint(tmp_path):
    path, name = tmp_path / "ck", "lambdamart with positions that stops"
    data = data_of(name)
    arguments = {**data, "init_model": fresh("lambdamart with positions").fit(**data).model_}
    expected = facts(fresh(name).fit(**arguments))
    with pytest.raises(StoppedError):
        fresh(name, callbacks=StopAt(15)).fit(**arguments, checkpoint=path, checkpoint_every=1)
    assert read_checkpoint(str(path)).state["round"] == 14
    assert facts(fresh(name).fit(**arguments, checkpoint=path)) == expected


def test_a_seed_that_was_drawn_is_that_of_the_checkpoint(tmp_path):
    path = tmp_path / "ck"
    stopped("mart", path, 6, random_state=None)
    seed = read_checkpoint(str(path)).purpose["parameters"]["random_state"]
    found = fresh("mart", random_state=None).fit(**data_of("mart"), checkpoint=path)
    assert found.random_state_ == seed
    assert facts(found) == facts(fresh("mart", random_state=seed).fit(**data_of("mart")))


class TestRefusals:
    """A checkpoint of another training is refused, with the differences."""

    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "ck"
        stopped("mart", path, 6)
        return path

    def complaint(self, path, name="mart", data=None, **parameters):
        content = path.read_bytes()
        with pytest.raises(ValueError, match="checkpoint") as error:
            fresh(name, **parameters).fit(**(data or data_of(name)), checkpoint=path)
        assert path.read_bytes() == content
        return str(error.value)

    def test_of_parameters(self, path):
        found = self.complaint(path, learning_rate=0.2, max_depth=4)
        assert "learning_rate was 0.1 and is 0.2" in found
        assert "max_depth was 3 and is 4" in found
        assert "n_estimators" not in found

    def test_of_another_number_of_rounds(self, path):
        assert "n_estimators was 12 and is 20" in self.complaint(path, n_estimators=20)

    def test_of_another_seed(self, path):
        assert "random_state was 0 and is 1" in self.complaint(path, random_state=1)

    def test_of_another_algorithm(self, path):
        assert "estimator was 'MART' and is 'LambdaMART'" in self.complaint(path, "lambdamart")

    @pytest.mark.parametrize(
        ("argument", "found"),
        [
            ("X", "training data: features' values changed"),
            ("y", "training data: grades, queries and weights changed"),
        ],
    )
    def test_of_other_data(self, path, argument, found):
        data = data_of("mart")
        data[argument] = data[argument].copy()
        data[argument].flat[3] += 1
        assert found in self.complaint(path, data=data)

    def test_of_more_data(self, path):
        X, y, qid = make_data(n_queries=25)
        found = self.complaint(path, data={**data_of("mart"), "X": X, "y": y, "qid": qid})
        assert "training data: documents was 200 and is 250" in found

    def test_of_other_positions(self, tmp_path):
        path, name = tmp_path / "ck", "lambdamart with positions"
        stopped(name, path, 6)
        data = data_of(name)
        found = self.complaint(path, name, data={**data, "position": data["position"][::-1]})
        assert found.count(" changed") == 1
        assert "training data: positions changed" in found
        found = self.complaint(path, name, position_bias_regularization=0.5)
        assert "position_bias_regularization was 0.0 and is 0.5" in found
        del data["position"]
        found = self.complaint(path, name, data=data)
        assert "position_bias_regularization was 0.0 and is None" in found

    def test_of_other_sets(self, path):
        data = data_of("mart")
        assert "evaluation sets: valid was a set" in self.complaint(
            path, data={**data, "eval_set": None}
        )
        X, y, qid = data["eval_set"]
        found = self.complaint(path, data={**data, "eval_set": (X, 2 - y, qid)})
        assert "evaluation sets: valid: grades, queries and weights changed" in found

    def test_of_another_metric(self, path):
        assert "metric was ['ndcg@10'] and is ['map']" in self.complaint(path, metric="map")

    def test_of_another_version(self, path, monkeypatch):
        monkeypatch.setattr(rf._core, "__version__", "99")
        assert "rankforest was " in self.complaint(path)

    def test_row_order_and_threads_do_not_matter(self, path):
        data = data_of("mart")
        order = np.random.default_rng(5).permutation(len(data["y"]))
        shuffled = {name: data[name][order] for name in ("X", "y", "qid")}
        found = fresh("mart", n_jobs=2).fit(**{**data, **shuffled}, checkpoint=path)
        assert found.model_ == fresh("mart").fit(**data).model_

    @pytest.mark.parametrize("at", [0, 25, 60, 200, -1])
    def test_of_damage(self, path, at):
        content = bytearray(path.read_bytes())
        content[at] ^= 1
        path.write_bytes(content)
        assert str(path) in self.complaint(path)

    @pytest.mark.parametrize("size", [0, 5, 23, 60, 1000])
    def test_of_a_part(self, path, size):
        path.write_bytes(path.read_bytes()[:size])
        assert str(path) in self.complaint(path)

    def test_of_another_kind_of_file(self, tmp_path):
        path = tmp_path / "model.rf"
        fresh("mart").fit(**data_of("mart")).save(path)
        assert "no checkpoint; it is left as it is" in self.complaint(path)

    def test_of_what_is_no_file(self, tmp_path):
        with pytest.raises(ValueError, match="checkpoint must be a file that can be replaced"):
            fresh("mart").fit(**data_of("mart"), checkpoint=tmp_path)

    @pytest.mark.parametrize("every", [0, -1, 1.5, True, "10"])
    def test_of_a_number_of_rounds_that_is_none(self, tmp_path, every):
        with pytest.raises(ValueError, match="checkpoint_every must be a number of rounds"):
            fresh("mart").fit(**data_of("mart"), checkpoint=tmp_path / "ck", checkpoint_every=every)


def test_where_it_cannot_be_written_training_does_not_begin(tmp_path):
    with pytest.raises(OSError, match="missing"):
        fresh("mart", callbacks=StopAt(1)).fit(
            **data_of("mart"), checkpoint=tmp_path / "missing" / "ck"
        )


class TestCtrlC:
    """Ctrl-C leaves the rounds so far."""

    @pytest.mark.parametrize("name", ["mart", "ordinal mart"])
    @pytest.mark.parametrize("at", [1, 7])
    def test_in_the_checkpoint(self, tmp_path, name, at):
        path = tmp_path / "ck"

        def interrupt(report):
            if report["round"] == at:
                os.kill(os.getpid(), signal.SIGINT)

        def work():
            fresh(name, callbacks=interrupt, n_estimators=30).fit(
                **data_of(name), checkpoint=path, checkpoint_every=1000
            )

        with pytest.raises(KeyboardInterrupt):
            work()
        expected = fresh(name, n_estimators=30).fit(**data_of(name))
        if path.exists():
            assert read_checkpoint(str(path)).state["round"] >= at
        found = fresh(name, n_estimators=30).fit(**data_of(name), checkpoint=path)
        assert facts(found) == facts(expected)

    def test_in_the_model_where_it_is_to_be_kept(self):
        def interrupt(report):
            if report["round"] == 5:
                signal.raise_signal(signal.SIGINT)

        before = signal.getsignal(signal.SIGINT)
        with rf.StopOnInterrupt() as stop:
            found = fresh("mart", callbacks=[interrupt, stop]).fit(**data_of("mart"))
        assert signal.getsignal(signal.SIGINT) == before
        assert stop.was_asked
        assert found.model_ == fresh("mart").fit(**data_of("mart")).model_[:5]

    def test_twice_interrupts(self):
        with rf.StopOnInterrupt() as stop:
            signal.raise_signal(signal.SIGINT)
            assert stop.was_asked
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_files(tmp_path_factory.mktemp("letor"))


class TestCommand:
    """`ltr-train --checkpoint`."""

    def arguments(self, files, folder, *others):
        return [
            "--algorithm", "lambdamart", "--train", files / "train.txt", "--valid",
            files / "valid.txt", "--n-estimators", 40, "--min-samples-leaf", 2, "--max-leaf-nodes",
            5, "--model", folder / "m.rf", "--history", folder / "h.csv", "--quiet", *others,
        ]  # fmt: skip

    def test_goes_on_after_kills_to_the_same_files(self, files, tmp_path, capsys):
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
        assert call(capsys, "ltr-train", *self.arguments(files, tmp_path / "a")).status == 0
        folder = tmp_path / "b"
        saving = ["--checkpoint", folder / "ck", "--checkpoint-every", 1]
        program = (
            "import os, signal, sys\n"
            "from rankforest.cli import progress, train\n"
            "seen = progress.TrainingReporter.__call__\n"
            "left = [int(sys.argv.pop(1))]\n"
            "def killing(self, report):\n"
            "    left[0] -= 1\n"
            "    left[0] or os.kill(os.getpid(), signal.SIGKILL)\n"
            "    return seen(self, report)\n"
            "progress.TrainingReporter.__call__ = killing\n"
            "sys.exit(train.main())\n"
        )
        for rounds in (3, 14, 1):
            arguments = map(str, [rounds, *self.arguments(files, folder, *saving)])
            done = subprocess.run([sys.executable, "-c", program, *arguments], check=False)
            assert done.returncode == -signal.SIGKILL
            assert names_in(folder) == ["ck"]
        assert read_checkpoint(str(folder / "ck")).state["round"] == 15
        ended = call(capsys, "ltr-train", *self.arguments(files, folder, *saving, "--no-overwrite"))
        assert (ended.status, ended.err) == (0, "")
        assert names_in(folder) == ["h.csv", "m.rf"]
        for name in names_in(folder):
            assert (folder / name).read_bytes() == (tmp_path / "a" / name).read_bytes()

    def test_keeps_the_rounds_so_far(self, files, tmp_path, capsys, monkeypatch):
        seen = progress.TrainingReporter.__call__

        def interrupting(self, report):
            if report["round"] == 6:
                signal.raise_signal(signal.SIGINT)
            return seen(self, report)

        monkeypatch.setattr(progress.TrainingReporter, "__call__", interrupting)
        others = ["--keep-on-interrupt", "--checkpoint", tmp_path / "ck", "--checkpoint-every", 3]
        ended = call(capsys, "ltr-train", *self.arguments(files, tmp_path, *others))
        assert ended.status == 130
        assert rf.load(tmp_path / "m.rf").n_rounds == 6
        assert names_in(tmp_path) == ["ck", "h.csv", "m.rf"]

    def test_of_another_run_is_refused(self, files, tmp_path, capsys):
        path = tmp_path / "ck"
        estimator = fresh("lambdamart", callbacks=StopAt(4))
        data = rf.read_letor(files / "train.txt")
        with pytest.raises(StoppedError):
            estimator.fit(data, checkpoint=path, checkpoint_every=1)
        ended = call(capsys, "ltr-train", *self.arguments(files, tmp_path, "--checkpoint", path))
        assert ended.status == 2
        assert "is of another training" in ended.err
        assert names_in(tmp_path) == ["ck"]

    def test_needs_a_file(self, files, tmp_path, capsys):
        ended = call(capsys, "ltr-train", *self.arguments(files, tmp_path, "--checkpoint-every", 3))
        assert ended.status == 2
        assert "--checkpoint-every needs --checkpoint" in ended.err


def test_trainings_that_are_killed_at_random_end_in_the_same_bits():
    """`tests/faults/kill_trainings.py` does so hundreds of times."""
    done = subprocess.run(
        [
            sys.executable, "-W", "ignore", FAULTS / "kill_trainings.py", "--kills", "2",
            "--trainer", "lambdamart", "igbrt", "xdart", "ranksvm",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [each["kills"] for each in json.loads(done.stdout).values()] == [2, 2, 2, 2]
