"""Linear rankers in the C library."""

import numpy as np
import pytest
from c_library import Library
from packaging_cases import COMPILES_C

import rankforest as rf

pytestmark = COMPILES_C


@pytest.fixture(scope="module")
def library(c_prefix):
    return Library(c_prefix / "lib" / "librankforest_c.so")


@pytest.mark.parametrize("normalization", [None, "sum", "zscore", "minmax"])
def test_a_query_is_scored_to_the_bits_of_python(library, normalization):
    data = rf.datasets.make_ranking(n_queries=30, n_features=9, random_state=4)
    model = rf.RankSVM(query_normalization=normalization).fit(data).model_
    documents = np.random.default_rng(8).normal(size=(150, 9)).astype(np.float32)
    documents[::7, 2] = np.nan
    documents[5, 3] = np.inf
    status, scorer, error = library.load_memory(model.to_bytes())
    assert (status, error) == (0, "")
    assert library.needs_queries(scorer) == (normalization is not None)
    status, scores, error = library.score(scorer, documents)
    assert (status, error) == (0, "")
    np.testing.assert_array_equal(scores, model.predict(documents, qid=np.zeros(150, int)))
    assert len(set(scores.tolist())) > 100
