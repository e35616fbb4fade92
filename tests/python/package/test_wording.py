"""What messages about names have in common."""

import numpy as np
import pytest

from rankforest._support.wording import described, first_of, nearest


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("query", "Query"),
        ("QUERY_ID", "query_id"),
        ("qeury_id", "query_id"),
        ("price", None),
        ("", None),
    ],
)
def test_the_name_that_was_meant_is_close_in_any_case(name, expected):
    assert nearest(name, ["Query", "query_id", 7]) == expected


def test_nothing_is_close_where_there_is_nothing():
    assert nearest("a", []) is None


@pytest.mark.parametrize(
    ("n", "expected"),
    [(0, ""), (1, "0"), (3, "0, 1, 2"), (4, "0, 1, 2 and 1 more"), (9, "0, 1, 2 and 6 more")],
)
def test_a_long_list_says_how_many_it_leaves_out(n, expected):
    assert first_of([str(i) for i in range(n)], 3) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, "an int"),
        ("x", "a str"),
        (np.zeros(1), "an ndarray"),
        (None, "a NoneType"),
        (int, "the class int"),
    ],
)
def test_a_value_is_described_with_its_article(value, expected):
    assert described(value) == expected
