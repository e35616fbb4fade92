"""What the commands say is in the words of the command line."""

import re
import warnings

import click
import pytest
from cli_cases import COMMANDS, call, write_files

import rankforest as rf
from rankforest.cli.messages import ALGORITHM_OF, in_options, speaking_of_options
from rankforest.cli.parameters import ALGORITHMS

FLAGS = {
    "eval_set": "--valid",
    "init_model": "--init-model",
    "max_features": "--max-features",
    "missing": "--missing",
    "zero_based": "--zero-based",
    "forest_missing": "--forest-missing",
}
#: What a user of the command line cannot write.
PYTHON = re.compile(r"\b(None|True|False|[Cc]allable|eval_set|fit|numpy|in Python|[a-z]+_[a-z_]+=)")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("MART: max_features is 9", "--max-features is 9"),
        ("MART.fit: max_features is 9", "--max-features is 9"),
        ("evaluate: the gain is large", "the gain is large"),
        ("LambdaMART learns from pairs", "lambdamart learns from pairs"),
        ("others as eval_set, or max_features.", "others as --valid, or --max-features."),
        ('missing="third" is missing', "--missing third is missing"),
        ('forest.missing="third"', "--forest-missing third"),
        ("zero_based=True, not zero_based=None", "--zero-based true, not --zero-based none"),
        ("eval_set: 'valid': no grades", "--valid: no grades"),
        ("X has 3 features, but MART is expecting 2 features as input.",
         "the data has 3 features, but the model takes 2 features."),
        ("found 'max_features=3' in X's init_model's", "found 'max_features=3' in X's --init-model's"),
        ("a/max_features.txt:3: bad, max_features/b, --max_features, ndcg(missing)",
         "a/max_features.txt:3: bad, max_features/b, --max_features, ndcg(missing)"),
    ],
)  # fmt: skip
def test_arguments_become_options_and_all_else_stays(message, expected):
    assert in_options(message, FLAGS) == expected


def test_every_estimator_is_called_by_its_algorithm():
    assert {each.__name__: name for name, each in ALGORITHMS.items()} == ALGORITHM_OF


def test_warnings_and_errors_of_a_block_are_turned():
    with pytest.warns(UserWarning, match="--max-features is large"), speaking_of_options(FLAGS):
        warnings.warn("max_features is large", UserWarning, stacklevel=1)
    with pytest.raises(ValueError, match="--max-features is 0"), speaking_of_options(FLAGS):
        raise ValueError("max_features is 0")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("messages"))
    data = rf.read_letor(folder / "train.txt")
    rf.MART(n_estimators=2).fit(data).model_.save(folder / "m.rf")
    (folder / "big.txt").write_text("40 qid:1 1:1\n1 qid:1 1:2\n0 qid:2 1:1\n1 qid:2 1:2\n")
    (folder / "s").write_text("0\n")
    return folder


@pytest.fixture
def train(capsys, files, tmp_path):
    """Run ltr-train on train.txt; give what is on stderr."""

    def run(algorithm, *arguments):
        ended = call(
            capsys, "ltr-train", "--algorithm", algorithm, "--train", files / "train.txt",
            "--model", tmp_path / "m.rf", "--n-estimators", 2, "--quiet", *arguments,
        )  # fmt: skip
        return ended.err

    return run


def test_a_warning_of_training_names_options(train, files):
    assert train("lambdamart", "--valid", files / "train.txt", "--early-stopping-rounds", 1) == (
        "ltr-train: warning: early stopping goes by 'valid', which is the training data. It says "
        "nothing about new queries: give others as --valid, or use --validation-fraction\n"
    )


def test_a_warning_of_evaluation_names_the_command_alone(capsys, files):
    ended = call(
        capsys, "ltr-eval", "--data", files / "big.txt", "--n-features", 6, files / "m.rf",
        "--metric", "ndcg@5",
    )  # fmt: skip
    assert ended.err.startswith("ltr-eval: warning: the gain of ndcg@5 is 2^grade - 1: ")


@pytest.mark.parametrize(
    ("algorithm", "arguments", "message"),
    [
        ("mart", ("--max-features", 99), "--max-features is 99, but the data has 6 features"),
        ("igbrt", ("--forest-max-features", 99),
         "--forest-max-features is 99, but the data has 6 features"),
        ("igbrt", ("--forest-max-features", 99, "--max-features", 2),
         "--max-features or --forest-max-features is 99, but the data has 6 features"),
        ("random_forest", ("--missing", "third", "--criterion", "entropy"),
         "--missing third needs --criterion squared_error"),
        ("igbrt", ("--forest-missing", "third", "--forest-criterion", "entropy"),
         "--forest-missing third needs --forest-criterion squared_error"),
        ("lambdamart", ("--pair-weighting", "5"),
         "--pair-weighting: must be \"mean\" or \"product\", got '5'"),
        ("mart", ("--random-state", "x"),
         "--random-state: must be none or an integer in [0, 2**64), got 'x'"),
        ("random_forest", ("--tree-weights", "expected_ndcg"),
         "--tree-weights expected_ndcg needs --valid or --validation-fraction"),
    ],
)  # fmt: skip
def test_an_error_of_training_names_the_option_that_was_given(train, algorithm, arguments, message):
    said = train(algorithm, *arguments)
    assert said.startswith(f"ltr-train: {message}")
    assert said.count("\n") == 1


def test_scores_of_a_set_are_those_of_its_option(train, files):
    train_scores = files / "train.scores"
    train_scores.write_text("0\n" * rf.read_letor(files / "train.txt").n_documents)
    said = train(
        "mart", "--valid", files / "valid.txt", "--init-score", train_scores, "--valid-init-score",
        files / "s",
    )  # fmt: skip
    assert said.startswith("ltr-train: --valid-init-score must have one score for each of the ")


def test_a_seed_of_a_comparison_is_one_that_text_can_give(capsys, files):
    ended = call(
        capsys, "ltr-eval", "--data", files / "test.txt", "--compare", "--random-state", "x",
        files / "m.rf", f"other={files / 'm.rf'}",
    )  # fmt: skip
    assert ended.err == (
        "ltr-eval: --random-state: must be none or an integer in [0, 2**64), got 'x'\n"
    )


@pytest.fixture
def inside(files, monkeypatch):
    """Work where the files are."""
    monkeypatch.chdir(files)


PAGES = [(name, ()) for name in COMMANDS] + [
    ("ltr-train", ("--algorithm", algorithm)) for algorithm in ALGORITHMS
]


@pytest.mark.parametrize(("name", "arguments"), PAGES)
def test_help_holds_nothing_that_only_python_has(capsys, name, arguments):
    ended = call(capsys, name, *arguments, "--help")
    assert ended.status == 0
    text = ended.out.replace("rankforest.drift", "")
    assert PYTHON.findall(text) == []
    assert not re.search(r"\|VALUE", text)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_says_of_all_data_that_it_may_be_a_table(capsys, name):
    text = " ".join(call(capsys, name, "--help").out.split())
    assert "LETOR text, Parquet or CSV" in text
    assert "LETOR files" not in text
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option) and option.name in {"train", "valid", "test", "data"}:
            assert not option.help.startswith("LETOR text to")


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("ltr-eval", ("--data", "no", "--write-run", "r", "--write-qrels", "q", "m.rf"),
         ["--data: File 'no' does not exist."]),
        ("ltr-convert", ("--data", "no", "--to", "csv"), ["--data: File 'no' does not exist."]),
        ("ltr-convert", ("--data", "no", "--to", "letor"), ["--data: File 'no' does not exist."]),
        ("ltr-train", ("--algorithm", "mart", "--train", "train.txt", "--model", "o", "--valid",
                       "no", "--history", "h", "--early-stopping-rounds", "3"),
         ["--valid: File 'no' does not exist."]),
        ("ltr-train", ("--algorithm", "mart", "--train", "train.txt", "--model", "o", "--history",
                       "h", "--validation-fraction", "7", "--early-stopping-rounds", "3"),
         ["--validation-fraction: must be in (0, 1) or none, got '7'"]),
        ("ltr-train", ("--algorithm", "mart", "--train", "train.txt", "--model", "o",
                       "--valid", "valid.txt", "--init-score", "no", "--valid-init-score", "s"),
         ["--init-score: File 'no' does not exist."]),
        ("ltr-score", ("--model", "m.rf", "--data", "test.txt", "--exit-every", "x",
                       "--exit-fraction", "0.5", "--tree-cost", "1"),
         ["--exit-every: must be an integer >= 1, got 'x'"]),
        ("ltr-eval", ("--data", "test.txt", "--run", "no", "--qrels", "s", "m.rf"),
         ["--run: File 'no' does not exist.",
          "--run is read in place of --data; give one of them, or --write-run to write it",
          "--qrels is read in place of --data; give one of them, or --write-qrels to write it"]),
    ],
)  # fmt: skip
def test_an_option_with_an_unusable_value_counts_as_given(
    capsys, inside, name, arguments, expected
):
    ended = call(capsys, name, *arguments)
    assert ended.status == 2
    assert ended.err.splitlines() == [f"{name}: {each}" for each in expected]


def test_a_value_that_a_configuration_file_gets_wrong_counts_as_given(train, tmp_path):
    (tmp_path / "c.toml").write_text("validation-fraction = 7\n")
    config = tmp_path / "c.toml"
    assert train("mart", "--config", config, "--early-stopping-rounds", 3) == (
        f"ltr-train: {config}: validation-fraction: must be in (0, 1) or none, got 7\n"
    )
