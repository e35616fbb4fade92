"""The options of `ltr-train` are the parameters of the estimators."""

import inspect
import os
import re
import subprocess

import pytest

from rankforest import IGBRT, RandomForest
from rankforest.cli.parameter_option import ParameterOption
from rankforest.cli.parameters import (
    ALGORITHMS,
    DECLARED_BY_COMMAND,
    all_parameters,
    build_estimator,
)
from rankforest.cli.train import command

#: What a forest and what boosts it have together.
OF_BOTH = {
    "validation_fraction", "categorical_features", "feature_costs", "tree_cost", "ordinal", "ordinal_scoring",
    "monotonic_cst", "interaction_cst", "max_features_used", "feature_weights",
}  # fmt: skip

PYTHON_ONLY = {
    "callbacks",
    "early_stopping_set",
    "oob_score",
    "qid_column",
    "verbose",
    "warm_start",
}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_parameter_that_text_can_give_is_an_option(algorithm):
    wanted = set(inspect.signature(ALGORITHMS[algorithm]).parameters) - PYTHON_ONLY
    if algorithm == "mart":
        wanted.remove("objective")  # those that have a name are LambdaMART's
    if "forest" in wanted:
        wanted.remove("forest")
        inner = set(inspect.signature(RandomForest).parameters)
        not_its_own = PYTHON_ONLY | DECLARED_BY_COMMAND | OF_BOTH
        wanted |= {f"forest_{name}" for name in inner - not_its_own}
    offered = {p.key for p in all_parameters() if algorithm in p.by_algorithm}
    assert wanted == offered | DECLARED_BY_COMMAND
    assert wanted <= {option.name for option in command.params}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_defaults_are_those_of_the_signature(algorithm):
    signature = inspect.signature(ALGORITHMS[algorithm]).parameters
    for parameter in all_parameters():
        if algorithm in parameter.by_algorithm and parameter.owner is None:
            assert parameter.by_algorithm[algorithm].default == signature[parameter.name].default


def test_every_parameter_has_a_rule_that_says_what_its_values_look_like():
    for parameter in all_parameters():
        assert "VALUE" not in parameter.rule.metavar


def test_every_parameter_is_explained_in_whole_sentences():
    for parameter in all_parameters():
        for documented in parameter.by_algorithm.values():
            assert documented.sentences
            for sentence in documented.sentences:
                assert sentence.endswith(".")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_explanations_hold_nothing_that_only_a_docstring_can(algorithm):
    for parameter in all_parameters():
        if algorithm in parameter.by_algorithm:
            text = " ".join(parameter.by_algorithm[algorithm].sentences)
            # Markup, citations and the holes that they leave, quotes, names of attributes, Python.
            found = re.findall(r"[`\"_]\W|\W_|\[\d|\(\s*[,;)]|\s[,.;)]|\b(?:None|True|fit)\b", text)
            assert not found, (parameter.key, text)
            assert text.count("(") == text.count(")") + text.count("(0, 1]")


def test_without_docstrings_the_commands_still_work(tmp_path):
    data = tmp_path / "train.txt"
    data.write_text("".join(f"{i % 2} qid:{i // 4} 1:{i}\n" for i in range(16)))
    environment = os.environ | {"PYTHONOPTIMIZE": "2"}

    def status(*arguments):
        return subprocess.run(arguments, env=environment, capture_output=True, check=False)

    ended = status(
        "ltr-train", "--algorithm", "mart", "--train", data, "--model", tmp_path / "m.rf",
        "--n-estimators", "2", "--max-features", "none",
    )  # fmt: skip
    assert (ended.returncode, (tmp_path / "m.rf").exists()) == (0, True), ended.stderr
    commands = ("score", "eval", "convert", "tune", "blend", "prune")
    for command_name in ("ltr-train", *(f"ltr-{name}" for name in commands)):
        ended = status(command_name, "--help")
        assert (ended.returncode, ended.stderr) == (0, b"")
        assert b"--version" in ended.stdout
    assert b"--n-estimators INT" in status("ltr-train", "--algorithm", "mart", "-h").stdout


def test_option_names_are_unique():
    flags = [flag for option in command.params for flag in (*option.opts, *option.secondary_opts)]
    assert len(flags) == len(set(flags))


def test_flags_are_options_with_an_opposite():
    (bootstrap,) = [p for p in all_parameters() if p.key == "bootstrap"]
    option = ParameterOption(bootstrap)
    assert (option.opts, option.secondary_opts) == (["--bootstrap"], ["--no-bootstrap"])


def test_nested_parameters_make_the_nested_estimator():
    estimator = build_estimator("igbrt", {"n_estimators": 3, "forest_max_depth": 2})
    assert isinstance(estimator, IGBRT)
    assert estimator.n_estimators == 3
    assert estimator.forest.get_params() == RandomForest(max_depth=2).get_params()


def test_without_nested_parameters_the_default_stays():
    assert build_estimator("igbrt", {"n_estimators": 3}).forest is None
