"""`ltr-convert` writes and checks models of other systems, and reads theirs."""

import json

import numpy as np
import pytest
from cli_cases import call, names_in, write_files
from exchange_texts import QUICKRANK

import rankforest as rf
from rankforest.cli.convert_exchange import EXCHANGE_FORMS
from rankforest.exchange.formats import FORMATS
from rankforest.exchange.linear import LINEAR_FORMATS

NAMES = [f"feature {i}" for i in range(6)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    model = rf.MART(n_estimators=5).fit(rf.read_letor(folder / "train.txt")).model_
    model.save(folder / "m.rf")
    (folder / "names.txt").write_text("\n".join(NAMES) + "\n\n")
    return folder


def convert(capsys, files, to, *arguments):
    return call(capsys, "ltr-convert", "--model", files / "m.rf", "--to", to, *arguments)


def test_the_command_knows_all_formats():
    assert (*FORMATS, *LINEAR_FORMATS) == EXCHANGE_FORMS


@pytest.mark.parametrize("form", LINEAR_FORMATS)
def test_each_format_of_weights_is_what_python_writes(capsys, files, tmp_path, form):
    linear = rf.CoordinateAscent(n_restarts=1).fit(rf.read_letor(files / "train.txt")).model_
    linear.save(tmp_path / "m.rf")
    ended = convert(
        capsys, tmp_path, form, "--feature-names", files / "names.txt", "--verify",
        files / "test.txt", "--output", tmp_path / "m",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    assert "differ by at most" in ended.err
    linear.export(tmp_path / "n", form, feature_names=NAMES)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
    ended = convert(capsys, files, form, "--output", tmp_path / "trees")
    assert ended.status == 2
    assert f"{form}: the model has trees" in ended.err


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_is_what_python_writes(capsys, files, tmp_path, form):
    if form in {"onnx", "treelite"}:
        pytest.importorskip(form)
    ended = convert(
        capsys, files, form, "--feature-names", files / "names.txt", "--verify",
        files / "test.txt", "--output", tmp_path / "m",
    )  # fmt: skip
    assert ended.status == 0
    assert "scores of" in ended.err
    assert "differ by at most" in ended.err
    model = rf.load(files / "m.rf")
    model.export(tmp_path / "again", form, feature_names=NAMES)
    if form != "treelite":  # whose checkpoints are not the same twice
        assert (tmp_path / "m").read_bytes() == (tmp_path / "again").read_bytes()


def test_text_goes_to_stdout_and_notes_to_stderr(capsys, files):
    ended = convert(capsys, files, "ranklib")
    assert ended.status == 0
    assert ended.out.startswith("## LambdaMART\n")
    assert "a missing value has to be given as 0" in ended.err
    ended = convert(
        capsys, files, "solr", "--feature-names", files / "names.txt", "--name", "n", "--store", "s"
    )
    assert (json.loads(ended.out)["name"], json.loads(ended.out)["store"]) == ("n", "s")


def test_a_constant_that_was_added_is_named(capsys, files):
    names = files / "names.txt"
    ended = convert(
        capsys, files, "elasticsearch-xgboost", "--feature-names", names, "--feature-set", names,
        "--non-negative", "--verify", files / "test.txt",
    )  # fmt: skip
    assert ended.status == 0
    shift = (
        rf.load(files / "m.rf")
        .export(files / "e", "elasticsearch-xgboost", feature_names=NAMES, non_negative=True)
        .shift
    )
    assert (f"{shift!r} is added to every score" in ended.err) == (shift > 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "onnx"], "--output: --to onnx is not text, and not for stdout; name a file"),
        (["--to", "json", "--verify", "{data}"], "--verify: is for --to lightgbm, "),
        (["--to", "json", "--non-negative"], "--non-negative: is for --to lightgbm, "),
        (["--to", "solr"], "solr knows features by name, and the model has no names"),
    ],
)
def test_what_does_not_go_together_is_refused(capsys, files, arguments, message):
    given = [str(files / "test.txt") if a == "{data}" else a for a in arguments]
    ended = call(capsys, "ltr-convert", "--model", files / "m.rf", *given)
    assert ended.status == 2
    assert message in ended.err


def test_a_failed_check_leaves_no_file(capsys, files, tmp_path, monkeypatch):
    monkeypatch.setitem(
        FORMATS,
        "quickrank",
        type(FORMATS["quickrank"])(
            **{**vars(FORMATS["quickrank"]), "score": lambda _c, X, _n: np.zeros(len(X))}
        ),
    )
    ended = convert(
        capsys, files, "quickrank", "--verify", files / "test.txt", "--output", tmp_path / "m"
    )
    assert ended.status != 0
    assert "the written model does not score as this one: document 0 gets" in ended.err
    assert names_in(tmp_path) == []


def test_another_systems_model_becomes_ours(capsys, tmp_path):
    (tmp_path / "q.xml").write_text(QUICKRANK)
    ended = call(
        capsys, "ltr-convert", "--model", tmp_path / "q.xml", "--to", "rankforest",
        "--n-features", 4, "--output", tmp_path / "m.rf",
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    assert rf.load(tmp_path / "m.rf").n_features == 4
    (tmp_path / "d.txt").write_text("0 qid:1 2:0.5\n1 qid:1 2:0.6\n")
    ended = call(capsys, "ltr-score", "--model", tmp_path / "q.xml", "--data", tmp_path / "d.txt")
    assert (ended.status, ended.out.split()) == (0, ["-0.5", "0.75"])
