import math
import os

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankforest._settings.parameters import RULES, Problems, parse_parameters, seed_of, thread_count

NAN = float("nan")

ACCEPTED = [
    ("n_estimators", 1, 1),
    ("n_estimators", np.int64(300), 300),
    ("max_depth", None, None),
    ("max_depth", 1, 1),
    ("max_leaf_nodes", 2, 2),
    ("min_samples_leaf", 1, 1),
    ("min_samples_leaf", 0.1, 0.1),
    ("min_samples_leaf", np.float32(0.5), 0.5),
    ("min_gain", 0, 0.0),
    ("max_features", 1, 1),
    ("max_features", 1.0, 1.0),
    ("max_features", "breiman", "breiman"),
    ("max_features", None, None),
    ("learning_rate", 1, 1.0),
    ("learning_rate", np.float64(0.05), 0.05),
    ("bootstrap", np.True_, True),
    ("subsample", 1, 1.0),
    ("grow_policy", "depth_wise", "depth_wise"),
    ("grow_policy", "oblivious", "oblivious"),
    ("tree_method", "hist", "hist"),
    ("early_stopping_rounds", None, None),
    ("early_stopping_set", "valid", "valid"),
    ("min_delta", 0, 0.0),
    ("overfit_tolerance", None, None),
    ("overfit_tolerance", 0, 0.0),
    ("overfit_rounds", 1, 1),
    ("n_bags", 45, 45),
    ("query_fraction", 1, 1.0),
    ("combine", "borda", "borda"),
    ("validation_fraction", np.float64(0.2), 0.2),
    ("qid_column", "qid", "qid"),
    ("verbose", True, 1),
    ("verbose", np.int64(10), 10),
    ("truncation", None, None),
    ("callbacks", print, (print,)),
    ("callbacks", [print, len], (print, len)),
    ("callbacks", (), ()),
    ("objective", None, None),
    ("objective", print, print),
    ("objective", "yetirank", "yetirank"),
    ("n_permutations", 1, 1),
    ("noise", 0, 0.0),
    ("decay", 1, 1.0),
    ("mu", 0, 0.0),
    ("position_bias_regularization", 0, 0.0),
    ("position_bias_regularization", None, None),
    ("random_state", 2**64 - 1, 2**64 - 1),
    ("n_jobs", -1, -1),
]

REFUSED = [
    ("n_estimators", 0, "an integer >= 1"),
    ("n_estimators", True, "an integer >= 1"),
    ("n_estimators", 1.0, "an integer >= 1"),
    ("overfit_tolerance", -0.02, ">= 0 or None"),
    ("overfit_rounds", 0, "an integer >= 1"),
    ("n_bags", 0, "an integer >= 1"),
    ("query_fraction", 0.0, "in (0, 1]"),
    ("combine", "sum", '"mean" or "minmax" or "borda"'),
    ("max_depth", 0, "an integer >= 1 or None"),
    ("max_leaf_nodes", 1, "an integer >= 2 or None"),
    ("min_samples_leaf", 0, "an integer >= 1 or a fraction in (0, 1)"),
    ("min_samples_leaf", 1.0, "an integer >= 1 or a fraction in (0, 1)"),
    ("min_samples_leaf", NAN, "an integer >= 1 or a fraction in (0, 1)"),
    ("min_gain", -1e-300, ">= 0"),
    ("min_gain", math.inf, ">= 0"),
    ("min_gain", "0", ">= 0"),
    ("max_features", 0, "a fraction in (0, 1]"),
    ("max_features", 1.5, "a fraction in (0, 1]"),
    ("max_features", "all", '"sqrt" or "log2" or "breiman" or None'),
    ("learning_rate", 0.0, "in (0, 1]"),
    ("learning_rate", -0.1, "in (0, 1]"),
    ("learning_rate", 1.5, "in (0, 1]"),
    ("learning_rate", NAN, "in (0, 1]"),
    ("learning_rate", True, "in (0, 1]"),
    ("bootstrap", 1, "True or False"),
    ("grow_policy", "leaf_wise", '"best_first" or "depth_wise" or "oblivious"'),
    ("tree_method", "approx", '"auto" or "exact" or "hist"'),
    ("early_stopping_set", "", "the name of an evaluation set or None"),
    ("early_stopping_set", 0, "the name of an evaluation set or None"),
    ("min_delta", -0.1, ">= 0"),
    ("validation_fraction", 1.0, "in (0, 1) or None"),
    ("validation_fraction", 0, "in (0, 1) or None"),
    ("qid_column", ["qid"], "the name of a column or None"),
    ("verbose", -1, "True, False or an integer >= 0"),
    ("verbose", 1.0, "True, False or an integer >= 0"),
    ("sigma", 0.0, "> 0"),
    ("callbacks", "abc", "a callable or a sequence of callables"),
    ("callbacks", 3, "a callable or a sequence of callables"),
    ("objective", "ndcg", "a callable or None"),
    ("n_permutations", 0, "an integer >= 1"),
    ("noise", -0.5, ">= 0"),
    ("decay", 0.0, "in (0, 1]"),
    ("mu", -1.0, ">= 0"),
    ("position_bias_regularization", -1.0, ">= 0"),
    ("random_state", -1, "an integer in [0, 2**64)"),
    ("random_state", 2**64, "an integer in [0, 2**64)"),
    ("random_state", "seed", "an integer in [0, 2**64)"),
    ("n_jobs", 0, "an integer other than 0"),
    ("n_jobs", 2.0, "an integer other than 0"),
]


@pytest.mark.parametrize(("name", "value", "plain"), ACCEPTED)
def test_a_usable_value_becomes_plain(name, value, plain):
    checked = RULES[name].check(name, value)
    assert checked == plain
    assert type(checked) is type(plain)


@pytest.mark.parametrize(("name", "value", "expectation"), REFUSED)
def test_an_unusable_value_is_named_with_what_was_expected(name, value, expectation):
    with pytest.raises(ValueError, match=f"^{name} must be ") as error:
        RULES[name].check(name, value)
    assert expectation in str(error.value)
    assert str(error.value).endswith(f", got {value!r}")


def test_every_unusable_parameter_is_reported_in_one_error():
    problems = Problems("MART")
    values = {"n_estimators": 0, "learning_rate": 0.1, "max_depth": -1}
    assert parse_parameters(values, problems) == {"learning_rate": 0.1}
    with pytest.raises(ValueError, match="MART: 2 arguments are unusable") as error:
        problems.raise_if_any()
    assert str(error.value).splitlines()[1:] == [
        "  n_estimators must be an integer >= 1, got 0",
        "  max_depth must be an integer >= 1 or None, got -1",
    ]


def test_one_problem_is_one_line_and_none_is_no_error():
    problems = Problems("MART")
    problems.raise_if_any()
    parse_parameters({"max_depth": 0}, problems, prefix="forest.")
    with pytest.raises(ValueError, match=r"^MART: forest\.max_depth must be [^\n]*$"):
        problems.raise_if_any()


@given(st.one_of(st.integers(), st.floats(), st.text(), st.none(), st.booleans()))
def test_whatever_a_rule_lets_through_is_its_own_plain_form(value):
    for rule in RULES.values():
        try:
            plain = rule.parse(value)
        except (TypeError, ValueError):
            continue
        assert rule.parse(plain) == plain


def test_a_seed_is_itself_and_a_random_state_gives_the_same_one_again():
    assert seed_of(17) == 17
    seeds = [seed_of(np.random.RandomState(3)) for _ in range(2)]
    assert seeds[0] == seeds[1]
    assert 0 <= seeds[0] < 2**64
    assert seed_of(None) != seed_of(None)


@pytest.mark.parametrize(
    ("n_jobs", "limit", "threads"),
    [
        (None, "", 8),
        (-1, "", 8),
        (-2, "", 7),
        (-100, "", 1),
        (3, "", 3),
        (16, "", 16),
        (None, "2", 2),
        (None, "99", 8),
        (None, "4,2", 4),
        (-2, "4", 3),
        (5, "2", 5),
        (None, "many", 8),
        (None, "0", 8),
    ],
)
def test_threads_are_those_asked_for_or_all_that_may_be_used(monkeypatch, n_jobs, limit, threads):
    monkeypatch.setattr(joblib, "cpu_count", lambda: 8)
    monkeypatch.setitem(os.environ, "OMP_NUM_THREADS", limit)
    assert thread_count(n_jobs) == threads


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no processor affinity here")
def test_processor_affinity_limits_the_threads(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert thread_count(None) == 1
    finally:
        os.sched_setaffinity(0, allowed)
