"""Models with exits in the C library."""

import numpy as np
import pytest
from c_library import Library, Limits
from packaging_cases import COMPILES_C

import rankforest as rf

pytestmark = COMPILES_C


@pytest.fixture(scope="module")
def library(c_prefix):
    return Library(c_prefix / "lib" / "librankforest_c.so")


@pytest.fixture(scope="module")
def model():
    data = rf.datasets.make_ranking(n_queries=30, n_features=5, random_state=4)
    plain = rf.MART(n_estimators=50).fit(data).model_
    return plain.with_exits(
        rf.ExitSchedule([(5, 0.3), rf.Exit(20, margin=0.4), rf.Exit(30, keep=3)], k=5)
    )


@pytest.fixture(scope="module")
def documents():
    return np.random.default_rng(8).normal(size=(150, 5)).astype(np.float32)


def test_a_query_is_scored_to_the_bits_of_python(library, model, documents):
    status, scorer, error = library.load_memory(model.to_bytes())
    assert (status, error) == (0, "")
    expected = model.predict_within(documents)
    assert len(set(expected.rounds.tolist())) >= 3
    status, scores, error = library.score(scorer, documents)
    assert (status, error) == (0, "")
    np.testing.assert_array_equal(scores, expected.scores)
    np.testing.assert_array_equal(scores, model.predict(documents, qid=np.zeros(150, int)))


def test_a_model_says_whether_it_needs_whole_queries(library, model):
    _, scorer, _ = library.load_memory(model.to_bytes())
    assert library.needs_queries(scorer) == 1
    _, scorer, _ = library.load_memory(model.with_exits(None).to_bytes())
    assert library.needs_queries(scorer) == 0
    assert library.needs_queries(None) == 0


def test_limits_of_the_caller_replace_the_exits_of_the_model(library, model, documents):
    _, scorer, _ = library.load_memory(model.to_bytes())
    _, scores, rounds, cost, _ = library.score_within(scorer, documents, Limits(tree_cost=2.0))
    expected = model.predict_within(documents, tree_cost=2)
    np.testing.assert_array_equal(scores, expected.scores)
    np.testing.assert_array_equal(rounds, expected.rounds)
    assert cost == expected.cost
    own = Limits(exit_every=10, exit_fraction=0.5, tree_cost=1.0)
    _, _, rounds, _, _ = library.score_within(scorer, documents, own)
    expected = model.predict_within(documents, early_exit=rf.EarlyExit(10, 0.5))
    np.testing.assert_array_equal(rounds, expected.rounds)
