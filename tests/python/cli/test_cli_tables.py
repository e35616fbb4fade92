"""The commands on Parquet and CSV files, by the names of columns."""

import numpy as np
import polars as pl
import pytest
from cli_cases import call, write_files

import rankforest as rf

USES = ("--label", "label", "--query", "query_id")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write the data sets as text, Parquet and CSV, with a column of text beside the features."""
    folder = write_files(tmp_path_factory.mktemp("tables"))
    for name in ("train", "valid", "test"):
        data = rf.read_letor(folder / f"{name}.txt")
        frame = data.to_frame("polars").with_columns(url=pl.lit("http"))
        frame = frame.rename({str(j): f"f{j}" for j in range(1, data.n_features + 1)})
        frame.write_parquet(folder / f"{name}.parquet")
        frame.write_csv(folder / f"{name}.csv")
        frame.write_csv(folder / f"{name}.tsv", separator="\t")
    return folder


def train(capsys, folder, form, out, *more):
    return call(
        capsys, "ltr-train", "--algorithm", "mart", "--n-estimators", 5, "--model", out,
        "--train", folder / f"train.{form}", "--valid", folder / f"valid.{form}",
        *more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def model(files):
    data = rf.read_parquet(files / "train.parquet", label="label", query="query_id", drop=["url"])
    trained = rf.MART(n_estimators=5).fit(data)
    trained.save(files / "m.rf")
    return trained


@pytest.mark.parametrize("form", ["parquet", "csv", "tsv"])
def test_training_on_tables_gives_the_model_of_python(capsys, files, tmp_path, model, form):
    ended = train(capsys, files, form, tmp_path / "m.rf", *USES, "--drop", "url")
    assert ended.status == 0, ended.err
    loaded = rf.load(tmp_path / "m.rf")
    assert loaded.feature_names == tuple(f"f{j}" for j in range(1, 7))
    assert loaded == model.model_


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (lambda frame: frame.select(reversed(frame.columns)),
         "Feature names must be in the same order as in the training data."),
        (lambda frame: frame.rename({"f1": "g"}),
         "Feature names seen at training, yet now missing:\nltr-train: - f1"),
    ],
)  # fmt: skip
def test_other_columns_to_measure_on_are_named(capsys, files, tmp_path, columns, message):
    columns(pl.read_csv(files / "valid.csv")).write_csv(tmp_path / "v.csv")
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", *USES, "--drop", "url", "--train",
        files / "train.csv", "--valid", tmp_path / "v.csv", "--model", tmp_path / "m.rf", "--quiet",
    )  # fmt: skip
    assert ended.err.startswith("ltr-train: --valid: The feature names should match those of the ")
    assert ended.err.endswith(f"ltr-train: {message}\n")


def test_a_column_that_the_model_lacks_or_that_is_dropped_is_named(capsys, files, tmp_path, model):
    table = tmp_path / "t.csv"
    pl.read_csv(files / "test.csv").rename({"f1": "g"}).write_csv(table)
    ended = call(capsys, "ltr-score", "--model", files / "m.rf", "--data", table)
    assert ended.err.startswith(f"ltr-score: {table}: the model's feature 'f1' is no column; ")
    table = files / "test.csv"
    ended = call(capsys, "ltr-score", "--model", files / "m.rf", "--data", table, "--drop", "f1")
    assert ended.err == (
        f"ltr-score: {table}: column 'f1' cannot be both --drop and a feature of the model\n"
    )


def test_weights_are_a_column(capsys, files, tmp_path):
    frame = pl.read_parquet(files / "train.parquet")
    weights = np.linspace(1, 2, len(frame))
    frame.with_columns(w=weights).write_parquet(tmp_path / "w.parquet")
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", "--n-estimators", 3, *USES, "--drop", "url",
        "--weight", "w", "--train", tmp_path / "w.parquet", "--model", tmp_path / "m.rf",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    data = rf.Dataset.from_frame(
        frame.with_columns(w=weights), label="label", query="query_id", weight="w", drop=["url"]
    )
    assert rf.load(tmp_path / "m.rf") == rf.MART(n_estimators=3).fit(data).model_


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_scoring_takes_the_features_that_the_model_names(capsys, files, model, form):
    expected = model.predict(rf.read_letor(files / "test.txt")).tolist()
    ended = call(capsys, "ltr-score", "--model", files / "m.rf", "--data", files / f"test.{form}")
    assert ended.status == 0, ended.err
    assert [float(line) for line in ended.out.splitlines()] == expected


def test_scoring_names_features_that_are_not_there(capsys, files, model, tmp_path):
    frame = pl.read_parquet(files / "test.parquet").rename({"f3": "F3"})
    frame.write_parquet(tmp_path / "x.parquet")
    ended = call(capsys, "ltr-score", "--model", files / "m.rf", "--data", tmp_path / "x.parquet")
    assert ended.status == 2
    assert "the model's feature 'f3' is no column (did you mean 'F3'?)" in ended.err


def test_runs_of_tables_have_queries_and_document_ids(capsys, files, model, tmp_path):
    frame = pl.read_parquet(files / "test.parquet").with_row_index("doc")
    frame = frame.with_columns(doc=pl.format("d{}", "doc"))
    frame.write_parquet(tmp_path / "x.parquet")
    ended = call(
        capsys, "ltr-score", "--model", files / "m.rf", "--data", tmp_path / "x.parquet",
        "--query", "query_id", "--id", "doc", "--trec-run", "mine",
    )  # fmt: skip
    assert ended.status == 0, ended.err
    first = ended.out.splitlines()[0].split()
    assert first[0] == str(frame["query_id"][0])
    assert first[2].startswith("d")
    assert len(ended.out.splitlines()) == len(frame)


def test_evaluating_tables_and_text_agrees(capsys, files, model):
    tables = call(
        capsys, "ltr-eval", "--data", files / "test.parquet", *USES, files / "m.rf", "--format",
        "csv",
    )  # fmt: skip
    text = call(capsys, "ltr-eval", "--data", files / "test.txt", files / "m.rf", "--format", "csv")
    assert (tables.status, tables.out) == (0, text.out)


def test_columns_that_must_be_named_are_asked_for_with_those_that_there_are(
    capsys, files, tmp_path
):
    for form in ("parquet", "csv"):
        ended = train(capsys, files, form, tmp_path / "m.rf")
        assert ended.status == 2
        assert f"train.{form} needs --label and --query; its columns are 'label', 'query_id'," in (
            ended.err
        )


def test_columns_that_are_no_numbers_are_named_with_the_option(capsys, files, tmp_path):
    ended = train(capsys, files, "parquet", tmp_path / "m.rf", *USES)
    assert ended.status == 2
    assert "'url' (String); leave them out (--drop)" in ended.err
    ended = train(capsys, files, "csv", tmp_path / "m.rf", *USES)
    assert "'url' (line 2: 'http'); --drop leaves columns out" in ended.err


def test_unknown_columns_are_named_as_the_option_was(capsys, files, tmp_path):
    ended = train(
        capsys, files, "csv", tmp_path / "m.rf", "--label", "lable", "--query", "query_id"
    )
    assert ended.status == 2
    assert "train.csv: --label 'lable' is no column (did you mean 'label'?)" in ended.err


def test_options_of_the_other_kind_of_data_are_refused(capsys, files, tmp_path):
    ended = train(capsys, files, "txt", tmp_path / "m.rf", "--label", "y", "--drop", "a")
    assert ended.status == 2
    assert "--label is for Parquet and CSV files, and " in ended.err
    assert "--drop is for Parquet and CSV files, and " in ended.err
    ended = train(capsys, files, "csv", tmp_path / "m.rf", *USES, "--absent", "nan")
    assert "--absent is for LETOR text, and " in ended.err
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", "--model", tmp_path / "m.rf", *USES,
        "--train", files / "train.csv", "--valid", files / "valid.txt",
    )  # fmt: skip
    assert "data must be all tables or all text" in ended.err


def test_scoring_applies_the_number_that_means_missing(capsys, tmp_path):
    X = np.array([[-1.0, 2], [3, -1], [4, 5], [-1, -1]] * 10)
    data = rf.Dataset(X, np.arange(40) % 3, qid=np.arange(40) // 4, missing=-1)
    model = rf.MART(n_estimators=5, min_samples_leaf=1).fit(data)
    model.save(tmp_path / "m.rf")
    rf.write_letor(tmp_path / "x.txt", rf.Dataset(X, data.y, qid=data.qid))
    ended = call(capsys, "ltr-score", "--model", tmp_path / "m.rf", "--data", tmp_path / "x.txt")
    assert [float(line) for line in ended.out.splitlines()] == model.predict(data).tolist()


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_text_becomes_a_table_and_text_again(capsys, files, tmp_path, form):
    ended = call(
        capsys, "ltr-convert", "--data", files / "test.txt", "--to", form,
        "--output", tmp_path / f"x.{form}",
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    ended = call(
        capsys, "ltr-convert", "--data", tmp_path / f"x.{form}", *USES, "--to", "letor",
        "--output", tmp_path / "x.txt",
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    assert (tmp_path / "x.txt").read_text() == (files / "test.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "json"], "--model or --data must say what to convert"),
        (["--data", "test.txt", "--to", "json"], "--to json is for models; data is written as"),
        (["--model", "m.rf", "--to", "csv"], "--to csv is for --data; models are written as"),
        (["--data", "test.txt", "--to", "letor"], "--to letor: the data is LETOR text already"),
        (["--data", "test.txt", "--to", "parquet"], "--output: Parquet is not text"),
        (["--data", "test.txt", "--model", "m.rf", "--to", "csv"], "--model and --data: one of"),
        (
            ["--data", "test.csv", "--to", "letor"],
            "test.csv needs --label and --query; its columns",
        ),
    ],
)
@pytest.mark.usefixtures("model")
def test_conversions_that_make_no_sense_are_refused(capsys, files, arguments, message):
    named = [files / each if "." in each else each for each in arguments]
    ended = call(capsys, "ltr-convert", *named)
    assert ended.status == 2
    assert message in ended.err
