"""`ltr-eval --compare` says what `rankforest.compare` says, of models and of scores."""

import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
import scipy.stats
from cli_cases import call, write_files

import rankforest as rf


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    train = rf.read_letor(folder / "train.txt")
    test = rf.read_letor(folder / "test.txt")
    models = {
        "a": rf.MART(n_estimators=20),
        "b": rf.RandomForest(n_estimators=5),
        "c": rf.MART(n_estimators=1, max_depth=1),
    }
    for name, model in models.items():
        model.fit(train).save(folder / f"{name}.rf")
        scores = model.predict(test).tolist()
        (folder / f"{name}.scores").write_text("".join(f"{score!r}\n" for score in scores))
    rf.load(folder / "a.rf").save_json(folder / "a.json")
    return folder


@pytest.fixture(scope="module")
def data(files):
    return rf.read_letor(files / "test.txt")


@pytest.fixture(scope="module")
def scores(files):
    return {name: np.loadtxt(files / f"{name}.scores") for name in "abc"}


@pytest.fixture
def found(data, scores):
    """Compare the three score files in Python."""
    return partial(rf.compare, data, scores)


def compared(capsys, files, *arguments):
    ended = call(capsys, "ltr-eval", "--compare", "--data", files / "test.txt", *arguments)
    assert (ended.status, ended.err) == (0, "")
    return ended.out


def refused(capsys, files, *arguments):
    ended = call(capsys, "ltr-eval", "--data", files / "test.txt", *arguments)
    assert (ended.status, ended.out) == (2, "")
    return ended.err.splitlines()


def named(files, *names):
    return [f"{name.partition('.')[0]}={files / name}" for name in names]


def test_text_is_the_table_of_python(capsys, files, data, scores):
    out = compared(capsys, files, *named(files, "a.scores", "b.scores"), "--metric", "ndcg@10")
    two = {name: scores[name] for name in "ab"}
    assert out == f"{rf.compare(data, two, 'ndcg@10')}\n"


def test_p_values_are_those_of_scipy_on_the_values_that_per_query_shows(capsys, files):
    paths = [files / "a.scores", files / "c.scores"]
    out = compared(capsys, files, *paths, "--metric", "ndcg@10", "--format", "json")
    (pair,) = json.loads(out)["metrics"][0]["pairs"]
    shown = call(
        capsys, "ltr-eval", "--data", files / "test.txt", *paths, "--metric", "ndcg@10",
        "--per-query", "--format", "csv",
    ).out  # fmt: skip
    values = {str(path): [] for path in paths}
    for row in csv.DictReader(io.StringIO(shown)):
        values[row["system"]].append(float(row["value"] or "nan"))
    a, b = np.array(list(values.values()))
    a, b = a[~np.isnan(a)], b[~np.isnan(b)]
    assert pair["t"]["p_value"] == pytest.approx(scipy.stats.ttest_rel(a, b).pvalue, rel=1e-9)
    assert pair["wilcoxon"]["p_value"] == pytest.approx(
        scipy.stats.wilcoxon(a - b).pvalue, rel=1e-12
    )
    expected = scipy.stats.permutation_test(
        (a, b), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=20_000,
    ).pvalue  # fmt: skip
    assert pair["randomisation"]["p_value"] == pytest.approx(expected, abs=0.02)


def test_models_are_told_from_scores_by_their_content(capsys, files):
    by_scores = compared(capsys, files, *named(files, "a.scores", "b.scores", "c.scores"))
    assert compared(capsys, files, *named(files, "a.rf", "b.scores", "c.rf")) == by_scores
    assert compared(capsys, files, *named(files, "a.json", "b.rf", "c.scores")) == by_scores


def test_options_name_systems_as_arguments_do(capsys, files):
    a, b = named(files, "a.rf", "b.scores")
    assert compared(capsys, files, "--model", a, "--scores", b) == compared(capsys, files, a, b)


def test_a_system_without_a_name_is_called_by_its_path(capsys, files):
    out = compared(capsys, files, files / "a.rf", files / "b.rf", "--format", "json")
    assert json.loads(out)["systems"] == [str(files / "a.rf"), str(files / "b.rf")]


def test_a_path_with_an_equals_sign_is_a_path(capsys, files, tmp_path):
    path = tmp_path / "a=b.scores"
    path.write_text((files / "a.scores").read_text())
    out = compared(capsys, files, path, f"x={path}", "--format", "json")
    assert json.loads(out)["systems"] == [str(path), "x"]


def test_every_option_reaches_python(capsys, files, data, scores):
    out = compared(
        capsys, files, *named(files, "a.scores", "b.scores", "c.scores"), "--baseline", "c",
        "--n-permutations", 300, "--n-resamples", 200, "--confidence-level", 0.9,
        "--random-state", 5, "--metric", "ndcg@3", "--metric", "map", "--format", "json",
    )  # fmt: skip
    expected = rf.compare(
        data, scores, ["ndcg@3", "map"], baseline="c", n_permutations=300, n_resamples=200,
        confidence_level=0.9, random_state=5,
    )  # fmt: skip
    assert out == f"{expected.to_json()}\n"


def test_ties_by_document_are_those_of_a_report(capsys, files):
    systems = named(files, "b.scores", "c.scores")  # c has many equal scores
    asked = ("--metric", "ndcg@5(preset=trec_eval)", "--format", "json")
    found = json.loads(compared(capsys, files, *systems, *asked))["metrics"][0]["means"]
    ended = call(capsys, "ltr-eval", "--data", files / "test.txt", *systems, *asked)
    for name, values in json.loads(ended.out)["metrics"].items():
        assert found[name] == pytest.approx(values["ndcg@5(preset=trec_eval)"], rel=1e-13)


def test_qrels_are_written_beside_a_comparison(capsys, files, data, tmp_path):
    systems = named(files, "a.scores", "b.scores")
    compared(capsys, files, *systems, "--write-qrels", tmp_path / "qrels", "--n-permutations", 9)
    assert len((tmp_path / "qrels").read_text().splitlines()) == data.n_documents


def test_a_drawn_seed_is_shown(capsys, files):
    systems = named(files, "a.scores", "b.scores")
    out = compared(capsys, files, *systems, "--random-state", "none", "--format", "json")
    seed = json.loads(out)["random_state"]
    assert compared(capsys, files, *systems, "--random-state", seed, "--format", "json") == out


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
@pytest.mark.parametrize("marks", ["triangles", "star", "tests", "letters", "none"])
def test_tables_have_the_chosen_marks(capsys, files, found, form, marks):
    out = compared(
        capsys, files, *named(files, "a.scores", "b.scores", "c.scores"), "--baseline", "c",
        "--marks", marks, "--test", "t", "--format", form, "--n-permutations", 50, "--n-resamples", 50,
    )  # fmt: skip
    expected = found("ndcg@10", baseline="c", n_permutations=50, n_resamples=50)
    assert out == getattr(expected, f"to_{form}")(marks=marks, test="t") + "\n"


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_tables_for_programs_have_a_row_for_each_metric_and_pair(
    capsys, files, found, form, delimiter
):
    out = compared(
        capsys, files, *named(files, "a.scores", "b.scores", "c.scores"), "--metric", "map",
        "--metric", "err", "--format", form,
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(out), delimiter=delimiter))
    expected = found(["map", "err"]).to_records()
    assert rows == [{key: str(value) for key, value in row.items()} for row in expected]


def test_a_terminal_shows_the_same_tables(files):
    leader, follower = pty.openpty()
    command = [
        sys.executable, "-c", "import sys; from rankforest.cli.evaluate import main; sys.exit(main())",
        "--compare", "--data", files / "test.txt", *named(files, "a.scores", "b.scores"),
        "--n-permutations", "100",
    ]  # fmt: skip
    environment = os.environ | {"COLUMNS": "160", "TERM": "xterm"}
    with subprocess.Popen(command, stdout=follower, env=environment) as process:
        os.close(follower)
        shown = b""
        try:
            while piece := os.read(leader, 4096):
                shown += piece
        except OSError:  # how the end of a terminal looks on Linux
            pass
    os.close(leader)
    assert process.returncode == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", shown.decode())
    assert "\x1b[1m" in shown.decode()
    for words in ("system", "a - b", "W/T/L", "two-sided p-values", "queries count"):
        assert words in text


class TestUnusableArguments:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--compare", "a=a.rf"], "--compare needs at least two systems, got 1"),
            (["--compare"], "a FILE, --model or --scores must say what to evaluate"),
            (["a=a.rf", "--baseline", "a"], "--baseline needs --compare"),
            (["a=a.rf", "--n-permutations", "9"], "--n-permutations needs --compare"),
            (["a=a.rf", "--marks", "none"], "--marks needs --compare"),
            (
                ["--compare", "a=a.rf", "b=b.rf", "--baseline", "c"],
                "--baseline must be one of a, b; got c",
            ),
            (["--compare", "a=a.rf", "b=b.rf", "--marks", "star"], "--marks star needs --baseline"),
            (
                ["--compare", "a=a.rf", "b=b.rf", "--per-query"],
                "--per-query shows single queries, --compare all together: give only one",
            ),
            (
                ["--compare", "a=a.rf", "a=b.rf"],
                "two systems are called a: a.rf and b.rf; NAME=FILE names one",
            ),
            (
                ["--compare", "a=a.rf", "b=b.rf", "--write-run", "r"],
                "--write-run writes the ranking of one system, got 2",
            ),
            (["a.rf", "--model", "a.rf"], "two systems are called a.rf"),
            (["--compare", "a.rf", "b=none.rf"], "FILES: File 'none.rf' does not exist"),
            (["--scores", "=a.scores"], "--scores: a name must be printable text, got ''"),
            (
                ["--compare", "a=a.rf", "b=b.rf", "--confidence-level", "95"],
                "--confidence-level: must be in (0, 1), got '95'",
            ),
            (
                ["--compare", "a=a.rf", "b=b.rf", "--n-resamples", "0"],
                "--n-resamples: must be an integer >= 1, got '0'",
            ),
        ],
    )
    def test_are_named(self, capsys, files, monkeypatch, arguments, message):
        monkeypatch.chdir(files)
        assert any(message in line for line in refused(capsys, files, *arguments))

    def test_are_reported_together(self, capsys, files, monkeypatch):
        monkeypatch.chdir(files)
        lines = refused(
            capsys, files, "--compare", "a.rf", "b=?", "--metric", "x", "--n-resamples", "0"
        )
        assert len(lines) >= 3

    def test_are_scores_of_another_number(self, capsys, files, tmp_path):
        short = tmp_path / "short.scores"
        short.write_text("1\n2\n")
        (line,) = refused(capsys, files, "--compare", short, files / "a.rf")
        assert f"{short} has 2 scores, but there are" in line

    def test_are_scores_that_are_no_numbers(self, capsys, files, tmp_path, data):
        broken = tmp_path / "broken.scores"
        broken.write_text("1\n" * (data.n_documents - 1) + "nan\n")
        (line,) = refused(capsys, files, "--compare", broken, files / "a.rf")
        assert line == f"ltr-eval: {broken}:{data.n_documents}: must be one number, got 'nan'"

    def test_are_data_with_a_single_query_that_counts(self, capsys, files, tmp_path):
        one = tmp_path / "one.txt"
        one.write_text("1 qid:1 1:0.5\n0 qid:1 1:0.25\n0 qid:2 1:1\n")
        for name in ("x", "y"):
            (tmp_path / name).write_text("1\n2\n3\n")
        ended = call(capsys, "ltr-eval", "--compare", "--data", one, tmp_path / "x", tmp_path / "y")
        assert ended.status == 2
        assert ended.err == (
            "ltr-eval: ndcg@10: a comparison needs at least 2 queries that count, got 1 of 2\n"
        )
