"""Text on the command line becomes the value that it looks like, if a rule allows it."""

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankforest._settings.parameters import FLAG, NON_NEGATIVE, NONE, choice, fraction, integer
from rankforest.cli.values import Given, Value

COUNT_OR_SHARE = integer(1) | fraction("a fraction in (0, 1]", 1.0) | choice("sqrt") | NONE


def convert(text, rule):
    return Value(rule, "X").convert(text, None, None).value


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1), ("1.0", 1.0), ("0.5", 0.5), ("5e-1", 0.5), ("sqrt", "sqrt"), ("none", None)],
)
def test_the_form_of_the_text_decides_the_type(text, value):
    got = convert(text, COUNT_OR_SHARE)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize("text", ["0", "1.5", "-1", "nan", "inf", "Sqrt", "true", "", "1,2"])
def test_what_the_rule_does_not_allow_is_refused(text):
    with pytest.raises(click.BadParameter, match=r'must be .* or "sqrt" or none, got'):
        convert(text, COUNT_OR_SHARE)


def test_none_is_a_word_where_the_rule_has_it_as_a_word():
    assert convert("none", choice("none", "log")) == "none"


@pytest.mark.parametrize(("text", "value"), [("true", True), ("False", False)])
def test_true_and_false_are_flags(text, value):
    assert convert(text, FLAG) is value


def test_a_given_none_differs_from_nothing_given():
    assert Value(NONE, "X").convert("none", None, None) == Given(None)


def test_converting_twice_changes_nothing():
    once = Value(integer(1), "X").convert("3", None, None)
    assert Value(integer(1), "X").convert(once, None, None) == Given(3)


@given(st.floats(min_value=0.0, allow_nan=False, allow_infinity=False))
def test_every_number_survives_its_shortest_text(number):
    assert convert(repr(number), NON_NEGATIVE) == number
