"""TREC runs are compared by qrels, from Python and from the command line."""

import json

import numpy as np
import pytest
from cli_cases import call

import rankforest as rf
from rankforest.trec import Qrels, Run

OPTIONS = {"n_permutations": 99, "n_resamples": 99}


@pytest.fixture(scope="module")
def qrels():
    rng = np.random.default_rng(0)
    qid = np.repeat(np.array([f"q{i}" for i in range(12)], dtype=object), 10)
    documents = np.array([f"d{i}" for i in range(120)], dtype=object)
    return Qrels(qid, documents, rng.integers(0, 3, 120))


def run_of(qrels, seed, without=()):
    keep = ~np.isin(qrels.qid.astype(str), list(without))
    noise = np.random.default_rng(seed).normal(0, 1, keep.sum())
    return Run(qrels.qid[keep], qrels.document_ids[keep], qrels.grades[keep] + seed * noise)


@pytest.fixture(scope="module")
def runs(qrels):
    return {"good": run_of(qrels, 1), "poor": run_of(qrels, 3)}


def test_values_are_those_of_the_same_scores_and_grades(qrels, runs):
    judged = (qrels.grades, qrels.qid)
    scores = {name: run.scores for name, run in runs.items()}
    metrics = ["map", "ndcg@5", "err"]
    found = rf.compare(qrels, runs, metrics, baseline="poor", **OPTIONS)
    assert found == rf.compare(judged, scores, metrics, baseline="poor", **OPTIONS)


def test_queries_that_a_run_lacks_are_left_out_for_all_or_count_as_nothing_found(qrels, runs):
    shorter = {**runs, "poor": run_of(qrels, 3, without=["q2", "q5"])}
    found = rf.compare(qrels, shorter, "map", **OPTIONS)["map"]
    assert (found.n_queries, found.n_skipped) == (10, 2)
    values = rf.trec.evaluate(runs["good"], qrels, "map", per_query=True)
    kept = ~np.isin(values["qid"].astype(str), ["q2", "q5"])
    assert found.means["good"] == pytest.approx(values["map"][kept].mean())
    whole = rf.compare(qrels, shorter, "map", complete=True, **OPTIONS)["map"]
    assert (whole.n_queries, whole.n_skipped) == (12, 0)
    assert whole.means["good"] == pytest.approx(values["map"].mean())
    assert whole.means["poor"] == pytest.approx(found.means["poor"] * 10 / 12)


def test_the_order_of_the_lines_changes_nothing(qrels, runs):
    rows = np.random.default_rng(5).permutation(len(qrels.qid))
    shuffled = Qrels(qrels.qid[rows], qrels.document_ids[rows], qrels.grades[rows])
    turned = {n: Run(r.qid[::-1], r.document_ids[::-1], r.scores[::-1]) for n, r in runs.items()}
    metrics = ["ndcg@10(preset=trec_eval)"]
    means = rf.compare(shuffled, turned, metrics, **OPTIONS).metrics[0].means
    assert means == pytest.approx(rf.compare(qrels, runs, metrics, **OPTIONS).metrics[0].means)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": [0.5] * 120}, "system 'b' must be a Run, as the data is Qrels; got a list"),
        ({"judgements": ([1], [1])}, "judgements must be None: runs and qrels bring their own"),
        ({"document_ids": ["d"]}, "document_ids must be None: runs and qrels bring their own"),
        ({"b": Run(*np.array([["x"], ["d"]], dtype=object), np.ones(1))}, "no query of the run is"),
    ],
)
def test_what_does_not_belong_to_qrels_is_refused(qrels, runs, change, message):
    systems = runs | {name: each for name, each in change.items() if name == "b"}
    options = {name: each for name, each in change.items() if name != "b"}
    with pytest.raises(ValueError, match=message):
        rf.compare(qrels, systems, "map", **options)


def test_a_run_needs_qrels(qrels, runs):
    with pytest.raises(ValueError, match="system 'good' is a Run: pass Qrels as the data"):
        rf.compare((qrels.grades, qrels.qid), runs, "map")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_values_and_findings_are_frames_of_any_library(qrels, runs, library):
    frame = rf.trec.evaluate(runs["good"], qrels, ["map", "err"], per_query=library)
    assert type(frame).__module__.split(".")[0] == library
    values = rf.trec.evaluate(runs["good"], qrels, ["map", "err"], per_query=True)
    assert np.asarray(frame["map"]).tolist() == values["map"].tolist()
    found = rf.compare(qrels, runs, ["map", "err"], **OPTIONS)
    table = found.to_frame(library)
    assert type(table).__module__.split(".")[0] == library
    for name in ("metric", "a", "difference", "wins", "exact", "randomisation_p_holm"):
        assert np.asarray(table[name]).tolist() == [each[name] for each in found.to_records()]


def test_another_library_is_refused(qrels, runs):
    found = rf.compare(qrels, runs, "map", **OPTIONS)
    with pytest.raises(ValueError, match="library must be one of pandas, polars, pyarrow"):
        found.to_frame("excel")


class TestCommand:
    @pytest.fixture
    def folder(self, tmp_path, monkeypatch, qrels, runs):
        rf.trec.write_qrels(tmp_path / "qrels", qrels)
        for name, run in {**runs, "short": run_of(qrels, 2, without=["q1"])}.items():
            rf.trec.write_run(tmp_path / f"{name}.run", run)
        monkeypatch.chdir(tmp_path)
        return tmp_path

    def test_says_what_compare_says(self, capsys, folder, qrels, runs):
        ended = call(
            capsys, "ltr-eval", "--compare", "--run", "good=good.run", "--run", "poor=poor.run",
            "--qrels", "qrels", "--baseline", "poor", "--metric", "map", "--format", "json",
            "--n-permutations", 99, "--n-resamples", 99,
        )  # fmt: skip
        assert (ended.status, ended.err) == (0, "")
        expected = rf.compare(qrels, runs, "map", baseline="poor", **OPTIONS)
        assert json.loads(ended.out) == json.loads(expected.to_json())

    def test_names_what_a_run_lacks(self, capsys, folder):
        arguments = ["ltr-eval", "--compare", "--run", "good.run", "--run", "short.run"]
        arguments += ["--qrels", "qrels", "--metric", "map"]
        ended = call(capsys, *arguments)
        assert ended.err.startswith("ltr-eval: warning: short.run lacks 1 of the 12 queries")
        assert "11 queries count, 1 do not." in ended.out
        ended = call(capsys, *arguments, "--complete")
        assert (ended.err, "12 queries count." in ended.out) == ("", True)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--run", "good.run"], "--compare needs at least two systems, got 1"),
            (
                ["--run", "good.run", "--run", "short.run", "--baseline", "x"],
                "--baseline must be one of good.run, short.run; got x",
            ),
        ],
    )
    def test_unusable_arguments_are_named(self, capsys, folder, arguments, message):
        ended = call(capsys, "ltr-eval", "--compare", *arguments, "--qrels", "qrels")
        assert (ended.status, ended.err) == (2, f"ltr-eval: {message}\n")
