"""How good the best of k trials is: the closed form against what it stands for."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankforest.tuning.curve import expected_of_best


def test_three_trials_by_hand():
    # Best first: trial 1 (0.9), trial 0 (0.5), trial 2 (0.1). One of the three: the mean of all.
    # Two: 1 wins in two of the three pairs, 0 in one. Three: 1 wins.
    valid, test = np.array([0.5, 0.9, 0.1]), np.array([6.0, 3.0, 9.0])
    np.testing.assert_allclose(
        expected_of_best(valid, test, maximize=True), [6.0, (3 + 3 + 6) / 3, 3.0], rtol=1e-15
    )
    np.testing.assert_allclose(
        expected_of_best(valid, test, maximize=False), [6.0, (9 + 9 + 6) / 3, 9.0], rtol=1e-15
    )


values = st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), min_size=1, max_size=6)


@given(values, st.booleans())
def test_it_is_the_mean_over_all_orders(pairs, maximize):
    chooser, value = np.array(pairs, dtype=np.float64).T
    sign = 1 if maximize else -1
    sums, n_orders = np.zeros(len(pairs)), 0
    for order in permutations(range(len(pairs))):
        n_orders += 1
        best = None
        for k, i in enumerate(order):
            if best is None or sign * chooser[i] > sign * chooser[best]:
                best = i
            sums[k] += value[best]
    np.testing.assert_allclose(
        expected_of_best(chooser, value, maximize=maximize), sums / n_orders, atol=1e-12
    )


def test_it_is_what_draws_without_replacement_tend_to():
    rng = np.random.default_rng(0)
    chooser, value = rng.normal(size=(2, 9))
    curve = expected_of_best(chooser, value, maximize=True)
    for k in range(1, 10):
        drawn = [value[max(c, key=lambda i: chooser[i])] for c in combinations(range(9), k)]
        assert curve[k - 1] == pytest.approx(np.mean(drawn), abs=1e-12)


def test_a_thousand_trials_keep_the_chances_exact():
    n = 1008
    flat = expected_of_best(np.arange(n, dtype=float), np.ones(n), maximize=True)
    np.testing.assert_allclose(flat, 1.0, atol=1e-12)
    rising = expected_of_best(np.arange(n, dtype=float), np.arange(n, dtype=float), maximize=True)
    k = np.arange(1, n + 1)
    np.testing.assert_allclose(rising, k * (n + 1) / (k + 1) - 1, rtol=1e-10)  # of order statistics


def test_the_order_of_the_trials_does_not_matter():
    rng = np.random.default_rng(1)
    chooser, value = rng.integers(0, 5, size=(2, 20)).astype(float)
    order = rng.permutation(20)
    np.testing.assert_allclose(
        expected_of_best(chooser, value, maximize=True),
        expected_of_best(chooser[order], value[order], maximize=True),
        atol=1e-12,
    )
