"""Docstrings become help texts that speak of the command line alone."""

import pytest

from rankforest.cli.prose import descriptions, sentences

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

TERMS = {"max_depth": "--max-depth", "criterion": "--criterion", "eval_set": "--valid"}


def test_a_docstring_gives_a_line_for_each_parameter():
    assert descriptions(DOCSTRING) == {
        "n_trees": "How many. Second line, see `max_depth` and `eval_set` [1]_.",
        "max_depth": "None is a value; ``x`` is code. A second paragraph.",
    }


def test_paragraphs_about_callables_are_left_out():
    docstring = DOCSTRING.replace("    A second", "    A callable gets all. Twice.\n\n    A second")
    assert docstring != DOCSTRING
    assert descriptions(docstring) == descriptions(DOCSTRING)


@pytest.mark.parametrize("docstring", ["", "A title.", "A title.\n\nReturns\n-------\nint\n"])
def test_a_docstring_without_parameters_gives_none(docstring):
    assert descriptions(docstring) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("One. Two: 0.5 of it.", ["One.", "Two: 0.5 of it."]),
        ("See `max_depth` and `eval_set` [1]_.", ["See --max-depth and --valid."]),
        ("As in [2]_, but more.", ["As in, but more."]),
        ('It is "exp2" or None. "third" is new.', ["It is exp2 or none.", "third is new."]),
        ('Under `criterion="random"` too.', ["Under --criterion random too."]),
        ("This stays. `history_` is Python's. ``x < 1`` stays.", ["This stays.", "x < 1 stays."]),
    ],
)
def test_sentences_are_those_of_the_command_line(text, expected):
    plain = [each.replace('"random"', "random") for each in sentences(text, TERMS)]
    assert plain == expected
