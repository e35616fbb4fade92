"""The options of `ltr-train` are the parameters of the estimators."""

import inspect

import pytest

from rankforest import IGBRT, RandomForest
from rankforest._parameters import RULES
from rankforest.cli.parameter_option import ParameterOption
from rankforest.cli.parameters import (
    ALGORITHMS,
    DECLARED_BY_COMMAND,
    all_parameters,
    build_estimator,
    parse_parameters,
)
from rankforest.cli.train import command

PYTHON_ONLY = {
    "callbacks",
    "early_stopping_set",
    "objective",
    "oob_score",
    "qid_column",
    "verbose",
    "warm_start",
}

DOCSTRING = """A title.

Parameters
----------
n_trees : int, default=5
    How many.
    Second line, see `max_depth` and `eval_set` [1]_.
max_depth : int, {"sqrt", "log2"} or None, default=None
    None is a value; ``x`` is code.

    A second paragraph.

Attributes
----------
other : int
    Not a parameter.
"""


def test_a_docstring_gives_types_and_running_text():
    assert parse_parameters(DOCSTRING) == {
        "n_trees": ("int", "How many. Second line, see --max-depth and --valid."),
        "max_depth": (
            'int, {"sqrt", "log2"} or None',
            "none is a value; x is code. A second paragraph.",
        ),
    }


def test_a_nested_docstring_speaks_of_the_nested_options():
    assert "--forest-max-depth" in parse_parameters(DOCSTRING, "forest_")["n_trees"][1]


def test_a_docstring_without_parameters_gives_none():
    assert parse_parameters("A title.\n\nReturns\n-------\nint\n") == {}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_parameter_that_text_can_give_is_an_option(algorithm):
    wanted = set(inspect.signature(ALGORITHMS[algorithm]).parameters) - PYTHON_ONLY
    if "forest" in wanted:
        wanted.remove("forest")
        inner = set(inspect.signature(RandomForest).parameters)
        not_its_own = PYTHON_ONLY | DECLARED_BY_COMMAND | {"validation_fraction"}
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


def test_every_parameter_is_explained_and_has_a_rule():
    for parameter in all_parameters():
        assert parameter.name in RULES
        for documented in parameter.by_algorithm.values():
            assert documented.text.endswith(".")


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
