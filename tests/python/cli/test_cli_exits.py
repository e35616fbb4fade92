"""Costs and exits on the command line: `ltr-exits`, and what `ltr-eval` and `ltr-score` say."""

import csv
import io
import json

import pytest
from cli_cases import call, write_files

import rankforest as rf


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    train = rf.read_letor(folder / "train.txt")
    rf.MART(n_estimators=30).fit(train).save(folder / "a.rf")
    rf.RandomForest(n_estimators=5).fit(train).save(folder / "b.rf")
    lines = ["feature,cost,group", "1,1,", "2,30,g", "3,30,g", "4,5,", "5,200,"]
    (folder / "costs.csv").write_text("\n".join(lines))
    (folder / "costs.txt").write_text("1 2 3 4 5 6\n")
    return folder


def measure(capsys, files, *arguments):
    ended = call(capsys, "ltr-eval", "--data", files / "test.txt", *arguments)
    assert (ended.status, ended.err) == (0, "")
    return ended.out


def test_eval_says_what_documents_and_queries_cost(capsys, files):
    data = rf.read_letor(files / "test.txt")
    costs = rf.read_feature_costs(files / "costs.csv", tree_cost=0.5)
    out = measure(
        capsys, files, f"one={files / 'a.rf'}", f"two={files / 'b.rf'}", "--metric", "ndcg@5",
        "--cost", files / "costs.csv", "--tree-cost", 0.5, "--format", "json",
    )  # fmt: skip
    record = json.loads(out)
    for name, path in (("one", "a.rf"), ("two", "b.rf")):
        expected = rf.scoring_cost(rf.load(files / path), data, (), costs=costs).values()
        assert record["costs"][name] == expected
    assert list(record["costs"]["one"]) == [
        "rounds per document", "cost per document", "cost per query", "cost per query, p50",
        "cost per query, p95",
    ]  # fmt: skip


def test_eval_measures_models_under_early_exits(capsys, files):
    data = rf.read_letor(files / "test.txt")
    exits = rf.EarlyExit(5, 0.3)
    out = measure(
        capsys, files, files / "a.rf", "--metric", "ndcg@5", "--early-exit", "5:0.3", "--lazy",
        "--cost", files / "costs.txt", "--format", "csv",
    )  # fmt: skip
    heading, *rows = csv.reader(io.StringIO(out))
    costs = [1, 2, 3, 4, 5, 6]
    expected = rf.scoring_cost(
        files / "a.rf", data, "ndcg@5", costs=costs, early_exit=exits, lazy=True
    )
    assert heading[1:3] == ["metric", "value"]
    assert {row[1]: float(row[2]) for row in rows} == expected.values()
    whole = rf.scoring_cost(files / "a.rf", data, "ndcg@5", costs=costs, lazy=True)
    assert expected.per_document < whole.per_document


def test_text_shows_costs_beside_metrics(capsys, files):
    out = measure(capsys, files, files / "a.rf", "--tree-cost", 2)
    assert "cost per document" in out
    assert "cost per query, p95" in out
    assert "ndcg@10" in out
    assert "cost" not in measure(capsys, files, files / "a.rf")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--early-exit", "5"], "--early-exit: must be EVERY:FRACTION"),
        (["--early-exit", "0:0.2"], "--early-exit: must be EVERY:FRACTION"),
        (["--early-exit", "5:1"], "--early-exit: must be EVERY:FRACTION"),
        (["--lazy"], "--lazy needs --cost or --tree-cost"),
        (["--tree-cost", "-1"], "--tree-cost: must be >= 0, got '-1'"),
        (["--tree-cost", "1", "--compare"], "--tree-cost does not go with --compare"),
    ],
)
def test_unusable_options_are_named(capsys, files, arguments, message):
    ended = call(
        capsys, "ltr-eval", "--data", files / "test.txt", files / "a.rf", files / "b.rf", *arguments
    )
    assert ended.status == 2
    assert message in ended.err


def test_costs_of_features_that_are_not_there_are_refused(capsys, files, tmp_path):
    (tmp_path / "costs.csv").write_text("feature,cost\n9,1\n")
    ended = call(
        capsys, "ltr-eval", "--data", files / "test.txt", files / "a.rf",
        "--cost", tmp_path / "costs.csv",
    )  # fmt: skip
    assert ended.status == 2
    assert "there is no feature '9'" in ended.err


def test_exits_are_chosen_saved_and_followed(capsys, files, tmp_path):
    ended = call(
        capsys, "ltr-exits", "--model", files / "a.rf", "--valid", files / "valid.txt",
        "--output", tmp_path / "fast.rf", "--metric", "ndcg@3", "--max-loss", 0.02,
        "--cost", files / "costs.csv", "--rule", "keep", "--rule", "margin", "--max-trials", 40,
    )  # fmt: skip
    assert (ended.status, ended.err) == (0, "")
    expected = rf.choose_exits(
        files / "a.rf", rf.read_letor(files / "valid.txt"), "ndcg@3", max_loss=0.02,
        costs=rf.read_feature_costs(files / "costs.csv"), rules=["keep", "margin"], max_trials=40,
    )  # fmt: skip
    assert ended.out == f"{expected}\n"
    fast = rf.load(tmp_path / "fast.rf")
    assert fast == expected.model
    assert fast.exits is not None
    data = rf.read_letor(files / "test.txt")
    scored = call(
        capsys, "ltr-score", "--model", tmp_path / "fast.rf", "--data", files / "test.txt"
    )
    within = fast.predict_within(data)
    assert [float(line) for line in scored.out.splitlines()] == within.scores.tolist()
    assert scored.err == (
        f"ltr-score: evaluated a tree for a document {within.n_evaluations:,} times instead of "
        f"{len(within.scores) * 30:,}, at a cost of {within.cost:.17g}\n"
    )
    out = measure(capsys, files, tmp_path / "fast.rf", "--tree-cost", 1, "--format", "json")
    costs = json.loads(out)["costs"][str(tmp_path / "fast.rf")]
    assert costs["cost per document"] == within.cost / len(within.scores)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--max-loss", "-1"], "--max-loss: must be >= 0"),
        (["--rule", "score"], "--rule"),
        (["--k", "0"], "--k: must be an integer >= 1"),
        (["--max-trials", "0"], "--max-trials: must be an integer >= 1"),
        (["--reorder", "maybe"], "--reorder: must be"),
    ],
)
def test_values_out_of_their_range_are_named(capsys, files, tmp_path, given, message):
    ended = call(
        capsys, "ltr-exits", "--model", files / "a.rf", "--valid", files / "valid.txt",
        "--output", tmp_path / "fast.rf", *given,
    )  # fmt: skip
    assert ended.status == 2
    assert message in ended.err
    assert not (tmp_path / "fast.rf").exists()


def test_score_takes_costs_with_names(capsys, files):
    ended = call(
        capsys, "ltr-score", "--model", files / "a.rf", "--data", files / "test.txt",
        "--budget", 2000, "--feature-costs", files / "costs.csv",
    )  # fmt: skip
    within = rf.load(files / "a.rf").predict_within(
        rf.read_letor(files / "test.txt"),
        budget=2000,
        feature_costs=rf.read_feature_costs(files / "costs.csv"),
    )
    assert [float(line) for line in ended.out.splitlines()] == within.scores.tolist()
    assert f"at a cost of {within.cost:.17g}" in ended.err
