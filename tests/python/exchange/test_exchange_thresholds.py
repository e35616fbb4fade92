"""Thresholds moved from one operator and width to another."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankforest.exchange import thresholds as th

float32s = st.floats(width=32, allow_nan=False)
finite32s = st.floats(width=32, allow_nan=False, allow_infinity=False)
doubles = st.floats(allow_nan=False)
LARGEST = np.finfo(np.float32).max


@pytest.mark.parametrize(
    ("value", "floor"),
    [
        (0.1, 0.09999999403953552),  # the nearest float32, 0.1000000015, is above
        (0.5, 0.5),
        (1e300, float(LARGEST)),
        (-1e300, -np.inf),
        (1e-60, 0.0),
        (-1e-60, -1.401298464324817e-45),
        (np.inf, np.inf),
        (-np.inf, -np.inf),
    ],
)
def test_the_largest_float32_up_to_a_double(value, floor):
    assert th.float32_at_most(value) == np.float32(floor)


@given(doubles, float32s)
@example(0.1, float(np.float32(0.1)))
def test_a_float32_is_up_to_a_double_and_its_floor_alike(threshold, x):
    value = np.float32(x)
    assert (np.float64(value) <= threshold) == bool(value <= th.float32_at_most(threshold))


@given(finite32s, float32s)
@example(0.0, 1e-45)
@example(float(LARGEST), float("inf"))
def test_up_to_a_number_is_below_the_next(threshold, x):
    limit, value = np.float32(threshold), np.float32(x)
    if np.isinf(value) and limit == LARGEST:
        return  # inf is not below the next one of the largest number, which is inf
    assert (value <= limit) == bool(value < th.next_up(limit))
    assert (value < limit) == bool(value <= th.next_down(limit))


@pytest.mark.parametrize("compare", [np.float32, np.float64])
@pytest.mark.parametrize("test", ["<=", "<"])
@given(threshold=doubles, x=float32s)
def test_what_a_system_sends_left_goes_left_here(test, compare, threshold, x):
    value = np.float32(x)
    with np.errstate(over="ignore"):
        limit = np.float64(threshold).astype(compare)
    if np.isneginf(limit) and np.isneginf(value):
        return  # no threshold sends -inf alone to the right: who reads one makes up for that
    goes = value.astype(compare) <= limit if test == "<=" else value.astype(compare) < limit
    assert bool(goes) == bool(value <= th.at_most(threshold, test, compare))


@given(finite32s, float32s)
def test_between_two_float32_both_operators_are_one(threshold, x):
    limit, value = np.float32(threshold), np.float64(np.float32(x))
    if limit == LARGEST:
        return
    middle = th.between(limit)
    assert (value < middle) == (value <= middle) == (value <= limit)


@given(finite32s, st.integers(-4, 4), st.booleans())
@example(1e-20, 1, True)
@example(1e-6, 1, True)
@example(-0.9999999, 1, False)
@example(32.0, 1, False)
def test_solr_gets_the_largest_sum_up_to_the_threshold(threshold, steps, fine):
    wanted = np.float32(threshold)
    written, exact = th.for_solr(wanted)
    total = written + th.SOLR_SLACK
    assert total <= wanted
    assert bool(exact) == bool(total == wanted)
    ulp = np.spacing(written if fine else max(abs(wanted), abs(written)))
    with np.errstate(over="ignore"):
        other = np.float32(written + np.float32(steps) * ulp) + th.SOLR_SLACK
    assert not total < other <= wanted
    assert np.float64(wanted) - np.float64(total) <= max(1.01e-6, abs(threshold) * 2.0**-22)


def test_solr_can_say_most_thresholds_exactly():
    _, exact = th.for_solr(np.array([0.0, 0.5, 3.25, 100.0, 1e10, np.inf], dtype=np.float32))
    assert exact.all()


@given(st.floats(-1e30, 1e30))
@example(0.9359916054564533)
@example(-0.0)
def test_the_parts_of_a_double_add_up_to_it(value):
    parts = th.float32_parts(value)
    assert len(parts) <= 3
    assert all(part == np.float32(part) for part in parts)
    assert abs(sum(parts) - value) <= 2.0**-150 + 0.0
    if abs(value) > 1e-20:
        assert sum(parts) == value
