"""`ltr-tune` finds what Python finds, writes what `ltr-train` takes, and may be interrupted."""

import csv
import io
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cli_cases import call, names_in, write_files

import rankforest as rf
from rankforest.cli.parameters import ALGORITHMS

SMALL = ("--n-estimators", 6, "--min-samples-leaf", 3, "--n-jobs", 1)
SPACE = "max-leaf-nodes = [2, 4]\nlearning_rate = { low = 0.05, high = 0.3, log = true }\n"
MAIN = "import sys; from rankforest.cli.tune import main; sys.exit(main())"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    (folder / "space.toml").write_text(SPACE)
    for number, order in (
        (1, "train valid test"),
        (2, "valid test train"),
        (10, "test train valid"),
    ):
        fold = folder / "folds" / f"Fold{number}"
        fold.mkdir(parents=True)
        for name, part in zip(("train", "vali", "test"), order.split(), strict=True):
            shutil.copy(folder / f"{part}.txt", fold / f"{name}.txt")
    return folder


def on(files, *names):
    return [part for name in names for part in (f"--{name}", files / f"{name}.txt")]


def tuned(capsys, files, *arguments):
    return call(
        capsys, "ltr-tune", "--algorithm", "lambdamart", "--space", files / "space.toml",
        "--n-trials", 4, *SMALL, *arguments,
    )  # fmt: skip


def by_python(files, data, **arguments):
    estimator = rf.LambdaMART(n_estimators=6, min_samples_leaf=3, metric=["ndcg@10"], n_jobs=1)
    space = {"max_leaf_nodes": [2, 4], "learning_rate": (0.05, 0.3, "log")}
    return rf.tune(estimator, data, space, **{"n_trials": 4, "n_jobs": 1, **arguments})


def sets_of(files):
    return tuple(rf.read_letor(files / f"{n}.txt") for n in ("train", "valid", "test"))


def test_the_search_is_that_of_python(capsys, files, tmp_path):
    ended = tuned(
        capsys, files, *on(files, "train", "valid", "test"),
        "--out", tmp_path / "b.toml", "--history", tmp_path / "h.csv", "--plot", tmp_path / "p.png",
        "--model", tmp_path / "m.rf",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    found = by_python(files, sets_of(files))
    heading, *rows = csv.reader(io.StringIO((tmp_path / "h.csv").read_text()))
    assert heading == list(found.trials_frame())
    assert [float(row[1]) for row in rows] == [trial.value for trial in found.trials]
    assert (tmp_path / "b.toml").read_text() == found.to_toml()
    assert rf.load(tmp_path / "m.rf") == found.best_estimator_.model_
    assert (tmp_path / "p.png").stat().st_size > 1000
    titles, best, *_ = [re.split(r"  +", line.strip()) for line in ended.out.splitlines()]
    assert titles == ["trial", "validation ndcg@10", "test", "learning_rate", "max_leaf_nodes"]
    assert best[:2] == [str(found.best_trial_.number), f"{found.best_value_:.4f}"]


def test_ltr_train_makes_the_best_model_of_what_is_written(capsys, files, tmp_path):
    given = on(files, "train", "valid")
    tuned(
        capsys, files, *given, "--early-stopping-rounds", 2, "--random-state", 3, "--absent", "nan",
        "--out", tmp_path / "b.toml", "--model", tmp_path / "m.rf",
    )  # fmt: skip
    ended = call(
        capsys, "ltr-train", "--config", tmp_path / "b.toml", *given, "--model", tmp_path / "n.rf"
    )
    assert ended.status == 0, ended.err
    assert (tmp_path / "n.rf").read_bytes() == (tmp_path / "m.rf").read_bytes()
    assert rf.load(tmp_path / "n.rf").parameters["random_state"] == 3


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_has_a_default_space(capsys, files, tmp_path, algorithm):
    forest = ("--forest-n-estimators", 3) if algorithm == "igbrt" else ()
    # X-DART is always trained beside an evaluation set.
    given = on(files, "train", "valid") if algorithm == "xdart" else on(files, "train")
    folds = () if algorithm == "xdart" else ("--n-folds", 2)
    grows = "n_estimators" in ALGORITHMS[algorithm]().get_params()
    ended = call(
        capsys, "ltr-tune", "--algorithm", algorithm, *given, *folds, "--n-trials", 2,
        "--n-estimators" if grows else "--max-iterations", 4, "--n-jobs", 1, *forest, "--out", tmp_path / "b.toml",
        "--model", tmp_path / "m.rf",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    ended = call(
        capsys, "ltr-train", "--config", tmp_path / "b.toml", *given, "--model", tmp_path / "n.rf"
    )
    assert ended.status == 0, ended.err
    assert (tmp_path / "n.rf").read_bytes() == (tmp_path / "m.rf").read_bytes()


def test_a_space_reaches_into_the_forest_of_igbrt(capsys, files, tmp_path):
    for text in ("[forest]\nmax_depth = [2, 'none']\n", "forest-max-depth = [2, 'none']\n"):
        (tmp_path / "s.toml").write_text(text)
        ended = call(
            capsys, "ltr-tune", "--algorithm", "igbrt", *on(files, "train"), "--n-folds", 2,
            "--n-estimators", 2, "--space", tmp_path / "s.toml", "--sampler", "grid",
            "--history", tmp_path / "h.csv", "--n-jobs", 1, "--forest-n-estimators", 2,
        )  # fmt: skip
        assert ended.status == 0, ended.err
        _, *rows = csv.reader(io.StringIO((tmp_path / "h.csv").read_text()))
        assert {row[-1] for row in rows} == {"2", "none"}


def test_folds_are_read_from_their_folders_by_number(capsys, files, tmp_path):
    ended = tuned(capsys, files, "--folds", files / "folds", "--history", tmp_path / "h.csv")
    assert ended.status == 0, ended.err
    assert re.findall(r"^Fold\d+ \w+", ended.err, re.MULTILINE) == [
        f"Fold{n} {part}" for n in (1, 2, 10) for part in ("train", "valid", "test")
    ]
    folds = [
        tuple(rf.read_letor(files / f"folds/Fold{n}/{p}.txt") for p in ("train", "vali", "test"))
        for n in (1, 2, 10)
    ]
    _, *rows = csv.reader(io.StringIO((tmp_path / "h.csv").read_text()))
    assert [float(r[1]) for r in rows] == [t.value for t in by_python(files, folds).trials]


def test_a_held_out_set_ends_the_search(capsys, files):
    ended = tuned(
        capsys, files, *on(files, "train", "valid"), "--holdout", files / "test.txt",
        "--patience", 1, "--n-trials", 30,
    )  # fmt: skip
    train, valid, test = sets_of(files)
    found = by_python(files, (train, valid), holdout=test, patience=1, n_trials=30)
    assert found.n_trials_ < 30
    assert f"best: trial {found.best_trial_.number} of {found.n_trials_}," in ended.err


def test_lines_show_each_trial_and_quiet_shows_nothing(capsys, files, tmp_path):
    ended = tuned(capsys, files, *on(files, "train", "valid"))
    assert (
        len(re.findall(r"^trial \d, \d of 4: ndcg@10 0\.\d+, best", ended.err, re.MULTILINE)) == 4
    )
    ended = tuned(capsys, files, *on(files, "train", "valid"), "--quiet")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_the_same_command_goes_on_with_a_study(capsys, files, tmp_path):
    given = (*on(files, "train", "valid"), "--storage", tmp_path / "s.db")
    tuned(capsys, files, *given)
    ended = tuned(capsys, files, *given, "--n-trials", 6)
    assert re.findall(r"^trial (\d)", ended.err, re.MULTILINE) == ["4", "5"]
    ended = tuned(capsys, files, *given, "--learning-rate", 0.1, "--seeds", 2)
    assert ended.status == 2
    ended = tuned(capsys, files, *given, "--n-estimators", 7, "--n-folds", 3)
    assert ended.status == 2
    ended = tuned(capsys, files, *given, "--n-estimators", 7)
    assert ended.status == 2
    assert ended.err.splitlines()[-1] == "ltr-tune:   --n-estimators was 6 and is 7"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_study_and_says_how_to_go_on(capsys, files, tmp_path, number):
    arguments = [
        "--algorithm", "lambdamart", "--space", files / "space.toml", *SMALL,
        *on(files, "train", "valid"), "--storage", tmp_path / "s.db", "--out", tmp_path / "b.toml",
    ]  # fmt: skip
    command = [sys.executable, "-c", MAIN, *map(str, arguments)]
    with subprocess.Popen(
        [*command, "--n-trials", "100000"], stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:
            if line.startswith("trial 2,"):
                break
        process.send_signal(number)
        complaint = process.stderr.read()
    assert process.returncode == 128 + number
    assert complaint.endswith(
        f"the trials so far are in {tmp_path}/s.db; the same command goes on from there\n"
        "ltr-tune: interrupted\n"
    )
    assert names_in(tmp_path) == ["s.db"]
    done = subprocess.run(
        [*command, "--n-trials", "9"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    n_trials = int(re.search(r"best: trial \d+ of (\d+),", done.stderr)[1])
    assert n_trials >= 9
    found = by_python(files, sets_of(files)[:2], n_trials=n_trials)
    assert (tmp_path / "b.toml").read_text() == found.to_toml()


def test_a_terminal_gets_a_bar(files, tmp_path):
    arguments = [
        "--algorithm", "lambdamart", "--space", files / "space.toml", *SMALL,
        *on(files, "train", "valid"), "--n-trials", 3,
    ]  # fmt: skip
    terminal, end = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-c", MAIN, *map(str, arguments)],
            stderr=end, stdout=subprocess.PIPE, check=True,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "200"},
        )  # fmt: skip
        shown = os.read(terminal, 100_000).decode()
    finally:
        os.close(terminal)
        os.close(end)
    assert "trial 3 of 3" in shown
    assert "━" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--valid", "valid.txt"), "give the data: --train FILE, or --folds DIR"),
        (("--train", "train.txt", "--test", "test.txt"),
         "--test needs --valid: folds of --train are tested on nothing else"),
        (("--train", "train.txt", "--valid", "valid.txt", "--n-folds", "3"),
         "--n-folds splits --train where there is no --valid: leave one out"),
        (("--folds", "folds", "--train", "train.txt"), "--folds has it all: leave --train out"),
        (("--folds", ".", "--space", "space.toml"), "--folds: . must hold folders Fold1, Fold2, ..."),
        (("--train", "train.txt", "--patience", "2"),
         "--holdout and --patience go together: give both, or none"),
        (("--train", "train.txt", "--space", "blmrt"),
         "--space: must be default, blmart, blmart_large or a TOML file, got 'blmrt'"),
        (("--train", "train.txt", "--space", "none.toml"), "--space: File 'none.toml' does not exist."),
        (("--train", "train.txt", "--space", "typo.toml"),
         "space: lambdamart has no parameter 'lerning_rate'; did you mean 'learning_rate'?"),
        (("--train", "train.txt", "--space", "wrong.toml"),
         "--space: learning-rate: must be in (0, 1], got 'fast'"),
        (("--train", "train.txt", "--space", "empty.toml"),
         "space must name at least one parameter, got an empty dict"),
        (("--train", "train.txt", "--space", "space.toml", "--sampler", "grid"),
         "a grid needs choices: space['learning_rate'] is the range from 0.05 to 0.3; give a list"),
        (("--train", "train.txt", "--space", "space.toml", "--learning-rate", "0.1"),
         "--space space.toml searches --learning-rate; leave the option out"),
        (("--train", "train.txt", "--bootstrap"),
         "--bootstrap is a parameter of random_forest, extra_trees, not of lambdamart"),
        (("--train", "train.txt", "--storage", "nowhere/s.db"),
         "--storage: there is no folder for nowhere/s.db"),
        (("--train", "train.txt", "--space", "space.toml", "--out", "space.toml"),
         "--out would overwrite --space: both are space.toml"),
        (("--train", "train.txt", "--validation-fraction", "0.2"),
         "--validation-fraction is for ltr-train: --n-folds splits --train here"),
        (("--train", "train.txt", "--metric", "ngcd"), "--metric: "),
    ],
)  # fmt: skip
def test_what_is_unusable_is_named_and_nothing_is_written(
    capsys, files, monkeypatch, arguments, message
):
    monkeypatch.chdir(files)
    Path("typo.toml").write_text("lerning_rate = [0.1]\n")
    Path("wrong.toml").write_text("learning-rate = [0.1, 'fast']\n")
    Path("empty.toml").write_text("")
    before = names_in(files)
    ended = call(capsys, "ltr-tune", "--algorithm", "lambdamart", *arguments, *SMALL)
    assert ended.status == 2
    assert f"ltr-tune: {message}" in ended.err
    assert ended.out == ""
    assert names_in(files) == before


def test_a_fold_without_a_file_is_named(capsys, files, tmp_path):
    (tmp_path / "Fold1").mkdir()
    (tmp_path / "Fold1" / "train.txt").write_text("1 qid:1 1:1\n")
    ended = tuned(capsys, files, "--folds", tmp_path)
    assert f"--folds: {tmp_path}/Fold1 has no file vali.* or valid.*" in ended.err
    for name in ("vali.txt", "valid.txt"):
        (tmp_path / "Fold1" / name).write_text("1 qid:1 1:1\n")
    ended = tuned(capsys, files, "--folds", tmp_path)
    assert "are both for valid; keep one of them" in ended.err


def test_without_optuna_the_error_says_what_to_install(capsys, files, monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    ended = tuned(capsys, files, *on(files, "train", "valid"))
    assert ended.status == 2
    assert "pip install 'rankforest[tune]'" in ended.err
    with pytest.raises(ImportError, match=r"pip install 'rankforest\[tune\]'"):
        rf.tune(rf.MART(), sets_of(files)[0])


def test_without_matplotlib_a_plot_is_refused_before_the_search(
    capsys, files, monkeypatch, tmp_path
):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    ended = tuned(capsys, files, *on(files, "train", "valid"), "--plot", tmp_path / "p.png")
    assert ended.status == 2
    assert "a plot needs matplotlib" in ended.err
    assert "trial" not in ended.err


def test_a_warning_that_every_trial_gives_is_shown_once(capsys, files):
    train = files / "train.txt"
    ended = tuned(capsys, files, "--train", train, "--valid", train, "--early-stopping-rounds", 2)
    assert ended.status == 0
    assert ended.err.count("early stopping goes by 'valid', which is the training data") == 1


def test_values_in_the_history_are_numbers(capsys, files, tmp_path):
    tuned(capsys, files, *on(files, "train"), "--n-folds", 2, "--history", tmp_path / "h.csv")
    heading, *rows = csv.reader(io.StringIO((tmp_path / "h.csv").read_text()))
    assert {row[heading.index("test")] for row in rows} == {""}
    spread = np.array([float(row[heading.index("spread")]) for row in rows])
    assert (spread >= 0).all()
