"""`ltr-train` explains its options, and everything that is unusable about them, at once."""

import os

import pytest
from cli_cases import call, names_in, write_files

import rankforest


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_files(tmp_path_factory.mktemp("letor"))


@pytest.fixture
def complain(capsys, files, tmp_path):
    """Run with unusable arguments; returns what was said, line by line."""

    def attempt(*arguments, algorithm="mart"):
        ended = call(
            capsys, "ltr-train", "--algorithm", algorithm, "--train", files / "train.txt",
            "--model", tmp_path / "m.rf", *arguments,
        )  # fmt: skip
        assert (ended.status, ended.out) == (2, "")
        assert names_in(tmp_path) == []
        lines = ended.err.splitlines()
        assert all(line.startswith("ltr-train: ") for line in lines)
        return [line.removeprefix("ltr-train: ") for line in lines]

    return attempt


def test_a_misspelt_option_is_named_with_the_right_one(complain):
    (line,) = complain("--max-dpeth", 3)
    assert "--max-dpeth" in line
    assert "--max-depth" in line


def test_a_misspelt_algorithm_is_answered_with_all_of_them(complain):
    (line,) = complain(algorithm="lambdmart")
    for name in ("random_forest", "extra_trees", "mart", "igbrt", "lambdamart", "dart", "xdart"):
        assert f"'{name}'" in line


def test_a_parameter_of_another_algorithm_names_its_algorithms(complain):
    assert complain("--learning-rate", 0.1, algorithm="random_forest") == [
        (
            "--learning-rate is a parameter of mart, igbrt, lambdamart, bagged_lambdamart, selgb, dart, "
            "xdart, broof, not of random_forest"
        )
    ]
    assert complain("--forest-max-depth", 3, algorithm="mart") == [
        "--forest-max-depth is a parameter of igbrt, not of mart"
    ]
    assert complain("--no-bootstrap", algorithm="mart") == [
        "--bootstrap is a parameter of random_forest, extra_trees, not of mart"
    ]


@pytest.mark.parametrize(
    ("option", "value", "expectation"),
    [
        ("--n-estimators", "0", "an integer >= 1"),
        ("--n-estimators", "2.0", "an integer >= 1"),
        ("--learning-rate", "1.5", "in (0, 1] or none"),
        ("--learning-rate", "nan", "in (0, 1] or none"),
        ("--max-depth", "deep", "an integer >= 1 or none"),
        ("--random-state", "-1", "none or an integer in [0, 2**64)"),
        ("--n-jobs", "0", "none or an integer other than 0"),
        ("--zero-based", "maybe", 'true or false or "auto"'),
        ("--absent", "1", "0 or nan"),
        ("--n-features", "0", "an integer >= 1"),
    ],
)
def test_a_value_out_of_range_is_refused_with_what_fits(complain, option, value, expectation):
    assert complain(option, value) == [f"{option}: must be {expectation}, got {value!r}"]


def test_a_misspelt_metric_is_answered_with_all_of_them(complain):
    (line,) = complain("--metric", "ndgc@10")
    assert line.startswith("--metric: ")
    assert "ndcg" in line


def test_everything_unusable_is_reported_at_once(complain, tmp_path):
    lines = complain(
        "--n-estimators", 0, "--metric", "x", "--sigma", 1, "--early-stopping-rounds", 0,
        "--history", tmp_path / "missing" / "h.csv", "--valid", tmp_path / "v.txt",
    )  # fmt: skip
    flags = ("--n-estimators", "--metric", "--valid", "--sigma", "--early-stopping-rounds")
    for flag in (*flags, "--history"):
        assert any(line.startswith(flag) for line in lines)


def test_what_needs_validation_data_says_so(complain, tmp_path):
    assert complain("--early-stopping-rounds", 5) == [
        "--early-stopping-rounds needs --valid or --validation-fraction, which says when to stop"
    ]
    assert complain("--history", tmp_path / "h.csv") == [
        "--history needs --valid or --validation-fraction, which is measured after each round"
    ]


def test_a_model_that_cannot_be_written_is_found_before_anything_is_read(capsys, tmp_path):
    (tmp_path / "train.txt").write_text("this is no LETOR text\n")
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", "--train", tmp_path / "train.txt",
        "--model", tmp_path / "missing" / "m.rf",
    )  # fmt: skip
    assert ended.status == 2
    assert ended.err == (
        f"ltr-train: --model {tmp_path / 'missing' / 'm.rf'} cannot be written: {os.strerror(2)}\n"
    )


def test_a_model_is_not_for_stdout(complain):
    assert complain("--model", "-") == ["--model: must be a file, not stdout"]


def test_unusable_data_is_named_by_file_line_and_column(capsys, files, tmp_path):
    path = tmp_path / "valid.txt"
    path.write_text("1 qid:1 1:0.5\n0 qid:1 1:x\n")
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", "--train", files / "train.txt",
        "--valid", path, "--model", tmp_path / "m.rf",
    )  # fmt: skip
    assert ended.status == 2
    assert ended.err.startswith(f"ltr-train: {path}:2:11: ")
    assert names_in(tmp_path) == ["valid.txt"]


def test_validation_data_wider_than_the_training_data_is_refused(capsys, files, tmp_path):
    path = tmp_path / "valid.txt"
    path.write_text("1 qid:1 7:0.5\n0 qid:1 1:2\n")
    ended = call(
        capsys, "ltr-train", "--algorithm", "mart", "--train", files / "train.txt",
        "--valid", path, "--model", tmp_path / "m.rf",
    )  # fmt: skip
    assert ended.status == 2
    assert f"{path}:1:9:" in ended.err
    assert "expected an index <= 6, the number of features" in ended.err


def test_no_argument_at_all_points_to_the_help(capsys):
    ended = call(capsys, "ltr-train")
    assert ended.status == 2
    assert ended.err.splitlines()[-1] == "ltr-train: see ltr-train --help"
    assert "--algorithm" in ended.err


def test_help_explains_each_parameter_with_its_default(capsys):
    text = " ".join(call(capsys, "ltr-train", "--help").out.split())
    assert "Parameters of every algorithm:" in text
    assert "[default: none; mart, igbrt: 3]" in text
    assert "--forest-n-estimators" not in text
    assert "Nodes further down" not in text  # the second sentence about --listwise-levels


def test_help_of_one_algorithm_has_its_parameters_alone(capsys):
    text = " ".join(call(capsys, "ltr-train", "--algorithm", "lambdamart", "--help").out.split())
    assert "Parameters of lambdamart:" in text
    assert "Most leaves of a tree. none sets no limit. [default: 31]" in text
    assert "--bootstrap" not in text
    assert "--forest-n-estimators" not in text
    assert call(capsys, "ltr-train", "--help", "--algorithm=mart").out.count("--init ") == 1
    igbrt = " ".join(call(capsys, "ltr-train", "--algorithm", "igbrt", "-h").out.split())
    assert "--forest-n-estimators INT Number of trees." in igbrt


def test_version_is_that_of_the_package(capsys):
    assert call(capsys, "ltr-train", "--version").out == f"ltr-train {rankforest.__version__}\n"
