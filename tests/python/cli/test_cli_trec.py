"""What `ltr-eval` writes for TREC's tools has the same value to them, and it reads what they read."""

import json

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from cli_cases import call, names_in, write_files

import rankforest as rf

TESTED = {
    "map(preset=letor3)": "map",
    "map(preset=letor4)": "map",
    "p@5(preset=letor3)": "P_5",
    "p@10(preset=letor4)": "P_10",
    "ndcg@10(preset=trec_eval)": "ndcg_cut_10",
    "map(preset=trec_eval)": "map",
    "p@5(preset=trec_eval)": "P_5",
    "mrr(preset=trec_eval)": "recip_rank",
}
BY_DOCUMENT = [metric for metric in TESTED if "trec_eval" in metric]  # break ties by its name
ASKED = [part for metric in TESTED for part in ("--metric", metric)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Data, and scores with many ties: those of a small tree."""
    folder = write_files(tmp_path_factory.mktemp("letor"))
    train, test = (rf.read_letor(folder / f"{name}.txt") for name in ("train", "test"))
    model = rf.MART(n_estimators=1, max_depth=2).fit(train)
    model.save(folder / "m.rf")
    (folder / "s.txt").write_text("".join(f"{score!r}\n" for score in model.predict(test).tolist()))
    return folder


def measure(capsys, *arguments):
    ended = call(capsys, "ltr-eval", *arguments, "--format", "json")
    assert (ended.status, ended.err) == (0, "")
    (values,) = json.loads(ended.out)["metrics"].values()
    return values


@pytest.fixture
def written(capsys, files, tmp_path):
    """What ltr-eval says of the model, and the files that it wrote."""
    run, qrels = tmp_path / "m.run", tmp_path / "qrels"
    values = measure(
        capsys, "--data", files / "test.txt", "--model", files / "m.rf", *ASKED,
        "--write-run", run, "--write-qrels", qrels, "--run-scores", "rank",
    )  # fmt: skip
    return values, run, qrels


def test_trec_eval_confirms_the_figures(written):
    values, run, qrels = written
    with run.open() as file:
        ranked = pytrec_eval.parse_run(file)
    with qrels.open() as file:
        judged = pytrec_eval.parse_qrel(file)
    measures = {"map", "P.5", "P.10", "ndcg_cut.10", "recip_rank"}
    found = pytrec_eval.RelevanceEvaluator(judged, measures).evaluate(ranked)
    for metric, name in TESTED.items():
        if metric not in BY_DOCUMENT:
            expected = np.mean([each[name] for each in found.values()])
            assert values[metric] == pytest.approx(expected, abs=1e-12)


def test_ir_measures_confirms_the_figures(written):
    values, run, qrels = written
    found = ir_measures.calc_aggregate(
        [ir_measures.AP, ir_measures.P @ 5],
        ir_measures.read_trec_qrels(str(qrels)),
        ir_measures.read_trec_run(str(run)),
    )
    assert values["map(preset=letor4)"] == pytest.approx(found[ir_measures.AP], abs=1e-12)
    assert values["p@5(preset=letor3)"] == pytest.approx(found[ir_measures.P @ 5], abs=1e-12)


def test_exact_scores_are_worth_what_trec_eval_says_with_ties_by_document(capsys, files, tmp_path):
    run, qrels = tmp_path / "m.run", tmp_path / "qrels"
    values = measure(
        capsys, "--data", files / "test.txt", "--scores", files / "s.txt", *ASKED,
        "--write-run", run, "--write-qrels", qrels,
    )  # fmt: skip
    again = measure(capsys, "--run", run, "--qrels", qrels, *ASKED)
    with run.open() as ranked, qrels.open() as judged:
        evaluator = pytrec_eval.RelevanceEvaluator(
            pytrec_eval.parse_qrel(judged), {"map", "P.5", "ndcg_cut.10", "recip_rank"}
        )
        found = evaluator.evaluate(pytrec_eval.parse_run(ranked))
    for metric in BY_DOCUMENT:
        expected = np.mean([each[TESTED[metric]] for each in found.values()])
        assert values[metric] == pytest.approx(expected, abs=1e-12)
        assert again[metric] == values[metric]


def test_the_files_read_back_have_the_figures_of_the_data(capsys, written):
    values, run, qrels = written
    again = measure(capsys, "--run", run, "--qrels", qrels, *ASKED)
    for metric in TESTED:
        if metric not in BY_DOCUMENT:  # there, ranks for scores have changed the order of ties
            assert again[metric] == pytest.approx(values[metric], abs=1e-12)


def test_runs_stand_side_by_side_with_values_of_queries(capsys, tmp_path):
    (tmp_path / "qrels").write_text("1 0 x 1\n2 0 x 1\n2 0 y 0\n")
    (tmp_path / "a").write_text("2 Q0 y 1 5 a\n2 Q0 x 2 4 a\n3 Q0 x 1 1 a\n")
    (tmp_path / "b").write_text("2 Q0 x 1 5 b\n1 Q0 x 1 5 b\n")
    ended = call(
        capsys, "ltr-eval", "--run", tmp_path / "a", "--run", tmp_path / "b",
        "--qrels", tmp_path / "qrels", "--metric", "mrr", "--per-query", "--format", "json",
    )  # fmt: skip
    assert ended.status == 0
    assert ended.err.replace("ltr-eval: warning: ", "").replace(
        f"{tmp_path}/", ""
    ).splitlines() == [
        "a has 1 queries that the qrels lack; they are left out",
        "a lacks 1 of the 2 queries of the qrels; they are left out, and --complete counts them",
    ]
    record = json.loads(ended.out)
    assert record["queries"] == 2
    assert record["metrics"] == {str(tmp_path / "a"): {"mrr": 0.5}, str(tmp_path / "b"): {"mrr": 1}}
    assert record["per_query"] == {
        str(tmp_path / "a"): {"mrr": {"1": None, "2": 0.5}},
        str(tmp_path / "b"): {"mrr": {"1": 1.0, "2": 1.0}},
    }
    ended = call(
        capsys, "ltr-eval", "--run", tmp_path / "a", "--qrels", tmp_path / "qrels",
        "--metric", "mrr", "--complete", "--format", "json",
    )  # fmt: skip
    assert json.loads(ended.out)["metrics"] == {str(tmp_path / "a"): {"mrr": 0.25}}


def test_scores_that_float32_makes_equal_are_warned_of(capsys, files, tmp_path):
    n = rf.read_letor(files / "test.txt").n_documents
    (tmp_path / "s").write_text("".join(f"{1 + i * 1e-12!r}\n" for i in range(n)))
    ended = call(
        capsys, "ltr-eval", "--data", files / "test.txt", "--scores", tmp_path / "s",
        "--write-run", tmp_path / "run",
    )  # fmt: skip
    assert ended.status == 0
    assert "documents have a score that is another's in float32" in ended.err
    assert rf.trec.read_run(tmp_path / "run").name == "s"


def test_a_run_that_is_read_is_never_written(capsys, files, written):
    _, run, qrels = written
    before = run.read_bytes(), qrels.read_bytes()
    ended = call(
        capsys, "ltr-eval", "--data", files / "test.txt", "--model", files / "m.rf",
        "--run", run, "--qrels", qrels,
    )  # fmt: skip
    assert ended.status == 2
    assert ended.err.splitlines() == [
        f"ltr-eval: --{name} is read in place of --data; give one of them, or --write-{name} to "
        "write it"
        for name in ("run", "qrels")
    ]
    assert (run.read_bytes(), qrels.read_bytes()) == before


def test_nothing_is_written_where_one_file_cannot_be(capsys, tmp_path):
    (tmp_path / "data").write_text("0.5 qid:1 1:1\n1 qid:1 1:2\n")
    (tmp_path / "s").write_text("1\n2\n")
    ended = call(
        capsys, "ltr-eval", "--data", tmp_path / "data", "--scores", tmp_path / "s",
        "--write-run", tmp_path / "run", "--write-qrels", tmp_path / "qrels",
    )  # fmt: skip
    assert ended.status == 2
    assert "the grades of qrels must be whole numbers" in ended.err
    assert names_in(tmp_path) == ["data", "s"]


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        ([], ["--data, or --run and --qrels, must say"]),
        (["--run", "no"], ["--run: File 'no' does not exist"]),
        (["--data", "no"], ["--data: File 'no' does not exist"]),
        (["--run", "DATA"], ["--data, or --run and --qrels, must say"]),
        (
            ["--scores", "DATA", "--run", "MODEL", "--qrels", "DATA"],
            ["test.txt needs --data, the documents"],
        ),
        (
            ["--run", "MODEL", "--qrels", "DATA", "--write-run", "new"],
            ["--write-run needs --data"],
        ),
        (["--run", "DATA", "--run", "DATA", "--qrels", "DATA"], ["two systems are called"]),
        (
            ["--data", "DATA", "MODEL", "--scores", "DATA", "--write-run", "r", "--complete"],
            ["--complete is about TREC runs", "the ranking of one system, got 2"],
        ),
    ],
)
def test_unusable_options_are_named(capsys, files, arguments, messages):
    paths = {"DATA": files / "test.txt", "MODEL": files / "m.rf"}
    arguments = [paths.get(each, each) for each in arguments]
    ended = call(capsys, "ltr-eval", *arguments)
    assert ended.status == 2
    lines = [line for line in ended.err.splitlines() if "see ltr-eval --help" not in line]
    assert len(lines) == len(messages)
    for line, message in zip(lines, messages, strict=True):
        assert message in line
