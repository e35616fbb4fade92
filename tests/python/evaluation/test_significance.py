"""The paired tests are SciPy's, exact where all permutations fit, and do not depend on order."""

import itertools
import math
from dataclasses import astuple, replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankforest._evaluation.significance import Procedure, compare_pair, holm, with_holm

PROCEDURE = Procedure(
    n_permutations=10_000, n_resamples=2_000, confidence_level=0.95, seed=0, n_threads=1
)

# Values with ties and zeros among their differences, and values without.
tenths = st.integers(0, 10).map(lambda n: n / 10)
units = st.floats(0, 1, allow_subnormal=False)
values_of_queries = st.one_of(
    st.lists(st.tuples(kind, kind), min_size=2, max_size=40) for kind in (tenths, units)
)
# Between 9 and 13 queries SciPy takes its time to count.
values_for_scipy = st.one_of(
    st.lists(st.tuples(kind, kind), min_size=low, max_size=high)
    for kind in (tenths, units)
    for low, high in ((2, 8), (14, 60))
)


def compared(a, b, weights=None, *, maximize=True, **changes):
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    weights = np.ones(len(a)) if weights is None else np.asarray(weights, dtype=np.float64)
    return compare_pair(
        "a", "b", (a, b), weights, maximize=maximize, procedure=replace(PROCEDURE, **changes)
    )


def random_values(n, seed, shift=0.03):
    rng = np.random.default_rng(seed)
    base = rng.uniform(size=n)
    return base + rng.normal(shift, 0.2, n), base + rng.normal(0, 0.2, n)


def exact_p_value(differences):
    """Count every assignment of signs, each sum rounded once."""
    observed = abs(math.fsum(differences))
    sums = [
        abs(math.fsum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(each >= observed - 1e-9 for each in sums) / len(sums)


@pytest.fixture(scope="module")
def pair():
    return compared([0.8, 0.7, 0.2, 0.5], [0.5, 0.5, 0.3, 0.5])


class TestATableComputedByHand:
    """Differences 0.3, 0.2, -0.1 and 0 on four queries."""

    def test_the_difference_is_the_mean(self, pair):
        assert pair.difference == pytest.approx(0.1, rel=1e-15)

    def test_queries_are_won_tied_and_lost(self, pair):
        assert (pair.wins, pair.ties, pair.losses) == (2, 1, 1)

    def test_cohen_d_is_the_mean_over_the_standard_deviation(self, pair):
        # Squared deviations 0.04 + 0.01 + 0.04 + 0.01 over 3.
        assert pair.effect_size == pytest.approx(0.1 / math.sqrt(0.1 / 3), rel=1e-14)

    def test_t_is_that_times_the_root_of_n(self, pair):
        assert pair.t.statistic == pytest.approx(2 * 0.1 / math.sqrt(0.1 / 3), rel=1e-14)
        # The distribution of t with 3 degrees of freedom has a closed form.
        t = pair.t.statistic / math.sqrt(3)
        tail = 0.5 - (t / (1 + t * t) + math.atan(t)) / math.pi
        assert pair.t.p_value == pytest.approx(2 * tail, rel=1e-12)

    def test_wilcoxon_sums_the_ranks_of_what_is_not_zero(self, pair):
        # Ranks 3, 2 and -1: of 8 assignments of signs, 2 have a sum of 0, 2 of 1, ...
        assert pair.wilcoxon.statistic == 1.0
        assert pair.wilcoxon.p_value == 0.5

    def test_randomisation_counts_assignments_of_signs(self, pair):
        # Of the sums of +-3 +-2 +-1, 4 of 8 are at least 4 away from 0.
        assert (pair.randomisation.p_value, pair.n_permutations, pair.exact) == (0.5, 8, True)
        assert pair.randomisation.statistic == pair.difference


class TestPValuesAreThoseOfSciPy:
    @given(values_of_queries)
    def test_of_t(self, pairs):
        a, b = np.array(pairs).T
        assume(np.ptp(a - b) > 1e-9)
        expected = scipy.stats.ttest_rel(a, b)
        found = compared(a, b, n_permutations=1, n_resamples=1).t
        np.testing.assert_allclose(astuple(found)[:2], expected, rtol=1e-9, atol=1e-12)

    @given(values_for_scipy)
    @example([(0.1 * i, 0.1 * (i % 4)) for i in range(13)])
    @example([(0.1 * i, 0.1 * (i % 4)) for i in range(14)])
    @example([(1.0 / (i + 3), 0.3) for i in range(13)])
    def test_of_wilcoxon(self, pairs):
        a, b = np.array(pairs).T
        differences = np.where(np.isclose(a, b, rtol=1e-12, atol=0), 0, a - b)
        assume(differences.any())
        expected = scipy.stats.wilcoxon(differences)
        found = compared(a, b, n_permutations=1, n_resamples=1).wilcoxon
        assert astuple(found)[:2] == pytest.approx((expected.statistic, expected.pvalue), rel=1e-12)

    @pytest.mark.parametrize("n", [30, 400])
    @pytest.mark.parametrize("seed", range(4))
    def test_of_randomisation_within_the_error_of_drawing(self, n, seed):
        a, b = random_values(n, seed)
        draws = 10_000
        expected = scipy.stats.permutation_test(
            (a, b), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
            vectorized=True, n_resamples=draws, rng=np.random.default_rng(seed), batch=1000,
        ).pvalue  # fmt: skip
        found = compared(a, b, n_permutations=draws).randomisation.p_value
        error = math.sqrt(2 * expected * (1 - expected) / draws)
        # SciPy doubles the smaller tail, which doubles the variance.
        assert found == pytest.approx(expected, abs=4 * math.sqrt(2) * error + 2 / draws)

    @pytest.mark.parametrize("n", [2, 3, 9, 12])
    def test_of_randomisation_where_all_are_counted(self, n):
        a, b = random_values(n, n)
        expected = scipy.stats.permutation_test(
            (a, b), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
            vectorized=True, n_resamples=10_000,
        ).pvalue  # fmt: skip
        found = compared(a, b)
        assert found.exact
        assert found.randomisation.p_value == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize("seed", range(4))
    def test_of_the_bootstrap_interval_within_the_error_of_drawing(self, seed):
        a, b = random_values(60, seed)
        # A long tail, so that the corrections matter.
        differences = np.exp(3 * (a - b))
        found = compared(differences, np.zeros(60), n_resamples=20_000).interval
        expected = scipy.stats.bootstrap(
            (differences,), np.mean, method="BCa", n_resamples=20_000, batch=1000,
            rng=np.random.default_rng(seed),
        ).confidence_interval  # fmt: skip
        error = differences.std() / math.sqrt(60)
        np.testing.assert_allclose(found, expected, atol=0.08 * error)
        assert found[0] < differences.mean() < found[1]


@given(st.lists(tenths, min_size=2, max_size=7))
def test_the_exact_randomisation_test_is_a_naive_enumeration(differences):
    found = compared(differences, [0.3] * len(differences), n_resamples=1)
    expected = exact_p_value([d - 0.3 for d in differences])
    assert found.exact
    assert found.randomisation.p_value == expected


class TestHolm:
    def test_is_the_table_computed_by_hand(self):
        # 4 x 0.005, 3 x 0.01, 2 x 0.03 and 0.04, which must not fall below 0.06.
        assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
        assert holm([0.6, 0.5]) == [1.0, 1.0]
        assert holm([0.2]) == [0.2]
        assert holm([]) == []

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
    def test_rejects_what_closed_testing_by_bonferroni_rejects(self, p_values):
        """Holm's method: a hypothesis falls if each set of hypotheses with it falls."""
        for i, corrected in enumerate(holm(p_values)):
            sets = (
                subset
                for size in range(1, len(p_values) + 1)
                for subset in itertools.combinations(range(len(p_values)), size)
                if i in subset
            )
            highest = max(len(each) * min(p_values[k] for k in each) for each in sets)
            assert corrected == pytest.approx(min(1.0, highest))

    def test_corrects_each_test_by_itself(self):
        pairs = [compared(*random_values(50, seed, shift=0.1)) for seed in range(3)]
        corrected = with_holm(pairs)
        for name in ("t", "wilcoxon", "randomisation"):
            assert [pair.test(name).p_holm for pair in corrected] == holm(
                [pair.test(name).p_value for pair in pairs]
            )
            assert [pair.test(name).p_value for pair in corrected] == [
                pair.test(name).p_value for pair in pairs
            ]

    def test_leaves_a_single_pair_as_it_is(self):
        (pair,) = with_holm([compared(*random_values(50, 1))])
        assert pair.t.p_holm == pair.t.p_value


class TestInvariants:
    @given(values_of_queries)
    @example([(0.5, 0.25), (0.25, 0.5), (0.5, 0.25), (0.25, 0.5)])
    @example([(0.0, 0.0), (0.0, 0.0)])
    def test_swapping_the_systems_mirrors_every_bit(self, pairs):
        a, b = np.array(pairs).T
        one = compared(a, b, n_permutations=50, n_resamples=50)
        other = compared(b, a, n_permutations=50, n_resamples=50)
        assert other.difference == -one.difference
        assert other.interval == (-one.interval[1], -one.interval[0])
        assert other.effect_size == -one.effect_size
        assert (other.wins, other.ties, other.losses) == (one.losses, one.ties, one.wins)
        assert other.t == replace(one.t, statistic=-one.t.statistic)
        assert other.wilcoxon == one.wilcoxon
        assert other.randomisation.p_value == one.randomisation.p_value

    @given(values_of_queries, st.randoms(use_true_random=False))
    def test_the_order_of_queries_changes_no_bit(self, pairs, random):
        shuffled = random.sample(pairs, len(pairs))
        one = compared(*np.array(pairs).T, n_permutations=50, n_resamples=50)
        assert compared(*np.array(shuffled).T, n_permutations=50, n_resamples=50) == one

    @pytest.mark.parametrize("n", [10, 500])
    def test_threads_change_no_bit(self, n):
        a, b = random_values(n, 3)
        one = compared(a, b)
        assert all(compared(a, b, n_threads=threads) == one for threads in (2, 5))

    def test_seeds_change_what_is_drawn_only(self):
        a, b = random_values(100, 3)
        one, other = compared(a, b, seed=1), compared(a, b, seed=2)
        assert one.randomisation.p_value != other.randomisation.p_value
        assert one.interval != other.interval
        assert (one.t, one.wilcoxon) == (other.t, other.wilcoxon)

    def test_a_shift_of_both_systems_changes_nothing(self):
        # Sixteenths, so that sums with whole numbers are exact.
        a, b = (np.round(16 * values) / 16 for values in random_values(80, 4))
        assert compared(a + 3, b + 3) == compared(a, b)

    @pytest.mark.parametrize("exponent", [-900, -3, 900])
    def test_a_scale_of_both_systems_scales_the_difference_alone(self, exponent):
        a, b = random_values(80, 5)
        one = compared(a, b)
        other = compared(np.ldexp(a, exponent), np.ldexp(b, exponent))
        assert other.difference == math.ldexp(one.difference, exponent)
        assert other.interval == tuple(math.ldexp(end, exponent) for end in one.interval)
        assert (other.t, other.effect_size) == (one.t, one.effect_size)
        assert other.randomisation.p_value == one.randomisation.p_value

    def test_where_less_is_better_wins_are_losses(self):
        a, b = random_values(80, 6)
        more, less = compared(a, b), compared(a, b, maximize=False)
        assert (less.wins, less.losses) == (more.losses, more.wins)
        assert less == replace(more, wins=less.wins, losses=less.losses)


class TestWeights:
    def test_that_are_equal_change_nothing(self):
        a, b = random_values(50, 1)
        assert compared(a, b, np.full(50, 0.3)) == compared(a, b)

    def test_make_the_difference_that_of_the_weighted_means(self):
        a, b = random_values(50, 1)
        weights = np.random.default_rng(1).uniform(0.1, 2, 50)
        expected = np.average(a, weights=weights) - np.average(b, weights=weights)
        assert compared(a, b, weights).difference == pytest.approx(expected, rel=1e-12)

    def test_multiply_the_differences_that_are_tested(self):
        a, b = random_values(50, 1)
        weights = np.random.default_rng(1).uniform(0.1, 2, 50)
        expected = compared((a - b) * weights / weights.mean(), np.zeros(50))
        found = compared(a, b, weights)
        for name in ("t", "wilcoxon", "randomisation"):
            assert astuple(found.test(name)) == pytest.approx(astuple(expected.test(name)))
        assert found.interval == pytest.approx(expected.interval)
        assert (found.wins, found.losses) == (expected.wins, expected.losses)


class TestDegenerateDifferences:
    @pytest.mark.parametrize("n", [2, 300])
    def test_of_zero_are_no_difference(self, n):
        values = np.random.default_rng(0).uniform(size=n)
        pair = compared(values, values)
        assert (pair.difference, pair.interval, pair.effect_size) == (0.0, (0.0, 0.0), 0.0)
        assert (pair.wins, pair.ties, pair.losses) == (0, n, 0)
        for name in ("t", "wilcoxon", "randomisation"):
            assert astuple(pair.test(name)) == (0.0, 1.0, 1.0)

    def test_that_are_all_equal_have_an_infinite_t_and_a_point_as_interval(self):
        pair = compared([0.75] * 20, [0.5] * 20)
        assert (pair.difference, pair.interval) == (0.25, (0.25, 0.25))
        assert (pair.t.statistic, pair.t.p_value, pair.effect_size) == (math.inf, 0.0, math.inf)
        assert pair.wilcoxon.p_value < 0.001
        assert pair.randomisation.p_value == 1 / 10_001
        mirrored = compared([0.5] * 20, [0.75] * 20)
        assert (mirrored.t.statistic, mirrored.effect_size) == (-math.inf, -math.inf)

    def test_of_rounding_alone_are_ties(self):
        a = np.array([0.3, 0.6, 0.7, 0.5])
        pair = compared(a, [0.1 + 0.2, 0.6, 0.7 - 1e-14, 0.4])
        assert (pair.wins, pair.ties, pair.losses) == (1, 3, 0)
        assert pair.wilcoxon.p_value == 1.0

    def test_that_float64_cannot_hold_are_refused(self):
        with pytest.raises(ValueError, match="'a' and 'b' differ by more than float64 can hold"):
            compared([1e308, 0], [-1e308, 0])

    def test_are_tested_wherever_float64_holds_them(self):
        pair = compared([1e308, 1.5e308, 0.0], [0.0, 0.0, 1e307])
        assert math.isfinite(pair.t.statistic)
        assert 0 < pair.t.p_value < 1
        assert all(map(math.isfinite, pair.interval))

    @pytest.mark.parametrize("confidence_level", [1e-6, 0.5, 1 - 1e-12])
    @pytest.mark.parametrize("n_resamples", [1, 2, 500])
    def test_have_an_interval_at_every_level(self, confidence_level, n_resamples):
        a = np.zeros(30)
        a[0] = 1.0  # as skewed as can be
        low, high = compared(
            a, np.zeros(30), confidence_level=confidence_level, n_resamples=n_resamples
        ).interval
        assert 0.0 <= low <= high <= 1.0
