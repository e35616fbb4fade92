"""A model file is a function of data, parameters and seed, whatever else differs."""

import hashlib
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from estimator_cases import ESTIMATORS, make_data
from sklearn.base import clone

from rankforest import (
    BROOF,
    MART,
    BaggedLambdaMART,
    Bagging,
    Dataset,
    ExtraTrees,
    LambdaMART,
    Model,
    RandomForest,
    read_letor,
    write_letor,
)
from rankforest._model.notes import replaced

# The histogram engine, on all features of a node and on some.
MODELS = ESTIMATORS | {
    "mart_hist": MART(n_estimators=7, subsample=0.7, tree_method="hist"),
    "random_forest_hist": clone(ESTIMATORS["random_forest"]).set_params(tree_method="hist"),
    "random_forest_entropy": RandomForest(
        n_estimators=7, criterion="entropy", subsample=0.7, subsample_unit="query"
    ),
    "random_forest_pairwise": RandomForest(
        n_estimators=7, criterion="pairwise", pair_weight="difference"
    ),
    "random_forest_listwise": RandomForest(
        n_estimators=7, criterion="listwise", listwise_levels=4, listwise_cutoff=10
    ),
    "extra_trees_random": ExtraTrees(n_estimators=7, criterion="random", relevance="exp2"),
    "bagged_lambdamart": BaggedLambdaMART(
        n_bags=3, n_estimators=5, max_features="sqrt", max_leaf_nodes=7, min_samples_leaf=2
    ),
    "bagged_forest": Bagging(RandomForest(n_estimators=4, max_features=2), n_bags=3),
    "broof": BROOF(n_estimators=4, max_iter=3, max_features=2),
    "lambdamart_hist": LambdaMART(
        n_estimators=7, max_leaf_nodes=7, min_samples_leaf=2, tree_method="hist"
    ),
}

pytestmark = pytest.mark.parametrize("algorithm", MODELS)

# What the C library may use of the processor. Without FMA and AVX2 its own exp and log give other
# bits; glibc before 2.33 calls these features AVX2_Usable and FMA_Usable.
MASKS = {
    "as it is": "",
    "without FMA and AVX2": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable",
    "without AVX and SSE4": "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-SSE4_1,-SSE4_2",
}

DIGESTS = """
import sys, numpy as np
from test_estimators_same_bits import MODELS, digest
data = np.load(sys.argv[1])
for algorithm in MODELS:
    print(algorithm, digest(algorithm, data["X"], data["y"], data["qid"]))
"""


@pytest.fixture(scope="module")
def data():
    """With zeros, so that sparse formats leave something out."""
    X, y, qid = make_data(n_queries=30, n_features=6)
    X[np.abs(X) < 0.3] = 0.0
    X[:, 2] = np.round(X[:, 2])  # ties
    return X, y, qid


def model_bytes(algorithm, X, y=None, qid=None, **params):
    model = clone(MODELS[algorithm]).set_params(**params)
    return model.fit(X, y, qid=qid).model_.to_bytes()


def digest(algorithm, *data, **params):
    return hashlib.sha256(model_bytes(algorithm, *data, **params)).hexdigest()


@pytest.fixture
def expected(algorithm, data):
    return model_bytes(algorithm, *data, n_jobs=1)


@pytest.mark.parametrize("n_jobs", [2, 5, None])
def test_for_any_number_of_threads(algorithm, data, expected, n_jobs):
    assert model_bytes(algorithm, *data, n_jobs=n_jobs) == expected


def test_for_any_dtype_and_memory_order(algorithm, data, expected):
    X, y, qid = data
    for array in (X.astype(np.float64), np.asfortranarray(X), np.hstack([X, X])[:, :6]):
        assert model_bytes(algorithm, array, y, qid) == expected
    assert model_bytes(algorithm, X, y.astype(np.int8), [f"q{q}" for q in qid]) == expected


@pytest.mark.parametrize("form", [scipy.sparse.csr_matrix, scipy.sparse.csr_array])
def test_for_sparse_input(algorithm, data, expected, form):
    X, y, qid = data
    assert model_bytes(algorithm, form(X), y, qid) == expected


def test_for_text_which_the_summary_notes(algorithm, data, expected, tmp_path):
    X, y, qid = data
    write_letor(tmp_path / "train.txt", Dataset(X, y, qid=qid))
    model = clone(MODELS[algorithm]).fit(read_letor(tmp_path / "train.txt")).model_
    assert model.data_summary["from_text"] is True
    as_of_arrays = Model.from_bytes(expected)._info.summary_json
    model._info = replaced(model._info, summary_json=as_of_arrays)
    assert model.to_bytes() == expected


def test_for_rows_shuffled_within_and_across_queries(algorithm, data, expected):
    X, y, qid = data
    rng = np.random.default_rng(3)
    by_query = list(rng.permutation(30))
    within = np.concatenate([rng.permutation(np.flatnonzero(qid == q)) for q in by_query])
    for order in (within, rng.permutation(len(y)), np.argsort(-y, kind="stable")):
        assert model_bytes(algorithm, X[order], y[order], qid[order]) == expected


def test_for_renamed_queries(algorithm, data, expected):
    X, y, qid = data
    names = np.random.default_rng(4).permutation(10**12 + np.arange(30))
    assert model_bytes(algorithm, X, y, names[qid]) == expected


def test_whatever_is_watched_or_called_back(algorithm, data, expected):
    X, y, qid = data
    watched = clone(MODELS[algorithm]).set_params(callbacks=lambda report: None)
    watched.fit(
        X, y, qid=qid, eval_set={"train": (X, y, qid), "half": (X[:150], y[:150], qid[:150])}
    )
    assert watched.model_.to_bytes() == expected


def _put_digest(queue, algorithm, data):
    queue.put(digest(algorithm, *data, n_jobs=2))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="cannot fork")
def test_in_a_forked_child_after_training_on_threads(algorithm, data):
    expected = digest(algorithm, *data, n_jobs=2)  # starts the pool's threads here
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_put_digest, args=(queue, algorithm, data))
    child.start()
    child.join(timeout=60)
    assert child.exitcode == 0
    assert queue.get() == expected


@pytest.fixture(scope="module", params=MASKS)
def digests_of_another_process(request, data, tmp_path_factory):
    """Digests by algorithm, from a new interpreter on what it takes for another processor."""
    path = tmp_path_factory.mktemp("data") / "data.npz"
    X, y, qid = data
    np.savez(path, X=X, y=y, qid=qid)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, sys.path)]),
        "PYTHONHASHSEED": "7",
        "GLIBC_TUNABLES": MASKS[request.param],
    }
    command = [sys.executable, "-c", DIGESTS, path]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return dict(line.split() for line in run.stdout.splitlines())


def test_in_another_process_on_another_processor(algorithm, data, digests_of_another_process):
    assert digests_of_another_process[algorithm] == digest(algorithm, *data)
