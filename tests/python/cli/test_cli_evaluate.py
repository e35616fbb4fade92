"""`ltr-eval` says what `rankforest.evaluate` says, to the last bit, in every format."""

import csv
import io
import json

import numpy as np
import pytest
from cli_cases import call, write_files

import rankforest as rf
from rankforest.cli.metric_type import REPORTED
from rankforest.cli.systems import read_scores

METRICS = ["ndcg@3", "ndcg@10(preset=letor4)", "map"]
ASKED = [part for metric in METRICS for part in ("--metric", metric)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    train = rf.read_letor(folder / "train.txt")
    rf.MART(n_estimators=20).fit(train).save(folder / "a.rf")
    rf.RandomForest(n_estimators=5).fit(train).save(folder / "b.rf")
    scores = rf.load(folder / "b.rf").predict(rf.read_letor(folder / "test.txt"))
    (folder / "b.scores").write_text("".join(f"{score!r}\n" for score in scores.tolist()))
    return folder


@pytest.fixture(scope="module")
def data(files):
    return rf.read_letor(files / "test.txt")


def measure(capsys, files, *arguments):
    ended = call(capsys, "ltr-eval", "--data", files / "test.txt", *arguments)
    assert (ended.status, ended.err) == (0, "")
    return ended.out


def n_empty(data):
    return sum(not data.y[data.qid == query].any() for query in data.query_ids)


def test_json_has_the_values_of_python_to_the_last_bit(capsys, files, data):
    out = measure(
        capsys, files, "--model", files / "a.rf", "--model", files / "b.rf",
        "--scores", files / "b.scores", *ASKED, "--format", "json",
    )  # fmt: skip
    record = json.loads(out)
    expected = {
        str(files / name): dict(rf.evaluate(data, rf.load(files / name), METRICS))
        for name in ("a.rf", "b.rf")
    }
    expected[str(files / "b.scores")] = expected[str(files / "b.rf")]
    assert record == {
        "queries": data.n_queries,
        "queries_without_relevant_document": n_empty(data),
        "metrics": expected,
    }


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_tables_for_programs_have_a_row_for_each_system_and_metric(
    capsys, files, data, form, delimiter
):
    out = measure(capsys, files, "--model", files / "a.rf", *ASKED, "--format", form)
    heading, *rows = csv.reader(io.StringIO(out), delimiter=delimiter)
    assert heading == ["system", "metric", "value", "queries", "queries_without_relevant_document"]
    values = rf.evaluate(data, rf.load(files / "a.rf"), METRICS)
    assert rows == [
        [str(files / "a.rf"), metric, repr(value), str(data.n_queries), str(n_empty(data))]
        for metric, value in values.items()
    ]


def test_text_sets_systems_side_by_side_and_counts_empty_queries(capsys, files, data):
    out = measure(capsys, files, "--model", files / "a.rf", "--scores", files / "b.scores", *ASKED)
    heading, *rows, blank, counts = out.splitlines()
    assert heading.split() == ["metric", str(files / "a.rf"), str(files / "b.scores")]
    assert [row.split()[0] for row in rows] == METRICS
    columns = [rf.evaluate(data, rf.load(files / name), METRICS) for name in ("a.rf", "b.rf")]
    for row, metric in zip(rows, METRICS, strict=True):
        assert row.split()[1:] == [f"{column[metric]:.4f}" for column in columns]
    assert blank == ""
    assert counts == f"{data.n_queries} queries, {n_empty(data)} without a relevant document"


def test_markdown_and_latex_have_the_best_of_each_metric_in_bold(capsys, files):
    arguments = ("--model", f"a={files / 'a.rf'}", f"b={files / 'b.rf'}", "--metric", "rmse")
    values = json.loads(measure(capsys, files, *arguments, "--format", "json"))["metrics"]
    a, b = (f"{values[name]['rmse']:.4f}" for name in "ba")
    is_a_better = values["a"]["rmse"] < values["b"]["rmse"]  # less is better
    b, a = (b, f"**{a}**") if not is_a_better else (f"**{b}**", a)
    assert measure(capsys, files, *arguments, "--format", "markdown").splitlines() == [
        "| metric | b | a |",
        "| --- | ---: | ---: |",
        f"| rmse | {a} | {b} |",
    ]
    latex = measure(capsys, files, *arguments, "--format", "latex")
    assert latex.startswith("\\begin{tabular}{lrr}\n")
    assert latex.count("\\textbf{") == 1


def test_markdown_has_a_table_of_queries_too(capsys, files, data):
    out = measure(
        capsys, files, files / "a.rf", "--metric", "map", "--per-query", "--format", "markdown"
    )
    queries, means = out.split("\n\n")
    assert len(queries.splitlines()) == 2 + data.n_queries
    assert means.startswith("| metric |")


def test_queries_have_values_of_their_own(capsys, files, data):
    out = measure(
        capsys, files, "--model", files / "a.rf", "--metric", "ndcg@3", "--per-query",
        "--format", "csv",
    )  # fmt: skip
    heading, *rows = csv.reader(io.StringIO(out))
    assert heading == ["system", "metric", "query", "value"]
    values = rf.evaluate(data, rf.load(files / "a.rf"), "ndcg@3", per_query=True)
    assert [row[2] for row in rows] == [str(query) for query in values["qid"]]
    assert [row[3] for row in rows] == [
        "" if np.isnan(value) else repr(value) for value in values["ndcg@3"].tolist()
    ]
    assert "" in [row[3] for row in rows]  # an empty query, which ndcg skips


def test_json_has_null_for_queries_that_do_not_count(capsys, files, data):
    out = measure(
        capsys, files, "--model", files / "a.rf", "--metric", "ndcg@3", "--per-query",
        "--format", "json",
    )  # fmt: skip
    by_query = json.loads(out)["per_query"][str(files / "a.rf")]["ndcg@3"]
    values = rf.evaluate(data, rf.load(files / "a.rf"), "ndcg@3", per_query=True)
    assert by_query == {
        str(query): None if np.isnan(value) else value
        for query, value in zip(values["qid"], values["ndcg@3"].tolist(), strict=True)
    }


def test_text_shows_queries_before_the_means(capsys, files, data):
    out = measure(capsys, files, "--model", files / "a.rf", "--metric", "map", "--per-query")
    queries, means, _ = out.split("\n\n")
    assert queries.splitlines()[0].split() == ["query", "map"]
    assert len(queries.splitlines()) == 1 + data.n_queries
    assert means.splitlines()[0].split()[0] == "metric"


def test_without_metrics_the_usual_ones_are_shown(capsys, files):
    out = measure(capsys, files, "--model", files / "a.rf", "--format", "csv")
    _, *rows = csv.reader(io.StringIO(out))
    assert tuple(row[1] for row in rows) == REPORTED


def test_a_metric_asked_for_twice_is_shown_once(capsys, files):
    out = measure(
        capsys, files, "--model", files / "a.rf", "--metric", "map", "--metric", "map",
        "--format", "csv",
    )  # fmt: skip
    assert len(out.splitlines()) == 2


def test_scores_alone_are_enough(capsys, files, data):
    out = measure(
        capsys, files, "--scores", files / "b.scores", "--metric", "map", "--format", "json"
    )
    expected = rf.evaluate(data, rf.load(files / "b.rf"), "map")["map"]
    assert json.loads(out)["metrics"][str(files / "b.scores")]["map"] == expected


def test_something_must_be_evaluated(capsys, files):
    ended = call(capsys, "ltr-eval", "--data", files / "test.txt")
    assert ended.status == 2
    assert ended.err == "ltr-eval: a FILE, --model or --scores must say what to evaluate\n"


def test_scores_must_be_as_many_as_documents(capsys, files):
    ended = call(capsys, "ltr-eval", "--data", files / "valid.txt", "--scores", files / "b.scores")
    assert ended.status == 2
    assert "scores, but there are" in ended.err


def test_scores_survive_their_text(tmp_path):
    path = tmp_path / "scores.txt"
    scores = [0.1, -0.0, 1e-320, 1.7976931348623157e308, float("inf")]
    path.write_text("".join(f"{score!r}\n" for score in scores))
    assert read_scores(str(path)).tolist() == scores


@pytest.mark.parametrize("line", ["", "x", "nan", "1 2", "0x1p3"])
def test_what_is_no_score_is_named_with_its_line(tmp_path, line):
    path = tmp_path / "scores.txt"
    path.write_text(f"0.5\n{line}\n0.5\n")
    with pytest.raises(ValueError, match=r"scores\.txt:2: must be one number, got"):
        read_scores(str(path))
