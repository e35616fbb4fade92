"""No command writes over a file that it reads, to one file twice, or over what it should keep."""

import gzip
import os
import re
from pathlib import Path

import pytest
from cli_cases import call, names_in, write_files

import rankforest as rf

TRAIN = ["ltr-train", "--algorithm", "mart", "--n-estimators", "2"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder to work in, with data, a model, scores, TREC files and a configuration."""
    write_files(tmp_path)
    data = rf.read_letor(tmp_path / "test.txt")
    rf.MART(n_estimators=2).fit(rf.read_letor(tmp_path / "train.txt")).save(tmp_path / "m.rf")
    (tmp_path / "s.txt").write_text("".join(f"{i}\n" for i in range(data.n_documents)))
    (tmp_path / "run.toml").write_text("max-depth = 2\n")
    (tmp_path / "costs.txt").write_text("1 1 1 1 1 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# Command line with OUT where the output's name goes, the output's option, the input's, the input.
CLASHES = [
    ([*TRAIN, "--train", "train.txt", "--model", "OUT"], "--model", "--train", "train.txt"),
    (
        [*TRAIN, "--train", "train.txt", "--valid", "valid.txt", "--model", "OUT"],
        "--model", "--valid", "valid.txt",
    ),
    (
        [*TRAIN, "--train", "train.txt", "--test", "test.txt", "--model", "OUT"],
        "--model", "--test", "test.txt",
    ),
    (
        [*TRAIN, "--train", "train.txt", "--config", "run.toml", "--model", "OUT"],
        "--model", "--config", "run.toml",
    ),
    (
        [*TRAIN, "--train", "train.txt", "--init-model", "m.rf", "--model", "OUT"],
        "--model", "--init-model", "m.rf",
    ),
    (
        [*TRAIN, "--train", "train.txt", "--init-score", "s.txt", "--model", "OUT"],
        "--model", "--init-score", "s.txt",
    ),
    (
        [*TRAIN, "--train", "train.txt", "--valid", "valid.txt", "--model", "x", "--history", "OUT"],
        "--history", "--valid", "valid.txt",
    ),
    (
        ["ltr-score", "--model", "m.rf", "--data", "test.txt", "--output", "OUT"],
        "--output", "--data", "test.txt",
    ),
    (
        ["ltr-score", "--model", "m.rf", "--data", "test.txt", "--output", "OUT"],
        "--output", "--model", "m.rf",
    ),
    (
        ["ltr-score", "--model", "m.rf", "--data", "test.txt", "--budget", "9",
         "--feature-costs", "costs.txt", "--output", "OUT"],
        "--output", "--feature-costs", "costs.txt",
    ),
    (
        ["ltr-convert", "--model", "m.rf", "--to", "json", "--output", "OUT"],
        "--output", "--model", "m.rf",
    ),
    (
        ["ltr-eval", "--data", "test.txt", "n=m.rf", "--write-run", "OUT"],
        "--write-run", "FILES", "m.rf",
    ),
    (
        ["ltr-eval", "--data", "test.txt", "--scores", "s.txt", "--write-qrels", "OUT"],
        "--write-qrels", "--scores", "s.txt",
    ),
]  # fmt: skip


@pytest.mark.parametrize("link", ["same", "other spelling", "symbolic", "hard"])
@pytest.mark.parametrize("clash", CLASHES)
def test_an_output_never_takes_the_place_of_an_input(capsys, folder, clash, link):
    arguments, output, read, name = clash
    path = {"same": name, "other spelling": f"../{folder.name}/./{name}"}.get(link, "link")
    if link == "symbolic":
        Path(path).symlink_to(name)
    elif link == "hard":
        os.link(name, path)
    before = contents(folder)
    ended = call(capsys, *[path if each == "OUT" else each for each in arguments])
    line = f"{arguments[0]}: {output} would overwrite {read}: both are {path}\n"
    assert (ended.status, ended.out, ended.err) == (2, "", line)
    assert contents(folder) == before


@pytest.mark.parametrize("link", ["same", "symbolic"])
def test_two_outputs_are_two_files(capsys, folder, link):
    if link == "symbolic":
        Path("two").symlink_to("one")
    second = "one" if link == "same" else "two"
    ended = call(
        capsys, *TRAIN, "--train", "train.txt", "--valid", "valid.txt", "--model", "one",
        "--history", second,
    )  # fmt: skip
    assert ended.status == 2
    assert ended.err == "ltr-train: --model and --history are the same file, one\n"
    assert not Path("one").exists()


def test_a_clash_in_a_configuration_is_found_and_what_the_command_line_overrides_is_none(
    capsys, folder
):
    Path("run.toml").write_text('model = "train.txt"\ntrain = "train.txt"\n')
    ended = call(capsys, *TRAIN, "--config", "run.toml")
    assert ended.err == "ltr-train: --model would overwrite --train: both are train.txt\n"
    assert call(capsys, *TRAIN, "--config", "run.toml", "--model", "new.rf").status == 0


def test_devices_may_be_named_twice(capsys, folder):
    ended = call(
        capsys, *TRAIN, "--train", "train.txt", "--valid", "valid.txt", "--model", "/dev/null",
        "--history", "/dev/null",
    )  # fmt: skip
    assert ended.status == 0


WRITING = [
    [*TRAIN, "--train", "train.txt", "--model", "new"],
    ["ltr-score", "--model", "m.rf", "--data", "test.txt", "--output", "new"],
    ["ltr-convert", "--model", "m.rf", "--to", "json", "--output", "new"],
    ["ltr-eval", "--data", "test.txt", "--model", "m.rf", "--write-run", "new"],
    ["ltr-eval", "--data", "test.txt", "--model", "m.rf", "--write-qrels", "new"],
]


@pytest.mark.parametrize("arguments", WRITING)
def test_every_command_replaces_a_file_that_exists_unless_told_not_to(capsys, folder, arguments):
    Path("new").write_text("old")
    ended = call(capsys, *arguments, "--no-overwrite")
    option = next(each for each in arguments if arguments[arguments.index(each) + 1] == "new")
    message = f"{arguments[0]}: {option} new exists; without --no-overwrite it is replaced\n"
    assert (ended.status, ended.out, ended.err) == (2, "", message)
    assert Path("new").read_text() == "old"
    assert call(capsys, *arguments).status == 0
    replaced = Path("new").read_bytes()
    assert replaced != b"old"
    Path("new").unlink()
    assert call(capsys, *arguments, "--no-overwrite").status == 0
    assert Path("new").read_bytes() == replaced


def test_a_name_may_be_as_long_as_the_file_system_lets_it_be(capsys, folder):
    longest = "n" * 255
    for arguments in WRITING:
        before = names_in(folder)
        assert call(capsys, *[longest if each == "new" else each for each in arguments]).status == 0
        assert names_in(folder) == sorted([*before, longest])
        Path(longest).unlink()
        ended = call(capsys, *["n" * 256 if each == "new" else each for each in arguments])
        assert (ended.status, ended.out) == (2, "")
        assert "cannot be written: File name too long" in ended.err


def test_a_tilde_is_the_home_folder_everywhere(capsys, folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir("/")
    assert call(capsys, *TRAIN, "--train", "~/train.txt", "--model", "~/new.rf").status == 0
    assert rf.load("~/new.rf") == rf.load(folder / "new.rf")
    ended = call(capsys, "ltr-eval", "--data", "~/test.txt", "new=~/new.rf", "--scores=~/s.txt")
    assert (ended.status, ended.err) == (0, "")
    (folder / "run.toml").write_text('train = "~/train.txt"\nmodel = "~/config.rf"\n')
    assert call(capsys, *TRAIN, "--config=~/run.toml").status == 0
    assert (folder / "config.rf").read_bytes() == (folder / "new.rf").read_bytes()


class TestStandardInput:
    @pytest.fixture
    def stdin(self, monkeypatch, folder):
        """Replace stdin by a file."""

        def replace(name):
            file = (folder / name).open(encoding="utf-8")
            monkeypatch.setattr("sys.stdin", file)
            return file

        return replace

    def test_gives_the_data(self, capsys, folder, stdin):
        expected = call(capsys, "ltr-score", "--model", "m.rf", "--data", "test.txt")
        with stdin("test.txt"):
            ended = call(capsys, "ltr-score", "--model", "m.rf", "--data", "-")
        assert (ended.status, ended.err, ended.out) == (0, "", expected.out)

    def test_gives_the_data_of_models_that_read_it_each_in_its_way(self, capsys, folder, stdin):
        rf.MART(n_estimators=2).fit(rf.read_letor("train.txt", absent="nan")).save("nan.rf")
        arguments = ["ltr-eval", "m.rf", "nan.rf", "--zero-based", "auto", "--data"]
        expected = call(capsys, *arguments, "test.txt")
        with stdin("test.txt"):
            ended = call(capsys, *arguments, "-")
        assert (ended.status, ended.out) == (0, expected.out)

    def test_gives_scores(self, capsys, folder, stdin):
        expected = call(capsys, "ltr-eval", "--data", "test.txt", "s=s.txt")
        with stdin("s.txt"):
            assert call(capsys, "ltr-eval", "--data", "test.txt", "s=-") == expected
        with stdin("s.txt"):
            assert call(capsys, "ltr-eval", "--data", "test.txt", "--scores", "s=-") == expected

    def test_trains(self, capsys, folder, stdin):
        with stdin("train.txt"):
            assert call(capsys, *TRAIN, "--train", "-", "--model", "new.rf").status == 0
        assert call(capsys, *TRAIN, "--train", "train.txt", "--model", "file.rf").status == 0
        assert Path("new.rf").read_bytes() == Path("file.rf").read_bytes()

    def test_is_named_where_its_text_is_bad(self, capsys, folder, stdin):
        Path("bad.txt").write_text("1 qid:1 1:x\n")
        with stdin("bad.txt"):
            ended = call(capsys, "ltr-score", "--model", "m.rf", "--data", "-")
        assert (ended.status, ended.err.startswith("ltr-score: stdin:1:11: ")) == (2, True)

    def test_is_read_once(self, capsys, folder):
        ended = call(capsys, *TRAIN, "--train", "-", "--valid", "-", "--model", "new.rf")
        message = "ltr-train: stdin can be read once; --train and --valid both name it\n"
        assert (ended.status, ended.err) == (2, message)


@pytest.mark.parametrize(
    "text",
    [b"\xef\xbb\xbf1\n2\n", b"1\n2\n\n", b"1\r\n2\r\n\r\n", b"1\n2", b" 1\n2 \n \n\n"],
)
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_scores_have_a_mark_at_the_start_blank_lines_at_the_end_or_are_compressed(
    capsys, tmp_path, text, suffix
):
    (tmp_path / "data").write_text("0 qid:1 1:1\n1 qid:1 1:2\n")
    path = tmp_path / f"s{suffix}"
    path.write_bytes(gzip.compress(text) if suffix else text)
    ended = call(capsys, "ltr-eval", "--data", tmp_path / "data", f"s={path}", "--metric", "mrr")
    assert (ended.status, ended.err) == (0, "")
    assert "mrr     1.0000" in ended.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n\n2\n", "s:2: must be one number, got a blank line"),
        ("\n1\n2\n", "s:1: must be one number, got a blank line"),
        ("1\nnan\n", "s:2: must be one number, got 'nan'"),
        ("1\n\n", "has 1 scores, but there are 2 documents"),
    ],
)
def test_scores_that_do_not_fit_the_documents_are_refused(capsys, tmp_path, text, message):
    (tmp_path / "data").write_text("0 qid:1 1:1\n1 qid:1 1:2\n")
    (tmp_path / "s").write_text(text)
    ended = call(capsys, "ltr-eval", "--data", tmp_path / "data", tmp_path / "s")
    assert ended.status == 2
    assert message in ended.err


@pytest.mark.parametrize(
    "name",
    [
        "ltr-train",
        "ltr-score",
        "ltr-eval",
        "ltr-convert",
        "ltr-blend",
        "ltr-prune",
        "ltr-exits",
        "ltr-transfer",
    ],
)
def test_h_is_help(capsys, name):
    ended = call(capsys, name, "-h")
    assert ended == call(capsys, name, "--help")
    assert ended.status == 0
    assert "--overwrite / --no-overwrite" in ended.out
    assert not re.search(r"--[a-z-]+-$", ended.out, re.MULTILINE)
