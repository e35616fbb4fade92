"""`ltr-train --missing` and what the other commands make of its models."""

import numpy as np
import pytest
from cli_cases import call

import rankforest as rf

SMALL = ("--n-estimators", 5, "--n-jobs", 1)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("letor")
    data = rf.datasets.make_ranking(
        n_queries=40, n_documents=(3, 9), n_features=5, missing_fraction=0.3, random_state=2
    )
    for name, part in zip(("train", "test"), data.train_test_split(0.5), strict=True):
        rf.write_letor(folder / f"{name}.txt", part)
    return folder


def train(capsys, files, model, *options):
    return call(
        capsys, "ltr-train", "--algorithm", "mart", "--train", files / "train.txt",
        "--model", model, *SMALL, *options,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "missing"),
    [("0", 0), ("-1e30", -1e30), ("inf", "inf"), ("-inf", "-inf"), ("mean", "mean"), ("median", "median"),
     ("learn", "learn"), ("third", "third")],
)  # fmt: skip
def test_the_model_is_the_one_that_python_trains(capsys, files, tmp_path, text, missing):
    assert train(capsys, files, tmp_path / "m.rf", f"--missing={text}").status == 0
    data = rf.read_letor(files / "train.txt")
    assert rf.load(tmp_path / "m.rf") == rf.MART(n_estimators=5, missing=missing).fit(data).model_


@pytest.mark.parametrize("text", ["nan", "predict", "means", "1e39", "true", "none"])
def test_what_is_no_fill_is_refused_with_what_there_is(capsys, files, tmp_path, text):
    ended = train(capsys, files, tmp_path / "m.rf", "--missing", text)
    assert ended.status == 2
    assert "--missing" in ended.err
    assert "MissingFiller" in ended.err
    assert f"'{text}'" in ended.err
    assert not (tmp_path / "m.rf").exists()


def test_a_number_in_a_config_file_needs_no_quotes(capsys, files, tmp_path):
    (tmp_path / "c.toml").write_text("missing = -3\n")
    assert train(capsys, files, tmp_path / "m.rf", "--config", tmp_path / "c.toml").status == 0
    assert rf.load(tmp_path / "m.rf").parameters["missing"] == -3.0


def test_files_are_scored_with_gaps_as_fills_whatever_the_form_of_the_model(
    capsys, files, tmp_path
):
    train(capsys, files, tmp_path / "m.rf", "--missing", "mean")
    model = rf.load(tmp_path / "m.rf")
    call(
        capsys, "ltr-convert", "--model", tmp_path / "m.rf", "--to", "json",
        "--output", tmp_path / "m.json",
    )  # fmt: skip
    test = rf.read_letor(files / "test.txt")
    X = np.where(np.isnan(test.X), model.fill_values, test.X)
    expected = [repr(score) for score in model.predict(X).tolist()]
    assert np.isnan(test.X).any()
    for name in ("m.rf", "m.json"):
        ended = call(capsys, "ltr-score", "--model", tmp_path / name, "--data", files / "test.txt")
        assert ended.status == 0
        assert [float(line) for line in ended.out.split()] == list(map(float, expected))


def test_the_help_tells_what_stands_for_missing_values(capsys):
    ended = call(capsys, "ltr-train", "--algorithm", "mart", "--help")
    assert "--missing learn|third|mean|median|FLOAT" in ended.out
    said = " ".join(ended.out.split())
    assert "a number such as 0, inf or -inf for one above or below all others" in said
    assert "fill_values" not in said  # which only Python has
