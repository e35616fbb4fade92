"""`ltr-train` trains what Python trains, says what it does, and leaves whole files or none."""

import csv
import io
import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from cli_cases import call, names_in, write_files

import rankforest as rf
from rankforest.cli.parameters import ALGORITHMS

SMALL = ("--n-estimators", 5, "--max-leaf-nodes", 4, "--n-jobs", 1)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_files(tmp_path_factory.mktemp("letor"))


@pytest.fixture
def model(tmp_path):
    return tmp_path / "m.rf"


def on(files, *names):
    return [part for name in names for part in (f"--{name}", files / f"{name}.txt")]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_model_is_the_one_that_python_trains(capsys, files, model, algorithm):
    forest = ("--forest-n-estimators", 3) if algorithm == "igbrt" else ()
    usual = ALGORITHMS[algorithm]().get_params()
    small = {"n_estimators": 5, "max_leaf_nodes": 4, "max_iterations": 5, "max_iter": 5}
    given = {name: value for name, value in small.items() if name in usual}
    options = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    ended = call(
        capsys, "ltr-train", "--algorithm", algorithm, *on(files, "train", "valid", "test"),
        "--model", model, *options, *forest, "--random-state", 7, "--n-jobs", 1,
    )  # fmt: skip
    assert ended.status == 0
    if forest:
        given["forest"] = rf.RandomForest(n_estimators=3)
    expected = ALGORITHMS[algorithm](random_state=7, n_jobs=1, **given)
    # X-DART decides by an evaluation set; without early stopping others only record theirs.
    expected.fit(rf.read_letor(files / "train.txt"), eval_set=rf.read_letor(files / "valid.txt"))
    assert rf.load(model) == expected.model_


def test_the_table_at_the_end_has_the_metrics_of_every_set(capsys, files, model):
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", *on(files, "train", "valid", "test"),
        "--model", model, *SMALL, "--metric", "ndcg@3", "--metric", "map(empty=0)",
    )  # fmt: skip
    heading, *rows = [line.split() for line in ended.out.splitlines()]
    assert heading == ["metric", "train", "valid", "test"]
    assert [row[0] for row in rows] == ["ndcg@3", "map(empty=0)"]
    trained = rf.load(model)
    for column, name in enumerate(heading[1:], start=1):
        data = rf.read_letor(files / f"{name}.txt")
        values = rf.evaluate(data, trained, [row[0] for row in rows])
        assert [row[column] for row in rows] == [f"{value:.4f}" for value in values.values()]


def test_the_data_and_each_report_are_lines_on_stderr(capsys, files, model):
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", *on(files, "train", "valid"),
        "--model", model, *SMALL,
    )  # fmt: skip
    lines = ended.err.splitlines()
    data = rf.read_letor(files / "valid.txt")
    assert lines[2].split()[:4] == ["valid", "15", str(data.n_documents), "6"]
    assert [line.partition(":")[0] for line in lines[3:8]] == [
        f"round {i} of 5" for i in range(1, 6)
    ]
    assert lines[8] == f"wrote {model}: 5 of 5 rounds, random state 0"


def test_a_long_run_reports_about_twenty_times(capsys, files, model):
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", *on(files, "train"),
        "--model", model, "--n-estimators", 205, "--max-depth", 1,
    )  # fmt: skip
    reports = [line for line in ended.err.splitlines() if line.startswith("round")]
    assert 20 <= len(reports) <= 22
    assert reports[-1] == "round 205 of 205"


def test_quiet_says_nothing(capsys, files, model):
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", *on(files, "train", "valid"),
        "--model", model, *SMALL, "--quiet",
    )  # fmt: skip
    assert (ended.status, ended.out, ended.err) == (0, "", "")
    assert model.exists()


def test_the_history_has_every_round_to_the_last_bit(capsys, files, model, tmp_path):
    history = tmp_path / "h.csv"
    call(
        capsys, "ltr-train", "--algorithm", "lambdamart", *on(files, "train", "valid"),
        "--model", model, *SMALL, "--metric", "ndcg@3", "--metric", "map", "--history", history,
    )  # fmt: skip
    heading, *rows = csv.reader(io.StringIO(history.read_text()))
    assert heading == ["round", "valid ndcg@3", "valid map"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    valid = rf.read_letor(files / "valid.txt")
    trained = rf.load(model)
    for row in rows:
        values = rf.evaluate(valid, trained[: int(row[0])], ["ndcg@3", "map"])
        assert [float(cell) for cell in row[1:]] == list(values.values())


def test_early_stopping_follows_the_first_metric(capsys, files, model, tmp_path):
    history = tmp_path / "h.csv"
    call(
        capsys, "ltr-train", "--algorithm", "mart", *on(files, "train", "valid"),
        "--model", model, "--n-estimators", 200, "--early-stopping-rounds", 3, "--metric", "rmse",
        "--history", history,
    )  # fmt: skip
    _, *rows = csv.reader(io.StringIO(history.read_text()))
    values = [float(row[1]) for row in rows]
    assert len(values) < 200
    assert rf.load(model).n_rounds == 1 + int(np.argmin(values)) == len(values) - 3


def test_queries_of_the_training_data_can_be_held_out(capsys, files, model, tmp_path):
    history = tmp_path / "h.csv"
    call(
        capsys, "ltr-train", "--algorithm", "mart", *on(files, "train"), "--model", model,
        "--n-estimators", 200, "--early-stopping-rounds", 3, "--metric", "rmse",
        "--validation-fraction", 0.4, "--history", history,
    )  # fmt: skip
    heading, *rows = csv.reader(io.StringIO(history.read_text()))
    assert heading == ["round", "validation rmse"]
    kept, held_out = rf.read_letor(files / "train.txt").train_test_split(0.4)
    by_hand = rf.MART(n_estimators=200, early_stopping_rounds=3, metric="rmse")
    by_hand.fit(kept, eval_set=held_out)
    np.testing.assert_array_equal(rf.load(model).predict(held_out), by_hand.predict(held_out))
    assert [float(row[1]) for row in rows] == by_hand.history_["valid"]["rmse"]


def test_several_files_are_one_data_set(capsys, files, model, tmp_path):
    lines = (files / "train.txt").read_text().splitlines(keepends=True)
    (tmp_path / "a.txt").write_text("".join(lines[:50]))
    (tmp_path / "b.txt").write_text("".join(lines[50:]))
    call(
        capsys, "ltr-train", "--algorithm", "mart", "--train", tmp_path / "a.txt",
        "--train", tmp_path / "b.txt", "--model", model, *SMALL,
    )  # fmt: skip
    whole = rf.MART(n_estimators=5, max_leaf_nodes=4).fit(rf.read_letor(files / "train.txt"))
    assert rf.load(model) == whole.model_


def test_a_config_file_gives_the_same_model_as_the_command_line(capsys, files, tmp_path):
    config = tmp_path / "run.toml"
    config.write_text(
        f"""algorithm = "igbrt"
        train = "{files / "train.txt"}"
        model = "{tmp_path / "by_config.rf"}"
        n-estimators = 5
        [forest]
        n_estimators = 3
        max_features = "sqrt"
        """
    )
    assert call(capsys, "ltr-train", "--config", config).status == 0
    call(
        capsys, "ltr-train", "--algorithm", "igbrt", *on(files, "train"), "--n-estimators", 5,
        "--forest-n-estimators", 3, "--forest-max-features", "sqrt",
        "--model", tmp_path / "by_options.rf",
    )  # fmt: skip
    assert (tmp_path / "by_config.rf").read_bytes() == (tmp_path / "by_options.rf").read_bytes()


def test_auto_decides_the_index_base_by_all_files_together(capsys, tmp_path, model):
    (tmp_path / "train.txt").write_text("1 qid:1 1:5\n0 qid:1 1:3\n")
    (tmp_path / "valid.txt").write_text("1 qid:1 0:7 1:5\n0 qid:1 1:3\n")
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", *on(tmp_path, "train", "valid"),
        "--model", model, "--zero-based", "auto", "--n-estimators", 1,
    )  # fmt: skip
    assert ended.status == 0
    assert rf.load(model).zero_based
    assert rf.load(model).n_features == 2
    assert "index 0 occurs, so the first feature has index 0" in ended.err


def test_a_drawn_random_state_is_reported_and_gives_the_model_again(capsys, files, model):
    arguments = ("--algorithm", "random_forest", *on(files, "train"), "--model", model, *SMALL)
    ended = call(capsys, "ltr-train", *arguments, "--random-state", "none")
    drawn = ended.err.split()[-1]
    first = model.read_bytes()
    call(capsys, "ltr-train", *arguments, "--random-state", drawn)
    assert model.read_bytes() == first


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_file(files, tmp_path, number):
    program = "import sys; from rankforest.cli.train import main; sys.exit(main())"
    arguments = [
        "--algorithm", "mart", *on(files, "train", "valid"), "--n-estimators", 10**6,
        "--model", tmp_path / "m.rf", "--history", tmp_path / "h.csv", "--n-jobs", 1,
    ]  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:
            if line.startswith("data"):  # the arguments are checked and the files read
                break
        time.sleep(0.2)
        process.send_signal(number)
        complaint = process.stderr.read()
    assert process.returncode == 128 + number
    assert complaint.endswith("ltr-train: interrupted\n")
    assert "Traceback" not in complaint
    assert names_in(tmp_path) == []


def test_a_terminal_gets_a_bar(files, tmp_path):
    program = "import sys; from rankforest.cli.train import main; sys.exit(main())"
    arguments = ["--algorithm", "mart", *on(files, "train", "valid"), "--model", tmp_path / "m.rf"]
    terminal, end = pty.openpty()
    try:
        process = subprocess.run(
            [sys.executable, "-c", program, *map(str, (*arguments, *SMALL))],
            stderr=end, stdout=subprocess.PIPE, check=True,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "200"},
        )  # fmt: skip
        shown = os.read(terminal, 100_000).decode()
    finally:
        os.close(terminal)
        os.close(end)
    assert "round 5 of 5" in shown
    assert "━" in shown
    assert b"metric" in process.stdout
