"""TREC runs and qrels come back as they were written, and other readers see in them what we see."""

import gzip

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

import rankforest as rf
from rankforest.trec import (
    Qrels,
    Run,
    document_names,
    evaluate,
    read_qrels,
    read_run,
    write_qrels,
    write_run,
)

# What may stand in a word: everything but blanks; U+00A0 is none to trec_eval.
words = st.text(st.characters(codec="utf-8", exclude_characters=" \t\r\n\f\v"), min_size=1)
scores = st.floats(allow_nan=False)


@st.composite
def runs(draw):
    keys = draw(st.lists(st.tuples(words, words), min_size=1, max_size=12, unique=True))
    qid, documents = (np.array(each, dtype=object) for each in zip(*keys, strict=True))
    values = draw(st.lists(scores, min_size=len(keys), max_size=len(keys)))
    return Run(qid, documents, np.array(values), draw(words))


def make_data(**changes):
    arguments = {
        "X": np.zeros((5, 1), dtype=np.float32),
        "y": [0, 1, 2, 0, 1],
        "qid": ["b", "a", "b", "b", "a"],
        "document_ids": ["docid = G-1 inc = 1", "w2", "two words", "", "docid=G-5"],
    }
    return rf.Dataset(**{**arguments, **changes})


class TestRuns:
    def test_rank_each_query_by_score(self, tmp_path):
        write_run(tmp_path / "run", Run.of(make_data(), [0.5, 0.1, 2.0, 0.5, 1 / 3], name="mine"))
        assert (tmp_path / "run").read_text().splitlines() == [
            "b Q0 3 1 2.0 mine",
            "b Q0 G-1 2 0.5 mine",
            "b Q0 4 3 0.5 mine",
            "a Q0 G-5 1 0.3333333333333333 mine",
            "a Q0 w2 2 0.1 mine",
        ]

    @given(runs())
    def test_come_back_to_the_last_bit(self, tmp_path_factory, run):
        path = tmp_path_factory.mktemp("runs") / "run"
        write_run(path, run)
        again = read_run(path)
        assert again.name == run.name
        expected = dict(zip(zip(run.qid, run.document_ids, strict=True), run.scores, strict=True))
        found = dict(
            zip(zip(again.qid, again.document_ids, strict=True), again.scores, strict=True)
        )
        assert found == expected
        write_run(path.with_name("again"), again)
        assert path.with_name("again").read_bytes() == path.read_bytes()

    def test_are_read_in_any_order_compressed_or_not(self, tmp_path):
        text = "\n2 Q0 x 1 3.5e-1 s\r\n 1\t0 x\t9 -2 other \n2 Q0 y 2 1e400 s"
        (tmp_path / "run").write_text(text)
        with gzip.open(tmp_path / "run.gz", "wt", newline="") as file:
            file.write(text)
        for name in ("run", "run.gz"):
            run = read_run(tmp_path / name)
            assert run.qid.tolist() == ["2", "1", "2"]
            assert run.document_ids.tolist() == ["x", "x", "y"]
            assert run.scores.tolist() == [0.35, -2, np.inf]
            assert run.name == "s"

    def test_by_rank_have_no_ties_even_in_float32(self):
        run = Run.of(make_data(), [1, 5, 1 + 1e-9, 1, 5])
        assert run.n_float32_ties == 1  # that of 1 + 1e-9; 1 and 1 are equal anyway
        assert run.by_rank().scores.tolist() == [2, 2, 3, 1, 1]
        assert run.by_rank().n_float32_ties == 0

    def test_need_a_score_for_each_document(self):
        with pytest.raises(ValueError, match="one value for each of the 5 documents"):
            Run.of(make_data(), [1, 2])
        with pytest.raises(ValueError, match="the score of row 1 is NaN"):
            Run.of(make_data(), [1, np.nan, 1, 1, 1])

    def test_need_different_names_for_the_documents_of_a_query(self):
        data = make_data(document_ids=["x", "x", "y", "x", "z"])
        with pytest.raises(ValueError, match=r"rows 0 and 3 .* query b are both called 'x'"):
            Run.of(data, np.zeros(5))


class TestQrels:
    def test_are_the_grades_of_a_data_set(self, tmp_path):
        write_qrels(tmp_path / "qrels", Qrels.of(make_data()))
        assert (tmp_path / "qrels").read_text().splitlines() == [
            "b 0 G-1 0",
            "a 0 w2 1",
            "b 0 3 2",
            "b 0 4 0",
            "a 0 G-5 1",
        ]

    def test_come_back(self, tmp_path):
        qrels = Qrels.of(make_data())
        write_qrels(tmp_path / "qrels", qrels)
        again = read_qrels(tmp_path / "qrels")
        for name in ("qid", "document_ids", "grades"):
            np.testing.assert_array_equal(getattr(again, name), getattr(qrels, name))

    def test_may_have_negative_grades(self, tmp_path):
        (tmp_path / "qrels").write_text("1 0 x -2\n")
        assert read_qrels(tmp_path / "qrels").grades.tolist() == [-2]

    def test_have_whole_grades(self):
        with pytest.raises(ValueError, match=r"that of row 1 \(counted from 0\) is 0.5"):
            Qrels.of(make_data(y=[0, 0.5, 2, 0, 1]))
        with pytest.raises(ValueError, match="y is missing"):
            Qrels.of(make_data(y=None))


def test_documents_without_comments_are_called_after_their_rows():
    assert document_names(make_data(document_ids=None)) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 Q0 x 1 0.5", r"must be 6 words, query Q0 document rank score name; got 5: '1 Q0 x"),
        ("1 Q0 x y 1 0.5 s", "must be 6 words, .* got 7"),
        ("1 Q0 x 1 half s", "score must be a number, got 'half'"),
        ("1 Q0 x 1 nan s", "score must be a number, got 'nan'"),
        ("1 Q0 x 1 1_0 s", "score must be a number, got '1_0'"),
        ("1 Q0 x 1 \u0661 s", "score must be a number, got '\u0661'"),
        ("1 Q0 d 2 0.5 s", "document 'd' of query '1' is in line 1 already"),
    ],
)
def test_a_line_that_is_no_line_of_a_run_is_named(tmp_path, line, message):
    (tmp_path / "run").write_text(f"1 Q0 d 1 0.5 s\n\n{line}\n")
    with pytest.raises(ValueError, match=rf"/run:3: {message}"):
        read_run(tmp_path / "run")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 0 x", "must be 4 words, query iteration document grade; got 3"),
        ("1 0 x 1 1", "must be 4 words, .* got 5"),
        ("1 0 x 0.5", "grade must be a whole number, got '0.5'"),
        ("1 0 x \u0661", "grade must be a whole number"),
        ("1 0 d 2", "document 'd' of query '1' is in line 1 already"),
    ],
)
def test_a_line_that_is_no_line_of_qrels_is_named(tmp_path, line, message):
    (tmp_path / "qrels").write_text(f"1 0 d 1\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=rf"/qrels:3: {message}"):
        read_qrels(tmp_path / "qrels")


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_a_file_without_lines_and_a_damaged_one_are_refused(tmp_path, read):
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(ValueError, match=r"empty: must have at least one line"):
        read(tmp_path / "empty")
    text = b"".join(b"%d Q0 d 1 0.5 s\n" % i for i in range(1000))
    (tmp_path / "run.gz").write_bytes(gzip.compress(text)[:-20])
    with pytest.raises(ValueError, match=r"run\.gz:\d+: "):
        read(tmp_path / "run.gz")


def test_what_is_no_word_is_not_written(tmp_path):
    run = Run.of(make_data(), np.zeros(5))
    for name in ("two words", ""):
        with pytest.raises(ValueError, match="must be single words, got"):
            write_run(tmp_path / "run", Run(run.qid, run.document_ids, run.scores, name))
    qrels = Qrels.of(make_data(qid=["a b"] * 5))
    with pytest.raises(ValueError, match="must be single words, got 'a b'"):
        write_qrels(tmp_path / "qrels", qrels)
    assert not list(tmp_path.iterdir())


# Our metrics and those of trec_eval.
TREC_EVAL = {
    "ndcg(preset=trec_eval)": "ndcg",
    "ndcg@5(preset=trec_eval)": "ndcg_cut_5",
    "map(preset=trec_eval)": "map",
    "map@5(preset=trec_eval)": "map_cut_5",
    "p@5(preset=trec_eval)": "P_5",
    "mrr(preset=trec_eval)": "recip_rank",
}


def draw(rng):
    """Draw a run and qrels that have some queries, and some documents of those, in common."""
    documents = [(f"q{q}", f"d{d}") for q in range(12) for d in range(rng.integers(3, 20))]
    ranked = [key for key in documents if rng.random() < 0.7 and key[0] != "q3"]
    judged = [key for key in documents if rng.random() < 0.7 and key[0] != "q5"]
    qid, ids = (np.array(each, dtype=object) for each in zip(*ranked, strict=True))
    run = Run(qid, ids, rng.integers(0, 6, len(ranked)) / 4)
    qid, ids = (np.array(each, dtype=object) for each in zip(*judged, strict=True))
    grades = rng.choice([-1, 0, 0, 1, 2, 3], len(judged)) * (qid != "q7")
    return run, Qrels(qid, ids, grades)


def as_dictionary(qid, document_ids, values):
    found = {}
    for query, document, value in zip(qid, document_ids, values.tolist(), strict=True):
        found.setdefault(query, {})[document] = value
    return found


@pytest.mark.parametrize("seed", range(20))
def test_a_run_is_worth_what_trec_eval_says(seed):
    run, qrels = draw(np.random.default_rng(seed))
    judged = as_dictionary(qrels.qid, qrels.document_ids, qrels.grades)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {"ndcg", "ndcg_cut.5", "map", "map_cut.5",
                                                        "P.5", "recip_rank"})  # fmt: skip
    theirs = evaluator.evaluate(as_dictionary(run.qid, run.document_ids, run.scores))
    ours = evaluate(run, qrels, list(TREC_EVAL), per_query=True)
    means = evaluate(run, qrels, list(TREC_EVAL))
    complete = evaluate(run, qrels, list(TREC_EVAL), complete=True)
    assert sorted(ours["qid"]) == sorted(theirs)
    assert "q5" not in theirs
    for metric, name in TREC_EVAL.items():
        expected = [theirs[query][name] for query in ours["qid"]]
        np.testing.assert_allclose(ours[metric], expected, atol=1e-12)
        assert means[metric] == pytest.approx(np.mean(expected), abs=1e-12)
        assert complete[metric] == pytest.approx(sum(expected) / len(judged), abs=1e-12)


def test_a_run_is_worth_what_hands_compute():
    # Ranking of "a": unjudged, grade 1. The qrels have a document of grade 2 besides, and query c.
    run = Run(*(np.array(each, dtype=object) for each in (["a", "a", "b"], ["x", "y", "x"])),
              np.array([2.0, 1.0, 0.0]))  # fmt: skip
    qrels = Qrels(*(np.array(each, dtype=object) for each in (["a", "a", "c"], ["y", "z", "x"])),
                  np.array([1, 2, 1]))  # fmt: skip
    names = ["ndcg(preset=trec_eval)", "map(preset=trec_eval)", "map(ideal=list)"]
    values = evaluate(run, qrels, names, per_query=True)
    assert values["qid"].tolist() == ["a"]
    log2_of_3 = np.log2(3)
    np.testing.assert_allclose(
        [values[name][0] for name in names],
        [(1 / log2_of_3) / (2 + 1 / log2_of_3), (1 / 2) / 2, 1 / 2],
    )
    assert evaluate(run, qrels, "map", complete=True)["map"] == pytest.approx(1 / 4 / 2)


def test_without_a_query_in_common_there_is_nothing_to_measure():
    run = Run.of(make_data(), np.zeros(5))
    qrels = Qrels.of(make_data(qid=["c"] * 5))
    with pytest.raises(ValueError, match="no query of the run is in the qrels: the run has 'b'"):
        evaluate(run, qrels, "map")
    assert evaluate(run, qrels, "map", complete=True) == {"map": 0.0}


def test_a_run_and_qrels_are_told_apart():
    data = make_data()
    run, qrels = Run.of(data, np.arange(data.n_documents)), Qrels.of(data)
    with pytest.raises(ValueError, match="run must come before qrels: they are in the other order"):
        evaluate(qrels, run, "map")
    with pytest.raises(ValueError, match="run must be a Run, got a str; read_run reads one"):
        evaluate("a.run", qrels, "map")
    with pytest.raises(
        ValueError, match="qrels must be Qrels, got a Dataset; read_qrels reads them"
    ):
        evaluate(run, data, "map")
