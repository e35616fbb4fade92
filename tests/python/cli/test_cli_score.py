"""`ltr-score` writes the scores of Python to the last bit."""

import numpy as np
import pytest
from cli_cases import call, names_in, write_files

import rankforest as rf
from rankforest.cli.run import run
from rankforest.cli.score import command


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("letor"))
    rf.MART(n_estimators=20).fit(rf.read_letor(folder / "train.txt")).save(folder / "m.rf")
    return folder


def test_scores_are_those_of_python_to_the_last_bit(capsys, files):
    ended = call(capsys, "ltr-score", "--model", files / "m.rf", "--data", files / "test.txt")
    assert (ended.status, ended.err) == (0, "")
    expected = rf.load(files / "m.rf").predict(rf.read_letor(files / "test.txt"))
    assert [float(line) for line in ended.out.splitlines()] == expected.tolist()


def test_the_number_of_threads_changes_nothing(capsys, files):
    arguments = ("ltr-score", "--model", files / "m.rf", "--data", files / "test.txt", "--n-jobs")
    assert call(capsys, *arguments, 1) == call(capsys, *arguments, 3)


def test_several_files_are_scored_in_order(capsys, files):
    both = call(
        capsys, "ltr-score", "--model", files / "m.rf",
        "--data", files / "valid.txt", "--data", files / "test.txt",
    )  # fmt: skip
    one = call(capsys, "ltr-score", "--model", files / "m.rf", "--data", files / "valid.txt")
    assert both.out.startswith(one.out)
    assert both.out.endswith(
        call(capsys, "ltr-score", "--model", files / "m.rf", "--data", files / "test.txt").out
    )


def test_output_goes_to_a_file_whole(capsys, files, tmp_path):
    arguments = ("ltr-score", "--model", files / "m.rf", "--data", files / "test.txt")
    path = tmp_path / "scores.txt"
    assert call(capsys, *arguments, "--output", path).out == ""
    assert path.read_text() == call(capsys, *arguments).out
    assert names_in(tmp_path) == ["scores.txt"]


def test_text_is_read_as_the_model_was_trained(capsys, tmp_path):
    (tmp_path / "train.txt").write_text("2 qid:1 0:1 3:5\n1 qid:1 0:2\n0 qid:1 0:3 3:1\n")
    train = rf.read_letor(tmp_path / "train.txt", zero_based=True, absent="nan")
    rf.MART(n_estimators=3).fit(train).save(tmp_path / "m.rf")
    (tmp_path / "test.txt").write_text("2 qid:1 0:1\n0 qid:1 0:3\n")  # no index 3
    ended = call(capsys, "ltr-score", "--model", tmp_path / "m.rf", "--data", tmp_path / "test.txt")
    X = np.array([[1, np.nan, np.nan, np.nan], [3, np.nan, np.nan, np.nan]], dtype=np.float32)
    expected = rf.load(tmp_path / "m.rf").predict(X)
    assert [float(line) for line in ended.out.splitlines()] == expected.tolist()


@pytest.mark.parametrize("command", ["ltr-score", "ltr-eval"])
def test_text_that_mentions_fewer_features_than_the_model_has_is_warned_of(
    capsys, files, tmp_path, command
):
    narrow = tmp_path / "narrow.txt"
    narrow.write_text("2 qid:1 1:1 3:0\n0 qid:1 2:3\n")
    arguments = (command, "--model", files / "m.rf", "--data", narrow)
    n_features = rf.load(files / "m.rf").n_features
    assert call(capsys, *arguments).err == (
        f"{command}: warning: {narrow} mentions no feature above the first 3 of the model's "
        f"{n_features}; the others are 0 in every document\n"
    )
    assert call(capsys, *arguments, "--n-features", n_features).err == ""
    wide = tmp_path / "wide.txt"
    wide.write_text(f"1 qid:2 {n_features}:0\n")
    assert call(capsys, *arguments, "--data", wide).err == ""


def test_an_option_overrides_how_the_model_was_trained(capsys, files, tmp_path):
    (tmp_path / "test.txt").write_text("0 qid:1 0:3.5 1:1\n")
    arguments = ("ltr-score", "--model", files / "m.rf", "--data", tmp_path / "test.txt")
    assert call(capsys, *arguments).status == 2
    ended = call(capsys, *arguments, "--zero-based", "true")
    row = np.array([[3.5, 1, 0, 0, 0, 0]], dtype=np.float32)
    assert float(ended.out) == rf.load(files / "m.rf").predict(row)[0]


def test_more_features_than_the_model_has_are_refused(capsys, files, tmp_path):
    (tmp_path / "test.txt").write_text("0 qid:1 7:1\n")
    ended = call(capsys, "ltr-score", "--model", files / "m.rf", "--data", tmp_path / "test.txt")
    assert ended.status == 2
    assert ended.err.startswith(f"ltr-score: {tmp_path / 'test.txt'}:1:9: ")


def test_what_is_no_model_is_refused(capsys, files):
    ended = call(capsys, "ltr-score", "--model", files / "test.txt", "--data", files / "test.txt")
    assert ended.status == 2
    assert ended.err.startswith(f"ltr-score: {files / 'test.txt'}: ")


def test_everything_unusable_is_reported_at_once(capsys, files, tmp_path):
    ended = call(
        capsys, "ltr-score", "--model", tmp_path / "no.rf", "--trec-run", "two words",
        "--output", tmp_path / "missing" / "out.txt",
    )  # fmt: skip
    assert ended.status == 2
    lines = ended.err.splitlines()
    assert len(lines) == 4
    for part in ("--model", "--trec-run", "--output", "--data"):
        assert any(part in line for line in lines)


def test_ids_that_are_no_utf8_leave_as_they_came(capfdbinary, files, tmp_path):
    (tmp_path / "test.txt").write_bytes(b"0 qid:\xff\xe9 1:1 # d\xfc\n")
    arguments = ["--model", files / "m.rf", "--data", tmp_path / "test.txt", "--trec-run", "x"]
    run(command, [str(each) for each in arguments])
    assert capfdbinary.readouterr().out.startswith(b"\xff\xe9 Q0 d\xfc 1 ")
    run(command, [str(each) for each in (*arguments, "--output", tmp_path / "run.txt")])
    assert (tmp_path / "run.txt").read_bytes().startswith(b"\xff\xe9 Q0 d\xfc 1 ")


def test_the_command_writes_the_run(capsys, files):
    ended = call(
        capsys, "ltr-score", "--model", files / "m.rf", "--data", files / "test.txt",
        "--trec-run", "mine",
    )  # fmt: skip
    data = rf.read_letor(files / "test.txt")
    scores = rf.load(files / "m.rf").predict(data)
    assert ended.out.splitlines() == list(
        rf.trec.run_lines(rf.trec.Run.of(data, scores, name="mine"))
    )


class TestLimits:
    def scored(self, capsys, files, *options):
        return call(
            capsys, "ltr-score", "--model", files / "m.rf", "--data", files / "test.txt", *options
        )

    def test_scores_and_report_are_those_of_python(self, capsys, files, tmp_path):
        data = rf.read_letor(files / "test.txt")
        costs = list(range(data.X.shape[1]))
        (tmp_path / "costs.txt").write_text("\n".join(map(str, costs)))
        ended = self.scored(
            capsys, files, "--exit-every", 5, "--exit-fraction", 0.5, "--exit-scope", "set",
            "--demote", "--budget", 300, "--tree-cost", 0.5,
            "--feature-costs", tmp_path / "costs.txt",
        )  # fmt: skip
        expected = rf.load(files / "m.rf").predict_within(
            data,
            early_exit=rf.EarlyExit(5, 0.5, "set", demote=True),
            budget=300,
            tree_cost=0.5,
            feature_costs=costs,
        )
        assert ended.status == 0
        assert [float(line) for line in ended.out.splitlines()] == expected.scores.tolist()
        assert ended.err == (
            f"ltr-score: evaluated a tree for a document {expected.n_evaluations:,} times instead "
            f"of {len(expected.scores) * 20:,}, at a cost of {expected.cost:.17g}\n"
        )
        assert 0 < expected.n_evaluations < len(expected.scores) * 20

    def test_options_that_need_each_other_say_so(self, capsys, files):
        ended = self.scored(capsys, files, "--exit-every", 5, "--tree-cost", 2)
        assert (ended.status, ended.out) == (2, "")
        assert "--exit-every and --exit-fraction need each other" in ended.err
        ended = self.scored(capsys, files, "--demote", "--exit-scope", "set", "--tree-cost", 2)
        for flag in ("--demote needs --exit-every", "--exit-scope needs --exit-every",
                     "--tree-cost needs --exit-every or --budget"):  # fmt: skip
            assert flag in ended.err

    @pytest.mark.parametrize(
        ("option", "value", "expected"),
        [
            ("--exit-every", "0", "an integer >= 1"),
            ("--exit-every", "1.5", "an integer >= 1"),
            ("--exit-fraction", "1", "in [0, 1)"),
            ("--exit-fraction", "nan", "in [0, 1)"),
            ("--budget", "-1", ">= 0"),
            ("--tree-cost", "x", ">= 0"),
        ],
    )
    def test_values_out_of_their_range_are_named(self, capsys, files, option, value, expected):
        ended = self.scored(capsys, files, option, value)
        assert ended.status == 2
        assert f"ltr-score: {option}: must be {expected}, got '{value}'\n" in ended.err

    def test_costs_that_are_no_numbers_are_refused_by_line(self, capsys, files, tmp_path):
        (tmp_path / "costs.txt").write_text("1 2\n3 x\n")
        ended = self.scored(capsys, files, "--budget", 5, "--feature-costs", tmp_path / "costs.txt")
        assert ended.status == 2
        assert f"{tmp_path / 'costs.txt'}:2: expected a number, got 'x'" in ended.err


class TestProbabilities:
    def test_are_those_of_python_a_line_for_each_document(self, capsys, files, tmp_path):
        train = rf.read_letor(files / "train.txt")
        model = rf.MART(n_estimators=5, ordinal=True).fit(train)
        model.save(tmp_path / "m.rf")
        arguments = ("ltr-score", "--model", tmp_path / "m.rf", "--data", files / "test.txt")
        ended = call(capsys, *arguments, "--proba")
        assert ended.status == 0
        rows = [[float(word) for word in line.split()] for line in ended.out.splitlines()]
        expected = model.predict_proba(rf.read_letor(files / "test.txt"))
        assert rows == expected.tolist()
        grades = " ".join(map(repr, model.classes_.tolist()))
        assert ended.err == f"ltr-score: the columns are the grades {grades}\n"
        scores = call(capsys, *arguments)
        assert [float(line) for line in scores.out.splitlines()] == model.predict(
            rf.read_letor(files / "test.txt")
        ).tolist()

    def test_need_a_model_that_knows_them(self, capsys, files):
        arguments = ("ltr-score", "--model", files / "m.rf", "--data", files / "test.txt")
        ended = call(capsys, *arguments, "--proba")
        assert ended.status == 2
        assert "has no probabilities of grades" in ended.err

    def test_are_no_scores_of_a_run_or_within_limits(self, capsys, files):
        arguments = ("ltr-score", "--model", files / "m.rf", "--data", files / "test.txt")
        ended = call(capsys, *arguments, "--proba", "--trec-run", "a", "--budget", 10)
        assert ended.status == 2
        assert "--proba does not go with --trec-run" in ended.err
        assert "--proba does not go with --budget" in ended.err


def test_an_ordinal_model_is_trained_by_options(capsys, files, tmp_path):
    ended = call(
        capsys, "ltr-train", "--algorithm", "igbrt", "--train", files / "train.txt",
        "--n-estimators", 3, "--forest-n-estimators", 2, "--ordinal", "--ordinal-scoring", "exp2",
        "--model", tmp_path / "m.rf",
    )  # fmt: skip
    assert ended.status == 0
    estimator = rf.IGBRT(
        n_estimators=3,
        forest=rf.RandomForest(n_estimators=2),
        ordinal=True,
        ordinal_scoring="exp2",
    )
    assert rf.load(tmp_path / "m.rf") == estimator.fit(rf.read_letor(files / "train.txt")).model_
